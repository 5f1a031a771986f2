// SPDX-License-Identifier: Apache-2.0
//
// Folders in which the dynamic linker searches the libraries of an object (ld.so(8)).

#ifndef SI_PLATFORM_RUNPATH_H
#define SI_PLATFORM_RUNPATH_H

#include <stddef.h>

// A folder of a run path, `n` characters, with the folder of the object at `path` in place of
// $ORIGIN. Freed by the caller; NULL: no memory, or *unknown: it contains another '$'.
char *si_runpath_expand(const char *path, const char *folder, size_t n, int *unknown);

// Names of subfolders that the dynamic linker prefers on some processors: glibc-hwcaps/x86-64-v3,
// in older systems tls/x86_64. NULL past the last one.
enum { SI_PREFERRED_DEPTH = 4 };
const char *si_runpath_preferred(size_t index);

#endif
