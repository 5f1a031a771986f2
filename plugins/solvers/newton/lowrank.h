// SPDX-License-Identifier: Apache-2.0
//
// The Hessian H = M + J' C J where M is not known by its entries (sn_inertia.recursion): few rows
// couple several dofs, in a tree that is so deep that M costs more than all else. Rows on one dof
// add to the diagonal, and the others, with C = V V' and B = V' J, are a change of low rank:
//
//   H = F + B' B,   F = M + diag
//   H^-1 = F^-1 - X' K^-1 X,   X = B F^-1,  K = 1 + B X'
//
// (the Woodbury identity). F^-1 is a recursion along the bodies, linear in nv, and K is as large as
// the number of coupling rows that bend the cost.

#ifndef NEWTON_LOWRANK_H
#define NEWTON_LOWRANK_H

#include "common/primal.h"

// Rows of B that have the columns of one group, as a dense matrix.
typedef struct lowrank_part {
  const group *group;
  double *B;       // n x ncol; room for all rows of the group
  int32_t row, n;  // which rows of B
} lowrank_part;

typedef struct lowrank {
  const primal *primal;
  const sn_kernels *kernel;
  const int32_t *cone_at;   // nefc; cone that starts at a row, -1: none; NULL without cones
  int64_t npart;
  lowrank_part *part;
  int32_t n;                // rows of B
  double *extra, *factor;   // nv: the diagonal; of F
  double *X;                // n x nv
  double *K, *Dinv;         // n columns, and its factor; of ld = sn_kernel_pad(n) rows
  double *gathered, *sums;  // nv: scratch
  double *t, *z, *work;     // by rows of B: scratch
} lowrank;

// SN_ENOMEM
sn_status lowrank_make(lowrank *h, const primal *p, const sn_kernels *kernel,
                       const int32_t *cone_at, sn_scratch *mem);
// The factor of H at the point of the primal. Returns the number of pivots that were not positive.
int32_t lowrank_factor(lowrank *h);
// out = -H^-1 g
void lowrank_solve(const lowrank *h, const double *g, double *out);

#endif
