// SPDX-License-Identifier: Apache-2.0
//
// Calls of the functions of actuators, which plugins provide: dynamics, gain and bias.

#ifndef SI_DYNAMICS_ACTUATOR_BATCH_H
#define SI_DYNAMICS_ACTUATOR_BATCH_H

#include "data/data.h"

// The actuators of one function, with its inputs.
typedef struct si_actuator_batch {
  sn_actuators in;
  const int32_t *id;   // NULL: in place, from `first`
  int32_t first;
} si_actuator_batch;

typedef void si_actuator_fn(const sn_model *m, si_worker *w, const si_provider *function,
                            const si_actuator_batch *b, void *context);

// Calls `call` once for each binding. prm: the parameters of all actuators for these functions;
// ctrl: nu, clamped controls.
void si_actuator_call_functions(const sn_model *m, sn_data *d, si_worker *w,
                                const si_bindings *functions, const double *prm, const double *ctrl,
                                si_actuator_fn *call, void *context);

// Leaves a call of a function. If it failed, or returned numbers that are not finite, the n numbers
// of `out` become zero, and a warning names the function and its output.
void si_actuator_check(si_worker *w, const si_call *call, sn_status status, double *out, int64_t n,
                       const char *output);

// The activation states (na) of a batch in the layout of the function, n * nstate. A batch in place
// needs no copy: see si_actuator_states_out.
double *si_actuator_pack_states(const sn_model *m, si_worker *w, const double *from,
                                const si_actuator_batch *b);
// Where a function writes its states: into `out` (na) if the batch is in place, else into scratch
// memory, from where they are unpacked into `out`.
double *si_actuator_states_out(const sn_model *m, si_worker *w, const si_actuator_batch *b,
                               double *out);
void si_actuator_unpack_states(const sn_model *m, const si_actuator_batch *b, const double *from,
                               double *out);

#endif
