// SPDX-License-Identifier: Apache-2.0
//
// Friction by pair: the sliding friction of two geoms, whatever the friction of each of them. A
// <pair> of MJCF does the same, but replaces all other parameters of the contact too.
//
//   <extension>
//     <contact type="friction_pair">
//       <config key="geom1" value="tyre"/> <config key="geom2" value="ice"/>
//       <config key="friction" value="0.1"/>
//     </contact>
//   </extension>

#include <stddef.h>

#include "sinew/contact.h"
#include "sinew/instance.h"

enum { GEOM1, GEOM2, FRICTION };   // attributes

typedef struct pair {
  int32_t geom[2];
  double friction;
} pair;

static sn_status pair_bind(const void *self, const sn_model_view *model, const sn_value *values,
                           void **bound, sn_error *error) {
  const sn_fields_service *fields = ((const sn_instance *)self)->fields;
  pair p = { .friction = values[FRICTION].real };
  for (int k = 0; k < 2; k++) {
    const char *name = values[GEOM1 + k].text;
    p.geom[k] = name[0] ? fields->find(model, "geom", name) : -1;
    if (p.geom[k] < 0) {
      return sn_instance_fail(self, error, SN_ENOTFOUND,
                              "friction_pair: geom1 and geom2 must name two geoms of the model");
    }
  }
  return sn_instance_keep(self, &p, sizeof p, bound, error);
}

static sn_status pair_modify(const void *self, const void *bound, const sn_data_view *data,
                             sn_contacts *contacts, sn_scratch *scratch) {
  const pair *p = bound;
  (void)self;
  (void)data;
  (void)scratch;
  for (int64_t i = 0; i < contacts->n; i++) {
    const int32_t a = contacts->geom1[i], b = contacts->geom2[i];
    if ((a == p->geom[0] && b == p->geom[1]) || (a == p->geom[1] && b == p->geom[0])) {
      contacts->friction[5 * i] = contacts->friction[5 * i + 1] = p->friction;
    }
  }
  return SN_OK;
}

static const sn_param attributes[] = {
  { .name = "geom1", .default_value = "", .type = SN_PARAM_TEXT, .summary = "one geom" },
  { .name = "geom2", .default_value = "", .type = SN_PARAM_TEXT, .summary = "the other" },
  { .name = "friction",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e6,
    .summary = "coefficient of sliding friction" },
  { .name = NULL },
};

static const sn_contact_ops ops = {
  .head = { .size = sizeof(sn_contact_ops),
            .flags = SN_CONTACT_NAMED,
            .summary = "sliding friction by pair of geoms",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = pair_bind,
  .unbind = sn_instance_unbind,
  .modify = pair_modify,
};

static const sn_provide provides[] = {
  { SN_KIND_CONTACT, "friction_pair", &ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.friction_pair", .version = "1.0", .license = "Apache-2.0",
          .summary = "friction by pair of geoms", .provides = provides)
