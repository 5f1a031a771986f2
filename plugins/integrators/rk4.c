// SPDX-License-Identifier: Apache-2.0
//
// The classical Runge-Kutta method of order 4, on the manifold of positions:
//
//   x = (q, v, w, t)     F(x) = (v, a, w', 1)
//   F1 = F(x)   F2 = F(x + h/2 F1)   F3 = F(x + h/2 F2)   F4 = F(x + h F3)
//   x <- x + h/6 (F1 + 2 F2 + 2 F3 + F4)
//
// A sum with a position is q + h v on the manifold, always from the q at the start of the step. The
// order is 4 for joints with one degree of freedom. For ball and free joints whose axis of rotation
// changes it is 2, because velocities of different stages are summed in one frame.
// Activations are summed without clamping and clamped to their range at the end of the step. The
// exact solutions of dynamics (`advance`) are not used: they assume the rate at the start of the
// step.

#include <string.h>

#include "sinew/integrator.h"

enum { STAGES = 4 };

static const double node[STAGES] = { 0, 0.5, 0.5, 1 };   // time of the stage, in h
static const double weight[STAGES] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };

typedef struct vectors {
  double *qpos, *qvel, *act;   // the state at the start
  double time;
  double *v, *a, *w;      // velocity, acceleration and rate of the latest stage
  double *dv, *da, *dw;   // weighted sums
} vectors;

static void copy(double *to, const double *from, int64_t n) {
  if (n > 0) {
    memcpy(to, from, (size_t)n * sizeof(double));
  }
}

static sn_status start(const sn_stepper *s, vectors *x, sn_scratch *scratch) {
  *x = (vectors){ .time = *s->time };
  SN_ALLOC(x->qpos, scratch, s->nq);
  SN_ALLOC(x->qvel, scratch, s->nv);
  SN_ALLOC(x->act, scratch, s->na);
  SN_ALLOC(x->v, scratch, s->nv);
  SN_ALLOC(x->a, scratch, s->nv);
  SN_ALLOC(x->w, scratch, s->na);
  SN_ALLOC(x->dv, scratch, s->nv);
  SN_ALLOC(x->da, scratch, s->nv);
  SN_ALLOC(x->dw, scratch, s->na);
  copy(x->qpos, s->qpos, s->nq);
  copy(x->qvel, s->qvel, s->nv);
  copy(x->act, s->act, s->na);
  memset(x->dv, 0, (size_t)s->nv * sizeof(double));
  memset(x->da, 0, (size_t)s->nv * sizeof(double));
  memset(x->dw, 0, (size_t)s->na * sizeof(double));
  return SN_OK;
}

// Adds F of the present state, weighted, to the sums.
static void collect(const sn_stepper *s, vectors *x, double factor) {
  copy(x->v, s->qvel, s->nv);
  copy(x->a, s->qacc, s->nv);
  copy(x->w, s->act_dot, s->na);
  for (int64_t i = 0; i < s->nv; i++) {
    x->dv[i] += factor * x->v[i];
    x->da[i] += factor * x->a[i];
  }
  for (int64_t i = 0; i < s->na; i++) {
    x->dw[i] += factor * x->w[i];
  }
}

// state = start + h (v, a, w, 1)
static void set_state(sn_stepper *s, const vectors *x, double h, const double *v, const double *a,
                      const double *w) {
  copy(s->qpos, x->qpos, s->nq);
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] = x->qvel[i] + h * a[i];
  }
  for (int64_t i = 0; i < s->na; i++) {
    s->act[i] = x->act[i] + h * w[i];
  }
  s->advance_position(s, v, h);
  *s->time = x->time + h;
}

static sn_status rk4_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  vectors x;
  SN_TRY(start(s, &x, scratch));
  collect(s, &x, weight[0]);
  for (int stage = 1; stage < STAGES; stage++) {
    set_state(s, &x, node[stage] * s->h, x.v, x.a, x.w);
    SN_TRY(s->evaluate(s));
    collect(s, &x, weight[stage]);
  }
  set_state(s, &x, s->h, x.dv, x.da, x.dw);
  s->clamp_activation(s);
  return SN_OK;
}

static const sn_integrator_ops rk4_ops = {
  .head = { .size = sizeof(sn_integrator_ops), .summary = "Runge-Kutta of order 4" },
  .order = 4,
  .rotation_order = 2,
  .evaluations = STAGES,
  .step = rk4_step,
};

static const sn_provide provides[] = {
  { SN_KIND_INTEGRATOR, "rk4", &rk4_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "rk4", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "the Runge-Kutta integrator of order 4", .provides = provides)
