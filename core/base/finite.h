// SPDX-License-Identifier: Apache-2.0

#ifndef SI_BASE_FINITE_H
#define SI_BASE_FINITE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

// No NaN, no infinity among n numbers. Without a branch a number, so that it costs next to nothing.
static inline int si_all_finite(const double *x, int64_t n) {
  int finite = 1;
  for (int64_t i = 0; i < n; i++) {
    finite &= isfinite(x[i]) != 0;
  }
  return finite;
}

// The first of n numbers that is not finite; NULL: all are.
static inline const double *si_first_not_finite(const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return x + i;
    }
  }
  return NULL;
}

#endif
