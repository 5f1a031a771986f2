// SPDX-License-Identifier: Apache-2.0
//
// Large unsigned integers, for the exact conversion of numbers (sinew/number.h). Not part of the
// ABI. All [any].

#ifndef SINEW_NUMERICS_LARGE_INTEGER_H
#define SINEW_NUMERICS_LARGE_INTEGER_H

#include <string.h>

#include "sinew/abi.h"

SN_BEGIN_DECLS

enum { SN_NUMBER_LIMBS = 96 };   // 32 bits each: the largest integer that is computed has 2700 bits

// Sum of limb[i] 2^(32 i); the last limb is not 0, and 0 has none.
typedef struct sn_number_big {
  int32_t n;
  uint32_t limb[SN_NUMBER_LIMBS];
} sn_number_big;

// a = a factor + add
static inline void sn_number_scale(sn_number_big *a, uint32_t factor, uint32_t add) {
  uint64_t carry = add;
  for (int32_t i = 0; i < a->n; i++) {
    carry += (uint64_t)a->limb[i] * factor;
    a->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) {
    a->limb[a->n++] = (uint32_t)carry;
  }
}

// a = a 5^n
static inline void sn_number_times5(sn_number_big *a, int32_t n) {
  for (; n >= 13; n -= 13) {
    sn_number_scale(a, 1220703125, 0);   // 5^13
  }
  for (; n > 0; n--) {
    sn_number_scale(a, 5, 0);
  }
}

// a = a 2^n
static inline void sn_number_shift(sn_number_big *a, int32_t n) {
  const int32_t limbs = n / 32;
  if (a->n == 0) {
    return;
  }
  sn_number_scale(a, (uint32_t)1 << n % 32, 0);
  memmove(a->limb + limbs, a->limb, (size_t)a->n * sizeof a->limb[0]);
  memset(a->limb, 0, (size_t)limbs * sizeof a->limb[0]);
  a->n += limbs;
}

// a = value
static inline void sn_number_set(sn_number_big *a, uint64_t value) {
  a->limb[0] = (uint32_t)value;
  a->limb[1] = (uint32_t)(value >> 32);
  a->n = a->limb[1] ? 2 : a->limb[0] != 0;
}

// The sign of a - b.
static inline int32_t sn_number_compare(const sn_number_big *a, const sn_number_big *b) {
  if (a->n != b->n) {
    return a->n < b->n ? -1 : 1;
  }
  for (int32_t i = a->n - 1; i >= 0; i--) {
    if (a->limb[i] != b->limb[i]) {
      return a->limb[i] < b->limb[i] ? -1 : 1;
    }
  }
  return 0;
}

// a = a - b, where b <= a
static inline void sn_number_subtract(sn_number_big *a, const sn_number_big *b) {
  uint64_t borrow = 0;
  for (int32_t i = 0; i < a->n; i++) {
    const uint64_t x = (uint64_t)a->limb[i] - (i < b->n ? b->limb[i] : 0) - borrow;
    a->limb[i] = (uint32_t)x;
    borrow = x >> 63;
  }
  while (a->n > 0 && a->limb[a->n - 1] == 0) {
    a->n--;
  }
}

// The sign of a + b - c.
static inline int32_t sn_number_compare_sum(const sn_number_big *a, const sn_number_big *b,
                                            const sn_number_big *c) {
  uint64_t sum = 0;
  int32_t sign = 0;
  for (int32_t i = 0; i < a->n || i < b->n || i < c->n; i++) {
    sum += (uint64_t)(i < a->n ? a->limb[i] : 0) + (i < b->n ? b->limb[i] : 0);
    const uint32_t limb = i < c->n ? c->limb[i] : 0;
    sign = (uint32_t)sum == limb ? sign : (uint32_t)sum < limb ? -1 : 1;
    sum >>= 32;
  }
  return sum ? 1 : sign;
}

SN_END_DECLS

#endif
