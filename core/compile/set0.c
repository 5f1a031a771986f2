// SPDX-License-Identifier: Apache-2.0
//
// What the compiler learns from the configuration qpos0: everything that ends in 0, the mean
// inertia, lengths of springs that are not given.
//
// Inverse weights are diagonals of J M^-1 J'. With M = L'DL and y = L'^-1 J',
//
//   J M^-1 J' = y' D^-1 y
//
// and y has no other dofs than those of J and their ancestors. So for dofs and bodies it costs the
// square of the depth of the tree, and no inverse is ever stored.

#include <math.h>
#include <stdlib.h>

#include "compile/compile.h"
#include "dynamics/chain.h"
#include "dynamics/dynamics.h"
#include "sinew/numerics/tree.h"
#include "step/pipeline.h"

// y' D^-1 y for y = L'^-1 y, along the row of a dof: y is 0 elsewhere. Clears y.
static double chain_weight(const sn_inertia *inertia, double *y, int32_t tip) {
  double sum = 0;
  for (int32_t k = tip; k >= 0; k = inertia->parent[k]) {
    sn_tree_eliminate(inertia, k, y);
    sum += y[k] * y[k] * inertia->Dinv[k];
    y[k] = 0;
  }
  return sum;
}

// The same for any y that is 0 above dof `last`.
static double weight_of(const sn_inertia *inertia, double *y, int32_t last) {
  double sum = 0;
  for (int32_t k = last; k >= 0; k--) {
    if (y[k] != 0) {
      sn_tree_eliminate(inertia, k, y);
    }
  }
  for (int32_t i = 0; i <= last; i++) {
    sum += y[i] * y[i] * inertia->Dinv[i];
    y[i] = 0;
  }
  return sum;
}

// ------------------------------------------------------------------ the limit of time

// Asked after each of many things, of which some take long: not of every one.
static sn_status in_time(si_build *b, int64_t i) {
  return i % 64 ? SN_OK : si_limit_time(&b->deadline, 0, b->error);
}

// The factorization, and each row of inverse weights, costs the square of the depth of its dof. A
// chain of too many joints is rejected before, since the time is not checked within.
static sn_status foresee(si_build *b) {
  const double second = 2e9;   // multiplications, more than a processor does
  const sn_model *m = b->m;
  double operations = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    const double depth = (double)((i + 1 < m->nv ? m->dof_Madr[i + 1] : m->nM) - m->dof_Madr[i]);
    operations += 0.5 * depth * depth;
  }
  return si_limit_time(&b->deadline, operations / second, b->error);
}

// ------------------------------------------------------------------ dofs and bodies

static void average(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
  }
  for (int i = 0; i < n; i++) {
    x[i] = sum / n;
  }
}

static sn_status set_dofs(si_build *b, const sn_data *d, double *y) {
  sn_model *m = b->m;
  const sn_inertia inertia = si_inertia_view(m, d);
  double trace = 0;
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    m->dof_M0[i] = d->qM[m->dof_Madr[i]];
    trace += m->dof_M0[i];
    y[i] = 1;
    m->dof_invweight0[i] = chain_weight(&inertia, y, i);
    SN_TRY(in_time(b, i));
  }
  for (int32_t j = 0; j < (int32_t)m->njnt; j++) {
    double *weight = m->dof_invweight0 + m->jnt_dofadr[j];
    if (m->jnt_type[j] == SN_JOINT_FREE) {
      average(weight, 3);
      average(weight + 3, 3);
    } else if (m->jnt_type[j] == SN_JOINT_BALL) {
      average(weight, 3);
    }
  }
  if (isnan(m->stat.meaninertia)) {
    m->stat.meaninertia = m->nv > 0 ? trace / (double)m->nv : 1;
  }
  return SN_OK;
}

static sn_status set_bodies(si_build *build, const sn_data *d, double *y) {
  sn_model *m = build->m;
  const sn_inertia inertia = si_inertia_view(m, d);
  for (int32_t b = 0; b < (int32_t)m->nbody; b++) {
    double weight[6] = { 0, 0, 0, 0, 0, 0 };
    int32_t tip = si_chain_tip(m, b);
    const double *origin = si_chain_origin(m, d, b);
    for (int k = 0; k < 6 && tip >= 0; k++) {
      double axis[3] = { 0, 0, 0 }, wrench[6] = { 0, 0, 0, 0, 0, 0 };
      axis[k % 3] = 1;
      if (k < 3) {
        si_wrench(wrench, origin, d->xipos + 3 * b, axis);
      } else {
        wrench[k - 3] = 1;
      }
      si_chain_apply(m, d, b, wrench, y);
      weight[k] = chain_weight(&inertia, y, tip);
    }
    m->body_invweight0[2 * b] = (weight[0] + weight[1] + weight[2]) / 3;
    m->body_invweight0[2 * b + 1] = (weight[3] + weight[4] + weight[5]) / 3;
    SN_TRY(in_time(build, b));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ tendons and actuators

static sn_status set_tendons(si_build *b, const sn_data *d, double *y) {
  sn_model *m = b->m;
  const sn_inertia inertia = si_inertia_view(m, d);
  for (int64_t t = 0; t < m->ntendon; t++) {
    const sn_sparse_row J = si_tendon_row(d, t);
    sn_row_add(J, 1, y);
    m->tendon_invweight0[t] = weight_of(&inertia, y, J.n > 0 ? J.col[J.n - 1] : -1);
    m->tendon_length0[t] = d->ten_length[t];
    if (isnan(m->tendon_lengthspring[t])) {
      m->tendon_lengthspring[t] = d->ten_length[t];
      m->tendon_lengthspring1[t] = d->ten_length[t];
    }
    if (isnan(m->tendon_lengthspring1[t])) {
      m->tendon_lengthspring1[t] = m->tendon_lengthspring[t];
    }
    SN_TRY(in_time(b, t));
  }
  return SN_OK;
}

static sn_status set_actuators(si_build *b, const sn_data *d, double *y) {
  sn_model *m = b->m;
  for (int64_t i = 0; i < m->nu; i++) {
    double sum = 0;
    sn_row_add(si_actuator_row(d, i), 1, y);
    sn_solve_inertia(m, d, y);
    for (int64_t k = 0; k < m->nv; k++) {
      sum += y[k] * y[k];
      y[k] = 0;
    }
    m->actuator_acc0[i] = sqrt(sum);
    m->actuator_length0[i] = d->actuator_length[i];
    SN_TRY(in_time(b, i));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ cameras and lights

// Offsets of a global position from its body, and from the center of mass of the subtree that is
// looked at: the target's, or the body's own.
static void set_offsets(const sn_data *d, int32_t body, int32_t target, const double *pos,
                        double *pos0, double *poscom0) {
  sn_sub3(pos0, pos, d->xpos + 3 * body);
  sn_sub3(poscom0, pos, d->subtree_com + 3 * (target >= 0 ? target : body));
}

static void set_cameras(sn_model *m, const sn_data *d) {
  for (int64_t i = 0; i < m->ncam; i++) {
    int32_t body = m->cam_bodyid[i];
    double quat[4], pos[3];
    sn_mul_pose(pos, quat, d->xpos + 3 * body, d->xquat + 4 * body, m->cam_pos + 3 * i,
                m->cam_quat + 4 * i);
    set_offsets(d, body, m->cam_targetbodyid[i], pos, m->cam_pos0 + 3 * i, m->cam_poscom0 + 3 * i);
    sn_quat_mat(m->cam_mat0 + 9 * i, quat);
  }
}

static void set_lights(sn_model *m, const sn_data *d) {
  for (int64_t i = 0; i < m->nlight; i++) {
    int32_t body = m->light_bodyid[i];
    double pos[3];
    sn_rotate(pos, m->light_pos + 3 * i, d->xquat + 4 * body);
    sn_add3(pos, pos, d->xpos + 3 * body);
    set_offsets(d, body, m->light_targetbodyid[i], pos, m->light_pos0 + 3 * i,
                m->light_poscom0 + 3 * i);
    sn_rotate(m->light_dir0 + 3 * i, m->light_dir + 3 * i, d->xquat + 4 * body);
  }
}

// ------------------------------------------------------------------ all

static sn_status positions(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  si_position_smooth(m, d, w);
  si_dyn_need_inertia(m, d);
  si_dyn_transmission(m, d, w);
  return SN_OK;
}

sn_status si_compile_evaluate(si_stage_fn *stage, const sn_model *m, sn_data *d, void *context,
                              sn_error *error) {
  sn_status status = si_guarded(stage, m, d, SI_EVALUATION_WRITES, context);
  return status < 0 ? si_fail(error, status, "the configuration qpos0 cannot be computed: %s",
                              d->error.message)
                    : status;
}

// What overflows here would do so in the first step.
static sn_status warn_overflow(sn_model *m, const sn_data *d, sn_error *error) {
  for (int64_t b = m->nbody - 1; b >= 0; b--) {   // the lowest body of those around it
    const double *com = d->subtree_com + 3 * b, *weight = m->body_invweight0 + 2 * b;
    if (!isfinite(com[0] + com[1] + com[2]) || !isfinite(weight[0] + weight[1])) {
      return si_model_warn(
          m, error,
          "body %lld '%s': masses and distances are so large that products of them are not finite, "
          "and the body cannot be simulated; use other units",
          (long long)b, sn_name(m, "body", (int32_t)b));
    }
  }
  return SN_OK;
}

static sn_status set_arrays(si_build *b, const sn_data *d, double *y) {
  SN_TRY(set_dofs(b, d, y));
  SN_TRY(set_bodies(b, d, y));
  SN_TRY(set_tendons(b, d, y));
  SN_TRY(set_actuators(b, d, y));
  set_cameras(b->m, d);
  set_lights(b->m, d);
  return SN_OK;
}

static sn_status set_all(si_build *b, const sn_data *d, double *y) {
  SN_TRY(set_arrays(b, d, y));
  SN_TRY(si_compile_actuator_damping(b, d));
  return warn_overflow(b->m, d, b->error);
}

// set gets the evaluated configuration, and nv zeros.
static sn_status with_qpos0(si_build *b,
                            sn_status (*set)(si_build *b, const sn_data *d, double *y)) {
  SN_TRY(foresee(b));
  sn_data *d = sn_data_new(b->m, b->error);
  double *y = d ? calloc((size_t)b->m->nv + 1, sizeof(double)) : NULL;
  sn_status status = SN_ENOMEM;
  if (y) {
    status = si_compile_evaluate(positions, b->m, d, NULL, b->error);
    status = status < 0 ? status : set(b, d, y);
  } else if (d) {
    si_fail(b->error, status, "out of memory for the configuration qpos0");
  }
  free(y);
  sn_data_free(d);
  return status;
}

sn_status si_compile_set0(si_build *b) {
  return with_qpos0(b, set_all);
}

sn_status si_recompute_set0(si_build *b, sn_data *data, double *zeros) {
  if (!data) {
    return with_qpos0(b, set_arrays);
  }
  SN_TRY(si_compile_evaluate(positions, b->m, data, NULL, b->error));
  return set_arrays(b, data, zeros);
}
