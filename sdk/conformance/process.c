// SPDX-License-Identifier: Apache-2.0
//
// What is noted of a process and compared; see process.h.
//
// Threads are counted in the folder /proc/self/task of Linux, which has a folder for each. A thread
// may be there for a moment after pthread_join has returned; it has the flag PF_EXITING then, which
// the system sets before it lets the joining thread go on. A detached thread that is about to end
// is one that runs: it gets processor time until it ends, waits, or has had more than an end takes.
// So no result depends on how fast the machine is.

#include "process.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char tasks[] = "/proc/self/task";

int kit_file = -1;

static void each_thread(void (*each)(void *context, const char *thread), void *context);

static void note_thread(void *context, const char *thread);

// ------------------------------------------------------------------ mask and streams

static int is_open(int file, struct stat *s) {
  return file >= 0 && fstat(file, s) == 0;
}

// Above kit_file: a duplicate never takes its number, even if an operation has closed it.
static int duplicate(int file) {
  return fcntl(file, F_DUPFD_CLOEXEC, kit_file < 3 ? 3 : kit_file + 1);
}

void kit_process_note(kit_process *p) {
  p->mask = umask(0);
  umask(p->mask);
  for (int i = 0; i < 3; i++) {
    struct stat s;
    p->stream[i] = (struct kit_stream){ .copy = -1 };
    if (is_open(i, &s)) {
      p->stream[i] = (struct kit_stream){ duplicate(i), s.st_dev, s.st_ino };
    }
  }
  struct stat s;
  p->file = (struct kit_stream){ .copy = -1 };
  if (is_open(kit_file, &s)) {
    p->file = (struct kit_stream){ kit_file, s.st_dev, s.st_ino };
  }
  memset(p->handler, 0, sizeof p->handler);
  for (int i = 1; i < KIT_SIGNALS; i++) {
    sigaction(i, NULL, &p->handler[i]);
  }
  pthread_sigmask(SIG_SETMASK, NULL, &p->blocked);
  p->nthread = 0;
  p->thread = NULL;
  each_thread(note_thread, p);
}

void kit_process_free(kit_process *p) {
  for (int i = 0; i < 3; i++) {
    if (p->stream[i].copy >= 0) {
      close(p->stream[i].copy);
    }
  }
  free(p->thread);
  p->thread = NULL;
}

// Is it still the file that was noted? Its number may have been taken by another one.
static int is_same(int file, const struct kit_stream *before) {
  struct stat now;
  return before->copy < 0 ||
         (is_open(file, &now) && now.st_dev == before->device && now.st_ino == before->file);
}

// A duplicate of a standard stream that was closed is made again.
static const char *files_closed(kit_process *before) {
  int closed = !is_same(before->file.copy, &before->file);
  for (int i = 0; i < 3; i++) {
    struct kit_stream *s = &before->stream[i];
    if (!is_same(s->copy, s)) {
      closed = 1;
      s->copy = is_same(i, s) ? duplicate(i) : -1;
    }
  }
  return closed ? "closed file descriptors of the host" : NULL;
}

// A stream that is not what it was is put back.
static const char *streams_changed(const kit_process *before) {
  static const char *const streams[] = { "closed or replaced standard input",
                                         "closed or replaced standard output",
                                         "closed or replaced standard error" };
  const char *found = NULL;
  for (int i = 0; i < 3; i++) {
    const struct kit_stream *s = &before->stream[i];
    if (!is_same(i, s)) {
      found = found ? found : streams[i];
      if (is_same(s->copy, s)) {
        dup2(s->copy, i);
      }
    }
  }
  return found;
}

// Flags and blocked signals mean nothing without a function, except two flags of SIGCHLD. The C
// library sets flags of its own, also when a handler is put back. Of a set of signals only the bits
// that the kernel knows are defined.
static int same_handler(int signal, const struct sigaction *a, const struct sigaction *b) {
  const int child = SA_NOCLDSTOP | SA_NOCLDWAIT;
  const int flags = child | SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER | (int)SA_RESETHAND;
  const int differ = a->sa_flags ^ b->sa_flags;
  if (a->sa_handler == SIG_DFL || a->sa_handler == SIG_IGN) {
    return a->sa_handler == b->sa_handler && (signal != SIGCHLD || !(differ & child));
  }
  return a->sa_handler == b->sa_handler && !(differ & flags) &&
         memcmp(&a->sa_mask, &b->sa_mask, KIT_SIGNALS / 8) == 0;
}

static const char *signals_changed(const kit_process *before) {
  const char *found = NULL;
  for (int i = 1; i < KIT_SIGNALS; i++) {
    struct sigaction now;
    if (sigaction(i, NULL, &now) == 0 && !same_handler(i, &now, &before->handler[i])) {
      sigaction(i, &before->handler[i], NULL);
      found = "changed the handler of a signal";
    }
  }
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, &before->blocked, &now);
  for (int i = 1; i < KIT_SIGNALS && !found; i++) {
    found = sigismember(&now, i) == sigismember(&before->blocked, i)
                ? NULL
                : "changed which signals its thread blocks";
  }
  return found;
}

const char *kit_process_changed(kit_process *before) {
  const char *found = umask(before->mask) == before->mask ? NULL
                                                          : "changed the umask of the process";
  const char *const changes[] = { streams_changed(before), files_closed(before),
                                  signals_changed(before) };
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    found = found ? found : changes[i];
  }
  return found;
}

// ------------------------------------------------------------------ threads

enum { PF_EXITING = 4 };   // <linux/sched.h> of the kernel

typedef struct thread_state {
  int exits, runs;
  int64_t ticks;   // of processor time
} thread_state;

static int64_t read_text(const char *thread, const char *file, char *out, size_t size) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s/%s", tasks, thread, file);
  const int f = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = f >= 0 ? read(f, out, size - 1) : -1;
  out[n > 0 ? n : 0] = '\0';
  if (f >= 0) {
    close(f);
  }
  return n;
}

// See proc(5), /proc/pid/stat. A thread that is gone exits.
static thread_state state_of(const char *thread) {
  char text[512], state = 'X';
  unsigned flags = 0;
  long long user = 0, system = 0;
  read_text(thread, "stat", text, sizeof text);
  const char *behind = strrchr(text, ')');   // of the name
  if (behind) {
    sscanf(behind + 1, " %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %lld %lld", &state, &flags,
           &user, &system);
  }
  return (thread_state){ .exits = state == 'X' || state == 'Z' || (flags & PF_EXITING),
                         .runs = state == 'R' || state == 'D',
                         .ticks = user + system };
}

// One that ends is not noted, as it is not counted.
static void note_thread(void *context, const char *thread) {
  kit_process *p = context;
  pid_t *more = state_of(thread).exits
                    ? NULL
                    : realloc(p->thread, (size_t)(p->nthread + 1) * sizeof *more);
  if (more) {
    p->thread = more;
    p->thread[p->nthread++] = (pid_t)strtol(thread, NULL, 10);
  }
}

// Calls `each` for every thread but this one.
static void each_thread(void (*each)(void *context, const char *thread), void *context) {
  DIR *folder = opendir(tasks);
  const long self = syscall(SYS_gettid);
  for (const struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
    if (*e->d_name != '.' && strtol(e->d_name, NULL, 10) != self) {
      each(context, e->d_name);
    }
  }
  if (folder) {
    closedir(folder);
  }
}

typedef struct thread_count {
  int n, running;
  int64_t ticks;   // of those that run
} thread_count;

static void count_thread(void *context, const char *thread) {
  thread_count *c = context;
  const thread_state s = state_of(thread);
  c->n += !s.exits;
  if (!s.exits && s.runs) {
    c->running++;
    c->ticks += s.ticks;
  }
}

static thread_count count_threads(void) {
  thread_count c = { 0 };
  each_thread(count_thread, &c);
  return c;
}

static void wait_ms(long ms) {
  nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

int kit_threads(void) {
  return count_threads().n;
}

int kit_threads_more(int before) {
  enum { ENOUGH = 20 };   // ticks, 0.2 s of processor time
  thread_count c = count_threads();
  for (const int64_t start = c.ticks; c.n > before && c.running > 0 && c.ticks < start + ENOUGH;
       c = count_threads()) {
    wait_ms(1);
  }
  return c.n > before;
}

typedef struct search {
  const kit_process *before;
  int busy;
} search;

// One that runs, or sleeps for a time. Of a thread that waits the system tells the system call.
static void find_busy(void *context, const char *thread) {
  search *s = context;
  char text[64];
  long call = -1;
  for (int i = 0; i < s->before->nthread; i++) {
    if (s->before->thread[i] == strtol(thread, NULL, 10)) {
      return;
    }
  }
  read_text(thread, "syscall", text, sizeof text);
  sscanf(text, "%ld", &call);
  int busy = strncmp(text, "running", strlen("running")) == 0 || call == SYS_clock_nanosleep;
#ifdef SYS_nanosleep
  busy |= call == SYS_nanosleep;
#endif
  s->busy |= busy && !state_of(thread).exits;
}

int kit_threads_run(const kit_process *before) {
  search s = { before, 0 };
  if (kit_threads_more(before->nthread)) {
    each_thread(find_busy, &s);
  }
  return s.busy;
}
