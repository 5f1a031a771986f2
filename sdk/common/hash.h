// SPDX-License-Identifier: Apache-2.0
//
// FNV-1a (Fowler, Noll, Vo) over 64 bits, chained: the hash so far goes in, HASH_START at first.

#ifndef COMMON_HASH_H
#define COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n) {
  const uint8_t *p = (const uint8_t *)bytes;
  for (size_t i = 0; i < n; i++) {
    hash = (hash ^ p[i]) * 0x100000001b3u;
  }
  return hash;
}

#endif
