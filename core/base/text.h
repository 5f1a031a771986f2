// SPDX-License-Identifier: Apache-2.0
//
// Strings, and what grows: arrays, bytes.

#ifndef SI_BASE_TEXT_H
#define SI_BASE_TEXT_H

#include "base/error.h"

// printf into new memory; NULL: no memory.
char *si_text(const char *format, ...) SN_PRINTF(1, 2);
// Makes room for one more element of `size` bytes; returns the array, NULL when there is no memory.
void *si_more(void *array, int64_t n, size_t size);
// The same for an array that becomes long: it is doubled when its capacity is used up.
void *si_grow(void *array, int64_t n, int64_t *capacity, size_t size);
// Bytes that are written one after another; `at` is the caller's, to be freed.
typedef struct si_buffer {
  uint8_t *at;
  size_t n, capacity;
  int failed;   // there was no memory, and nothing is added any more
} si_buffer;
void si_buffer_add(si_buffer *buffer, const void *bytes, size_t n);
// "a, b, c", cut when it grows too long. Never NULL: `out` has `size` bytes.
const char *si_join(char *out, size_t size, const char *const *names, int64_t n);
// "; did you mean 'newton'? Available: newton, cg" if a name is similar, "; available: newton, cg"
// otherwise; `list` is "available". Of very many names only the most similar ones are listed, none
// if one is similar enough.
const char *si_suggest(char *out, size_t size, const char *name, const char *list,
                       const char *const *names, int64_t n);
enum { SI_SUGGESTION = 1024 };   // bytes that si_suggest is given
// The error that the engine is out of memory.
sn_status si_no_memory(sn_error *error);

#endif
