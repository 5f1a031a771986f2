// SPDX-License-Identifier: Apache-2.0
//
// The smooth dynamics in lanes, stage by stage as in core/dynamics, whose files explain the
// formulas: kinematics.c, com.c, crb.c, comvel.c, rne.c. Joints are hinges and slides, and nothing
// sleeps. smooth.c and smooth_avx2.c include this file with the name KERNELS of their table.

#include "lanes/state.h"
#include "lanes/tendon_loops.h"
#include "sinew/math.h"
#include "sinew/numerics/tree.h"

// ------------------------------------------------------------------ kinematics

SI_INLINE void place_joint(si_lanes *l, int32_t j, si_lane *pos, si_lane *quat) {
  const sn_model *m = l->m;
  const si_lane_numbers *p = &l->numbers;
  const si_lane moved = l->qpos[m->jnt_qposadr[j]] - p->qpos0[m->jnt_qposadr[j]];
  const si_lane *at = p->jnt_pos + 3 * j, *direction = p->jnt_axis + 3 * j, none = { 0 };
  const si_lane_mask is_off = (at[0] != none) | (at[1] != none) | (at[2] != none);
  const int any_off = lane_any(is_off);
  si_lane *anchor = l->xanchor + 3 * j, *axis = l->xaxis + 3 * j, arm[3], rotation[4];

  lane_rotate(axis, direction, quat);
  lane_copy3(anchor, pos);
  if (any_off) {
    lane_rotate(arm, at, quat);
    lane_add3(arm, anchor, arm);
    lane_select3(is_off, anchor, arm);
  }
  if (m->jnt_type[j] == SN_JOINT_SLIDE) {
    lane_addscale(pos, pos, moved, axis, 3);
    return;
  }
  lane_axisangle_quat(rotation, direction, moved);
  lane_mul_quat(quat, quat, rotation);
  if (any_off) {
    lane_rotate(arm, at, quat);
    lane_sub3(arm, anchor, arm);
    lane_select3(is_off, pos, arm);
  }
}

SI_INLINE void place_at(const si_lanes *l, int32_t body, const si_lane *local, si_lane *out) {
  lane_mul_mat_vec3(out, l->xmat + 9 * body, local);
  lane_add3(out, out, l->xpos + 3 * body);
}

SI_INLINE void turn_to(const si_lanes *l, int32_t body, const si_lane *local, si_lane *mat) {
  const si_lane_mask is_turned = ~(local[0] == lane_all(1));
  const si_lane *own = l->xmat + 9 * body;
  si_lane quat[4], turned[9];
  if (!lane_any(is_turned)) {
    lane_copy(mat, own, 9);
    return;
  }
  lane_mul_quat(quat, l->xquat + 4 * body, local);
  lane_quat_mat(turned, quat);
  for (int i = 0; i < 9; i++) {
    mat[i] = lane_select(is_turned, turned[i], own[i]);
  }
}

SI_INLINE void place_body(si_lanes *l, int32_t b) {
  const sn_model *m = l->m;
  const si_lane_numbers *p = &l->numbers;
  const int32_t parent = m->body_parentid[b], end = m->body_jntadr[b] + m->body_jntnum[b];
  si_lane *pos = l->xpos + 3 * b, *quat = l->xquat + 4 * b;
  place_at(l, parent, p->body_pos + 3 * b, pos);
  lane_mul_quat(quat, l->xquat + 4 * parent, p->body_quat + 4 * b);
  for (int32_t j = m->body_jntadr[b]; j < end; j++) {
    place_joint(l, j, pos, quat);
  }
  const si_lane scale = 1 / lane_sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] +
                                      quat[3] * quat[3]);
  for (int i = 0; i < 4; i++) {
    quat[i] *= scale;
  }
  lane_quat_mat(l->xmat + 9 * b, quat);
  place_at(l, b, p->body_ipos + 3 * b, l->xipos + 3 * b);
  turn_to(l, b, p->body_iquat + 4 * b, l->ximat + 9 * b);
}

static void kinematics(si_lanes *l) {
  const sn_model *m = l->m;
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    place_body(l, b);
  }
  for (int64_t i = 0; i < m->ngeom; i++) {
    place_at(l, m->geom_bodyid[i], l->numbers.geom_pos + 3 * i, l->geom_xpos + 3 * i);
    turn_to(l, m->geom_bodyid[i], l->numbers.geom_quat + 4 * i, l->geom_xmat + 9 * i);
  }
  for (int64_t i = 0; i < m->nsite; i++) {
    place_at(l, m->site_bodyid[i], l->numbers.site_pos + 3 * i, l->site_xpos + 3 * i);
    turn_to(l, m->site_bodyid[i], l->numbers.site_quat + 4 * i, l->site_xmat + 9 * i);
  }
}

// ------------------------------------------------------------------ inertia

static void subtree_centers(si_lanes *l) {
  const sn_model *m = l->m;
  const int32_t n = (int32_t)m->nbody;
  si_lane *com = l->subtree_com;
  for (int32_t b = 1; b < n; b++) {
    lane_scale3(com + 3 * b, l->xipos + 3 * b, l->numbers.body_mass[b]);
  }
  for (int32_t b = n - 1; b >= 1; b--) {
    si_lane *up = com + 3 * m->body_parentid[b];
    lane_add(up, up, com + 3 * b, 3);   // that of the world is not used
  }
  for (int32_t b = 1; b < n; b++) {
    const si_lane mass = l->numbers.body_subtreemass[b];
    lane_scale3(com + 3 * b, com + 3 * b, 1 / mass);
    lane_select3(mass < lane_all(SN_TINY), com + 3 * b, l->xipos + 3 * b);
  }
}

SI_INLINE void inertia_about(si_lane *I, const si_lane *R, const si_lane *inertia, si_lane mass,
                             const si_lane *r) {
  si_lane a[9];
  for (int i = 0; i < 9; i++) {
    a[i] = R[i] * inertia[i % 3];
  }
  I[0] = lane_dot3(a, R) + mass * (r[1] * r[1] + r[2] * r[2]);
  I[1] = lane_dot3(a + 3, R + 3) + mass * (r[0] * r[0] + r[2] * r[2]);
  I[2] = lane_dot3(a + 6, R + 6) + mass * (r[0] * r[0] + r[1] * r[1]);
  I[3] = lane_dot3(a, R + 3) - mass * r[0] * r[1];
  I[4] = lane_dot3(a, R + 6) - mass * r[0] * r[2];
  I[5] = lane_dot3(a + 3, R + 6) - mass * r[1] * r[2];
  lane_scale3(I + 6, r, mass);
  I[9] = mass;
}

static void inertias(si_lanes *l) {
  const sn_model *m = l->m;
  si_lane r[3];
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    lane_sub3(r, l->xipos + 3 * b, l->subtree_com + 3 * m->body_rootid[b]);
    inertia_about(l->cinert + 10 * b, l->ximat + 9 * b, l->numbers.body_inertia + 3 * b,
                  l->numbers.body_mass[b], r);
  }
  for (int32_t j = 0; j < (int32_t)m->njnt; j++) {
    si_lane *cdof = l->cdof + 6 * m->jnt_dofadr[j];
    const si_lane *axis = l->xaxis + 3 * j;
    if (m->jnt_type[j] == SN_JOINT_SLIDE) {
      lane_zero(cdof, 3);
      lane_copy(cdof + 3, axis, 3);
    } else {
      lane_sub3(r, l->subtree_com + 3 * m->body_rootid[m->jnt_bodyid[j]], l->xanchor + 3 * j);
      lane_copy(cdof, axis, 3);
      lane_cross(cdof + 3, axis, r);
    }
  }
}

static void composite(si_lanes *l) {
  const sn_model *m = l->m;
  lane_copy(l->crb, l->cinert, 10 * (int)m->nbody);
  for (int32_t b = (int32_t)m->nbody - 1; b >= 1; b--) {
    si_lane *up = l->crb + 10 * m->body_parentid[b];
    lane_add(up, up, l->crb + 10 * b, 10);
  }
}

static void inertia_matrix(si_lanes *l) {
  const sn_model *m = l->m;
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    const si_lane *I = l->crb + 10 * m->dof_bodyid[i], *cdof = l->cdof + 6 * i;
    si_lane *row = l->qM + m->dof_Madr[i], momentum[6];
    if (m->jnt_type[m->dof_jntid[i]] == SN_JOINT_SLIDE) {
      lane_cross(momentum, I + 6, cdof + 3);
      lane_scale3(momentum + 3, cdof + 3, I[9]);
    } else {
      lane_mul_inertia(momentum, I, cdof);
    }
    *row++ = l->numbers.dof_armature[i] + lane_dot6(cdof, momentum);
    int32_t mover = m->dof_parentid[i];   // others of the row do not move the body
    for (int32_t j = m->inertia_parent[i]; j >= 0; j = m->inertia_parent[j]) {
      *row++ = j == mover ? lane_dot6(l->cdof + 6 * j, momentum) : (si_lane){ 0 };
      mover = j == mover ? m->dof_parentid[j] : mover;
    }
  }
}

// ------------------------------------------------------------------ the factor

SI_INLINE si_lane inverse_pivot(si_lane *pivot) {
  *pivot = lane_select(*pivot > lane_all(SN_TINY), *pivot, lane_all(SN_TINY));
  return 1 / *pivot;
}

// Of all simulations.
SI_INLINE int is_diagonal(const si_lane *block, int32_t n) {
  si_lane_mask bits = { 0 };
  for (int32_t t = 1; t < n; t++) {
    for (int32_t q = 1; q <= t; q++) {
      bits |= (si_lane_mask)block[t * (t + 1) / 2 + q];
    }
  }
  return (bits[0] | bits[1] | bits[2] | bits[3]) == 0;
}

#define ZERO ((si_lane){ 0 })
#include "numerics/tree_loops.h"

static void factor(const sn_model *m, const si_lane *A, si_lane *L, si_lane *Dinv) {
  lane_copy(L, A, (int)m->nM);
  factor_part(m->nv, m->inertia_parent, m->dof_Madr, 0, (int32_t)m->nv, L, Dinv);
}

static void solve_damped(si_lanes *l, double h, si_lane *x) {
  const sn_model *m = l->m;
  const si_lane *L = l->qLD, *Dinv = l->qLDiagInv;
  if (h != 0) {
    lane_copy(l->A, l->qM, (int)m->nM);
    for (int64_t i = 0; i < m->nv; i++) {
      l->A[m->dof_Madr[i]] += h * l->numbers.dof_damping[i];
    }
    factor(m, l->A, l->L, l->Dinv);
    L = l->L;
    Dinv = l->Dinv;
  }
  solve_part(m->nv, m->inertia_parent, m->dof_Madr, 0, (int32_t)m->nv, L, Dinv, x);
}

// ------------------------------------------------------------------ velocities

static void body_velocities(si_lanes *l) {
  const sn_model *m = l->m;
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    si_lane *vel = l->cvel + 6 * b;
    lane_copy(vel, l->cvel + 6 * m->body_parentid[b], 6);
    for (int32_t i = m->body_dofadr[b]; i < m->body_dofadr[b] + m->body_dofnum[b]; i++) {
      const si_lane *cdof = l->cdof + 6 * i;
      si_lane *rate = l->cdof_dot + 6 * i;
      if (m->jnt_type[m->dof_jntid[i]] == SN_JOINT_SLIDE) {
        lane_zero(rate, 3);
        lane_cross(rate + 3, vel, cdof + 3);
        lane_addscale(vel + 3, vel + 3, l->qvel[i], cdof + 3, 3);
      } else {
        lane_cross_motion(rate, vel, cdof);
        lane_addscale(vel, vel, l->qvel[i], cdof, 6);
      }
    }
  }
}

static void bias_forces(si_lanes *l) {
  const sn_model *m = l->m;
  const int32_t n = (int32_t)m->nbody;
  si_lane *acc = l->work, *force = l->work + 6 * n, momentum[6], rate[6];
  lane_zero(acc, 6);
  lane_zero(force, 6);
  for (int i = 0; i < 3 && !(m->opt.disableflags & SN_DISABLE_GRAVITY); i++) {
    acc[3 + i] = l->numbers.gravity[i] * -1;
  }
  for (int32_t b = 1; b < n; b++) {
    const si_lane *I = l->cinert + 10 * b, *vel = l->cvel + 6 * b;
    si_lane *a = acc + 6 * b, *f = force + 6 * b;
    lane_copy(a, acc + 6 * m->body_parentid[b], 6);
    for (int32_t i = m->body_dofadr[b]; i < m->body_dofadr[b] + m->body_dofnum[b]; i++) {
      lane_addscale(a, a, l->qvel[i], l->cdof_dot + 6 * i, 6);
    }
    lane_mul_inertia(f, I, a);
    lane_mul_inertia(momentum, I, vel);
    lane_cross_force(rate, vel, momentum);
    lane_add(f, f, rate, 6);
  }
  for (int32_t b = n - 1; b >= 1; b--) {
    si_lane *up = force + 6 * m->body_parentid[b];
    lane_add(up, up, force + 6 * b, 6);
  }
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    l->qfrc_bias[i] = lane_dot6(l->cdof + 6 * i, force + 6 * m->dof_bodyid[i]);
  }
}

// ------------------------------------------------------------------ the table

static void position(si_lanes *l) {
  kinematics(l);
  subtree_centers(l);
  inertias(l);
  tendons(l);
  composite(l);
  inertia_matrix(l);
  factor(l->m, l->qM, l->qLD, l->qLDiagInv);
  transmissions(l);
}

static void velocity(si_lanes *l) {
  body_velocities(l);
  lengthening(l);
  bias_forces(l);
}

const si_lane_kernels KERNELS = { .position = position,
                                  .velocity = velocity,
                                  .solve = solve_damped };
