// SPDX-License-Identifier: Apache-2.0
//
// The inertia matrix M along the kinematic tree: factor, solution, product. The layout of M and of
// its factor is that of sn_inertia (sinew/plugin.h): row i holds dof i and its ancestors. L'DL = M
// has no fill-in, Featherstone (2008), section 6.5.
//
// Dofs are numbered so that parent[i] < i, and the rows follow one another: row i + 1 begins where
// row i ends. Source-level: see sinew/numerics.h. All [any].

#ifndef SINEW_NUMERICS_TREE_H
#define SINEW_NUMERICS_TREE_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

// L and Dinv from M; all as in sn_inertia. M is positive definite; where it is not, a pivot is
// replaced by SN_TINY, so that its Dinv is 1 / SN_TINY.
void sn_tree_factor(int64_t nv, const int32_t *parent, const int32_t *adr, const double *M,
                    double *L, double *Dinv);
// x = M^-1 x, in place. Dofs that follow one another are eliminated together.
void sn_tree_solve(const sn_inertia *inertia, double *x);
// The same one dof after the other: the last bits differ from those of sn_tree_solve. The results
// of solvers that have always used this order rest on it.
void sn_tree_solve_plain(const sn_inertia *inertia, double *x);
// y = M x; x and y do not overlap.
void sn_tree_multiply(const sn_inertia *inertia, const double *x, double *y);

// Entries of row k of M: dof k and its ancestors. The rows follow one another; the length of the
// last is that of its path to the root.
static inline int32_t sn_tree_row_length(int64_t nv, const int32_t *parent, const int32_t *adr,
                                         int32_t k) {
  if (k + 1 < nv) {
    return adr[k + 1] - adr[k];
  }
  int32_t n = 0;
  for (int32_t i = k; i >= 0; i = parent[i]) {
    n++;
  }
  return n;
}

// A matrix that is not symmetric, but has entries (i, j) only where M has them: where one dof is
// the other or one of its ancestors. Two triangles, each in the layout of M, with a_k the k-th
// ancestor of dof i and a_0 = i, so that the diagonal is in both:
//
//   lower[adr[i] + k] = A(i, a_k)      upper[adr[i] + k] = A(a_k, i)
typedef struct sn_unsymmetric {
  double *lower, *upper;
} sn_unsymmetric;

// x = A^-1 x, in place, by LU from the leaves to the root, which has no fill-in. No pivots are
// exchanged: A is near a positive definite matrix. A is overwritten. unsymmetric.c
void sn_unsymmetric_solve(int64_t nv, const int32_t *parent, const int32_t *adr, sn_unsymmetric A,
                          double *x);

SN_END_DECLS

#endif
