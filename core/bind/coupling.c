// SPDX-License-Identifier: Apache-2.0
//
// Couplings between branches of the kinematic tree, which passive forces declare and actuators have
// by their transmissions: the tree along which M - h D is eliminated so that it has them.
//
// D has entries (i, j) for any two dofs of a coupling. Elimination from the last dof to the first
// fills in between the ancestors of a dof in the elimination tree (Liu, SIAM J. Matrix Anal. Appl.
// 11, 1990): parent(i) is the largest j < i in row i of the factor. Every entry of the matrix lies
// between a dof and one of its ancestors there, which is all that the algorithms along the
// kinematic tree (sinew/numerics/tree.h) require. So they work on this tree too, with rows that
// hold all ancestors.
//
//   kinematic tree     0 - 1 - 2     3 - 4        coupling {2, 4}
//   elimination tree   0 - 1 - 2 - 3 - 4
//
// It is made from the tree of M, inertia_parent, by merging the paths to the root of neighbors in
// each coupling in ascending order (model/inertia_rows.c): that makes all others of the coupling
// ancestors by transitivity.

#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "dynamics/chain.h"
#include "dynamics/pattern.h"
#include "model/model_call.h"
#include "sinew/numerics/tree.h"

typedef struct collector {
  sn_couplings head;
  const sn_model *m;
  const si_provider *force;   // passive; NULL: an actuator
  const si_provider *first;   // the first of them with a pair in the tree
  sn_error *error;
  sn_status failed;   // of the first declaration by the present force that failed
  int32_t *parent;    // nv: the elimination tree so far
  int omits;          // the present force does not want its couplings in D
  int64_t crossing;   // pairs between branches that it has declared
  int64_t merged;     // such pairs that are in the tree
} collector;

// ------------------------------------------------------------------ what forces declare

static int ascending(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void add_sorted(collector *c, int64_t n, const int32_t *dof) {
  for (int64_t i = 1; i < n; i++) {
    const int crosses = dof[i] != dof[i - 1] &&
                        !sn_tree_is_ancestor(c->m->inertia_parent, dof[i - 1], dof[i]);
    c->crossing += crosses;
    if (crosses && !c->omits) {
      si_rows_merge(c->parent, dof[i - 1], dof[i]);
      c->first = c->first ? c->first : c->force;
      c->merged++;
    }
  }
}

static sn_status add_valid(collector *c, int64_t n, const int32_t *dof) {
  if (n < 0) {
    return si_fail(c->error, SN_EPLUGIN, "the passive force '%s' couples %lld dofs", c->force->name,
                   (long long)n);
  }
  for (int64_t i = 0; i < n; i++) {
    if (dof[i] < 0 || dof[i] >= c->m->nv) {
      return si_fail(c->error, SN_EPLUGIN,
                     "the passive force '%s' couples dof %d, but the model has %lld",
                     c->force->name, dof[i], (long long)c->m->nv);
    }
  }
  if (n < 2) {
    return SN_OK;
  }
  int32_t *sorted = malloc((size_t)n * sizeof *sorted);
  if (!sorted) {
    return si_fail(c->error, SN_ENOMEM, "out of memory while binding a model");
  }
  memcpy(sorted, dof, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, ascending);
  add_sorted(c, n, sorted);
  free(sorted);
  return SN_OK;
}

// A failure counts even if the force ignores it.
static sn_status add_pairs(collector *c, int64_t n, const int32_t *dof) {
  c->failed = c->failed < 0 ? c->failed : add_valid(c, n, dof);
  return c->failed;
}

static sn_status add(sn_couplings *couplings, int64_t n, const int32_t *dof) {
  return add_pairs(couplings->context, n, dof);
}

// Only damping between branches is worth a warning.
static sn_status add_stiff(sn_couplings *couplings, int64_t n, const int32_t *dof) {
  collector *c = couplings->context;
  const collector before = *c;
  const sn_status status = add_pairs(c, n, dof);
  c->first = before.first;
  c->crossing = before.crossing;
  return status;
}

// ------------------------------------------------------------------ what actuators couple

// The dofs that a transmission acts on, ascending; room for nv. None: it does not couple branches,
// or acts through contacts.
static int64_t transmission_dofs(const sn_model *m, int32_t actuator, int32_t *dof) {
  const int32_t *id = m->actuator_trnid + 2 * actuator, type = m->actuator_trntype[actuator];
  if (type == SN_TRN_TENDON) {
    const si_pattern *rows = &m->bound.patterns->tendon;
    memcpy(dof, rows->col + rows->adr[id[0]], (size_t)rows->nnz[id[0]] * sizeof *dof);
    return rows->nnz[id[0]];
  }
  if ((type != SN_TRN_SITE && type != SN_TRN_SLIDERCRANK) || id[1] < 0) {
    return 0;
  }
  si_chains chains = si_chains_of(m, m->site_bodyid[id[0]], m->site_bodyid[id[1]]);
  int32_t n = 0;
  int moves;
  while ((dof[n] = si_chains_apart(m, &chains, &moves)) >= 0) {
    n++;
  }
  si_chain_ascending(n, dof, NULL);
  return n;
}

// Actuators whose gain or bias depends on velocity or length.
static void add_functions(collector *c, const si_bindings *functions, int32_t *dof) {
  for (int64_t k = 0; k < functions->n; k++) {
    const si_binding *b = &functions->at[k];
    const sn_force_ops *ops = b->provider->ops;
    for (int64_t i = 0; (ops->dvelocity || ops->dlength) && i < b->n; i++) {
      add_sorted(c, transmission_dofs(c->m, b->id[i], dof), dof);
    }
  }
}

// A dynamics whose rate depends on velocity acts on the force of the same step with actearly.
static void add_early(collector *c, int32_t *dof) {
  const si_bindings *functions = &c->m->bound.dynamics;
  for (int64_t k = 0; k < functions->n; k++) {
    const si_binding *b = &functions->at[k];
    for (int64_t i = 0; i < b->n; i++) {
      if (c->m->actuator_actearly[b->id[i]]) {
        add_sorted(c, transmission_dofs(c->m, b->id[i], dof), dof);
      }
    }
  }
}

static sn_status add_actuators(collector *c) {
  if (c->m->nu == 0) {
    return SN_OK;
  }
  int32_t *dof = malloc((size_t)(c->m->nv + 1) * sizeof *dof);
  if (!dof) {
    return si_fail(c->error, SN_ENOMEM, "out of memory while binding a model");
  }
  c->omits = 0;
  c->force = NULL;
  add_functions(c, &c->m->bound.gain, dof);
  add_functions(c, &c->m->bound.bias, dof);
  add_early(c, dof);
  free(dof);
  return SN_OK;
}

// ------------------------------------------------------------------ all forces of a model

static sn_status ask(sn_model *m, collector *c, const si_binding *b) {
  const sn_passive_ops *ops = b->provider->ops;
  if (!ops->couples) {
    return SN_OK;
  }
  c->failed = SN_OK;
  c->crossing = 0;
  c->omits = (ops->head.flags & SN_PASSIVE_TREE_ONLY) != 0;
  c->force = b->provider;
  si_watch call;
  si_model_enter(&call, m, b->provider, "couples");
  const sn_status status = ops->couples(b->provider->self, b->bound, &c->head);
  SN_TRY(si_watch_end(&call, status, c->error));
  SN_TRY(c->failed);
  if (c->omits) {
    m->bound.omitting = c->crossing > 0 && !m->bound.omitting ? b->provider : m->bound.omitting;
  }
  return SN_OK;
}

static sn_status ask_all(sn_model *m, collector *c) {
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    sn_status status = ask(m, c, &m->bound.passive.at[k]);
    if (status < 0) {
      return sn_error_code(c->error) < 0
                 ? status
                 : si_fail(c->error, status,
                           "the passive force '%s' could not declare its couplings",
                           m->bound.passive.at[k].provider->name);
    }
  }
  return SN_OK;
}

// The model takes the tree.
static sn_status keep_tree(sn_model *m, int32_t *parent, sn_error *error) {
  const int64_t n = si_rows_place(m->nv, parent, parent + m->nv);
  m->bound.coupled = (si_elimination){ .n = n, .parent = parent, .adr = parent + m->nv };
  if (n > INT32_MAX / 2) {
    return si_fail(error, SN_ENOMEM,
                   "the couplings of passive forces and actuators make a matrix of more than %d "
                   "entries; couple fewer bodies",
                   INT32_MAX / 2);
  }
  return si_patterns_couple(m, &m->bound.coupled, error);
}

sn_status si_bind_couplings(sn_model *m, sn_error *error) {
  int32_t *parent = malloc(2 * (size_t)(m->nv + 1) * sizeof *parent);
  if (!parent) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  memcpy(parent, m->inertia_parent, (size_t)m->nv * sizeof *parent);
  collector c = { .head = { .size = sizeof c.head, .add = add, .add_stiff = add_stiff },
                  .m = m,
                  .parent = parent,
                  .error = error };
  c.head.context = &c;
  sn_status status = ask_all(m, &c);
  status = status < 0 ? status : add_actuators(&c);
  if (status < 0 || c.merged == 0) {
    free(parent);
  } else {
    status = keep_tree(m, parent, error);
  }
  m->bound.coupling = c.first;
  return status < 0 ? status : si_bind_warn_omitted(m, error);
}

static sn_status warn_explicit(sn_model *m, const si_provider **force, const char *instead,
                               sn_error *error) {
  const char *name = (*force)->name;
  *force = NULL;   // once
  return si_model_warn(
      m, error,
      "the damping that the passive force '%s' causes between branches of the kinematic tree is "
      "integrated explicitly by the integrator '%s': strong damping may be unstable, "
      "and momentum is not conserved; use a smaller timestep, or %s",
      name, m->bound.integrator->name, instead);
}

// The derivatives that the integrator passes to `implicit`.
static sn_status derivatives_used(sn_model *m, uint32_t *used, sn_error *error) {
  const si_provider *p = m->bound.integrator;
  const sn_integrator_ops *ops = p->ops;
  *used = ops->derivatives;
  if (!ops->uses) {
    return SN_OK;
  }
  si_watch call;
  si_model_enter(&call, m, p, "uses");
  *used = ops->uses(p->self);
  return si_watch_end(&call, SN_OK, error);
}

sn_status si_bind_warn_omitted(sn_model *m, sn_error *error) {
  si_bound *b = &m->bound;
  uint32_t used;
  if (!b->omitting && !b->coupling) {
    return SN_OK;
  }
  SN_TRY(derivatives_used(m, &used, error));
  if (b->omitting && used & SN_DERIV_PASSIVE) {
    SN_TRY(warn_explicit(m, &b->omitting, "a force that declares its couplings", error));
  }
  return b->coupling && used & SN_DERIV_TREE
             ? warn_explicit(m, &b->coupling, "an integrator that couples branches", error)
             : SN_OK;
}
