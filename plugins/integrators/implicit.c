// SPDX-License-Identifier: Apache-2.0
//
// Euler, implicit in velocity: one Newton step towards v(t + h) = v + h a(v(t + h)), which is the
// step of implicit_step.h with D = d(passive + actuator - bias) / dv:
//
//   implicit         D as it is, not symmetric
//   implicitfast     D without the bias forces, (D + D') / 2
//   backward_euler   D and h K, K = df / dq of springs and servos: a step towards q(t + h) too
//
// D has the couplings between branches of the kinematic tree, so that M - h D has more entries than
// M where damping acts between branches. Without them such damping acts on each branch as though
// the other stood still.

#include <stddef.h>

#include "implicit_step.h"
#include "sinew/instance.h"

enum {
  FULL = SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_BIAS,
  FAST = SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_SYMMETRIC,
  BACKWARD = FULL | SN_DERIV_POSITION
};

typedef struct implicit {
  const sn_host *host;
  uint32_t derivatives;
} implicit;

static const sn_param params[] = {
  { .name = "couplings",
    .default_value = "true",
    .type = SN_PARAM_BOOL,
    .summary = "damping between branches of the kinematic tree is implicit; otherwise the entries "
               "that M does not have are omitted, as in MuJoCo 2.2.2" },
  { .name = NULL },
};

static sn_status create(const sn_host *host, uint32_t derivatives, const sn_value *values,
                        void **self, sn_error *error) {
  implicit *method = sn_host_alloc(host, sizeof *method, error);
  if (!method) {
    return SN_ENOMEM;
  }
  *method = (implicit){ .host = host,
                        .derivatives = derivatives | (values[0].integer ? 0 : SN_DERIV_TREE) };
  *self = method;
  return SN_OK;
}

static sn_status create_full(const sn_host *host, const sn_value *values, void **self,
                             sn_error *error) {
  return create(host, FULL, values, self, error);
}

static sn_status create_fast(const sn_host *host, const sn_value *values, void **self,
                             sn_error *error) {
  return create(host, FAST, values, self, error);
}

static void destroy(void *self) {
  const implicit *method = self;
  method->host->free(method->host, self);
}

static uint32_t uses(const void *self) {
  return ((const implicit *)self)->derivatives;
}

static sn_status step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  return implicit_step(s, uses(self), scratch);
}

static const sn_integrator_ops implicit_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "Euler, implicit in velocity: passive, actuator and bias forces",
            .params = params,
            .create = create_full,
            .destroy = destroy },
  .order = 1,
  .evaluations = 1,
  .derivatives = FULL,
  .step = step,
  .uses = uses,
};

static const sn_integrator_ops implicitfast_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "Euler, implicit in velocity: passive and actuator forces, symmetrized",
            .params = params,
            .create = create_fast,
            .destroy = destroy },
  .order = 1,
  .evaluations = 1,
  .derivatives = FAST,
  .step = step,
  .uses = uses,
};

static sn_status step_backward(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  return implicit_step(s, BACKWARD, scratch);
}

static const sn_integrator_ops backward_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "backward Euler, linearized: implicit in velocity and in the positions of "
                       "springs and servos" },
  .order = 1,
  .evaluations = 1,
  .derivatives = BACKWARD,
  .step = step_backward,
};

static const sn_provide provides[] = {
  SN_PROVIDE_INTEGRATOR("implicit", &implicit_ops),
  SN_PROVIDE_INTEGRATOR("implicitfast", &implicitfast_ops),
  SN_PROVIDE_INTEGRATOR("backward_euler", &backward_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "implicit", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "integrators that are implicit in velocity, or in position too",
          .provides = provides)
