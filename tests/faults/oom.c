// SPDX-License-Identifier: Apache-2.0
//
// Every allocation fails in turn, those of the C++ library and of the other libraries that plugins
// use too: the functions here take the place of those of the C library.

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"

faults fault = { .armed = -1 };

// the allocator of glibc
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
void __libc_free(void *p);

static void *count(void *p) {
  fault.live += p != NULL;
  return p;
}

static int fails(void) {
  if (fault_here()) {
    errno = ENOMEM;
    return 1;
  }
  return 0;
}

void *malloc(size_t n) {
  return fails() ? NULL : count(__libc_malloc(n));
}

void *calloc(size_t n, size_t size) {
  return fails() ? NULL : count(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n) {
  if (fails()) {
    return NULL;
  }
  void *q = __libc_realloc(p, n);
  fault.live += (!p && q) - (p && !q && n == 0);
  return q;
}

void *memalign(size_t alignment, size_t n) {
  return fails() ? NULL : count(__libc_memalign(alignment, n));
}

void *aligned_alloc(size_t alignment, size_t n) {
  return memalign(alignment, n);
}

int posix_memalign(void **out, size_t alignment, size_t n) {
  void *p = memalign(alignment, n);
  *out = p ? p : *out;
  return p ? 0 : ENOMEM;
}

void free(void *p) {
  fault.live -= p != NULL;
  __libc_free(p);
}

int main(int argc, char **argv) {
  static const int32_t modes[] = { FAULT_ONCE, FAULT_ON, -1 };
  return faults_main(argc, argv, "oom", modes);
}
