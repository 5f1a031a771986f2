// SPDX-License-Identifier: Apache-2.0
//
// Makes zip archives, for tests of those who read them. Files are stored, not compressed.

#ifndef SINEW_CONFORMANCE_ARCHIVE_H
#define SINEW_CONFORMANCE_ARCHIVE_H

#include <stdint.h>

typedef struct archive_file {
  const char *name, *text;
  int64_t size;   // of the text; 0: up to its end
} archive_file;

// Writes an archive of n files to `out`, which has `capacity` bytes. Returns its bytes; 0: no room.
int64_t archive_write(const archive_file *files, int n, uint8_t *out, int64_t capacity);

#endif
