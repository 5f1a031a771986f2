// SPDX-License-Identifier: Apache-2.0
//
// The state of one model for another one: what both have, found by name, keeps its numbers.

#include <stdio.h>
#include <string.h>

#include "data/data.h"

typedef struct transfer {
  const sn_model *to_model, *from_model;
  sn_data *to;
  const sn_data *from;
} transfer;

static int32_t same(const transfer *t, const char *kind, int32_t id) {
  const char *name = sn_name(t->to_model, kind, id);
  return name[0] ? sn_find(t->from_model, kind, name) : -1;
}

// A joint without a name is known by its body and its place among the joints there.
static int32_t same_joint(const transfer *t, int32_t j) {
  const sn_model *m = t->to_model, *f = t->from_model;
  int32_t found = same(t, "joint", j);
  if (found < 0 && !sn_name(m, "joint", j)[0]) {
    int32_t body = m->jnt_bodyid[j], was = same(t, "body", body);
    int32_t index = j - m->body_jntadr[body];
    found = was >= 0 && index < f->body_jntnum[was] ? f->body_jntadr[was] + index : -1;
    found = found >= 0 && sn_name(f, "joint", found)[0] ? -1 : found;
  }
  return found >= 0 && f->jnt_type[found] == m->jnt_type[j] ? found : -1;
}

static void copy_reals(double *to, const double *from, int64_t n) {
  if (n > 0) {
    memcpy(to, from, (size_t)n * sizeof(double));
  }
}

static void transfer_joint(const transfer *t, int32_t j) {
  int32_t was = same_joint(t, j);
  if (was < 0) {
    return;
  }
  const int32_t type = t->to_model->jnt_type[j], ndof = sn_joint_dofs(type);
  int32_t q = t->to_model->jnt_qposadr[j], v = t->to_model->jnt_dofadr[j];
  int32_t p = t->from_model->jnt_qposadr[was], u = t->from_model->jnt_dofadr[was];
  copy_reals(t->to->qpos + q, t->from->qpos + p, sn_joint_positions(type));
  copy_reals(t->to->qvel + v, t->from->qvel + u, ndof);
  copy_reals(t->to->qacc_warmstart + v, t->from->qacc_warmstart + u, ndof);
  copy_reals(t->to->qfrc_applied + v, t->from->qfrc_applied + u, ndof);
}

static void transfer_actuator(const transfer *t, int32_t i) {
  int32_t was = same(t, "actuator", i);
  if (was < 0) {
    return;
  }
  t->to->ctrl[i] = t->from->ctrl[was];
  int32_t n = t->to_model->actuator_actnum[i];
  if (n > 0 && n == t->from_model->actuator_actnum[was]) {
    copy_reals(t->to->act + t->to_model->actuator_actadr[i],
               t->from->act + t->from_model->actuator_actadr[was], n);
  }
}

static void transfer_body(const transfer *t, int32_t i) {
  int32_t was = same(t, "body", i);
  if (was < 0) {
    return;
  }
  copy_reals(t->to->xfrc_applied + 6 * i, t->from->xfrc_applied + 6 * was, 6);
  int32_t row = t->to_model->body_mocapid[i], old = t->from_model->body_mocapid[was];
  if (row >= 0 && old >= 0) {
    copy_reals(t->to->mocap_pos + 3 * row, t->from->mocap_pos + 3 * old, 3);
    copy_reals(t->to->mocap_quat + 4 * row, t->from->mocap_quat + 4 * old, 4);
  }
}

static const char *type_of_sensor(const sn_model *m, int32_t i) {
  return m->names + m->sensor_typename[i];
}

static void transfer_sensor(const transfer *t, int32_t i) {
  const int32_t was = same(t, "sensor", i), n = si_sensor_states(t->to_model, i);
  if (was >= 0 && n == si_sensor_states(t->from_model, was) &&
      strcmp(type_of_sensor(t->to_model, i), type_of_sensor(t->from_model, was)) == 0) {
    copy_reals(t->to->sensor_state + t->to_model->sensor_stateadr[i],
               t->from->sensor_state + t->from_model->sensor_stateadr[was], n);
  }
}

// States of passive forces and controllers: the k-th binding of a provider gets the states of its
// k-th binding before.
static void transfer_states(const transfer *t, const si_bindings *to, const si_bindings *from) {
  for (int64_t i = 0; i < to->n; i++) {
    const si_binding *b = &to->at[i];
    int64_t earlier = 0;
    for (int64_t k = 0; k < i; k++) {
      earlier += strcmp(to->at[k].provider->name, b->provider->name) == 0;
    }
    for (int64_t k = 0; k < from->n; k++) {
      const si_binding *was = &from->at[k];
      if (strcmp(was->provider->name, b->provider->name) == 0 && earlier-- == 0 &&
          was->nstate == b->nstate) {
        copy_reals(t->to->force_state + b->stateadr, t->from->force_state + was->stateadr,
                   b->nstate);
      }
    }
  }
}

sn_data *sn_data_transfer(const sn_model *model, const sn_model *from_model, const sn_data *from,
                          sn_error *error) {
  sn_data *to = sn_data_new(model, error);
  if (!to) {
    return NULL;
  }
  const transfer t = { model, from_model, to, from };
  to->time[0] = from->time[0];
  for (int32_t i = 0; i < model->njnt; i++) {
    transfer_joint(&t, i);
  }
  for (int32_t i = 0; i < model->nu; i++) {
    transfer_actuator(&t, i);
  }
  for (int32_t i = 0; i < model->nbody; i++) {
    transfer_body(&t, i);
  }
  for (int32_t i = 0; i < model->neq; i++) {
    int32_t was = same(&t, "equality", i);
    to->eq_enabled[i] = was >= 0 ? from->eq_enabled[was] : to->eq_enabled[i];
  }
  for (int32_t i = 0; i < model->nsensor; i++) {
    transfer_sensor(&t, i);
  }
  transfer_states(&t, &model->bound.passive, &from_model->bound.passive);
  transfer_states(&t, &model->bound.controller, &from_model->bound.controller);
  if (model->nuserdata == from_model->nuserdata) {
    copy_reals(to->userdata, from->userdata, model->nuserdata);
  }
  return to;
}
