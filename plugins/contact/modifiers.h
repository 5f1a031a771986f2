// SPDX-License-Identifier: Apache-2.0
//
// The contact modifiers of this plugin, one file each, and what they share.

#ifndef MODIFIERS_H
#define MODIFIERS_H

#include "sinew/contact.h"
#include "sinew/instance.h"
#include "sinew/math.h"

extern const sn_contact_ops one_way_ops;
extern const sn_contact_ops shared_stiffness_ops;
extern const sn_contact_ops surface_velocity_ops;

// 1: the geom is the first of the contact, -1: the second, 0: neither.
static inline int modifier_side(const sn_contacts *contacts, int64_t i, int32_t geom) {
  return (contacts->geom1[i] == geom) - (contacts->geom2[i] == geom);
}

#endif
