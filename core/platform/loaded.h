// SPDX-License-Identifier: Apache-2.0
//
// The program and the shared objects of this process, and where others would be found instead.

#ifndef SI_PLATFORM_LOADED_H
#define SI_PLATFORM_LOADED_H

#include <stddef.h>
#include <stdint.h>

// The path of the program. False: it is not known.
int si_loaded_program(char *path, size_t size);

// Calls `each` for the program and every shared object. inode: of the file that is mapped, which
// may be another one than the path leads to now; 0: not known.
void si_loaded_each(void (*each)(void *context, const char *path, uint64_t inode), void *context);

// Calls `each` with every path from which the dynamic linker would have taken a library in place of
// one that it took, or may take: the names of all that are needed, in all run paths, in
// LD_LIBRARY_PATH and their subfolders, and the files in which it looks for libraries of the
// system. is_folder: a folder, which is missing. False: not all of them are known.
int si_loaded_search(void (*each)(void *context, const char *path, int is_folder), void *context);

#endif
