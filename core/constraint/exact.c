// SPDX-License-Identifier: Apache-2.0
//
// The reference acceleration of exact equality constraints: the residual r has r'' = 0 when
//
//   J qacc = -c      c: what r'' is with qacc = 0, from velocities alone
//
//   connect   c = a1 - a2, the accelerations of the two anchors
//   weld      the same; and, as e' = (q2 f)* (0, w1 - w2) q1 rel f / 2 (equality.c),
//             e'' = (q2 f)* (-|w1 - w2|^2 / 2, dw1 - dw2 - w2 x w1) q1 rel f / 2
//   joint     c = -poly''(x) x'^2
//   tendon    c = y'' - poly'(x) x'' - poly''(x) x'^2
//   plugin    0: it does not compute c. What is missing is left to the projection after each step,
//             which makes the motion accurate to first order.

#include "constraint/constraint.h"

#include "constraint/rows.h"
#include "dynamics/dynamics.h"
#include "dynamics/tendon_armature.h"

int32_t si_any_exact(const sn_model *m, const sn_data *d) {
  if (m->opt.disableflags & (SN_DISABLE_CONSTRAINT | SN_DISABLE_EQUALITY)) {
    return -1;
  }
  for (int32_t i = 0; i < (int32_t)m->neq; i++) {
    if (d->eq_enabled[i] && si_equality_is_exact(m, i)) {
      return i;
    }
  }
  return -1;
}

// The acceleration of an anchor, given in the frame of a body.
static void anchor_acceleration(const sn_model *m, const sn_data *d, const si_motion *of,
                                int32_t body, const double *local, double *out) {
  double x[3];
  sn_mul_mat_vec3(x, d->xmat + 9 * body, local);
  sn_add3(x, x, d->xpos + 3 * body);
  const si_moving_point p = si_moving_point_at(m, d, of, body, x);
  sn_copy3(out, p.a);
}

// data1, data2: the anchors.
static void between_anchors(const sn_model *m, const sn_data *d, const si_motion *of, int32_t eq,
                            const double *data1, const double *data2, double *c) {
  double a2[3];
  anchor_acceleration(m, d, of, m->eq_obj1id[eq], data1, c);
  anchor_acceleration(m, d, of, m->eq_obj2id[eq], data2, a2);
  sn_sub3(c, c, a2);
}

static void connect(const sn_model *m, const sn_data *d, const si_motion *of, int32_t eq,
                    double *c) {
  const double *data = m->eq_data + SI_NEQDATA * eq;
  between_anchors(m, d, of, eq, data, data + 3, c);
}

static void weld(const sn_model *m, const sn_data *d, const si_motion *of, int32_t eq, double *c) {
  const double *data = m->eq_data + SI_NEQDATA * eq;
  const int32_t body1 = m->eq_obj1id[eq], body2 = m->eq_obj2id[eq];
  const double *w1 = of->vel + 6 * body1, *w2 = of->vel + 6 * body2;
  double q2_inverse[4], q1_rel[4], relative[3], turn[3], e[4];
  between_anchors(m, d, of, eq, data + 3, data, c);
  si_weld_frames(m, d, eq, q2_inverse, q1_rel);
  sn_sub3(relative, w1, w2);
  sn_cross(turn, w2, w1);
  e[0] = -0.5 * sn_dot3(relative, relative);
  sn_sub3(e + 1, of->acc + 6 * body1, of->acc + 6 * body2);
  sn_sub3(e + 1, e + 1, turn);
  sn_mul_quat(e, q2_inverse, e);
  sn_mul_quat(e, e, q1_rel);
  sn_scale3(c + 3, e + 1, 0.5 * data[10]);
}

static void joint(const sn_model *m, const sn_data *d, const si_motion *of, int32_t eq, double *c) {
  (void)of;
  const int32_t other = m->eq_obj2id[eq];
  *c = 0;
  if (other >= 0) {
    const int32_t q = m->jnt_qposadr[other];
    const double v = d->qvel[m->jnt_dofadr[other]];
    *c = -si_polynomial(m->eq_data + SI_NEQDATA * eq, d->qpos[q] - m->qpos0[q]).curvature * v * v;
  }
}

static double length_acceleration(const sn_model *m, const sn_data *d, const si_motion *of,
                                  int32_t tendon) {
  const int fixed = m->wrap_type[m->tendon_adr[tendon]] == SN_WRAP_JOINT;
  return fixed ? 0 : si_tendon_acceleration(m, d, tendon, of);
}

static void tendon(const sn_model *m, const sn_data *d, const si_motion *of, int32_t eq,
                   double *c) {
  const int32_t t1 = m->eq_obj1id[eq], t2 = m->eq_obj2id[eq];
  *c = length_acceleration(m, d, of, t1);
  if (t2 >= 0) {
    const double x = d->ten_length[t2] - m->tendon_length0[t2], v = d->ten_velocity[t2];
    const si_polynomial_value poly = si_polynomial(m->eq_data + SI_NEQDATA * eq, x);
    *c -= poly.slope * length_acceleration(m, d, of, t2) + poly.curvature * v * v;
  }
}

static void (*const acceleration[])(const sn_model *m, const sn_data *d, const si_motion *of,
                                    int32_t eq, double *c) = {
  [SN_EQUALITY_CONNECT] = connect, [SN_EQUALITY_WELD] = weld, [SN_EQUALITY_JOINT] = joint,
  [SN_EQUALITY_TENDON] = tendon,   [SN_EQUALITY_PLUGIN] = NULL,
};

void si_exact_reference(const sn_model *m, sn_data *d, si_worker *w) {
  if (d->ne == 0 || si_any_exact(m, d) < 0) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *acc = si_arena_reals(&w->scratch, 6 * m->nbody);
  const si_motion of = { d->cvel, acc };
  si_dyn_bias_acceleration(m, d, acc);
  for (int64_t k = 0; k < d->nblock && d->block[k].row < d->ne; k++) {
    const sn_block block = d->block[k];
    const int32_t eq = d->efc_id[block.row];
    if (!si_equality_is_exact(m, eq) || !acceleration[m->eq_type[eq]]) {
      continue;
    }
    double c[6] = { 0 };
    acceleration[m->eq_type[eq]](m, d, &of, eq, c);
    for (int32_t i = 0; i < block.nrow; i++) {
      d->efc_aref[block.row + i] = -c[i];
    }
  }
  si_arena_release(&w->scratch, mark);
}
