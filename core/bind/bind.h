// SPDX-License-Identifier: Apache-2.0
//
// A model and the plugins of its engine: what its simulations will call.

#ifndef SI_BIND_BIND_H
#define SI_BIND_BIND_H

#include "host/calling.h"
#include "model/model.h"

// Resolves solver, integrator, colliders, functions of actuators, sensors and passive forces in the
// frozen engine, and computes what is not stored. After compiling and after reading the binary
// file.
sn_status si_model_bind(sn_model *model, sn_error *error);
void si_model_unbind(sn_model *model);
// Only solver and integrator, by the options and what is selected.
sn_status si_model_bind_algorithms(sn_model *model, sn_error *error);
void si_unbind_integrator(sn_model *model);
// Warns of pairs of geoms that no collider supports. missing_pairs.c
sn_status si_model_warn_pairs(sn_model *model, sn_error *error);

// start.c: the simulation at qpos0 that operations `reset` read, made when it is first needed.
typedef struct si_rest {
  const sn_model *model;
  sn_data *data;   // NULL: not made yet
} si_rest;
sn_status si_rest_view(si_rest *rest, const sn_data_view **view, sn_error *error);
// The activations and states of plugins after a reset. Again when length ranges are known.
sn_status si_model_bind_start(sn_model *model, sn_error *error);

// bind.c. One more binding at the end of a list, with room for nid ids; NULL: no memory.
si_binding *si_bind_add(si_bindings *list, const si_provider *provider, int64_t nid);
void si_bind_free(si_bindings *list);
// Elements 0..n-1 with the name name[i] (an offset into m->names), grouped by provider and number
// of states (nstate[i]; NULL: one group for each provider). "none" is nothing to bind, nor is
// "user" of actuators where no application or plugin provides it.
sn_status si_bind_group(sn_model *model, const char *kind, int64_t n, const int32_t *name,
                        const int32_t *nstate, si_bindings *list, sn_error *error);
// Frees what bind made.
void si_bind_end(const sn_model *model, const si_provider *provider,
                 void (*unbind)(const void *self, void *bound), void *bound);
// Remembers the element that a plugin rejects, for an error message with its source location.
sn_status si_bind_blame(sn_model *model, int32_t kind, int32_t id, sn_status status);

// Ids of the elements that attributes name. SN_ENOTFOUND; SN_EINVAL: one without a default is not
// set. reference.c
sn_status si_bind_references(const sn_model *model, const sn_param *declared, sn_value *values,
                             sn_error *error);

// asset_view.c: meshes and height fields as colliders see them
sn_status si_bind_assets(sn_model *model, sn_error *error);
void si_unbind_assets(sn_model *model);

// actuator.c
sn_status si_bind_actuators(sn_model *model, sn_error *error);
void si_unbind_actuators(sn_model *model);

// sensor.c
sn_status si_bind_sensors(sn_model *model, sn_error *error);
sn_status si_bind_sensor_start(sn_model *model, si_rest *rest, sn_error *error);

// passive.c: passive forces and, after them, controllers, whose states are in one array
sn_status si_bind_passive(sn_model *model, sn_error *error);
sn_status si_bind_force_start(sn_model *model, si_rest *rest, sn_error *error);
void si_unbind_passive(sn_model *model);
// Rejects a bound model with a number that no force implements.
sn_status si_bind_check_implemented(sn_model *model, sn_error *error);

// contact.c: contact modifiers
sn_status si_bind_contacts(sn_model *model, sn_error *error);
void si_unbind_contacts(sn_model *model);

// controller.c
sn_status si_bind_controllers(sn_model *model, sn_error *error);
sn_status si_bind_controller_start(sn_model *model, si_rest *rest, sn_error *error);
void si_unbind_controllers(sn_model *model);

// constraint.c
sn_status si_bind_constraints(sn_model *model, sn_error *error);
void si_unbind_constraints(sn_model *model);

// shape.c: data of the shapes of plugins
sn_status si_bind_shapes(sn_model *model, sn_error *error);
void si_unbind_shapes(sn_model *model);

// activation.c: the activations after a reset
sn_status si_bind_activation_start(sn_model *model, si_rest *rest, sn_error *error);

// coupling.c
sn_status si_bind_couplings(sn_model *model, sn_error *error);
// Warns once if the bound integrator leaves couplings between branches out: those that a force
// omits (SN_PASSIVE_TREE_ONLY), or those of all passive forces (SN_DERIV_TREE). Not of actuators:
// whether one damps at all is known only in a step.
sn_status si_bind_warn_omitted(sn_model *model, sn_error *error);

#endif
