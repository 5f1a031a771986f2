// SPDX-License-Identifier: Apache-2.0
//
// The contact modifiers of this plugin, one file each, and what they share.

#ifndef MODIFIERS_H
#define MODIFIERS_H

#include "sinew/contact.h"
#include "sinew/instance.h"
#include "sinew/math.h"

extern const sn_contact_ops one_way_ops;
extern const sn_contact_ops surface_velocity_ops;

// The geom that an attribute names, with an error that says which modifier needs it.
static inline int32_t modifier_geom(sn_lookup *l, const char *modifier, const char *name) {
  int32_t geom = -1;
  if (l->status >= 0 && name[0]) {
    geom = l->self->fields->find(l->model, "geom", name);
  }
  if (l->status >= 0 && geom < 0) {
    char text[160];
    snprintf(text, sizeof text, "%s: attribute 'geom' must name a geom of the model; got '%.80s'",
             modifier, name);
    l->status = sn_instance_fail(l->self, l->error, SN_ENOTFOUND, text);
  }
  return geom;
}

// 1: the geom is the first of the contact, -1: the second, 0: neither.
static inline int modifier_side(const sn_contacts *contacts, int64_t i, int32_t geom) {
  return (contacts->geom1[i] == geom) - (contacts->geom2[i] == geom);
}

#endif
