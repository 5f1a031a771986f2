// SPDX-License-Identifier: Apache-2.0
//
// Memory that is freed all at once: what a loader keeps until the spec has been filled.

#ifndef SINEW_XML_ARENA_H
#define SINEW_XML_ARENA_H

#include <stddef.h>

#include "sinew/plugin.h"

SN_BEGIN_DECLS

// A piece of the memory of an arena.
typedef struct xml_chunk xml_chunk;

// Memory that is freed at once.
typedef struct xml_arena {
  const sn_host *host;   // whose memory it is
  xml_chunk *chunks;     // the newest first
} xml_arena;

// [load] `bytes` cleared bytes, aligned for any type, until xml_arena_free. NULL: no memory.
void *xml_alloc(xml_arena *arena, size_t bytes);
// [load] A copy of `length` bytes with a zero behind it. NULL: no memory.
char *xml_copy(xml_arena *arena, const char *text, size_t length);
// [load] Two texts as one, of whatever length. NULL: no memory.
char *xml_join(xml_arena *arena, const char *first, const char *second);
void xml_arena_free(xml_arena *arena);

SN_END_DECLS

#endif
