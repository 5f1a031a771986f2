// SPDX-License-Identifier: Apache-2.0
//
// Stack memory of one simulation: mark, take, release. Grows by chunks, so that what was taken
// never moves; when it is emptied and had more than one chunk, they become one that is as large
// as all of them together. So after a few steps no step allocates.
//
//   chunk 0 [#########......]  chunk 1 [####.................]
//                    used ^                 used ^ top
//
// When memory or the limit is exhausted, the arena jumps to its guard (see sn_guard): nothing
// that takes memory needs to check.

#ifndef SN_BASE_ARENA_H
#define SN_BASE_ARENA_H

#include <setjmp.h>

#include "sinew/abi.h"

typedef struct sn_chunk sn_chunk;

typedef struct sn_arena {
  sn_scratch scratch;     // first: a plugin's handle to this arena
  sn_chunk *top;          // the chunk that is being filled; earlier ones hang below it
  int64_t used, peak;     // bytes, over all chunks
  int64_t limit;          // bytes, with those of the neighbor; 0: none
  const struct sn_arena *neighbor;   // the arena that shares the limit; NULL: none does
  jmp_buf *guard;         // where exhaustion goes; NULL: sn_arena_take returns NULL
  // set before the jump:
  sn_status failure;
  int lent;               // it was asked for through `scratch`, by a plugin
  int64_t asked, alignment;   // what could not be had
} sn_arena;

typedef struct sn_mark {
  sn_chunk *chunk;
  int64_t chunk_used;
  int64_t used;
} sn_mark;

void sn_arena_init(sn_arena *arena, int64_t limit);
void sn_arena_free(sn_arena *arena);
void *sn_arena_take(sn_arena *arena, int64_t bytes, int64_t alignment);
// False: no memory, however large, has such a block.
int sn_arena_possible(int64_t bytes, int64_t alignment);
sn_mark sn_arena_mark(const sn_arena *arena);
void sn_arena_release(sn_arena *arena, sn_mark mark);
void sn_arena_reset(sn_arena *arena);      // releases everything, joins the chunks
int64_t sn_arena_capacity(const sn_arena *arena);

#endif
