// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the smooth forces with respect to velocity, on the sparsity of the inertia.
//
// A square matrix whose entry (i, j) can only be non-zero when one dof is the other or one of its
// ancestors is kept as two halves, each in the layout of sn_inertia:
//
//   low[adr[i] + k] = A(i, a_k)      up[adr[i] + k] = A(a_k, i)      a_k: k-th ancestor of i
//
// with a_0 = i, so the diagonal is in both.

#ifndef SI_DYNAMICS_DERIVATIVE_H
#define SI_DYNAMICS_DERIVATIVE_H

#include "model/data.h"

typedef struct si_halves {
  double *low, *up;   // nM each
} si_halves;

// Each adds to D.
void si_derive_damping(const sn_model *m, si_halves D);               // joints, diagonal
void si_derive_passive(const sn_model *m, sn_data *d, si_worker *w,
                       si_halves D);   // the bound plugins
void si_derive_actuation(const sn_model *m, sn_data *d, si_worker *w, si_halves D);
void si_derive_bias(const sn_model *m, sn_data *d, si_worker *w, si_halves D);   // D - dc/dv

// x = A^-1 x by elimination from the leaves, which has no fill-in; A is overwritten.
void si_halves_solve(const sn_model *m, si_halves A, double *x);

#endif
