// SPDX-License-Identifier: Apache-2.0
//
// Pages of memory.

#ifndef SI_PLATFORM_PAGES_H
#define SI_PLATFORM_PAGES_H

#include <stddef.h>

// The content of allocated memory is not needed any more, although the memory is not freed yet: it
// does not count as memory in use until it is written again. What it contains is not defined.
void si_pages_release(void *memory, size_t bytes);

// Returns to the system what was freed and is kept for later allocations. It takes longer than an
// allocation, so it is for the end of work on much memory.
void si_pages_return(void);

#endif
