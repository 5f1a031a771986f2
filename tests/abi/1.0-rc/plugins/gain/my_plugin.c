// SPDX-License-Identifier: Apache-2.0
//
// A template for gains: a force that decreases with speed, as that of a motor. The gain multiplies
// the control, or the activation,
//
//   gain = strength / (1 + (v / speed)^2)     d gain / dv = -2 gain^2 v / (strength speed^2)
//
// Replace the names and the mathematics by your own.

#include <math.h>
#include <stddef.h>

#include "sinew/actuator.h"

enum { STRENGTH, SPEED };   // indices in prm

static sn_status value(const void *self, const sn_actuators *batch, double *out,
                       sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    const double *prm = batch->prm + i * SN_NACTPRM;
    const double slow = batch->velocity[i] / prm[SPEED];
    out[i] = prm[STRENGTH] / (1 + slow * slow);
  }
  return SN_OK;
}

// The derivative by velocity, for implicit integrators.
static sn_status dvelocity(const void *self, const sn_actuators *batch, double *out,
                           sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    const double *prm = batch->prm + i * SN_NACTPRM;
    const double slow = batch->velocity[i] / prm[SPEED], bottom = 1 + slow * slow;
    out[i] = -2 * prm[STRENGTH] * slow / (prm[SPEED] * bottom * bottom);
  }
  return SN_OK;
}

static sn_status check(const void *self, const double *prm, const sn_host *host, sn_error *error) {
  (void)self;
  return prm[SPEED] > 0 ? SN_OK
                        : host->error(host, error, SN_EINVAL, NULL, 0, 0,
                                      "the speed must be positive, gainprm=\"1 10\"");
}

// ------------------------------------------------------------------ the plugin

static const sn_param numbers[] = {
  { .name = "strength",
    .default_value = "1",
    .summary = "force at rest for a control of 1, N or N m",
    .min = -1e9,
    .max = 1e9,
    .type = SN_PARAM_REAL },
  { .name = "speed",
    .default_value = "10",
    .summary = "speed at which the force is half, m/s or rad/s",
    .min = 1e-9,
    .max = 1e9,
    .type = SN_PARAM_REAL },
  { .name = NULL },
};

static const sn_force_ops ops = {
  .head = { .size = sizeof(sn_force_ops), .summary = "gain that decreases with speed" },
  .value = value,
  .dvelocity = dvelocity,
  .check = check,
  .numbers = numbers,
};

static const sn_provide provides[] = {
  SN_PROVIDE_GAIN("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a gain of actuators", .provides = provides)
