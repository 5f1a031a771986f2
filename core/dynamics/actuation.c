// SPDX-License-Identifier: Apache-2.0
//
// The stage of actuation, from controls to generalized forces:
//
//   u = ctrl, or ctrl_effective where there are controllers (control.c), clamped
//   w' = dynamics(u, w, l, v)                       activation.c
//   p = gain(l, v) (u or w) + bias(l, v)            actuator_force.c; then clamped, here
//   qfrc_actuator = moment' p, clamped
//
// Gain, bias and dynamics are functions that plugins provide: actuator_batch.c. The force of
// gravity compensation is added to moment' p, before the clamping, at joints with jnt_actgravcomp.
//
// Actuators of the groups that option disableactuator switches off have no force, and their states
// stay.

#include "dynamics/actuation.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"
#include "sinew/numerics/sparse.h"

// ------------------------------------------------------------------ controls

int si_actuator_is_off(const sn_model *m, int64_t i) {
  int32_t group = m->actuator_group[i];
  return group >= 0 && group < SN_NDISABLEGROUPS && m->opt.disableactuator >> group & 1;
}

double *si_actuator_controls(const sn_model *m, sn_data *d, si_worker *w) {
  double *ctrl = si_arena_reals(&w->scratch, m->nu);
  const double *given = m->bound.controller.n > 0 ? d->ctrl_effective : d->ctrl;
  int clamp = !(m->opt.disableflags & SN_DISABLE_CLAMPCTRL);
  for (int64_t i = 0; i < m->nu; i++) {
    double u = si_actuator_is_off(m, i) ? 0 : given[i];
    if (!(fabs(u) < SI_LARGEST)) {
      si_worker_warn(w, SN_WARN_BADCTRL,
                     "the control of actuator %lld is %g; all controls are set to zero in this "
                     "step",
                     (long long)i, u);
      memset(ctrl, 0, (size_t)m->nu * sizeof(double));
      return ctrl;
    }
    if (clamp && m->actuator_ctrllimited[i]) {
      u = sn_clamp(u, m->actuator_ctrlrange[2 * i], m->actuator_ctrlrange[2 * i + 1]);
    }
    ctrl[i] = u;
  }
  return ctrl;
}

// ------------------------------------------------------------------ forces

static void limit_forces(const sn_model *m, double *force) {
  for (int64_t i = 0; i < m->nu; i++) {
    if (m->actuator_forcelimited[i]) {
      force[i] = sn_clamp(force[i], m->actuator_forcerange[2 * i],
                          m->actuator_forcerange[2 * i + 1]);
    }
  }
}

// Does actuator i act on tendon t?
static int pulls(const sn_model *m, int64_t i, int64_t t) {
  return m->actuator_trntype[i] == SN_TRN_TENDON && m->actuator_trnid[2 * i] == t;
}

// qfrc = moment' force
static void to_joints(const sn_model *m, const sn_data *d, const double *force, double *qfrc) {
  const sn_sparse moments = si_actuator_moment(m, d);
  memset(qfrc, 0, (size_t)m->nv * sizeof(double));
  sn_sparse_add_transposed(&moments, force, qfrc);
}

// What all actuators of a tendon do together is scaled into its range.
static void limit_tendons(const sn_model *m, double *force) {
  for (int64_t t = 0; t < m->ntendon; t++) {
    const double *range = m->tendon_actfrcrange + 2 * t;
    if (!m->tendon_actfrclimited[t]) {
      continue;
    }
    double sum = 0;
    for (int64_t i = 0; i < m->nu; i++) {
      sum += pulls(m, i, t) ? force[i] : 0;
    }
    const double limited = sn_clamp(sum, range[0], range[1]);
    for (int64_t i = 0; i < m->nu && limited != sum && sum != 0; i++) {
      force[i] *= pulls(m, i, t) ? limited / sum : 1;
    }
  }
}

static void add_gravcomp(const sn_model *m, const sn_data *d, double *qfrc) {
  for (int64_t i = 0; i < m->nv; i++) {
    qfrc[i] += m->jnt_actgravcomp[m->dof_jntid[i]] ? d->qfrc_gravcomp[i] : 0;
  }
}

static void limit_joints(const sn_model *m, double *qfrc) {
  for (int64_t j = 0; j < m->njnt; j++) {
    if (m->jnt_actfrclimited[j]) {
      const double *range = m->jnt_actfrcrange + 2 * j;
      double *f = qfrc + m->jnt_dofadr[j];
      *f = sn_clamp(*f, range[0], range[1]);
    }
  }
}

// ------------------------------------------------------------------ the stage

sn_status si_dyn_actuation(const sn_model *m, sn_data *d, si_worker *w) {
  if (m->nu == 0) {
    return SN_OK;
  }
  if (m->opt.disableflags & SN_DISABLE_ACTUATION) {
    memset(d->actuator_force, 0, (size_t)m->nu * sizeof(double));
    memset(d->qfrc_actuator, 0, (size_t)m->nv * sizeof(double));
    if (m->na) {
      memset(d->act_dot, 0, (size_t)m->na * sizeof(double));
    }
    return SN_OK;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *ctrl = si_actuator_controls(m, d, w);
  si_activation_rates(m, d, w, ctrl);
  si_actuator_force(m, d, w, ctrl, d->actuator_force);
  limit_forces(m, d->actuator_force);
  limit_tendons(m, d->actuator_force);
  to_joints(m, d, d->actuator_force, d->qfrc_actuator);
  add_gravcomp(m, d, d->qfrc_actuator);
  limit_joints(m, d->qfrc_actuator);
  si_arena_release(&w->scratch, mark);
  return SN_OK;
}
