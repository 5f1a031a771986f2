// SPDX-License-Identifier: Apache-2.0

#include "data/gain.h"

#include <string.h>

#include "platform/clock.h"

enum {
  FIRST_STEPS = 64,   // until the first trial
  LEAST_PERIOD = 64,
  MOST_PERIOD = 1024,
  SIZE_STEPS = 4,
  TRIAL_STEPS = SI_GAIN_STEPS / 2   // of a phase; each way has two
};

enum { CHOSEN, SIZES, ALONE, SHARED, ALONE_AGAIN, SHARED_AGAIN, NPHASE };

// Seconds of a stage that two threads end earlier than one: they lose one or two microseconds by
// waiting for each other and by fetching data from the caches of another processor.
static const double worth = 5e-6;

void si_gain_init(si_gain *g) {
  *g = (si_gain){ .left = FIRST_STEPS, .period = LEAST_PERIOD };
}

static inline int is_trial(const si_gain *g) {
  return g->phase >= ALONE;
}

int si_gain_is_alone(const si_gain *g) {
  return g->phase == CHOSEN ? g->is_alone : g->phase == ALONE || g->phase == ALONE_AGAIN;
}

int si_gain_begin(si_gain *g) {
  if (is_trial(g)) {
    g->start = si_clock();
  }
  return si_gain_is_alone(g);
}

// ------------------------------------------------------------------ trials

// In ascending order.
static void note_step(si_gain *g) {
  const int way = si_gain_is_alone(g);
  double *time = g->time[way], seconds = si_clock() - g->start;
  int32_t i = g->ntime[way]++;
  for (; i > 0 && time[i - 1] > seconds; i--) {
    time[i] = time[i - 1];
  }
  time[i] = seconds;
}

// By the medians, which steps that were interrupted do not change.
static void choose(si_gain *g) {
  const int is_alone = g->time[1][TRIAL_STEPS] <= g->time[0][TRIAL_STEPS];
  const int32_t later = g->period < MOST_PERIOD ? 2 * g->period : MOST_PERIOD;
  g->period = is_alone == g->is_alone ? later : LEAST_PERIOD;
  g->is_alone = is_alone;
}

static void begin_phase(si_gain *g, int32_t phase) {
  g->phase = phase;
  if (phase == CHOSEN) {
    choose(g);
    g->left = g->period;
  } else if (phase == SIZES) {
    memset(g->stage, 0, sizeof g->stage);
    g->left = SIZE_STEPS;
    g->ntime[0] = g->ntime[1] = 0;
  } else {
    g->left = TRIAL_STEPS;
  }
}

void si_gain_end(si_gain *g) {
  if (is_trial(g)) {
    note_step(g);
  }
  if (--g->left == 0) {
    begin_phase(g, (g->phase + 1) % NPHASE);
  }
}

// ------------------------------------------------------------------ stages

// Its place in the table, or the empty one that it would have; -1: the table is full.
static int64_t find(const si_gain *g, uintptr_t function) {
  for (uintptr_t i = 0; i < SI_GAIN_STAGES; i++) {
    const uintptr_t at = (function / 16 + i) % SI_GAIN_STAGES;
    if (g->stage[at].function == function || g->stage[at].function == 0) {
      return (int64_t)at;
    }
  }
  return -1;
}

int si_gain_measures(const si_gain *g) {
  return g->phase == SIZES;
}

void si_gain_note(si_gain *g, uintptr_t function, int64_t n, double seconds) {
  const int64_t at = find(g, function);
  if (at >= 0) {
    si_gain_stage *s = &g->stage[at];
    s->function = function;
    s->seconds += seconds;
    s->ntask += n;
  }
}

// One that was not measured is shared.
int si_gain_expected(const si_gain *g, uintptr_t function, int64_t n) {
  const int64_t at = find(g, function);
  const si_gain_stage *s = &g->stage[at < 0 ? 0 : at];
  return at < 0 || s->function == 0 || s->seconds * (double)n >= worth * (double)s->ntask;
}
