// SPDX-License-Identifier: Apache-2.0
//
// LU of an unsymmetric matrix with the sparsity of M, for integrators that are implicit in
// velocity. Dof k is eliminated before its ancestors, whose rows and columns alone it touches: for
// ancestors p and q of k, A(p, q) -= A(p, k) / A(k, k) * A(k, q). The right-hand side is
// eliminated with it.

#include "sinew/numerics/tree.h"

void sn_unsymmetric_solve(int64_t nv, const int32_t *parent, const int32_t *adr, sn_unsymmetric A,
                          double *x) {
  for (int32_t k = (int32_t)nv - 1; k >= 0; k--) {
    const double *row = A.lower + adr[k], *column = A.upper + adr[k];
    int32_t n = sn_tree_row_length(nv, parent, adr, k), i = parent[k];
    for (int32_t p = 1; p < n; p++, i = parent[i]) {
      // row p of k's ancestors from its diagonal on; and column p, below the diagonal
      double scale = column[p] / row[0], pivot = row[p] / row[0];
      double *lower = A.lower + adr[i], *upper = A.upper + adr[i];
      x[i] -= scale * x[k];
      for (int32_t q = p; q < n; q++) {
        lower[q - p] -= scale * row[q];
        upper[q - p] -= pivot * column[q];
      }
    }
  }
  // every row has only ancestors left
  for (int32_t k = 0; k < (int32_t)nv; k++) {
    const double *row = A.lower + adr[k];
    double sum = x[k];
    for (int32_t i = parent[k]; i >= 0; i = parent[i]) {
      sum -= *++row * x[i];
    }
    x[k] = sum / A.lower[adr[k]];
  }
}
