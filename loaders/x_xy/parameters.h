// SPDX-License-Identifier: Apache-2.0
//
// The instance of the x_xy loader, which plugin.c makes and the part of the plugin reads.

#ifndef LOADERS_X_XY_PARAMS_H
#define LOADERS_X_XY_PARAMS_H

#include "sinew/loader.h"

typedef struct x_params {
  int64_t seed;
  int32_t collide, randomize_pos, lossy;
  char *joints;   // file of custom.c; "": none
} x_params;

#endif
