// SPDX-License-Identifier: Apache-2.0
//
// Calls of the laws of actuators: gain, bias and activation dynamics, which plugins provide.

#ifndef SI_DYNAMICS_ACTUATOR_BATCH_H
#define SI_DYNAMICS_ACTUATOR_BATCH_H

#include "model/data.h"

// Actuators of one law with the inputs of the law.
typedef struct si_actuator_batch {
  sn_actuators in;
  const int32_t *id;   // NULL: in place, from `first`
  int32_t first;
} si_actuator_batch;

typedef void si_law_fn(const sn_model *m, si_worker *w, const si_provider *law,
                       const si_actuator_batch *b, void *context);

// Calls `call` once for each binding of laws. prm: the parameters of all actuators for these laws;
// ctrl: nu, clamped controls.
void si_actuator_call_laws(const sn_model *m, sn_data *d, si_worker *w, const si_bindings *laws,
                           const double *prm, const double *ctrl, si_law_fn *call, void *context);

// After a law was called: if it failed, or returned numbers that are not finite, the n numbers of
// `out` become zero, and a warning names the law. what: "gain" ...
void si_actuator_check(si_worker *w, const si_provider *law, sn_status status, double *out,
                       int64_t n, const char *what);

// Numbers of all activation states (na) as a law reads them, n * nstate. Of a batch in place no
// copy is needed: see si_actuator_states_out.
double *si_actuator_pack_states(const sn_model *m, si_worker *w, const double *from,
                                const si_actuator_batch *b);
// Where a law writes its states: into `out` (na) if the batch is in place, else into scratch
// memory, from where they are unpacked into `out`.
double *si_actuator_states_out(const sn_model *m, si_worker *w, const si_actuator_batch *b,
                               double *out);
void si_actuator_unpack_states(const sn_model *m, const si_actuator_batch *b, const double *from,
                               double *out);

#endif
