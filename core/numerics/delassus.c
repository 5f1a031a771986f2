// SPDX-License-Identifier: Apache-2.0
//
// The Delassus matrix, row by row: J_i M^-1 by one solution along the tree, then its products with
// the rows of J. It is symmetric, so that half of the products are copied.

#include <string.h>

#include "sinew/numerics/sparse.h"
#include "sinew/numerics/tree.h"

sn_status sn_delassus(const sn_sparse *J, const sn_inertia *inertia, sn_scratch *scratch,
                      sn_sparse *out) {
  int64_t n = J->nrow, nv = J->ncol;
  double *A, *x;
  int32_t *col, *nnz, *adr;
  SN_ALLOC(A, scratch, n * n);
  SN_ALLOC(col, scratch, n * n);
  SN_ALLOC(nnz, scratch, n);
  SN_ALLOC(adr, scratch, n);
  SN_ALLOC(x, scratch, nv);

  for (int64_t i = 0; i < n; i++) {
    memset(x, 0, (size_t)nv * sizeof(double));
    sn_row_add(sn_sparse_row_at(J, i), 1, x);
    sn_tree_solve(inertia, x);
    for (int64_t j = 0; j < n; j++) {
      A[i * n + j] = j < i ? A[j * n + i] : sn_row_dot(sn_sparse_row_at(J, j), x);
      col[i * n + j] = (int32_t)j;
    }
    nnz[i] = (int32_t)n;
    adr[i] = (int32_t)(i * n);
  }
  *out = (sn_sparse){ .nnz = nnz, .adr = adr, .col = col, .val = A, .nrow = n, .ncol = n };
  return SN_OK;
}
