// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the discrete-time system by finite differences of the step.
//
// A change of controls leaves everything that depends on positions and velocities as it was, a
// change of velocities everything that depends on positions: the step is repeated from the first
// stage that sees the change. The integrator must not have evaluated other states in between.
// Every repetition starts from the same warm start.
//
// There is a derivative only while all repetitions have the same constraint rows, and each is
// solved with the same regularizers. Stiff contacts are shallow, less than 10 nm deep where the
// regularizer of normal rows is 1e-5 of the default: a larger perturbation opens them, and a finite
// change is divided by eps. That is logged, once a simulation.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"
#include "data/sleep.h"
#include "host/engine.h"
#include "step/pipeline.h"

// Where a step from one (changed) input arrives: next state and sensor values.
typedef struct arrival {
  double *qpos, *qvel, *act, *sensor;
} arrival;

// Evaluations whose differences are not derivatives, and why.
typedef struct flaws {
  int64_t evaluations, changed, softened, unconverged;
  int64_t nefc;   // of the unperturbed step; -1: it is to come
  double depth;   // of the shallowest contact there, or HUGE_VAL
} flaws;

typedef struct fd {
  const sn_model *m;
  sn_data *d;
  si_worker *w;
  double eps;
  int centered;
  int can_skip;
  const double *state;   // a copy of the state that everything starts from
  int64_t nx;            // 2 nv + na
  arrival base, plus, minus;
  double *column;   // nx + nsensordata
  flaws *flaws;
} fd;

static arrival take_arrival(const sn_model *m, si_worker *w) {
  return (arrival){ .qpos = si_arena_reals(&w->scratch, m->nq),
                    .qvel = si_arena_reals(&w->scratch, m->nv),
                    .act = si_arena_reals(&w->scratch, m->na),
                    .sensor = si_arena_reals(&w->scratch, m->nsensordata) };
}

static double shallowest(const sn_data *d) {
  double depth = HUGE_VAL;
  for (int64_t i = 0; i < d->ncon; i++) {
    if (d->contact_efc_address[i] >= 0) {
      depth = fmin(depth, fabs(d->contact_includemargin[i] - d->contact_dist[i]));
    }
  }
  return depth;
}

static void find_flaws(const sn_data *d, flaws *f) {
  if (f->nefc < 0) {
    f->nefc = d->nefc;
    f->depth = shallowest(d);
  }
  f->evaluations++;
  f->changed += d->nefc != f->nefc;
  f->softened += d->nsoftened > 0;
  f->unconverged += d->nunconverged > 0;
}

// Steps from the present state; the stages up to `done` are right already. Restores the state.
static sn_status arrive(const fd *f, int done, arrival *out) {
  const sn_model *m = f->m;
  sn_data *d = f->d;
  SN_TRY(si_forward_from(m, d, f->w, f->can_skip ? done : 0, 0));
  SN_TRY(si_reject_acceleration(m, d, f->w));
  find_flaws(d, f->flaws);
  if (m->nsensordata) {
    memcpy(out->sensor, d->sensordata, (size_t)m->nsensordata * sizeof(double));
  }
  SI_TRY_TIMED(f->w, integrate, si_integrate(m, d, f->w));
  memcpy(out->qpos, d->qpos, (size_t)m->nq * sizeof(double));
  memcpy(out->qvel, d->qvel, (size_t)m->nv * sizeof(double));
  if (m->na) {
    memcpy(out->act, d->act, (size_t)m->na * sizeof(double));
  }
  si_state_restore(m, d, SN_STATE_INTEGRATION, f->state);
  return SN_OK;
}

// column = (b - a) / h, positions in the tangent space.
static void difference(const fd *f, const arrival *a, const arrival *b, double h) {
  const sn_model *m = f->m;
  double *out = f->column;
  sn_differentiate_position(m, out, h, a->qpos, b->qpos);
  out += m->nv;
  for (int64_t i = 0; i < m->nv; i++) {
    *out++ = (b->qvel[i] - a->qvel[i]) / h;
  }
  for (int64_t i = 0; i < m->na; i++) {
    *out++ = (b->act[i] - a->act[i]) / h;
  }
  for (int64_t i = 0; i < m->nsensordata; i++) {
    *out++ = (b->sensor[i] - a->sensor[i]) / h;
  }
}

static void store(const fd *f, int64_t column, int64_t ncol, double *of_state, double *of_sensor) {
  for (int64_t i = 0; of_state && i < f->nx; i++) {
    of_state[i * ncol + column] = f->column[i];
  }
  for (int64_t i = 0; of_sensor && i < f->m->nsensordata; i++) {
    of_sensor[i * ncol + column] = f->column[f->nx + i];
  }
}

// Input i of the state differences, changed by h: position, velocity or activation.
static int change_state(const fd *f, int64_t i, double h) {
  const sn_model *m = f->m;
  sn_data *d = f->d;
  if (i < m->nv) {
    si_mark mark = si_arena_mark(&f->w->scratch);
    double *v = si_arena_reals(&f->w->scratch, m->nv);
    memset(v, 0, (size_t)m->nv * sizeof(double));
    v[i] = 1;
    sn_integrate_position(m, d->qpos, v, h);
    si_arena_release(&f->w->scratch, mark);
    return 0;
  }
  if (i < 2 * m->nv) {
    d->qvel[i - m->nv] += h;
    return SN_STAGE_POSITION;
  }
  d->act[i - 2 * m->nv] += h;
  return SN_STAGE_VELOCITY;
}

static sn_status differentiate_state(fd *f, double *A, double *C) {
  // positions last: they overwrite what the others may skip
  for (int64_t k = f->nx - 1; k >= 0; k--) {
    int done = change_state(f, k, f->eps);
    SN_TRY(arrive(f, done, &f->plus));
    if (f->centered) {
      change_state(f, k, -f->eps);
      SN_TRY(arrive(f, done, &f->minus));
      difference(f, &f->minus, &f->plus, 2 * f->eps);
    } else {
      difference(f, &f->base, &f->plus, f->eps);
    }
    store(f, k, f->nx, A, C);
  }
  return SN_OK;
}

static int within(const sn_model *m, int64_t i, double u) {
  return !m->actuator_ctrllimited[i] || (m->opt.disableflags & SN_DISABLE_CLAMPCTRL) ||
         (u >= m->actuator_ctrlrange[2 * i] && u <= m->actuator_ctrlrange[2 * i + 1]);
}

static sn_status differentiate_control(fd *f, double *B, double *D) {
  const sn_model *m = f->m;
  for (int64_t k = 0; k < m->nu; k++) {
    double u = f->d->ctrl[k];
    int up = within(m, k, u + f->eps);
    int down = within(m, k, u - f->eps) && (f->centered || !up);
    const arrival *from = &f->base, *to = &f->base;
    if (up) {
      f->d->ctrl[k] = u + f->eps;
      SN_TRY(arrive(f, SN_STAGE_VELOCITY, &f->plus));
      to = &f->plus;
    }
    if (down) {
      f->d->ctrl[k] = u - f->eps;
      SN_TRY(arrive(f, SN_STAGE_VELOCITY, &f->minus));
      from = &f->minus;
    }
    difference(f, from, to, (up && down ? 2 : 1) * f->eps);
    store(f, k, m->nu, B, D);
  }
  return SN_OK;
}

static void log_flaws(const sn_model *m, sn_data *d, const flaws *f, double eps) {
  enum { CHANGED = 1, UNSOLVED = 2 };
  if (f->changed && !(d->fd_logged & CHANGED)) {
    char depth[64] = "";
    if (f->depth < HUGE_VAL) {
      SI_PLAIN_LOCALE;
      snprintf(depth, sizeof depth, " (the shallowest contact is %.2g m deep)", f->depth);
    }
    d->fd_logged |= CHANGED;
    si_engine_log(m->engine, SN_LOG_WARNING, "derivatives",
                  "the perturbation of sn_transition_fd, eps = %g, opened or closed contacts or "
                  "limits in %lld of %lld evaluations, so some entries of its matrices are no "
                  "derivatives and grow as 1 / eps; reduce eps%s, or make contacts softer, as with "
                  "the solver 'newton'",
                  eps, (long long)f->changed, (long long)f->evaluations, depth);
  }
  if ((f->softened || f->unconverged) && !(d->fd_logged & UNSOLVED)) {
    d->fd_logged |= UNSOLVED;
    si_engine_log(m->engine, SN_LOG_WARNING, "derivatives",
                  "in %lld of %lld evaluations of sn_transition_fd the solver '%s' made contacts "
                  "softer than its parameters specify, and in %lld it did not converge, so entries "
                  "of the matrices may be no derivatives; use the solver 'newton', or set "
                  "parameters of the solver for softer contacts",
                  (long long)f->softened, (long long)f->evaluations, m->bound.solver->name,
                  (long long)f->unconverged);
  }
}

typedef struct request {
  double eps;
  int centered;
  double *A, *B, *C, *D;
} request;

static sn_status transition(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  const request *r = context;
  SN_TRY(si_reject_state(m, d, w));
  const sn_integrator_ops *ops = m->bound.integrator->ops;
  flaws found = { .nefc = -1 };
  fd f = { .m = m,
           .d = d,
           .w = w,
           .eps = r->eps,
           .centered = r->centered,
           .can_skip = ops->evaluations == 1,
           .state = w->undo,
           .nx = 2 * m->nv + m->na,
           .flaws = &found };
  f.base = take_arrival(m, w);
  f.plus = take_arrival(m, w);
  f.minus = take_arrival(m, w);
  f.column = si_arena_reals(&w->scratch, f.nx + m->nsensordata);

  si_sleep_suspend(m, d);   // the derivatives of what would move if it were pushed
  w->exact = 1;   // divided by eps, what the tolerance leaves would be larger than the derivative
  // controls and velocities reuse what the base step computed of positions and velocities
  sn_status status = arrive(&f, 0, &f.base);
  if (status >= 0 && (r->B || r->D)) {
    status = differentiate_control(&f, r->B, r->D);
  }
  if (status >= 0 && (r->A || r->C)) {
    status = differentiate_state(&f, r->A, r->C);
  }
  si_state_restore(m, d, SN_STATE_INTEGRATION, f.state);
  w->exact = 0;
  log_flaws(m, d, &found, r->eps);
  return status;
}

sn_status sn_transition_fd(const sn_model *model, sn_data *data, double eps, int32_t centered,
                           double *A, double *B, double *C, double *D) {
  if (!(eps >= 1e-12 && eps <= 1)) {   // less is lost in a number of size 1
    return si_fail(&data->error, SN_EINVAL,
                   "eps, the size of the perturbation, must be from 1e-12 "
                   "to 1, got %g",
                   eps);
  }
  request r = { .eps = eps, .centered = centered != 0, .A = A, .B = B, .C = C, .D = D };
  return si_guarded(transition, model, data, SN_STATE_INTEGRATION, &r);
}
