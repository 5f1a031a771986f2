// SPDX-License-Identifier: Apache-2.0
//
// Merges corners of the same place. A corner is looked up by a number of single precision,
//
//   key = x + y / 100 + z / 10000
//
// under which one vertex is remembered, the last: a corner at its place shares it, any other
// becomes a new vertex and takes its room. Two places with the same key may so drive each other
// out, and a place then has more than one vertex. That is harmless and rare (a few in 10,000);
// it numbers the vertices of a file as users of MJCF know them (skins refer to vertices by number).
// Matches MuJoCo 2.2.2: stl-vertex-order
//
// The table is one of open addressing, at most half full.

#include "merge.h"

#include <string.h>

typedef struct slot {
  float key;
  int32_t vertex;   // + 1; 0: empty
} slot;

static uint32_t hash_key(float key) {
  uint32_t bits;
  memcpy(&bits, &key, sizeof bits);
  bits = (bits ^ (bits >> 16)) * 0x7feb352du;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bu;
  return bits ^ (bits >> 16);
}

int64_t stl_merge(const sn_host *host, int64_t n, double *xyz, int32_t *index) {
  int bits = 4;
  while ((int64_t)1 << bits < 2 * n) {
    bits++;
  }
  slot *table = host->alloc(host, ((int64_t)1 << bits) * (int64_t)sizeof *table);
  if (!table) {
    return -1;
  }
  const uint64_t mask = ((uint64_t)1 << bits) - 1;
  int64_t count = 0;
  for (int64_t i = 0; i < n; i++) {
    const double p[3] = { xyz[3 * i] + 0.0, xyz[3 * i + 1] + 0.0, xyz[3 * i + 2] + 0.0 };   // no -0
    const float key = (float)(p[0] + 0.01 * p[1] + 0.0001 * p[2]) + 0.0f;
    uint64_t at = hash_key(key) & mask;
    while (table[at].vertex && table[at].key != key) {
      at = (at + 1) & mask;
    }
    int32_t last = table[at].vertex - 1;
    if (last < 0 || memcmp(xyz + 3 * (int64_t)last, p, sizeof p) != 0) {
      memcpy(xyz + 3 * count, p, sizeof p);
      last = (int32_t)count++;
      table[at] = (slot){ .key = key, .vertex = last + 1 };
    }
    index[i] = last;
  }
  host->free(host, table);
  return count;
}
