// SPDX-License-Identifier: Apache-2.0
//
// The inertia matrix M, stored sparsely along its tree of dofs: factorization, solution, product.
// The layout of M and of its factor is that of sn_inertia (sinew/plugin.h): row i has the entries
// of dof i and its ancestors. The factorization M = L'DL has no fill-in outside of these rows:
// Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5.
//
// If sn_inertia.recursion is not NULL, it computes solutions and products; M and L are not used.
//
// Dofs are numbered so that parent[i] < i, and the rows are contiguous: row i + 1 begins where row
// i ends. Not part of the ABI: see sinew/numerics.h. All [any].

#ifndef SINEW_NUMERICS_TREE_H
#define SINEW_NUMERICS_TREE_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

// Computes L and Dinv from M; all as in sn_inertia. M should be positive definite: a pivot below
// SN_TINY is replaced by SN_TINY.
void sn_tree_factor(int64_t nv, const int32_t *parent, const int32_t *adr, const double *M,
                    double *L, double *Dinv);
// The same for the rows of the dofs from `begin` to `end` - 1 alone. They must be whole trees: M
// must not couple them with other dofs. On entry, L contains M.
void sn_tree_factor_part(int64_t nv, const int32_t *parent, const int32_t *adr, int32_t begin,
                         int32_t end, double *L, double *Dinv);
// x = M^-1 x, in place. Dofs that form a chain without branches are eliminated together.
void sn_tree_solve(const sn_inertia *inertia, double *x);
// The same for such dofs alone, without sn_inertia.recursion.
void sn_tree_solve_part(const sn_inertia *inertia, int32_t begin, int32_t end, double *x);
// The same, one dof after the other: the result may differ from that of sn_tree_solve by rounding
// errors. For solvers whose results must not change.
void sn_tree_solve_plain(const sn_inertia *inertia, double *x);
// One step of x = L'^-1 x, in place, for dof k: from each ancestor of dof k, the product of its
// entry in row k of L and x[k] is subtracted. Steps are made from the last dof to the first.
static inline void sn_tree_eliminate(const sn_inertia *inertia, int32_t k, double *x) {
  const double *entry = inertia->L + inertia->adr[k], value = x[k];
  for (int32_t i = inertia->parent[k]; i >= 0; i = inertia->parent[i]) {
    x[i] -= *++entry * value;
  }
}
// y = M x; x and y do not overlap.
void sn_tree_multiply(const sn_inertia *inertia, const double *x, double *y);

// The number of entries of row k of M: dof k and its ancestors. It is computed from the address of
// the next row; for the last row, the ancestors are counted.
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

// Whether dof `low` is dof `high` itself or one of its ancestors.
static inline int sn_tree_is_ancestor(const int32_t *parent, int32_t low, int32_t high) {
  while (high > low) {
    high = parent[high];
  }
  return high == low;
}

// A matrix A that is not symmetric but has the sparsity pattern of M: A(i, j) is 0 unless i = j or
// one of the dofs is an ancestor of the other. It is stored as two triangles in the layout of M.
// With a_k the k-th ancestor of dof i and a_0 = i, so that both contain the diagonal:
//
//   lower[adr[i] + k] = A(i, a_k)      upper[adr[i] + k] = A(a_k, i)
typedef struct sn_unsymmetric {
  double *lower, *upper;
} sn_unsymmetric;

// x = A^-1 x, in place, by an LU factorization from the leaves to the root, which has no fill-in.
// There is no pivoting: A must be close to a positive definite matrix. A is overwritten.
void sn_unsymmetric_solve(int64_t nv, const int32_t *parent, const int32_t *adr, sn_unsymmetric A,
                          double *x);

SN_END_DECLS

#endif
