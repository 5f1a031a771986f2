// SPDX-License-Identifier: Apache-2.0
//
// What both fluid models share: the medium, and moving between a local frame and the origin of the
// tree. With R the axes and r the place of the frame relative to the origin c, motions transform
// as local = X global and forces as global = X' local, [rotation; translation]:
//
//   X = [ R'          0  ]
//       [ -R' [r]x    R' ]

#ifndef FLUID_H
#define FLUID_H

#include "common.h"
#include "sinew/math.h"

typedef struct medium {
  const double *density, *viscosity, *wind;   // options, may change
} medium;

static inline medium find_medium(finder *f) {
  return (medium){ .density = find_option(f, "density"),
                   .viscosity = find_option(f, "viscosity"),
                   .wind = find_option(f, "wind") };
}

static inline int medium_is_empty(const medium *fluid) {
  return *fluid->density == 0 && *fluid->viscosity == 0;
}

// Velocity relative to the medium, in a frame (axes R, row-major) at r from the origin.
static inline void fluid_velocity(double *local, const double *R, const double *r,
                                  const double *cvel, const double *wind) {
  double v[3];
  sn_cross(v, cvel, r);
  sn_add3(v, v, cvel + 3);
  sn_sub3(v, v, wind);
  sn_mul_matT_vec3(local, R, cvel);
  sn_mul_matT_vec3(local + 3, R, v);
}

// The wrench about the origin of a local one.
static inline void fluid_wrench(double *out, const double *R, const double *r,
                                const double *local) {
  double moment[3];
  sn_mul_mat_vec3(out, R, local);
  sn_mul_mat_vec3(out + 3, R, local + 3);
  sn_cross(moment, r, out + 3);
  sn_add3(out, out, moment);
}

// out (6 x 6) += X' B X
static inline void fluid_matrix(double *out, const double *R, const double *r, const double *B) {
  double X[36] = { 0 }, BX[36];
  for (int j = 0; j < 3; j++) {
    double e[3] = { 0 }, t[3];
    e[j] = 1;
    sn_cross(t, e, r);
    for (int i = 0; i < 3; i++) {
      X[6 * i + j] = X[6 * (i + 3) + j + 3] = R[3 * j + i];
      X[6 * (i + 3) + j] = R[i] * t[0] + R[3 + i] * t[1] + R[6 + i] * t[2];
    }
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      BX[6 * i + j] = 0;
      for (int k = 0; k < 6; k++) {
        BX[6 * i + j] += B[6 * i + k] * X[6 * k + j];
      }
    }
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      for (int k = 0; k < 6; k++) {
        out[6 * i + j] += X[6 * k + i] * BX[6 * k + j];
      }
    }
  }
}

#endif
