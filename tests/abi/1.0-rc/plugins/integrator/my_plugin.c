// SPDX-License-Identifier: Apache-2.0
//
// A template for integrators: the explicit midpoint rule, of order 2, on the manifold of positions.
// With the state x = (position q, velocity v, activations w, time t) and its rate (v, a, w', 1):
//
//   x_mid = x + h/2 rate(x)        x <- x + h rate(x_mid)
//
// Replace the method by your own, and declare its order and its number of evaluations below.

#include <string.h>

#include "sinew/integrator.h"

static void copy(double *to, const double *from, int64_t n) {
  if (n > 0) {
    memcpy(to, from, (size_t)n * sizeof(double));
  }
}

static void add(double *x, const double *start, double h, const double *rate, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    x[i] = start[i] + h * rate[i];
  }
}

static sn_status step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  double *qpos, *qvel, *act, *middle;
  SN_ALLOC(qpos, scratch, s->nq);
  SN_ALLOC(qvel, scratch, s->nv);
  SN_ALLOC(act, scratch, s->na);
  SN_ALLOC(middle, scratch, s->nv);   // velocity
  const double time = *s->time;
  copy(qpos, s->qpos, s->nq);
  copy(qvel, s->qvel, s->nv);
  copy(act, s->act, s->na);

  // half a step with the rates at the start, which the host has evaluated
  s->advance_position(s, qvel, 0.5 * s->h);
  add(s->qvel, qvel, 0.5 * s->h, s->qacc, s->nv);
  add(s->act, act, 0.5 * s->h, s->act_dot, s->na);
  *s->time = time + 0.5 * s->h;
  SN_TRY(s->evaluate(s));

  // the whole step with the rates in the middle
  copy(middle, s->qvel, s->nv);
  copy(s->qpos, qpos, s->nq);
  s->advance_position(s, middle, s->h);
  add(s->qvel, qvel, s->h, s->qacc, s->nv);
  add(s->act, act, s->h, s->act_dot, s->na);
  s->clamp_activation(s);
  *s->time = time + s->h;
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_integrator_ops ops = {
  .head = { .size = sizeof(sn_integrator_ops), .summary = "explicit midpoint rule" },
  .order = 2,
  .evaluations = 2,
  .step = step,
};

static const sn_provide provides[] = {
  SN_PROVIDE_INTEGRATOR("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "an integrator", .provides = provides)
