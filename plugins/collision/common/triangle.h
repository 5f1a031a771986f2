// SPDX-License-Identifier: Apache-2.0
//
// A ray and a triangle.

#ifndef TRIANGLE_H
#define TRIANGLE_H

#include "sinew/math.h"

// The x >= 0 at which o + x v meets the triangle, from either side; -1: it does not (Moller,
// Trumbore, Fast, minimum storage ray/triangle intersection, 1997).
static inline double ray_triangle(const double *a, const double *b, const double *c,
                                  const double *o, const double *v) {
  double ab[3], ac[3], p[3], ao[3], q[3];
  sn_sub3(ab, b, a);
  sn_sub3(ac, c, a);
  sn_cross(p, v, ac);
  double det = sn_dot3(ab, p);
  if (fabs(det) < SN_TINY * SN_TINY) {
    return -1;
  }
  sn_sub3(ao, o, a);
  double u = sn_dot3(ao, p) / det;
  sn_cross(q, ao, ab);
  double w = sn_dot3(v, q) / det;
  double x = sn_dot3(ac, q) / det;
  return u >= 0 && w >= 0 && u + w <= 1 && x >= 0 ? x : -1;
}

#endif
