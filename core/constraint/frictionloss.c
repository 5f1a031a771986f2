// SPDX-License-Identifier: Apache-2.0
//
// Rows of friction loss: the velocity of a dof or of a tendon is held at zero by a force that is
// bounded by eta, independent of the load. There is no residual. A tendon whose length no dof
// changes in the present configuration has no row.

#include "constraint/rows.h"

#include "data/sleep.h"
#include "dynamics/dynamics.h"

int64_t si_friction_count(const sn_model *m, const sn_data *d) {
  (void)d;
  int64_t n = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    n += m->dof_frictionloss[i] > 0;
  }
  for (int64_t i = 0; i < m->ntendon; i++) {
    n += m->tendon_frictionloss[i] > 0;
  }
  return n;
}

// Softens the row that was just added and bounds its force.
static void finish(si_rows *rows, double loss, const double *solref, const double *solimp,
                   double weight) {
  int64_t row = rows->d->nefc - 1;
  si_rows_soften(rows, row, &(si_softness){ .solref = solref, .solimp = solimp, .weight = weight });
  rows->d->efc_KBIP[4 * row] = 0;
  rows->d->efc_frictionloss[row] = loss;
}

// Does all that changes the length of a tendon sleep?
static int is_asleep(const sn_model *m, const sn_data *d, int32_t tendon) {
  const sn_sparse_row J = si_tendon_row(d, tendon);
  return si_dofs_asleep(m, d, J.n, J.col);
}

void si_friction_rows(si_rows *rows) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  for (int32_t i = 0; i < m->nv; i++) {
    if (m->dof_frictionloss[i] > 0 && !si_dof_asleep(m, d, i)) {
      *si_rows_block(rows, SN_ROW_FRICTION_DOF, i, 1, 1, &i) = 1;
      finish(rows, m->dof_frictionloss[i], m->dof_solref + SI_NREFERENCE * i,
             m->dof_solimp + SI_NIMPEDANCE * i, m->dof_invweight0[i]);
    }
  }
  for (int32_t i = 0; i < m->ntendon; i++) {
    if (m->tendon_frictionloss[i] > 0 && !is_asleep(m, d, i)) {
      const double *J = si_rows_add(rows, SN_ROW_FRICTION_TENDON, i, 1, si_tendon_row(d, i));
      if (si_rows_drop_idle(rows, J)) {
        continue;
      }
      finish(rows, m->tendon_frictionloss[i], m->tendon_solref_fri + SI_NREFERENCE * i,
             m->tendon_solimp_fri + SI_NIMPEDANCE * i, m->tendon_invweight0[i]);
    }
  }
}
