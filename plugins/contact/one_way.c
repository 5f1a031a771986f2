// SPDX-License-Identifier: Apache-2.0
//
// A one-way platform: it carries what comes from the side to which its axis points, and what comes
// from elsewhere passes through it. A contact remains when its normal, away from the platform, is
// within an angle of the axis, and the penetration is less than a depth: what rises through the
// platform is deeper inside until it is nearly through.

#include <math.h>
#include <stddef.h>

#include "modifiers.h"

enum { GEOM, AXIS, ANGLE = AXIS + 3, DEPTH };   // attributes

typedef struct platform {
  int32_t geom;
  int32_t reserved;
  double axis[3];   // of unit length, in the frame of the geom
  double cosine, depth;
  sn_field xmat;
} platform;

static sn_status platform_bind(const void *self, const sn_model_view *model, const sn_value *values,
                               void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  platform p = { .geom = (int32_t)values[GEOM].integer,
                 .axis = { values[AXIS].real, values[AXIS + 1].real, values[AXIS + 2].real },
                 .cosine = cos(values[ANGLE].real),
                 .depth = values[DEPTH].real,
                 .xmat = sn_lookup_data(&l, "geom_xmat") };
  SN_TRY(l.status);
  const double length = sn_norm3(p.axis);
  if (length == 0) {
    return sn_instance_fail(self, error, SN_EINVAL,
                            "one_way: the axis (x, y, z) must not be of zero length");
  }
  sn_scale3(p.axis, p.axis, 1 / length);
  return sn_instance_keep(self, &p, sizeof p, bound, error);
}

static sn_status platform_modify(const void *self, const void *bound, const sn_data_view *data,
                                 sn_contacts *contacts, sn_scratch *scratch) {
  const platform *p = bound;
  double axis[3];
  (void)self;
  (void)scratch;
  sn_mul_mat_vec3(axis, sn_field_reals(data->fields, p->xmat) + 9 * p->geom, p->axis);
  for (int64_t i = 0; i < contacts->n; i++) {
    const int side = modifier_side(contacts, i, p->geom);
    const double cosine = side * sn_dot3(contacts->frame + 9 * i, axis);
    if (side != 0 && (cosine < p->cosine || contacts->dist[i] < -p->depth)) {
      contacts->keep[i] = 0;
    }
  }
  return SN_OK;
}

#define NUMBER(key, fallback, low, high, meaning)                                              \
  { .name = key, .default_value = fallback, .type = SN_PARAM_REAL, .min = low, .max = high, \
    .summary = meaning }

static const sn_param attributes[] = {
  { .name = "geom", .choices = "geom", .type = SN_PARAM_REFERENCE, .summary = "the platform" },
  NUMBER("x", "0", -1, 1, "x of the direction of the supporting side, in the frame of the geom"),
  NUMBER("y", "0", -1, 1, "y of this direction"),
  NUMBER("z", "1", -1, 1, "z of this direction"),
  NUMBER("angle", "0.8", 0, 1.6,
         "largest angle between this direction and the normal of a contact, rad"),
  NUMBER("depth", "0.02", 0, 1e6, "largest penetration of a contact, m"),
  { .name = NULL },
};

const sn_contact_ops one_way_ops = {
  .head = { .size = sizeof(sn_contact_ops),
            .flags = SN_CONTACT_NAMED,
            .summary =
                "a platform that supports bodies on one side and lets them pass from the others",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = platform_bind,
  .unbind = sn_instance_unbind,
  .modify = platform_modify,
};
