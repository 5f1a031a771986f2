// SPDX-License-Identifier: Apache-2.0
//
// Memory that is freed all at once: what a loader keeps until the spec has been filled.

#ifndef SINEW_XML_ARENA_H
#define SINEW_XML_ARENA_H

#include <stddef.h>

#include "sinew/plugin.h"

SN_BEGIN_DECLS

// A block of the memory of an arena.
typedef struct xml_chunk xml_chunk;

// An arena; set the host and zero the rest.
typedef struct xml_arena {
  const sn_host *host;   // allocates the memory
  xml_chunk *chunks;     // the newest first
} xml_arena;

// [load] Allocates `bytes` cleared bytes, aligned for any type. NULL: out of memory.
void *xml_alloc(xml_arena *arena, size_t bytes);
// [load] Copies `length` bytes and adds a terminating zero. NULL: out of memory.
char *xml_copy(xml_arena *arena, const char *text, size_t length);
// [load] Joins two texts of any length. NULL: out of memory.
char *xml_join(xml_arena *arena, const char *first, const char *second);
// [load] Frees all memory of the arena.
void xml_arena_free(xml_arena *arena);

SN_END_DECLS

#endif
