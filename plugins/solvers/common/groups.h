// SPDX-License-Identifier: Apache-2.0
//
// Rows by what they have in common. Consecutive blocks on the same columns form a group, whose
// part of J is a small dense matrix (nrow x ncol): products with J gather and scatter once a
// group, and everything in between is dense.

#ifndef SOLVERS_GROUPS_H
#define SOLVERS_GROUPS_H

#include "pool.h"
#include "sinew/numerics/kernels.h"
#include "sinew/numerics/tree.h"
#include "sinew/solver.h"

typedef struct group {
  int32_t row, nrow, ncol;
  int32_t reserved;
  const int32_t *col;   // ncol, ascending
  const double *J;      // nrow x ncol
} group;

typedef struct groups {
  const sn_problem *problem;
  const sn_kernels *kernel;
  int64_t n;
  group *at;
  double *gathered;   // nv, scratch
  double *sums;       // nv, scratch
} groups;

// SN_ENOMEM
sn_status groups_make(groups *g, const sn_problem *problem, const sn_kernels *kernel,
                      sn_scratch *mem);
void groups_multiply(const groups *g, const double *x, double *y);              // y = J x
void groups_multiply_transposed(const groups *g, const double *f, double *y);   // y = J' f

#endif
