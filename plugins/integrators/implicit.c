// SPDX-License-Identifier: Apache-2.0
//
// Euler, implicit in velocity: one Newton step towards v(t + h) = v + h a(v(t + h)), which is the
// step of implicit_step.h with D = d(passive + actuator - bias) / dv:
//
//   implicit       D on the sparsity of M, not symmetric
//   implicitfast   D without the bias forces, (D + D') / 2: as cheap as Euler

#include <stddef.h>

#include "implicit_step.h"

enum {
  FULL = SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_BIAS,
  FAST = SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_SYMMETRIC
};

static sn_status full_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  return implicit_step(s, FULL, scratch);
}

static sn_status fast_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  return implicit_step(s, FAST, scratch);
}

static const sn_integrator_ops implicit_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "Euler, implicit in velocity: passive, actuator and bias forces" },
  .order = 1,
  .evaluations = 1,
  .derivatives = FULL,
  .step = full_step,
};

static const sn_integrator_ops implicitfast_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "Euler, implicit in velocity: passive and actuator forces, symmetrized" },
  .order = 1,
  .evaluations = 1,
  .derivatives = FAST,
  .step = fast_step,
};

static const sn_provide provides[] = {
  { SN_KIND_INTEGRATOR, "implicit", &implicit_ops },
  { SN_KIND_INTEGRATOR, "implicitfast", &implicitfast_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "implicit", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "integrators that are implicit in velocity", .provides = provides)
