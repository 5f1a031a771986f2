// SPDX-License-Identifier: Apache-2.0
//
// A semi-implicit Euler step: the velocity moves by an acceleration that is implicit in some
// velocity derivatives D of the forces, and the new velocity moves the positions.
//
//   v <- v + h (M - h D)^-1 M a
//   q <- q + h v

#ifndef IMPLICIT_STEP_H
#define IMPLICIT_STEP_H

#include "sinew/integrator.h"

// derivatives: SN_DERIV_*, what D consists of
static inline sn_status implicit_step(sn_stepper *s, uint32_t derivatives, sn_scratch *scratch) {
  double h = s->h, *a;
  SN_ALLOC(a, scratch, s->nv);
  SN_TRY(s->implicit(s, derivatives, h, a));
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] += h * a[i];
  }
  s->advance_activation(s, s->act_dot, h);
  s->advance_position(s, s->qvel, h);
  *s->time += h;
  return SN_OK;
}

#endif
