// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.controller/draft: controllers. They compute controls of actuators, and generalized
// forces, from the state of the simulation, in each evaluation of the dynamics. A closed loop is
// thus integrated, differentiated (sn_transition_fd) and rolled out as one system.
//
// This kind is a draft: it may change in every minor version. A plugin that uses it must be
// compiled for the version of Sinew that loads it.
//
//   positions --> velocities --> controllers, in order --> actuators --> accelerations
//
// Controllers that act in every model are called first, in the order of registration, then those
// that the model names, in its order. They do not change the input of the simulation: `ctrl` stays
// as the application set it, for example as the set point of a controller, and in a model with
// controllers the actuators get the controls in `ctrl_effective`.
//
// A controller may keep numbers in each simulation (`states`), such as the integral of an error or
// the output of a controller with a sampling time of its own. They are part of SN_STATE_PLUGIN,
// read-only in `control`, and advanced once at the end of each step. Controllers are not called
// while actuation is disabled, nor by inverse dynamics: sn_inverse returns their forces with all
// other applied forces.

#ifndef SINEW_CONTROLLER_H
#define SINEW_CONTROLLER_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_CONTROLLER "sinew.controller/draft"

enum {                      // sn_ops.flags
  SN_CONTROLLER_NAMED = 1   // acts only in models that name it; otherwise in every model
};

// What a controller writes.
typedef struct sn_controls {
  uint32_t size;
  uint32_t reserved;
  double *ctrl;   // nu: the controls of the application, or what earlier controllers wrote; may be
                  // replaced; clamped to ctrlrange afterwards
  double *qfrc;   // nv, N or N m: the sum of the generalized forces of earlier controllers, to be
                  // added to
} sn_controls;
SN_LAYOUT(sn_controls, 24);

// The operations of a controller.
typedef struct sn_controller_ops {
  sn_ops head;
  // optional. The attributes that a model may set for a named controller; ends with a NULL name.
  // The host checks them and passes their values to `bind` in this order.
  const sn_param *attributes;
  // [load] Finds the fields and ids that the other operations need. values: those of the declared
  // attributes in this model; strings are valid during the call. *bound is passed to the other
  // operations; if it is NULL on return, the controller has nothing to do in this model and is not
  // called.
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load] frees what `bind` returned
  // [load] optional; NULL: 0. Returns how many numbers this controller keeps in each simulation of
  // this model, 0 to SN_MAX_STATES.
  int64_t (*states)(const void *self, const void *bound);
  // [load] optional; NULL: zeros. Writes the state after sn_reset; it is cleared before the call.
  // data: a simulation at qpos0 with zero velocity at time 0, in which everything that depends on
  // positions alone has been computed, except inertia, contacts and sensors. If it fails, the model
  // is rejected.
  sn_status (*reset)(const void *self, const void *bound, const sn_data_view *data, double *state);
  // [step] Writes controls and forces. All that depends on positions and velocities has been
  // computed for this evaluation. state: NULL without states. If it fails or writes a number that
  // is not finite, what it wrote is ignored, with a warning.
  sn_status (*control)(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, sn_controls *controls, sn_scratch *scratch);
  // [step] Required when `states` is given. Replaces the state by that at the end of the step;
  // called once in each step. h: the time step, s. time, qpos, qvel and act are those at the end of
  // the step, all other fields are those of the latest evaluation. If it fails or writes a number
  // that is not finite, the state stays as it was, with a warning.
  sn_status (*advance)(const void *self, const void *bound, const sn_data_view *data, double h,
                       double *state, sn_scratch *scratch);
} sn_controller_ops;
SN_LAYOUT(sn_controller_ops, 96);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_CONTROLLER(name, ops) \
  SN_PROVIDE(SN_KIND_CONTROLLER, name, sn_controller_ops, ops)

SN_END_DECLS

#endif
