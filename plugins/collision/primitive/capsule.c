// SPDX-License-Identifier: Apache-2.0
//
// Two capsules: spheres at the nearest points of two segments (Ericson, 2005, section 5.1.9).
// Parallel ones have no single nearest pair: there the ends of each make contact points with the
// other, up to two.

#include "primitive.h"

// A sphere at point p of the segment of one capsule, against the nearest point of the other one.
static int contact_end(const sn_shape *from, const sn_shape *to, const double *axis,
                       const double *point, int swapped, double margin, sn_contact_point *contact) {
  double offset[3], nearest[3];
  sn_sub3(offset, point, to->pos);
  double along = sn_clamp(sn_dot3(offset, axis), -to->size[1], to->size[1]);
  sn_addscale3(nearest, to->pos, along, axis);
  return swapped ? contact_spheres(contact, to, nearest, to->size[0], from, point, from->size[0],
                                   margin)
                 : contact_spheres(contact, from, point, from->size[0], to, nearest, to->size[0],
                                   margin);
}

static int contact_parallel(const sn_shape *a, const sn_shape *b, const double *axis_a,
                            const double *axis_b, double margin, sn_contact_point *contact) {
  const sn_shape *shape[2] = { a, b };
  const double *axis[2] = { axis_a, axis_b };
  int n = 0;
  for (int which = 0; which < 2; which++) {
    for (int side = 1; side >= -1 && n < 2; side -= 2) {
      double end[3];
      sn_addscale3(end, shape[which]->pos, side * shape[which]->size[1], axis[which]);
      n += contact_end(shape[which], shape[!which], axis[!which], end, which, margin, &contact[n]);
    }
  }
  return n;
}

int capsule_capsule(const sn_shape *a, const sn_shape *b, double margin,
                    sn_contact_point *contact) {
  double u[3], v[3], to[3], half_a[3], half_b[3], p[3], q[3];
  shape_axis(u, a, 2);
  shape_axis(v, b, 2);
  sn_sub3(to, b->pos, a->pos);
  sn_scale3(half_a, u, a->size[1]);
  sn_scale3(half_b, v, b->size[1]);

  // the nearest points of the two lines are at x, y along them, in units of the half lengths
  double aa = sn_dot3(half_a, half_a), bb = sn_dot3(half_b, half_b), ab = -sn_dot3(half_a, half_b);
  double at = sn_dot3(half_a, to), bt = -sn_dot3(half_b, to);
  double det = aa * bb - ab * ab;
  // 1e-15 m^4 count as parallel; but of small capsules that would be every angle, and of long ones
  // it is less than what is rounded
  double parallel = sn_max(sn_min(1e-15, 1e-9 * aa * bb), 1e-15 * aa * bb);
  if (fabs(det) < parallel) {
    return contact_parallel(a, b, u, v, margin, contact);
  }
  double x = (bb * at - ab * bt) / det, y = (aa * bt - ab * at) / det;
  if (fabs(x) > 1) {
    x = copysign(1, x);
    y = (bt - ab * x) / bb;
  }
  if (fabs(y) > 1) {
    y = copysign(1, y);
    x = sn_clamp((at - ab * y) / aa, -1, 1);
  }
  sn_addscale3(p, a->pos, x, half_a);
  sn_addscale3(q, b->pos, y, half_b);
  return contact_spheres(contact, a, p, a->size[0], b, q, b->size[0], margin);
}
