// SPDX-License-Identifier: Apache-2.0
//
// Semi-implicit Euler: the new velocity moves the positions. Joint damping is implicit in velocity,
// so that large damping stays stable: D = -diag(damping) in implicit_step.h.

#include <stddef.h>

#include "implicit_step.h"

static sn_status euler_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  return implicit_step(s, SN_DERIV_DAMPING, scratch);
}

static const sn_integrator_ops euler_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .flags = SN_INTEGRATOR_LANES,
            .summary = "semi-implicit Euler with implicit joint damping" },
  .order = 1,
  .evaluations = 1,
  .derivatives = SN_DERIV_DAMPING,
  .step = euler_step,
};

static const sn_provide provides[] = {
  SN_PROVIDE_INTEGRATOR("euler", &euler_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "euler", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "the semi-implicit Euler integrator", .provides = provides)
