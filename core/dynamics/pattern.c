// SPDX-License-Identifier: Apache-2.0
//
// Making the patterns of a model; see pattern.h.

#include "dynamics/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/chain.h"
#include "sinew/numerics/tree.h"

// ------------------------------------------------------------------ tendons

// A set of dofs, one bit each.
typedef struct dof_set {
  uint64_t *word;
  int32_t low, high;   // words that may be non-zero
} dof_set;

static inline void set_add(dof_set *set, int32_t dof) {
  int32_t w = dof >> 6;
  set->word[w] |= (uint64_t)1 << (dof & 63);
  set->low = w < set->low ? w : set->low;
  set->high = w > set->high ? w : set->high;
}

// Adds the dofs that move one of two bodies and not the other.
static void set_add_difference(const sn_model *m, dof_set *set, int32_t body1, int32_t body2) {
  si_chains chains = si_chains_of(m, body1, body2);
  int32_t dof;
  int moves;
  while ((dof = si_chains_apart(m, &chains, &moves)) >= 0) {
    set_add(set, dof);
  }
}

// Empties the set into col, ascending; returns how many there were.
static int32_t set_take(dof_set *set, int32_t *col) {
  int32_t n = 0;
  for (int32_t w = set->low; w <= set->high; w++) {
    for (uint64_t bits = set->word[w]; bits; bits &= bits - 1) {
      col[n++] = 64 * w + __builtin_ctzll(bits);
    }
    set->word[w] = 0;
  }
  set->low = INT32_MAX;
  set->high = -1;
  return n;
}

// The body that an element of a path belongs to; -1: a pulley.
static int32_t element_body(const sn_model *m, int32_t e) {
  int32_t type = m->wrap_type[e], id = m->wrap_objid[e];
  if (type == SN_WRAP_SITE) {
    return m->site_bodyid[id];
  }
  return type == SN_WRAP_PULLEY ? -1 : m->geom_bodyid[id];
}

static void add_path(const sn_model *m, int32_t begin, int32_t end, dof_set *set) {
  int32_t before = -1;
  for (int32_t e = begin; e < end; e++) {
    int32_t body = element_body(m, e);
    if (before >= 0 && body >= 0 && body != before) {
      set_add_difference(m, set, before, body);
    }
    before = body;
  }
}

static void add_joints(const sn_model *m, int32_t begin, int32_t end, dof_set *set) {
  for (int32_t e = begin; e < end; e++) {
    set_add(set, m->jnt_dofadr[m->wrap_objid[e]]);
  }
}

// word: nv / 64 + 1 zeros. p->col has room for ntenJ numbers.
static void fill_tendons(const sn_model *m, uint64_t *word, si_pattern *p) {
  dof_set set = { word, INT32_MAX, -1 };
  for (int64_t t = 0; t < m->ntendon; t++) {
    int32_t begin = m->tendon_adr[t], end = begin + m->tendon_num[t];
    if (m->wrap_type[begin] == SN_WRAP_JOINT) {
      add_joints(m, begin, end, &set);
    } else {
      add_path(m, begin, end, &set);
    }
    p->adr[t] = (int32_t)p->n;
    p->nnz[t] = set_take(&set, p->col + p->n);
    p->n += p->nnz[t];
  }
}

// ------------------------------------------------------------------ the tree

static int32_t row_length(const sn_model *m, const si_elimination *e, int32_t i) {
  return sn_tree_row_length(m->nv, e->parent, e->adr, i);
}

static void fill_tree(const sn_model *m, const si_elimination *e, si_pattern *p) {
  const int32_t nv = (int32_t)m->nv;
  for (int32_t i = 0; i < nv; i++) {
    p->nnz[i] += row_length(m, e, i);
    for (int32_t a = e->parent[i]; a >= 0; a = e->parent[a]) {
      p->nnz[a]++;
    }
  }
  for (int32_t i = 0; i < nv; i++) {
    p->adr[i] = (int32_t)p->n;
    p->n += p->nnz[i];
    p->nnz[i] = 0;
  }
  // descendants come later than i, in ascending order
  for (int32_t i = 0; i < nv; i++) {
    int32_t length = row_length(m, e, i), place = length - 1;
    for (int32_t a = i; a >= 0; a = e->parent[a]) {
      p->col[p->adr[i] + place--] = a;
      if (a != i) {
        p->col[p->adr[a] + p->nnz[a]++] = i;
      }
    }
    p->nnz[i] = length;
  }
}

// ------------------------------------------------------------------ all

static int take(si_pattern *p, int64_t rows, int64_t capacity) {
  p->nnz = calloc((size_t)rows + 1, sizeof *p->nnz);
  p->adr = calloc((size_t)rows + 1, sizeof *p->adr);
  p->col = calloc((size_t)capacity + 1, sizeof *p->col);
  return p->nnz && p->adr && p->col;
}

static void drop(si_pattern *p) {
  free(p->nnz);
  free(p->adr);
  free(p->col);
}

sn_status si_patterns_new(const sn_model *m, struct si_patterns **out, sn_error *error) {
  struct si_patterns *p = calloc(1, sizeof *p);
  uint64_t *word = calloc((size_t)m->nv / 64 + 1, sizeof *word);
  *out = NULL;
  if (!p || !word || !take(&p->tendon, m->ntendon, m->ntenJ) ||
      !take(&p->tree, m->nv, 2 * m->nM - m->nv)) {
    free(word);
    si_patterns_free(p);
    return si_fail(error, SN_ENOMEM, "out of memory for the sparsity of a model");
  }
  fill_tendons(m, word, &p->tendon);
  const si_elimination own = { .n = m->nM, .parent = m->inertia_parent, .adr = m->dof_Madr };
  fill_tree(m, &own, &p->tree);
  free(word);
  *out = p;
  return SN_OK;
}

sn_status si_patterns_couple(const sn_model *m, const si_elimination *e, sn_error *error) {
  si_pattern *p = &m->bound.patterns->coupled;
  if (!take(p, m->nv, 2 * e->n - m->nv)) {
    return si_fail(error, SN_ENOMEM, "out of memory for the sparsity of a model");
  }
  fill_tree(m, e, p);
  return SN_OK;
}

void si_patterns_free(struct si_patterns *patterns) {
  if (patterns) {
    drop(&patterns->tendon);
    drop(&patterns->tree);
    drop(&patterns->coupled);
    free(patterns);
  }
}
