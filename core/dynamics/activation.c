// SPDX-License-Identifier: Apache-2.0
//
// Activation states: their rates, w' = dynamics(u, w, l, v), and the states after a time step, by
// the exact solution for dynamics that have one. The states of disabled actuators do not change.

#include "dynamics/actuation.h"

#include <string.h>

#include "dynamics/actuator_batch.h"
#include "sinew/math.h"

static void clamp_state(const sn_model *m, int64_t i, double *act) {
  for (int32_t k = 0; k < m->actuator_actnum[i]; k++) {
    double *w = act + m->actuator_actadr[i] + k;
    *w = sn_clamp(*w, m->actuator_actrange[2 * i], m->actuator_actrange[2 * i + 1]);
  }
}

static void clamp_states(const sn_model *m, double *act) {
  for (int64_t i = 0; i < m->nu; i++) {
    if (m->actuator_actlimited[i]) {
      clamp_state(m, i, act);
    }
  }
}

// For each state of an actuator that is off: what it is (from), or zero (from NULL).
static void hold_states(const sn_model *m, const double *from, double *to) {
  for (int64_t i = 0; i < m->nu && m->opt.disableactuator; i++) {
    for (int32_t k = 0; k < m->actuator_actnum[i] && si_actuator_is_off(m, i); k++) {
      int32_t adr = m->actuator_actadr[i] + k;
      to[adr] = from ? from[adr] : 0;
    }
  }
}

// ------------------------------------------------------------------ rates

static void rate(const sn_model *m, si_worker *w, const si_provider *function,
                 const si_actuator_batch *b, void *context) {
  const sn_dynamics_ops *ops = function->ops;
  double *out = context;
  if (b->in.nstate == 0) {
    return;
  }
  double *to = si_actuator_states_out(m, w, b, out);
  si_worker_output(w, "act_dot", to, b->in.n * b->in.nstate * (int64_t)sizeof *to);
  const si_call call = si_worker_enter(w, function, "rate");
  sn_status status = ops->rate(function->self, &b->in, to, si_worker_lend(w));
  si_actuator_check(w, &call, status, to, b->in.n * b->in.nstate, "act_dot");
  si_actuator_unpack_states(m, b, to, out);
}

void si_activation_rates(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl) {
  si_actuator_call_functions(m, d, w, &m->bound.dynamics, m->actuator_dynprm, ctrl, rate,
                             d->act_dot);
  hold_states(m, NULL, d->act_dot);
}

static void rate_slope(const sn_model *m, si_worker *w, const si_provider *function,
                       const si_actuator_batch *b, void *out) {
  const sn_dynamics_ops *ops = function->ops;
  int64_t n = b->in.n * b->in.nstate;
  if (n == 0 || !ops->derivative || ops->advance) {
    return;
  }
  double *by_act = si_arena_reals(&w->scratch, n * b->in.nstate);
  double *by_ctrl = si_arena_reals(&w->scratch, n), *by_length = si_arena_reals(&w->scratch, n);
  memset(by_act, 0, (size_t)(n * b->in.nstate) * sizeof(double));
  memset(by_ctrl, 0, (size_t)n * sizeof(double));
  memset(by_length, 0, (size_t)n * sizeof(double));
  const int64_t bytes = n * (int64_t)sizeof(double);
  by_act = si_worker_output_apart(w, "by_act", by_act, bytes * b->in.nstate);
  by_ctrl = si_worker_output_apart(w, "by_ctrl", by_ctrl, bytes);
  by_length = si_worker_output_apart(w, "by_length", by_length, bytes);
  double *to = si_actuator_states_out(m, w, b, out);   // no output lies behind it
  memset(to, 0, (size_t)n * sizeof(double));
  si_worker_output(w, "by_velocity", to, bytes);
  const si_call call = si_worker_enter(w, function, "derivative");
  sn_status status = ops->derivative(function->self, &b->in, by_act, by_ctrl, by_length, to,
                                     si_worker_lend(w));
  si_actuator_check(w, &call, status, to, n, "by_velocity");
  si_actuator_unpack_states(m, b, to, out);
}

void si_activation_rate_slopes(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl,
                               double *out) {
  memset(out, 0, (size_t)m->na * sizeof(double));
  si_actuator_call_functions(m, d, w, &m->bound.dynamics, m->actuator_dynprm, ctrl, rate_slope,
                             out);
}

// ------------------------------------------------------------------ after a time step

typedef struct advancing {
  const double *act_dot;
  double h;
  double *next;
} advancing;

static void advance(const sn_model *m, si_worker *w, const si_provider *function,
                    const si_actuator_batch *b, void *context) {
  const sn_dynamics_ops *ops = function->ops;
  const advancing *a = context;
  if (b->in.nstate == 0 || !ops->advance) {
    return;
  }
  const double *act_dot = b->id ? si_actuator_pack_states(m, w, a->act_dot, b)
                                : a->act_dot + m->actuator_actadr[b->first];
  double *to = si_actuator_states_out(m, w, b, a->next);
  si_worker_output(w, "act_next", to, b->in.n * b->in.nstate * (int64_t)sizeof *to);
  const si_call call = si_worker_enter(w, function, "advance");
  sn_status status = ops->advance(function->self, &b->in, act_dot, a->h, to, si_worker_lend(w));
  si_actuator_check(w, &call, status, to, b->in.n * b->in.nstate, "act_next");
  si_actuator_unpack_states(m, b, to, a->next);
}

void si_activation_advance(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl,
                           const double *act_dot, double h, double *next) {
  advancing a = { .act_dot = act_dot, .h = h };
  a.next = si_arena_reals(&w->scratch, m->na);
  for (int64_t i = 0; i < m->na; i++) {
    a.next[i] = d->act[i] + h * act_dot[i];
  }
  si_actuator_call_functions(m, d, w, &m->bound.dynamics, m->actuator_dynprm, ctrl, advance, &a);
  clamp_states(m, a.next);
  hold_states(m, d->act, a.next);
  memcpy(next, a.next, (size_t)m->na * sizeof(double));
}

void si_dyn_clamp_activation(const sn_model *m, sn_data *d) {
  for (int64_t i = 0; i < m->nu; i++) {
    if (m->actuator_actlimited[i] && !si_actuator_is_off(m, i)) {
      clamp_state(m, i, d->act);
    }
  }
}

void si_dyn_advance_activation(const sn_model *m, sn_data *d, si_worker *w, const double *act_dot,
                               double h, double *next) {
  if (m->na == 0) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  si_activation_advance(m, d, w, si_actuator_controls(m, d, w), act_dot, h, next);
  si_arena_release(&w->scratch, mark);
}
