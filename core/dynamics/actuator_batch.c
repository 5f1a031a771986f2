// SPDX-License-Identifier: Apache-2.0
//
// All actuators with the same function are passed to it in one call. If their ids are consecutive,
// which is usual, the function reads the arrays of model and data in place; otherwise its inputs
// are packed:
//
//   ids 3 4 5 6    prm ->      [ 0 | 1 | 2 | 3 : 4 : 5 : 6 | 7 ]     in place
//   ids 1 4 6      prm -> copy [ 1 : 4 : 6 ]                         packed, results unpacked
//
// A binding holds actuators with the same number of activation states (bind/bind.c).

#include "dynamics/actuator_batch.h"
#include "base/finite.h"

#include <string.h>

// Copies rows of `width` numbers.
static double *pack(si_worker *w, const double *from, int64_t width, const int32_t *id, int64_t n) {
  double *to = si_arena_reals(&w->scratch, n * width);
  for (int64_t i = 0; i < n; i++) {
    memcpy(to + i * width, from + id[i] * width, (size_t)width * sizeof(double));
  }
  return to;
}

double *si_actuator_pack_states(const sn_model *m, si_worker *w, const double *from,
                                const si_actuator_batch *b) {
  int64_t width = b->in.nstate;
  double *to = si_arena_reals(&w->scratch, b->in.n * width);
  for (int64_t i = 0; i < b->in.n; i++) {
    memcpy(to + i * width, from + m->actuator_actadr[b->id[i]], (size_t)width * sizeof(double));
  }
  return to;
}

static si_actuator_batch in_place(const sn_model *m, const sn_data *d, const double *prm,
                                  const double *ctrl, const si_binding *function) {
  int32_t first = function->id[0], adr = m->actuator_actadr[first];
  return (si_actuator_batch){ .first = first,
                              .in = { .size = sizeof(sn_actuators),
                                      .nstate = m->actuator_actnum[first],
                                      .n = function->n,
                                      .prm = prm + SN_NACTPRM * first,
                                      .ctrl = ctrl + first,
                                      .act = adr < 0 ? NULL : d->act + adr,
                                      .length = d->actuator_length + first,
                                      .velocity = d->actuator_velocity + first,
                                      .lengthrange = m->actuator_lengthrange + 2 * first,
                                      .acc0 = m->actuator_acc0 + first,
                                      .id = function->id,
                                      .nctrl = 1,
                                      .bound = function->bound,
                                      .data = &d->view,
                                      .h = m->opt.timestep,
                                      .time = d->time[0] } };
}

static si_actuator_batch packed(const sn_model *m, const sn_data *d, si_worker *w,
                                const double *prm, const double *ctrl, const si_binding *function) {
  const int32_t *id = function->id;
  const int64_t n = function->n;
  si_actuator_batch b = { .id = id,
                          .in = { .size = sizeof(sn_actuators),
                                  .nstate = m->actuator_actnum[id[0]],
                                  .n = n,
                                  .prm = pack(w, prm, SN_NACTPRM, id, n),
                                  .ctrl = pack(w, ctrl, 1, id, n),
                                  .length = pack(w, d->actuator_length, 1, id, n),
                                  .velocity = pack(w, d->actuator_velocity, 1, id, n),
                                  .lengthrange = pack(w, m->actuator_lengthrange, 2, id, n),
                                  .acc0 = pack(w, m->actuator_acc0, 1, id, n),
                                  .id = id,
                                  .nctrl = 1,
                                  .bound = function->bound,
                                  .data = &d->view,
                                  .h = m->opt.timestep,
                                  .time = d->time[0] } };
  b.in.act = b.in.nstate ? si_actuator_pack_states(m, w, d->act, &b) : NULL;
  return b;
}

void si_actuator_call_functions(const sn_model *m, sn_data *d, si_worker *w,
                                const si_bindings *functions, const double *prm, const double *ctrl,
                                si_actuator_fn *call, void *context) {
  for (int64_t k = 0; k < functions->n; k++) {
    const si_binding *function = &functions->at[k];
    const int contiguous = function->id[function->n - 1] - function->id[0] + 1 == function->n;
    si_mark mark = si_arena_mark(&w->scratch);
    const si_actuator_batch b = contiguous ? in_place(m, d, prm, ctrl, function)
                                           : packed(m, d, w, prm, ctrl, function);
    call(m, w, function->provider, &b, context);
    si_arena_release(&w->scratch, mark);
  }
}

// ------------------------------------------------------------------ results

void si_actuator_check(si_worker *w, const si_call *call, sn_status status, double *out, int64_t n,
                       const char *output) {
  status = si_worker_leave(w, call, status);
  const double *number = status >= 0 ? si_first_not_finite(out, n) : NULL;
  if (status < 0 || number) {
    si_worker_warn_result(w, call->now.provider, call->now.operation, status, output, number,
                          "zeros are used instead");
    memset(out, 0, (size_t)n * sizeof(double));
  }
}

double *si_actuator_states_out(const sn_model *m, si_worker *w, const si_actuator_batch *b,
                               double *out) {
  return b->id ? si_arena_reals(&w->scratch, b->in.n * b->in.nstate)
               : out + m->actuator_actadr[b->first];
}

void si_actuator_unpack_states(const sn_model *m, const si_actuator_batch *b, const double *from,
                               double *out) {
  for (int64_t i = 0; b->id && i < b->in.n; i++) {
    memcpy(out + m->actuator_actadr[b->id[i]], from + i * b->in.nstate,
           (size_t)b->in.nstate * sizeof(double));
  }
}
