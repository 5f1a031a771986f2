// SPDX-License-Identifier: Apache-2.0
//
// Rows of limits: the distance to a limit, active below the margin. Slide, hinge and tendon have
// two sides that may both be active; a ball has one, on the angle of its rotation vector. Limits
// that plugins compute come last, see plugin_rows.c.
//
//          lower              value              upper
//   ---------|------------------o-------------------|-------->
//             <----- dist -----> <----- dist ------>
//                J = +dvalue/dq      J = -dvalue/dq

#include "constraint/rows.h"

#include "data/sleep.h"
#include "dynamics/dynamics.h"

int64_t si_limit_count(const sn_model *m, const sn_data *d) {
  int64_t n = si_plugin_limit_count(m, d);
  for (int64_t i = 0; i < m->njnt; i++) {
    n += m->jnt_limited[i] ? 2 : 0;
  }
  for (int64_t i = 0; i < m->ntendon; i++) {
    n += m->tendon_limited[i] ? 2 : 0;
  }
  return n;
}

// Softens the row that was just added.
static void finish(si_rows *rows, double dist, double margin, const double *solref,
                   const double *solimp, double weight) {
  int64_t row = rows->d->nefc - 1;
  rows->d->efc_pos[row] = dist;
  rows->d->efc_margin[row] = margin;
  si_rows_soften(
      rows, row,
      &(si_softness){
          .solref = solref, .solimp = solimp, .distance = dist - margin, .weight = weight });
}

static void scalar_joint(si_rows *rows, int32_t joint, double margin) {
  const sn_model *m = rows->m;
  double value = rows->d->qpos[m->jnt_qposadr[joint]];
  int32_t dof = m->jnt_dofadr[joint];
  for (int side = 0; side < 2; side++) {
    double sign = side ? -1 : 1;
    double dist = sign * (value - m->jnt_range[2 * joint + side]);
    if (dist < margin) {
      *si_rows_block(rows, SN_ROW_LIMIT_JOINT, joint, 1, 1, &dof) = sign;
      finish(rows, dist, margin, m->jnt_solref + SI_NREFERENCE * joint,
             m->jnt_solimp + SI_NIMPEDANCE * joint, m->dof_invweight0[dof]);
    }
  }
}

static void ball_joint(si_rows *rows, int32_t joint, double margin) {
  const sn_model *m = rows->m;
  double quat[4], turn[3];
  sn_copy4(quat, rows->d->qpos + m->jnt_qposadr[joint]);
  sn_normalize4(quat);
  sn_quat_vec(turn, quat);
  double angle = sn_normalize3(turn);
  double dist = sn_max(m->jnt_range[2 * joint], m->jnt_range[2 * joint + 1]) - angle;
  if (dist < margin) {
    int32_t dof = m->jnt_dofadr[joint];
    const int32_t col[3] = { dof, dof + 1, dof + 2 };
    double *J = si_rows_block(rows, SN_ROW_LIMIT_JOINT, joint, 1, 3, col);
    sn_scale3(J, turn, -1);
    finish(rows, dist, margin, m->jnt_solref + SI_NREFERENCE * joint,
           m->jnt_solimp + SI_NIMPEDANCE * joint, m->dof_invweight0[dof]);
  }
}

static void tendon(si_rows *rows, int32_t id) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  double margin = m->tendon_margin[id];
  for (int side = 0; side < 2; side++) {
    double sign = side ? -1 : 1;
    double dist = sign * (d->ten_length[id] - m->tendon_range[2 * id + side]);
    if (dist < margin) {
      const double *J = si_rows_add(rows, SN_ROW_LIMIT_TENDON, id, sign, si_tendon_row(d, id));
      if (si_rows_drop_idle(rows, J)) {
        continue;
      }
      finish(rows, dist, margin, m->tendon_solref_lim + SI_NREFERENCE * id,
             m->tendon_solimp_lim + SI_NIMPEDANCE * id, m->tendon_invweight0[id]);
    }
  }
}

// By type of joint; a free joint has no limits.
static void (*const joint_limit[])(si_rows *rows, int32_t joint, double margin) = {
  [SN_JOINT_BALL] = ball_joint,
  [SN_JOINT_SLIDE] = scalar_joint,
  [SN_JOINT_HINGE] = scalar_joint,
};

// Does all that changes the length of a tendon sleep?
static int is_asleep(const sn_model *m, const sn_data *d, int32_t tendon) {
  const sn_sparse_row J = si_tendon_row(d, tendon);
  return si_dofs_asleep(m, d, J.n, J.col);
}

void si_limit_rows(si_rows *rows) {
  const sn_model *m = rows->m;
  for (int32_t i = 0; i < m->njnt; i++) {
    if (m->jnt_limited[i] && joint_limit[m->jnt_type[i]] &&
        !si_dof_asleep(m, rows->d, m->jnt_dofadr[i])) {
      joint_limit[m->jnt_type[i]](rows, i, m->jnt_margin[i]);
    }
  }
  for (int32_t i = 0; i < m->ntendon; i++) {
    if (m->tendon_limited[i] && !is_asleep(m, rows->d, i)) {
      tendon(rows, i);
    }
  }
  si_plugin_limit_rows(rows);
}
