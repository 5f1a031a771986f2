// SPDX-License-Identifier: Apache-2.0
//
// Arrays that grow while a picture is made.

#ifndef RENDERERS_GROW_H
#define RENDERERS_GROW_H

#include <stdint.h>
#include <stdlib.h>

// The array with room for n elements of `size` bytes: as it is, or doubled, at first `least`.
// NULL: no memory; the array is as it was.
static inline void *grow(void *array, int64_t n, int64_t *capacity, int64_t least, size_t size) {
  if (n <= *capacity) {
    return array;
  }
  const int64_t more = *capacity ? 2 * *capacity : least;
  void *grown = reallocarray(array, (size_t)more, size);
  *capacity = grown ? more : *capacity;
  return grown;
}

#endif
