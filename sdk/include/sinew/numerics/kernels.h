// SPDX-License-Identifier: Apache-2.0
//
// Dense loops, compiled for several instruction sets. A caller takes the table that suits the
// machine once, when it is created, and keeps it. Source-level: see sinew/numerics.h. All [any].

#ifndef SINEW_NUMERICS_KERNELS_H
#define SINEW_NUMERICS_KERNELS_H

#include "sinew/abi.h"

SN_BEGIN_DECLS

enum { SN_KERNEL_LANES = 4 };   // leading dimensions are multiples of this

static inline int32_t sn_kernel_pad(int32_t n) {
  return (n + SN_KERNEL_LANES - 1) & ~(SN_KERNEL_LANES - 1);
}

typedef struct sn_kernels {
  // y[r] = sum_k A[r n + k] x[k], r < nrow
  void (*rows_times)(int32_t nrow, int32_t n, const double *A, const double *x, double *y);
  // y[k] = sum_r x[r] A[r n + k], k < n
  void (*times_rows)(int32_t nrow, int32_t n, const double *A, const double *x, double *y);
  // C[j ld + i] = sum_r B[r ld + j] G[r ld + i] for j <= i < n; other entries are undefined. ld is
  // a multiple of SN_KERNEL_LANES, C has room for ld x ld, every pointer is aligned to 32 bytes.
  void (*gram)(int32_t nrow, int32_t n, int32_t ld, const double *B, const double *G, double *C);
  // LDL' of the n columns of a panel of ld rows, stored by columns (ld a multiple of
  // SN_KERNEL_LANES, aligned to 32 bytes). On return column j holds D_j L_j from row j on, the
  // rest is undefined; Dinv[j] = 1 / D_j. work: SN_KERNEL_LANES n numbers. Returns how many pivots
  // were not positive.
  int32_t (*factor)(int32_t n, int32_t ld, double *panel, double *Dinv, double *work);
  // What elimination of a panel takes from `count` columns (at most SN_KERNEL_LANES) that stand at
  // rows row ... of the panel: out[q ld + i] = sum_k D_k L_k[row + q] L_k[i] from i = row + q on;
  // earlier entries are undefined. work: SN_KERNEL_LANES n numbers.
  void (*eliminate)(int32_t n, int32_t ld, const double *panel, const double *Dinv, int32_t row,
                    int32_t count, double *work, double *out);
  // With a factored panel and x of ld numbers, aligned: z[j] = (D^-1 L^-1 x)[j] for j < n, and for
  // the rows below x[i] <- x[i] - sum_j D_j L_ij z[j]; x[j] is undefined then.
  void (*forward)(int32_t n, int32_t ld, const double *panel, const double *Dinv, double *x,
                  double *z);
  // x[j] = z[j] - sum_i L_ij x[i] over i > j, for j = n-1 ... 0. Before, x is 0 for j < n and from
  // the last row on.
  void (*backward)(int32_t n, int32_t ld, const double *panel, const double *Dinv, double *x,
                   const double *z);
} sn_kernels;

// The table for the instruction set of this machine: AVX2 with FMA where it has both.
const sn_kernels *sn_kernels_for_machine(void);

SN_END_DECLS

#endif
