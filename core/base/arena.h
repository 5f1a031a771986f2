// SPDX-License-Identifier: Apache-2.0
//
// Stack memory of one simulation: mark, take, release. Grows by chunks, so that what was taken
// never moves; when it is emptied and had more than one chunk, they become one that is as large
// as all of them together. So after a few steps no step allocates.
//
//   chunk 0 [#########......]  chunk 1 [####.................]
//                    used ^                 used ^ top
//
// When memory or the limit is exhausted, the arena jumps to its guard (see step/guard.c): nothing
// in the core that takes memory needs to check. A plugin, which takes it through `scratch`, gets
// NULL instead: nothing jumps over its frames.

#ifndef SI_BASE_ARENA_H
#define SI_BASE_ARENA_H

#include <setjmp.h>

#include "sinew/abi.h"

typedef struct si_chunk si_chunk;
struct si_chunk {
  si_chunk *below;
  int64_t capacity, used;   // bytes of the memory after it
  int64_t reserved;
};

enum { SI_ARENA_ALIGNMENT = 64 };   // of the memory of a chunk; the most that a request may have

typedef struct si_arena {
  sn_scratch scratch;     // first: a plugin's handle to this arena
  si_chunk *top;          // the chunk that is being filled; earlier ones are linked below it
  int64_t used, peak;     // bytes, over all chunks
  int64_t limit;          // bytes, with those of the neighbor; 0: none
  const struct si_arena *neighbor;   // the arena that shares the limit; NULL: none does
  jmp_buf *guard;         // where exhaustion goes; NULL: si_arena_take returns NULL
  int failed;             // a request failed; cleared at the start of a call
  int lent;               // with `failed`: requested through `scratch`, by a plugin
  int64_t asked, alignment;   // with `failed`: the first request that failed
  void *owner;            // the worker whose temporary memory it is (data/worker.h); NULL: none
} si_arena;

typedef struct si_mark {
  si_chunk *chunk;
  int64_t chunk_used;
  int64_t used;
} si_mark;

// It begins at the first multiple of SI_ARENA_ALIGNMENT after the header.
static inline uint8_t *si_chunk_memory(const si_chunk *chunk) {
  return (uint8_t *)(uintptr_t)chunk + SI_ARENA_ALIGNMENT;
}

void si_arena_init(si_arena *arena, int64_t limit);
// The arena that a plugin has this handle to; NULL: it is a handle of another kind.
const si_arena *si_arena_of(const sn_scratch *scratch);
void si_arena_free(si_arena *arena);
// False: no memory, however large, has such a block.
int si_arena_possible(int64_t bytes, int64_t alignment);
void si_arena_reset(si_arena *arena);      // releases everything, joins the chunks
int64_t si_arena_capacity(const si_arena *arena);
// Of an empty arena: gives it this capacity, if it has less and there is memory.
void si_arena_reserve(si_arena *arena, int64_t bytes);
// The general cases of the two inline functions below.
void *si_arena_take_slowly(si_arena *arena, int64_t bytes, int64_t alignment);
void si_arena_release_slowly(si_arena *arena, si_mark mark);

// bytes of an alignment, which is a power of two up to SI_ARENA_ALIGNMENT.
// Most calls end in the first branch, so the compiler must not make a function of it.
__attribute__((always_inline)) static inline void *si_arena_take(si_arena *arena, int64_t bytes,
                                                                 int64_t alignment) {
  si_chunk *top = arena->top;
  if (top && !arena->limit) {
    const int64_t start = (top->used + alignment - 1) & -alignment;
    if ((uint64_t)bytes <= (uint64_t)(top->capacity - start)) {
      arena->used += start + bytes - top->used;
      top->used = start + bytes;
      arena->peak = arena->used > arena->peak ? arena->used : arena->peak;
      return si_chunk_memory(top) + start;
    }
  }
  return si_arena_take_slowly(arena, bytes, alignment);
}

static inline si_mark si_arena_mark(const si_arena *arena) {
  return (si_mark){ arena->top, arena->top ? arena->top->used : 0, arena->used };
}

static inline void si_arena_release(si_arena *arena, si_mark mark) {
  si_chunk *top = arena->top;
  if (top && top == mark.chunk && (mark.used || !top->below)) {
    top->used = mark.chunk_used;
    arena->used = mark.used;
  } else {
    si_arena_release_slowly(arena, mark);
  }
}

// Typed memory from an arena.
static inline double *si_arena_reals(si_arena *arena, int64_t n) {
  return (double *)si_arena_take(arena, n * (int64_t)sizeof(double), 64);
}

static inline int32_t *si_arena_ints(si_arena *arena, int64_t n) {
  return (int32_t *)si_arena_take(arena, n * (int64_t)sizeof(int32_t), 64);
}

#endif
