// SPDX-License-Identifier: Apache-2.0
//
// Judges an integrator: two damped pendulums and a decaying activation,
//
//   q'' = -sin q - c q'      a' = -a
//
// with a stepper of the kit's own. The order is measured from two step sizes against a solution
// with a very small one.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kit.h"

enum { N = 2, NSTATE = 2 * N + 1 };
static const double damping = 0.3;
static const double order_tolerance = 0.35;   // of the measured order

typedef struct world {
  sn_stepper stepper;
  double time, qpos[N], qvel[N], act[1], qacc[N], act_dot[1];
  int evaluations;
} world;

// ------------------------------------------------------------------ the dynamics

static sn_status evaluate(sn_stepper *stepper) {
  world *w = stepper->context;
  for (int i = 0; i < N; i++) {
    w->qacc[i] = -sin(w->qpos[i]) - damping * w->qvel[i];
  }
  w->act_dot[0] = -w->act[0];
  w->evaluations++;
  return SN_OK;
}

static void advance_position(sn_stepper *stepper, const double *v, double h) {
  world *w = stepper->context;
  for (int i = 0; i < N; i++) {
    w->qpos[i] += h * v[i];
  }
}

static void advance_activation(sn_stepper *stepper, const double *act_dot, double h) {
  world *w = stepper->context;
  w->act[0] += h * act_dot[0];
}

// M = 1, D = -c
static sn_status implicit(sn_stepper *stepper, uint32_t derivatives, double h, double *out) {
  world *w = stepper->context;
  int damped = (derivatives & (SN_DERIV_DAMPING | SN_DERIV_PASSIVE)) != 0;
  for (int i = 0; i < N; i++) {
    out[i] = w->qacc[i] / (1 + (damped ? h * damping : 0));
  }
  return SN_OK;
}

static void world_init(world *w, double h) {
  *w = (world){ .qpos = { 1, -0.4 }, .qvel = { 0, 0.8 }, .act = { 1 } };
  w->stepper = (sn_stepper){ .size = sizeof(sn_stepper),
                             .context = w,
                             .h = h,
                             .nq = N,
                             .nv = N,
                             .na = 1,
                             .time = &w->time,
                             .qpos = w->qpos,
                             .qvel = w->qvel,
                             .act = w->act,
                             .qacc = w->qacc,
                             .act_dot = w->act_dot,
                             .evaluate = evaluate,
                             .advance_position = advance_position,
                             .advance_activation = advance_activation,
                             .implicit = implicit };
}

static void world_state(const world *w, double *out) {
  memcpy(out, w->qpos, sizeof w->qpos);
  memcpy(out + N, w->qvel, sizeof w->qvel);
  out[2 * N] = w->act[0];
}

// ------------------------------------------------------------------ the exact solution

static void rates(const double *x, double *out) {
  for (int i = 0; i < N; i++) {
    out[i] = x[N + i];
    out[N + i] = -sin(x[i]) - damping * x[N + i];
  }
  out[2 * N] = -x[2 * N];
}

// one second by the classical method of Runge and Kutta: exact to rounding at this step size
static void exact(double *x) {
  enum { STEPS = 2000 };
  const double h = 1.0 / STEPS;
  world w;
  world_init(&w, h);
  world_state(&w, x);
  for (int s = 0; s < STEPS; s++) {
    static const double at[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
    double k[NSTATE] = { 0 }, sum[NSTATE] = { 0 }, y[NSTATE];
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < NSTATE; i++) {
        y[i] = x[i] + at[stage] * h * k[i];
      }
      rates(y, k);
      for (int i = 0; i < NSTATE; i++) {
        sum[i] += weight[stage] / 6 * k[i];
      }
    }
    for (int i = 0; i < NSTATE; i++) {
      x[i] += h * sum[i];
    }
  }
}

// ------------------------------------------------------------------ judging

// One second in n steps. The status, and the evaluations of the first step.
static sn_status integrate(kit *k, int n, double *x, double *time, int *evaluations) {
  const sn_integrator_ops *ops = k->provider->ops;
  world w;
  sn_status status = SN_OK;
  world_init(&w, 1.0 / n);
  for (int s = 0; s < n && status >= 0; s++) {
    evaluate(&w.stepper);
    status = ops->step(k->self, &w.stepper, &k->scratch);
    kit_scratch_clear(k);
    *evaluations = s == 0 ? w.evaluations : *evaluations;
  }
  world_state(&w, x);
  *time = w.time;
  return status;
}

static double distance(const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < NSTATE; i++) {
    most = a[i] == a[i] ? fmax(most, fabs(a[i] - b[i])) : INFINITY;
  }
  return most;
}

void kit_integrator(kit *k) {
  const sn_integrator_ops *ops = k->provider->ops;
  if (!ops->step || ops->order < 1 || ops->evaluations < 1) {
    kit_say(k, "operations", KIT_BROKEN, "step, order and evaluations must be given");
    return;
  }
  double truth[NSTATE], coarse[NSTATE], fine[NSTATE], again[NSTATE], time = 0;
  int evaluations = 0;
  exact(truth);
  sn_status status = integrate(k, 32, coarse, &time, &evaluations);
  status = status < 0 ? status : integrate(k, 64, fine, &time, &evaluations);
  status = status < 0 ? status : integrate(k, 64, again, &time, &evaluations);
  if (status < 0) {
    kit_say(k, "steps", KIT_BROKEN, "step returned %s", sn_status_name(status));
    return;
  }
  double order = log2(distance(coarse, truth) / distance(fine, truth));
  kit_law(k, "order", order > ops->order - order_tolerance, "declared %d, measured %.2f",
          ops->order, order);
  kit_law(k, "evaluations", evaluations == ops->evaluations, "declared %d, counted %d",
          ops->evaluations, evaluations);
  kit_law(k, "time", fabs(time - 1) < 1e-12, "one second took the time to %.17g", time);
  kit_law(k, "same bits", memcmp(fine, again, sizeof fine) == 0, "the same run twice");
}
