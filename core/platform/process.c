// SPDX-License-Identifier: Apache-2.0
//
// What is noted of a process; see process.h. Output is what the kernel has counted for this thread
// (Linux: wchar in /proc/thread-self/io), together with what waits in the buffers of the C library:
// the sum stays the same when a buffer is written out.

#include "platform/process.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/hash.h"

static _Thread_local int64_t excused;   // bytes

static const char path_io[] = "/proc/thread-self/io";
static const char path_children[] = "/proc/thread-self/children";

static int open_proc(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC);
}

static void close_proc(int file) {
  if (file >= 0) {
    close(file);
  }
}

void si_process_open(si_process_files *files) {
  files->io = open_proc(path_io);
  files->children = open_proc(path_children);
}

void si_process_close(si_process_files *files) {
  close_proc(files->io);
  close_proc(files->children);
  files->io = files->children = -1;
}

// Reads the beginning of a file of /proc, which may be open; 0: there is none.
static size_t read_proc(int open, const char *path, char *out, size_t size) {
  const int file = open >= 0 ? open : open_proc(path);
  ssize_t n = file >= 0 ? pread(file, out, size - 1, 0) : -1;
  close_proc(open >= 0 ? -1 : file);
  n = n < 0 ? 0 : n;
  out[n] = '\0';
  return (size_t)n;
}

// Sanitizers write to a pipe to find out whether an address is valid: then this is not looked at.
static int64_t count_written(const si_process_files *files) {
  char text[512] = "";
#ifndef SINEW_SANITIZED
  read_proc(files ? files->io : -1, path_io, text, sizeof text);
#endif
  (void)files;
  const char *at = strstr(text, "wchar:");
  return at ? strtoll(at + strlen("wchar:"), NULL, 10) : -1;
}

static int64_t count_pending(void) {
  return (int64_t)(__fpending(stdout) + __fpending(stderr));
}

static int64_t count_ended(void) {
  struct rusage usage;
  return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? usage.ru_minflt : 0;
}

static uint64_t hash_children(const si_process_files *files) {
  char text[4096];
  const size_t n = read_proc(files ? files->children : -1, path_children, text, sizeof text);
  return si_hash_bytes(SI_HASH_START, text, n);
}

void si_process_note(si_process *p, const si_process_files *files) {
  memset(p, 0, sizeof *p);
  p->files = files;
  p->pid = getpid();
  p->thread = uselocale((locale_t)0);
  const char *locale = setlocale(LC_ALL, NULL);
  snprintf(p->locale, sizeof p->locale, "%s", locale ? locale : "");
  if (!getcwd(p->folder, sizeof p->folder)) {
    p->folder[0] = '\0';
  }
  pthread_sigmask(SIG_SETMASK, NULL, &p->mask);
  for (int i = 1; i < SI_PROCESS_SIGNALS; i++) {
    sigaction(i, NULL, &p->handler[i]);   // fails for those of the C library, which stay zero
  }
  p->children = hash_children(files);
  p->ended = count_ended();
  p->pending = count_pending();
  p->written = count_written(files);
  p->written = p->written < 0 ? -1 : p->written - excused;
}

// ------------------------------------------------------------------ what changed

static const char *find_output(const si_process *before, char *text, size_t size) {
  const int64_t pending = count_pending(), written = count_written(before->files);
  const int64_t buffered = pending - before->pending;
  const int64_t more = before->written < 0 || written < 0
                           ? buffered
                           : buffered + written - excused - before->written;
  if (more <= 0) {
    return NULL;
  }
  snprintf(text, size, "wrote %lld bytes to %s; messages are for 'log' of the host",
           (long long)more,
           buffered == more ? "standard output" : "standard output, a file or a pipe");
  return text;
}

static const char *find_process(const si_process *before) {
  if (getpid() != before->pid) {
    return "forked the process, and this is the copy";
  }
  return count_ended() != before->ended || hash_children(before->files) != before->children
             ? "started a process"
             : NULL;
}

static const char *find_folder(const si_process *before) {
  char now[SI_PROCESS_FOLDER];
  if (!before->folder[0] || (getcwd(now, sizeof now) && strcmp(now, before->folder) == 0)) {
    return NULL;
  }
  return chdir(before->folder) == 0 ? "changed the working folder of the process"
                                    : "left the working folder of the process for good";
}

// Of a set of signals only the bits that the kernel knows are defined.
static int same_handler(const struct sigaction *a, const struct sigaction *b) {
  return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags &&
         memcmp(&a->sa_mask, &b->sa_mask, SI_PROCESS_SIGNALS / 8) == 0;
}

static const char *find_signals(const si_process *before, char *text, size_t size) {
  const char *found = NULL;
  for (int i = 1; i < SI_PROCESS_SIGNALS; i++) {
    struct sigaction now;
    memset(&now, 0, sizeof now);
    sigaction(i, NULL, &now);
    if (!same_handler(&now, &before->handler[i])) {
      sigaction(i, &before->handler[i], NULL);
      if (!found) {
        snprintf(text, size, "changed the handler of signal %d (%s)", i, strsignal(i));
        found = text;
      }
    }
  }
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, &before->mask, &mask);
  for (int i = 1; i < SI_PROCESS_SIGNALS && !found; i++) {
    if (sigismember(&mask, i) != sigismember(&before->mask, i)) {
      snprintf(text, size, "changed whether its thread blocks signal %d (%s)", i, strsignal(i));
      found = text;
    }
  }
  return found;
}

static const char *find_locale(const si_process *before) {
  const int thread = uselocale(before->thread) != before->thread;
  const char *now = setlocale(LC_ALL, NULL);
  const int process = now && strncmp(before->locale, now, sizeof before->locale - 1) != 0;
  if (process) {
    setlocale(LC_ALL, before->locale);
  }
  return thread || process ? "changed the locale" : NULL;
}

// Each is looked at, since each puts back what it finds.
const char *si_process_compare(const si_process *before, char *text, size_t size) {
  const char *locale = find_locale(before);
  const char *folder = find_folder(before);
  const char *process = find_process(before);
  char signal[128];
  const char *signals = find_signals(before, signal, sizeof signal);
  const char *first = locale ? locale : folder ? folder : process ? process : signals;
  if (!first) {
    return find_output(before, text, size);
  }
  snprintf(text, size, "%s", first);
  return text;
}

// ------------------------------------------------------------------ what the application writes

int64_t si_process_output(void) {
  return count_written(NULL) + count_pending();
}

void si_process_excuse(int64_t output_before) {
  excused += si_process_output() - output_before;
}
