// SPDX-License-Identifier: Apache-2.0
//
// Wrapping in closed form. The problem is plane: for a sphere in the plane of the center and the
// two points, for a cylinder in its cross section, where the path is unrolled afterwards.
//
//                 T0 ___ T1               T: tangent points, at the angle acos(r / |d|)
//                 . /   \ .                  from the direction of d
//              .   |  o  |    .           outside: length = |d0 T0| + r angle + |T1 d1|
//          d0       \___/        d1
//
// Of the two ways round, the shorter one is taken, or the one on the side of the side point, as
// long as its straight parts do not cross. A side point whose projection is inside the circle
// means a path that has to touch the disc: when the segment misses it, the path is reflected at
// the point P of the circle where its length is least, that is where o P halves the angle d0 P d1
// (Alhazen's problem). With t the angle between the path and o P, and the law of sines,
//
//   d0 o d1 = 2 t - asin(A sin t) - asin(B sin t)       A = r / |d0|, B = r / |d1|
//
// is solved for sin t by Newton's method, which comes down from 1 on one side. Where it does not,
// hardly ever, a safeguarded iteration finds the angle of least length.

#include "dynamics/wrap.h"
#include "numerics/scalar.h"
#include "sinew/spec.h"

#define ARC si_arc
#include "dynamics/wrap_loops.h"

// ------------------------------------------------------------------ through the circle

// Derivative with respect to the angle a of the length d0 P d1, P = r (cos a, sin a), and the
// derivative of that.
static double reflection_slope(const double *d0, const double *d1, double r, double a,
                               double *curvature) {
  const double P[2] = { r * cos(a), r * sin(a) };
  const double *d[2] = { d0, d1 };
  double slope = 0;
  *curvature = 0;
  for (int i = 0; i < 2; i++) {
    const double e[2] = { P[0] - d[i][0], P[1] - d[i][1] };
    double length = sqrt(dot2(e, e));
    double first = cross2(d[i], P) / length;   // e' dP/da, dP/da = (-P1, P0)
    slope += first;
    *curvature += (dot2(d[i], P) - first * first) / length;
  }
  return slope;
}

// The angle d0 o P, d0 o d1 being `whole`. False: it did not converge.
static int reflect(double A, double B, double whole, double *angle) {
  // tolerance of the sum of the angles, in radians: an error moves P, and hardly the length, which
  // is stationary
  // Matches MuJoCo 2.2.2: wrap-tolerance
  const double enough = 1e-6;
  double z = 1 - 1e-7;
  for (int i = 0; i < 20; i++) {
    double left = asin(A * z) + asin(B * z) - 2 * asin(z) + whole;
    if (fabs(left) <= enough) {
      *angle = asin(z) - asin(A * z);
      return 1;
    }
    double slope = A / sqrt(1 - z * z * A * A) + B / sqrt(1 - z * z * B * B) - 2 / sqrt(1 - z * z);
    double next = z - left / slope;
    if (!(slope < -SN_TINY && next <= z && next >= -1)) {
      return 0;
    }
    z = next;
  }
  return 0;
}

// The angle d0 o P at which the length has its one minimum between d0, at the angle `begin`, and
// d1.
static double least_turn(const double *d0, const double *d1, double r, double begin, double span) {
  double lo = 0, hi = span, a = 0.5 * span;
  for (int i = 0; i < 60; i++) {
    double curvature, slope = reflection_slope(d0, d1, r, begin + a, &curvature);
    if (slope > 0) {
      hi = a;
    } else {
      lo = a;
    }
    double next = curvature > 0 ? a - slope / curvature : lo;
    if (!(next > lo && next < hi)) {
      next = 0.5 * (lo + hi);
    }
    double step = fabs(next - a);
    a = next;
    if (step < 1e-15) {
      break;
    }
  }
  return a;
}

static int wrap_inside(si_arc *arc, const double *d0, const double *d1, double r) {
  double near[2], turn;
  closest_to_origin(near, d0, d1);
  if (dot2(near, near) <= r * r) {
    return 0;
  }
  // counterclockwise from d0 to d1
  double span = atan2(cross2(d0, d1), dot2(d0, d1));
  if (span < 0) {
    const double *first = d0;
    d0 = d1;
    d1 = first;
    span = -span;
  }
  double begin = atan2(d0[1], d0[0]);
  double A = r / sqrt(dot2(d0, d0)), B = r / sqrt(dot2(d1, d1));
  double a = begin + (reflect(A, B, span, &turn) ? turn : least_turn(d0, d1, r, begin, span));
  arc->first[0] = arc->last[0] = r * cos(a);
  arc->first[1] = arc->last[1] = r * sin(a);
  arc->length = arc->turn = 0;
  return 1;
}

// ------------------------------------------------------------------ the plane

// When the two points are on a line with the center: taken is the plane towards the two axes of
// the geom, with equal parts, that the line is farthest from.
static void sphere_plane(double *axes, const double *p0, const double *p1) {
  if (plane_of(axes, p0, p1)) {
    double x = fabs(axes[0]), y = fabs(axes[1]), z = fabs(axes[2]), other[3] = { 1, 1, 1 };
    other[y > x && y > z ? 1 : (z > x && z > y ? 2 : 0)] = 0;
    sn_cross(axes + 6, axes, other);
    sn_normalize3(axes + 6);
    sn_cross(axes + 3, axes + 6, axes);
    sn_normalize3(axes + 3);
  }
}

int si_wrap_plane(int32_t type, const double *x0, const double *x1, const double *pos,
                  const double *mat, double r, const double *side, si_plane_path *path) {
  static const double own_axes[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  double q0[3], q1[3], qs[3] = { 0, 0, 0 }, axes[9];

  // the points in the axes of the plane
  to_local(q0, x0, pos, mat);
  to_local(q1, x1, pos, mat);
  if (side) {
    to_local(qs, side, pos, mat);
  }
  if (type == SN_WRAP_CYLINDER) {
    memcpy(axes, own_axes, sizeof axes);
  } else {
    sphere_plane(axes, q0, q1);
    sn_mul_mat_vec3(q0, axes, q0);
    sn_mul_mat_vec3(q1, axes, q1);
    sn_mul_mat_vec3(qs, axes, qs);
  }
  if (dot2(q0, q0) < r * r || dot2(q1, q1) < r * r) {
    return 0;
  }
  int inside = side && dot2(qs, qs) < r * r;
  if (!(inside ? wrap_inside(&path->arc, q0, q1, r)
               : wrap_around(1, &path->arc, q0, q1, r, side ? qs : NULL))) {
    return 0;
  }
  memcpy(path->axes, axes, sizeof axes);
  sn_copy3(path->q0, q0);
  sn_copy3(path->q1, q1);
  return 1;
}

double si_wrap(int32_t type, const double *x0, const double *x1, const double *pos,
               const double *mat, double r, const double *side, double *first, double *last) {
  si_plane_path path;
  int cylinder = type == SN_WRAP_CYLINDER;
  if (!si_wrap_plane(type, x0, x1, pos, mat, r, side, &path)) {
    return -1;
  }
  return to_space(&path.arc, cylinder ? NULL : path.axes, path.q0, path.q1, pos, mat, first, last);
}
