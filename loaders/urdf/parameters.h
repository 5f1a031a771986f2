// SPDX-License-Identifier: Apache-2.0
//
// The instance of the URDF loader, which plugin.c makes and the part of the plugin reads.

#ifndef LOADERS_URDF_PARAMS_H
#define LOADERS_URDF_PARAMS_H

#include "sinew/loader.h"

enum { URDF_FIXED, URDF_FLOATING, URDF_AUTO };
enum { URDF_NONE, URDF_TRANSMISSIONS, URDF_MOTOR, URDF_POSITION };

typedef struct urdf_params {
  int32_t strict, mimic;
  int32_t floating;       // the root link: URDF_FIXED ...
  int32_t repair;         // inertia that no rigid body has
  int32_t actuators;      // URDF_NONE ...
  int32_t skip_missing;   // meshes
  double kp, kv;
  char *package_path;   // folders, separated by ':'
} urdf_params;

#endif
