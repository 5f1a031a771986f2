// SPDX-License-Identifier: Apache-2.0
//
// Passive forces of a model: every provider in the order of registration, unless it has nothing to
// do, then those that the model names. Their states follow one another in this order.
//
// A model can also require a force by a number, as a joint's damping does. Which force implements
// it is declared by the forces themselves (sn_passive_ops.implements). A number that none
// implements would silently do nothing, so the model is rejected.

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "bind/bind.h"
#include "bind/named.h"
#include "spec/spec.h"

static const sn_passive_ops *ops_of(const si_binding *b) {
  return b->provider->ops;
}

// ------------------------------------------------------------------ numbers that need a force

typedef struct demand {
  const char *name;       // of the field or option
  const char *what;
  const double *number;
  int64_t n, stride;      // element i has number[stride i]
  const int32_t *owner;   // of element i; NULL: i
  int32_t kind;           // SI_ELEMENT_* of the owner; -1: the model as a whole
} demand;

enum { NDEMANDS = 8 };

static void list_demands(const sn_model *m, demand *out) {
  const int fluid = m->opt.density != 0 || m->opt.viscosity != 0;
#define JOINT(field, what) \
  { #field, what, m->field, m->nv, 1, m->dof_jntid, SI_ELEMENT_joint }
#define TENDON(field, what) \
  { #field, what, m->field, m->ntendon, 1, NULL, SI_ELEMENT_tendon }
  const demand list[NDEMANDS] = {
    JOINT(dof_stiffness, "its stiffness"),
    JOINT(dof_damping, "its damping"),
    TENDON(tendon_stiffness, "its stiffness"),
    TENDON(tendon_damping, "its damping"),
    { "body_gravcomp", "its gravcomp", m->body_gravcomp, m->nbody, 1, NULL, SI_ELEMENT_body },
    { "density", "option density", &m->opt.density, 1, 1, NULL, -1 },
    { "viscosity", "option viscosity", &m->opt.viscosity, 1, 1, NULL, -1 },
    { "geom_fluid", "its fluidshape", m->geom_fluid, fluid ? m->ngeom : 0, 12, NULL,
      SI_ELEMENT_geom },
  };
#undef JOINT
#undef TENDON
  memcpy(out, list, sizeof list);
}

static int64_t first_given(const demand *row) {
  for (int64_t i = 0; i < row->n; i++) {
    if (row->number[row->stride * i] != 0) {
      return i;
    }
  }
  return -1;
}

static int implements(const si_provider *p, const char *name) {
  return si_is_listed(((const sn_passive_ops *)p->ops)->implements, name);
}

// Every word of `implements` is one of the list.
static sn_status check_words(const si_provider *p, const demand *list, sn_error *error) {
  const char *words = ((const sn_passive_ops *)p->ops)->implements;
  for (si_word word; si_next_word(&words, &word);) {
    int known = 0;
    for (int i = 0; i < NDEMANDS; i++) {
      known |= strcmp(list[i].name, word.text) == 0;
    }
    if (!known) {
      return si_fail(
          error, SN_EPLUGIN,
          "the passive force '%s' implements '%s', which is not a parameter that requires a "
          "passive force; sinew/passive.h lists these parameters",
          p->name, word.text);
    }
  }
  return SN_OK;
}

static sn_status fail_unimplemented(sn_model *m, const demand *row, int64_t i, sn_error *error) {
  if (row->kind >= 0) {
    m->bound.rejected_kind = row->kind;
    m->bound.rejected = row->owner ? row->owner[i] : (int32_t)i;
  }
  char *files = si_engine_missing(m->engine, SN_KIND_PASSIVE, NULL);
  si_fail(error, SN_ENOTFOUND,
          "%s needs a passive force that implements %s, and no loaded plugin provides one%s%s%s",
          row->what, row->name,
          files ? "; plugins that are not loaded, but provide passive forces: " : "",
          files ? files : "", files ? "; add it to [plugins] of the configuration" : "");
  free(files);
  return SN_ENOTFOUND;
}

// Is there a force for a number? Those that act in every model count although they may have found
// nothing to do in this one.
static int is_implemented(const sn_model *m, const char *name) {
  const si_provider *p;
  int found = 0;
  for (int64_t i = 0; (p = si_engine_each(m->engine, SN_KIND_PASSIVE, i)); i++) {
    found |= !(((const sn_passive_ops *)p->ops)->head.flags & SN_PASSIVE_NAMED) &&
             implements(p, name);
  }
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    found |= implements(m->bound.passive.at[k].provider, name);
  }
  return found;
}

static sn_status check_demand(sn_model *m, const demand *row, sn_error *error) {
  const int64_t i = first_given(row);
  const si_binding *first = NULL;
  if (i >= 0 && !is_implemented(m, row->name)) {
    return fail_unimplemented(m, row, i, error);
  }
  for (int64_t k = 0; i >= 0 && k < m->bound.passive.n; k++) {
    const si_binding *b = &m->bound.passive.at[k];
    if (implements(b->provider, row->name) && first) {
      SN_TRY(
          si_model_warn(m, error,
                        "%s acts twice: the passive forces '%s' and '%s' both implement %s; load "
                        "one of them only",
                        row->name, first->provider->name, b->provider->name, row->name));
    }
    first = implements(b->provider, row->name) && !first ? b : first;
  }
  return SN_OK;
}

sn_status si_bind_check_implemented(sn_model *m, sn_error *error) {
  demand list[NDEMANDS];
  const si_provider *p;
  list_demands(m, list);
  for (int64_t i = 0; (p = si_engine_each(m->engine, SN_KIND_PASSIVE, i)); i++) {
    SN_TRY(check_words(p, list, error));
  }
  for (int i = 0; i < NDEMANDS; i++) {
    SN_TRY(check_demand(m, &list[i], error));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ binding

static si_named_ops named_ops(const si_provider *p) {
  const sn_passive_ops *ops = p->ops;
  return (si_named_ops){ "passive force", ops->attributes, ops->bind,           ops->unbind,
                         ops->states,     ops->reset,      ops->advance != NULL };
}

static sn_status bind_force(sn_model *m, const si_provider *p, const char *attributes,
                            sn_error *error) {
  const si_named_ops ops = named_ops(p);
  return si_bind_named(m, p, &ops, attributes, &m->bound.passive, error);
}

sn_status si_bind_passive(sn_model *m, sn_error *error) {
  SN_TRY(si_bind_each(m, SN_KIND_PASSIVE, bind_force, error));
  SN_TRY(si_bind_controllers(m, error));   // whose states follow
  return si_bind_couplings(m, error);
}

sn_status si_bind_force_start(sn_model *m, si_rest *rest, sn_error *error) {
  si_bound *b = &m->bound;
  if (m->nforcestate == 0) {
    return SN_OK;
  }
  free(b->force_state0);
  b->force_state0 = calloc((size_t)m->nforcestate, sizeof(double));
  if (!b->force_state0) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  for (int64_t k = 0; k < b->passive.n; k++) {
    const si_named_ops ops = named_ops(b->passive.at[k].provider);
    SN_TRY(si_bind_named_start(m, &b->passive.at[k], &ops, rest, error));
  }
  return si_bind_controller_start(m, rest, error);
}

void si_unbind_passive(sn_model *m) {
  si_bound *b = &m->bound;
  for (int64_t i = 0; i < b->passive.n; i++) {
    si_bind_end(m, b->passive.at[i].provider, ops_of(&b->passive.at[i])->unbind,
                b->passive.at[i].bound);
  }
  si_bind_free(&b->passive);
  free(b->force_state0);
  free((void *)(uintptr_t)b->coupled.parent);
  b->force_state0 = NULL;
  b->coupled = (si_elimination){ 0 };
  b->omitting = NULL;
  b->coupling = NULL;
  m->nforcestate = 0;
}
