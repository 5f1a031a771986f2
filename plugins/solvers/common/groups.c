// SPDX-License-Identifier: Apache-2.0
//
// Groups of rows and products with the Jacobian; see groups.h.

#include "groups.h"

#include <string.h>

#include "dot.h"

// The run of rows from `row` on, at most to `end`, whose numbers follow each other.
static group take_rows(const sn_sparse *J, int32_t row, int32_t end) {
  int32_t n = J->nnz[row], adr = J->adr[row], next = row + 1;
  while (next < end && J->nnz[next] == n && J->adr[next] == adr + (next - row) * n) {
    next++;
  }
  return (
      group){ .row = row, .nrow = next - row, .ncol = n, .col = J->col + adr, .J = J->val + adr };
}

// Whether b continues a: same columns, next rows, next numbers.
static int continues(const group *a, const group *b) {
  return a->ncol == b->ncol && b->J == a->J + (int64_t)a->nrow * a->ncol &&
         memcmp(a->col, b->col, (size_t)a->ncol * sizeof *a->col) == 0;
}

sn_status groups_make(groups *g, const sn_problem *problem, const sn_kernels *kernel,
                      sn_scratch *mem) {
  *g = (groups){ .problem = problem, .kernel = kernel };
  SN_ALLOC(g->at, mem, problem->nefc);
  SN_ALLOC(g->gathered, mem, problem->nv);
  SN_ALLOC(g->sums, mem, problem->nv);
  for (int64_t b = 0; b < problem->nblock; b++) {
    int32_t row = problem->block[b].row, end = row + problem->block[b].nrow;
    while (row < end) {
      group next = take_rows(&problem->J, row, end);
      row += next.nrow;
      if (g->n && continues(&g->at[g->n - 1], &next)) {
        g->at[g->n - 1].nrow += next.nrow;
      } else {
        g->at[g->n++] = next;
      }
    }
  }
  return SN_OK;
}

void groups_multiply(const groups *g, const double *x, double *y) {
  for (int64_t k = 0; k < g->n; k++) {
    const group *a = &g->at[k];
    if (a->ncol == 1) {
      for (int32_t r = 0; r < a->nrow; r++) {
        y[a->row + r] = a->J[r] * x[a->col[0]];
      }
      continue;
    }
    if (a->nrow == 1) {
      y[a->row] = dot_sparse(a->ncol, a->J, a->col, x);
      continue;
    }
    for (int32_t i = 0; i < a->ncol; i++) {
      g->gathered[i] = x[a->col[i]];
    }
    g->kernel->rows_times(a->nrow, a->ncol, a->J, g->gathered, y + a->row);
  }
}

void groups_multiply_transposed(const groups *g, const double *f, double *y) {
  memset(y, 0, (size_t)g->problem->nv * sizeof *y);
  for (int64_t k = 0; k < g->n; k++) {
    const group *a = &g->at[k];
    const double *force = f + a->row;
    int32_t r = 0;
    while (r < a->nrow && force[r] == 0) {
      r++;
    }
    if (r == a->nrow) {
      continue;
    }
    if (a->nrow == 1) {
      for (int32_t i = 0; i < a->ncol; i++) {
        y[a->col[i]] += a->J[i] * force[0];
      }
      continue;
    }
    g->kernel->times_rows(a->nrow, a->ncol, a->J, force, g->sums);
    for (int32_t i = 0; i < a->ncol; i++) {
      y[a->col[i]] += g->sums[i];
    }
  }
}
