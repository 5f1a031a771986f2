// SPDX-License-Identifier: Apache-2.0
//
// Products with sparse rows (sn_sparse, sinew/abi.h): the Jacobians of constraints, tendons and
// actuators. Not part of the ABI: see sinew/numerics.h. All [any].

#ifndef SINEW_NUMERICS_SPARSE_H
#define SINEW_NUMERICS_SPARSE_H

#include <string.h>

#include "sinew/plugin.h"

SN_BEGIN_DECLS

// One row: n numbers and their columns, ascending.
typedef struct sn_sparse_row {
  int32_t n;
  const int32_t *col;
  const double *val;
} sn_sparse_row;

// Row i of a matrix.
static inline sn_sparse_row sn_sparse_row_at(const sn_sparse *A, int64_t i) {
  sn_sparse_row row = { A->nnz[i], A->col + A->adr[i], A->val + A->adr[i] };
  return row;
}

// The product of a row and x, summed in the order of the columns.
static inline double sn_row_dot(sn_sparse_row a, const double *x) {
  double sum = 0;
  for (int32_t k = 0; k < a.n; k++) {
    sum += a.val[k] * x[a.col[k]];
  }
  return sum;
}

// The same with two sums, of even and odd entries, which the processor computes in parallel. The
// result may differ from that of sn_row_dot by rounding errors.
static inline double sn_row_dot_paired(sn_sparse_row a, const double *x) {
  double even = 0, odd = 0;
  int32_t k = 0;
  for (; k + 1 < a.n; k += 2) {
    even += a.val[k] * x[a.col[k]];
    odd += a.val[k + 1] * x[a.col[k + 1]];
  }
  return k < a.n ? even + odd + a.val[k] * x[a.col[k]] : even + odd;
}

// y += s a
static inline void sn_row_add(sn_sparse_row a, double s, double *y) {
  for (int32_t k = 0; k < a.n; k++) {
    y[a.col[k]] += s * a.val[k];
  }
}

// y (nrow) = A x
static inline void sn_sparse_multiply(const sn_sparse *A, const double *x, double *y) {
  for (int64_t i = 0; i < A->nrow; i++) {
    y[i] = sn_row_dot(sn_sparse_row_at(A, i), x);
  }
}

// y = A x with sn_row_dot_paired.
static inline void sn_sparse_multiply_paired(const sn_sparse *A, const double *x, double *y) {
  for (int64_t i = 0; i < A->nrow; i++) {
    y[i] = sn_row_dot_paired(sn_sparse_row_at(A, i), x);
  }
}

// y (ncol) += A' x
static inline void sn_sparse_add_transposed(const sn_sparse *A, const double *x, double *y) {
  for (int64_t i = 0; i < A->nrow; i++) {
    if (x[i] != 0) {
      sn_row_add(sn_sparse_row_at(A, i), x[i], y);
    }
  }
}

// out (nrow x ncol) = A, as a dense matrix
static inline void sn_sparse_full(const sn_sparse *A, double *out) {
  memset(out, 0, (size_t)(A->nrow * A->ncol) * sizeof *out);
  for (int64_t i = 0; i < A->nrow; i++) {
    sn_sparse_row row = sn_sparse_row_at(A, i);
    for (int32_t k = 0; k < row.n; k++) {
      out[i * A->ncol + row.col[k]] = row.val[k];
    }
  }
}

// A = J M^-1 J', the inverse inertia in constraint space (the Delassus matrix): maps constraint
// forces to accelerations along the constraints. All its entries are stored, in scratch memory.
// SN_ENOMEM: the scratch memory is exhausted.
sn_status sn_delassus(const sn_sparse *J, const sn_inertia *inertia, sn_scratch *scratch,
                      sn_sparse *out);

// C = J L^-1 D^-1/2 with M = L'DL, the Jacobian in coordinates in which the inertia is the
// identity, so that C C' = J M^-1 J'. The columns of row i are those of row i of J and their
// ancestors. Consecutive rows with the same columns in J have the same columns in C, and their
// entries are contiguous. C is stored in scratch memory. SN_ENOMEM: the scratch memory is
// exhausted.
sn_status sn_whitened_jacobian(const sn_sparse *J, const sn_inertia *inertia, sn_scratch *scratch,
                               sn_sparse *out);

SN_END_DECLS

#endif
