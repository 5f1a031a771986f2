// SPDX-License-Identifier: Apache-2.0
//
// Whole pages within a block are returned to the system, which gives others when they are written.

#include "platform/pages.h"

#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void si_pages_release(void *memory, size_t bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)memory;
  const uintptr_t first = (begin + page - 1) / page * page, end = (begin + bytes) / page * page;
  if (memory && end > first) {
    madvise((void *)first, end - first, MADV_DONTNEED);
  }
}

void si_pages_return(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
