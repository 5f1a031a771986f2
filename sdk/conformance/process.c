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

static void note_thread(void *context, const char *thread) {
  kit_process *p = context;
  if (p->nthread < KIT_MOST_THREADS) {
    p->thread[p->nthread++] = (pid_t)strtol(thread, NULL, 10);
  }
}

// ------------------------------------------------------------------ mask and streams

static int is_open(int file, struct stat *s) {
  return fstat(file, s) == 0;
}

void kit_process_note(kit_process *p) {
  p->mask = umask(0);
  umask(p->mask);
  for (int i = 0; i < 3; i++) {
    struct stat s;
    p->stream[i] = (struct kit_stream){ .copy = -1 };
    if (is_open(i, &s)) {
      p->stream[i] = (struct kit_stream){ fcntl(i, F_DUPFD_CLOEXEC, 3), s.st_dev, s.st_ino };
    }
  }
  memset(p->handler, 0, sizeof p->handler);
  for (int i = 1; i < KIT_SIGNALS; i++) {
    sigaction(i, NULL, &p->handler[i]);
  }
  pthread_sigmask(SIG_SETMASK, NULL, &p->blocked);
  p->nthread = 0;
  each_thread(note_thread, p);
}

void kit_process_free(kit_process *p) {
  for (int i = 0; i < 3; i++) {
    if (p->stream[i].copy >= 0) {
      close(p->stream[i].copy);
    }
  }
}

// Is a stream what it was? It is put back.
static int is_same(int file, const struct kit_stream *before) {
  struct stat now;
  const int same = before->copy < 0 || (is_open(file, &now) && now.st_dev == before->device &&
                                        now.st_ino == before->file);
  if (!same) {
    dup2(before->copy, file);
  }
  return same;
}

static int is_closed(int file) {
  return file >= 0 && fcntl(file, F_GETFD) < 0;
}

// The duplicates of the standard streams are made again.
static const char *files_closed(kit_process *before) {
  int closed = is_closed(kit_file);
  for (int i = 0; i < 3; i++) {
    if (is_closed(before->stream[i].copy)) {
      before->stream[i].copy = fcntl(i, F_DUPFD_CLOEXEC, 3);
      closed = 1;
    }
  }
  return closed ? "closed files that it did not open" : NULL;
}

static const char *signals_changed(const kit_process *before) {
  const char *found = NULL;
  for (int i = 1; i < KIT_SIGNALS; i++) {
    struct sigaction now;
    if (sigaction(i, NULL, &now) == 0 && now.sa_handler != before->handler[i].sa_handler) {
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
  static const char *const streams[] = { "closed or replaced standard input",
                                         "closed or replaced standard output",
                                         "closed or replaced standard error" };
  const char *found = umask(before->mask) == before->mask ? NULL
                                                          : "changed the umask of the process";
  for (int i = 0; i < 3; i++) {
    found = is_same(i, &before->stream[i]) || found ? found : streams[i];
  }
  const char *files = files_closed(before), *signals = signals_changed(before);
  return found ? found : files ? files : signals;
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
