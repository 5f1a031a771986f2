// SPDX-License-Identifier: Apache-2.0
//
// Many small arrays from the host's scratch memory: taken in larger pieces and handed out in line.
// A pool is scratch memory itself, for SN_ALLOC.

#ifndef SOLVERS_POOL_H
#define SOLVERS_POOL_H

#include "sinew/abi.h"

enum { POOL_ALIGNMENT = 64, POOL_PIECE = 16384 };   // bytes

typedef struct pool {
  sn_scratch scratch;   // first
  sn_scratch *host;
  uint8_t *at;
  int64_t left;
} pool;

static inline void *pool_alloc(sn_scratch *scratch, int64_t bytes, int64_t alignment) {
  pool *m = (pool *)(void *)scratch;
  if (bytes < 0 || bytes > POOL_PIECE / 4 || alignment > POOL_ALIGNMENT) {
    return m->host->alloc(m->host, bytes, alignment);
  }
  bytes = (bytes + POOL_ALIGNMENT - 1) / POOL_ALIGNMENT * POOL_ALIGNMENT;
  if (bytes > m->left || !m->at) {   // 0 bytes have an address, too
    m->at = (uint8_t *)m->host->alloc(m->host, POOL_PIECE, POOL_ALIGNMENT);
    m->left = m->at ? POOL_PIECE : 0;
  }
  void *taken = m->at;
  if (taken) {
    m->at += bytes;
    m->left -= bytes;
  }
  return taken;
}

static inline pool pool_from(sn_scratch *scratch) {
  return (pool){ .scratch = { .size = sizeof(sn_scratch), .alloc = pool_alloc }, .host = scratch };
}

#endif
