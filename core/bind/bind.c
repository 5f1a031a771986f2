// SPDX-License-Identifier: Apache-2.0
//
// From names to operations: resolves, once for a model, every plugin that its simulations will
// call. After this the step walks tables and looks nothing up.
//
//   solver, integrator   algorithms.c
//   a pair of types      host/pairs.c
//   actuators            actuator.c
//   shapes of plugins    shape.c
//   sensors              sensor.c
//   passive forces       passive.c
//   contact modifiers    contact.c
//   controllers          controller.c
//   equality constraints constraint.c
//   contact filters      every provider in the order of registration, unless it has nothing to do

#include <stdlib.h>
#include <string.h>

#include "base/finite.h"
#include "base/text.h"
#include "base/words.h"
#include "bind/bind.h"
#include "contact/contact.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "dynamics/pattern.h"
#include "host/limits.h"
#include "model/fields.h"
#include "model/model_call.h"
#include "spec/spec.h"

// ------------------------------------------------------------------ colliders

static sn_status bind_colliders(sn_model *m, sn_error *error) {
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    m->bound.ray[i] = si_engine_ray_collider(m->engine, i, NULL);
    for (int j = i; j < SN_NGEOMTYPES; j++) {
      const char *origin;
      SN_TRY(si_engine_collider(m->engine, i, j, &m->bound.collider[i][j], &origin, error));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ groups of elements

si_binding *si_bind_add(si_bindings *list, const si_provider *provider, int64_t nid) {
  si_binding *at = si_more(list->at, list->n, sizeof *at);
  if (!at) {
    return NULL;
  }
  list->at = at;
  si_binding *b = &list->at[list->n];
  *b = (si_binding){ .provider = provider };
  if (nid > 0) {
    b->id = malloc((size_t)nid * sizeof(int32_t));
    if (!b->id) {
      return NULL;
    }
  }
  list->n++;
  return b;
}

void si_bind_end(const sn_model *m, const si_provider *provider,
                 void (*unbind)(const void *self, void *bound), void *bound) {
  si_watch call;
  si_watch_begin(&call, m->engine, provider, "unbind");
  unbind(provider->self, bound);
  si_watch_warn(&call, m->engine);
}

void si_bind_free(si_bindings *list) {
  for (int64_t i = 0; i < list->n; i++) {
    free(list->at[i].id);
  }
  free(list->at);
  *list = (si_bindings){ 0 };
}

sn_status si_bind_blame(sn_model *m, int32_t kind, int32_t id, sn_status status) {
  m->bound.rejected_kind = kind;
  m->bound.rejected = id;
  return status;
}

// The binding of a provider whose elements have this number of states; NULL: none yet.
static si_binding *find_binding(const si_bindings *list, const char *name, int32_t nstate) {
  for (int64_t k = 0; k < list->n; k++) {
    if (list->at[k].nstate == nstate && strcmp(list->at[k].provider->name, name) == 0) {
      return &list->at[k];
    }
  }
  return NULL;
}

sn_status si_bind_group(sn_model *m, const char *kind, int64_t n, const int32_t *name,
                        const int32_t *nstate, si_bindings *list, sn_error *error) {
  for (int64_t i = 0; i < n; i++) {
    const char *text = m->names + name[i];
    if (strcmp(text, "none") == 0) {
      continue;
    }
    const int32_t states = nstate ? nstate[i] : 0;
    si_binding *b = find_binding(list, text, states);
    if (!b) {
      const si_provider *provider;
      SN_TRY(si_engine_find_type(m->engine, kind, text, &provider, error));
      if (!provider) {
        continue;
      }
      b = si_bind_add(list, provider, n);
      if (!b) {
        return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
      }
      b->nstate = states;
    }
    b->id[b->n++] = (int32_t)i;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ contact filters

static sn_status bind_filters(sn_model *m, sn_error *error) {
  const si_provider *p;
  for (int64_t i = 0; (p = si_engine_each(m->engine, SN_KIND_FILTER, i)); i++) {
    const sn_filter_ops *ops = p->ops;
    void *bound = NULL;
    si_watch call;
    si_model_enter(&call, m, p, "bind");
    SN_TRY(si_watch_end(&call, ops->bind(p->self, &m->view, &bound, error), error));
    if (!bound) {
      continue;
    }
    si_binding *b = si_bind_add(&m->bound.filter, p, 0);
    if (!b) {
      si_bind_end(m, p, ops->unbind, bound);
      return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
    }
    b->bound = bound;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ all of it

static void count_trees(sn_model *m) {
  m->bound.ntree = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    m->bound.ntree = m->dof_treeid[i] >= m->bound.ntree ? m->dof_treeid[i] + 1 : m->bound.ntree;
  }
}

sn_status si_model_bind(sn_model *m, sn_error *error) {
  si_model_unbind(m);
  si_bound *b = &m->bound;
  b->rejected = -1;
  b->wants_inertia = 0;
  b->form_inertia = si_dyn_need_inertia;
  SN_TRY(si_model_bind_algorithms(m, error));
  SN_TRY(bind_colliders(m, error));
  SN_TRY(si_bind_assets(m, error));
  count_trees(m);
  SN_TRY(si_bind_shapes(m, error));
  SN_TRY(si_patterns_new(m, &m->bound.patterns, error));
  SN_TRY(si_broadphase_new(m, &m->bound.broadphase, error));
  SN_TRY(si_bind_actuators(m, error));
  SN_TRY(si_bind_sensors(m, error));
  SN_TRY(bind_filters(m, error));
  SN_TRY(si_bind_contacts(m, error));
  SN_TRY(si_bind_passive(m, error));
  SN_TRY(si_bind_constraints(m, error));
  SN_TRY(si_roots_new(m, &m->bound.roots, error));
  SN_TRY(si_bind_check_implemented(m, error));
  SN_TRY(si_model_bind_start(m, error));
  return si_model_warn_pairs(m, error);
}

void si_model_unbind(sn_model *m) {
  si_bound *b = &m->bound;
  for (int stage = 0; stage < SN_NSTAGES; stage++) {
    for (int64_t i = 0; i < b->sensor[stage].n; i++) {
      si_binding *s = &b->sensor[stage].at[i];
      const sn_sensor_ops *ops = s->provider->ops;
      if (s->bound) {
        si_bind_end(m, s->provider, ops->unbind, s->bound);
      }
    }
    si_bind_free(&b->sensor[stage]);
  }
  si_unbind_integrator(m);
  si_unbind_passive(m);
  si_unbind_contacts(m);
  si_unbind_controllers(m);
  si_unbind_constraints(m);
  si_unbind_shapes(m);
  free(b->sensor_state0);
  b->sensor_state0 = NULL;
  free(b->act0);
  b->act0 = NULL;
  for (int64_t i = 0; i < b->filter.n; i++) {
    const sn_filter_ops *ops = b->filter.at[i].provider->ops;
    si_bind_end(m, b->filter.at[i].provider, ops->unbind, b->filter.at[i].bound);
  }
  si_bind_free(&b->filter);
  si_unbind_actuators(m);
  si_broadphase_free(m->bound.broadphase);
  m->bound.broadphase = NULL;
  si_roots_free(&m->bound.roots);
  si_patterns_free(m->bound.patterns);
  m->bound.patterns = NULL;
  si_unbind_assets(m);
}

void sn_model_free(sn_model *model) {
  if (model) {
    si_model_free_kept(model);
    si_model_unbind(model);
    si_model_drop(model);
  }
}
