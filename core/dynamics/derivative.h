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

#ifndef SN_DYNAMICS_DERIVATIVE_H
#define SN_DYNAMICS_DERIVATIVE_H

#include "model/data.h"

typedef struct sn_halves {
  double *low, *up;   // nM each
} sn_halves;

// Each adds to D.
void sn_derive_damping(const sn_model *m, sn_halves D);               // joints, diagonal
void sn_derive_passive(const sn_model *m, sn_data *d, sn_halves D);   // the bound plugins
void sn_derive_actuation(const sn_model *m, sn_data *d, sn_halves D);
void sn_derive_bias(const sn_model *m, sn_data *d, sn_halves D);   // D - dc/dv

// x = A^-1 x by elimination from the leaves, which has no fill-in; A is overwritten.
void sn_halves_solve(const sn_model *m, sn_halves A, double *x);

#endif
