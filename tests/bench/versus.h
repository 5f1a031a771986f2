// SPDX-License-Identifier: Apache-2.0
//
// One model in both engines, side by side.

#ifndef BENCH_VERSUS_H
#define BENCH_VERSUS_H

#include "sinew/sinew.h"

enum { ROUNDS = 7, SLICES = 8 };

// Means a step, of the first round.
typedef struct versus_work {
  double contacts, rows, iterations;
  int resets;   // how often the simulation diverged
} versus_work;

typedef struct versus_result {
  int64_t nv;
  int steps;                       // of a round
  versus_work ours, theirs;
  double rate, reference_rate;     // steps per second of processor time, medians
  double ratio, lowest, highest;   // of the rates: median and range of the rounds
  double contact_difference;       // sum over the first 50 steps of |difference of contacts|
  double position_difference;      // largest |difference| of qpos after 50 steps
} versus_result;

typedef struct versus_scene {
  const char *path;
  int key;      // start from this keyframe; -1: from the default state
  int settle;   // steps of Sinew before both start from the positions and velocities that result
  int steps;    // of a round; 0: as many as the reference engine does in half a second
} versus_scene;

// Steps the model of a file with both engines in turns, with the same noise as controls. False,
// with `why`: an engine does not load it.
int versus_run(sn_engine *engine, const versus_scene *scene, versus_result *result, char *why,
               size_t size);

#endif
