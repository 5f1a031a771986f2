// SPDX-License-Identifier: Apache-2.0
//
// A capsule and a box: up to two spheres of the capsule, each against the box.
//
// The first is at the point of the capsule's segment that is nearest to the box: an end above a
// face, or the nearest point to one of the edges. The second is found by walking along the
// segment, towards the box, until the segment ends or leaves the sides of the box between which
// it walks; so a capsule that lies on a face gets two contact points.
//
//   a  nearest point          ________________ segment
//   b  end of the walk       a       b
//                         +----------+
//                         |   box    |

#include "primitive.h"

// The segment in the frame of the box: p + t u, t in [-1, 1].
typedef struct segment {
  double p[3], u[3];
  const double *size;   // of the box
} segment;

// The nearest point, and the face, edge or corner of the box that it is nearest to.
typedef struct nearest {
  double t;
  double square;   // of the distance
  int side[3];     // -1, 0, 1: beyond a side of the box along each axis, or between them
} nearest;

// Squared distances that differ by less are equal: the first one wins.
static const double tie = 1e-15;

static inline double along(const segment *s, double t, int axis) {
  return s->p[axis] + t * s->u[axis];
}

static inline int side_of(double x, double size) {
  return x > size ? 1 : (x < -size ? -1 : 0);
}

// An end that is inside, or beyond one face and between the other sides.
static void try_end(const segment *s, double t, nearest *best) {
  nearest end = { .t = t };
  int beyond = 0;
  for (int k = 0; k < 3; k++) {
    double x = along(s, t, k);
    end.side[k] = side_of(x, s->size[k]);
    beyond += end.side[k] != 0;
    if (end.side[k]) {
      double out = fabs(x) - s->size[k];
      end.square += out * out;
    }
  }
  if (beyond <= 1 && end.square < best->square - tie) {
    *best = end;
  }
}

// An edge along axis k, at side[] of the other axes. On the line of the edge the nearest point to
// the line of the segment may be beyond a corner: then the corner takes its place, although the
// point that is finally nearest to the end of a segment may be on the edge again.
static void try_edge(const segment *s, int k, const int *side, nearest *best) {
  const double parallel = 1e-15;   // of a squared sine, times squared lengths
  int i = (k + 1) % 3, j = (k + 2) % 3;
  double size = s->size[k];
  double across = s->u[i] * s->u[i] + s->u[j] * s->u[j];
  if (across * size * size < parallel) {
    return;
  }
  double wi = s->p[i] - side[i] * s->size[i], wj = s->p[j] - side[j] * s->size[j];
  double gap = s->u[i] * wi + s->u[j] * wj;
  double t = -gap / across, x = along(s, t, k);
  nearest edge = { .side = { side[0], side[1], side[2] } };
  edge.side[k] = side_of(x, size);
  if (edge.side[k]) {
    x = edge.side[k] * size;
    t = -(gap + s->u[k] * (s->p[k] - x)) / (across + s->u[k] * s->u[k]);
  }
  if (fabs(t) > 1) {
    t = t > 0 ? 1 : -1;
    x = along(s, t, k);
    int end_side = side_of(x, size);
    if (end_side) {
      edge.side[k] = end_side;
      x = end_side * size;
    }
  }
  double di = wi + t * s->u[i], dj = wj + t * s->u[j], dk = along(s, t, k) - x;
  edge.t = t;
  edge.square = di * di + dj * dj + dk * dk;
  if (edge.square < best->square - tie) {
    *best = edge;
  }
}

static nearest find_nearest(const segment *s) {
  nearest best = { .square = INFINITY };
  try_end(s, -1, &best);
  try_end(s, 1, &best);
  for (int k = 0; k < 3; k++) {
    for (int corner = 0; corner < 4; corner++) {
      int side[3] = { 0 };
      side[(k + 1) % 3] = corner & 1 ? 1 : -1;
      side[(k + 2) % 3] = corner & 2 ? 1 : -1;
      try_edge(s, k, side, &best);
    }
  }
  return best;
}

// From t in a direction: along an axis where it starts between two sides of the box until it leaves
// them; along one where it comes in from beyond a side as far as the box is wide, but above a face
// as far as it likes.
static double walk(const segment *s, double t, int direction, const int *side, int above_face) {
  double end = direction;
  for (int k = 0; k < 3; k++) {
    double rate = direction * s->u[k], size = s->size[k];
    if (rate == 0 || side[k] * rate > 0 || (side[k] && above_face)) {
      continue;
    }
    double exit = side[k] ? t + direction * 2 * size / fabs(rate)
                          : ((rate > 0 ? size : -size) - s->p[k]) / s->u[k];
    if ((exit - end) * direction < 0) {
      end = exit;
    }
  }
  return (end - t) * direction > 0 ? end : t;
}

// Whether there is a second point; if so, where. An end inside is alone. A segment that leads away
// from an edge or a corner along every axis has none; else it walks the way that leads inward more
// than outward, which may be no way at all.
static int second_point(const segment *s, const nearest *first, double *second) {
  int beyond = 0, same = 0;
  double in_plus = 0, in_minus = 0;
  for (int k = 0; k < 3; k++) {
    if (first->side[k]) {
      beyond++;
      same += (first->side[k] > 0) == (s->u[k] > 0);
      *(first->side[k] * s->u[k] < 0 ? &in_plus : &in_minus) += s->u[k] * s->u[k];
    }
  }
  int direction = in_plus > in_minus ? 1 : -1;
  if (beyond == 1) {
    direction = first->t > 0 ? -1 : 1;
  } else if (same == 0 || same == beyond) {   // also when beyond is 0
    return 0;
  }
  *second = walk(s, first->t, direction, first->side, beyond == 1);
  return 1;
}

static int contact_at(const sn_shape *capsule, const sn_shape *box, double t, double margin,
                      primitive_fn *touch, sn_contact_point *contact) {
  double axis[3], center[3];
  shape_axis(axis, capsule, 2);
  sn_addscale3(center, capsule->pos, t * capsule->size[1], axis);
  sn_shape sphere = {
    .type = SN_GEOM_SPHERE, .size = { capsule->size[0] }, .pos = center, .mat = capsule->mat
  };
  return touch(&sphere, box, margin, contact);
}

// The spheres in the capsule touch the box as `touch` says.
static int touch_box(const sn_shape *capsule, const sn_shape *box, double margin,
                     primitive_fn *touch, sn_contact_point *contact) {
  segment s = { .size = box->size };
  double to[3], axis[3], second;
  sn_sub3(to, capsule->pos, box->pos);
  sn_mul_matT_vec3(s.p, box->mat, to);
  shape_axis(axis, capsule, 2);
  sn_mul_matT_vec3(s.u, box->mat, axis);
  sn_scale3(s.u, s.u, capsule->size[1]);
  nearest first = find_nearest(&s);
  int n = contact_at(capsule, box, first.t, margin, touch, contact);
  if (second_point(&s, &first, &second)) {
    n += contact_at(capsule, box, second, margin, touch, &contact[n]);
  }
  return n;
}

int capsule_box(const sn_shape *capsule, const sn_shape *box, double margin,
                sn_contact_point *contact) {
  return touch_box(capsule, box, margin, sphere_box, contact);
}

int capsule_box_radius(const sn_shape *capsule, const sn_shape *box, double margin,
                       sn_contact_point *contact) {
  return touch_box(capsule, box, margin, sphere_box_radius, contact);
}
