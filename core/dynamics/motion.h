// SPDX-License-Identifier: Apache-2.0
//
// Velocities and accelerations of all bodies, and of points that move with them. [step]

#ifndef SI_DYNAMICS_MOTION_H
#define SI_DYNAMICS_MOTION_H

#include "dynamics/chain.h"
#include "sinew/math.h"

// Of all bodies (6 nbody each), as cvel and in rne.c: about the origins of their trees.
typedef struct si_motion {
  const double *vel, *acc;
} si_motion;

// A point of a body: place, velocity, acceleration.
typedef struct si_moving_point {
  int32_t body;
  double x[3], v[3], a[3];
} si_moving_point;

static inline si_moving_point si_moving_point_at(const sn_model *m, const sn_data *d,
                                                 const si_motion *of, int32_t body,
                                                 const double *x) {
  const double *vel = of->vel + 6 * body, *acc = of->acc + 6 * body;
  double arm[3], r[3];
  si_moving_point p;
  p.body = body;
  sn_copy3(p.x, x);
  sn_sub3(arm, x, si_chain_origin(m, d, body));
  sn_cross(r, vel, arm);
  sn_add3(p.v, vel + 3, r);
  sn_cross(r, acc, arm);
  sn_add3(p.a, acc + 3, r);
  sn_cross(r, vel, p.v);
  sn_add3(p.a, p.a, r);
  return p;
}

#endif
