// SPDX-License-Identifier: Apache-2.0
//
// The hash that tells altered bytes: FNV-1a (Fowler, Noll, Vo) over 64 bits. Chained: the hash so
// far goes in, SI_HASH_START at first.

#ifndef SI_BASE_HASH_H
#define SI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SI_HASH_START 0xcbf29ce484222325u

static inline uint64_t si_hash_one(uint64_t hash, uint64_t value) {
  return (hash ^ value) * 0x100000001b3u;
}

// A byte a round: as documented, for short inputs.
static inline uint64_t si_hash_bytes(uint64_t hash, const void *bytes, size_t n) {
  const uint8_t *p = (const uint8_t *)bytes;
  for (size_t i = 0; i < n; i++) {
    hash = si_hash_one(hash, p[i]);
  }
  return hash;
}

// Eight bytes a round, the last round filled with zeros. A bit has no effect on lower ones, so two
// flips of the highest bit of a word cancel: it tells accidents in files, whose formats define it,
// but it is no key of what was computed.
static inline uint64_t si_hash_words(uint64_t hash, const void *bytes, size_t n) {
  const uint8_t *p = (const uint8_t *)bytes;
  uint64_t word;
  for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
    memcpy(&word, p, sizeof word);
    hash = si_hash_one(hash, word);
  }
  if (n > 0) {
    word = 0;
    memcpy(&word, p, n);
    hash = si_hash_one(hash, word);
  }
  return hash;
}

#endif
