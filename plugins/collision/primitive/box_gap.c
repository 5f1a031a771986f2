// SPDX-License-Identifier: Apache-2.0
//
// Two boxes that are apart in a direction that is no axis of theirs: an edge passes the end of
// another, or a corner is beside a side. Along the axis that parts them most their faces share
// nothing, yet they may be within the margin. The nearest points of two boxes that do not overlap
// are a corner and a place of the other box, or places of two edges; all are asked.
//
//        .--------.                no axis across these edges sees both
//       /        /|
//      '--------' |   .
//      |        | ' .' '.          the gap is from corner to edge
//      |        |/.'     .'
//      '--------' '.   .'
//                   '.'

#include "primitive.h"

// Corner i: bit k is the side of axis k.
static void corner_of(const sn_shape *box, int i, double *corner) {
  double axis[3];
  sn_copy3(corner, box->pos);
  for (int k = 0; k < 3; k++) {
    shape_axis(axis, box, k);
    sn_addscale3(corner, corner, i >> k & 1 ? box->size[k] : -box->size[k], axis);
  }
}

// Edge i along axis i / 4 as a capsule without a radius. pos, mat: room for its frame.
static sn_shape edge_of(const sn_shape *box, int i, double *pos, double *mat) {
  int k = i / 4, corner = (i & 1) << (k + 1) % 3 | (i >> 1 & 1) << (k + 2) % 3;
  double axis[3][3];
  for (int j = 0; j < 3; j++) {
    shape_axis(axis[j], box, (k + 1 + j) % 3);   // the third along the edge
    for (int row = 0; row < 3; row++) {
      mat[3 * row + j] = axis[j][row];
    }
  }
  corner_of(box, corner, pos);
  sn_addscale3(pos, pos, box->size[k], axis[2]);
  return (sn_shape){ .type = SN_GEOM_CAPSULE, .size = { 0, box->size[k] }, .pos = pos, .mat = mat };
}

static void keep_nearer(sn_contact_point *best, const sn_contact_point *other, double sign) {
  if (other->dist < best->dist) {
    *best = *other;
    sn_scale3(best->normal, best->normal, sign);
  }
}

static void try_corners(const sn_shape *from, const sn_shape *box, double sign,
                        sn_contact_point *best) {
  sn_contact_point contact[PRIMITIVE_MAX];
  for (int i = 0; i < 8; i++) {
    double corner[3];
    corner_of(from, i, corner);
    const sn_shape point = { .type = SN_GEOM_SPHERE, .pos = corner, .mat = from->mat };
    if (sphere_box(&point, box, best->dist, contact)) {
      keep_nearer(best, contact, sign);
    }
  }
}

static void try_edges(const sn_shape *a, const sn_shape *b, sn_contact_point *best) {
  sn_contact_point contact[PRIMITIVE_MAX];
  double pos[2][3], mat[2][9];
  for (int i = 0; i < 12; i++) {
    const sn_shape first = edge_of(a, i, pos[0], mat[0]);
    for (int j = 0; j < 12; j++) {
      const sn_shape second = edge_of(b, j, pos[1], mat[1]);
      int n = capsule_capsule(&first, &second, best->dist, contact);
      for (int k = 0; k < n; k++) {
        keep_nearer(best, &contact[k], 1);
      }
    }
  }
}

int box_gap(const sn_shape *a, const sn_shape *b, double margin, sn_contact_point *contact) {
  sn_contact_point best = { .dist = INFINITY };
  try_corners(a, b, 1, &best);
  try_corners(b, a, -1, &best);
  try_edges(a, b, &best);
  *contact = best;
  return best.dist > 0 && best.dist <= margin;
}
