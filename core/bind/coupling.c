// SPDX-License-Identifier: Apache-2.0
//
// Couplings between branches of the kinematic tree, which passive forces declare: the tree along
// which M - h D is eliminated so that it has them.
//
// D has entries (i, j) for any two dofs of a coupling. Elimination from the last dof to the first
// fills in between the ancestors of a dof in the elimination tree (Liu, SIAM J. Matrix Anal. Appl.
// 11, 1990): parent(i) is the largest j < i in row i of the factor. Every entry of the matrix lies
// between a dof and one of its ancestors there, which is all that the algorithms along the
// kinematic tree (sinew/numerics/tree.h) ask for. So they work on this tree too, with rows that
// hold all ancestors.
//
//   kinematic tree     0 - 1 - 2     3 - 4        coupling {2, 4}
//   elimination tree   0 - 1 - 2 - 3 - 4
//
// The edges below are the pairs (dof, parent) of the tree of M (inertia_parent) and the neighbors
// in each coupling in ascending order: these make all others of a coupling ancestors by
// transitivity.

#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "dynamics/pattern.h"

typedef struct edge {
  int32_t low, high;
} edge;

typedef struct collector {
  sn_couplings head;
  const sn_model *m;
  const si_provider *force;
  sn_error *error;
  edge *edge;
  int64_t n, room;
  int64_t crossing;   // pairs between branches that the present force has declared
} collector;

// ------------------------------------------------------------------ what forces declare

static int is_ancestor(const sn_model *m, int32_t low, int32_t high) {
  while (high > low) {
    high = m->inertia_parent[high];
  }
  return high == low;
}

static sn_status add_edge(collector *c, int32_t low, int32_t high) {
  if (c->n == c->room) {
    const int64_t room = 2 * c->room + 64;
    edge *more = realloc(c->edge, (size_t)room * sizeof *more);
    if (!more) {
      return si_fail(c->error, SN_ENOMEM, "no memory to bind a model");
    }
    c->edge = more;
    c->room = room;
  }
  c->edge[c->n++] = (edge){ low, high };
  return SN_OK;
}

static int ascending(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static sn_status add_sorted(collector *c, int64_t n, const int32_t *dof) {
  for (int64_t i = 1; i < n; i++) {
    if (dof[i] != dof[i - 1] && !is_ancestor(c->m, dof[i - 1], dof[i])) {
      c->crossing++;
      SN_TRY(add_edge(c, dof[i - 1], dof[i]));
    }
  }
  return SN_OK;
}

static sn_status add(sn_couplings *couplings, int64_t n, const int32_t *dof) {
  collector *c = couplings->context;
  for (int64_t i = 0; i < n; i++) {
    if (dof[i] < 0 || dof[i] >= c->m->nv) {
      return si_fail(c->error, SN_EPLUGIN,
                     "the passive force '%s' couples dof %d, and the model has %lld",
                     c->force->name, dof[i], (long long)c->m->nv);
    }
  }
  if (n < 2) {
    return SN_OK;
  }
  int32_t *sorted = malloc((size_t)n * sizeof *sorted);
  if (!sorted) {
    return si_fail(c->error, SN_ENOMEM, "no memory to bind a model");
  }
  memcpy(sorted, dof, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, ascending);
  sn_status status = add_sorted(c, n, sorted);
  free(sorted);
  return status;
}

// ------------------------------------------------------------------ the elimination tree

static void link_to(int32_t *parent, int32_t dof, int32_t up) {
  while (dof != up && parent[dof] >= 0) {
    dof = parent[dof];
  }
  if (dof != up) {
    parent[dof] = up;
  }
}

static int by_low_descending(const void *a, const void *b) {
  const edge *x = a, *y = b;
  return x->low != y->low ? (x->low < y->low) - (x->low > y->low)
                          : (x->high > y->high) - (x->high < y->high);
}

// parent and adr (nv each) from the edges; returns the number of entries.
static int64_t eliminate(collector *c, int32_t *parent, int32_t *adr) {
  const int64_t nv = c->m->nv;
  memset(parent, -1, (size_t)nv * sizeof *parent);
  qsort(c->edge, (size_t)c->n, sizeof *c->edge, by_low_descending);
  for (int64_t i = 0; i < c->n; i++) {
    link_to(parent, c->edge[i].high, c->edge[i].low);
  }
  // a row is one longer than that of its parent; parents come first
  int64_t total = 0;
  for (int64_t i = 0; i < nv; i++) {
    int64_t length = 0;
    for (int32_t a = (int32_t)i; a >= 0; a = parent[a]) {
      length++;
    }
    adr[i] = (int32_t)(total > INT32_MAX / 2 ? INT32_MAX / 2 : total);
    total += length;
  }
  return total;
}

static sn_status make_tree(sn_model *m, collector *c) {
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    if (m->inertia_parent[i] >= 0) {
      SN_TRY(add_edge(c, m->inertia_parent[i], i));
    }
  }
  int32_t *parent = malloc(2 * (size_t)m->nv * sizeof *parent);
  if (!parent) {
    return si_fail(c->error, SN_ENOMEM, "no memory to bind a model");
  }
  const int64_t n = eliminate(c, parent, parent + m->nv);
  if (n > INT32_MAX / 2) {
    free(parent);
    return si_fail(c->error, SN_ENOMEM,
                   "the couplings of passive forces make a matrix of %lld entries; couple fewer "
                   "bodies",
                   (long long)n);
  }
  m->bound.coupled = (si_elimination){ .n = n, .parent = parent, .adr = parent + m->nv };
  return si_patterns_couple(m, &m->bound.coupled, c->error);
}

// ------------------------------------------------------------------ all forces of a model

static sn_status ask(sn_model *m, collector *c, const si_binding *b) {
  const sn_passive_ops *ops = b->provider->ops;
  const int64_t before = c->n;
  if (!ops->couples) {
    return SN_OK;
  }
  c->crossing = 0;
  c->force = b->provider;
  SN_TRY(ops->couples(b->provider->self, b->bound, &c->head));
  if (ops->head.flags & SN_PASSIVE_TREE_ONLY) {
    c->n = before;
    m->bound.omitting = c->crossing > 0 && !m->bound.omitting ? b->provider : m->bound.omitting;
  }
  return SN_OK;
}

sn_status si_bind_couplings(sn_model *m, sn_error *error) {
  collector c = { .head = { .size = sizeof c.head, .add = add }, .m = m, .error = error };
  c.head.context = &c;
  sn_status status = SN_OK;
  for (int64_t k = 0; k < m->bound.passive.n && status >= 0; k++) {
    status = ask(m, &c, &m->bound.passive.at[k]);
    if (status < 0 && error && sn_error_code(error) >= 0) {
      si_fail(error, status, "the passive force '%s' could not declare its couplings",
              m->bound.passive.at[k].provider->name);
    }
  }
  if (status >= 0 && c.n > 0) {
    status = make_tree(m, &c);
  }
  free(c.edge);
  return status < 0 ? status : si_bind_warn_omitted(m, error);
}

sn_status si_bind_warn_omitted(sn_model *m, sn_error *error) {
  const si_provider *force = m->bound.omitting;
  const sn_integrator_ops *ops = m->bound.integrator->ops;
  if (!force || !(ops->derivatives & SN_DERIV_PASSIVE)) {
    return SN_OK;
  }
  m->bound.omitting = NULL;
  return si_model_warn(m, error,
                       "the damping between branches of the kinematic tree by the passive force "
                       "'%s' is explicit with the integrator '%s': strong damping may be unstable, "
                       "and momentum is not conserved; use a smaller timestep, or a force that "
                       "declares its couplings",
                       force->name, m->bound.integrator->name);
}
