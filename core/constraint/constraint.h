// SPDX-License-Identifier: Apache-2.0
//
// The rows of the constraint problem, in the documented order: equality (equality.c), friction
// loss (friction.c), limits (limit.c), contacts (cone.c); their parameters (impedance.c); islands
// (island.c); the analytic inverse (inverse.c).

#ifndef SN_CONSTRAINT_CONSTRAINT_H
#define SN_CONSTRAINT_CONSTRAINT_H

#include "model/data.h"

sn_status sn_constraint_make(const sn_model *m, sn_data *d);   // all of stage "constraint"
void sn_constraint_reference(const sn_model *m, sn_data *d);   // efc_vel, efc_aref
void sn_constraint_islands(const sn_model *m, sn_data *d);     // island, efc_island
// From jar = J qacc - aref (nefc) to efc_force and efc_state, row by row and cone by cone:
// f = -grad s. Adds nothing to qfrc_constraint.
void sn_constraint_force(const sn_model *m, sn_data *d, const double *jar);

// y (nefc) = J x;  y (nv) = J' x
void sn_constraint_multiply(const sn_data *d, const double *x, double *y);
void sn_constraint_multiply_transposed(const sn_data *d, int64_t nv, const double *x, double *y);

#endif
