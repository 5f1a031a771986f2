// SPDX-License-Identifier: Apache-2.0
//
// Every call that reads or writes files fails in turn, with EIO or ENOSPC, or gives less than it
// was asked for: the functions here take the place of those of the C library.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults.h"

faults fault = { .armed = -1 };

static int fails(int why) {
  if (fault.mode == FAULT_SHORT || !fault_here()) {
    return 0;
  }
  errno = why;
  return 1;
}

// What is left of n when the call is one that gives less.
static size_t shortened(size_t n) {
  return fault.mode == FAULT_SHORT && n > 1 && fault_here() ? n / 2 : n;
}

// The function that this one stands before.
#define REAL(type, name, ...)                 \
  static type (*real)(__VA_ARGS__);           \
  if (!real) {                                \
    *(void **)&real = dlsym(RTLD_NEXT, name); \
  }

static mode_t mode_of(int flags, va_list list) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  REAL(int, "open", const char *, int, ...)
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return fails(EIO) ? -1 : real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  REAL(int, "openat", int, const char *, int, ...)
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return fails(EIO) ? -1 : real(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *how) {
  REAL(FILE *, "fopen", const char *, const char *)
  return fails(EIO) ? NULL : real(path, how);
}

FILE *fdopen(int descriptor, const char *how) {
  REAL(FILE *, "fdopen", int, const char *)
  return fails(EIO) ? NULL : real(descriptor, how);
}

ssize_t read(int descriptor, void *to, size_t n) {
  REAL(ssize_t, "read", int, void *, size_t)
  return fails(EIO) ? -1 : real(descriptor, to, shortened(n));
}

ssize_t pread(int descriptor, void *to, size_t n, off_t at) {
  REAL(ssize_t, "pread", int, void *, size_t, off_t)
  return fails(EIO) ? -1 : real(descriptor, to, shortened(n), at);
}

ssize_t write(int descriptor, const void *from, size_t n) {
  REAL(ssize_t, "write", int, const void *, size_t)
  return fails(ENOSPC) ? -1 : real(descriptor, from, shortened(n));
}

size_t fread(void *to, size_t size, size_t n, FILE *f) {
  REAL(size_t, "fread", void *, size_t, size_t, FILE *)
  return fails(EIO) ? 0 : real(to, size, n, f);
}

size_t fwrite(const void *from, size_t size, size_t n, FILE *f) {
  REAL(size_t, "fwrite", const void *, size_t, size_t, FILE *)
  return fails(ENOSPC) ? 0 : real(from, size, n, f);
}

int fflush(FILE *f) {
  REAL(int, "fflush", FILE *)
  return fails(ENOSPC) ? EOF : real(f);
}

int fclose(FILE *f) {
  REAL(int, "fclose", FILE *)
  const int failed = fails(ENOSPC), result = real(f);
  return failed ? EOF : result;
}

int fseek(FILE *f, long at, int from) {
  REAL(int, "fseek", FILE *, long, int)
  return fails(EIO) ? -1 : real(f, at, from);
}

long ftell(FILE *f) {
  REAL(long, "ftell", FILE *)
  return fails(EIO) ? -1 : real(f);
}

int fstat(int descriptor, struct stat *s) {
  REAL(int, "fstat", int, struct stat *)
  return fails(EIO) ? -1 : real(descriptor, s);
}

int stat(const char *path, struct stat *s) {
  REAL(int, "stat", const char *, struct stat *)
  return fails(EIO) ? -1 : real(path, s);
}

int fsync(int descriptor) {
  REAL(int, "fsync", int)
  return fails(EIO) ? -1 : real(descriptor);
}

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *)
  return fails(ENOSPC) ? -1 : real(from, to);
}

int mkstemp(char *path) {
  REAL(int, "mkstemp", char *)
  return fails(ENOSPC) ? -1 : real(path);
}

char *realpath(const char *path, char *resolved) {
  REAL(char *, "realpath", const char *, char *)
  return fails(EIO) ? NULL : real(path, resolved);
}

int main(int argc, char **argv) {
  static const int32_t modes[] = { FAULT_ONCE, FAULT_ON, FAULT_SHORT, -1 };
  return faults_main(argc, argv, "iofault", modes);
}
