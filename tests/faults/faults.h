// SPDX-License-Identifier: Apache-2.0
//
// What oom and iofault share. Each replaces the functions of the C library that may fail by its
// own, which count their calls and fail the one that is armed; this part forks a process for each
// call, in which that call fails, and judges what came out.

#ifndef SN_TEST_FAULTS_H
#define SN_TEST_FAULTS_H

#include <stdint.h>

// ------------------------------------------------------------------ the injector

// How an armed call fails. once: alone; on: it and all that follow.
enum { FAULT_ONCE, FAULT_ON, FAULT_SHORT };

typedef struct faults {
  int64_t calls;   // since the last arming
  int64_t armed;   // the call that fails; -1: none
  int32_t mode;
  int32_t hit;    // a call failed
  int64_t live;   // blocks that are allocated, where they are counted
} faults;

extern faults fault;

// Counts a call that may fail. True: fail it.
static inline int fault_here(void) {
  const int64_t call = fault.calls++;
  const int now = fault.armed >= 0 &&
                  (fault.mode == FAULT_ON ? call >= fault.armed : call == fault.armed);
  fault.hit |= now;
  return now;
}

// ------------------------------------------------------------------ what is done under faults

// Ways to read a model: "mjcf", "urdf", "x_xy", "binary"; "scene": parts, in an archive;
// "kept": from an entry that was written just before.
extern const char *const work_kinds[];   // ends with NULL

// Writes the files of all kinds into a new folder; the process ends where that fails. work_clean
// removes them.
void work_prepare(void);
void work_clean(void);

typedef struct outcome {
  uint64_t hash;      // of the state at the end; 0: it did not come to an end
  int32_t empty;      // calls that failed without a code or a message
  int32_t repeated;   // calls that failed twice
  int32_t failed;     // calls that failed
} outcome;

// Loads, compiles, simulates, saves and reads again. A call that fails is made once more, with the
// same arguments; with `once` the second must succeed.
void work_do(const char *kind, outcome *out);

// ------------------------------------------------------------------ all points

// Runs every kind with every call failing, or a sample; the exit status of the program. modes ends
// with -1. Arguments: --complete, or --every N; --kind NAME; --cold.
int faults_main(int argc, char **argv, const char *what, const int32_t *modes);

#endif
