// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.integrator/1: advances a simulation by one time step. The integrator decides the
// sequence of evaluations; the stepper provides the mathematics of the model.

#ifndef SINEW_INTEGRATOR_H
#define SINEW_INTEGRATOR_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_INTEGRATOR "sinew.integrator/1"

enum {                          // which velocity derivatives enter D
  SN_DERIV_DAMPING = 1,         // joint damping: diagonal
  SN_DERIV_PASSIVE = 2,         // every passive force
  SN_DERIV_ACTUATOR = 4,
  SN_DERIV_BIAS = 8,            // centripetal and Coriolis forces: not symmetric
  SN_DERIV_SYMMETRIC = 16       // use (D + D') / 2
};

typedef struct sn_stepper sn_stepper;
struct sn_stepper {
  uint32_t size;
  uint32_t reserved;
  void *context;                // belongs to the host
  double h;                     // time step
  int64_t nq, nv, na;
  double *time;                 // 1; the state, advanced in place
  double *qpos;                 // nq
  double *qvel;                 // nv
  double *act;                  // na
  const double *qacc;           // nv; of the latest evaluation
  const double *act_dot;        // na; of the latest evaluation

  // [step] Forward dynamics at the present state: updates qacc and act_dot. The host has made the
  // first evaluation of the step before it calls the integrator. A negative status (SN_ENOMEM: not
  // enough memory) ends the step with this status, whatever the integrator returns; return it.
  sn_status (*evaluate)(sn_stepper *stepper);

  // [step] qpos <- qpos + h v, quaternions on their manifold.
  void (*advance_position)(sn_stepper *stepper, const double *v, double h);

  // [step] act <- act + h act_dot, or the exact solution for dynamics that have the operation
  // `advance`; then clamped to actrange.
  void (*advance_activation)(sn_stepper *stepper, const double *act_dot, double h);

  // [step] out = (M - h D)^-1 M qacc, with D = d(force)/d(qvel) made of the selected derivatives
  // (SN_DERIV_*). out has nv numbers. If D is zero, it is qacc.
  sn_status (*implicit)(sn_stepper *stepper, uint32_t derivatives, double h, double *out);
};
SN_LAYOUT(sn_stepper, 128);

typedef struct sn_integrator_ops {
  sn_ops head;
  int32_t order;          // of the global error in h, for smooth motion
  int32_t evaluations;    // number of evaluations in a step, including the one by the host
  uint32_t derivatives;   // SN_DERIV_* that it passes to `implicit`; 0: none. For warnings
  uint32_t reserved;
  // [step] Advances the state from t to t + h. A negative status ends the step with this status
  // (SN_EDIVERGED is replaced by SN_EPLUGIN) and the host restores the state at t.
  sn_status (*step)(const void *self, sn_stepper *stepper, sn_scratch *scratch);
} sn_integrator_ops;
SN_LAYOUT(sn_integrator_ops, 64);

SN_END_DECLS

#endif
