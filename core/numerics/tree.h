// SPDX-License-Identifier: Apache-2.0
//
// The inertia matrix along the kinematic tree: layout in sn_inertia (sinew/plugin.h).
// L'DL = M without fill-in, Featherstone (2008), section 6.5.
//
// Dofs are numbered so that parent[i] < i, and the rows follow one another: row i + 1 begins where
// row i ends.

#ifndef SI_NUMERICS_TREE_H
#define SI_NUMERICS_TREE_H

#include "sinew/plugin.h"

// Pivots are at least this: where M is not positive, D is.
#define SI_TREE_SMALLEST 1e-15

// L and Dinv from M; all as in sn_inertia. M is positive definite.
void si_tree_factor(int64_t nv, const int32_t *parent, const int32_t *adr, const double *M,
                    double *L, double *Dinv);
void si_tree_solve(const sn_inertia *inertia, double *x);                       // x = M^-1 x
void si_tree_multiply(const sn_inertia *inertia, const double *x, double *y);   // y = M x
extern const sn_inertia_service si_tree_service;

#endif
