// SPDX-License-Identifier: Apache-2.0
//
// A template for biases: the drag of a gear, quadratic in velocity. The bias is added to the force,
//
//   bias = -drag |v| v     d bias / dv = -2 drag |v|
//
// Replace the names and the mathematics by your own.

#include <math.h>
#include <stddef.h>

#include "sinew/actuator.h"

enum { DRAG };   // index in prm

static sn_status value(const void *self, const sn_actuators *batch, double *out,
                       sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    const double *prm = batch->prm + i * SN_NACTPRM;
    out[i] = -prm[DRAG] * fabs(batch->velocity[i]) * batch->velocity[i];
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
    out[i] = -2 * prm[DRAG] * fabs(batch->velocity[i]);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param numbers[] = {
  { .name = "drag",
    .default_value = "0.01",
    .summary = "N s^2/m^2 or N m s^2/rad^2",
    .min = 0,
    .max = 1e9,
    .type = SN_PARAM_REAL },
  { .name = NULL },
};

static const sn_force_ops ops = {
  .head = { .size = sizeof(sn_force_ops), .summary = "drag of a gear" },
  .value = value,
  .dvelocity = dvelocity,
  .numbers = numbers,
};

static const sn_provide provides[] = {
  SN_PROVIDE_BIAS("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a bias of actuators", .provides = provides)
