// SPDX-License-Identifier: Apache-2.0
//
// The kernels for any processor.

#define KERNELS si_lane_kernels_base
#include "lanes/smooth_loops.h"
