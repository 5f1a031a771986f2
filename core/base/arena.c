// SPDX-License-Identifier: Apache-2.0
//
// Stack memory of one simulation; see arena.h. A chunk is one block of the allocator:
//
//   [ header | pad to 64 | capacity bytes ]
//
// Memory is taken from the top chunk. Releasing to a mark keeps the chunks above it, emptied; when
// the arena is emptied, all its chunks are joined into one.

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 64 * 1024 };

_Static_assert(sizeof(si_chunk) <= SI_ARENA_ALIGNMENT, "the header of a chunk fits in its place");

// The multiple is a power of two.
static int64_t round_up(int64_t bytes, int64_t multiple) {
  return (bytes + multiple - 1) & -multiple;
}

static void *scratch_alloc(sn_scratch *scratch, int64_t bytes, int64_t alignment);

void si_arena_init(si_arena *arena, int64_t limit) {
  memset(arena, 0, sizeof *arena);
  arena->scratch.size = sizeof(sn_scratch);
  arena->scratch.alloc = scratch_alloc;
  arena->limit = limit > 0 ? limit : 0;
}

const si_arena *si_arena_of(const sn_scratch *scratch) {
  const int is_arena = scratch && scratch->alloc == scratch_alloc;
  return is_arena ? (const si_arena *)(const void *)scratch : NULL;
}

static void drop_above(si_arena *arena, const si_chunk *keep) {
  while (arena->top && arena->top != keep) {
    si_chunk *below = arena->top->below;
    free(arena->top);
    arena->top = below;
  }
}

void si_arena_free(si_arena *arena) {
  drop_above(arena, NULL);
  arena->used = 0;
}

int64_t si_arena_capacity(const si_arena *arena) {
  int64_t sum = 0;
  for (const si_chunk *c = arena->top; c; c = c->below) {
    sum += c->capacity;
  }
  return sum;
}

// ------------------------------------------------------------------ growth

// A chunk of at least `bytes` on top: as large as all others together, so that their number
// stays logarithmic, but within the limit.
static int grow(si_arena *arena, int64_t bytes) {
  int64_t held = si_arena_capacity(arena);
  int64_t others = arena->neighbor ? si_arena_capacity(arena->neighbor) : 0;
  int64_t want = held > FIRST_CHUNK ? held : FIRST_CHUNK;
  want = bytes > want ? bytes : want;
  if (arena->limit && want > arena->limit - held - others) {
    want = bytes;
  }
  want = round_up(want, SI_ARENA_ALIGNMENT);
  si_chunk *chunk = aligned_alloc(SI_ARENA_ALIGNMENT, (size_t)(want + SI_ARENA_ALIGNMENT));
  if (!chunk) {
    return 0;
  }
  *chunk = (si_chunk){ .below = arena->top, .capacity = want };
  arena->top = chunk;
  return 1;
}

int si_arena_possible(int64_t bytes, int64_t alignment) {
  return bytes >= 0 && bytes <= INT64_MAX / 4 && alignment > 0 && alignment <= SI_ARENA_ALIGNMENT &&
         (alignment & (alignment - 1)) == 0;
}

// NULL: there is none.
static void *find(si_arena *arena, int64_t bytes, int64_t alignment) {
  if (!si_arena_possible(bytes, alignment)) {
    return NULL;
  }
  si_chunk *top = arena->top;
  int64_t start = top ? round_up(top->used, alignment) : 0;
  int64_t cost = top ? start - top->used + bytes : bytes;
  const int fits = top && start + bytes <= top->capacity;
  cost = fits ? cost : bytes;
  int64_t others = arena->neighbor ? arena->neighbor->used : 0;
  if (arena->limit && cost > arena->limit - arena->used - others) {
    return NULL;
  }
  if (!fits) {
    if (!grow(arena, bytes)) {
      return NULL;
    }
    top = arena->top;
    start = 0;
  }
  top->used = start + bytes;
  arena->used += cost;
  if (arena->used > arena->peak) {
    arena->peak = arena->used;
  }
  return si_chunk_memory(top) + start;
}

// The first failure is kept: what follows from it says less.
static void note_failure(si_arena *arena, int lent, int64_t bytes, int64_t alignment) {
  if (!arena->failed) {
    arena->failed = 1;
    arena->lent = lent;
    arena->asked = bytes;
    arena->alignment = alignment;
  }
}

void *si_arena_take_slowly(si_arena *arena, int64_t bytes, int64_t alignment) {
  void *p = find(arena, bytes, alignment);
  if (!p) {
    note_failure(arena, 0, bytes, alignment);
    if (arena->guard) {
      longjmp(*arena->guard, 1);
    }
  }
  return p;
}

static void *scratch_alloc(sn_scratch *scratch, int64_t bytes, int64_t alignment) {
  si_arena *arena = (si_arena *)scratch;
  void *p = find(arena, bytes, alignment);
  if (!p) {
    note_failure(arena, 1, bytes, alignment);
  }
  return p;
}

// ------------------------------------------------------------------ release

void si_arena_release_slowly(si_arena *arena, si_mark mark) {
  // emptied with more than one chunk: they become one
  if (mark.used == 0 && arena->top && arena->top->below) {
    si_arena_reset(arena);
    return;
  }
  // chunks above the mark stay, empty, until the arena is emptied: what is above is taken again
  si_chunk *chunk = arena->top;
  while (chunk && chunk != mark.chunk && chunk->below) {
    chunk->used = 0;
    chunk = chunk->below;
  }
  if (chunk) {
    chunk->used = chunk == mark.chunk ? mark.chunk_used : 0;
  }
  arena->used = mark.used;
}

void si_arena_reserve(si_arena *arena, int64_t bytes) {
  if (si_arena_capacity(arena) < bytes) {
    drop_above(arena, NULL);
    grow(arena, bytes);
  }
}

void si_arena_reset(si_arena *arena) {
  if (arena->top && arena->top->below) {
    int64_t total = si_arena_capacity(arena);
    drop_above(arena, NULL);
    grow(arena, total);   // when this fails the next take tries again
  }
  if (arena->top) {
    arena->top->used = 0;
  }
  arena->used = 0;
}
