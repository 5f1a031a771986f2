// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.passive/1: passive forces. These are generalized forces that depend on positions and
// velocities, such as springs, dampers and fluid forces, and on a state that a force may keep.
//
// Forces with a state are, for example, a spring and a damper in series, plasticity, and friction
// with hysteresis. Such a force declares how many numbers it keeps in each simulation (`states`).
// They are part of the state of the simulation (SN_STATE_PLUGIN), so that copies, saved states,
// hashes, rollouts and finite differences contain them. In each step the host calls
//
//   apply(state)         in each evaluation of the dynamics, one or several in a step, with the
//                        state at the start of the step
//   advance(state, h)    once, after the integrator has computed time, qpos, qvel and act at the
//                        end of the step; it computes the state at the end of the step
//
// `apply` and `derivative` must not change the state, so that evaluating twice gives the same
// result. In `advance` qpos and qvel are those at the end of the step, but what an evaluation
// computes from them (xpos, cdof ...) is still that of the latest evaluation, as it is for a
// program after sn_step. If `advance` integrates a rate J(q) v with the new velocity v, state and
// velocity are together integrated by semi-implicit (symplectic) Euler, which keeps the energy of
// an elastic element bounded. The accuracy of the state is of first order in h with any integrator.

#ifndef SINEW_PASSIVE_H
#define SINEW_PASSIVE_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_PASSIVE "sinew.passive/1"

enum {                       // sn_ops.flags
  SN_PASSIVE_NAMED = 1,      // acts only in models that name it; otherwise in every model
  SN_PASSIVE_GRAVCOMP = 2,   // gravity compensation: part of qfrc_actuator where actgravcomp is set
  // The entries that `couples` declares are left out of D, so that M - h D keeps the pattern of M.
  // A model with an integrator that uses SN_DERIV_PASSIVE gets a warning if there are such entries.
  SN_PASSIVE_TREE_ONLY = 4,
  // Acts only between bodies of the model, with equal and opposite forces; it is not an external
  // force such as gravity, fluid or thrust. It conserves the total linear and angular momentum of
  // bodies that nothing connects with the world. A declaration of the plugin, which
  // `sinew plugins check` tests; no simulation depends on it.
  SN_PASSIVE_INTERNAL = 8
};

// The object by which a force declares couplings.
typedef struct sn_couplings sn_couplings;
struct sn_couplings {
  uint32_t size;
  uint32_t reserved;
  void *context;   // belongs to the host
  // [load] Declares that `derivative` may write the entries (i, j) of any two of these n dofs,
  // given in any order. SN_EPLUGIN: one of them is not a dof of the model.
  sn_status (*add)(sn_couplings *couplings, int64_t n, const int32_t *dof);
  // [load] The same for entries that `stiffness` alone may write.
  sn_status (*add_stiff)(sn_couplings *couplings, int64_t n, const int32_t *dof);
};
SN_LAYOUT(sn_couplings, 32);

// The operations of a passive force.
typedef struct sn_passive_ops {
  sn_ops head;
  // optional. The attributes that a model may set for a named force; ends with a NULL name. The
  // host checks them and passes their values to `bind` in this order.
  const sn_param *attributes;
  // optional. The model parameters whose force this plugin computes, separated by "|": the model
  // fields dof_stiffness, dof_damping, tendon_stiffness, tendon_damping, body_gravcomp and
  // geom_fluid, and the options density and viscosity. If one of them is not zero in a model and no
  // loaded force names it here, the model is rejected; if two forces name it, the model gets a
  // warning. A plugin that lists any other word is rejected (SN_EPLUGIN).
  const char *implements;
  // [load] Finds the fields and ids that the other operations need. values: those of the declared
  // attributes in this model; strings are valid during the call. *bound is passed to the other
  // operations; if it is NULL on return, the force has no effect in this model and is not called.
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load] frees what `bind` returned
  // [load] optional; NULL: 0. The number of state variables of this bound force in each simulation,
  // 0 to SN_MAX_STATES. It may depend on the model and on the attributes.
  int64_t (*states)(const void *self, const void *bound);
  // [load] optional; NULL: zeros. Writes the state after sn_reset; it is cleared before the call.
  // data: a simulation at qpos0 with zero velocity at time 0, in which everything that depends on
  // positions alone has been computed, except inertia, contacts and sensors. If it fails, the model
  // is rejected.
  sn_status (*reset)(const void *self, const void *bound, const sn_data_view *data, double *state);
  // [load] optional. Declares the pairs of dofs that `derivative` or `stiffness` couples although
  // neither is an ancestor of the other in the kinematic tree. Such entries of D make solving with
  // M - h D more expensive: two trees that are coupled are factored like one.
  sn_status (*couples)(const void *self, const void *bound, sn_couplings *couplings);
  // [step] Adds its force to qfrc (nv; N, N m). state: NULL if the force has no state variables. If
  // it fails or the sum is not finite, the step goes on without this force, with a warning that
  // names it.
  sn_status (*apply)(const void *self, const void *bound, const sn_data_view *data,
                     const double *state, double *qfrc, sn_scratch *scratch);
  // [step] optional. Adds d force / d qvel to D, nv x nv, on the given pattern: row i has
  // nnz[i] entries, columns col[adr[i] + k] in ascending order, values D[adr[i] + k]. The pattern
  // has every (i, j) where i = j or one dof is an ancestor of the other, and the couplings that any
  // force of the model has declared; it may have more. Entries of the derivative that are not in
  // the pattern are left out: implicit integrators then integrate that part of the force
  // explicitly. A force between two branches of the tree that does not declare this coupling thus
  // does not conserve momentum.
  sn_status (*derivative)(const void *self, const void *bound, const sn_data_view *data,
                          const double *state, const sn_sparse *pattern, double *D,
                          sn_scratch *scratch);
  // [step] Required when `states` is given. Replaces the state by that at the end of the step. h:
  // the time step, s. Called once at the end of each step, unless passive forces are disabled. If
  // it fails or writes a number that is not finite, the state stays as it was, with a warning.
  sn_status (*advance)(const void *self, const void *bound, const sn_data_view *data, double h,
                       double *state, sn_scratch *scratch);
  // [step] optional. Adds d force / d position to K, with displacements as in sn_stepper.subtract,
  // on a pattern like that of `derivative`. For integrators that are implicit in position
  // (SN_DERIV_POSITION): it is enough to add the part that can be stiff; the order of accuracy
  // does not depend on it. Leave out a part that would make the motion unstable: K is best if it is
  // symmetric and negative semidefinite.
  sn_status (*stiffness)(const void *self, const void *bound, const sn_data_view *data,
                         const double *state, const sn_sparse *pattern, double *K,
                         sn_scratch *scratch);
  // [step] optional. The same as `apply` for `width` simulations together, without a state. Fields
  // of real numbers and qfrc (nv x width) are interleaved: element i of simulation w is at index i
  // * width + w. Fields of integers are shared and have their usual layout. Valid fields: state,
  // inputs, and all results of the position and velocity stages, except cameras, lights and the
  // center of mass of the world. The results must be bitwise identical to those of `apply`.
  // SN_EUNSUPPORTED: not available with these options of the model. Rollouts in lanes use it
  // (docs/rollouts.md); without it, or where it is not supported, models in which the force acts
  // are simulated one by one.
  sn_status (*apply_lanes)(const void *self, const void *bound, const sn_data_view *data,
                           int64_t width, double *qfrc, sn_scratch *scratch);
} sn_passive_ops;
SN_LAYOUT(sn_passive_ops, 136);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_PASSIVE(name, ops) SN_PROVIDE(SN_KIND_PASSIVE, name, sn_passive_ops, ops)

SN_END_DECLS

#endif
