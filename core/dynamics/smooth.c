// SPDX-License-Identifier: Apache-2.0
//
// All forces but those of constraints, and the acceleration that they would make:
//
//   qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_applied + qfrc_actuator + sum J' xfrc_applied
//                 (+ qfrc_controller in models with controllers)
//   qacc_smooth = M^-1 qfrc_smooth

#include "dynamics/chain.h"
#include "dynamics/dynamics.h"

// xfrc_applied of a body is a force at its center of mass and a torque, in global axes.
static void add_applied(const sn_model *m, const sn_data *d, int32_t begin, int32_t end,
                        double *qfrc) {
  for (int32_t b = begin; b < end; b++) {
    const double *x = d->xfrc_applied + 6 * b;
    if (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0 && x[4] == 0 && x[5] == 0) {
      continue;
    }
    sn_apply_force(m, d, x, x + 3, d->xipos + 3 * b, b, qfrc);
  }
}

// Forces on what never moves have no effect.
void si_dyn_add_xfrc(const sn_model *m, const sn_data *d, double *qfrc) {
  for (int32_t r = 0; r < m->bound.roots.n; r++) {
    const si_run *run = &m->bound.roots.at[r].run;
    add_applied(m, d, run->begin.body, run->end.body, qfrc);
  }
}

// The other part of the bias is the weight: an upward acceleration of the composite bodies.
void si_dyn_add_inertial(const sn_model *m, const sn_data *d, double *qfrc) {
  const int heavy = !(m->opt.disableflags & SN_DISABLE_GRAVITY);
  for (int64_t i = 0; i < m->nv; i++) {
    const double *I = d->crb + 10 * m->dof_bodyid[i];
    double up[6] = { 0 }, force[6];
    sn_scale3(up + 3, m->opt.gravity, heavy ? -1 : 0);
    sn_mul_inertia(force, I, up);
    qfrc[i] += d->qfrc_bias[i] - sn_dot6(d->cdof + 6 * i, force);
  }
}

void si_dyn_smooth(const sn_model *m, sn_data *d) {
  for (int64_t i = 0; i < m->nv; i++) {
    d->qfrc_smooth[i] = d->qfrc_passive[i] - d->qfrc_bias[i] + d->qfrc_applied[i] +
                        d->qfrc_actuator[i];
  }
  for (int64_t i = 0; m->bound.controller.n > 0 && i < m->nv; i++) {
    d->qfrc_smooth[i] += d->qfrc_controller[i];
  }
  si_dyn_add_xfrc(m, d, d->qfrc_smooth);
  const sn_inertia inertia = si_inertia_view(m, d);
  si_dyn_solve_tree(m, d, &inertia, d->qfrc_smooth, d->qacc_smooth);
}
