// SPDX-License-Identifier: Apache-2.0
//
// The penalty s of the constraint problem over all rows, its value and its gradient; and so the
// analytic inverse: the constraint force that belongs to a known acceleration. Row by row and cone
// by cone it is sinew/numerics/penalty.h, as in the solvers.
//
// Chapter Computation, "Reduced primal problem".

#include "constraint/constraint.h"

#include <math.h>

#include "sinew/numerics/penalty.h"

double si_penalty_row(const sn_problem *p, int64_t i, double z, double *force, int32_t *state) {
  return i >= p->ne && i < p->ne + p->nf
             ? sn_penalty_friction(p->D[i], p->R[i], p->frictionloss[i], z, force, state)
             : sn_penalty_quadratic(p->D[i], i < p->ne ? HUGE_VAL : 0, z, force, state);
}

static double cone_rows(const sn_problem *p, const sn_cone *cone, const double *jar, double *force,
                        int32_t *states) {
  double root[6];
  int32_t state;
  for (int32_t i = 0; i < cone->dim; i++) {
    root[i] = sqrt(p->D[cone->row + i]);
  }
  const double value = sn_penalty_cone(cone->dim, cone->mu, root, jar + cone->row,
                                       force + cone->row, &state);
  for (int32_t i = 0; i < cone->dim; i++) {
    states[cone->row + i] = state;
  }
  return value;
}

double si_penalty(const sn_problem *p, const double *jar, double *force, int32_t *state) {
  int64_t row = 0;
  double value = 0;
  for (int64_t k = 0; k <= p->ncone; k++) {
    int64_t end = k < p->ncone ? p->cone[k].row : p->nefc;
    for (; row < end; row++) {
      value += si_penalty_row(p, row, jar[row], &force[row], &state[row]);
    }
    if (k < p->ncone) {
      value += cone_rows(p, &p->cone[k], jar, force, state);
      row += p->cone[k].dim;
    }
  }
  return value;
}

void si_constraint_force(sn_data *d, const double *jar) {
  const sn_problem p = { .nefc = d->nefc,
                         .ne = d->ne,
                         .nf = d->nf,
                         .D = d->efc_D,
                         .R = d->efc_R,
                         .frictionloss = d->efc_frictionloss,
                         .ncone = d->ncone,
                         .cone = d->cone };
  si_penalty(&p, jar, d->efc_force, d->efc_state);
}
