// SPDX-License-Identifier: Apache-2.0
//
// Files that are read.

#ifndef SI_PLATFORM_FILE_H
#define SI_PLATFORM_FILE_H

#include <stdint.h>

// Opens a regular file and says how many bytes it has. Nothing else is opened: a FIFO would wait
// for a writer, a device may have no end. -1: errno, and `why` in words, for messages.
int si_file_open(const char *path, int64_t *count, const char **why);

#endif
