// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the smooth forces with respect to velocity, and of passive forces and actuators
// with respect to position, on the sparsity of the inertia, as two triangles: sn_unsymmetric. Those
// of passive forces and actuators also on a larger pattern, that of the model's elimination tree
// when they couple branches (si_bound.coupled).

#ifndef SI_DYNAMICS_DERIVATIVE_H
#define SI_DYNAMICS_DERIVATIVE_H

#include "data/data.h"
#include "dynamics/actuation.h"
#include "sinew/numerics/tree.h"

// Each adds to D.
// Damping of joints: on the diagonal.
void si_derive_damping(const sn_model *m, sn_unsymmetric D);
// The bound plugins for passive forces, with D in the layout of an elimination tree.
void si_derive_passive(const sn_model *m, sn_data *d, si_worker *w, const si_elimination *e,
                       si_variable by, sn_unsymmetric D);
// The actuators, likewise. Transmissions to bodies act through contacts, and so between branches
// that are not known in advance: of those D has what lies on the tree.
void si_derive_actuation(const sn_model *m, sn_data *d, si_worker *w, const si_elimination *e,
                         si_variable by, sn_unsymmetric D);
// Of minus the bias force: D - dc/dv.
void si_derive_bias(const sn_model *m, sn_data *d, si_worker *w, sn_unsymmetric D);

// One passive force: adds its derivative to `out`, n numbers on a pattern.
sn_status si_derive_force(sn_data *d, si_worker *w, const si_binding *b, si_variable by,
                          const sn_sparse *pattern, int64_t n, double *out);
// Warns of passive forces whose derivative has entries between branches that they did not declare.
// undeclared.c
void si_find_undeclared(const sn_model *m, sn_data *d, si_worker *w, si_variable by);

// The tree along which the rows of qM run.
si_elimination si_elimination_tree(const sn_model *m);
// Copies entries in the layout of qM to that of an elimination tree (e->n numbers); the rest is 0.
void si_elimination_spread(const sn_model *m, const si_elimination *e, const double *from,
                           double *to);

#endif
