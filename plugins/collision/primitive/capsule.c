// SPDX-License-Identifier: Apache-2.0
//
// Two capsules: spheres at the nearest points of two segments (Ericson, 2005, section 5.1.9).
// Parallel ones have no single nearest pair: there the ends of each touch the other, up to two.

#include "primitive.h"

// A sphere at point p of the segment of one capsule, against the nearest point of the other one.
static int touch_end(const sn_shape *from, const sn_shape *to, const double *axis,
                     const double *point, int swapped, double margin, sn_touch *touch) {
  double offset[3], nearest[3];
  sn_sub3(offset, point, to->pos);
  double along = sn_clamp(sn_dot3(offset, axis), -to->size[1], to->size[1]);
  sn_addscale3(nearest, to->pos, along, axis);
  return swapped ? touch_spheres(touch, nearest, to->size[0], point, from->size[0], margin)
                 : touch_spheres(touch, point, from->size[0], nearest, to->size[0], margin);
}

static int touch_parallel(const sn_shape *a, const sn_shape *b, const double *axis_a,
                          const double *axis_b, double margin, sn_touch *touch) {
  const sn_shape *shape[2] = { a, b };
  const double *axis[2] = { axis_a, axis_b };
  int n = 0;
  for (int which = 0; which < 2; which++) {
    for (int side = 1; side >= -1 && n < 2; side -= 2) {
      double end[3];
      sn_addscale3(end, shape[which]->pos, side * shape[which]->size[1], axis[which]);
      n += touch_end(shape[which], shape[!which], axis[!which], end, which, margin, &touch[n]);
    }
  }
  return n;
}

int capsule_capsule(const sn_shape *a, const sn_shape *b, double margin, sn_touch *touch) {
  const double parallel = 1e-15;   // of the determinant below, length to the fourth
  double u[3], v[3], to[3], p[3], q[3];
  double ha = a->size[1], hb = b->size[1];
  shape_axis(u, a, 2);
  shape_axis(v, b, 2);
  sn_sub3(to, b->pos, a->pos);

  // the nearest points of the two lines are at x, y along them, in units of the half lengths
  double aa = ha * ha, bb = hb * hb, ab = ha * hb * sn_dot3(u, v);
  double at = ha * sn_dot3(u, to), bt = hb * sn_dot3(v, to);
  double det = aa * bb - ab * ab;
  if (fabs(det) < parallel) {
    return touch_parallel(a, b, u, v, margin, touch);
  }
  double x = sn_clamp((at * bb - bt * ab) / det, -1, 1);
  double y = (x * ab - bt) / bb;
  if (fabs(y) > 1) {
    y = sn_clamp(y, -1, 1);
    x = sn_clamp((y * ab + at) / aa, -1, 1);
  }
  sn_addscale3(p, a->pos, x * ha, u);
  sn_addscale3(q, b->pos, y * hb, v);
  return touch_spheres(touch, p, a->size[0], q, b->size[0], margin);
}
