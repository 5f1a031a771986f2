// SPDX-License-Identifier: Apache-2.0
//
// Products with an inertia matrix along the kinematic tree; layout in sn_inertia. The columns of
// its rows are written out once, so that no loop follows the parents one by one:
//
//   column[adr[i] ...] = i, parent of i, its parent ...   = i, then the columns of the parent's row

#ifndef SOLVERS_INERTIA_H
#define SOLVERS_INERTIA_H

#include <string.h>

#include "pool.h"
#include "sinew/plugin.h"

typedef struct inertia {
  const sn_inertia *m;
  int32_t *column;   // nM
  int32_t *length;   // nv; of the rows
} inertia;

static inline inertia inertia_make(const sn_inertia *m, pool *mem) {
  inertia s = { .m = m, .column = take_ints(mem, m->nM), .length = take_ints(mem, m->nv) };
  for (int64_t i = 0; i < m->nv; i++) {
    int32_t up = m->parent[i], *row = s.column + m->adr[i];
    row[0] = (int32_t)i;
    s.length[i] = 1;
    if (up >= 0) {
      s.length[i] += s.length[up];
      memcpy(row + 1, s.column + m->adr[up], (size_t)s.length[up] * sizeof *row);
    }
  }
  return s;
}

// y = M x
static inline void inertia_multiply(const inertia *s, const double *x, double *y) {
  for (int64_t i = 0; i < s->m->nv; i++) {
    const double *M = s->m->M + s->m->adr[i];
    const int32_t *column = s->column + s->m->adr[i];
    double sum = M[0] * x[i], xi = x[i];
    for (int32_t k = 1; k < s->length[i]; k++) {
      sum += M[k] * x[column[k]];
      y[column[k]] += M[k] * xi;
    }
    y[i] = sum;
  }
}

// x <- M^-1 x, with L'DL = M
static inline void inertia_solve(const inertia *s, double *x) {
  for (int64_t i = s->m->nv - 1; i >= 0; i--) {
    const double *L = s->m->L + s->m->adr[i];
    const int32_t *column = s->column + s->m->adr[i];
    double xi = x[i];
    for (int32_t k = 1; k < s->length[i]; k++) {
      x[column[k]] -= L[k] * xi;
    }
  }
  for (int64_t i = 0; i < s->m->nv; i++) {
    const double *L = s->m->L + s->m->adr[i];
    const int32_t *column = s->column + s->m->adr[i];
    double sum = x[i] * s->m->Dinv[i];
    for (int32_t k = 1; k < s->length[i]; k++) {
      sum -= L[k] * x[column[k]];
    }
    x[i] = sum;
  }
}

#endif
