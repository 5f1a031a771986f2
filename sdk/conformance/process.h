// SPDX-License-Identifier: Apache-2.0
//
// What operations change of the process beside memory: the mask of file permissions, the standard
// streams, other file descriptors, handlers of signals and blocked signals, and threads that they
// start and do not end.

#ifndef SINEW_CONFORMANCE_PROCESS_H
#define SINEW_CONFORMANCE_PROCESS_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

enum { KIT_SIGNALS = NSIG };   // with those for real-time applications

typedef struct kit_process {
  mode_t mask;
  struct kit_stream {
    int copy;       // a duplicate, to put it back; -1: there is none
    dev_t device;
    ino_t file;
  } stream[3], file;   // standard input, output and error; kit_file
  struct sigaction handler[KIT_SIGNALS];
  sigset_t blocked;
  int nthread;
  pid_t *thread;
} kit_process;

// A file descriptor of the caller of the kit that operations must leave open; -1: none.
extern int kit_file;

// To be freed.
void kit_process_note(kit_process *process);
void kit_process_free(kit_process *process);
// What was changed since, as the rest of a sentence, and put back; NULL: nothing. Without threads.
const char *kit_process_changed(kit_process *before);

// How many threads the process has, without those that end, as each one does that was joined; 0
// where the system does not tell.
int kit_threads(void);
// Are there more threads than before, when each of them has come to its end, or waits, or has run
// for a while? The speed of the machine makes no difference.
int kit_threads_more(int before);
// Are there others than before that run, or sleep for a time? Threads that wait for an event, such
// as the pool of a library, are left out.
int kit_threads_run(const kit_process *before);

#endif
