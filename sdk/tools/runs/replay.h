// SPDX-License-Identifier: Apache-2.0
//
// The states of a run, one after the other, for images of it: a model that is simulated, the
// record of a run (`sinew run --record RUN.json`), which is made again, or the states that
// `sinew run MODEL --out STATES.csv` wrote.

#ifndef SINEW_TOOLS_REPLAY_H
#define SINEW_TOOLS_REPLAY_H

#include "recorded_run.h"
#include "table.h"

typedef struct replay {
  const options *o;
  session s;               // engine, model, and the data that is simulated
  sn_data *shown;          // the state of a frame, with all that follows from it
  recorded_run run;
  table states;            // of STATES.csv
  double *controls;        // steps x nu; NULL: they stay
  int64_t steps;
  double fps;
  void *context;           // of the caller
  int (*frame)(void *context, const sn_model *m, sn_data *d);
  int status;
} replay;

// Opens what the operands name: MODEL, RUN.json, or MODEL STATES.csv. seconds: how long a model is
// simulated if neither --time nor --steps nor a ctrl_sequence says it. DONE, or FAILED or USAGE
// after reporting. Close it in either case.
int replay_open(replay *p, const options *o, double seconds);
// Calls `frame` with the first state and `fps` states for each second of the run, or with the last
// state alone if fps is 0, evaluated by sn_forward, with the energy. `frame` returns DONE, or
// FAILED after reporting, which ends the run. DONE, or FAILED after reporting.
int replay_run(replay *p, double fps, void *context,
               int (*frame)(void *context, const sn_model *m, sn_data *d));
// The states for each second that there are, which is less than `fps` where steps, or rows of
// STATES.csv, are longer.
double replay_rate(const replay *p, double fps);
void replay_close(replay *p);

#endif
