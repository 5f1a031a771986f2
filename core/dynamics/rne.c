// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics by the recursive Newton-Euler algorithm, Featherstone (2008), chapter 5:
//
//   a_b  = a_parent + sum over its dofs of (cdof_dot qvel + cdof qacc),   a_world = -gravity
//   f_b  = I a_b + v_b x* (I v_b) + sum of f over its children
//   out  = cdof' f + armature qacc + J' (armature of tendons) (second derivative of their length)
//
// Gravity is an upward acceleration of the world. With qacc = 0 the result is the bias force c.

#include "data/share.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "dynamics/tendon_armature.h"
#include "sinew/math.h"

// Acceleration of a body relative to its parent. The translations of a free joint are along axes
// that never turn: no cdof_dot.
static inline void relative_acceleration(const sn_model *m, const sn_data *d, int32_t b,
                                         const double *qacc, double *a) {
  int32_t begin = m->body_dofadr[b], end = begin + m->body_dofnum[b];
  int32_t turning = end - begin == 6 && m->jnt_type[m->dof_jntid[begin]] == SN_JOINT_FREE
                        ? begin + 3
                        : begin;
  for (int32_t i = turning; i < end; i++) {
    sn_addscale6(a, a, d->qvel[i], d->cdof_dot + 6 * i);
  }
  if (qacc) {
    for (int32_t i = begin; i < end; i++) {
      sn_addscale6(a, a, qacc[i], d->cdof + 6 * i);
    }
  }
}

// acc of the parent is there.
static inline void accelerate(const sn_model *m, const sn_data *d, int32_t b, const double *qacc,
                              double *acc) {
  memcpy(acc + 6 * b, acc + 6 * m->body_parentid[b], 6 * sizeof(double));
  relative_acceleration(m, d, b, qacc, acc + 6 * b);
}

void si_dyn_bias_acceleration(const sn_model *m, const sn_data *d, double *acc) {
  memset(acc, 0, 6 * sizeof(double));
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    accelerate(m, d, b, NULL, acc);
  }
}

typedef struct pass {
  const double *qacc;
  double *acc, *force;   // of the bodies
  double *out;
} pass;

// Accelerations of the bodies of a run and the forces that they take, children not included.
SI_TASK void outward(const sn_model *m, const sn_data *d, const si_run *run, const double *qacc,
                     double *acc, double *force) {
  for (int32_t b = run->begin.body; b < run->end.body; b++) {
    double *a = acc + 6 * b, *f = force + 6 * b, momentum[6], rate[6];
    accelerate(m, d, b, qacc, acc);
    sn_mul_inertia(f, d->cinert + 10 * b, a);
    sn_mul_inertia(momentum, d->cinert + 10 * b, d->cvel + 6 * b);
    sn_cross_force(rate, d->cvel + 6 * b, momentum);
    sn_addscale6(f, f, 1, rate);
  }
}

// The bias forces of what sleeps are those that it has at rest.
SI_TASK sn_status run_rne(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  (void)w;
  const si_run *run = &d->sleep.run[k];
  const pass *p = context;
  double *force = p->force;
  outward(m, d, run, p->qacc, p->acc, force);

  // forces of the children, towards the root; what the world takes is not needed
  for (int32_t b = run->end.body - 1; b >= run->begin.body; b--) {
    double *up = force + 6 * m->body_parentid[b];
    if (up > force) {
      sn_addscale6(up, up, 1, force + 6 * b);
    }
  }
  for (int32_t i = run->begin.dof; i < run->end.dof; i++) {
    p->out[i] = sn_dot6(d->cdof + 6 * i, force + 6 * m->dof_bodyid[i]);
  }
  return SN_OK;
}

// They accelerate as the world does.
static void accelerate_fixed(const sn_model *m, const sn_data *d, double *acc) {
  for (int32_t f = 0; f < d->sleep.nfixed; f++) {
    const si_run *fixed = &m->bound.roots.fixed[f];
    for (int32_t b = fixed->begin.body; b < fixed->end.body; b++) {
      memcpy(acc + 6 * b, acc, 6 * sizeof(double));
    }
  }
}

void si_dyn_rne(const sn_model *m, sn_data *d, si_worker *w, const double *qacc, double *out) {
  si_mark mark = si_arena_mark(&w->scratch);
  double *acc = si_arena_reals(&w->scratch, 6 * m->nbody);
  pass p = { qacc, acc, si_arena_reals(&w->scratch, 6 * m->nbody), out };

  memset(acc, 0, 6 * sizeof(double));
  if (!(m->opt.disableflags & SN_DISABLE_GRAVITY)) {
    sn_scale3(acc + 3, m->opt.gravity, -1);
  }
  si_share_runs(m, d, run_rne, &p);
  if (m->ntendon > 0 && si_any_fixed(d)) {
    accelerate_fixed(m, d, acc);
  }
  if (qacc) {
    for (int32_t i = 0; i < (int32_t)m->nv; i++) {
      out[i] += m->dof_armature[i] * qacc[i];
    }
  }
  si_dyn_tendon_bias(m, d, acc, qacc, out);
  si_arena_release(&w->scratch, mark);
}
