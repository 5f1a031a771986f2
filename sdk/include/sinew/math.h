// SPDX-License-Identifier: Apache-2.0
//
// Small vectors, matrices, quaternions and spatial vectors, inline. All [any].
//
//   3-vectors and 4-quaternions (w x y z) are double[3], double[4]; a 3x3 matrix is double[9],
//   row-major. "mat" maps local to global: global = mat * local.
//   A spatial vector is double[6]: [rotation; translation]. A motion vector is (angular, linear
//   velocity), a force vector (torque, force), both about one common point.
//
// An output may be the same array as an input only where a comment allows it.

#ifndef SINEW_MATH_H
#define SINEW_MATH_H

#include <math.h>
#include <string.h>

#include "sinew/abi.h"

#define SN_PI 3.14159265358979323846

// The smallest denominator: a length, mass, pivot or regularizer (in SI units) below it is replaced
// by it, or treated as zero. Equal to mjMINVAL of MuJoCo.
#define SN_TINY 1e-15

// ------------------------------------------------------------------ 3-vectors; out may be an input

// out = 0
static inline void sn_zero3(double *out) {
  out[0] = out[1] = out[2] = 0;
}

// out = a
static inline void sn_copy3(double *out, const double *a) {
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
}

// out = a + b
static inline void sn_add3(double *out, const double *a, const double *b) {
  out[0] = a[0] + b[0];
  out[1] = a[1] + b[1];
  out[2] = a[2] + b[2];
}

// out = a - b
static inline void sn_sub3(double *out, const double *a, const double *b) {
  out[0] = a[0] - b[0];
  out[1] = a[1] - b[1];
  out[2] = a[2] - b[2];
}

// out = s a
static inline void sn_scale3(double *out, const double *a, double s) {
  out[0] = a[0] * s;
  out[1] = a[1] * s;
  out[2] = a[2] * s;
}

// out = a + s b
static inline void sn_addscale3(double *out, const double *a, double s, const double *b) {
  out[0] = a[0] + s * b[0];
  out[1] = a[1] + s * b[1];
  out[2] = a[2] + s * b[2];
}

// a' b
static inline double sn_dot3(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The length of a.
static inline double sn_norm3(const double *a) {
  return sqrt(sn_dot3(a, a));
}

// The distance between a and b.
static inline double sn_dist3(const double *a, const double *b) {
  double d[3];
  sn_sub3(d, a, b);
  return sn_norm3(d);
}

// out = a x b
static inline void sn_cross(double *out, const double *a, const double *b) {
  double x = a[1] * b[2] - a[2] * b[1];
  double y = a[2] * b[0] - a[0] * b[2];
  double z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// Scales to unit length in place and returns the old length; a vector shorter than SN_TINY
// becomes (1, 0, 0).
static inline double sn_normalize3(double *a) {
  double n = sn_norm3(a);
  if (n < SN_TINY) {
    a[0] = 1;
    a[1] = a[2] = 0;
  } else {
    sn_scale3(a, a, 1 / n);
  }
  return n;
}

// As sn_normalize3, but divides instead of multiplying by the inverse: slower, with one rounding
// error less. For constants of a model.
static inline double sn_unit3(double *a) {
  double n = sn_norm3(a);
  for (int i = 0; i < 3; i++) {
    a[i] = n < SN_TINY ? i == 0 : a[i] / n;
  }
  return n;
}

// ------------------------------------------------------------------ 3x3 matrices

// out = mat v
static inline void sn_mul_mat_vec3(double *out, const double *mat, const double *v) {
  double x = mat[0] * v[0] + mat[1] * v[1] + mat[2] * v[2];
  double y = mat[3] * v[0] + mat[4] * v[1] + mat[5] * v[2];
  double z = mat[6] * v[0] + mat[7] * v[1] + mat[8] * v[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// out = mat' v
static inline void sn_mul_matT_vec3(double *out, const double *mat, const double *v) {
  double x = mat[0] * v[0] + mat[3] * v[1] + mat[6] * v[2];
  double y = mat[1] * v[0] + mat[4] * v[1] + mat[7] * v[2];
  double z = mat[2] * v[0] + mat[5] * v[1] + mat[8] * v[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// out = a b; out must not be an input
static inline void sn_mul_mat3(double *out, const double *a, const double *b) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
  }
}

// out = a' b; out must not be an input
static inline void sn_mul_matT_mat3(double *out, const double *a, const double *b) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
    }
  }
}

// The 3x3 identity matrix.
static inline void sn_identity3(double *out) {
  memset(out, 0, 9 * sizeof(double));
  out[0] = out[4] = out[8] = 1;
}

// out = a'
static inline void sn_transpose3(double *out, const double *a) {
  const double t[9] = { a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8] };
  memcpy(out, t, sizeof t);
}

// ------------------------------------------------------------------ quaternions (w, x, y, z)

// The identity quaternion.
static inline void sn_identity_quat(double *q) {
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
}

// out = a
static inline void sn_copy4(double *out, const double *a) {
  memcpy(out, a, 4 * sizeof(double));
}

// Scales to unit length in place and returns the old length; zero becomes the identity. If the
// length is 1 up to rounding, nothing is changed, so that a second call has no effect.
static inline double sn_normalize4(double *q) {
  double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (n < SN_TINY) {
    sn_identity_quat(q);
  } else if (fabs(n - 1) > SN_TINY) {
    for (int i = 0; i < 4; i++) {
      q[i] *= 1 / n;
    }
  }
  return n;
}

// As sn_normalize4, but divides instead of multiplying by the inverse: slower, with one rounding
// error less. For constants of a model.
static inline double sn_unit4(double *q) {
  double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (n < SN_TINY) {
    sn_identity_quat(q);
  } else if (fabs(n - 1) > SN_TINY) {
    for (int i = 0; i < 4; i++) {
      q[i] /= n;
    }
  }
  return n;
}

// out = a b: rotation b followed by rotation a; out may be an input
static inline void sn_mul_quat(double *out, const double *a, const double *b) {
  double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
}

// The inverse of a unit quaternion; out may be the input.
static inline void sn_conj_quat(double *out, const double *q) {
  out[0] = q[0];
  out[1] = -q[1];
  out[2] = -q[2];
  out[3] = -q[3];
}

// out = q v q*: v rotated by the unit quaternion q; out may be v
static inline void sn_rotate(double *out, const double *v, const double *q) {
  double w = q[0], x = q[1], y = q[2], z = q[3], u[3];
  double t[3] = { w * v[0] + y * v[2] - z * v[1], w * v[1] + z * v[0] - x * v[2],
                  w * v[2] + x * v[1] - y * v[0] };
  sn_cross(u, q + 1, t);
  sn_addscale3(out, v, 2, u);
}

// out = q* v q: v rotated by the inverse of q; out may be v
static inline void sn_rotate_inverse(double *out, const double *v, const double *q) {
  double c[4];
  sn_conj_quat(c, q);
  sn_rotate(out, v, c);
}

// Rotation by `angle` about a unit axis.
static inline void sn_axisangle_quat(double *q, const double *axis, double angle) {
  double s = sin(0.5 * angle);
  q[0] = cos(0.5 * angle);
  q[1] = s * axis[0];
  q[2] = s * axis[1];
  q[3] = s * axis[2];
}

// The rotation matrix of a unit quaternion.
static inline void sn_quat_mat(double *mat, const double *q) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  mat[0] = w * w + x * x - y * y - z * z;
  mat[1] = 2 * (x * y - w * z);
  mat[2] = 2 * (x * z + w * y);
  mat[3] = 2 * (x * y + w * z);
  mat[4] = w * w - x * x + y * y - z * z;
  mat[5] = 2 * (y * z - w * x);
  mat[6] = 2 * (x * z - w * y);
  mat[7] = 2 * (y * z + w * x);
  mat[8] = w * w - x * x - y * y + z * z;
}

// The unit quaternion of a rotation matrix (Shepperd, 1978). Of its two signs: if the trace is
// positive, w > 0; otherwise the largest of x, y, z is positive (the last, if several are equal).
static inline void sn_mat_quat(double *q, const double *m) {
  double tr = m[0] + m[4] + m[8];
  if (tr > 0) {
    q[0] = 0.5 * sqrt(fmax(0, 1 + tr));
    q[1] = 0.25 * (m[7] - m[5]) / q[0];
    q[2] = 0.25 * (m[2] - m[6]) / q[0];
    q[3] = 0.25 * (m[3] - m[1]) / q[0];
  } else if (m[0] > m[4] && m[0] > m[8]) {
    q[1] = 0.5 * sqrt(fmax(0, 1 + m[0] - m[4] - m[8]));
    q[0] = 0.25 * (m[7] - m[5]) / q[1];
    q[2] = 0.25 * (m[1] + m[3]) / q[1];
    q[3] = 0.25 * (m[2] + m[6]) / q[1];
  } else if (m[4] > m[8]) {
    q[2] = 0.5 * sqrt(fmax(0, 1 - m[0] + m[4] - m[8]));
    q[0] = 0.25 * (m[2] - m[6]) / q[2];
    q[1] = 0.25 * (m[1] + m[3]) / q[2];
    q[3] = 0.25 * (m[5] + m[7]) / q[2];
  } else {
    q[3] = 0.5 * sqrt(fmax(0, 1 - m[0] - m[4] + m[8]));
    q[0] = 0.25 * (m[3] - m[1]) / q[3];
    q[1] = 0.25 * (m[2] + m[6]) / q[3];
    q[2] = 0.25 * (m[5] + m[7]) / q[3];
  }
  sn_normalize4(q);
}

// q <- q exp(h w / 2): rotates for a time h with angular velocity w, given in the local frame.
static inline void sn_integrate_quat(double *q, const double *w, double h) {
  double axis[3] = { w[0], w[1], w[2] }, turn[4];
  double angle = h * sn_normalize3(axis);
  if (angle != 0) {
    sn_axisangle_quat(turn, axis, angle);
    sn_mul_quat(q, q, turn);
  }
  sn_normalize4(q);
}

// The rotation vector (axis times angle, angle in [-pi, pi]) of a unit quaternion.
static inline void sn_quat_vec(double *out, const double *q) {
  double axis[3] = { q[1], q[2], q[3] };
  double s = sn_norm3(axis);
  if (s < SN_TINY) {
    sn_scale3(out, axis, 2);
    return;
  }
  double angle = 2 * atan2(s, q[0]);
  if (angle > SN_PI) {
    angle -= 2 * SN_PI;
  }
  sn_scale3(out, axis, angle / s);
}

// The smallest rotation that maps the z axis to a direction (of any length).
static inline void sn_z_to_quat(double *q, const double *direction) {
  double length = sn_norm3(direction), to[3] = { 1, 0, 0 };
  for (int i = 0; i < 3 && length >= SN_TINY; i++) {
    to[i] = direction[i] / length;
  }
  // the axis is z x to
  double s = sqrt(to[1] * to[1] + to[0] * to[0]);
  if (s < 1e-10) {
    const double x[3] = { 1, 0, 0 };
    sn_axisangle_quat(q, x, to[2] > 0 ? 0 : SN_PI);
    return;
  }
  const double axis[3] = { -to[1] / s, to[0] / s, 0 };
  sn_axisangle_quat(q, axis, atan2(s, to[2]));
}

// ------------------------------------------------------------------ frames

// Composition of poses, out = a * b: converts pose b, which is relative to frame a, to the frame
// that pose a is relative to. out may be an input.
static inline void sn_mul_pose(double *pos, double *quat, const double *pos_a, const double *quat_a,
                               const double *pos_b, const double *quat_b) {
  double p[3];
  sn_rotate(p, pos_b, quat_a);
  sn_add3(pos, pos_a, p);
  sn_mul_quat(quat, quat_a, quat_b);
}

// The inverse pose: out * a = identity. out may be the input.
static inline void sn_inverse_pose(double *pos, double *quat, const double *pos_a,
                                   const double *quat_a) {
  double p[3];
  sn_rotate_inverse(p, pos_a, quat_a);
  sn_conj_quat(quat, quat_a);
  sn_scale3(pos, p, -1);
}

// ------------------------------------------------------------------ spatial vectors

// a' b
static inline double sn_dot6(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// out = a + s b
static inline void sn_addscale6(double *out, const double *a, double s, const double *b) {
  for (int i = 0; i < 6; i++) {
    out[i] = a[i] + s * b[i];
  }
}

// Time derivative of a motion vector v that is fixed in a frame moving with vel: vel x v. out must
// not be an input.
static inline void sn_cross_motion(double *out, const double *vel, const double *v) {
  double t[3];
  sn_cross(out, vel, v);
  sn_cross(out + 3, vel, v + 3);
  sn_cross(t, vel + 3, v);
  sn_add3(out + 3, out + 3, t);
}

// Time derivative of a force vector f that is fixed in a frame moving with vel: vel x* f. out must
// not be an input.
static inline void sn_cross_force(double *out, const double *vel, const double *f) {
  double t[3];
  sn_cross(out, vel, f);
  sn_cross(t, vel + 3, f + 3);
  sn_add3(out, out, t);
  sn_cross(out + 3, vel, f + 3);
}

// out = I v, with I in the layout of cinert: rotational inertia (xx yy zz xy xz yz), mass times
// offset of the center of mass (3), mass. out must not be v.
static inline void sn_mul_inertia(double *out, const double *I, const double *v) {
  double t[3];
  out[0] = I[0] * v[0] + I[3] * v[1] + I[4] * v[2];
  out[1] = I[3] * v[0] + I[1] * v[1] + I[5] * v[2];
  out[2] = I[4] * v[0] + I[5] * v[1] + I[2] * v[2];
  sn_cross(t, I + 6, v + 3);
  sn_add3(out, out, t);
  sn_scale3(out + 3, v + 3, I[9]);
  sn_cross(t, v, I + 6);
  sn_add3(out + 3, out + 3, t);
}

// The larger and the smaller of two numbers; b if one of them is NaN. Each is a single instruction,
// while fmax and fmin are function calls.
static inline double sn_max(double a, double b) {
  return a > b ? a : b;
}

static inline double sn_min(double a, double b) {
  return a < b ? a : b;
}

// The number in [lo, hi] that is nearest to x.
static inline double sn_clamp(double x, double lo, double hi) {
  return x < lo ? lo : (x > hi ? hi : x);
}

#endif
