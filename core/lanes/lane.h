// SPDX-License-Identifier: Apache-2.0
//
// A lane vector holds one number of SI_LANES simulations. Operations on it are those that the
// scalar code of the same name does (sinew/math.h), in the same order, so that each lane gets the
// bits that its simulation gets alone: no fused multiply-add, and functions of the C library one
// lane at a time.

#ifndef SI_LANES_LANE_H
#define SI_LANES_LANE_H

#include <math.h>
#include <stdint.h>

#include "lanes/lanes.h"
#include "sinew/math.h"

// Vectors are passed between inline functions alone, so their place in calls does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double si_lane __attribute__((vector_size(32), aligned(32), may_alias));
typedef int64_t si_lane_mask __attribute__((vector_size(32), aligned(32)));   // -1 or 0 each

// as in numerics/scalar.h
#define NUMBER si_lane
#define MASK si_lane_mask
#define VECTORS(function) lane_##function
#define SCALARS(function) lane_##function

#define SI_INLINE static inline __attribute__((always_inline))

SI_INLINE si_lane lane_all(double x) {
  return (si_lane){ x, x, x, x };
}

// a where the mask is set, b elsewhere
SI_INLINE si_lane lane_select(si_lane_mask mask, si_lane a, si_lane b) {
  return (si_lane)((mask & (si_lane_mask)a) | (~mask & (si_lane_mask)b));
}

SI_INLINE int lane_any(si_lane_mask mask) {
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

SI_INLINE si_lane_mask lane_not(si_lane_mask mask) {
  return ~mask;
}

SI_INLINE uint32_t lane_bits(si_lane_mask mask) {
  uint32_t bits = 0;
  for (int w = 0; w < SI_LANES; w++) {
    bits |= (uint32_t)(mask[w] & 1) << w;
  }
  return bits;
}

// Is it a finite number of moderate size in each lane?
SI_INLINE si_lane_mask lane_within(si_lane x, double limit) {
  return (x > lane_all(-limit)) & (x < lane_all(limit));
}

SI_INLINE si_lane lane_sqrt(si_lane x) {
  for (int w = 0; w < SI_LANES; w++) {
    x[w] = sqrt(x[w]);
  }
  return x;
}

SI_INLINE si_lane lane_abs(si_lane x) {
  return (si_lane)((si_lane_mask)x & INT64_MAX);
}

SI_INLINE si_lane lane_clamp(si_lane x, si_lane lo, si_lane hi) {
  return lane_select(x < lo, lo, lane_select(x > hi, hi, x));
}

// Where the mask is set; 0 elsewhere.
SI_INLINE si_lane lane_atan2(si_lane_mask mask, si_lane y, si_lane x) {
  si_lane angle = { 0 };
  for (int w = 0; w < SI_LANES; w++) {
    angle[w] = mask[w] ? atan2(y[w], x[w]) : 0;
  }
  return angle;
}

// ------------------------------------------------------------------ 3-vectors; out may be an input

SI_INLINE void lane_copy(si_lane *out, const si_lane *a, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i];
  }
}

// out = a where the mask is set
SI_INLINE void lane_select3(si_lane_mask mask, si_lane *out, const si_lane *a) {
  for (int i = 0; i < 3; i++) {
    out[i] = lane_select(mask, a[i], out[i]);
  }
}

SI_INLINE void lane_zero(si_lane *out, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = (si_lane){ 0 };
  }
}

SI_INLINE void lane_copy3(si_lane *out, const si_lane *a) {
  lane_copy(out, a, 3);
}

SI_INLINE void lane_add(si_lane *out, const si_lane *a, const si_lane *b, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] + b[i];
  }
}

SI_INLINE void lane_add3(si_lane *out, const si_lane *a, const si_lane *b) {
  lane_add(out, a, b, 3);
}

SI_INLINE void lane_sub3(si_lane *out, const si_lane *a, const si_lane *b) {
  for (int i = 0; i < 3; i++) {
    out[i] = a[i] - b[i];
  }
}

SI_INLINE void lane_scale3(si_lane *out, const si_lane *a, si_lane s) {
  for (int i = 0; i < 3; i++) {
    out[i] = a[i] * s;
  }
}

SI_INLINE void lane_addscale(si_lane *out, const si_lane *a, si_lane s, const si_lane *b, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] + s * b[i];
  }
}

SI_INLINE si_lane lane_dot3(const si_lane *a, const si_lane *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

SI_INLINE void lane_cross(si_lane *out, const si_lane *a, const si_lane *b) {
  const si_lane x = a[1] * b[2] - a[2] * b[1];
  const si_lane y = a[2] * b[0] - a[0] * b[2];
  const si_lane z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// Scales to unit length and returns the old length; a shorter vector than SN_TINY becomes e_x.
SI_INLINE si_lane lane_normalize3(si_lane *a) {
  const si_lane n = lane_sqrt(lane_dot3(a, a)), inverse = 1 / n;
  const si_lane_mask is_tiny = n < lane_all(SN_TINY);
  for (int i = 0; i < 3; i++) {
    a[i] = lane_select(is_tiny, lane_all(i == 0), a[i] * inverse);
  }
  return n;
}

// ------------------------------------------------------------------ rotations

SI_INLINE void lane_mul_mat_vec3(si_lane *out, const si_lane *mat, const si_lane *v) {
  const si_lane x = mat[0] * v[0] + mat[1] * v[1] + mat[2] * v[2];
  const si_lane y = mat[3] * v[0] + mat[4] * v[1] + mat[5] * v[2];
  const si_lane z = mat[6] * v[0] + mat[7] * v[1] + mat[8] * v[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

SI_INLINE void lane_mul_matT_vec3(si_lane *out, const si_lane *mat, const si_lane *v) {
  const si_lane x = mat[0] * v[0] + mat[3] * v[1] + mat[6] * v[2];
  const si_lane y = mat[1] * v[0] + mat[4] * v[1] + mat[7] * v[2];
  const si_lane z = mat[2] * v[0] + mat[5] * v[1] + mat[8] * v[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

SI_INLINE void lane_mul_quat(si_lane *out, const si_lane *a, const si_lane *b) {
  const si_lane w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  const si_lane x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  const si_lane y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  const si_lane z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
}

// out = q v q*; out is not v
SI_INLINE void lane_rotate(si_lane *out, const si_lane *v, const si_lane *q) {
  const si_lane w = q[0], x = q[1], y = q[2], z = q[3];
  const si_lane t[3] = { w * v[0] + y * v[2] - z * v[1], w * v[1] + z * v[0] - x * v[2],
                         w * v[2] + x * v[1] - y * v[0] };
  si_lane u[3];
  lane_cross(u, q + 1, t);
  lane_addscale(out, v, lane_all(2), u, 3);
}

SI_INLINE void lane_axisangle_quat(si_lane *q, const si_lane *axis, si_lane angle) {
  double sine[SI_LANES], cosine[SI_LANES];
  for (int w = 0; w < SI_LANES; w++) {
    sine[w] = sin(0.5 * angle[w]);
    cosine[w] = cos(0.5 * angle[w]);
  }
  const si_lane s = { sine[0], sine[1], sine[2], sine[3] };
  q[0] = (si_lane){ cosine[0], cosine[1], cosine[2], cosine[3] };
  for (int i = 0; i < 3; i++) {
    q[1 + i] = s * axis[i];
  }
}

SI_INLINE void lane_quat_mat(si_lane *mat, const si_lane *q) {
  const si_lane w = q[0], x = q[1], y = q[2], z = q[3];
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

// ------------------------------------------------------------------ spatial vectors

SI_INLINE si_lane lane_dot6(const si_lane *a, const si_lane *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

SI_INLINE void lane_cross_motion(si_lane *out, const si_lane *vel, const si_lane *v) {
  si_lane t[3];
  lane_cross(out, vel, v);
  lane_cross(out + 3, vel, v + 3);
  lane_cross(t, vel + 3, v);
  lane_add(out + 3, out + 3, t, 3);
}

SI_INLINE void lane_cross_force(si_lane *out, const si_lane *vel, const si_lane *f) {
  si_lane t[3];
  lane_cross(out, vel, f);
  lane_cross(t, vel + 3, f + 3);
  lane_add(out, out, t, 3);
  lane_cross(out + 3, vel, f + 3);
}

SI_INLINE void lane_mul_inertia(si_lane *out, const si_lane *I, const si_lane *v) {
  si_lane t[3];
  out[0] = I[0] * v[0] + I[3] * v[1] + I[4] * v[2];
  out[1] = I[3] * v[0] + I[1] * v[1] + I[5] * v[2];
  out[2] = I[4] * v[0] + I[5] * v[1] + I[2] * v[2];
  lane_cross(t, I + 6, v + 3);
  lane_add(out, out, t, 3);
  lane_scale3(out + 3, v + 3, I[9]);
  lane_cross(t, v, I + 6);
  lane_add(out + 3, out + 3, t, 3);
}

#endif
