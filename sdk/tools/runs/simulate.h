// SPDX-License-Identifier: Apache-2.0
//
// A simulation with counts: what `run`, `run --verify` and `compare` share. Only the steps
// themselves are timed; on a terminal the progress is shown.

#ifndef SINEW_TOOLS_SIMULATE_H
#define SINEW_TOOLS_SIMULATE_H

#include "tools/command.h"

// What happened during a run.
typedef struct summary {
  int64_t steps, planned;
  double simulated, seconds;         // of the model, of the clock
  double contacts, rows, iterations; // sums over the steps
  int64_t most_contacts, most_rows, most_iterations;
  int64_t unconverged;               // steps in which a solver stopped before it converged
  int64_t softened;                  // steps in which a solver made contacts softer
  int64_t diverged;                  // steps in which the simulation was reset
  double diverged_at;                // time of the first of them
  double energy[2];                  // at the start, at the end
  int64_t memory;                    // bytes of the data
  int interrupted;
} summary;

// What a run does besides its steps. `observe` is called after the steps that `next` returns, and
// after the last one of a run that is interrupted; it returns 0 to end the run.
typedef struct plan {
  const double *controls;            // steps x nu; NULL: they stay
  void *context;
  int64_t (*next)(void *context, int64_t step);   // the first of them from `step` on; -1: none
  int (*observe)(void *context, session *s, int64_t step);   // both NULL: nothing is observed
} plan;

// Makes sum->planned steps. DONE, also where the simulation diverged and was reset or was
// interrupted; FAILED after reporting.
int simulate(session *s, summary *sum, const plan *p);
// Potential and kinetic energy of the present state, computed on a copy so that the run does not
// depend on it. DONE, or FAILED after reporting.
int measure_energy(session *s, double *energy);
// Why a run that came to its end is of no use; "" if it is of use.
const char *verdict(const sn_data *d);

#endif
