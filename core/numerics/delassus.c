// SPDX-License-Identifier: Apache-2.0
//
// The Delassus matrix A, row by row: J_i M^-1 by one solution along the tree, then its products
// with the rows of J. It is symmetric, so that half of the products are copied. And C with C C' = A
// by half of that solution, which stays within the ancestors of the columns of J_i.

#include <math.h>
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

// The columns of a row of C: those of the row of J and their ancestors, ascending. mark, nv: dofs
// that were met before have a number below `stamp`.
static int32_t with_ancestors(sn_sparse_row row, const int32_t *parent, int32_t stamp,
                              int32_t *mark, int32_t *cols) {
  int32_t n = 0;
  for (int32_t k = 0; k < row.n; k++) {
    for (int32_t dof = row.col[k]; dof >= 0 && mark[dof] != stamp; dof = parent[dof]) {
      mark[dof] = stamp;
      int32_t at = n++;
      for (; at > 0 && cols[at - 1] > dof; at--) {
        cols[at] = cols[at - 1];
      }
      cols[at] = dof;
    }
  }
  return n;
}

static int same_columns(sn_sparse_row a, sn_sparse_row b) {
  return a.n == b.n && memcmp(a.col, b.col, (size_t)a.n * sizeof *a.col) == 0;
}

// The pattern of C: nnz, adr, and the columns of all rows; val: its numbers, not yet set. Two
// passes, the first counts.
static sn_status whitened_pattern(const sn_sparse *J, const sn_inertia *inertia,
                                  sn_scratch *scratch, sn_sparse *out, double **val) {
  int32_t *nnz, *adr, *mark, *cols, *col = NULL;
  SN_ALLOC(nnz, scratch, J->nrow);
  SN_ALLOC(adr, scratch, J->nrow);
  SN_ALLOC(mark, scratch, J->ncol);
  SN_ALLOC(cols, scratch, J->ncol);
  memset(mark, 0, (size_t)J->ncol * sizeof *mark);
  int32_t total = 0, stamp = 0;
  for (int32_t pass = 0; pass < 2; pass++) {
    total = 0;
    for (int64_t i = 0; i < J->nrow; i++) {
      sn_sparse_row row = sn_sparse_row_at(J, i);
      if (i == 0 || !same_columns(row, sn_sparse_row_at(J, i - 1))) {
        nnz[i] = with_ancestors(row, inertia->parent, ++stamp, mark, cols);
      } else {
        nnz[i] = nnz[i - 1];
      }
      adr[i] = total;
      total += nnz[i];
      if (col) {
        memcpy(col + adr[i], cols, (size_t)nnz[i] * sizeof *cols);
      }
    }
    if (!col) {
      SN_ALLOC(col, scratch, total);
    }
  }
  SN_ALLOC(*val, scratch, total);
  *out = (sn_sparse){
    .nnz = nnz, .adr = adr, .col = col, .val = *val, .nrow = J->nrow, .ncol = J->ncol
  };
  return SN_OK;
}

sn_status sn_whitened_jacobian(const sn_sparse *J, const sn_inertia *inertia, sn_scratch *scratch,
                               sn_sparse *out) {
  double *x, *scale, *val;
  SN_TRY(whitened_pattern(J, inertia, scratch, out, &val));
  SN_ALLOC(x, scratch, J->ncol);
  SN_ALLOC(scale, scratch, J->ncol);
  for (int64_t k = 0; k < J->ncol; k++) {
    scale[k] = sqrt(inertia->Dinv[k]);
    x[k] = 0;
  }
  for (int64_t i = 0; i < J->nrow; i++) {
    const int32_t *col = out->col + out->adr[i];
    double *row = val + out->adr[i];
    sn_row_add(sn_sparse_row_at(J, i), 1, x);
    for (int32_t k = out->nnz[i] - 1; k >= 0; k--) {
      sn_tree_eliminate(inertia, col[k], x);
      row[k] = scale[col[k]] * x[col[k]];
      x[col[k]] = 0;
    }
  }
  return SN_OK;
}
