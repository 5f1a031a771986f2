// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the smooth forces with respect to velocity, on the sparsity of the inertia, as two
// triangles: sn_unsymmetric.

#ifndef SI_DYNAMICS_DERIVATIVE_H
#define SI_DYNAMICS_DERIVATIVE_H

#include "model/data.h"
#include "sinew/numerics/tree.h"

// Each adds to D.
// Damping of joints: on the diagonal.
void si_derive_damping(const sn_model *m, sn_unsymmetric D);
// The bound plugins for passive forces.
void si_derive_passive(const sn_model *m, sn_data *d, si_worker *w, sn_unsymmetric D);
void si_derive_actuation(const sn_model *m, sn_data *d, si_worker *w, sn_unsymmetric D);
// Of minus the bias force: D - dc/dv.
void si_derive_bias(const sn_model *m, sn_data *d, si_worker *w, sn_unsymmetric D);

#endif
