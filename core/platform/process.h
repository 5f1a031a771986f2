// SPDX-License-Identifier: Apache-2.0
//
// What code that is called may change of the process and of its thread beside memory: noted before
// the call, compared after it, and put back where that is possible.
//
//   si_process_open(&files);
//   si_process_note(&before, &files);
//   ...
//   si_process_compare(&before, text, sizeof text)
//   si_process_close(&files);
//
// If nothing changed, the note holds for what is called next too. Several notes of one thread share
// the files that they read, and duplicates of the standard streams, from which these are put back.
//
// What belongs to the whole process (folder, umask, standard streams, handlers of signals, buffered
// output, processes that have ended) may have been changed by another thread meanwhile.

#ifndef SI_PLATFORM_PROCESS_H
#define SI_PLATFORM_PROCESS_H

#include <locale.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SI_PROCESS_SIGNALS = 65, SI_PROCESS_FOLDER = 1024, SI_PROCESS_LOCALE = 512 };

// What is read in /proc, of the thread that opened them, and duplicates of the standard streams;
// -1: none.
enum { SI_PROCESS_IO, SI_PROCESS_CHILDREN, SI_PROCESS_STATUS, SI_PROCESS_STREAMS };
typedef struct si_process_files {
  int file[SI_PROCESS_STREAMS + 3];
  struct si_stream {
    dev_t device;
    ino_t node;
  } stream[3];
} si_process_files;

typedef struct si_process {
  si_process_files *files;
  pid_t pid;
  int64_t umask;      // -1: the system does not tell
  int64_t written;    // bytes, by this thread; -1: the system does not count them
  int64_t pending;    // bytes in the buffers of standard output and standard error
  int64_t ended;      // page faults of processes that have ended and were waited for
  uint64_t children;  // hash of the list of processes that this thread started and that remain
  locale_t thread;    // the locale of the thread
  sigset_t mask;      // signals that the thread blocks
  struct sigaction handler[SI_PROCESS_SIGNALS];
  char folder[SI_PROCESS_FOLDER];   // empty: unknown
  char locale[SI_PROCESS_LOCALE];   // of the process
} si_process;

// The path of the working folder. False: it is longer, or there is none.
int si_process_working_folder(char *path, size_t size);
// A variable of the environment, "NAME=VALUE", by index from 0. NULL: there are no more.
const char *si_process_variable(int64_t index);

void si_process_files_init(si_process_files *files);   // none is open
void si_process_open(si_process_files *files);
void si_process_close(si_process_files *files);
void si_process_note(si_process *process, si_process_files *files);

// NULL: nothing changed. Else `text`, the rest of a sentence: "changed the locale". The folder, the
// umask, standard streams, the locale, handlers and blocked signals are then as they were before.
const char *si_process_compare(const si_process *before, char *text, size_t size);

// Around what the application does while code is watched, such as a callback for messages: what it
// writes in this thread is not counted for that code.
int64_t si_process_output(void);
void si_process_excuse(int64_t output_before);

#endif
