// SPDX-License-Identifier: Apache-2.0
//
// A splitting method: forces change the velocity in two half steps, and between them the bodies
// move as though no force acted (sinew/integrator.h, free_motion).
//
//   v <- v + h/2 (M - h/2 D)^-1 f(q, v, w)      implicit in velocity, D = df/dv
//   (q, v) <- free motion for h
//   v <- v + h/2 M^-1 f(q, v, w + h w')         explicit
//
// f is the force without its centrifugal and Coriolis part. Activations w follow Heun's method.
// Both half steps together are the trapezoidal rule, as a method and its adjoint, so that the whole
// has order 2 and, without damping, is symmetric in time: energy has no drift. Only f changes the
// momentum of a floating system, and forces between its bodies do not.
//
// Reference: Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), II.5 and VII.5.

#include <stddef.h>

#include "sinew/integrator.h"

enum { DAMPED = SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_NO_INERTIAL };

static sn_status kick(sn_stepper *s, uint32_t derivatives, double *a) {
  const double h = s->h / 2;
  SN_TRY(s->implicit(s, derivatives, h, a));
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] += h * a[i];
  }
  return SN_OK;
}

static sn_status momentum_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  double *a, *act, *rate;
  (void)self;
  SN_ALLOC(a, scratch, s->nv);
  SN_ALLOC(act, scratch, s->na);
  SN_ALLOC(rate, scratch, s->na);
  for (int64_t i = 0; i < s->na; i++) {
    act[i] = s->act[i];
    rate[i] = s->act_dot[i];
  }
  SN_TRY(kick(s, DAMPED, a));
  SN_TRY(s->free_motion(s, s->h));
  for (int64_t i = 0; i < s->na; i++) {
    s->act[i] += s->h * rate[i];
  }
  s->clamp_activation(s);
  *s->time += s->h;
  SN_TRY(s->evaluate(s));
  for (int64_t i = 0; i < s->na; i++) {
    s->act[i] = act[i] + s->h / 2 * (rate[i] + s->act_dot[i]);
  }
  s->clamp_activation(s);
  return kick(s, SN_DERIV_NO_INERTIAL, a);
}

static const sn_integrator_ops momentum_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary =
                "order 2; conserves linear and angular momentum; the error of the energy stays "
                "bounded" },
  .order = 2,
  .evaluations = 2,
  .derivatives = DAMPED,
  .step = momentum_step,
};

static const sn_provide provides[] = {
  SN_PROVIDE_INTEGRATOR("momentum", &momentum_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "momentum", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "the integrator that conserves momentum", .provides = provides)
