// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of passive forces between branches of the kinematic tree that `couples` did not
// declare. D has no place for them, so that part of the force is integrated explicitly: strong
// damping may be unstable, and the forces on both branches are not equal and opposite. A force
// writes what the pattern that it gets has room for, so such entries can be seen only with a dense
// pattern.
//
// That costs more than the derivative itself. It is done at the first, second, fourth, eighth ...
// derivative of a simulation, because a derivative may be zero while nothing moves; in the checking
// mode at each.

#include "data/address.h"
#include "dynamics/derivative.h"
#include "dynamics/pattern.h"

enum { MOST_DOFS = 1024, MOST_DOFS_CHECKED = 8192 };   // of a model that is examined
static const double negligible = 1e-12;                // of the largest entry

static int is_due(si_worker *w, si_variable by, int64_t nv) {
  const uint32_t n = ++w->derived[by];
  if (w->checker) {
    return nv <= MOST_DOFS_CHECKED;
  }
  // not where the memory for it could exceed a limit
  return (n & (n - 1)) == 0 && nv <= MOST_DOFS && w->scratch.limit == 0;
}

// All columns in each row.
static sn_sparse dense_pattern(si_worker *w, int32_t nv) {
  int32_t *nnz = si_arena_ints(&w->scratch, nv), *adr = si_arena_ints(&w->scratch, nv);
  int32_t *col = si_arena_ints(&w->scratch, (int64_t)nv * nv);
  for (int32_t i = 0; i < nv; i++) {
    nnz[i] = nv;
    adr[i] = i * nv;
    for (int32_t j = 0; j < nv; j++) {
      col[i * nv + j] = j;
    }
  }
  return (sn_sparse){ .nnz = nnz, .adr = adr, .col = col, .nrow = nv, .ncol = nv };
}

// The largest entry outside of the rows, as its index; -1: none counts.
static int64_t find_outside(const si_pattern *rows, int32_t nv, const double *dense) {
  double most = 0, outside = 0;
  int64_t found = -1;
  for (int32_t i = 0; i < nv; i++) {
    const int32_t *col = rows->col + rows->adr[i], *end = col + rows->nnz[i];
    for (int32_t j = 0; j < nv; j++) {
      const double size = fabs(dense[(int64_t)i * nv + j]);
      most = fmax(most, size);
      if (col < end && *col == j) {
        col++;
      } else if (size > outside) {
        outside = size;
        found = (int64_t)i * nv + j;
      }
    }
  }
  return outside > negligible * most ? found : -1;
}

static void warn(const sn_model *m, sn_data *d, si_worker *w, const si_binding *b, si_variable by,
                 int64_t entry) {
  char title[SI_PROVIDER_TITLE], first[160], second[160];
  si_data_address_name(m, d, (const uint8_t *)(d->qvel + entry / m->nv), first, sizeof first);
  si_data_address_name(m, d, (const uint8_t *)(d->qvel + entry % m->nv), second, sizeof second);
  const int is_damping = by == SI_BY_VELOCITY;
  si_worker_warn(
      w, SN_WARN_PLUGIN,
      "%s: its operation '%s' couples %s with %s, which are in different branches of "
      "the kinematic tree, but its operation 'couples' does not declare this; this %s is "
      "integrated explicitly, may be unstable and does not conserve momentum",
      si_provider_title(b->provider, title), is_damping ? "derivative" : "stiffness", first, second,
      is_damping ? "damping" : "stiffness");
}

void si_find_undeclared(const sn_model *m, sn_data *d, si_worker *w, si_variable by) {
  if (!is_due(w, by, m->nv)) {
    return;
  }
  const si_mark mark = si_arena_mark(&w->scratch);
  const int32_t nv = (int32_t)m->nv;
  const struct si_patterns *patterns = m->bound.patterns;
  const si_pattern *rows = m->bound.coupled.parent ? &patterns->coupled : &patterns->tree;
  const sn_sparse pattern = dense_pattern(w, nv);
  double *dense = si_arena_reals(&w->scratch, (int64_t)nv * nv);
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    const si_binding *b = &m->bound.passive.at[k];
    const sn_passive_ops *ops = b->provider->ops;
    const int is_omitted = (ops->head.flags & SN_PASSIVE_TREE_ONLY) != 0;   // the model is warned
    if (is_omitted || !(by == SI_BY_VELOCITY ? ops->derivative != NULL : ops->stiffness != NULL)) {
      continue;
    }
    memset(dense, 0, (size_t)nv * (size_t)nv * sizeof *dense);
    if (si_derive_force(d, w, b, by, &pattern, (int64_t)nv * nv, dense) >= 0) {
      const int64_t entry = find_outside(rows, nv, dense);
      if (entry >= 0) {
        warn(m, d, w, b, by, entry);
      }
    }
  }
  si_arena_release(&w->scratch, mark);
}
