// SPDX-License-Identifier: Apache-2.0
//
// Linear activation dynamics, one state w, time constant t = prm[0]:
//
//   integrator    w' = u
//   filter        w' = (u - w) / t
//   filterexact   the same rate; over a step h with constant u its exact solution
//                 w(h) = w + w' t (1 - exp(-h / t))

#include <math.h>
#include <stddef.h>

#include "functions.h"
#include "sinew/math.h"

static int32_t one_state(const void *self, const double *prm) {
  (void)self;
  (void)prm;
  return 1;
}

static sn_status integrator_rate(const void *self, const sn_actuators *b, double *act_dot,
                                 sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    act_dot[i] = b->ctrl[i * b->nctrl];
  }
  return SN_OK;
}

static double time_constant(const sn_actuators *b, int64_t i) {
  return sn_max(SN_TINY, b->prm[SN_NACTPRM * i]);   // with a smaller one it follows at once
}

static sn_status filter_rate(const void *self, const sn_actuators *b, double *act_dot,
                             sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    act_dot[i] = (b->ctrl[i * b->nctrl] - b->act[i]) / time_constant(b, i);
  }
  return SN_OK;
}

static sn_status integrator_derive(const void *self, const sn_actuators *b, double *by_act,
                                   double *by_ctrl, double *by_length, double *by_velocity,
                                   sn_scratch *scratch) {
  (void)self, (void)by_act, (void)by_length, (void)by_velocity, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    by_ctrl[i] = 1;
  }
  return SN_OK;
}

static sn_status filter_derive(const void *self, const sn_actuators *b, double *by_act,
                               double *by_ctrl, double *by_length, double *by_velocity,
                               sn_scratch *scratch) {
  (void)self, (void)by_length, (void)by_velocity, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    by_ctrl[i] = 1 / time_constant(b, i);
    by_act[i] = -by_ctrl[i];
  }
  return SN_OK;
}

static sn_status filterexact_advance(const void *self, const sn_actuators *b, const double *act_dot,
                                     double h, double *act_next, sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    double t = time_constant(b, i);
    act_next[i] = b->act[i] - act_dot[i] * t * expm1(-h / t);
  }
  return SN_OK;
}

static sn_status filter_check(const void *self, const double *prm, const sn_host *host,
                              sn_error *error) {
  (void)self;
  if (prm[0] >= 0) {
    return SN_OK;
  }
  return host->error(host, error, SN_EINVAL, NULL, 0, 0,
                     "the time constant of a filter, dynprm[0], must not be negative");
}

static const sn_param filter_numbers[] = {
  { .name = "timeconst",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .summary = "time constant t, s" },
  { .name = NULL },
};

const sn_dynamics_ops integrator_ops = {
  .head = { .size = sizeof(sn_dynamics_ops), .summary = "the control is integrated: w' = u" },
  .states = one_state,
  .rate = integrator_rate,
  .derivative = integrator_derive,
};

const sn_dynamics_ops filter_ops = {
  .head = { .size = sizeof(sn_dynamics_ops),
            .summary = "the control is filtered: w' = (u - w) / t" },
  .states = one_state,
  .rate = filter_rate,
  .check = filter_check,
  .numbers = filter_numbers,
  .derivative = filter_derive,
};

const sn_dynamics_ops filterexact_ops = {
  .head = { .size = sizeof(sn_dynamics_ops),
            .summary = "the control is filtered: w' = (u - w) / t, advanced by its solution" },
  .states = one_state,
  .rate = filter_rate,
  .advance = filterexact_advance,
  .check = filter_check,
  .numbers = filter_numbers,
  .derivative = filter_derive,
};
