// SPDX-License-Identifier: Apache-2.0
//
// Actuator forces and activation rates, from laws that plugins provide:
//
//   u = ctrl, clamped          w' = dynamics(u, w, l, v)
//   p = gain(l, v) (u or w) + bias(l, v), clamped          qfrc_actuator = moment' p, clamped
//
// Compensation of gravity joins moment' p, before it is clamped, of joints that ask for it.
//
// A law is called once with all actuators that use it. When these follow one another, which is
// the rule, it reads the arrays of model and data where they are; else its inputs are packed:
//
//   ids 3 4 5 6    prm ->      [ 0 | 1 | 2 | 3 : 4 : 5 : 6 | 7 ]     in place
//   ids 1 4 6      prm -> copy [ 1 : 4 : 6 ]                         packed, results unpacked
//
// Actuators of one law that differ in their number of states make one batch each.
//
// Actuators of the groups that option disableactuator switches off have no force, and their states
// stay.

#include "dynamics/actuation.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "sinew/math.h"
#include "sinew/numerics/sparse.h"

static const double largest_control = 1e10;   // beyond it a control is bad, as of other inputs

// ------------------------------------------------------------------ batches

// Some actuators of one law, with inputs for it.
typedef struct batch {
  sn_actuators in;
  const int32_t *id;   // NULL: in place, from `first`
  int32_t first;
} batch;

// Copies rows of `width` numbers.
static double *pack(si_worker *w, const double *from, int64_t width, const int32_t *id, int64_t n) {
  double *to = si_arena_reals(&w->scratch, n * width);
  for (int64_t i = 0; i < n; i++) {
    memcpy(to + i * width, from + id[i] * width, (size_t)width * sizeof(double));
  }
  return to;
}

static double *pack_states(const sn_model *m, si_worker *w, const double *from, const batch *b) {
  int64_t width = b->in.nstate;
  double *to = si_arena_reals(&w->scratch, b->in.n * width);
  for (int64_t i = 0; i < b->in.n; i++) {
    memcpy(to + i * width, from + m->actuator_actadr[b->id[i]], (size_t)width * sizeof(double));
  }
  return to;
}

static batch in_place(const sn_model *m, const sn_data *d, const double *prm, const double *ctrl,
                      int32_t first, int64_t n) {
  int32_t adr = m->actuator_actadr[first];
  return (batch){ .first = first,
                  .in = { .size = sizeof(sn_actuators),
                          .nstate = m->actuator_actnum[first],
                          .n = n,
                          .prm = prm + SN_NACTPRM * first,
                          .ctrl = ctrl + first,
                          .act = adr < 0 ? NULL : d->act + adr,
                          .length = d->actuator_length + first,
                          .velocity = d->actuator_velocity + first,
                          .lengthrange = m->actuator_lengthrange + 2 * first,
                          .acc0 = m->actuator_acc0 + first,
                          .h = m->opt.timestep[0],
                          .time = d->time[0] } };
}

static batch packed(const sn_model *m, const sn_data *d, si_worker *w, const double *prm,
                    const double *ctrl, const int32_t *id, int64_t n) {
  batch b = { .id = id,
              .in = { .size = sizeof(sn_actuators),
                      .nstate = m->actuator_actnum[id[0]],
                      .n = n,
                      .prm = pack(w, prm, SN_NACTPRM, id, n),
                      .ctrl = pack(w, ctrl, 1, id, n),
                      .length = pack(w, d->actuator_length, 1, id, n),
                      .velocity = pack(w, d->actuator_velocity, 1, id, n),
                      .lengthrange = pack(w, m->actuator_lengthrange, 2, id, n),
                      .acc0 = pack(w, m->actuator_acc0, 1, id, n),
                      .h = m->opt.timestep[0],
                      .time = d->time[0] } };
  b.in.act = b.in.nstate ? pack_states(m, w, d->act, &b) : NULL;
  return b;
}

// True: the actuators of a binding follow one another and have as many states each.
static int contiguous(const sn_model *m, const si_binding *law) {
  if (law->id[law->n - 1] - law->id[0] + 1 != law->n) {
    return 0;
  }
  for (int64_t i = 1; i < law->n; i++) {
    if (m->actuator_actnum[law->id[i]] != m->actuator_actnum[law->id[0]]) {
      return 0;
    }
  }
  return 1;
}

typedef void batch_fn(const sn_model *m, si_worker *w, const si_provider *law, const batch *b,
                      void *context);

// Calls `call` with the batches of one law.
static void for_law(const sn_model *m, sn_data *d, si_worker *w, const si_binding *law,
                    const double *prm, const double *ctrl, batch_fn *call, void *context) {
  si_mark mark = si_arena_mark(&w->scratch);
  if (contiguous(m, law)) {
    batch b = in_place(m, d, prm, ctrl, law->id[0], law->n);
    call(m, w, law->provider, &b, context);
    si_arena_release(&w->scratch, mark);
    return;
  }
  // one batch for each number of states, in ascending order
  int32_t *id = si_arena_ints(&w->scratch, law->n), states = -1, next;
  do {
    int64_t n = 0;
    next = INT32_MAX;
    for (int64_t i = 0; i < law->n; i++) {
      int32_t num = m->actuator_actnum[law->id[i]];
      if (num == states) {
        id[n++] = law->id[i];
      } else if (num > states && num < next) {
        next = num;
      }
    }
    if (n > 0) {
      si_mark inner = si_arena_mark(&w->scratch);
      batch b = packed(m, d, w, prm, ctrl, id, n);
      call(m, w, law->provider, &b, context);
      si_arena_release(&w->scratch, inner);
    }
    states = next;
  } while (next != INT32_MAX);
  si_arena_release(&w->scratch, mark);
}

static void for_laws(const sn_model *m, sn_data *d, si_worker *w, const si_bindings *laws,
                     const double *prm, const double *ctrl, batch_fn *call, void *context) {
  for (int64_t k = 0; k < laws->n; k++) {
    for_law(m, d, w, &laws->at[k], prm, ctrl, call, context);
  }
}

// ------------------------------------------------------------------ calls

// Nonsense becomes zero and a warning that names the law.
static void guard(si_worker *w, const si_provider *law, sn_status status, double *out, int64_t n,
                  const char *what) {
  int good = status >= 0;
  si_worker_watch(w, law);
  for (int64_t i = 0; good && i < n; i++) {
    good = isfinite(out[i]) != 0;
  }
  if (!good) {
    si_worker_warn(w, SN_WARN_PLUGIN, "the %s law '%s' %s", what, law->name,
                   status < 0 ? "failed" : "returned a number that is not finite");
    memset(out, 0, (size_t)n * sizeof(double));
  }
}

typedef sn_status force_fn(const void *self, const sn_actuators *in, double *out,
                           sn_scratch *scratch);

static void call_force(si_worker *w, const si_provider *law, force_fn *f, const batch *b,
                       double *out, const char *what) {
  int64_t n = b->in.n;
  double *to = b->id ? si_arena_reals(&w->scratch, n) : out + b->first;
  guard(w, law, f(law->self, &b->in, to, si_worker_lend(w, law)), to, n, what);
  for (int64_t i = 0; b->id && i < n; i++) {
    out[b->id[i]] = to[i];
  }
}

static void gain_value(const sn_model *m, si_worker *w, const si_provider *law, const batch *b,
                       void *out) {
  (void)m;
  call_force(w, law, ((const sn_force_ops *)law->ops)->value, b, out, "gain");
}

static void bias_value(const sn_model *m, si_worker *w, const si_provider *law, const batch *b,
                       void *out) {
  (void)m;
  call_force(w, law, ((const sn_force_ops *)law->ops)->value, b, out, "bias");
}

static void slope(const sn_model *m, si_worker *w, const si_provider *law, const batch *b,
                  void *out) {
  (void)m;
  const sn_force_ops *ops = law->ops;
  if (ops->dvelocity) {
    call_force(w, law, ops->dvelocity, b, out, "gain or bias");
  }
}

// Where the states of a batch go: in place, or to be unpacked.
static double *states_out(const sn_model *m, si_worker *w, const batch *b, double *out) {
  return b->id ? si_arena_reals(&w->scratch, b->in.n * b->in.nstate)
               : out + m->actuator_actadr[b->first];
}

static void unpack_states(const sn_model *m, const batch *b, const double *from, double *out) {
  for (int64_t i = 0; b->id && i < b->in.n; i++) {
    memcpy(out + m->actuator_actadr[b->id[i]], from + i * b->in.nstate,
           (size_t)b->in.nstate * sizeof(double));
  }
}

static void rate(const sn_model *m, si_worker *w, const si_provider *law, const batch *b,
                 void *context) {
  const sn_dynamics_ops *ops = law->ops;
  double *out = context;
  if (b->in.nstate == 0) {
    return;
  }
  double *to = states_out(m, w, b, out);
  sn_status status = ops->rate(law->self, &b->in, to, si_worker_lend(w, law));
  guard(w, law, status, to, b->in.n * b->in.nstate, "dynamics");
  unpack_states(m, b, to, out);
}

// The derivative of the rate by velocity.
static void rate_slope(const sn_model *m, si_worker *w, const si_provider *law, const batch *b,
                       void *out) {
  const sn_dynamics_ops *ops = law->ops;
  int64_t n = b->in.n * b->in.nstate;
  if (n == 0 || !ops->derive || ops->advance) {
    return;
  }
  double *by_act = si_arena_reals(&w->scratch, n * b->in.nstate);
  double *by_ctrl = si_arena_reals(&w->scratch, n), *by_length = si_arena_reals(&w->scratch, n);
  double *to = states_out(m, w, b, out);
  memset(by_act, 0, (size_t)(n * b->in.nstate) * sizeof(double));
  memset(by_ctrl, 0, (size_t)n * sizeof(double));
  memset(by_length, 0, (size_t)n * sizeof(double));
  memset(to, 0, (size_t)n * sizeof(double));
  sn_status status = ops->derive(law->self, &b->in, by_act, by_ctrl, by_length, to,
                                 si_worker_lend(w, law));
  guard(w, law, status, to, n, "dynamics");
  unpack_states(m, b, to, out);
}

typedef struct advancing {
  const double *act_dot;
  double h;
  double *next;
} advancing;

static void advance(const sn_model *m, si_worker *w, const si_provider *law, const batch *b,
                    void *context) {
  const sn_dynamics_ops *ops = law->ops;
  const advancing *a = context;
  if (b->in.nstate == 0 || !ops->advance) {
    return;
  }
  const double *act_dot = b->id ? pack_states(m, w, a->act_dot, b)
                                : a->act_dot + m->actuator_actadr[b->first];
  double *to = states_out(m, w, b, a->next);
  sn_status status = ops->advance(law->self, &b->in, act_dot, a->h, to, si_worker_lend(w, law));
  guard(w, law, status, to, b->in.n * b->in.nstate, "dynamics");
  unpack_states(m, b, to, a->next);
}

// ------------------------------------------------------------------ the parts

static int is_off(const sn_model *m, int64_t i) {
  int32_t group = m->actuator_group[i];
  return group >= 0 && group < SN_NDISABLEGROUPS && m->opt.disableactuator >> group & 1;
}

// The controls as the laws see them. A single bad one turns all of them off; those of actuators
// that are off do not count.
static double *clamped_controls(const sn_model *m, sn_data *d, si_worker *w) {
  double *ctrl = si_arena_reals(&w->scratch, m->nu);
  int clamp = !(m->opt.disableflags & SN_DISABLE_CLAMPCTRL);
  for (int64_t i = 0; i < m->nu; i++) {
    double u = is_off(m, i) ? 0 : d->ctrl[i];
    if (!(fabs(u) < largest_control)) {
      si_worker_warn(w, SN_WARN_BADCTRL,
                     "the control of actuator %lld is %g; all controls are set to zero in this "
                     "step",
                     (long long)i, u);
      memset(ctrl, 0, (size_t)m->nu * sizeof(double));
      return ctrl;
    }
    if (clamp && m->actuator_ctrllimited[i]) {
      u = sn_clamp(u, m->actuator_ctrlrange[2 * i], m->actuator_ctrlrange[2 * i + 1]);
    }
    ctrl[i] = u;
  }
  return ctrl;
}

static void clamp_states(const sn_model *m, double *act) {
  for (int64_t i = 0; i < m->nu; i++) {
    if (m->actuator_actlimited[i]) {
      for (int32_t k = 0; k < m->actuator_actnum[i]; k++) {
        double *w = act + m->actuator_actadr[i] + k;
        *w = sn_clamp(*w, m->actuator_actrange[2 * i], m->actuator_actrange[2 * i + 1]);
      }
    }
  }
}

// For each state of an actuator that is off: what it is (from), or zero (from NULL).
static void hold_states(const sn_model *m, const double *from, double *to) {
  for (int64_t i = 0; i < m->nu && m->opt.disableactuator; i++) {
    for (int32_t k = 0; k < m->actuator_actnum[i] && is_off(m, i); k++) {
      int32_t adr = m->actuator_actadr[i] + k;
      to[adr] = from ? from[adr] : 0;
    }
  }
}

static void advance_with(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl,
                         const double *act_dot, double h, double *next) {
  advancing a = { .act_dot = act_dot, .h = h };
  a.next = si_arena_reals(&w->scratch, m->na);
  for (int64_t i = 0; i < m->na; i++) {
    a.next[i] = d->act[i] + h * act_dot[i];
  }
  for_laws(m, d, w, &m->bound.dynamics, m->actuator_dynprm, ctrl, advance, &a);
  clamp_states(m, a.next);
  hold_states(m, d->act, a.next);
  memcpy(next, a.next, (size_t)m->na * sizeof(double));
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
      advance_with(m, d, w, ctrl, d->act_dot, m->opt.timestep[0], next);
    }
    in[i] = m->actuator_actearly[i] ? next[last] : d->act[last];
  }
}

// Does actuator i act on tendon t?
static int pulls(const sn_model *m, int64_t i, int64_t t) {
  return m->actuator_trntype[i] == SN_TRN_TENDON && m->actuator_trnid[2 * i] == t;
}

// qfrc = moment' force
static void to_joints(const sn_model *m, const sn_data *d, const double *force, double *qfrc) {
  const sn_sparse moments = si_actuator_moment(m, d);
  memset(qfrc, 0, (size_t)m->nv * sizeof(double));
  sn_sparse_add_transposed(&moments, force, qfrc);
}

// What all actuators of a tendon do together is scaled into its range.
static void limit_tendons(const sn_model *m, double *force) {
  for (int64_t t = 0; t < m->ntendon; t++) {
    const double *range = m->tendon_actfrcrange + 2 * t;
    if (!m->tendon_actfrclimited[t]) {
      continue;
    }
    double sum = 0;
    for (int64_t i = 0; i < m->nu; i++) {
      sum += pulls(m, i, t) ? force[i] : 0;
    }
    const double limited = sn_clamp(sum, range[0], range[1]);
    for (int64_t i = 0; i < m->nu && limited != sum && sum != 0; i++) {
      force[i] *= pulls(m, i, t) ? limited / sum : 1;
    }
  }
}

static void add_gravcomp(const sn_model *m, const sn_data *d, double *qfrc) {
  for (int64_t i = 0; i < m->nv; i++) {
    qfrc[i] += m->jnt_actgravcomp[m->dof_jntid[i]] ? d->qfrc_gravcomp[i] : 0;
  }
}

static void limit_joints(const sn_model *m, double *qfrc) {
  for (int64_t j = 0; j < m->njnt; j++) {
    if (m->jnt_actfrclimited[j]) {
      const double *range = m->jnt_actfrcrange + 2 * j;
      double *f = qfrc + m->jnt_dofadr[j];
      *f = sn_clamp(*f, range[0], range[1]);
    }
  }
}

// ------------------------------------------------------------------ the stage

sn_status si_dyn_actuation(const sn_model *m, sn_data *d, si_worker *w) {
  if (m->nu == 0) {
    return SN_OK;
  }
  if (m->opt.disableflags & SN_DISABLE_ACTUATION) {
    memset(d->actuator_force, 0, (size_t)m->nu * sizeof(double));
    memset(d->qfrc_actuator, 0, (size_t)m->nv * sizeof(double));
    if (m->na) {
      memset(d->act_dot, 0, (size_t)m->na * sizeof(double));
    }
    return SN_OK;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *ctrl = clamped_controls(m, d, w);
  for_laws(m, d, w, &m->bound.dynamics, m->actuator_dynprm, ctrl, rate, d->act_dot);
  hold_states(m, NULL, d->act_dot);

  // force = gain input + bias; a gain without a provider is zero
  double *gain = si_arena_reals(&w->scratch, m->nu), *in = si_arena_reals(&w->scratch, m->nu);
  double *force = d->actuator_force;
  memset(gain, 0, (size_t)m->nu * sizeof(double));
  memset(force, 0, (size_t)m->nu * sizeof(double));
  for_laws(m, d, w, &m->bound.gain, m->actuator_gainprm, ctrl, gain_value, gain);
  for_laws(m, d, w, &m->bound.bias, m->actuator_biasprm, ctrl, bias_value, force);
  inputs(m, d, w, ctrl, in);
  for (int64_t i = 0; i < m->nu; i++) {
    force[i] = is_off(m, i) ? 0 : gain[i] * in[i] + force[i];
    if (m->actuator_forcelimited[i]) {
      force[i] = sn_clamp(force[i], m->actuator_forcerange[2 * i],
                          m->actuator_forcerange[2 * i + 1]);
    }
  }
  limit_tendons(m, force);
  to_joints(m, d, force, d->qfrc_actuator);
  add_gravcomp(m, d, d->qfrc_actuator);
  limit_joints(m, d->qfrc_actuator);
  si_arena_release(&w->scratch, mark);
  return SN_OK;
}

// ------------------------------------------------------------------ for the integrator

void si_dyn_advance_activation(const sn_model *m, sn_data *d, si_worker *w, const double *act_dot,
                               double h, double *next) {
  if (m->na == 0) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  advance_with(m, d, w, clamped_controls(m, d, w), act_dot, h, next);
  si_arena_release(&w->scratch, mark);
}

// With actearly the gain multiplies the state after the step, act + h rate, which depends on the
// velocity by h times the rate's derivative; unless actrange holds it. Of laws that advance by a
// rule of their own the slope is not known, and left out.
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
  memset(by, 0, (size_t)m->na * sizeof(double));
  for_laws(m, d, w, &m->bound.gain, m->actuator_gainprm, ctrl, gain_value, gain);
  for_laws(m, d, w, &m->bound.dynamics, m->actuator_dynprm, ctrl, rate_slope, by);
  advance_with(m, d, w, ctrl, d->act_dot, m->opt.timestep[0], next);
  for (int64_t i = 0; i < m->nu; i++) {
    int32_t last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    const double *range = m->actuator_actrange + 2 * i;
    if (m->actuator_actearly[i] && m->actuator_actnum[i] > 0 &&
        !(m->actuator_actlimited[i] && (next[last] <= range[0] || next[last] >= range[1]))) {
      out[i] += gain[i] * m->opt.timestep[0] * by[last];
    }
  }
}

// Derivatives of the gains and biases. A force that is clamped to its forcerange, or to the range
// of its joint or tendon, does not change with velocity; the derivative ignores this, so that an
// implicit step is damped more than necessary.
// Matches MuJoCo 2.2.2: clamped-force-derivative
void si_dyn_actuator_slope(const sn_model *m, sn_data *d, si_worker *w, double *out) {
  memset(out, 0, (size_t)m->nu * sizeof(double));
  if (m->nu == 0 || m->opt.disableflags & SN_DISABLE_ACTUATION) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *gain = si_arena_reals(&w->scratch, m->nu), *in = si_arena_reals(&w->scratch, m->nu);
  double *ctrl = clamped_controls(m, d, w);
  memset(gain, 0, (size_t)m->nu * sizeof(double));
  for_laws(m, d, w, &m->bound.gain, m->actuator_gainprm, ctrl, slope, gain);
  for_laws(m, d, w, &m->bound.bias, m->actuator_biasprm, ctrl, slope, out);
  inputs(m, d, w, ctrl, in);
  for (int64_t i = 0; i < m->nu; i++) {
    out[i] += gain[i] * in[i];
  }
  add_early_slopes(m, d, w, ctrl, out);
  for (int64_t i = 0; i < m->nu && m->opt.disableactuator; i++) {
    out[i] = is_off(m, i) ? 0 : out[i];
  }
  si_arena_release(&w->scratch, mark);
}
