// SPDX-License-Identifier: Apache-2.0

#ifndef SI_BASE_FINITE_H
#define SI_BASE_FINITE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Positions, velocities, accelerations, controls and numbers of constraint rows beyond it are bad:
// no solver can work with them.
#define SI_LARGEST 1e10

// No NaN, no infinity among n numbers: none whose exponent has all bits set, so that one more
// carries into the sign. Without a branch a number, so that it costs next to nothing.
static inline int si_all_finite(const double *x, int64_t n) {
  const uint64_t exponent = (uint64_t)0x7ff << 52, one = (uint64_t)1 << 52;
  uint64_t carries = 0;
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    carries |= (bits & exponent) + one;
  }
  return !(carries >> 63);
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
