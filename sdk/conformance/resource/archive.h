// SPDX-License-Identifier: Apache-2.0
//
// Makes zip archives, for tests of those who read them. Files are stored, or deflated without being
// compressed.

#ifndef SINEW_CONFORMANCE_ARCHIVE_H
#define SINEW_CONFORMANCE_ARCHIVE_H

#include <stdint.h>

// Deflated: in the format of method 8, in one block of at most 65535 bytes. Encrypted: only marked
// so.
enum { ARCHIVE_STORED, ARCHIVE_DEFLATED, ARCHIVE_ENCRYPTED };

typedef struct archive_file {
  const char *name, *text;
  int64_t size;   // of the text; 0: up to its end
  int form;       // ARCHIVE_*
} archive_file;

// Writes an archive of n files to `out`, which has `capacity` bytes. Returns its bytes; 0: no room.
int64_t archive_write(const archive_file *files, int n, uint8_t *out, int64_t capacity);

#endif
