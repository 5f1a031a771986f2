// SPDX-License-Identifier: Apache-2.0
//
// What is noted of a process and compared; see process.h. Threads are counted in the folder
// /proc/self/task of Linux, which has a folder for each.

#include "process.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char tasks[] = "/proc/self/task";

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
  p->nthread = kit_threads();
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

const char *kit_process_changed(const kit_process *before) {
  static const char *const streams[] = { "closed or replaced standard input",
                                         "closed or replaced standard output",
                                         "closed or replaced standard error" };
  const char *found = umask(before->mask) == before->mask ? NULL
                                                          : "changed the umask of the process";
  for (int i = 0; i < 3; i++) {
    found = is_same(i, &before->stream[i]) || found ? found : streams[i];
  }
  const char *signals = signals_changed(before);
  return found ? found : signals;
}

// ------------------------------------------------------------------ threads

static void wait_ms(long ms) {
  nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

int kit_threads(void) {
  struct stat s;
  return stat(tasks, &s) == 0 ? (int)s.st_nlink - 2 : 0;
}

int kit_threads_more(int before) {
  enum { TRIES = 200 };
  for (int i = 0; i < TRIES && kit_threads() > before; i++) {
    wait_ms(1);   // pthread_join returns before the thread has left the list of the system
  }
  return kit_threads() > before;
}

// How often a thread was given to a processor and taken from it.
static int64_t switches_of(const char *thread) {
  char path[300], line[256];
  int64_t n = 0;
  snprintf(path, sizeof path, "%s/%s/status", tasks, thread);
  FILE *f = fopen(path, "re");
  while (f && fgets(line, sizeof line, f)) {
    const char *at = strstr(line, "ctxt_switches:");
    n += at ? strtoll(at + strlen("ctxt_switches:"), NULL, 10) : 0;
  }
  if (f) {
    fclose(f);
  }
  return n;
}

// Of all threads but the first.
static int64_t switches(void) {
  DIR *folder = opendir(tasks);
  int64_t sum = 0;
  for (const struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
    if (*e->d_name != '.' && strtol(e->d_name, NULL, 10) != getpid()) {
      sum += switches_of(e->d_name);
    }
  }
  if (folder) {
    closedir(folder);
  }
  return sum;
}

int kit_threads_run(int before) {
  enum { SETTLE = 100, WATCH = 100 };   // ms
  if (!kit_threads_more(before)) {
    return 0;
  }
  wait_ms(SETTLE);
  const int64_t start = switches();
  wait_ms(WATCH);
  return switches() > start && kit_threads() > before;
}
