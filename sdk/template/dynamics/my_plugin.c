// SPDX-License-Identifier: Apache-2.0
//
// A template for activation dynamics: the activation follows the control with a delay,
//
//   w' = (u - w) / tau     for a constant control:  w(t + h) = u + (w(t) - u) exp(-h / tau)
//
// Replace the names and the mathematics by your own.

#include <math.h>
#include <stddef.h>

#include "sinew/actuator.h"

enum { TAU };   // index in prm

static double tau_of(const sn_actuators *batch, int64_t i) {
  return batch->prm[i * SN_NACTPRM + TAU];
}

static int32_t states(const void *self, const double *prm) {
  (void)self;
  (void)prm;
  return 1;
}

static sn_status rate(const void *self, const sn_actuators *batch, double *act_dot,
                      sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    act_dot[i] = (batch->ctrl[i * batch->nctrl] - batch->act[i]) / tau_of(batch, i);
  }
  return SN_OK;
}

static sn_status advance(const void *self, const sn_actuators *batch, const double *act_dot,
                         double h, double *act_next, sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    const double tau = tau_of(batch, i);
    act_next[i] = batch->act[i] - act_dot[i] * tau * expm1(-h / tau);
  }
  return SN_OK;
}

static sn_status check(const void *self, const double *prm, const sn_host *host, sn_error *error) {
  (void)self;
  return prm[TAU] > 0 ? SN_OK
                      : host->error(host, error, SN_EINVAL, NULL, 0, 0,
                                    "the time constant must be positive, dynprm=\"0.1\"");
}

// by_length and by_velocity are cleared before the call
static sn_status derivative(const void *self, const sn_actuators *batch, double *by_act,
                            double *by_ctrl, double *by_length, double *by_velocity,
                            sn_scratch *scratch) {
  (void)self;
  (void)by_length;
  (void)by_velocity;
  (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    by_act[i] = -1 / tau_of(batch, i);
    by_ctrl[i] = 1 / tau_of(batch, i);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param numbers[] = {
  { .name = "tau",
    .default_value = "0.1",
    .summary = "time constant, s",
    .min = 1e-9,
    .max = 1e9,
    .type = SN_PARAM_REAL },
  { .name = NULL },
};

static const sn_dynamics_ops ops = {
  .head = { .size = sizeof(sn_dynamics_ops), .summary = "activation that follows the control" },
  .states = states,
  .rate = rate,
  .advance = advance,
  .check = check,
  .numbers = numbers,
  .derivative = derivative,
};

static const sn_provide provides[] = {
  SN_PROVIDE_DYNAMICS("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "dynamics of actuators", .provides = provides)
