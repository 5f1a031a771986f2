// SPDX-License-Identifier: Apache-2.0
//
// A process of its own for code of plugins, which is ended after a time, and an engine that lists
// plugins without running their code; see trial.h.

#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/command.h"

// ------------------------------------------------------------------ a process

// In memory that both processes share, because code of plugins may close every file descriptor.
typedef struct shared {
  trial_stage stage;
  volatile int32_t has_returned;
} shared;

static _Noreturn void run(trial_fn *function, void *context, shared *s) {
  const pid_t own = getpid();
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  function(context, &s->stage);
  if (getpid() == own) {   // not in a copy of the process that a plugin made
    s->has_returned = 1;
  }
  _exit(DONE);
}

// Whether it ended by itself.
static int wait_for(pid_t pid, double limit, int *status) {
  for (const double since = wall_clock(); wall_clock() < since + limit;) {
    if (waitpid(pid, status, WNOHANG) != 0) {
      return 1;
    }
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
  }
  kill(pid, SIGKILL);
  while (waitpid(pid, status, 0) < 0 && errno == EINTR) {}
  return 0;
}

int try_apart(trial_fn *function, void *context, double limit, char *why, size_t capacity) {
  shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s == MAP_FAILED) {
    return 1;
  }
  fflush(NULL);   // what is not written yet would be written twice
  const pid_t pid = fork();
  if (pid == 0) {
    run(function, context, s);
  }
  int status = 0;
  const int has_ended = pid < 0 || wait_for(pid, limit, &status);
  const int has_returned = pid < 0 || s->has_returned;
  const char *stage = s->stage ? s->stage : "it";
  if (has_returned) {
    why[0] = '\0';
  } else if (!has_ended) {
    snprintf(why, capacity, "%s did not return within %g s", stage, limit);
  } else if (WIFSIGNALED(status)) {
    snprintf(why, capacity, "%s ended the process by signal %d (%s)", stage, WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  } else {
    snprintf(why, capacity, "%s ended the process with exit status %d", stage, WEXITSTATUS(status));
  }
  munmap(s, sizeof *s);
  return has_returned;
}

// ------------------------------------------------------------------ an engine without plugins

// From now on this thread cannot map code, so that no shared object is loaded.
static int forbid_code(void) {
  const uint32_t number = offsetof(struct seccomp_data, nr);
  const uint32_t protection = offsetof(struct seccomp_data, args[2]);   // its lower half
  struct sock_filter rules[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, protection),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = { .len = sizeof rules / sizeof rules[0], .filter = rules };
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void *open_without(void *context) {
  sn_engine_request request = *(const sn_engine_request *)context;
  request.flags |= SN_ENGINE_TOLERANT;
  return forbid_code() ? sn_engine_open_with(&request, NULL) : NULL;
}

// The filter is that of a thread, and ends with it.
sn_engine *engine_without_plugins(const sn_engine_request *request) {
  pthread_t thread;
  void *engine = NULL;
  if (pthread_create(&thread, NULL, open_without, (void *)(uintptr_t)request) == 0) {
    pthread_join(thread, &engine);
  }
  return engine;
}
