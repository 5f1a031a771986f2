// SPDX-License-Identifier: Apache-2.0
//
// Forces that are affine in length l and velocity v of the transmission:
//
//   fixed     prm[0]
//   affine    prm[0] + prm[1] l + prm[2] v
//
// So position servos (gain fixed kp; bias affine 0, -kp, -kv), velocity servos, springs, dampers.

#include <math.h>
#include <string.h>

#include "functions.h"

static sn_status fixed_value(const void *self, const sn_actuators *b, double *out,
                             sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = b->prm[SN_NACTPRM * i];
  }
  return SN_OK;
}

static sn_status affine_value(const void *self, const sn_actuators *b, double *out,
                              sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + SN_NACTPRM * i;
    out[i] = prm[0] + prm[1] * b->length[i] + prm[2] * b->velocity[i];
  }
  return SN_OK;
}

static sn_status affine_dvelocity(const void *self, const sn_actuators *b, double *out,
                                  sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = b->prm[SN_NACTPRM * i + 2];
  }
  return SN_OK;
}

static sn_status affine_dlength(const void *self, const sn_actuators *b, double *out,
                                sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = b->prm[SN_NACTPRM * i + 1];
  }
  return SN_OK;
}

static sn_status constant_slope(const void *self, const sn_actuators *b, double *out,
                                sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  memset(out, 0, (size_t)b->n * sizeof *out);
  return SN_OK;
}

// A servo of stiffness kp that moves the inertia I is critically damped by kv = 2 sqrt(kp I).
static sn_status affine_damp(const void *self, const double *gainprm, double inertia, double ratio,
                             double *prm, const sn_host *host, sn_error *error) {
  (void)self;
  const double kp = gainprm[0];
  if (kp < 0 || prm[1] != -kp || prm[2] != 0) {
    return host->error(host, error, SN_ECOMPILE, NULL, 0, 0,
                       "a damping ratio requires a position servo: gainprm kp and biasprm 0 -kp "
                       "0, with kp >= 0");
  }
  prm[2] = -2 * ratio * sqrt(kp * inertia);
  return SN_OK;
}

// Gains have 1 as their first number by default, biases 0.
static const sn_param fixed_numbers[] = {
  { .name = "gain",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .summary = "force per unit of input" },
  { .name = NULL },
};

static const sn_param gain_numbers[] = {
  { .name = "gain",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .summary = "force per unit of input at length and velocity 0" },
  { .name = "gain_length",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .summary = "derivative with respect to length" },
  { .name = "gain_velocity",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .summary = "derivative with respect to velocity; -damping for a damper" },
  { .name = NULL },
};

static const sn_param bias_numbers[] = {
  { .name = "bias",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .summary = "force at length and velocity 0" },
  { .name = "bias_length",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .summary = "derivative with respect to length; -stiffness for a spring" },
  { .name = "bias_velocity",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .summary = "derivative with respect to velocity; -damping for a damper" },
  { .name = NULL },
};

const sn_force_ops fixed_gain_ops = {
  .head = { .size = sizeof(sn_force_ops), .summary = "force proportional to the input" },
  .value = fixed_value,
  .numbers = fixed_numbers,
  .dlength = constant_slope,
};

const sn_force_ops affine_gain_ops = {
  .head = { .size = sizeof(sn_force_ops),
            .summary = "gain + gain_length length + gain_velocity velocity" },
  .value = affine_value,
  .dvelocity = affine_dvelocity,
  .numbers = gain_numbers,
  .dlength = affine_dlength,
};

const sn_force_ops affine_bias_ops = {
  .head = { .size = sizeof(sn_force_ops),
            .summary = "bias + bias_length length + bias_velocity velocity" },
  .value = affine_value,
  .dvelocity = affine_dvelocity,
  .numbers = bias_numbers,
  .dlength = affine_dlength,
  .damp = affine_damp,
};
