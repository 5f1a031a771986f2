// SPDX-License-Identifier: Apache-2.0
//
// Constraint problems that live on their own: one block of memory each. The arrays of a problem
// are listed once; copying, writing and reading walk the list.

#ifndef SI_API_PROBLEM_H
#define SI_API_PROBLEM_H

#include "base/error.h"

// X(type, member of sn_problem, count), with the problem `p` and its `nJ` in scope.
#define SI_PROBLEM_ARRAYS(X)                                                                    \
  X(double, qacc_smooth, p->nv) X(double, qfrc_smooth, p->nv) X(double, qacc_start, p->nv)      \
  X(int32_t, inertia.parent, p->nv) X(int32_t, inertia.adr, p->nv)                              \
  X(double, inertia.M, p->inertia.nM) X(double, inertia.L, p->inertia.nM)                       \
  X(double, inertia.Dinv, p->nv)                                                                \
  X(int32_t, J.nnz, p->nefc) X(int32_t, J.adr, p->nefc)                                         \
  X(int32_t, J.col, nJ) X(double, J.val, nJ)                                                    \
  X(sn_block, block, p->nblock) X(int32_t, type, p->nefc)                                       \
  X(double, D, p->nefc) X(double, R, p->nefc) X(double, aref, p->nefc)                          \
  X(double, frictionloss, p->nefc) X(sn_cone, cone, p->ncone)

struct sn_problems {
  int64_t n;
  sn_problem **at;   // each followed by its arrays, in one block
};

// Numbers of J.
int64_t si_problem_nJ(const sn_problem *problem);
// A problem with the sizes of another (nJ given) and room for its arrays. NULL: no memory.
sn_problem *si_problem_alloc(const sn_problem *sizes, int64_t nJ);
sn_status si_problems_append(sn_problems *problems, sn_problem *problem, sn_error *error);

#endif
