// SPDX-License-Identifier: Apache-2.0
//
// The functions of actuators, dynamics, gain and bias: actuators grouped by function and number of
// activations, and what `bind` of a function keeps for a group.

#include <stdlib.h>

#include "bind/bind.h"
#include "model/model_call.h"
#include "spec/spec.h"

// The operations that dynamics, gains and biases have in common.
typedef struct function_ops {
  const sn_param *attributes;
  sn_status (*bind)(const void *self, const sn_model_view *model, int64_t n,
                    const sn_actuator *actuators, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);
} function_ops;

static function_ops dynamics_ops(const si_provider *p) {
  const sn_dynamics_ops *ops = p->ops;
  return (function_ops){ ops->attributes, ops->bind, ops->unbind };
}

static function_ops force_ops(const si_provider *p) {
  const sn_force_ops *ops = p->ops;
  return (function_ops){ ops->attributes, ops->bind, ops->unbind };
}

// ------------------------------------------------------------------ attributes

// One actuator with the values of its attributes, which the caller frees.
static sn_status describe(sn_model *m, const function_ops *ops, int32_t i, sn_actuator *out,
                          sn_error *error) {
  sn_value *values = NULL;
  const char *lines = m->names + m->actuator_attradr[i];
  sn_status status = si_attributes_read(ops->attributes, lines, &values, NULL, error);
  status = status < 0 ? status : si_bind_references(m, ops->attributes, values, error);
  *out = (sn_actuator){ .id = i, .nstate = m->actuator_actnum[i], .values = values };
  return status < 0 ? si_bind_blame(m, SI_ELEMENT_actuator, i, status) : SN_OK;
}

static sn_status call_bind(sn_model *m, const function_ops *ops, si_binding *b,
                           const sn_actuator *actuators, sn_error *error) {
  si_watch call;
  si_model_enter(&call, m, b->provider, "bind");
  const sn_status status = si_watch_end(
      &call, ops->bind(b->provider->self, &m->view, b->n, actuators, &b->bound, error), error);
  return status < 0 && b->n == 1 ? si_bind_blame(m, SI_ELEMENT_actuator, b->id[0], status) : status;
}

static sn_status bind_function(sn_model *m, const function_ops *ops, si_binding *b,
                               sn_error *error) {
  if (!ops->bind) {
    return SN_OK;
  }
  sn_actuator *actuators = calloc((size_t)b->n, sizeof *actuators);
  if (!actuators) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  sn_status status = SN_OK;
  for (int64_t k = 0; k < b->n && status >= 0; k++) {
    status = describe(m, ops, b->id[k], &actuators[k], error);
  }
  status = status < 0 ? status : call_bind(m, ops, b, actuators, error);
  for (int64_t k = 0; k < b->n; k++) {
    free((void *)(uintptr_t)actuators[k].values);
  }
  free(actuators);
  return status;
}

// ------------------------------------------------------------------ all functions

typedef struct function_kind {
  const char *id;
  const int32_t *name;
  si_bindings *list;
  function_ops (*ops)(const si_provider *p);
} function_kind;

enum { DYNAMICS, GAIN, BIAS, NKINDS };

static void list_kinds(sn_model *m, function_kind *out) {
  out[DYNAMICS] = (function_kind){ SN_KIND_DYNAMICS, m->actuator_dynname, &m->bound.dynamics,
                                   dynamics_ops };
  out[GAIN] = (function_kind){ SN_KIND_GAIN, m->actuator_gainname, &m->bound.gain, force_ops };
  out[BIAS] = (function_kind){ SN_KIND_BIAS, m->actuator_biasname, &m->bound.bias, force_ops };
}

// Dynamics write as many states as they declare: a model of a file may have been made with others.
static sn_status check_states(const sn_model *m, sn_error *error) {
  const si_bindings *functions = &m->bound.dynamics;
  for (int64_t k = 0; k < functions->n; k++) {
    const si_provider *p = functions->at[k].provider;
    for (int64_t i = 0; i < functions->at[k].n; i++) {
      int32_t id = functions->at[k].id[i];
      int32_t states = si_dynamics_states(p, m->actuator_dynprm + SN_NACTPRM * id);
      if (states != m->actuator_actnum[id]) {
        return si_fail(
            error, SN_EINVAL,
            "actuator %d was compiled with %d activation states, but '%s', as it is loaded now, "
            "has %d; compile the model again",
            id, m->actuator_actnum[id], p->name, states);
      }
    }
  }
  return SN_OK;
}

sn_status si_bind_actuators(sn_model *m, sn_error *error) {
  function_kind kinds[NKINDS];
  list_kinds(m, kinds);
  for (int k = 0; k < NKINDS; k++) {
    SN_TRY(si_bind_group(m, kinds[k].id, m->nu, kinds[k].name, m->actuator_actnum, kinds[k].list,
                         error));
  }
  SN_TRY(check_states(m, error));
  for (int k = 0; k < NKINDS; k++) {
    for (int64_t i = 0; i < kinds[k].list->n; i++) {
      si_binding *b = &kinds[k].list->at[i];
      const function_ops ops = kinds[k].ops(b->provider);
      SN_TRY(bind_function(m, &ops, b, error));
    }
  }
  return SN_OK;
}

void si_unbind_actuators(sn_model *m) {
  function_kind kinds[NKINDS];
  list_kinds(m, kinds);
  for (int k = 0; k < NKINDS; k++) {
    for (int64_t i = 0; i < kinds[k].list->n; i++) {
      const si_binding *b = &kinds[k].list->at[i];
      if (b->bound) {
        si_bind_end(m, b->provider, kinds[k].ops(b->provider).unbind, b->bound);
      }
    }
    si_bind_free(kinds[k].list);
  }
}
