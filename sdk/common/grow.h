// SPDX-License-Identifier: Apache-2.0
//
// Arrays that grow, for all code above core.

#ifndef COMMON_GROW_H
#define COMMON_GROW_H

#include <stdint.h>
#include <stdlib.h>

// The array with room for at least n elements of `size` bytes: as it is while they fit; else its
// capacity is doubled, at first from `least`. NULL: no memory; the array is as it was.
static inline void *grow(void *array, int64_t n, int64_t *capacity, int64_t least, size_t size) {
  if (n <= *capacity) {
    return array;
  }
  int64_t more = *capacity ? *capacity : least;
  while (more < n) {
    more *= 2;
  }
  void *grown = reallocarray(array, (size_t)more, size);
  *capacity = grown ? more : *capacity;
  return grown;
}

#endif
