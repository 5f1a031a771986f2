// SPDX-License-Identifier: Apache-2.0
//
// What operations change of the process beside memory: the mask of file permissions, the standard
// streams, handlers of signals and blocked signals, and threads that they start and do not end.

#ifndef SINEW_CONFORMANCE_PROCESS_H
#define SINEW_CONFORMANCE_PROCESS_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

enum { KIT_SIGNALS = 32 };

typedef struct kit_process {
  mode_t mask;
  struct kit_stream {
    int copy;       // a duplicate, to put it back; -1: it is closed
    dev_t device;
    ino_t file;
  } stream[3];      // standard input, output and error
  struct sigaction handler[KIT_SIGNALS];
  sigset_t blocked;
  int nthread;
} kit_process;

// To be freed.
void kit_process_note(kit_process *process);
void kit_process_free(kit_process *process);
// What was changed since, as the rest of a sentence, and put back; NULL: nothing. Without threads.
const char *kit_process_changed(const kit_process *before);

// How many threads the process has; 0 where the system does not tell.
int kit_threads(void);
// Are there more threads than before? A thread that is ending gets a moment for it.
int kit_threads_more(int before);
// Are there more, and do they run? Threads that wait, such as the pool of a library, are left out.
int kit_threads_run(int before);

#endif
