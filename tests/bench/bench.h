// SPDX-License-Identifier: Apache-2.0
//
// What the files of the benchmark share. Each kind of benchmark is one function; bench.c has main.

#ifndef BENCH_H
#define BENCH_H

#include <time.h>

#include "sinew/sinew.h"

// As the command line says.
typedef struct bench_settings {
  int as_json;
  int is_quick;   // few steps: whether everything runs, not how long it takes
} bench_settings;
extern bench_settings bench;

// Of so many steps, those that are made.
static inline int bench_steps(int steps) {
  const int few = steps < 2 ? steps : 2;
  return bench.is_quick ? few : steps;
}

// The slope of y over x by least squares.
static inline double bench_slope(int n, const double *x, const double *y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

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
sn_model *bench_spheres_model(sn_engine *engine, int n, sn_error *error);

// bench_chains.c: time of a step against the length of a chain. Returns whether it could.
int bench_chains(sn_engine *engine);
sn_model *bench_chain(sn_engine *engine, int n, sn_error *error);   // of hinges, nothing touches

// bench_scaling.c: the exponents of series of scenes. Returns whether all could be measured.
int bench_scaling(sn_engine *engine);

// bench_stages.c: shares of the stages in each scene; one thread and two in large ones.
int bench_stages(sn_engine *engine);
int bench_threads(sn_engine *engine);

// bench_sleep.c: time of a step in which boxes rest, awake and asleep. Returns whether it could.
int bench_sleep(sn_engine *engine);

// bench_rollouts.c: steps per second of many simulations by each executor, and by the reference
// engine on threads. Returns whether all could be run.
int bench_rollouts(sn_engine *engine);

// bench_images.c: images a second beside the reference engine, of these files, or of models
// that come with it. Returns whether it could.
int bench_images(sn_engine *engine, int nfile, char **file);

// bench_load.c: from a file to a compiled model. Returns whether all could be loaded.
int bench_load(sn_engine *engine);

#endif
