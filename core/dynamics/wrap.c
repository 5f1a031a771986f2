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
#include "sinew/math.h"
#include "sinew/spec.h"

static inline double dot2(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1];
}

static inline double cross2(const double *a, const double *b) {
  return a[0] * b[1] - a[1] * b[0];
}

// The point of the segment that is closest to the origin.
static void closest_to_origin(double *out, const double *d0, const double *d1) {
  const double along[2] = { d1[0] - d0[0], d1[1] - d0[1] };
  double length2 = dot2(along, along);
  double t = length2 > 0 ? sn_clamp(-dot2(d0, along) / length2, 0, 1) : 0;
  out[0] = d0[0] + t * along[0];
  out[1] = d0[1] + t * along[1];
}

// Whether the segments a b and c d cross.
static int segments_cross(const double *a, const double *b, const double *c, const double *d) {
  const double u[2] = { b[0] - a[0], b[1] - a[1] }, v[2] = { d[0] - c[0], d[1] - c[1] };
  const double w[2] = { c[0] - a[0], c[1] - a[1] };
  double det = cross2(u, v);
  if (fabs(det) < SN_TINY) {
    return 0;
  }
  double s = cross2(w, v) / det, t = cross2(w, u) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

// The tangent point of d on the circle: its direction turned by sign * acos(r / |d|).
static void tangent(double *out, const double *d, double r, double sign) {
  double norm2 = dot2(d, d), c = r / norm2 * r, s = sign * r / norm2 * sqrt(norm2 - r * r);
  out[0] = c * d[0] - s * d[1];
  out[1] = s * d[0] + c * d[1];
}

// Around the circle from d0 to d1, turning with `sign`.
static si_arc way_round(const double *d0, const double *d1, double r, double sign) {
  si_arc way = { .turn = sign };
  tangent(way.first, d0, r, sign);
  tangent(way.last, d1, r, -sign);
  return way;
}

static double arc_length(const si_arc *way, double r) {
  double turned = way->turn * cross2(way->first, way->last);
  double angle = atan2(turned, dot2(way->first, way->last));
  return r * (angle < 0 ? angle + 2 * SN_PI : angle);
}

// How well the way passes on the side of the side point: the more the better.
static double sidedness(const si_arc *way, double r, const double *side) {
  double middle[2] = { way->first[0] + way->last[0], way->first[1] + way->last[1] };
  double norm = sqrt(dot2(middle, middle));
  return norm > SN_TINY ? dot2(middle, side) / norm : -r;
}

// false: the segment is the path.
static int wrap_around(si_arc *arc, const double *d0, const double *d1, double r,
                       const double *side) {
  double near[2];
  closest_to_origin(near, d0, d1);
  if (dot2(near, near) >= r * r && (!side || dot2(near, side) >= 0)) {
    return 0;
  }

  // the better of the two ways whose straight parts do not cross
  double best = 0;
  int found = 0;
  for (int i = 0; i < 2; i++) {
    si_arc way = way_round(d0, d1, r, i == 0 ? 1 : -1);
    if (segments_cross(d0, way.first, d1, way.last)) {
      continue;
    }
    double merit = side ? sidedness(&way, r, side) : -arc_length(&way, r);
    if (!found || merit > best) {
      found = 1;
      best = merit;
      *arc = way;
    }
  }
  if (found) {
    arc->length = side ? arc_length(arc, r) : -best;
  }
  return found;
}

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

// Rows: two axes of the plane, and its normal. When the two points are on a line with the center
// any plane through it would do: taken is the one towards the two axes of the geom, with equal
// parts, that the line is farthest from.
static void sphere_plane(double *axes, const double *p0, const double *p1) {
  sn_copy3(axes, p0);
  sn_normalize3(axes);
  sn_cross(axes + 6, p0, p1);
  if (sn_normalize3(axes + 6) < SN_TINY) {
    double x = fabs(axes[0]), y = fabs(axes[1]), z = fabs(axes[2]), other[3] = { 1, 1, 1 };
    other[y > x && y > z ? 1 : (z > x && z > y ? 2 : 0)] = 0;
    sn_cross(axes + 6, axes, other);
    sn_normalize3(axes + 6);
  }
  sn_cross(axes + 3, axes + 6, axes);
  sn_normalize3(axes + 3);
}

// Height of a point of the unrolled path: from z0 to z1 in proportion to the length in the plane.
static inline double unrolled(double z0, double z1, double part, double whole) {
  return whole > SN_TINY ? z0 + (z1 - z0) * part / whole : z0;
}

static inline double distance2(const double *a, const double *b) {
  const double e[2] = { b[0] - a[0], b[1] - a[1] };
  return sqrt(dot2(e, e));
}

// out = the point in the frame of the geom
static inline void to_local(double *out, const double *point, const double *pos,
                            const double *mat) {
  sn_sub3(out, point, pos);
  sn_mul_matT_vec3(out, mat, out);
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
               : wrap_around(&path->arc, q0, q1, r, side ? qs : NULL))) {
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
  const si_arc *arc = &path.arc;

  // back to space; along a cylinder the path rises evenly
  double z0 = 0, z1 = 0;
  if (cylinder) {
    double part = distance2(path.q0, arc->first);
    double whole = part + arc->length + distance2(path.q1, arc->last);
    z0 = unrolled(path.q0[2], path.q1[2], part, whole);
    z1 = unrolled(path.q0[2], path.q1[2], part + arc->length, whole);
  }
  const double t0[3] = { arc->first[0], arc->first[1], z0 };
  const double t1[3] = { arc->last[0], arc->last[1], z1 };
  sn_copy3(first, t0);
  sn_copy3(last, t1);
  if (!cylinder) {
    sn_mul_matT_vec3(first, path.axes, first);
    sn_mul_matT_vec3(last, path.axes, last);
  }
  sn_mul_mat_vec3(first, mat, first);
  sn_mul_mat_vec3(last, mat, last);
  sn_add3(first, first, pos);
  sn_add3(last, last, pos);
  return sqrt(arc->length * arc->length + (z1 - z0) * (z1 - z0));
}
