// SPDX-License-Identifier: Apache-2.0
//
// Contact modifiers that models name: surfaces that move, platforms that carry in one
// direction, and a stiffness that does not depend on the number of contact points.

#include <stddef.h>

#include "modifiers.h"

static const sn_provide provides[] = {
  SN_PROVIDE_CONTACT("surface_velocity", &surface_velocity_ops),
  SN_PROVIDE_CONTACT("one_way", &one_way_ops),
  SN_PROVIDE_CONTACT("shared_stiffness", &shared_stiffness_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "contacts", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "contact modifiers: surfaces that move, one-way platforms, shared stiffness",
          .provides = provides)
