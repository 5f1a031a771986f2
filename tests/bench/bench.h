// SPDX-License-Identifier: Apache-2.0
//
// What the files of the benchmark share. Each kind of benchmark is one function; bench.c has main.

#ifndef BENCH_H
#define BENCH_H

#include <time.h>

#include "sinew/sinew.h"

static inline double wall_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds of this thread: on a machine that is shared with other work, what the work itself takes.
static inline double thread_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// bench_collision.c: every pair of types, accuracy and time. Returns whether it could.
int bench_collision(sn_engine *engine);

// bench_spheres.c: time and memory of a step against the number of free spheres in a box.
int bench_spheres(sn_engine *engine);

// bench_chains.c: time of a step against the length of a chain. Returns whether it could.
int bench_chains(sn_engine *engine);

// bench_sleep.c: time of a step in which boxes rest, awake and asleep. Returns whether it could.
int bench_sleep(sn_engine *engine);

// bench_rollouts.c: steps per second of many simulations by each executor, and by the reference
// engine on threads. Returns whether all could be run.
int bench_rollouts(sn_engine *engine);

// bench_pictures.c: images a second beside the reference engine, of these files, or of models
// that come with it. Returns whether it could.
int bench_pictures(sn_engine *engine, int nfile, char **file);

// bench_load.c: from a file to a compiled model. Returns whether all could be loaded.
int bench_load(sn_engine *engine);

#endif
