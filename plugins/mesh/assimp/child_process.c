// SPDX-License-Identifier: Apache-2.0
//
// The process is copied, and the copy writes its result into a pipe:
//
//   here    fork --------- read until the end --- waitpid
//   copy      \-- work --- write --- _exit
//
// The copy has only the calling thread. Its processor time is limited, and its memory to 8 GiB; it
// prints nothing and writes no core file.

#include "assimp/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/grow.h"

enum { MOST_GIBIBYTES = 8 };

void child_write(int file, const void *bytes, size_t count) {
  const uint8_t *from = bytes;
  while (count > 0) {
    const ssize_t n = write(file, from, count);
    if (n < 0 && errno != EINTR) {
      _exit(1);
    }
    from += n > 0 ? n : 0;
    count -= n > 0 ? (size_t)n : 0;
  }
}

static void work_in_child(void (*work)(void *context, int file), void *context, int file,
                          int64_t seconds) {
  // SIGXCPU at the first limit, SIGKILL at the second
  const struct rlimit time = { (rlim_t)seconds, (rlim_t)seconds + 1 }, none = { 0, 0 };
  const int silence = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (silence >= 0) {
    dup2(silence, STDOUT_FILENO);
    dup2(silence, STDERR_FILENO);
  }
  // the program's own handlers would run in the copy
  static const int deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU };
  for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
    signal(deadly[i], SIG_DFL);
  }
  setrlimit(RLIMIT_CPU, &time);
#ifndef __SANITIZE_ADDRESS__   // whose own memory is more
  const rlim_t bytes = (rlim_t)MOST_GIBIBYTES << 30;
  const struct rlimit memory = { bytes, bytes };
  setrlimit(RLIMIT_DATA, &memory);
#endif
  setrlimit(RLIMIT_CORE, &none);
  work(context, file);
  _exit(0);
}

// NULL: no memory.
static uint8_t *read_all(int file, size_t *count) {
  int64_t capacity = 0;
  uint8_t *bytes = NULL;
  *count = 0;
  for (;;) {
    uint8_t *more = grow(bytes, (int64_t)*count + 1, &capacity, 1 << 16, 1);
    if (!more) {
      free(bytes);
      return NULL;
    }
    bytes = more;
    const ssize_t n = read(file, bytes + *count, (size_t)capacity - *count);
    if (n == 0 || (n < 0 && errno != EINTR)) {
      return bytes;
    }
    *count += n > 0 ? (size_t)n : 0;
  }
}

int child_run(void (*work)(void *context, int file), void *context, int64_t seconds,
              uint8_t **bytes, size_t *count, const char **why) {
  int ends[2], status = 0;
  *bytes = NULL;
  *why = "no process could be started to read it";
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return -1;
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    work_in_child(work, context, ends[1], seconds);
  }
  close(ends[1]);
  uint8_t *got = child > 0 ? read_all(ends[0], count) : NULL;
  close(ends[0]);
  if (child < 0) {
    return -1;
  }
  pid_t ended;
  do {
    ended = waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  // where the program does not wait for its children, what was written must do
  const int well = ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
  if (!got || !well) {
    free(got);
    *why = !got ? "out of memory for a mesh"
           : WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU
               ? "reading it took too long"
               : "the library assimp crashed while reading it; the file may be damaged";
    return -1;
  }
  *bytes = got;
  return 0;
}
