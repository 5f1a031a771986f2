// SPDX-License-Identifier: Apache-2.0
//
// The kernels for processors with AVX2: core/CMakeLists.txt compiles this file for them.

#define KERNELS si_lane_kernels_avx2
#include "lanes/smooth_loops.h"
