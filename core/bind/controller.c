// SPDX-License-Identifier: Apache-2.0
//
// The controllers of a model. Their states follow those of the passive forces.

#include <stdlib.h>

#include "base/finite.h"
#include "bind/bind.h"
#include "bind/named.h"
#include "host/limits.h"

static const sn_controller_ops *ops_of(const si_binding *b) {
  return b->provider->ops;
}

static sn_status find_states(sn_model *m, si_binding *b, sn_error *error) {
  const sn_controller_ops *ops = ops_of(b);
  const si_call call = si_call_enter(b->provider, "states");
  const int64_t n = ops->states ? ops->states(b->provider->self, b->bound) : 0;
  si_call_end(&call);
  if (n < 0 || n > SN_MOST_STATES) {
    return si_fail(error, SN_EPLUGIN,
                   "the controller '%s' declares %lld numbers of state; 0 to %d are possible",
                   b->provider->name, (long long)n, SN_MOST_STATES);
  }
  if (n > 0 && !ops->advance) {
    return si_fail(error, SN_EPLUGIN,
                   "the controller '%s' declares states, but has no operation 'advance'",
                   b->provider->name);
  }
  b->stateadr = m->nforcestate;
  b->nstate = (int32_t)n;
  m->nforcestate += n;
  return si_limit_states(m->engine, b->provider, m->nforcestate, error);
}

static sn_status bind_controller(sn_model *m, const si_provider *p, const char *attributes,
                                 sn_error *error) {
  const sn_controller_ops *ops = p->ops;
  sn_value *values = NULL;
  void *bound = NULL;
  SN_TRY(si_attributes_read(ops->attributes, attributes, &values, NULL, error));
  sn_status status = si_bind_references(m, ops->attributes, values, error);
  if (status >= 0) {
    const si_call call = si_call_enter(p, "bind");
    status = si_call_leave(&call, ops->bind(p->self, &m->view, values, &bound, error), error);
  }
  free(values);
  SN_TRY(status);
  if (!bound) {
    return SN_OK;
  }
  si_binding *b = si_bind_add(&m->bound.controller, p, 0);
  if (!b) {
    si_bind_end(p, ops->unbind, bound);
    return si_fail(error, SN_ENOMEM, "no memory to bind a model");
  }
  b->bound = bound;
  return find_states(m, b, error);
}

sn_status si_bind_controllers(sn_model *m, sn_error *error) {
  return si_bind_each(m, SN_KIND_CONTROLLER, bind_controller, error);
}

sn_status si_bind_controller_start(sn_model *m, sn_error *error) {
  for (int64_t k = 0; k < m->bound.controller.n; k++) {
    const si_binding *b = &m->bound.controller.at[k];
    double *state = m->bound.force_state0 + b->stateadr;
    if (b->nstate > 0 && ops_of(b)->reset) {
      const si_call call = si_call_enter(b->provider, "reset");
      ops_of(b)->reset(b->provider->self, b->bound, state);
      si_call_end(&call);
    }
    if (b->nstate > 0 && !si_all_finite(state, b->nstate)) {
      return si_fail(error, SN_EPLUGIN,
                     "the controller '%s' starts with a state that is not finite",
                     b->provider->name);
    }
  }
  return SN_OK;
}

void si_unbind_controllers(sn_model *m) {
  si_bindings *list = &m->bound.controller;
  for (int64_t i = 0; i < list->n; i++) {
    si_bind_end(list->at[i].provider, ops_of(&list->at[i])->unbind, list->at[i].bound);
  }
  si_bind_free(list);
}
