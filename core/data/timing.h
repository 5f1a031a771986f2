// SPDX-License-Identifier: Apache-2.0
//
// The stopwatch of a worker. It runs through a whole call and always belongs to one stage: entering
// a stage pauses the timer of the outer one until it is left. See sinew/timing.h.

#ifndef SI_DATA_TIMING_H
#define SI_DATA_TIMING_H

#include "base/error.h"
#include "sinew/timing.h"

enum {
#define SN_X(name, group, meaning) SI_TIMED_##name,
  SN_TIMED_STAGES(SN_X)
#undef SN_X
      SI_NTIMED
};

typedef struct si_timer {
  int32_t on;
  int32_t stage;       // the innermost
  double since;        // when it was entered, or the inner one left
  double cost;         // seconds that reading the clock takes, which count for no stage
  double seconds[SI_NTIMED];
  int64_t calls[SI_NTIMED];
} si_timer;

// The beginning and the end of a call.
void si_timer_start(si_timer *timer, int32_t on);
void si_timer_stop(si_timer *timer);
// Adds the time until now to the current stage and switches to another; returns the old one.
int32_t si_timer_switch(si_timer *timer, int32_t stage);

static inline int32_t si_timer_enter(si_timer *timer, int32_t stage) {
  if (!timer->on) {
    return stage;
  }
  timer->calls[stage]++;
  return si_timer_switch(timer, stage);
}

static inline void si_timer_leave(si_timer *timer, int32_t outer) {
  if (timer->on) {
    si_timer_switch(timer, outer);
  }
}

// Calls a stage of this name and measures it. SI_TRY_TIMED returns where the call fails.
#define SI_TIMED(worker, name, call)                                             \
  do {                                                                           \
    const int32_t timed_outer = si_timer_enter(&(worker)->timer, SI_TIMED_##name); \
    call;                                                                        \
    si_timer_leave(&(worker)->timer, timed_outer);                               \
  } while (0)

#define SI_TRY_TIMED(worker, name, call)                    \
  do {                                                      \
    sn_status timed_status;                                 \
    SI_TIMED(worker, name, timed_status = (call));          \
    SN_TRY(timed_status);                                   \
  } while (0)

#endif
