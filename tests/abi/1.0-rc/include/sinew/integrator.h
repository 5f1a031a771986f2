// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.integrator/1: advances a simulation by one time step. The integrator decides the
// sequence of evaluations; the stepper evaluates the dynamics of the model.

#ifndef SINEW_INTEGRATOR_H
#define SINEW_INTEGRATOR_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_INTEGRATOR "sinew.integrator/1"

enum {                          // flags of sn_stepper.implicit, where D and K are defined
  SN_DERIV_DAMPING = 1,         // joint damping: diagonal
  SN_DERIV_PASSIVE = 2,         // every passive force
  SN_DERIV_ACTUATOR = 4,
  SN_DERIV_BIAS = 8,            // centrifugal and Coriolis forces: not symmetric
  SN_DERIV_SYMMETRIC = 16,      // use (D + D') / 2
  SN_DERIV_TREE = 32,           // drop couplings between branches: D has the pattern of M
  SN_DERIV_NO_INERTIAL = 64,    // leave out centrifugal and Coriolis forces
  SN_DERIV_POSITION = 128       // K: also the derivatives with respect to position
};

enum {   // sn_ops.flags
  // Positions, velocities and activations are advanced by the functions of the stepper and by
  // formulas that treat each element separately. The host may then pass a stepper that holds
  // several simulations, with the same time, as one system. The results of each must be bitwise
  // identical to those of a separate run: no norms, no step sizes that depend on the state.
  // Rollouts in lanes need it (docs/rollouts.md).
  SN_INTEGRATOR_LANES = 1
};

// The system that an integrator advances, and the evaluations that it can call.
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

  // [step] Forward dynamics at the current state: updates qacc and act_dot. The host has made the
  // first evaluation of the step before it calls the integrator. A negative status (SN_ENOMEM: not
  // enough memory) ends the step with this status, whatever the integrator returns; return it.
  sn_status (*evaluate)(sn_stepper *stepper);

  // [step] qpos <- qpos + h v, with quaternions integrated on the rotation group.
  void (*advance_position)(sn_stepper *stepper, const double *v, double h);

  // [step] act <- act + h act_dot, or the exact solution for dynamics that have the operation
  // `advance`; then clamped to actrange. The exact solution requires act_dot to be the rate at
  // the current act, as at the start of a step. A method with several stages combines rates of
  // different states: it adds them to act itself and calls clamp_activation.
  void (*advance_activation)(sn_stepper *stepper, const double *act_dot, double h);

  // [step] out = (M - h D)^-1 M qacc, with D = d(force)/d(qvel), the sum of the selected
  // derivatives (SN_DERIV_*). out has nv elements. If D is zero and no flag below changes the
  // formula, it is qacc. D contains the couplings between branches of the kinematic tree that are
  // caused by damped tendons, by actuators whose force depends on velocity, and by passive forces
  // that declare couplings; with SN_DERIV_TREE these entries are left out, and the damping between
  // branches is explicit. With SN_DERIV_NO_INERTIAL, M qacc is replaced by the sum of all forces
  // except centrifugal and Coriolis forces, which `free_motion` accounts for. With
  // SN_DERIV_POSITION, and K = d(force)/d(position) of springs and servos, out = (M - h D - h^2
  // K)^-1 (M qacc + h K qvel): then qvel + h out is the velocity after a step of Euler's method
  // that is implicit in positions too (backward Euler, linearized).
  sn_status (*implicit)(sn_stepper *stepper, uint32_t derivatives, double h, double *out);

  // [step] Clamps act to actrange, for methods that add rates to act themselves. Such methods
  // must not change the activations of disabled actuators; their act_dot is zero.
  void (*clamp_activation)(sn_stepper *stepper);

  // [step] The displacement from one position to another: v (nv) such that advancing `from` by v
  // for unit time reaches `to` (nq each). Rotations: the shortest, at most pi, in the frame of the
  // child body.
  void (*subtract)(sn_stepper *stepper, const double *from, const double *to, double *v);

  // [step] The rate of a displacement, by the inverse differential of the exponential map: with q =
  // q0 advanced by u for unit time, and v the velocity at q, out = du/dt for constant q0 (nv each;
  // out may be v). Rotations, with t = |u|:
  //   out = v + u x v / 2 + (1 / t^2 - 1 / (2 t tan(t / 2))) u x (u x v)
  // and out = v for all other degrees of freedom. Runge-Kutta methods keep their order on ball
  // and free joints if they combine such rates and advance q0 by the sum (Munthe-Kaas, BIT 38,
  // 1998). From t = 2 pi on, where the map has no inverse, out = v: such a step is too long.
  void (*dexpinv)(sn_stepper *stepper, const double *u, const double *v, double *out);

  double *state;                // nstate; state variables of the integrator, see `states`
  int64_t nstate;

  // [step] Moves positions and velocities for a time h as if no force acted: a symmetric method of
  // order 2 that conserves the linear and angular momentum of each tree with a free joint up to
  // rounding errors, for any h. Activations and time do not change. qpos must be that of the latest
  // evaluation; qvel may differ from it.
  sn_status (*free_motion)(sn_stepper *stepper, double h);

  const void *bound;            // from `bind`; NULL: the integrator has none
};
SN_LAYOUT(sn_stepper, 184);

// The operations of an integrator.
typedef struct sn_integrator_ops {
  sn_ops head;
  int32_t order;            // order of the global error in h, if the motion is smooth
  int32_t evaluations;      // number of evaluations in a step, including the one by the host
  uint32_t derivatives;     // SN_DERIV_* that it passes to `implicit`; only warnings use it
  int32_t rotation_order;   // for ball and free joints whose axis of rotation changes; 0: `order`
  // [step] Advances the state from t to t + h. A negative status ends the step with this status
  // (SN_EDIVERGED is replaced by SN_EPLUGIN) and the host restores the state at t.
  sn_status (*step)(const void *self, sn_stepper *stepper, sn_scratch *scratch);
  // [load] optional; NULL: 0. Number of state variables of the integrator in each simulation of
  // this model, for multistep methods; 0 to SN_MAX_STATES. They are in sn_stepper.state and part
  // of the state of the simulation (SN_STATE_PLUGIN). A reset sets them to zero, which must mean
  // that there are no earlier steps. A program that sets positions or velocities must
  // also set these variables to zero: they are the last ones of SN_STATE_PLUGIN, after those of
  // sensors, passive forces and controllers, which it must write back unchanged (sn_state_get, then
  // sn_state_set).
  int64_t (*states)(const void *self, const sn_model_view *model);
  // [load] optional; NULL: those in `derivatives`. The SN_DERIV_* that it passes to `implicit`, if
  // they depend on its parameters.
  uint32_t (*uses)(const void *self);
  // [load] optional. Prepares the integrator for one model: finds what `step` needs, such as the
  // types and addresses of joints, before the first simulation. *bound is sn_stepper.bound in each
  // step of the model; NULL on return: nothing was kept, and unbind is not called. If it fails, so
  // does loading the model, or changing its integrator.
  sn_status (*bind)(const void *self, const sn_model_view *model, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load] required with bind
} sn_integrator_ops;
SN_LAYOUT(sn_integrator_ops, 96);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_INTEGRATOR(name, ops) \
  SN_PROVIDE(SN_KIND_INTEGRATOR, name, sn_integrator_ops, ops)

SN_END_DECLS

#endif
