// SPDX-License-Identifier: Apache-2.0
//
// The forces of this plugin, one file each.

#ifndef FORCES_H
#define FORCES_H

#include "sinew/passive.h"

extern const sn_passive_ops spring_damper_ops;
extern const sn_passive_ops gravcomp_ops;
extern const sn_passive_ops fluid_inertia_ops;
extern const sn_passive_ops fluid_ellipsoid_ops;

#endif
