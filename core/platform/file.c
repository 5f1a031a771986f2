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
