// SPDX-License-Identifier: Apache-2.0
//
// The operator of the dual problem, A = J M^-1 J': how constraint forces accelerate constraints.
// Row i is J_i M^-1 J', with one tree solve a row.

#include <string.h>

#include "numerics/tree.h"
#include "step/pipeline.h"

static double dot_row(const sn_sparse *J, int64_t i, const double *x) {
  const int32_t *col = J->col + J->adr[i];
  const double *val = J->val + J->adr[i];
  double sum = 0;
  for (int32_t k = 0; k < J->nnz[i]; k++) {
    sum += val[k] * x[col[k]];
  }
  return sum;
}

sn_sparse si_dual(const sn_problem *problem, sn_scratch *scratch) {
  const sn_sparse *J = &problem->J;
  int64_t n = problem->nefc, nv = problem->nv;
  double *A = sn_take_reals(scratch, n * n);
  int32_t *col = sn_take_ints(scratch, n * n);
  int32_t *nnz = sn_take_ints(scratch, n);
  int32_t *adr = sn_take_ints(scratch, n);
  double *x = sn_take_reals(scratch, nv);

  for (int64_t i = 0; i < n; i++) {
    memset(x, 0, (size_t)nv * sizeof(double));
    for (int32_t k = 0; k < J->nnz[i]; k++) {
      x[J->col[J->adr[i] + k]] = J->val[J->adr[i] + k];
    }
    si_tree_solve(&problem->inertia, x);
    for (int64_t j = 0; j < n; j++) {
      A[i * n + j] = j < i ? A[j * n + i] : dot_row(J, j, x);
      col[i * n + j] = (int32_t)j;
    }
    nnz[i] = (int32_t)n;
    adr[i] = (int32_t)(i * n);
  }
  return (sn_sparse){ .nnz = nnz, .adr = adr, .col = col, .val = A, .nrow = n, .ncol = n };
}
