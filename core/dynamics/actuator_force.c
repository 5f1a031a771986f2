// SPDX-License-Identifier: Apache-2.0
//
// The force of an actuator before it is clamped, p = gain(l, v) (u or w) + bias(l, v), and its
// derivatives by velocity and length.

#include "dynamics/actuation.h"

#include <string.h>

#include "dynamics/actuator_batch.h"

typedef sn_status force_fn(const void *self, const sn_actuators *in, double *out,
                           sn_scratch *scratch);

static void call_force(si_worker *w, const si_provider *function, force_fn *f,
                       const char *operation, const si_actuator_batch *b, double *out) {
  int64_t n = b->in.n;
  double *to = b->id ? si_arena_reals(&w->scratch, n) : out + b->first;
  si_worker_output(w, "out", to, n * (int64_t)sizeof *to);
  const si_call call = si_worker_enter(w, function, operation);
  si_actuator_check(w, &call, f(function->self, &b->in, to, si_worker_lend(w)), to, n, "out");
  for (int64_t i = 0; b->id && i < n; i++) {
    out[b->id[i]] = to[i];
  }
}

static void gain_value(const sn_model *m, si_worker *w, const si_provider *function,
                       const si_actuator_batch *b, void *out) {
  (void)m;
  call_force(w, function, ((const sn_force_ops *)function->ops)->value, "value", b, out);
}

static void bias_value(const sn_model *m, si_worker *w, const si_provider *function,
                       const si_actuator_batch *b, void *out) {
  (void)m;
  call_force(w, function, ((const sn_force_ops *)function->ops)->value, "value", b, out);
}

// What the gain multiplies: the control, or the last state now or after the step.
static void inputs(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl, double *in) {
  double *next = NULL;
  for (int64_t i = 0; i < m->nu; i++) {
    int32_t last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    if (m->actuator_actnum[i] == 0) {
      in[i] = ctrl[i];
      continue;
    }
    if (m->actuator_actearly[i] && !next) {
      next = si_arena_reals(&w->scratch, m->na);
      si_activation_advance(m, d, w, ctrl, d->act_dot, m->opt.timestep, next);
    }
    in[i] = m->actuator_actearly[i] ? next[last] : d->act[last];
  }
}

// ------------------------------------------------------------------ the force

void si_actuator_force(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl,
                       double *force) {
  double *gain = si_arena_reals(&w->scratch, m->nu), *in = si_arena_reals(&w->scratch, m->nu);
  memset(gain, 0, (size_t)m->nu * sizeof(double));
  memset(force, 0, (size_t)m->nu * sizeof(double));
  si_actuator_call_functions(m, d, w, &m->bound.gain, m->actuator_gainprm, ctrl, gain_value, gain);
  si_actuator_call_functions(m, d, w, &m->bound.bias, m->actuator_biasprm, ctrl, bias_value, force);
  inputs(m, d, w, ctrl, in);
  for (int64_t i = 0; i < m->nu; i++) {
    force[i] = si_actuator_is_off(m, i) ? 0 : gain[i] * in[i] + force[i];
  }
}

// ------------------------------------------------------------------ its derivatives

static void slope(const sn_model *m, si_worker *w, const si_provider *function,
                  const si_actuator_batch *b, void *out) {
  (void)m;
  const sn_force_ops *ops = function->ops;
  if (ops->dvelocity) {
    call_force(w, function, ops->dvelocity, "dvelocity", b, out);
  }
}

static void stiffness_of(const sn_model *m, si_worker *w, const si_provider *function,
                         const si_actuator_batch *b, void *out) {
  (void)m;
  const sn_force_ops *ops = function->ops;
  if (ops->dlength) {
    call_force(w, function, ops->dlength, "dlength", b, out);
  }
}

// With actearly the gain multiplies the state after the step, act + h rate, which depends on the
// velocity by h times the rate's derivative, unless it is clamped to actrange. For dynamics with an
// exact solution the derivative is not known, and omitted.
static void add_early_slopes(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl,
                             double *out) {
  int wanted = 0;
  for (int64_t i = 0; i < m->nu && !wanted; i++) {
    wanted = m->actuator_actearly[i] && m->actuator_actnum[i] > 0;
  }
  if (!wanted) {
    return;
  }
  double *gain = si_arena_reals(&w->scratch, m->nu);
  double *next = si_arena_reals(&w->scratch, m->na), *by = si_arena_reals(&w->scratch, m->na);
  memset(gain, 0, (size_t)m->nu * sizeof(double));
  si_actuator_call_functions(m, d, w, &m->bound.gain, m->actuator_gainprm, ctrl, gain_value, gain);
  si_activation_rate_slopes(m, d, w, ctrl, by);
  si_activation_advance(m, d, w, ctrl, d->act_dot, m->opt.timestep, next);
  for (int64_t i = 0; i < m->nu; i++) {
    int32_t last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    const double *range = m->actuator_actrange + 2 * i;
    if (m->actuator_actearly[i] && m->actuator_actnum[i] > 0 &&
        !(m->actuator_actlimited[i] && (next[last] <= range[0] || next[last] >= range[1]))) {
      out[i] += gain[i] * m->opt.timestep * by[last];
    }
  }
}

// Servos alone are stiff in position: a force that is clamped, or grows with length, is not.
static void keep_servos(const sn_model *m, const sn_data *d, double *stiffness) {
  for (int64_t i = 0; i < m->nu; i++) {
    const double *range = m->actuator_forcerange + 2 * i, force = d->actuator_force[i];
    const int clamped = m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1]);
    stiffness[i] = clamped || stiffness[i] > 0 ? 0 : stiffness[i];
  }
}

// Derivatives of the gains and biases. A force that is clamped to its forcerange, or to the range
// of its joint or tendon, does not change with velocity; the derivative ignores this, so that an
// implicit step is damped more than necessary.
// Matches MuJoCo 2.2.2: clamped-force-derivative
void si_dyn_actuator_slope(const sn_model *m, sn_data *d, si_worker *w, si_variable by,
                           double *out) {
  memset(out, 0, (size_t)m->nu * sizeof(double));
  if (m->nu == 0 || m->opt.disableflags & SN_DISABLE_ACTUATION) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *gain = si_arena_reals(&w->scratch, m->nu), *in = si_arena_reals(&w->scratch, m->nu);
  double *ctrl = si_actuator_controls(m, d, w);
  si_actuator_fn *each = by == SI_BY_VELOCITY ? slope : stiffness_of;
  memset(gain, 0, (size_t)m->nu * sizeof(double));
  si_actuator_call_functions(m, d, w, &m->bound.gain, m->actuator_gainprm, ctrl, each, gain);
  si_actuator_call_functions(m, d, w, &m->bound.bias, m->actuator_biasprm, ctrl, each, out);
  inputs(m, d, w, ctrl, in);
  for (int64_t i = 0; i < m->nu; i++) {
    out[i] += gain[i] * in[i];
  }
  if (by == SI_BY_VELOCITY) {
    add_early_slopes(m, d, w, ctrl, out);
  } else {
    keep_servos(m, d, out);
  }
  for (int64_t i = 0; i < m->nu && m->opt.disableactuator; i++) {
    out[i] = si_actuator_is_off(m, i) ? 0 : out[i];
  }
  si_arena_release(&w->scratch, mark);
}
