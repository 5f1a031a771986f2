// SPDX-License-Identifier: Apache-2.0
//
// Two boxes: the deepest contact point along the axis of least overlap (box_axis.c), spread to the
// corners of what the faces that meet there share (manifold.h).
//
//   along the normal of a face: a corner of the other box
//
//        |      |
//        +--v---+----       along the product of two edges: their nearest points
//     ------'----
//
// Of boxes that overlap, the corner is within the face, and the points are on the edges: the least
// of all overlaps is where the surface of the Minkowski difference is nearest to the origin. Of
// boxes that are apart, this holds if the axis is that of the distance; otherwise the distance is
// computed (gjk.h).

#include "box.h"
#include "gjk/gjk.h"
#include "manifold.h"

// Part of the size of a box by which a point may be beside a face or an edge.
static const double rounding = 1e-9;

// The corner of the other box that is foremost along the axis. Returns 0 where it is not in front
// of the face.
static int face_contact(const sn_shape *owner, const sn_shape *other, const double *outward,
                        double gap, sn_contact_point *contact) {
  double local[3], corner[3], to[3];
  int within = 0;
  sn_mul_matT_vec3(local, other->mat, outward);
  for (int k = 0; k < 3; k++) {
    corner[k] = local[k] > 0 ? -other->size[k] : other->size[k];
  }
  sn_mul_mat_vec3(contact->pos, other->mat, corner);
  sn_add3(contact->pos, contact->pos, other->pos);
  sn_sub3(to, contact->pos, owner->pos);
  sn_mul_matT_vec3(local, owner->mat, to);
  for (int k = 0; k < 3; k++) {
    within += fabs(local[k]) <= owner->size[k] * (1 + rounding);
  }
  sn_addscale3(contact->pos, contact->pos, -0.5 * gap, outward);
  return within >= (gap > 0 ? 2 : 3);
}

// The middle of the edge along axis k that is foremost in a direction, and its own direction.
static void find_edge(const sn_shape *box, int k, const double *direction, double *middle,
                      double *along) {
  double local[3];
  sn_mul_matT_vec3(local, box->mat, direction);
  for (int i = 0; i < 3; i++) {
    local[i] = i == k ? 0 : local[i] > 0 ? box->size[i] : -box->size[i];
  }
  sn_mul_mat_vec3(middle, box->mat, local);
  sn_add3(middle, middle, box->pos);
  shape_axis(along, box, k);
}

// The nearest points of the two edges. Returns 0 where they are beyond the ends.
static int edge_contact(const sn_shape *a, const sn_shape *b, const box_axis *axis,
                        const double *normal, sn_contact_point *contact) {
  const int i = axis->edge[0], j = axis->edge[1];
  double p[3], u[3], q[3], v[3], to[3], back[3];
  sn_scale3(back, normal, -1);
  find_edge(a, i, normal, p, u);
  find_edge(b, j, back, q, v);
  sn_sub3(to, q, p);
  const double cosine = sn_dot3(u, v), square = 1 - cosine * cosine;
  const double tu = sn_dot3(to, u), tv = sn_dot3(to, v);
  const double s = (tu - cosine * tv) / square, t = (cosine * tu - tv) / square;
  sn_addscale3(p, p, s, u);
  sn_addscale3(q, q, t, v);
  sn_add3(contact->pos, p, q);
  sn_scale3(contact->pos, contact->pos, 0.5);
  return fabs(s) <= a->size[i] * (1 + rounding) && fabs(t) <= b->size[j] * (1 + rounding);
}

// The nearest points of boxes that are apart. Returns 0 where they are beyond the margin.
static int distant_contact(const sn_shape *a, const sn_shape *b, double margin,
                           sn_contact_point *contact) {
  static const double tolerance = 1e-10;   // of the distance, m; the default of `gjk`
  enum { ITERATIONS = 100 };
  separation s;
  if (!shape_separation(a, b, margin, tolerance, ITERATIONS, &s)) {
    return 0;
  }
  separation_contact(&s, contact);
  return 1;
}

int box_manifold(const sn_shape *a, const sn_shape *b, double margin, sn_contact_point *contact) {
  box_pose r;
  box_axis best;
  double back[3];
  if (!box_axis_find(a, b, margin, &r, &best)) {
    return 0;
  }
  *contact = (sn_contact_point){ .dist = best.separation };
  sn_mul_mat_vec3(contact->normal, a->mat, best.local);
  sn_scale3(back, contact->normal, -1);
  const int touches = best.owner < 0 ? edge_contact(a, b, &best, contact->normal, contact)
                      : best.owner == 0
                          ? face_contact(a, b, contact->normal, best.separation, contact)
                          : face_contact(b, a, back, best.separation, contact);
  if (best.separation > 0 && !touches && !distant_contact(a, b, margin, contact)) {
    return 0;
  }
  return contact_manifold(a, b, margin, 1, contact);
}
