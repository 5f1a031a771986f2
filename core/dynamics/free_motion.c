// SPDX-License-Identifier: Apache-2.0
//
// The motion of a model on which no force acts, for a time h: its bodies keep their momentum but
// for what the joints exchange between them. Let h_b be the spatial momentum of body b about a
// fixed point, and S_i the axis of dof i there. A half step moves the positions, and then lets the
// joints at the new positions share the momentum that the bodies had:
//
//   q_m = q + h/2 v      M(q_m) v_m = p_m,    p_m,i = S_i(q_m)' sum of h_b(q, v)
//
// over the bodies that i moves. The second half step is its adjoint, the same one backwards in
// time from the end, so that the whole is symmetric and of order 2:
//
//   q' = q_m + h/2 v'    S_i(q_m)' sum of h_b(q', v') = p_m,i
//
// The axes of a tree's free joint are all rigid motions, so both halves keep its linear and angular
// momentum; the second is solved for v' to rounding. The free joint also moves its tree so that the
// center of mass drifts uniformly, as the momentum says. Armature adds momenta of its own to p, one
// number a dof or a tendon: of a tendon, armature J v, and J(q_m)' shares it.
//
// References: Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), II.3 (adjoint
// methods) and V (symmetric methods); Krysl, Endres, Explicit Newmark/Verlet algorithm for time
// integration of the rotational dynamics of rigid bodies, Int. J. Numer. Meth. Engng. 62 (2005).

#include "dynamics/chain.h"
#include "dynamics/dynamics.h"
#include "sinew/numerics/sparse.h"
#include "sinew/numerics/tree.h"

// Momenta, and the axes at q_m that share them.
typedef struct sharing {
  double *body;       // 6 nbody: spatial momenta, then those of subtrees
  double *armature;   // nv: armature v
  double *tendon;     // ntendon: armature J v
  double *origin;     // 3 nbody: about which the axes are, of the trees
  double *axis;       // 6 nv
  double *ten_J;      // ntenJ
  double *drift;      // 3 nbody: velocities of the centers of mass of the trees
} sharing;

static int any_armature(const sn_model *m) {
  for (int64_t t = 0; t < m->ntendon; t++) {
    if (m->tendon_armature[t] != 0) {
      return 1;
    }
  }
  return 0;
}

// The velocity of the center of mass of each tree, from the momenta of its bodies.
static void take_drift(const sn_model *m, sharing *s) {
  memset(s->drift, 0, 3 * (size_t)m->nbody * sizeof(double));
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    double *sum = s->drift + 3 * m->body_rootid[b];
    sn_add3(sum, sum, s->body + 6 * b + 3);
  }
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    const double mass = m->body_subtreemass[b];
    sn_scale3(s->drift + 3 * b, s->drift + 3 * b, mass < SN_TINY ? 0 : 1 / mass);
  }
}

// Moves the trees with free joints, so that their centers of mass have moved from `from` with the
// drift. Nothing that is about these centers changes.
static void place_centers(const sn_model *m, sn_data *d, const sharing *s, const double *from,
                          double h) {
  for (int32_t j = 0; j < (int32_t)m->njnt; j++) {
    const int32_t b = m->jnt_bodyid[j];
    if (m->jnt_type[j] == SN_JOINT_FREE && m->body_subtreemass[b] >= SN_TINY) {
      double to[3], *center = d->subtree_com + 3 * b, *q = d->qpos + m->jnt_qposadr[j];
      sn_addscale3(to, from + 3 * b, h, s->drift + 3 * b);
      for (int i = 0; i < 3; i++) {
        q[i] += to[i] - center[i];
      }
      sn_copy3(center, to);
    }
  }
}

// Moves from positions with the centers `from` along the velocity, and updates what the momenta
// depend on. Within a tree the tendons do not depend on its place; between trees the difference is
// of order 3 in h.
static void move(const sn_model *m, sn_data *d, const sharing *s, const double *from, double h) {
  sn_integrate_position(m, d->qpos, d->qvel, h);
  si_dyn_kinematics(m, d);
  si_dyn_com(m, d);
  if (any_armature(m)) {
    si_dyn_tendon(m, d);
  }
  place_centers(m, d, s, from, h);
}

// The momenta of the present positions and velocities, about the origins of the trees there.
static void take_momenta(const sn_model *m, sn_data *d, sharing *s) {
  si_dyn_comvel(m, d);
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    sn_mul_inertia(s->body + 6 * b, d->cinert + 10 * b, d->cvel + 6 * b);
  }
  for (int64_t i = 0; i < m->nv; i++) {
    s->armature[i] = m->dof_armature[i] * d->qvel[i];
  }
  for (int64_t t = 0; t < m->ntendon; t++) {
    s->tendon[t] = m->tendon_armature[t] * sn_row_dot(si_tendon_row(d, t), d->qvel);
  }
}

// The axes are those of the present positions.
static void take_axes(const sn_model *m, const sn_data *d, sharing *s) {
  memcpy(s->origin, d->subtree_com, 3 * (size_t)m->nbody * sizeof(double));
  memcpy(s->axis, d->cdof, 6 * (size_t)m->nv * sizeof(double));
  memcpy(s->ten_J, d->ten_J, (size_t)m->ntenJ * sizeof(double));
}

// out (nv): the momenta, which were taken about the origins `from`, as the axes share them.
static void share(const sn_model *m, const sn_data *d, sharing *s, const double *from,
                  double *out) {
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    const int32_t root = m->body_rootid[b];
    double arm[3], moment[3], *h = s->body + 6 * b;
    sn_sub3(arm, from + 3 * root, s->origin + 3 * root);
    sn_cross(moment, arm, h + 3);
    sn_add3(h, h, moment);
  }
  for (int32_t b = (int32_t)m->nbody - 1; b > 0; b--) {
    double *up = s->body + 6 * m->body_parentid[b];
    sn_addscale6(up, up, 1, s->body + 6 * b);
  }
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    out[i] = s->armature[i] + sn_dot6(s->axis + 6 * i, s->body + 6 * m->dof_bodyid[i]);
  }
  for (int64_t t = 0; t < m->ntendon; t++) {
    const int32_t adr = d->ten_J_rowadr[t];
    const sn_sparse_row J = { d->ten_J_rownnz[t], d->ten_J_colind + adr, s->ten_J + adr };
    sn_row_add(J, s->tendon[t], out);
  }
}

// The present velocity gets the momenta p at the present positions.
static void set_momenta(const sn_model *m, sn_data *d, si_worker *w, const double *p) {
  si_dyn_inertia(m, d, w);
  si_dyn_factor(m, d, w);
  memcpy(d->qvel, p, (size_t)m->nv * sizeof(double));
  sn_solve_inertia(m, d, d->qvel);
}

// q_m and v_m; p (nv): its momenta.
static void first_half(const sn_model *m, sn_data *d, si_worker *w, double h, sharing *s,
                       double *p) {
  double *from = si_arena_reals(&w->scratch, 3 * m->nbody);
  memcpy(from, d->subtree_com, 3 * (size_t)m->nbody * sizeof(double));
  take_momenta(m, d, s);
  take_drift(m, s);
  move(m, d, s, from, h / 2);
  take_axes(m, d, s);
  share(m, d, s, from, p);
  set_momenta(m, d, w, p);
}

static double norm(const sn_model *m, const double *v) {
  double sum = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    sum += v[i] * v[i];
  }
  return sqrt(sum);
}

// Moves v' by M(q_m)^-1 (p - its momenta) until that is as small as rounding makes it: it falls by
// a factor of about the angle of a half step. 0: it does not fall, the step is too long. before:
// the velocity at the start, from which the first v' is extrapolated.
static int second_half(const sn_model *m, sn_data *d, si_worker *w, double h, sharing *s,
                       const double *p, const double *middle, const double *before) {
  static const double enough = 4e-15, rounding = 1e-12;   // of the velocity
  double *change = si_arena_reals(&w->scratch, m->nv);
  for (int64_t i = 0; i < m->nv; i++) {
    d->qvel[i] += d->qvel[i] - before[i];
  }
  for (double error = INFINITY, last;;) {
    move(m, d, s, s->origin, h / 2);
    take_momenta(m, d, s);
    share(m, d, s, d->subtree_com, change);
    for (int64_t i = 0; i < m->nv; i++) {
      change[i] = p[i] - change[i];
    }
    sn_solve_inertia(m, d, change);
    last = error;
    error = norm(m, change);
    if (error <= enough * norm(m, d->qvel) || !(error < last)) {
      return error <= rounding * norm(m, d->qvel);
    }
    for (int64_t i = 0; i < m->nv; i++) {
      d->qvel[i] += change[i];
    }
    memcpy(d->qpos, middle, (size_t)m->nq * sizeof(double));
  }
}

void si_dyn_free_motion(const sn_model *m, sn_data *d, si_worker *w, double h) {
  si_mark mark = si_arena_mark(&w->scratch);
  sharing s = { .body = si_arena_reals(&w->scratch, 6 * m->nbody),
                .armature = si_arena_reals(&w->scratch, m->nv),
                .tendon = si_arena_reals(&w->scratch, m->ntendon),
                .origin = si_arena_reals(&w->scratch, 3 * m->nbody),
                .axis = si_arena_reals(&w->scratch, 6 * m->nv),
                .ten_J = si_arena_reals(&w->scratch, m->ntenJ),
                .drift = si_arena_reals(&w->scratch, 3 * m->nbody) };
  double *p = si_arena_reals(&w->scratch, m->nv), *v = si_arena_reals(&w->scratch, m->nv);
  double *middle = si_arena_reals(&w->scratch, m->nq), *start = si_arena_reals(&w->scratch, m->nv);
  memset(s.body, 0, 6 * sizeof(double));
  memcpy(start, d->qvel, (size_t)m->nv * sizeof(double));
  first_half(m, d, w, h, &s, p);
  memcpy(middle, d->qpos, (size_t)m->nq * sizeof(double));
  memcpy(v, d->qvel, (size_t)m->nv * sizeof(double));
  if (!second_half(m, d, w, h, &s, p, middle, start)) {
    // in a step this long the second half is like the first one, which keeps the momenta too
    memcpy(d->qpos, middle, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, v, (size_t)m->nv * sizeof(double));
    move(m, d, &s, s.origin, 0);
    first_half(m, d, w, h, &s, p);
  }
  si_arena_release(&w->scratch, mark);
}
