// SPDX-License-Identifier: Apache-2.0
//
// Bytes that are read one after another, and never beyond their end.

#ifndef SI_BASE_READER_H
#define SI_BASE_READER_H

#include <stdint.h>
#include <string.h>

typedef struct si_reader {
  const uint8_t *at;
  int64_t left;
} si_reader;

// The next n bytes, which may have any alignment; NULL: there are not so many, or n is negative,
// and nothing is taken.
static inline const void *si_reader_take(si_reader *r, int64_t n) {
  const void *at = r->at;
  if (n < 0 || n > r->left) {
    return NULL;
  }
  r->at += n;
  r->left -= n;
  return at;
}

// Copies the next n bytes; false: there are not so many.
static inline int si_reader_copy(si_reader *r, void *out, int64_t n) {
  const void *at = si_reader_take(r, n);
  if (at && n > 0) {
    memcpy(out, at, (size_t)n);
  }
  return at != NULL;
}

#endif
