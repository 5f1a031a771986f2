// SPDX-License-Identifier: Apache-2.0
//
// The passive forces of MJCF engines: springs and dampers, gravity compensation, fluids.

#include <stddef.h>

#include "forces.h"

static const sn_provide provides[] = {
  SN_PROVIDE_PASSIVE("spring_damper", &spring_damper_ops),
  SN_PROVIDE_PASSIVE("gravcomp", &gravcomp_ops),
  SN_PROVIDE_PASSIVE("fluid_inertia", &fluid_inertia_ops),
  SN_PROVIDE_PASSIVE("fluid_ellipsoid", &fluid_ellipsoid_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "passive", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "passive forces: springs and dampers, gravity compensation, fluids",
          .provides = provides)
