// SPDX-License-Identifier: Apache-2.0
//
// Semi-implicit Euler: the new velocity moves the positions. Joint damping is implicit in velocity,
// so that large damping cannot blow up:
//
//   v <- v + h (M + h diag(damping))^-1 M a
//   q <- q + h v

#include <stddef.h>

#include "sinew/integrator.h"

static sn_status euler_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  double h = s->h, *a = sn_take_reals(scratch, s->nv);
  sn_status status = s->implicit(s, SN_DERIV_DAMPING, h, a);
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

static const sn_integrator_ops euler_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "semi-implicit Euler with implicit joint damping" },
  .order = 1,
  .evaluations = 1,
  .step = euler_step,
};

static const sn_provide provides[] = {
  { SN_KIND_INTEGRATOR, "euler", &euler_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "euler", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "the semi-implicit Euler integrator", .provides = provides)
