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
#include "tasks.h"

typedef struct group {
  int32_t row, nrow, ncol;
  int32_t sum;          // of its columns in `sums`, where threads share
  const int32_t *col;   // ncol, ascending
  const double *J;      // nrow x ncol
} group;

typedef struct groups {
  const sn_problem *problem;
  const sn_kernels *kernel;
  int64_t n;
  group *at;
  tasks tasks;
  int64_t npart;      // parts of the groups, which threads share; 1: they do not
  int32_t widest;     // columns of the widest group
  int32_t reserved;
  double *gathered;   // scratch: npart x widest
  double *sums;       // scratch: widest; with parts, of the columns of every group
} groups;

// SN_ENOMEM
sn_status groups_make(groups *g, const sn_problem *problem, const sn_kernels *kernel,
                      const tasks *threads, sn_scratch *mem);
void groups_multiply(const groups *g, const double *x, double *y);              // y = J x
void groups_multiply_transposed(const groups *g, const double *f, double *y);   // y = J' f

#endif
