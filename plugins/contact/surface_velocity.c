// SPDX-License-Identifier: Apache-2.0
//
// A geom whose surface moves while the geom does not: a conveyor belt, or a turntable. With the
// velocity v and the angular velocity w, both in the frame of the geom, the point r of the surface
// moves with v + w x r. Only the part along the surface acts, through friction.

#include <stddef.h>

#include "modifiers.h"

enum { GEOM, VELOCITY, SPIN = VELOCITY + 3 };   // attributes

typedef struct surface {
  int32_t geom;
  int32_t reserved;
  double v[3], w[3];   // in the frame of the geom
  sn_field xpos, xmat;
} surface;

static sn_status surface_bind(const void *self, const sn_model_view *model, const sn_value *values,
                              void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  surface s = { .geom = (int32_t)values[GEOM].integer,
                .xpos = sn_lookup_data(&l, "geom_xpos"),
                .xmat = sn_lookup_data(&l, "geom_xmat") };
  SN_TRY(l.status);
  for (int k = 0; k < 3; k++) {
    s.v[k] = values[VELOCITY + k].real;
    s.w[k] = values[SPIN + k].real;
  }
  return sn_instance_keep(self, &s, sizeof s, bound, error);
}

static sn_status surface_modify(const void *self, const void *bound, const sn_data_view *data,
                                sn_contacts *contacts, sn_scratch *scratch) {
  const surface *s = bound;
  const double *xpos = sn_field_reals(data->fields, s->xpos) + 3 * s->geom;
  const double *xmat = sn_field_reals(data->fields, s->xmat) + 9 * s->geom;
  double v[3], w[3];
  (void)self;
  (void)scratch;
  sn_mul_mat_vec3(v, xmat, s->v);
  sn_mul_mat_vec3(w, xmat, s->w);
  for (int64_t i = 0; i < contacts->n; i++) {
    const int side = modifier_side(contacts, i, s->geom);
    const double *frame = contacts->frame + 9 * i;
    double *out = contacts->velocity + 5 * i, arm[3], u[3];
    if (side == 0) {
      continue;
    }
    sn_sub3(arm, contacts->pos + 3 * i, xpos);
    sn_cross(u, w, arm);
    sn_add3(u, u, v);
    out[0] += side * sn_dot3(frame + 3, u);
    out[1] += side * sn_dot3(frame + 6, u);
    for (int k = 0; k < 3; k++) {
      out[2 + k] += side * sn_dot3(frame + 3 * k, w);
    }
  }
  return SN_OK;
}

#define NUMBER(key, meaning)                                                                     \
  { .name = key, .default_value = "0", .type = SN_PARAM_REAL, .min = -1e6, .max = 1e6, \
    .summary = meaning }

static const sn_param attributes[] = {
  { .name = "geom",
    .choices = "geom",
    .type = SN_PARAM_REFERENCE,
    .summary = "geom whose surface moves" },
  NUMBER("vx", "velocity of the surface in the frame of the geom, m/s"),
  NUMBER("vy", "the same along its y axis, m/s"),
  NUMBER("vz", "the same along its z axis, m/s"),
  NUMBER("wx", "angular velocity of the surface about the x axis of the geom, rad/s"),
  NUMBER("wy", "the same about its y axis, rad/s"),
  NUMBER("wz", "the same about its z axis, rad/s"),
  { .name = NULL },
};

const sn_contact_ops surface_velocity_ops = {
  .head = { .size = sizeof(sn_contact_ops),
            .flags = SN_CONTACT_NAMED,
            .summary = "a geom whose surface moves, such as a conveyor belt",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = surface_bind,
  .unbind = sn_instance_unbind,
  .modify = surface_modify,
};
