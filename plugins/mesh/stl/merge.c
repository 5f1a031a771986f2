// SPDX-License-Identifier: Apache-2.0
//
// Merges equal points with a hash table of open addressing, at most half full. Equal means equal
// numbers, so nothing moves and no order of the points matters.

#include "merge.h"

#include <string.h>

// Mixes three numbers: multiply and fold, as in splitmix64 (Steele, Lea, Flood 2014).
static uint64_t hash_point(const double *p) {
  uint64_t h = 0;
  for (int k = 0; k < 3; k++) {
    uint64_t bits;
    memcpy(&bits, &p[k], sizeof bits);
    h = (h ^ bits) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
  }
  return h * 0x94d049bb133111ebu;
}

int64_t stl_merge(const sn_host *host, int64_t n, double *xyz, int32_t *index) {
  int bits = 4;
  while ((int64_t)1 << bits < 2 * n) {
    bits++;
  }
  int32_t *table = host->alloc(host, ((int64_t)1 << bits) * (int64_t)sizeof *table);   // id + 1
  if (!table) {
    return -1;
  }
  const uint64_t mask = ((uint64_t)1 << bits) - 1;
  int64_t count = 0;
  for (int64_t i = 0; i < n; i++) {
    const double p[3] = { xyz[3 * i] + 0.0, xyz[3 * i + 1] + 0.0, xyz[3 * i + 2] + 0.0 };   // no -0
    uint64_t slot = hash_point(p) >> (64 - bits);
    while (table[slot] && memcmp(xyz + 3 * (table[slot] - 1), p, sizeof p) != 0) {
      slot = (slot + 1) & mask;
    }
    if (!table[slot]) {
      memcpy(xyz + 3 * count, p, sizeof p);
      table[slot] = (int32_t)++count;
    }
    index[i] = table[slot] - 1;
  }
  host->free(host, table);
  return count;
}
