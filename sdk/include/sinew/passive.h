// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.passive/1: passive forces, that is, generalized forces that depend on positions,
// velocities and a state that a force may keep, such as springs, dampers and fluid forces.
//
// A force with state, such as a spring and a damper in series, plasticity or friction with
// hysteresis, declares how many numbers it keeps in each simulation (`states`). They are part of
// the state of the simulation (SN_STATE_PLUGIN): copies, saved states, hashes, rollouts and finite
// differences contain them. In each step:
//
//   evaluate (once or several times)   apply(state)        reads the state of the start of the step
//   integrate                          time, qpos, qvel, act of the end of the step
//   at the end                         advance(state, h)   the state of the end of the step
//
// `apply` and `derive` get the state read-only, so that evaluating twice gives the same result.
// `advance` sees the new qpos and qvel, while all that an evaluation computes (xpos, cdof ...) is
// that of the latest evaluation, as a program sees it after sn_step. If the rate of the state is
// J(q) v with the new velocity, state and velocity are integrated by semi-implicit (symplectic)
// Euler, which keeps the energy of an elastic element bounded. The accuracy is of first order in h
// with any integrator.

#ifndef SINEW_PASSIVE_H
#define SINEW_PASSIVE_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_PASSIVE "sinew.passive/1"

enum {                       // sn_ops.flags
  SN_PASSIVE_NAMED = 1,      // acts only in models that name it; otherwise in every model
  SN_PASSIVE_GRAVCOMP = 2,   // gravity compensation: part of qfrc_actuator where actgravcomp is set
  // The entries declared by `couples` are not part of D. A model with an integrator that uses
  // SN_DERIV_PASSIVE gets a warning if there is a coupling between branches.
  SN_PASSIVE_TREE_ONLY = 4
};

// Where a force declares couplings.
typedef struct sn_couplings sn_couplings;
struct sn_couplings {
  uint32_t size;
  uint32_t reserved;
  void *context;   // belongs to the host
  // [load] Declares that `derive` may have an entry (i, j) for any two of these n dofs, which may
  // be in any order. SN_EPLUGIN: one of them is not a dof of the model.
  sn_status (*add)(sn_couplings *couplings, int64_t n, const int32_t *dof);
};
SN_LAYOUT(sn_couplings, 24);

// The operations of a passive force.
typedef struct sn_passive_ops {
  sn_ops head;
  // optional. The attributes that a model may set for a named force; ends with a NULL name. The
  // host checks them and passes them to bind in this order; strings are valid during bind.
  const sn_param *attributes;
  // optional. Parameters of a model that this force implements, separated by "|": model fields
  // dof_stiffness, dof_damping, tendon_stiffness, tendon_damping, body_gravcomp, geom_fluid and
  // options density, viscosity. A model in which one of them is not zero and no force implements it
  // is rejected; if two forces implement it, the model gets a warning. Any other word: SN_EPLUGIN.
  const char *realizes;
  // [load] Resolves fields and ids. *bound NULL on return: the force has nothing to do for this
  // model and is not called. values: the values of the declared attributes in this model.
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [load] optional; NULL: 0. The number of state variables of this bound force in each simulation,
  // 0 to SN_MOST_STATES. It may depend on the model and on the attributes.
  int64_t (*states)(const void *self, const void *bound);
  // [load] optional; NULL: zeros. The state to which sn_reset sets a simulation, which is at qpos0
  // without velocity. Cleared before the call.
  void (*reset)(const void *self, const void *bound, double *state);
  // [load] optional. Declares which dofs `derive` couples, beyond those where one is an ancestor
  // of the other. Such entries of D make solving with M - h D more expensive: two trees that are
  // coupled are eliminated like one.
  sn_status (*couples)(const void *self, const void *bound, sn_couplings *couplings);
  // [step] Adds its force to qfrc (nv). state: NULL without states.
  sn_status (*apply)(const void *self, const void *bound, const sn_data_view *data,
                     const double *state, double *qfrc, sn_scratch *scratch);
  // [step] optional. Adds d force / d qvel to D, nv x nv, on the given pattern: row i has
  // nnz[i] entries, columns col[adr[i] + k] in ascending order, values D[adr[i] + k]. The pattern
  // has every (i, j) where one dof is the other or its ancestor, and the couplings that any force
  // of the model has declared; it may have more. Other entries are omitted: implicit integrators
  // then take that part of the force as explicit, so a force between two branches of the tree that
  // does not declare this coupling does not conserve momentum.
  sn_status (*derive)(const void *self, const void *bound, const sn_data_view *data,
                      const double *state, const sn_sparse *pattern, double *D,
                      sn_scratch *scratch);
  // [step] Required when `states` is given. Writes the state after the step, in place. h: the time
  // step. Called once at the end of each step, unless passive forces are disabled. If it
  // fails or leaves a number that is not finite, the state stays as it was, with a warning.
  sn_status (*advance)(const void *self, const void *bound, const sn_data_view *data, double h,
                       double *state, sn_scratch *scratch);
} sn_passive_ops;
SN_LAYOUT(sn_passive_ops, 120);

SN_END_DECLS

#endif
