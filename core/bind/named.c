// SPDX-License-Identifier: Apache-2.0
//
// Providers that a model can name: the order in which they are bound, their attributes and states.

#include "bind/named.h"

#include <stdlib.h>
#include <string.h>

#include "base/finite.h"
#include "bind/bind.h"
#include "host/limits.h"
#include "model/model_call.h"
#include "spec/spec.h"

static sn_status bind_named(sn_model *m, const char *id, int64_t i, si_bind_fn *bind,
                            sn_error *error) {
  const char *name;
  const si_named_kind *kind = si_named_kind_of(m->names + m->force_typename[i], &name);
  if (strcmp(kind->id, id) != 0) {
    return SN_OK;
  }
  const si_provider *p = si_engine_find(m->engine, id, name, error);
  if (!p) {
    return SN_ENOTFOUND;
  }
  const sn_status status = bind(m, p, m->names + m->force_attradr[i], error);
  return status < 0 ? si_bind_blame(m, SI_ELEMENT_force, (int32_t)i, status) : SN_OK;
}

sn_status si_bind_each(sn_model *m, const char *id, si_bind_fn *bind, sn_error *error) {
  const uint32_t named = si_named_kind_find(id)->flag;
  const si_provider *p;
  for (int64_t i = 0; (p = si_engine_each(m->engine, id, i)); i++) {
    if (!(((const sn_ops *)p->ops)->flags & named)) {
      SN_TRY(bind(m, p, NULL, error));
    }
  }
  for (int64_t i = 0; i < m->nforce; i++) {
    SN_TRY(bind_named(m, id, i, bind, error));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ one of them

static sn_status find_states(sn_model *m, si_binding *b, const si_named_ops *ops, sn_error *error) {
  si_watch call;
  si_model_enter(&call, m, b->provider, "states");
  const int64_t n = ops->states ? ops->states(b->provider->self, b->bound) : 0;
  SN_TRY(si_watch_end(&call, SN_OK, error));
  if (n < 0 || n > SN_MAX_STATES) {
    return si_fail(error, SN_EPLUGIN,
                   "the %s '%s' declares %lld state variables; the number must be from 0 to %d",
                   ops->word, b->provider->name, (long long)n, SN_MAX_STATES);
  }
  if (n > 0 && !ops->can_advance) {
    return si_fail(error, SN_EPLUGIN, "the %s '%s' declares states, but has no operation 'advance'",
                   ops->word, b->provider->name);
  }
  b->stateadr = m->nforcestate;
  b->nstate = (int32_t)n;
  m->nforcestate += n;
  return si_limit_states(m->engine, b->provider, m->nforcestate, error);
}

// *bound NULL: it has nothing to do.
static sn_status call_bind(const sn_model *m, const si_provider *p, const si_named_ops *ops,
                           const char *attributes, void **bound, sn_error *error) {
  sn_value *values = NULL;
  SN_TRY(si_attributes_read(ops->attributes, attributes, &values, NULL, error));
  sn_status status = si_bind_references(m, ops->attributes, values, error);
  if (status >= 0) {
    si_watch call;
    si_model_enter(&call, m, p, "bind");
    status = si_watch_end(&call, ops->bind(p->self, &m->view, values, bound, error), error);
  }
  free(values);
  return status;
}

sn_status si_bind_named(sn_model *m, const si_provider *p, const si_named_ops *ops,
                        const char *attributes, si_bindings *list, sn_error *error) {
  void *bound = NULL;
  SN_TRY(call_bind(m, p, ops, attributes, &bound, error));
  if (!bound) {
    return SN_OK;
  }
  si_binding *b = si_bind_add(list, p, 0);
  if (!b) {
    si_bind_end(m, p, ops->unbind, bound);
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  b->bound = bound;
  return find_states(m, b, ops, error);
}

sn_status si_bind_named_start(sn_model *m, const si_binding *b, const si_named_ops *ops,
                              si_rest *rest, sn_error *error) {
  double *state = m->bound.force_state0 + b->stateadr;
  if (b->nstate == 0) {
    return SN_OK;
  }
  if (ops->reset) {
    const sn_data_view *data;
    SN_TRY(si_rest_view(rest, &data, error));
    si_watch call;
    si_model_enter(&call, m, b->provider, "reset");
    double *lent = si_watch_lend(&call, "state", state, b->nstate * (int64_t)sizeof *state);
    const sn_status status = ops->reset(b->provider->self, b->bound, data, lent);
    SN_TRY(si_watch_end(&call, status, error));
  }
  return si_all_finite(state, b->nstate)
             ? SN_OK
             : si_fail(error, SN_EPLUGIN, "the %s '%s' starts with a state that is not finite",
                       ops->word, b->provider->name);
}
