// SPDX-License-Identifier: Apache-2.0
//
// L'DL of a matrix along the kinematic tree, Featherstone (2008), section 6.5. The loops, and the
// layout of the rows, are in tree_loops.h.

#include "sinew/numerics/tree.h"

#include <string.h>

#include "sinew/math.h"

// 1 / pivot. Where M is not positive, the pivot becomes the smallest that a factor can have.
static inline double inverse_pivot(double *pivot) {
  if (!(*pivot > SN_TINY)) {
    *pivot = SN_TINY;
  }
  return 1 / *pivot;
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

#define NUMBER double
#define ZERO 0
#include "tree_loops.h"

// ------------------------------------------------------------------ factorization

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

void sn_tree_solve_part(const sn_inertia *inertia, int32_t begin, int32_t end, double *x) {
  solve_part(inertia->nv, inertia->parent, inertia->adr, begin, end, inertia->L, inertia->Dinv, x);
}

void sn_tree_solve(const sn_inertia *inertia, double *x) {
  const sn_inertia_recursion *recursion = sn_recursion_of(inertia);
  if (recursion) {
    recursion->solve(inertia, NULL, x);
  } else {
    solve_part(inertia->nv, inertia->parent, inertia->adr, 0, (int32_t)inertia->nv, inertia->L,
               inertia->Dinv, x);
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
