// SPDX-License-Identifier: Apache-2.0
//
// Whether the threads of a simulation save time, by measurement: it depends on how long a stage
// takes, on the processors (two threads of one core share its arithmetic units and caches), and on
// other work on the machine. The results of a step do not depend on it.
//
//   steps   first 64    4      8      8      8      8    64 ... 1024    4      8
//   phase   shared    sizes  alone  shared alone  shared  the faster  sizes  alone ...
//
//   sizes    one thread runs the tasks of all stages, and the time of each stage is measured
//   alone    a step is as if the simulation had one thread
//   shared   stages are shared, except those that are too small to be worth it
//
// The same outcome several times in a row makes the next trial later.

#ifndef SI_DATA_GAIN_H
#define SI_DATA_GAIN_H

#include <stdint.h>

enum { SI_GAIN_STAGES = 64, SI_GAIN_STEPS = 16 };

// The time of a stage, which the address of its function identifies.
typedef struct si_gain_stage {
  uintptr_t function;   // 0: none
  double seconds;       // in the phase that measures them
  int64_t ntask;
} si_gain_stage;

typedef struct si_gain {
  int32_t phase, left;     // steps that are left of the phase
  int32_t period;          // steps between trials
  int32_t is_alone;        // the faster way
  double start;            // of this step
  int32_t ntime[2];        // steps of this trial: shared, alone
  double time[2][SI_GAIN_STEPS];
  si_gain_stage stage[SI_GAIN_STAGES];
} si_gain;

void si_gain_init(si_gain *gain);

// Has the present step one thread, or another call before the next step?
int si_gain_is_alone(const si_gain *gain);
// Around a step. Returns the same.
int si_gain_begin(si_gain *gain);
void si_gain_end(si_gain *gain);

// Are n tasks of this function worth sharing?
int si_gain_expected(const si_gain *gain, uintptr_t function, int64_t n);
// Is the time of stages measured in this step? Then that of each, run by one thread, is noted.
int si_gain_measures(const si_gain *gain);
void si_gain_note(si_gain *gain, uintptr_t function, int64_t n, double seconds);

#endif
