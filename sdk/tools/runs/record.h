// SPDX-License-Identifier: Apache-2.0
//
// What a simulation records: --record and --every of `run` and `trace`. Items are separated by
// commas; a step is recorded if one of the items contains it. Step 0 is the start.
//
//   all              each step, and the start
//   last             the last step
//   5                a step
//   1:10  5:  :10    from one step to another
//   0:100:10         each tenth of them
//   every 10         the start, and each tenth step
//   every 0.01s      the start, and a step each 10 ms of simulated time
//   qpos             an array or a count such as ncon, instead of qpos, qvel, act and sensordata
//
// What a step computes, such as xpos or qacc, belongs to the state before that step; at the start
// it is not computed yet.

#ifndef SINEW_TOOLS_RECORD_H
#define SINEW_TOOLS_RECORD_H

#include "tools/command.h"

enum { MOST_RECORDED = 256 };

typedef struct span {
  int64_t first, last, stride;
} span;

// An array or a count.
typedef struct recorded {
  const char *name;
  sn_view view;     // rows x cols; p NULL: a count
  int64_t n;        // numbers
} recorded;

typedef struct record {
  int64_t steps;    // of the run
  span *span;
  int64_t nspan;
  recorded field[MOST_RECORDED];
  int nfield;
  int names_fields;   // --record names arrays
} record;

// Reads --record and --every for a run of `steps` steps. preset: the steps if no item names one.
// DONE, or USAGE or FAILED after reporting. Free it in any case.
int record_open(record *r, const session *s, int64_t steps, const char *preset);
void record_free(record *r);
// The first step to record that is not before `step`; -1: none.
int64_t record_next(const record *r, int64_t step);
// Whether an item names steps, not an array: "all", "last", "every 10", "5", "0:10".
int record_names_steps(const char *item);
// Number k of field i in the present state.
double record_number(const record *r, int i, const sn_data *d, int64_t k);

#endif
