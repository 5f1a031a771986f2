// SPDX-License-Identifier: Apache-2.0
//
// Many small arrays from the host's scratch memory: taken in larger pieces and handed out in line.
// Everything is aligned to 32 bytes and lives until the operation returns.

#ifndef SOLVERS_POOL_H
#define SOLVERS_POOL_H

#include "sinew/abi.h"

enum { POOL_ALIGNMENT = 32, POOL_PIECE = 16384 };   // bytes

typedef struct pool {
  sn_scratch *scratch;
  uint8_t *at;
  int64_t left;
} pool;

static inline pool pool_from(sn_scratch *scratch) {
  return (pool){ .scratch = scratch };
}

static inline void *take(pool *m, int64_t bytes) {
  bytes = (bytes + POOL_ALIGNMENT - 1) / POOL_ALIGNMENT * POOL_ALIGNMENT;
  if (bytes > m->left) {
    if (bytes > POOL_PIECE / 4) {
      return m->scratch->alloc(m->scratch, bytes, 64);
    }
    m->at = (uint8_t *)m->scratch->alloc(m->scratch, POOL_PIECE, 64);
    m->left = POOL_PIECE;
  }
  void *taken = m->at;
  m->at += bytes;
  m->left -= bytes;
  return taken;
}

static inline double *take_reals(pool *m, int64_t n) {
  return (double *)take(m, n * (int64_t)sizeof(double));
}

static inline int32_t *take_ints(pool *m, int64_t n) {
  return (int32_t *)take(m, n * (int64_t)sizeof(int32_t));
}

#endif
