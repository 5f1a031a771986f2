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
  const pair p = { { (int32_t)values[GEOM1].integer, (int32_t)values[GEOM2].integer },
                   values[FRICTION].real };
  (void)model;
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
  { .name = "geom1", .choices = "geom", .type = SN_PARAM_REFERENCE, .summary = "one geom" },
  { .name = "geom2", .choices = "geom", .type = SN_PARAM_REFERENCE, .summary = "the other" },
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
  SN_PROVIDE_CONTACT("friction_pair", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.friction_pair", .version = "1.0", .license = "Apache-2.0",
          .summary = "friction by pair of geoms", .provides = provides)
