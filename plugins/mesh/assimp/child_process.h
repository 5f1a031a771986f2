// SPDX-License-Identifier: Apache-2.0
//
// Work in a process of its own: a library that crashes over damaged bytes, or never ends, takes
// nothing with it.

#ifndef PLUGINS_MESH_ASSIMP_CHILD_PROCESS_H
#define PLUGINS_MESH_ASSIMP_CHILD_PROCESS_H

#include <stddef.h>
#include <stdint.h>

// [load] Calls work(context, file) in a copy of the process. What it writes to the file is the
// result, *bytes (freed with free) of *count. 0; else *why says why there is none. seconds: of
// processor time that it may use.
int child_run(void (*work)(void *context, int file), void *context, int64_t seconds,
              uint8_t **bytes, size_t *count, const char **why);

// [load] Writes all of it; for the work.
void child_write(int file, const void *bytes, size_t count);

#endif
