// SPDX-License-Identifier: Apache-2.0
//
// A folder of files that belong to this user, who alone can change them: what is in them is
// believed.

#ifndef SI_PLATFORM_STORE_H
#define SI_PLATFORM_STORE_H

#include <stddef.h>
#include <stdint.h>

// Opens the folder; makes: it and the folders above it are made where they are missing. -1: it is
// not there, or another user owns it or can write there.
int si_store_open(const char *folder, int makes);
void si_store_close(int store);

// The content of a file, and nothing of others. bytes NULL: there is none that can be believed, or
// it has more bytes than `most`. Noted as used; is_first_use: for the first time in an hour.
typedef struct si_stored {
  const uint8_t *bytes;
  size_t count;
  int is_first_use;
} si_stored;
si_stored si_store_read(int store, const char *name, double most);
void si_store_release(si_stored *stored);

// Writes a file of these parts, in place of one of this name, whole or not at all. Not flushed to
// the disk: after a loss of power the file may be cut off. False: it is not written.
typedef struct si_store_part {
  const void *bytes;
  size_t count;
} si_store_part;
int si_store_write(int store, const char *name, const si_store_part *parts, int n);
// Removes the files whose names are 16 hexadecimal digits and this ending, the ones that were used
// longest ago first, until the others have at most so many bytes; and what killed processes left.
void si_store_shrink(int store, const char *ending, double most);

#endif
