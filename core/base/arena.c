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

enum { ALIGNMENT = 64, FIRST_CHUNK = 64 * 1024 };

struct si_chunk {
  si_chunk *below;
  int64_t capacity, used;
  int64_t reserved;
};

// the memory of a chunk begins at the first multiple of ALIGNMENT after its header
_Static_assert(sizeof(si_chunk) <= ALIGNMENT, "the header of a chunk fits before its memory");

static uint8_t *memory(const si_chunk *chunk) {
  return (uint8_t *)(uintptr_t)chunk + ALIGNMENT;
}

const void *si_chunk_memory(const si_chunk *chunk, int64_t *used) {
  *used = chunk->used;
  return memory(chunk);
}

const si_chunk *si_chunk_below(const si_chunk *chunk) {
  return chunk->below;
}

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
  want = round_up(want, ALIGNMENT);
  si_chunk *chunk = aligned_alloc(ALIGNMENT, (size_t)(want + ALIGNMENT));
  if (!chunk) {
    return 0;
  }
  *chunk = (si_chunk){ .below = arena->top, .capacity = want };
  arena->top = chunk;
  return 1;
}

int si_arena_possible(int64_t bytes, int64_t alignment) {
  return bytes >= 0 && bytes <= INT64_MAX / 4 && alignment > 0 && alignment <= ALIGNMENT &&
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
  return memory(top) + start;
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

void *si_arena_take(si_arena *arena, int64_t bytes, int64_t alignment) {
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

// ------------------------------------------------------------------ mark and release

si_mark si_arena_mark(const si_arena *arena) {
  return (si_mark){ arena->top, arena->top ? arena->top->used : 0, arena->used };
}

void si_arena_release(si_arena *arena, si_mark mark) {
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
