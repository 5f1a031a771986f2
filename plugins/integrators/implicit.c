// SPDX-License-Identifier: Apache-2.0
//
// Euler, implicit in velocity: one Newton step towards v(t + h) = v + h a(v(t + h)),
//
//   v <- v + h (M - h D)^-1 M a,   D = d(passive + actuator - bias) / dv
//   q <- q + h v
//
//   implicit       D on the sparsity of M, not symmetric
//   implicitfast   D without the bias forces, (D + D') / 2: as cheap as Euler

#include <stddef.h>

#include "sinew/integrator.h"

static sn_status advance(sn_stepper *s, uint32_t derivatives, sn_scratch *scratch) {
  double h = s->h, *a = sn_take_reals(scratch, s->nv);
  sn_status status = s->implicit(s, derivatives, h, a);
  if (status < 0) {
    return status;
  }
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] += h * a[i];
  }
  s->advance_activation(s, s->act_dot, h);
  s->advance_position(s, s->qvel, h);
  *s->time += h;
  return SN_OK;
}

static sn_status implicit_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  return advance(s, SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_BIAS, scratch);
}

static sn_status implicitfast_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  return advance(s, SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_SYMMETRIC, scratch);
}

static const sn_integrator_ops implicit_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "Euler, implicit in velocity: passive, actuator and bias forces" },
  .order = 1,
  .evaluations = 1,
  .step = implicit_step,
};

static const sn_integrator_ops implicitfast_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "Euler, implicit in velocity: passive and actuator forces, symmetrized" },
  .order = 1,
  .evaluations = 1,
  .step = implicitfast_step,
};

static const sn_provide provides[] = {
  { SN_KIND_INTEGRATOR, "implicit", &implicit_ops },
  { SN_KIND_INTEGRATOR, "implicitfast", &implicitfast_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "implicit", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "integrators that are implicit in velocity", .provides = provides)
