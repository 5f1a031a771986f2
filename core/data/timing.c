// SPDX-License-Identifier: Apache-2.0
//
// The stopwatch of a worker, and what the stopwatches of a simulation say together.

#include "data/timing.h"

#include <math.h>
#include <string.h>

#include "base/sized.h"
#include "data/data.h"
#include "platform/clock.h"

void si_timer_start(si_timer *t, int32_t on) {
  t->on = on;
  if (on) {
    t->stage = SI_TIMED_other;
    t->calls[SI_TIMED_other]++;
    t->since = si_clock();
  }
}

void si_timer_stop(si_timer *t) {
  if (t->on) {
    si_timer_switch(t, SI_TIMED_other);
    t->on = 0;
  }
}

int32_t si_timer_switch(si_timer *t, int32_t stage) {
  const double now = si_clock();
  const int32_t former = t->stage;
  t->seconds[former] += now - t->since - t->cost;
  t->since = now;
  t->stage = stage;
  return former;
}

// Of a switch between stages: the least of several measurements, since the others were interrupted.
static double cost_of_switch(void) {
  enum { TRIES = 8, SWITCHES = 32 };
  si_timer t = { .on = 1 };
  double least = HUGE_VAL;
  for (int i = 0; i < TRIES; i++) {
    const double start = si_clock();
    for (int k = 0; k < SWITCHES; k++) {
      si_timer_switch(&t, k % 2);
    }
    least = fmin(least, (si_clock() - start) / SWITCHES);
  }
  return least;
}

// ------------------------------------------------------------------ of a simulation

static const struct {
  const char *name, *group, *meaning;
} stages[SI_NTIMED] = {
#define SN_X(name, group, meaning) { #name, group, meaning },
  SN_TIMED_STAGES(SN_X)
#undef SN_X
};

void sn_data_set_timing(sn_data *data, int32_t on) {
  const double cost = on ? cost_of_switch() : 0;
  data->timing = on != 0;
  for (int32_t k = 0; k < data->nworker; k++) {
    si_timer *t = &data->worker[k].timer;
    t->cost = cost;
    memset(t->seconds, 0, sizeof t->seconds);
    memset(t->calls, 0, sizeof t->calls);
  }
}

static sn_status fill_timing(const sn_data *data, int64_t index, sn_timing *timing) {
  sn_timing ours = { .name = stages[index].name,
                     .group = stages[index].group,
                     .meaning = stages[index].meaning };
  for (int32_t k = 0; k < data->nworker; k++) {
    ours.seconds += data->worker[k].timer.seconds[index];
    ours.calls += data->worker[k].timer.calls[index];
  }
  ours.seconds = fmax(0, ours.seconds);   // one that does nothing may take less than the clock
  return si_copy_out(timing, &ours, sizeof ours);
}

int32_t sn_data_timing_at(const sn_data *data, int64_t index, sn_timing *timing) {
  return index >= 0 && index < SI_NTIMED && fill_timing(data, index, timing) == SN_OK;
}

sn_status sn_data_timing(const sn_data *data, const char *name, sn_timing *timing) {
  for (int64_t i = 0; i < SI_NTIMED; i++) {
    if (strcmp(stages[i].name, name) == 0) {
      return fill_timing(data, i, timing);
    }
  }
  return SN_ENOTFOUND;
}
