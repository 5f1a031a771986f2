// SPDX-License-Identifier: Apache-2.0
//
// Constraint problems that live on their own: one block of memory each. The arrays of a problem
// are listed once; copying, writing and reading walk the list.

#ifndef SI_API_PROBLEM_H
#define SI_API_PROBLEM_H

#include "base/error.h"

// X(type, owner, member, count), with the problem `p` and its `nJ` in scope. owner: whole, a member
// of the problem; tree, of its inertia.
#define SI_PROBLEM_ARRAYS(X)                                                                     \
  X(double, whole, qacc_smooth, p->nv) X(double, whole, qfrc_smooth, p->nv)                      \
  X(double, whole, qacc_start, p->nv)                                                            \
  X(int32_t, tree, parent, p->nv) X(int32_t, tree, adr, p->nv)                                   \
  X(double, tree, M, p->inertia->nM) X(double, tree, L, p->inertia->nM)                          \
  X(double, tree, Dinv, p->nv)                                                                   \
  X(int32_t, whole, J.nnz, p->nefc) X(int32_t, whole, J.adr, p->nefc)                            \
  X(int32_t, whole, J.col, nJ) X(double, whole, J.val, nJ)                                       \
  X(sn_block, whole, block, p->nblock) X(int32_t, whole, type, p->nefc)                          \
  X(double, whole, D, p->nefc) X(double, whole, R, p->nefc) X(double, whole, aref, p->nefc)      \
  X(double, whole, frictionloss, p->nefc) X(sn_cone, whole, cone, p->ncone)      \
  X(int32_t, whole, id, p->id ? p->nefc : 0) X(int32_t, whole, geom1, p->id ? p->ncontact : 0)   \
  X(int32_t, whole, geom2, p->id ? p->ncontact : 0)                                              \
  X(int32_t, whole, feature, p->id ? p->ncontact : 0)

struct sn_problems {
  int64_t n;
  sn_problem **at;   // each followed by its inertia and its arrays, in one block
};

// Numbers of J.
int64_t si_problem_nJ(const sn_problem *problem);
// A problem with the sizes of another (nJ given) and room for its arrays. NULL: no memory.
sn_problem *si_problem_alloc(const sn_problem *sizes, int64_t nJ);
sn_status si_problems_append(sn_problems *problems, sn_problem *problem, sn_error *error);

#endif
