// SPDX-License-Identifier: Apache-2.0
//
// What an integrator is handed: the state to advance in place, and the mathematics of the model.
//
// Implicit velocity, EQUATIONS (5): (M - h D) x = M qacc, where M qacc is qfrc_smooth +
// qfrc_constraint. D has the sparsity of M, so that elimination from the leaves to the root makes
// no new entries: L'DL when D is symmetric, else LU (sinew/numerics/tree.h). Where passive forces
// or actuators couple branches, both run along an elimination tree that has these couplings
// (bind/coupling.c).

#include "step/stepper.h"

#include <string.h>

#include "dynamics/actuation.h"
#include "dynamics/derivative.h"
#include "dynamics/dynamics.h"
#include "sinew/numerics/tree.h"
#include "step/pipeline.h"

static sn_status forward(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  return si_forward_all(m, d, w, 1);
}

// A failure ends the step, also when the integrator does not return it.
static sn_status evaluate(sn_stepper *s) {
  si_worker *w = s->context;
  sn_status status = si_guarded_again(forward, w->data->model, w->data, w, NULL);
  w->evaluation = w->evaluation < 0 ? w->evaluation : status;
  return status;
}

static void advance_position(sn_stepper *s, const double *v, double h) {
  const si_worker *w = s->context;
  sn_integrate_position(w->data->model, s->qpos, v, h);
}

typedef struct activation_request {
  const double *act_dot;
  double h;
} activation_request;

static sn_status advance_states(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  const activation_request *r = context;
  si_dyn_advance_activation(m, d, w, r->act_dot, r->h, d->act);
  return SN_OK;
}

static void advance_activation(sn_stepper *s, const double *act_dot, double h) {
  si_worker *w = s->context;
  activation_request request = { act_dot, h };
  si_guarded_again(advance_states, w->data->model, w->data, w, &request);
}

static void clamp_activation(sn_stepper *s) {
  const si_worker *w = s->context;
  si_dyn_clamp_activation(w->data->model, w->data);
}

static void subtract(sn_stepper *s, const double *from, const double *to, double *v) {
  const si_worker *w = s->context;
  sn_differentiate_position(w->data->model, v, 1, from, to);
}

static void dexpinv(sn_stepper *s, const double *u, const double *v, double *out) {
  const si_worker *w = s->context;
  si_transport(w->data->model, u, v, out);
}

// ------------------------------------------------------------------ implicit velocity

// Joint damping stays in M + h D when passive forces are disabled.
// Matches MuJoCo 2.2.2: damping-without-passive
static int any_damping(const sn_model *m) {
  for (int64_t i = 0; i < m->nv; i++) {
    if (m->dof_damping[i] != 0) {
      return 1;
    }
  }
  return 0;
}

static void solve_symmetric(const sn_model *m, si_worker *w, const si_elimination *e,
                            const double *A, double *x) {
  double *L = si_arena_reals(&w->scratch, e->n), *Dinv = si_arena_reals(&w->scratch, m->nv);
  sn_tree_factor(m->nv, e->parent, e->adr, A, L, Dinv);
  const sn_inertia view = { .size = sizeof view,
                            .nv = m->nv,
                            .nM = e->n,
                            .parent = e->parent,
                            .adr = e->adr,
                            .M = A,
                            .L = L,
                            .Dinv = Dinv };
  sn_tree_solve(&view, x);
}

// out = A^-1 out with A = M + h diag(damping)
static void solve_damped(const sn_model *m, const sn_data *d, si_worker *w, double h, double *out) {
  double *A = si_arena_reals(&w->scratch, m->nM);
  memcpy(A, d->qM, (size_t)m->nM * sizeof(double));
  for (int64_t i = 0; i < m->nv; i++) {
    A[m->dof_Madr[i]] += h * m->dof_damping[i];
  }
  const si_elimination own = si_elimination_tree(m);
  solve_symmetric(m, w, &own, A, out);
}

static sn_unsymmetric zeros(si_worker *w, int64_t n) {
  sn_unsymmetric D = { si_arena_reals(&w->scratch, n), si_arena_reals(&w->scratch, n) };
  memset(D.lower, 0, (size_t)n * sizeof(double));
  memset(D.upper, 0, (size_t)n * sizeof(double));
  return D;
}

// Joint damping and bias forces, which couple no branches that M does not: on the pattern of M,
// both triangles.
static void derive_on_tree(const sn_model *m, sn_data *d, si_worker *w, uint32_t which,
                           sn_unsymmetric D) {
  if ((which & SN_DERIV_DAMPING) && !(which & SN_DERIV_PASSIVE)) {
    si_derive_damping(m, D);
  }
  if (which & SN_DERIV_BIAS) {
    si_derive_bias(m, d, w, D);
  }
}

// The others, on the pattern of an elimination tree. Joint damping is among the passive forces.
static void derive_coupled(const sn_model *m, sn_data *d, si_worker *w, uint32_t which,
                           const si_elimination *e, sn_unsymmetric D) {
  if (which & SN_DERIV_PASSIVE) {
    si_derive_passive(m, d, w, e, SI_BY_VELOCITY, D);
  }
  if (which & SN_DERIV_ACTUATOR) {
    si_derive_actuation(m, d, w, e, SI_BY_VELOCITY, D);
  }
}

// The selected derivatives on the pattern of an elimination tree, `coupled` or that of M.
static sn_unsymmetric derivatives_of(const sn_model *m, sn_data *d, si_worker *w, uint32_t which,
                                     const si_elimination *e, int coupled) {
  sn_unsymmetric D = zeros(w, e->n);
  if (!coupled) {
    derive_coupled(m, d, w, which, e, D);
    derive_on_tree(m, d, w, which, D);
    return D;
  }
  const sn_unsymmetric own = zeros(w, m->nM);
  derive_on_tree(m, d, w, which, own);
  si_elimination_spread(m, e, own.lower, D.lower);
  si_elimination_spread(m, e, own.upper, D.upper);
  derive_coupled(m, d, w, which, e, D);
  return D;
}

// y += scale K x
static void add_product(const sn_model *m, const si_elimination *e, sn_unsymmetric K, double scale,
                        const double *x, double *y) {
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    int32_t at = e->adr[i];
    y[i] += scale * K.lower[at] * x[i];
    for (int32_t a = e->parent[i]; a >= 0; a = e->parent[a]) {
      at++;
      y[i] += scale * K.lower[at] * x[a];
      y[a] += scale * K.upper[at] * x[i];
    }
  }
}

// D += h K with K the derivatives by position, and out += h K v.
static void add_stiffness(const sn_model *m, sn_data *d, si_worker *w, uint32_t which, double h,
                          const si_elimination *e, sn_unsymmetric D, double *out) {
  const sn_unsymmetric K = zeros(w, e->n);
  if (which & SN_DERIV_PASSIVE) {
    si_derive_passive(m, d, w, e, SI_BY_POSITION, K);
  }
  if (which & SN_DERIV_ACTUATOR) {
    si_derive_actuation(m, d, w, e, SI_BY_POSITION, K);
  }
  for (int64_t i = 0; i < e->n; i++) {
    D.lower[i] += h * K.lower[i];
    D.upper[i] += h * K.upper[i];
  }
  add_product(m, e, K, h, d->qvel, out);
}

// out = A^-1 out with A = M - h D
static void solve_derived(const sn_model *m, sn_data *d, si_worker *w, uint32_t which, double h,
                          double *out) {
  const int coupled = m->bound.coupled.parent && !(which & SN_DERIV_TREE) &&
                      which & (SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR);
  const si_elimination e = coupled ? m->bound.coupled : si_elimination_tree(m);
  sn_unsymmetric A = derivatives_of(m, d, w, which, &e, coupled);
  if (which & SN_DERIV_POSITION) {
    add_stiffness(m, d, w, which, h, &e, A, out);
  }
  double *M = d->qM;
  if (coupled) {
    M = si_arena_reals(&w->scratch, e.n);
    si_elimination_spread(m, &e, d->qM, M);
  }
  if (which & SN_DERIV_SYMMETRIC) {
    for (int64_t i = 0; i < e.n; i++) {
      A.lower[i] = M[i] - h * 0.5 * (A.lower[i] + A.upper[i]);
    }
    solve_symmetric(m, w, &e, A.lower, out);
    return;
  }
  for (int64_t i = 0; i < e.n; i++) {
    A.lower[i] = M[i] - h * A.lower[i];
    A.upper[i] = M[i] - h * A.upper[i];
  }
  sn_unsymmetric_solve(m->nv, e.parent, e.adr, A, out);
}

enum { DERIVATIVES = SN_DERIV_DAMPING | SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_BIAS };

typedef struct implicit_request {
  uint32_t which;
  double h;
  double *out;
} implicit_request;

static sn_status solve_implicit(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  const implicit_request *r = context;
  const uint32_t which = r->which;
  double h = r->h, *out = r->out;
  for (int64_t i = 0; i < m->nv; i++) {
    out[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  }
  if (which & SN_DERIV_NO_INERTIAL) {
    si_dyn_add_inertial(m, d, out);
  }
  si_mark mark = si_arena_mark(&w->scratch);
  if ((which & DERIVATIVES) == 0) {
    sn_solve_inertia(m, d, out);
  } else if ((which & DERIVATIVES) == SN_DERIV_DAMPING) {
    solve_damped(m, d, w, h, out);
  } else {
    solve_derived(m, d, w, which, h, out);
  }
  si_arena_release(&w->scratch, mark);
  return SN_OK;
}

// Without derivatives the acceleration is that of the evaluation.
static sn_status implicit(sn_stepper *s, uint32_t which, double h, double *out) {
  si_worker *w = s->context;
  const sn_model *m = w->data->model;
  const int no_damping = m->opt.disableflags & SN_DISABLE_EULERDAMP || !any_damping(m);
  if ((which & DERIVATIVES) == SN_DERIV_DAMPING && no_damping) {
    which &= ~(uint32_t)SN_DERIV_DAMPING;
  }
  if ((which & (DERIVATIVES | SN_DERIV_NO_INERTIAL)) == 0) {
    memcpy(out, w->data->qacc, (size_t)m->nv * sizeof(double));
    return SN_OK;
  }
  implicit_request request = { which, h, out };
  return si_guarded_again(solve_implicit, m, w->data, w, &request);
}

static sn_status move_freely(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  const double *h = context;
  si_dyn_free_motion(m, d, w, *h);
  return SN_OK;
}

static sn_status free_motion(sn_stepper *s, double h) {
  si_worker *w = s->context;
  return si_guarded_again(move_freely, w->data->model, w->data, w, &h);
}

// ------------------------------------------------------------------ the table

void si_stepper_init(const sn_model *m, sn_data *d, si_worker *w, sn_stepper *out) {
  *out = (sn_stepper){
    .size = sizeof(sn_stepper),
    .context = w,
    .h = m->opt.timestep,
    .nq = m->nq,
    .nv = m->nv,
    .na = m->na,
    .time = d->time,
    .qpos = d->qpos,
    .qvel = d->qvel,
    .act = d->act,
    .qacc = d->qacc,
    .act_dot = d->act_dot,
    .evaluate = evaluate,
    .advance_position = advance_position,
    .advance_activation = advance_activation,
    .implicit = implicit,
    .clamp_activation = clamp_activation,
    .subtract = subtract,
    .dexpinv = dexpinv,
    .state = m->nintegratorstate > 0 ? d->integrator_state : NULL,
    .nstate = m->nintegratorstate,
    .free_motion = free_motion,
  };
}
