// SPDX-License-Identifier: Apache-2.0
//
// The order of elimination. While rows couple only dofs on one path to the root (limits, contacts
// with the ground ...), leaves first has no fill-in, Featherstone (2008), section 6.5. Otherwise
// it is the order of minimum degree on the graph of stretches (Tinney and Walker, 1967), with
// neighbors as sets of bits.

#include <string.h>

#include "pattern.h"

sn_status find_stretches(const sn_inertia *tree, stretches *t, sn_scratch *mem) {
  int32_t nv = (int32_t)tree->nv, *nchild;
  *t = (stretches){ .n = 0 };
  SN_ALLOC(t->first, mem, nv);
  SN_ALLOC(t->size, mem, nv);
  SN_ALLOC(t->parent, mem, nv);
  SN_ALLOC(t->of, mem, nv);
  SN_ALLOC(nchild, mem, nv);
  memset(nchild, 0, (size_t)nv * sizeof *nchild);
  for (int32_t i = 0; i < nv; i++) {
    if (tree->parent[i] >= 0) {
      nchild[tree->parent[i]]++;
    }
  }
  for (int32_t i = 0; i < nv; i++) {
    int32_t up = tree->parent[i];
    if (i > 0 && up == i - 1 && nchild[up] == 1) {
      t->size[t->n - 1]++;
    } else {
      t->first[t->n] = i;
      t->size[t->n] = 1;
      t->parent[t->n++] = up < 0 ? -1 : t->of[up];
    }
    t->of[i] = t->n - 1;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ leaves first

// Whether every row stays on one path to the root.
static int along_tree(const stretches *t, const groups *g) {
  for (int64_t k = 0; k < g->n; k++) {
    const group *a = &g->at[k];
    int32_t at = t->of[a->col[a->ncol - 1]];
    for (int32_t i = a->ncol - 1; i >= 0; i--) {
      while (at >= 0 && at != t->of[a->col[i]]) {
        at = t->parent[at];
      }
      if (at < 0) {
        return 0;
      }
    }
  }
  return 1;
}

static sn_status leaves_first(const stretches *t, elimination *e, sn_scratch *mem) {
  for (int32_t k = 0; k < t->n; k++) {
    e->order[k] = t->n - 1 - k;
    int32_t up = t->parent[k];
    e->nbelow[k] = up < 0 ? 0 : e->nbelow[up] + 1;
    SN_ALLOC(e->below[k], mem, e->nbelow[k]);
    if (up >= 0) {
      e->below[k][0] = up;
      memcpy(e->below[k] + 1, e->below[up], (size_t)e->nbelow[up] * sizeof(int32_t));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ minimum degree

// Neighbors of each stretch as a set of bits.
typedef struct graph {
  int32_t n, words;
  uint64_t *bits;    // n x words
  int32_t *degree;   // dofs of the neighbors; INT32_MAX: eliminated
  const int32_t *size;
} graph;

static inline uint64_t *neighbors(const graph *g, int32_t k) {
  return g->bits + (int64_t)k * g->words;
}

static inline void remove_neighbor(const graph *g, int32_t of, int32_t k) {
  neighbors(g, of)[k / 64] &= ~((uint64_t)1 << (k % 64));
}

static void couple(const graph *g, int32_t a, int32_t b) {
  neighbors(g, a)[b / 64] |= (uint64_t)1 << (b % 64);
  neighbors(g, b)[a / 64] |= (uint64_t)1 << (a % 64);
}

// Members of a set, ascending; returns their number.
static int32_t members(const graph *g, const uint64_t *set, int32_t *out) {
  int32_t n = 0;
  for (int32_t w = 0; w < g->words; w++) {
    for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
      out[n++] = 64 * w + __builtin_ctzll(rest);
    }
  }
  return n;
}

static int32_t degree_of(const graph *g, int32_t k) {
  const uint64_t *set = neighbors(g, k);
  int32_t sum = 0;
  for (int32_t w = 0; w < g->words; w++) {
    for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
      sum += g->size[64 * w + __builtin_ctzll(rest)];
    }
  }
  return sum;
}

// Couples all stretches of a row with each other.
static void couple_row(const graph *g, const stretches *t, const group *a, int32_t *clique) {
  int32_t n = 0;
  for (int32_t i = 0; i < a->ncol; i++) {
    int32_t k = t->of[a->col[i]];
    if (n == 0 || clique[n - 1] != k) {
      clique[n++] = k;
    }
  }
  for (int32_t i = 1; i < n; i++) {
    for (int32_t j = 0; j < i; j++) {
      couple(g, clique[i], clique[j]);
    }
  }
}

static sn_status make_graph(const stretches *t, const groups *rows, int32_t *list, graph *out,
                            sn_scratch *mem) {
  graph g = { .n = t->n, .words = (t->n + 63) / 64, .size = t->size };
  int64_t nbits = (int64_t)g.n * g.words;
  SN_ALLOC(g.bits, mem, nbits);
  SN_ALLOC(g.degree, mem, g.n);
  memset(g.bits, 0, (size_t)nbits * sizeof *g.bits);
  for (int32_t k = 0; k < t->n; k++) {
    for (int32_t up = t->parent[k]; up >= 0; up = t->parent[up]) {
      couple(&g, k, up);
    }
  }
  for (int64_t r = 0; r < rows->n; r++) {
    couple_row(&g, t, &rows->at[r], list);
  }
  for (int32_t k = 0; k < g.n; k++) {
    g.degree[k] = degree_of(&g, k);
  }
  *out = g;
  return SN_OK;
}

// The stretch of least degree; of equals the last, so that leaves come before roots.
static int32_t least_degree(const graph *g) {
  int32_t best = g->n - 1;
  for (int32_t k = g->n - 2; k >= 0; k--) {
    best = g->degree[k] < g->degree[best] ? k : best;
  }
  return best;
}

// Eliminates stretches that are all coupled with each other, the last first.
static sn_status eliminate_clique(const graph *g, elimination *e, int32_t step, sn_scratch *mem) {
  int32_t from = step;
  for (int32_t k = g->n - 1; k >= 0; k--) {
    if (g->degree[k] < INT32_MAX) {
      e->order[step++] = k;
    }
  }
  for (; from < step; from++) {
    int32_t k = e->order[from];
    e->nbelow[k] = step - 1 - from;
    SN_ALLOC(e->below[k], mem, e->nbelow[k]);
    memcpy(e->below[k], e->order + from + 1, (size_t)e->nbelow[k] * sizeof *e->order);
  }
  return SN_OK;
}

static sn_status minimum_degree(const stretches *t, const groups *rows, elimination *e,
                                sn_scratch *mem) {
  int32_t *list;
  graph g;
  SN_ALLOC(list, mem, t->n);
  SN_TRY(make_graph(t, rows, list, &g, mem));
  int32_t left = 0;
  for (int32_t k = 0; k < t->n; k++) {
    left += t->size[k];
  }
  for (int32_t step = 0; step < t->n; step++) {
    int32_t k = least_degree(&g);
    left -= t->size[k];
    if (g.degree[k] == left) {
      return eliminate_clique(&g, e, step, mem);
    }
    int32_t n = members(&g, neighbors(&g, k), list);
    e->order[step] = k;
    e->nbelow[k] = n;
    SN_ALLOC(e->below[k], mem, n);
    memcpy(e->below[k], list, (size_t)n * sizeof *list);

    // what was coupled with it is now coupled with each other
    for (int32_t i = 0; i < n; i++) {
      uint64_t *set = neighbors(&g, list[i]);
      for (int32_t w = 0; w < g.words; w++) {
        set[w] |= neighbors(&g, k)[w];
      }
      remove_neighbor(&g, list[i], k);
      remove_neighbor(&g, list[i], list[i]);
    }
    for (int32_t i = 0; i < n; i++) {
      g.degree[list[i]] = degree_of(&g, list[i]);
    }
    g.degree[k] = INT32_MAX;
  }
  return SN_OK;
}

sn_status find_order(const stretches *t, const groups *g, elimination *e, sn_scratch *mem) {
  SN_ALLOC(e->order, mem, t->n);
  SN_ALLOC(e->nbelow, mem, t->n);
  SN_ALLOC(e->below, mem, t->n);
  return along_tree(t, g) ? leaves_first(t, e, mem) : minimum_degree(t, g, e, mem);
}
