// SPDX-License-Identifier: Apache-2.0
//
// Rows of equality constraints. With p1, p2 the global anchors on the two bodies:
//
//   connect   r = p1 - p2
//   weld      r = p1 - p2 and torquescale times the imaginary part of e = (q2 f)* q1 rel f, which
//             is sin(angle/2) axis, in the frame f of body 2: the body's own, or that of its site;
//             since dq/dt = (0, w) q / 2:  de/dt = (q2 f)* (0, w1 - w2) q1 rel f / 2
//   joint     r = y - poly(x), y and x the positions of the joints relative to qpos0
//   tendon    the same with lengths relative to length0
//   plugin    plugin_rows.c
//
// torquescale is the unit of length in which the rotation of a weld is measured: it multiplies the
// residual, and so the Jacobian, which is the derivative of the residual.
//
// eq_data:  connect  anchor in body 1 (3), anchor in body 2 (3)
//           weld     anchor in body 2 (3), the same point in body 1 (3), rel (4), torquescale;
//                    f is eq_frame
//           joint, tendon   coefficients of poly (5)

#include "constraint/rows.h"

#include "data/sleep.h"
#include "dynamics/dynamics.h"

static const int32_t rows_of[SN_NEQUALITYTYPES] = {
  // 0: the plugin declares them
  [SN_EQUALITY_CONNECT] = 3,
  [SN_EQUALITY_WELD] = 6,
  [SN_EQUALITY_JOINT] = 1,
  [SN_EQUALITY_TENDON] = 1,
};

int64_t si_equality_row_count(const sn_model *m, int64_t eq) {
  const int32_t rows = rows_of[m->eq_type[eq]];
  return rows ? rows : si_plugin_equations(m, eq);
}

int64_t si_equality_count(const sn_model *m, const sn_data *d) {
  int64_t n = 0;
  for (int64_t i = 0; i < m->neq; i++) {
    n += d->eq_enabled[i] ? si_equality_row_count(m, i) : 0;
  }
  return n;
}

// Softens the rows of the block that was just added; a constraint between things that cannot move
// is taken back.
static void finish(si_rows *rows, int32_t eq, const double *J, double norm, double weight) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  sn_block block = d->block[d->nblock - 1];
  if (si_rows_drop_idle(rows, J)) {
    return;
  }
  si_softness softness = { .solref = m->eq_solref + SI_NREFERENCE * eq,
                           .solimp = m->eq_solimp + SI_NIMPEDANCE * eq,
                           .distance = norm,
                           .weight = weight,
                           .exact = si_equality_is_exact(m, eq) };
  for (int32_t i = 0; i < block.nrow; i++) {
    si_rows_soften(rows, block.row + i, &softness);
  }
}

// A point in the frame of a body.
static si_attachment attach(const sn_data *d, int32_t body, const double *local) {
  si_attachment a = { .body = body };
  sn_mul_mat_vec3(a.point, d->xmat + 9 * body, local);
  sn_add3(a.point, a.point, d->xpos + 3 * body);
  return a;
}

static void connect(si_rows *rows, int32_t eq) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  const double *data = m->eq_data + SI_NEQDATA * eq;
  int32_t body1 = m->eq_obj1id[eq], body2 = m->eq_obj2id[eq];
  const si_attachment at1 = attach(d, body1, data), at2 = attach(d, body2, data + 3);

  si_mark mark = si_arena_mark(&rows->w->scratch);
  int32_t *col = si_arena_ints(&rows->w->scratch, m->nv);
  int32_t n = si_merge_chain(m, body1, body2, col);
  double *J = si_rows_block(rows, SN_ROW_EQUALITY, eq, 3, n, col);
  si_jacobian_difference(m, d, &at2, &at1, n, J, NULL);
  si_arena_release(&rows->w->scratch, mark);

  double *residual = d->efc_pos + d->nefc - 3;
  sn_sub3(residual, at1.point, at2.point);
  finish(rows, eq, J, sn_norm3(residual),
         m->body_invweight0[2 * body1] + m->body_invweight0[2 * body2]);
}

// Replaces rotational Jacobians (3 x n) by those of the imaginary part of (q2 f)* q1 rel f.
static void quaternion_rows(int32_t n, double *J, double scale, const double *q2_inverse,
                            const double *q1_rel) {
  for (int32_t k = 0; k < n; k++) {
    double e[4] = { 0, J[k], J[n + k], J[2 * n + k] };
    sn_mul_quat(e, q2_inverse, e);
    sn_mul_quat(e, e, q1_rel);
    J[k] = 0.5 * scale * e[1];
    J[n + k] = 0.5 * scale * e[2];
    J[2 * n + k] = 0.5 * scale * e[3];
  }
}

void si_weld_frames(const sn_model *m, const sn_data *d, int64_t eq, double *q2_inverse,
                    double *q1_rel) {
  const double *rel = m->eq_data + SI_NEQDATA * eq + 6, *frame = m->eq_frame + 4 * eq;
  sn_mul_quat(q2_inverse, d->xquat + 4 * m->eq_obj2id[eq], frame);
  sn_conj_quat(q2_inverse, q2_inverse);
  sn_mul_quat(q1_rel, d->xquat + 4 * m->eq_obj1id[eq], rel);
  sn_mul_quat(q1_rel, q1_rel, frame);
}

static void weld(si_rows *rows, int32_t eq) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  const double *data = m->eq_data + SI_NEQDATA * eq;
  int32_t body1 = m->eq_obj1id[eq], body2 = m->eq_obj2id[eq];
  double scale = data[10], q2_inverse[4], q1_rel[4], turn[4];
  const si_attachment at1 = attach(d, body1, data + 3), at2 = attach(d, body2, data);
  si_weld_frames(m, d, eq, q2_inverse, q1_rel);
  sn_mul_quat(turn, q2_inverse, q1_rel);

  si_mark mark = si_arena_mark(&rows->w->scratch);
  int32_t *col = si_arena_ints(&rows->w->scratch, m->nv);
  int32_t n = si_merge_chain(m, body1, body2, col);
  double *J = si_rows_block(rows, SN_ROW_EQUALITY, eq, 6, n, col);
  si_jacobian_difference(m, d, &at2, &at1, n, J, J + 3 * n);
  quaternion_rows(n, J + 3 * n, scale, q2_inverse, q1_rel);
  si_arena_release(&rows->w->scratch, mark);

  double *residual = d->efc_pos + d->nefc - 6;
  sn_sub3(residual, at1.point, at2.point);
  sn_scale3(residual + 3, turn + 1, scale);
  double norm = sqrt(sn_dot6(residual, residual));
  // Matches MuJoCo 2.2.2: weld-residual
  if (m->opt.compatibility == SN_COMPATIBILITY_MUJOCO_2_2) {
    sn_copy3(residual + 3, turn + 1);   // the impedance alone is that of the scaled residual
  }
  finish(rows, eq, J, norm, m->body_invweight0[2 * body1] + m->body_invweight0[2 * body2]);
}

si_polynomial_value si_polynomial(const double *c, double x) {
  return (si_polynomial_value){
    .value = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4]))),
    .slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4])),
    .curvature = 2 * c[2] + x * (6 * c[3] + x * 12 * c[4]),
  };
}

static void joint(si_rows *rows, int32_t eq) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  const double *data = m->eq_data + SI_NEQDATA * eq;
  int32_t joint1 = m->eq_obj1id[eq], joint2 = m->eq_obj2id[eq];
  int32_t q1 = m->jnt_qposadr[joint1], dof1 = m->jnt_dofadr[joint1];
  double residual = d->qpos[q1] - m->qpos0[q1], weight = m->dof_invweight0[dof1], *J;
  if (joint2 < 0) {
    residual -= data[0];
    J = si_rows_block(rows, SN_ROW_EQUALITY, eq, 1, 1, &dof1);
    *J = 1;
  } else {
    int32_t q2 = m->jnt_qposadr[joint2], dof2 = m->jnt_dofadr[joint2];
    int first = dof1 < dof2;
    const si_polynomial_value poly = si_polynomial(data, d->qpos[q2] - m->qpos0[q2]);
    residual -= poly.value;
    weight += m->dof_invweight0[dof2];
    J = si_rows_block(rows, SN_ROW_EQUALITY, eq, 1, 2,
                      (const int32_t[]){ first ? dof1 : dof2, first ? dof2 : dof1 });
    J[first ? 0 : 1] = 1;
    J[first ? 1 : 0] = -poly.slope;
  }
  d->efc_pos[d->nefc - 1] = residual;
  finish(rows, eq, J, residual, weight);
}

// The row x + s y, on the columns of both, in scratch memory.
static sn_sparse_row combine(si_worker *w, sn_sparse_row x, double s, sn_sparse_row y) {
  int32_t *col = si_arena_ints(&w->scratch, x.n + y.n);
  double *val = si_arena_reals(&w->scratch, x.n + y.n);
  int32_t n = 0;
  for (int32_t i = 0, j = 0; i < x.n || j < y.n; n++) {
    int32_t a = i < x.n ? x.col[i] : INT32_MAX;
    int32_t b = j < y.n ? y.col[j] : INT32_MAX;
    col[n] = a < b ? a : b;
    val[n] = a <= b ? x.val[i++] : 0;
    val[n] += b <= a ? s * y.val[j++] : 0;
  }
  return (sn_sparse_row){ n, col, val };
}

static void tendon(si_rows *rows, int32_t eq) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  const double *data = m->eq_data + SI_NEQDATA * eq;
  int32_t t1 = m->eq_obj1id[eq], t2 = m->eq_obj2id[eq];
  double residual = d->ten_length[t1] - m->tendon_length0[t1], weight = m->tendon_invweight0[t1];
  si_mark mark = si_arena_mark(&rows->w->scratch);
  sn_sparse_row row = si_tendon_row(d, t1);
  if (t2 < 0) {
    residual -= data[0];
  } else {
    const si_polynomial_value poly = si_polynomial(data, d->ten_length[t2] - m->tendon_length0[t2]);
    residual -= poly.value;
    weight += m->tendon_invweight0[t2];
    row = combine(rows->w, row, -poly.slope, si_tendon_row(d, t2));
  }
  const double *J = si_rows_add(rows, SN_ROW_EQUALITY, eq, 1, row);
  si_arena_release(&rows->w->scratch, mark);
  d->efc_pos[d->nefc - 1] = residual;
  finish(rows, eq, J, residual, weight);
}

static void (*const equality[])(si_rows *rows, int32_t eq) = {
  [SN_EQUALITY_CONNECT] = connect,
  [SN_EQUALITY_WELD] = weld,
  [SN_EQUALITY_JOINT] = joint,
  [SN_EQUALITY_TENDON] = tendon,
  [SN_EQUALITY_PLUGIN] = si_plugin_equation_rows,
};

void si_equality_row(si_rows *rows, int32_t eq) {
  equality[rows->m->eq_type[eq]](rows, eq);
}

// Takes the block of a constraint back, if one was added, where all that it moves sleeps.
static void drop_asleep(si_rows *rows, int64_t before) {
  sn_data *d = rows->d;
  if (si_any_asleep(d) && d->nblock > before) {
    const int32_t row = d->block[d->nblock - 1].row;
    if (si_dofs_asleep(rows->m, d, d->efc_J_rownnz[row], d->efc_J_colind + d->efc_J_rowadr[row])) {
      si_rows_undo(rows);
    }
  }
}

void si_equality_rows(si_rows *rows) {
  for (int32_t i = 0; i < rows->m->neq; i++) {
    if (rows->d->eq_enabled[i]) {
      const int64_t before = rows->d->nblock;
      si_equality_row(rows, i);
      drop_asleep(rows, before);
    }
  }
}
