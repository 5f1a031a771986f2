// SPDX-License-Identifier: Apache-2.0
//
// L'DL of a matrix along the kinematic tree, Featherstone (2008), section 6.5.
//
// The rows follow one another; row k holds dof k, its parent, the parent's parent ... to the root:
//
//   row k   [ kk | k p(k) | k p(p(k)) | ... ]      entry q couples k with its q-th ancestor a_q
//
// The ancestors of a_q are the tail of those of k. So the update of row a_q in eliminating k,
// L[a_q][.] -= L[k][q] / D_k * L[k][q + .], is one loop over two contiguous rows.
//
// Dofs of a body, and of bodies in a chain, follow one another too: a run is a sequence of dofs
// first .. last, each the parent of the next. The rows of a run are
//
//   last       [ last  last-1 ... first | a_0 a_1 a_2 ... ]
//   ...                                 |
//   first      [ first                  | a_0 a_1 a_2 ... ]      a_0 = parent(first)
//                 within the run          above the run, the same for all of them
//
// so that within a run indices are known, and above it each ancestor is looked up once a run.

#include "sinew/numerics/tree.h"

#include <string.h>

#include "sinew/math.h"

// A run of dofs.
typedef struct run {
  int32_t first, last;
  int32_t top;     // parent of the first; -1: none
  int32_t above;   // dofs above the run
} run;

// The run that ends in dof `last`.
static inline run run_before(int64_t nv, const int32_t *parent, const int32_t *adr, int32_t last) {
  int32_t first = last;
  while (first > 0 && parent[first] == first - 1) {
    first--;
  }
  int32_t top = parent[first];
  int32_t above = top < 0 ? 0 : sn_tree_row_length(nv, parent, adr, first) - 1;
  return (run){ first, last, top, above };
}

// The run that begins with dof `first`.
static inline run run_after(int64_t nv, const int32_t *parent, const int32_t *adr, int32_t first) {
  int32_t last = first;
  while (last + 1 < nv && parent[last + 1] == last) {
    last++;
  }
  int32_t top = parent[first];
  int32_t above = top < 0 ? 0 : sn_tree_row_length(nv, parent, adr, first) - 1;
  return (run){ first, last, top, above };
}

// ------------------------------------------------------------------ blocks
//
// A run from the root on is a triangle of n (n + 1) / 2 numbers: entry q of row t at t (t + 1) / 2
// + q. Single bodies are such blocks, and often diagonal ones.

enum { BLOCK = 6 };   // dofs of the largest block that is unrolled

static inline int is_block(const run *r) {
  return r->top < 0 && r->last - r->first < BLOCK;
}

// Is a block diagonal, to the last bit? (A negative zero counts as a number.)
static inline int is_diagonal(const double *block, int32_t n) {
  uint64_t bits = 0;
  for (int32_t t = 1; t < n; t++) {
    for (int32_t q = 1; q <= t; q++) {
      uint64_t entry;
      memcpy(&entry, block + t * (t + 1) / 2 + q, sizeof entry);
      bits |= entry;
    }
  }
  return bits == 0;
}

// ------------------------------------------------------------------ factorization

// y -= a1 x1 (+ a2 x2 + a3 x3)
static inline void subtract1(double *restrict y, int32_t n, double a, const double *restrict x) {
  for (int32_t i = 0; i < n; i++) {
    y[i] -= a * x[i];
  }
}

static inline void subtract3(double *restrict y, int32_t n, const double *a,
                             const double *restrict x1, const double *restrict x2,
                             const double *restrict x3) {
  for (int32_t i = 0; i < n; i++) {
    y[i] -= a[0] * x1[i] + a[1] * x2[i] + a[2] * x3[i];
  }
}

// Eliminates the dofs of a run from the rows of the run. Rows stay unscaled; Dinv is made.
// 1 / pivot. Where M is not positive, the pivot becomes the smallest that a factor can have.
static double inverse_pivot(double *pivot) {
  if (!(*pivot > SN_TINY)) {
    *pivot = SN_TINY;
  }
  return 1 / *pivot;
}

__attribute__((always_inline)) static inline void eliminate_within(const run *r, const int32_t *adr,
                                                                   double *L, double *Dinv) {
  for (int32_t t = r->last; t >= r->first; t--) {
    const double *row = L + adr[t];
    int32_t inside = t - r->first, n = inside + 1 + r->above;
    Dinv[t] = inverse_pivot(L + adr[t]);
    for (int32_t p = 1; p <= inside; p++) {
      subtract1(L + adr[t - p], n - p, row[p] * Dinv[t], row + p);
    }
  }
}

// Eliminates them from the rows of the dofs above, three at a time.
__attribute__((always_inline)) static inline void eliminate_above(const run *r,
                                                                  const int32_t *parent,
                                                                  const int32_t *adr, double *L,
                                                                  const double *Dinv) {
  int32_t t = r->last;
  for (; t - r->first >= 2; t -= 3) {
    const double *x1 = L + adr[t] + (t - r->first) + 1;
    const double *x2 = L + adr[t - 1] + (t - r->first), *x3 = L + adr[t - 2] + (t - r->first) - 1;
    for (int32_t q = 0, i = r->top; q < r->above; q++, i = parent[i]) {
      const double a[3] = { x1[q] * Dinv[t], x2[q] * Dinv[t - 1], x3[q] * Dinv[t - 2] };
      subtract3(L + adr[i], r->above - q, a, x1 + q, x2 + q, x3 + q);
    }
  }
  for (; t >= r->first; t--) {
    const double *x = L + adr[t] + (t - r->first) + 1;
    for (int32_t q = 0, i = r->top; q < r->above; q++, i = parent[i]) {
      subtract1(L + adr[i], r->above - q, x[q] * Dinv[t], x + q);
    }
  }
}

// Divides the rows by their pivots.
static void scale_rows(const run *r, const int32_t *adr, double *L, const double *Dinv) {
  for (int32_t t = r->first; t <= r->last; t++) {
    double *row = L + adr[t];
    int32_t n = t - r->first + 1 + r->above;
    for (int32_t p = 1; p < n; p++) {
      row[p] *= Dinv[t];
    }
  }
}

// Also where all are factored: a copy of its own there, since most matrices are small.
__attribute__((always_inline)) static inline void factor_part(int64_t nv, const int32_t *parent,
                                                              const int32_t *adr, int32_t begin,
                                                              int32_t end, double *L,
                                                              double *Dinv) {
  int32_t last = end - 1;
  while (last >= begin) {
    run r = run_before(nv, parent, adr, last);
    last = r.first - 1;
    if (is_block(&r) && is_diagonal(L + adr[r.first], r.last - r.first + 1)) {
      for (int32_t t = r.first; t <= r.last; t++) {
        Dinv[t] = inverse_pivot(L + adr[t]);
      }
      continue;
    }
    eliminate_within(&r, adr, L, Dinv);
    if (r.above > 0) {
      eliminate_above(&r, parent, adr, L, Dinv);
    }
    scale_rows(&r, adr, L, Dinv);
  }
}

void sn_tree_factor_part(int64_t nv, const int32_t *parent, const int32_t *adr, int32_t begin,
                         int32_t end, double *L, double *Dinv) {
  factor_part(nv, parent, adr, begin, end, L, Dinv);
}

void sn_tree_factor(int64_t nv, const int32_t *parent, const int32_t *adr, const double *M,
                    double *L, double *Dinv) {
  int32_t last = (int32_t)nv - 1;
  if (last < 0) {
    return;
  }
  memcpy(L, M, (size_t)(adr[last] + sn_tree_row_length(nv, parent, adr, last)) * sizeof(double));
  factor_part(nv, parent, adr, 0, (int32_t)nv, L, Dinv);
}

// ------------------------------------------------------------------ solution

enum { CHUNK = 64 };   // dofs above a run that are gathered at once

// x <- L'^-1 x for the dofs of a run: what those above lose to them, the nearest first.
static void solve_upward(const run *r, const int32_t *parent, const int32_t *adr, const double *L,
                         double *x) {
  for (int32_t t = r->last; t > r->first; t--) {
    const double *row = L + adr[t];
    double *below = x + t, value = x[t];
    for (int32_t p = 1; p <= t - r->first; p++) {
      below[-p] -= row[p] * value;
    }
  }
  int32_t i = r->top;
  for (int32_t begin = 0; begin < r->above; begin += CHUNK) {
    double loss[CHUNK];
    int32_t n = r->above - begin < CHUNK ? r->above - begin : CHUNK;
    memset(loss, 0, (size_t)n * sizeof(double));
    for (int32_t t = r->first; t <= r->last; t++) {
      const double *row = L + adr[t] + t - r->first + 1 + begin;
      double value = x[t];
      for (int32_t q = 0; q < n; q++) {
        loss[q] += row[q] * value;
      }
    }
    for (int32_t q = 0; q < n; q++, i = parent[i]) {
      x[i] -= loss[q];
    }
  }
}

// x <- L^-1 x: what the dofs of a run lose to those above, the farthest first: the nearest was
// computed just before, and nothing else has to wait for it.
static void solve_downward(const run *r, const int32_t *parent, const int32_t *adr, const double *L,
                           double *x) {
  int32_t i = r->top;
  for (int32_t begin = 0; begin < r->above; begin += CHUNK) {
    double above[CHUNK];
    int32_t n = r->above - begin < CHUNK ? r->above - begin : CHUNK;
    for (int32_t q = 0; q < n; q++, i = parent[i]) {
      above[q] = x[i];
    }
    for (int32_t t = r->first; t <= r->last; t++) {
      const double *row = L + adr[t] + t - r->first + 1 + begin;
      double even = 0, odd = 0;
      int32_t q = n - 1;
      for (; q > 0; q -= 2) {
        even += row[q] * above[q];
        odd += row[q - 1] * above[q - 1];
      }
      x[t] -= q == 0 ? (even + odd) + row[0] * above[0] : even + odd;
    }
  }
  for (int32_t t = r->first + 1; t <= r->last; t++) {
    const double *row = L + adr[t], *below = x + t;
    double sum = x[t];
    for (int32_t p = t - r->first; p > 0; p--) {
      sum -= row[p] * below[-p];
    }
    x[t] = sum;
  }
}

__attribute__((always_inline)) static inline void solve_part(const sn_inertia *inertia,
                                                             int32_t begin, int32_t end,
                                                             double *x) {
  const int32_t *parent = inertia->parent, *adr = inertia->adr;
  int32_t nv = (int32_t)inertia->nv;
  for (int32_t last = end - 1; last >= begin;) {
    run r = run_before(nv, parent, adr, last);
    last = r.first - 1;
    if (!is_block(&r) || !is_diagonal(inertia->L + adr[r.first], r.last - r.first + 1)) {
      solve_upward(&r, parent, adr, inertia->L, x);
    }
  }
  for (int32_t k = begin; k < end; k++) {
    x[k] *= inertia->Dinv[k];
  }
  for (int32_t first = begin; first < end;) {
    run r = run_after(nv, parent, adr, first);
    first = r.last + 1;
    if (!is_block(&r) || !is_diagonal(inertia->L + adr[r.first], r.last - r.first + 1)) {
      solve_downward(&r, parent, adr, inertia->L, x);
    }
  }
}

void sn_tree_solve_part(const sn_inertia *inertia, int32_t begin, int32_t end, double *x) {
  solve_part(inertia, begin, end, x);
}

void sn_tree_solve(const sn_inertia *inertia, double *x) {
  const sn_inertia_recursion *recursion = sn_recursion_of(inertia);
  if (recursion) {
    recursion->solve(inertia, NULL, x);
  } else {
    solve_part(inertia, 0, (int32_t)inertia->nv, x);
  }
}

void sn_tree_solve_plain(const sn_inertia *inertia, double *x) {
  const sn_inertia_recursion *recursion = sn_recursion_of(inertia);
  if (recursion) {
    recursion->solve(inertia, NULL, x);
    return;
  }
  const int32_t *parent = inertia->parent, *adr = inertia->adr;
  int32_t nv = (int32_t)inertia->nv;
  for (int32_t k = nv - 1; k >= 0; k--) {
    sn_tree_eliminate(inertia, k, x);
  }
  for (int32_t k = 0; k < nv; k++) {
    const double *entry = inertia->L + adr[k];
    double sum = x[k] * inertia->Dinv[k];
    for (int32_t i = parent[k]; i >= 0; i = parent[i]) {
      sum -= *++entry * x[i];
    }
    x[k] = sum;
  }
}

// ------------------------------------------------------------------ product

enum { SHORT_RUN = 8 };   // dofs

// y += M x for the rows of a run and what is symmetric to them; y of the run is written.
static void multiply_run(const run *r, const int32_t *parent, const int32_t *adr, const double *M,
                         const double *x, double *y) {
  for (int32_t t = r->first; t <= r->last; t++) {
    const double *row = M + adr[t], *x_below = x + t;
    double *y_below = y + t, value = x[t], sum = row[0] * value;
    for (int32_t p = 1; p <= t - r->first; p++) {
      sum += row[p] * x_below[-p];
      y_below[-p] += row[p] * value;
    }
    row += t - r->first + 1;
    for (int32_t q = 0, i = r->top; q < r->above; q++, i = parent[i]) {
      sum += row[q] * x[i];
      y[i] += row[q] * value;
    }
    y[t] = sum;
  }
}

// The same for a short run, whose rows are too short for loops over consecutive numbers.
static void multiply_rows(const run *r, const int32_t *parent, const int32_t *adr, const double *M,
                          const double *x, double *y) {
  for (int32_t t = r->first; t <= r->last; t++) {
    const double *entry = M + adr[t];
    double value = x[t], sum = *entry * value;
    for (int32_t i = parent[t]; i >= 0; i = parent[i]) {
      const double a = *++entry;
      sum += a * x[i];
      y[i] += a * value;
    }
    y[t] = sum;
  }
}

void sn_tree_multiply(const sn_inertia *inertia, const double *x, double *y) {
  const sn_inertia_recursion *recursion = sn_recursion_of(inertia);
  if (recursion) {
    recursion->multiply(inertia, x, y);
    return;
  }
  const int32_t *parent = inertia->parent, *adr = inertia->adr;
  int32_t nv = (int32_t)inertia->nv;
  for (int32_t first = 0; first < nv;) {
    run r = run_after(nv, parent, adr, first);
    first = r.last + 1;
    if (is_block(&r) && is_diagonal(inertia->M + adr[r.first], r.last - r.first + 1)) {
      for (int32_t t = r.first; t <= r.last; t++) {
        y[t] = inertia->M[adr[t]] * x[t];
      }
    } else if (r.last - r.first < SHORT_RUN) {
      multiply_rows(&r, parent, adr, inertia->M, x, y);
    } else {
      multiply_run(&r, parent, adr, inertia->M, x, y);
    }
  }
}
