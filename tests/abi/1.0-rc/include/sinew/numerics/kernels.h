// SPDX-License-Identifier: Apache-2.0
//
// Dense linear algebra, compiled for several instruction sets. A caller selects the table for its
// machine once, in `create`, and keeps it. Not part of the ABI: see sinew/numerics.h. All [any].

#ifndef SINEW_NUMERICS_KERNELS_H
#define SINEW_NUMERICS_KERNELS_H

#include "sinew/abi.h"

SN_BEGIN_DECLS

enum { SN_KERNEL_LANES = 4 };   // leading dimensions are multiples of this

// The smallest leading dimension for n columns.
static inline int32_t sn_kernel_pad(int32_t n) {
  return (n + SN_KERNEL_LANES - 1) & ~(SN_KERNEL_LANES - 1);
}

// The kernels of one instruction set.
typedef struct sn_kernels {
  // y[r] = sum_k A[r n + k] x[k], r < nrow
  void (*rows_times)(int32_t nrow, int32_t n, const double *A, const double *x, double *y);
  // y[k] = sum_r x[r] A[r n + k], k < n
  void (*times_rows)(int32_t nrow, int32_t n, const double *A, const double *x, double *y);
  // C[j ld + i] = sum_r B[r ld + j] G[r ld + i] for j <= i < n; other entries are undefined. ld is
  // a multiple of SN_KERNEL_LANES, C has ld x ld numbers, every pointer is aligned to 32 bytes.
  void (*gram)(int32_t nrow, int32_t n, int32_t ld, const double *B, const double *G, double *C);
  // LDL' factorization of the n columns of a panel of ld rows, stored by columns (ld a multiple of
  // SN_KERNEL_LANES, aligned to 32 bytes). On return column j holds D_j L_j from row j on, the
  // rest is undefined; Dinv[j] = 1 / D_j. work: SN_KERNEL_LANES n numbers. Returns the number of
  // pivots that were not positive.
  int32_t (*factor)(int32_t n, int32_t ld, double *panel, double *Dinv, double *work);
  // The update that eliminating a panel subtracts from `count` columns (at most SN_KERNEL_LANES),
  // which correspond to rows row ... row + count - 1 of the panel: out[q ld + i] = sum_k D_k
  // K_k[row + q] L_k[i] for i >= row + q; earlier entries are undefined. Panel `other` holds D_k
  // K_k: the same panel for a symmetric matrix, for another one the rows of U where `panel` has the
  // columns of L, or the reverse. work: SN_KERNEL_LANES n numbers.
  void (*eliminate)(int32_t n, int32_t ld, const double *panel, const double *other,
                    const double *Dinv, int32_t row, int32_t count, double *work, double *out);
  // Forward substitution with a factored panel; x has ld numbers and is aligned: z[j] = (D^-1 L^-1
  // x)[j] for j < n, and x[i] <- x[i] - sum_j D_j L_ij z[j] for the rows below; x[j] is undefined
  // afterwards.
  void (*forward)(int32_t n, int32_t ld, const double *panel, const double *Dinv, double *x,
                  double *z);
  // Backward substitution: x[j] = z[j] - sum_i L_ij x[i] over i > j, for j = n-1 ... 0. On entry, x
  // must be 0 for j < n and from the last row on.
  void (*backward)(int32_t n, int32_t ld, const double *panel, const double *Dinv, double *x,
                   const double *z);
} sn_kernels;

// The table for the instruction set of this machine: AVX2 with FMA where it has both.
const sn_kernels *sn_kernels_for_machine(void);

SN_END_DECLS

#endif
