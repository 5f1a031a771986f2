// SPDX-License-Identifier: Apache-2.0
//
// Files that are read; see file.h.

#include "platform/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int si_file_open(const char *path, int64_t *count, const char **why) {
  // O_NONBLOCK: opening a FIFO returns at once
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat s;
  if (descriptor < 0 || fstat(descriptor, &s) != 0) {
    const int code = errno;
    if (descriptor >= 0) {
      close(descriptor);
    }
    *why = code == ENXIO ? "it is not a regular file" : strerror(code);   // a socket
    errno = code;
    return -1;
  }
  if (!S_ISREG(s.st_mode)) {
    close(descriptor);
    *why = S_ISDIR(s.st_mode) ? "it is a folder" : "it is not a regular file";
    errno = S_ISDIR(s.st_mode) ? EISDIR : EINVAL;
    return -1;
  }
  *count = s.st_size;
  return descriptor;
}

FILE *si_file_stream(const char *path, int64_t *count, const char **why) {
  const int descriptor = si_file_open(path, count, why);
  FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
  if (descriptor >= 0 && !stream) {
    *why = strerror(errno);
    close(descriptor);
  }
  return stream;
}

int64_t si_file_read(int descriptor, void *bytes, int64_t count) {
  int64_t n = 0;
  while (n < count) {
    const ssize_t got = read(descriptor, (char *)bytes + n, (size_t)(count - n));
    if (got == 0) {
      break;
    }
    if (got < 0 && errno != EINTR) {
      return -1;
    }
    n += got > 0 ? got : 0;
  }
  return n;
}

void si_file_close(int descriptor) {
  close(descriptor);
}

int si_file_exists(const char *path) {
  struct stat s;
  return path && stat(path, &s) == 0;
}

int si_file_is_regular(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

int si_file_is_folder(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}
