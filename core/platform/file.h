// SPDX-License-Identifier: Apache-2.0
//
// Files that are read.

#ifndef SI_PLATFORM_FILE_H
#define SI_PLATFORM_FILE_H

#include <stdint.h>
#include <stdio.h>

// Opens a regular file and says how many bytes it has. Nothing else is opened: a FIFO would wait
// for a writer, a device may have no end. -1: errno, and `why` in words, for messages.
int si_file_open(const char *path, int64_t *count, const char **why);
// The same as a stream.
FILE *si_file_stream(const char *path, int64_t *count, const char **why);
// Bytes that were read from an open file: less than `count` at its end; -1: errno.
int64_t si_file_read(int descriptor, void *bytes, int64_t count);
void si_file_close(int descriptor);
// Is there a file or folder of this name? path may be NULL.
int si_file_exists(const char *path);
int si_file_is_regular(const char *path);
int si_file_is_folder(const char *path);

#endif
