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
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

static _Thread_local int64_t excused;   // bytes

// In the order of SI_PROCESS_*.
static const char *const paths[] = { "/proc/thread-self/io", "/proc/thread-self/children",
                                     "/proc/thread-self/status" };

static void close_file(int *file) {
  if (*file >= 0) {
    close(*file);
  }
  *file = -1;
}

void si_process_files_init(si_process_files *files) {
  memset(files->file, -1, sizeof files->file);
}

int si_process_working_folder(char *path, size_t size) {
  return getcwd(path, size) != NULL;
}

const char *si_process_variable(int64_t index) {
  return environ ? environ[index] : NULL;
}

void si_process_open(si_process_files *files) {
  for (int i = 0; i < SI_PROCESS_STREAMS; i++) {
    files->file[i] = open(paths[i], O_RDONLY | O_CLOEXEC);
  }
  for (int i = 0; i < 3; i++) {
    struct stat s;
    const int is_open = fstat(i, &s) == 0;
    files->file[SI_PROCESS_STREAMS + i] = is_open ? fcntl(i, F_DUPFD_CLOEXEC, 3) : -1;
    if (is_open) {
      files->stream[i] = (struct si_stream){ s.st_dev, s.st_ino };
    }
  }
}

void si_process_close(si_process_files *files) {
  for (int i = 0; i < SI_PROCESS_STREAMS + 3; i++) {
    close_file(&files->file[i]);
  }
}

// Reads the beginning of an open file of /proc; 0: there is none.
static size_t read_proc(int file, char *out, size_t size) {
  ssize_t n = file >= 0 ? pread(file, out, size - 1, 0) : -1;
  n = n < 0 ? 0 : n;
  out[n] = '\0';
  return (size_t)n;
}

// The number behind a word; -1: it is not there.
static int64_t read_number(int file, const char *word, int base) {
  char text[512];
  read_proc(file, text, sizeof text);
  const char *at = strstr(text, word);
  return at ? strtoll(at + strlen(word), NULL, base) : -1;
}

// Sanitizers write to a pipe to find out whether an address is valid: then this is not looked at.
static int64_t count_written(int file) {
#ifdef SINEW_SANITIZED
  (void)file;
  return -1;
#else
  return read_number(file, "wchar:", 10);
#endif
}

// Not by umask(), which sets it: another thread could make a file meanwhile.
static int64_t read_umask(const si_process_files *files) {
  return read_number(files->file[SI_PROCESS_STATUS], "Umask:", 8);
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
  const size_t n = read_proc(files->file[SI_PROCESS_CHILDREN], text, sizeof text);
  return si_hash_bytes(SI_HASH_START, text, n);
}

void si_process_note(si_process *p, si_process_files *files) {
  memset(p, 0, sizeof *p);
  p->files = files;
  p->pid = getpid();
  p->umask = read_umask(files);
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
  p->written = count_written(files->file[SI_PROCESS_IO]);
  p->written = p->written < 0 ? -1 : p->written - excused;
}

// ------------------------------------------------------------------ what changed

static const char *find_output(const si_process *before, char *text, size_t size) {
  const int64_t pending = count_pending();
  const int64_t written = count_written(before->files->file[SI_PROCESS_IO]);
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

static const char *find_umask(const si_process *before) {
  if (read_umask(before->files) == before->umask) {
    return NULL;
  }
  umask((mode_t)before->umask);
  return "changed the umask of the process";
}

// A stream that was closed before may be anything.
static const char *find_streams(const si_process_files *files) {
  static const char *const texts[] = { "closed or replaced standard input",
                                       "closed or replaced standard output",
                                       "closed or replaced standard error" };
  const char *found = NULL;
  for (int i = 0; i < 3; i++) {
    const int copy = files->file[SI_PROCESS_STREAMS + i];
    const struct si_stream *before = &files->stream[i];
    struct stat now;
    if (copy >= 0 &&
        !(fstat(i, &now) == 0 && now.st_dev == before->device && now.st_ino == before->node)) {
      dup2(copy, i);
      found = found ? found : texts[i];
    }
  }
  return found;
}

// Files that the host has open for this comparison. Closed ones are opened again, and what else
// would be read from them is not compared.
static const char *find_closed(si_process_files *files) {
  int closed = 0;
  for (int i = 0; i < SI_PROCESS_STREAMS + 3; i++) {
    if (files->file[i] >= 0 && fcntl(files->file[i], F_GETFD) < 0) {
      files->file[i] = -1;
      closed = 1;
    }
  }
  if (!closed) {
    return NULL;
  }
  find_streams(files);   // while there are duplicates
  si_process_close(files);
  si_process_open(files);
  return "closed file descriptors of the host";
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
         memcmp(&a->sa_mask, &b->sa_mask, SI_PROCESS_SIGNALS / 8) == 0;
}

static const char *find_signals(const si_process *before, char *text, size_t size) {
  const char *found = NULL;
  for (int i = 1; i < SI_PROCESS_SIGNALS; i++) {
    struct sigaction now;
    memset(&now, 0, sizeof now);
    sigaction(i, NULL, &now);
    if (!same_handler(i, &now, &before->handler[i])) {
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
  char signal[128];
  const char *const closed = find_closed(before->files);
  const char *const found[] = { closed,
                                closed ? NULL : find_streams(before->files),
                                find_umask(before),
                                find_locale(before),
                                find_folder(before),
                                closed ? NULL : find_process(before),
                                find_signals(before, signal, sizeof signal) };
  for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
    if (found[i]) {
      snprintf(text, size, "%s", found[i]);
      return text;
    }
  }
  return find_output(before, text, size);
}

// ------------------------------------------------------------------ what the application writes

int64_t si_process_output(void) {
  int file = open(paths[SI_PROCESS_IO], O_RDONLY | O_CLOEXEC);
  const int64_t written = count_written(file);
  close_file(&file);
  return written + count_pending();
}

void si_process_excuse(int64_t output_before) {
  excused += si_process_output() - output_before;
}
