// SPDX-License-Identifier: Apache-2.0
//
// Gravity compensation: a force -gravcomp mass gravity at the center of mass of a body, so that 1
// makes it weightless and more makes it rise. On joints with actgravcomp the host counts the force
// with those of actuators.

#include <stddef.h>

#include "forces.h"
#include "sinew/instance.h"
#include "sinew/kinematics.h"
#include "sinew/math.h"
#include "sinew/options.h"

typedef struct compensated {
  const sn_kinematics_service *kinematics;
  sn_field xipos;
  int64_t n;
  int32_t *body;   // n; those with gravcomp
  const double *gravcomp, *mass;
  const double *gravity;   // 3, may change
  const int64_t *disable;
} compensated;

static sn_status gravcomp_bind(const void *self, const sn_model_view *model, const sn_value *values,
                               void **bound, sn_error *error) {
  (void)values;
  sn_lookup l = sn_lookup_start(self, model, error);
  const int64_t nbody = sn_lookup_size(&l, "nbody");
  compensated found = { .kinematics = sn_lookup_service(&l, SN_SERVICE_KINEMATICS),
                        .xipos = sn_lookup_data(&l, "xipos"),
                        .gravcomp = sn_lookup_reals(&l, "body_gravcomp"),
                        .mass = sn_lookup_reals(&l, "body_mass"),
                        .gravity = sn_lookup_option(&l, "gravity"),
                        .disable = l.self->fields->option_int(model, "disableflags") };
  SN_TRY(l.status);
  for (int64_t b = 1; b < nbody; b++) {
    found.n += found.gravcomp[b] != 0;
  }
  if (found.n == 0) {
    return SN_OK;
  }
  size_t bytes = sizeof found + (size_t)found.n * sizeof(int32_t);
  compensated *s = sn_instance_alloc(self, bytes, error);
  if (!s) {
    return SN_ENOMEM;
  }
  *s = found;
  s->body = (int32_t *)(s + 1);
  s->n = 0;
  for (int32_t b = 1; b < (int32_t)nbody; b++) {
    if (s->gravcomp[b] != 0) {
      s->body[s->n++] = b;
    }
  }
  *bound = s;
  return SN_OK;
}

static sn_status gravcomp_apply(const void *self, const void *bound, const sn_data_view *data,
                                const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self;
  (void)state;
  (void)scratch;
  const compensated *s = bound;
  if (*s->disable & SN_DISABLE_GRAVITY) {
    return SN_OK;
  }
  const double *xipos = sn_field_reals(data->fields, s->xipos);
  for (int64_t i = 0; i < s->n; i++) {
    int32_t b = s->body[i];
    double force[3];
    sn_scale3(force, s->gravity, -s->mass[b] * s->gravcomp[b]);
    s->kinematics->apply(data, b, xipos + 3 * b, force, NULL, qfrc);
  }
  return SN_OK;
}

const sn_passive_ops gravcomp_ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .flags = SN_PASSIVE_GRAVCOMP,
            .summary = "gravity compensation of bodies, gravcomp times their weight",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .implements = "body_gravcomp",
  .bind = gravcomp_bind,
  .unbind = sn_instance_unbind,
  .apply = gravcomp_apply,
};
