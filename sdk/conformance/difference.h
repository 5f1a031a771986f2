// SPDX-License-Identifier: Apache-2.0
//
// Derivatives that a provider computes, compared with differences of its values.

#ifndef SINEW_CONFORMANCE_DIFFERENCE_H
#define SINEW_CONFORMANCE_DIFFERENCE_H

#include <stdint.h>

// A function of one number; `out` gets its values. False on failure.
typedef int kit_function(void *context, double x, double *out);

enum { KIT_MOST_VALUES = 64 };

// Derivatives of n values at x by central differences of two step sizes, and how accurate each is:
// a derivative within low[i] ... high[i] agrees. At a kink that is any slope between the two sides.
typedef struct kit_slopes {
  double value[KIT_MOST_VALUES], low[KIT_MOST_VALUES], high[KIT_MOST_VALUES];
} kit_slopes;

int kit_difference(kit_function *f, void *context, double x, int64_t n, kit_slopes *out);

#endif
