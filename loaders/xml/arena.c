// SPDX-License-Identifier: Apache-2.0
//
// A list of chunks; a request that does not fit into the newest one starts another. Chunks come
// cleared from the host and are never reused, so everything handed out is zero.

#include "sinew/xml/arena.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

enum { CHUNK = 16384 };

struct xml_chunk {
  xml_chunk *next;
  size_t used, size;
  alignas(max_align_t) char bytes[];
};

void *xml_alloc(xml_arena *arena, size_t bytes) {
  size_t align = alignof(max_align_t);
  if (bytes > (size_t)INT64_MAX / 2) {
    return NULL;
  }
  bytes = (bytes + align - 1) / align * align;

  // a new chunk when the newest is full
  xml_chunk *chunk = arena->chunks;
  if (!chunk || chunk->size - chunk->used < bytes) {
    size_t size = bytes > CHUNK ? bytes : CHUNK;
    chunk = arena->host->alloc(arena->host, (int64_t)(sizeof *chunk + size));
    if (!chunk) {
      return NULL;
    }
    chunk->size = size;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
  }

  char *p = chunk->bytes + chunk->used;
  chunk->used += bytes;
  return p;
}

char *xml_copy(xml_arena *arena, const char *text, size_t length) {
  char *p = xml_alloc(arena, length + 1);
  if (p) {
    memcpy(p, text, length);
  }
  return p;
}

char *xml_join(xml_arena *arena, const char *first, const char *second) {
  const size_t n = strlen(first);
  char *text = xml_alloc(arena, n + strlen(second) + 1);
  if (text) {
    memcpy(text, first, n);
    strcpy(text + n, second);
  }
  return text;
}

void xml_arena_free(xml_arena *arena) {
  while (arena->chunks) {
    xml_chunk *next = arena->chunks->next;
    arena->host->free(arena->host, arena->chunks);
    arena->chunks = next;
  }
}
