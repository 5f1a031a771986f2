// SPDX-License-Identifier: Apache-2.0
//
// The rows of the constraint problem, in the documented order: equality (equality.c), friction loss
// (frictionloss.c), limits (limit.c), contacts (cone.c); their parameters (impedance.c); islands
// (island.c); the penalty and with it the analytic inverse (penalty.c).

#ifndef SI_CONSTRAINT_CONSTRAINT_H
#define SI_CONSTRAINT_CONSTRAINT_H

#include "data/data.h"
#include "sinew/kinematics.h"

sn_status si_constraint_make(const sn_model *m, sn_data *d,
                             si_worker *w);                    // all of stage "constraint"
void si_constraint_reference(const sn_model *m, sn_data *d, si_worker *w);   // efc_vel, efc_aref
void si_constraint_islands(const sn_model *m, sn_data *d, si_worker *w);     // island, efc_island

// exact.c: equality constraints that hold exactly. Their rows are hard, though not infinitely, and
// their reference acceleration keeps the velocity J v along them constant; step/solve.c takes away
// what the softness that is left does, and step/projection.c what errors of integration do.
static inline int si_equality_is_exact(const sn_model *m, int64_t eq) {
  return m->eq_exact[eq] != 0 || (m->opt.enableflags & SN_ENABLE_EXACTEQUALITY) != 0;
}
// An active one; -1: there is none.
int32_t si_any_exact(const sn_model *m, const sn_data *d);
// Their rows alone, like si_constraint_make.
sn_status si_constraint_make_exact(const sn_model *m, sn_data *d, si_worker *w);
void si_exact_reference(const sn_model *m, sn_data *d, si_worker *w);   // their efc_aref

// The rows [row, end) of a contact that have a part along the normal, and the speed along it, by
// efc_vel; negative: closing. pyramid: they are the edges of a pyramidal cone.
typedef struct si_approach {
  int32_t row, end, dim;
  int pyramid;
  double speed;
} si_approach;
si_approach si_contact_approach(const sn_model *m, const sn_data *d, int64_t contact);   // aref.c

// cone.c. By how much the row of the speed along the normal, of the centers of mass of the two
// bodies, differs from that of the contact point, which has as many columns as it returns; height:
// that of the lower of the centers above the surface of its body at the contact.
int32_t si_contact_centers(const sn_model *m, sn_data *d, si_worker *w, int64_t contact,
                           double *shift, double *height);

// s(jar), and its force -grad s and state, row by row and cone by cone (nefc numbers each). Of the
// problem, D, R, friction loss, cones and the numbers of rows are read.
double si_penalty(const sn_problem *problem, const double *jar, double *force, int32_t *state);
// Of one row of equality, friction loss, a limit, or a contact without a cone.
double si_penalty_row(const sn_problem *problem, int64_t row, double z, double *force,
                      int32_t *state);
// The largest violation of Coulomb's law (coulomb.c) by forces of contacts, and of f = -grad s by
// those of other rows.
double si_coulomb_residual(const sn_problem *problem, const double *z, const double *force);
// The penalty into efc_force and efc_state; qfrc_constraint is left alone.
void si_constraint_force(sn_data *d, const double *jar);

// J of the present rows, nefc x nv.
sn_sparse si_constraint_jacobian(const sn_data *d, int64_t nv);
// y (nefc) = J x;  y (nv) = J' x
void si_constraint_multiply(const sn_data *d, const double *x, double *y);
// b = J a0 - aref, and no forces: where the solver begins.
void si_constraint_rest(const sn_model *m, sn_data *d);
void si_constraint_multiply_transposed(const sn_data *d, int64_t nv, const double *x, double *y);

extern const sn_contact_force_service si_contact_force_service_table;   // contactforce.c

#endif
