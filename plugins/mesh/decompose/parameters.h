// SPDX-License-Identifier: Apache-2.0
//
// The instance of `decompose`, which plugin.c makes and the part of the plugin reads.

#ifndef DECOMPOSE_PARAMETERS_H
#define DECOMPOSE_PARAMETERS_H

#include "sinew/mesh.h"

enum { PIECES_MOST = 1024 };

typedef struct decompose {
  const sn_host *host;
  double tolerance;
  int64_t max_pieces;
} decompose;

#endif
