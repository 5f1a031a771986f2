// SPDX-License-Identifier: Apache-2.0
//
// Tests the dynamics of actuators: derivatives of the rate against its differences, `advance`
// against the rate as the time step goes to zero, the state after a reset; that each actuator
// depends on itself alone.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "actuator.h"
#include "conformance/difference.h"

enum { STATES = 8 };
static const double alone_tolerance = 1e-12;    // relative
static const double advance_tolerance = 1e-4;   // of (advance(h) - act) / h as h goes to 0
static const double shortest = 1e-11;           // s

typedef struct findings {
  kit_calls calls;
  int mixed, compared, advanced;
  char finite[96], wrong[160], advance[160], controls[200];
} findings;

// ------------------------------------------------------------------ calls

enum { BY_ACT, BY_CTRL, BY_LENGTH, BY_VELOCITY, NBY };
static const char *const by_names[NBY] = { "by_act", "by_ctrl", "by_length", "by_velocity" };

typedef struct dynamics_call {
  const kit_batch *batch;
  const double *act_dot;
  double h;
} dynamics_call;

static sn_status run_rate(const kit_call *call, sn_scratch *scratch) {
  const sn_dynamics_ops *ops = call->kit->provider->ops;
  const dynamics_call *c = call->context;
  return KIT_CALL(ops, rate)(call->kit->self, &c->batch->batch, call->output[0].memory, scratch);
}

static sn_status run_advance(const kit_call *call, sn_scratch *scratch) {
  const sn_dynamics_ops *ops = call->kit->provider->ops;
  const dynamics_call *c = call->context;
  return KIT_CALL(ops, advance)(call->kit->self, &c->batch->batch, c->act_dot, c->h,
                                call->output[0].memory, scratch);
}

static sn_status run_reset(const kit_call *call, sn_scratch *scratch) {
  const sn_dynamics_ops *ops = call->kit->provider->ops;
  const dynamics_call *c = call->context;
  (void)scratch;
  return KIT_CALL(ops, reset)(call->kit->self, &c->batch->batch, call->output[0].memory);
}

static sn_status run_derive(const kit_call *call, sn_scratch *scratch) {
  const sn_dynamics_ops *ops = call->kit->provider->ops;
  const dynamics_call *c = call->context;
  const kit_output *o = call->output;
  return KIT_CALL(ops, derivative)(call->kit->self, &c->batch->batch, o[BY_ACT].memory,
                                   o[BY_CTRL].memory, o[BY_LENGTH].memory, o[BY_VELOCITY].memory,
                                   scratch);
}

// The same call for actuators with two controls.
static void test_controls(const kit_call *call, findings *f) {
  dynamics_call context = *(const dynamics_call *)call->context;
  kit_batch wide;
  kit_batch_widen(context.batch, &wide);
  context.batch = &wide;
  if (!*f->calls.failure[KIT_REPEAT]) {
    kit_controls_compare(call, &context, f->controls, sizeof f->controls);
  }
}

// A call whose output are n x nstate numbers, in `out`.
static int call_states(kit *k, findings *f, kit_call *call, const char *output, const double *start,
                       double *out) {
  const dynamics_call *c = call->context;
  const int64_t n = c->batch->batch.n * c->batch->batch.nstate;
  call->noutput = 1;
  call->output[0] = (kit_output){ .name = output, .bytes = 8 * n, .start = start };
  kit_batch_inputs(c->batch, call);
  if (c->act_dot) {
    call->input[call->ninput++] = (kit_input){ "act_dot", c->act_dot, 8 * n };
  }
  const int done = kit_calls_make(k, &f->calls, call);
  if (done) {
    test_controls(call, f);
    memcpy(out, call->output[0].memory, (size_t)(8 * n));
    kit_judge_finite(call->operation, output, out, n, f->finite, sizeof f->finite);
  }
  kit_call_free(call);
  return done;
}

// ------------------------------------------------------------------ one by one

static sn_status rate_of(kit *k, const kit_batch *b, double *out) {
  const sn_dynamics_ops *ops = k->provider->ops;
  const sn_status status = KIT_CALL(ops, rate)(k->self, &b->batch, out, &k->scratch);
  kit_scratch_clear(k);
  return status;
}

static void test_alone(kit *k, const kit_batch *b, const double *all, findings *f) {
  const int n = b->batch.nstate;
  for (int i = 0; i < KIT_ACTUATORS; i++) {
    kit_batch one;
    double alone[KIT_MOST_ACT] = { 0 };
    kit_batch_single(b, i, &one);
    rate_of(k, &one, alone);
    for (int s = 0; s < n; s++) {
      const double other = all[i * n + s];
      f->mixed |= !(fabs(alone[s] - other) <= alone_tolerance * (fabs(alone[s]) + fabs(other)));
    }
  }
}

// ------------------------------------------------------------------ derivatives

typedef struct along {
  kit *k;
  kit_batch one;
  double *moved;
} along;

static int rate_at(void *context, double x, double *out) {
  along *a = context;
  *a->moved = x;
  return rate_of(a->k, &a->one, out) >= 0;
}

// Derivatives of all rates of actuator i by one number; D: every `stride` numbers the next one.
static void compare(along *a, const char *name, const double *D, int stride, findings *f) {
  const int n = a->one.batch.nstate;
  kit_slopes truth;
  if (!kit_difference(rate_at, a, *a->moved, n, &truth)) {
    return;
  }
  for (int s = 0; s < n; s++) {
    const double d = D[s * stride];
    f->compared++;
    if (!(d >= truth.low[s] && d <= truth.high[s]) && !*f->wrong) {
      snprintf(f->wrong, sizeof f->wrong,
               "of activation %d of an actuator, %s is %.9g; differences of the rate give %.9g", s,
               name, d, truth.value[s]);
    }
  }
}

static void compare_actuator(kit *k, const kit_batch *b, int i, const kit_output *D, findings *f) {
  const int n = b->batch.nstate;
  along a = { .k = k };
  double *const moved[NBY] = { NULL, a.one.ctrl + i, a.one.length + i, a.one.velocity + i };
  kit_batch_single(b, i, &a.one);
  for (int s = 0; s < n; s++) {
    a.moved = a.one.act + (ptrdiff_t)i * n + s;
    compare(&a, by_names[BY_ACT], (double *)D[BY_ACT].memory + (ptrdiff_t)i * n * n + s, n, f);
  }
  for (int by = BY_CTRL; by < NBY; by++) {
    a.moved = moved[by];
    compare(&a, by_names[by], (double *)D[by].memory + (ptrdiff_t)i * n, 1, f);
  }
}

static void test_derivatives(kit *k, const kit_batch *b, findings *f) {
  static const double zeros[KIT_MOST_ACT * KIT_MOST_ACT];   // cleared before the call
  const int64_t n = b->batch.nstate, bytes = 8 * KIT_ACTUATORS * n;
  const dynamics_call context = { .batch = b };
  kit_call call = {
    .operation = "derivative", .run = run_derive, .context = &context, .noutput = NBY
  };
  for (int by = 0; by < NBY; by++) {
    call.output[by] = (kit_output){ .name = by_names[by],
                                    .bytes = by == BY_ACT ? bytes * n : bytes,
                                    .start = zeros };
  }
  kit_batch_inputs(b, &call);
  if (kit_calls_make(k, &f->calls, &call)) {
    test_controls(&call, f);
    for (int i = 0; i < KIT_ACTUATORS; i++) {
      compare_actuator(k, b, i, call.output, f);
    }
  }
  kit_call_free(&call);
}

// ------------------------------------------------------------------ advance

// How much (advance(h) - act) / h differs from the rate, relative; infinite on failure.
static double advance_error(kit *k, const kit_batch *b, const double *act_dot, double h) {
  const sn_dynamics_ops *ops = k->provider->ops;
  const int n = KIT_ACTUATORS * b->batch.nstate;
  double next[KIT_MOST_ACT] = { 0 }, most = 0;
  const sn_status status = KIT_CALL(ops, advance)(k->self, &b->batch, act_dot, h, next,
                                                  &k->scratch);
  kit_scratch_clear(k);
  for (int i = 0; i < n; i++) {
    const double error = fabs((next[i] - b->act[i]) / h - act_dot[i]);
    const double rounding = 4e-16 * fabs(b->act[i]) / h;
    most = error == error ? fmax(most, (error - rounding) / (1 + fabs(act_dot[i]))) : INFINITY;
  }
  return status < 0 ? INFINITY : most;
}

// For rates that change fast, h must be small until the two agree.
static void test_advance(kit *k, const kit_batch *b, const double *act_dot, findings *f) {
  const dynamics_call context = { .batch = b, .act_dot = act_dot, .h = b->batch.h };
  kit_call call = { .operation = "advance", .run = run_advance, .context = &context };
  double next[KIT_MOST_ACT], least = INFINITY;
  if (!call_states(k, f, &call, "act_next", NULL, next)) {
    return;
  }
  for (double h = 1e-3; h >= shortest && least > advance_tolerance; h /= 10) {
    least = fmin(least, advance_error(k, b, act_dot, h));
  }
  f->advanced++;
  if (least > advance_tolerance && !*f->advance) {
    snprintf(f->advance, sizeof f->advance,
             "(act_next - act) / h differs from the rate by %.2g, also for the smallest h of %g s",
             least, shortest);
  }
}

// ------------------------------------------------------------------ tests

// At rest, without activations.
static void test_reset(kit *k, const kit_batch *b, findings *f) {
  static const double zeros[KIT_MOST_ACT];
  kit_batch rest = *b;
  double act[KIT_MOST_ACT];
  const dynamics_call context = { .batch = &rest };
  kit_call call = { .operation = "reset", .run = run_reset, .context = &context };
  memset(rest.ctrl, 0, sizeof rest.ctrl);
  memset(rest.velocity, 0, sizeof rest.velocity);
  rest.batch.prm = rest.prm;
  rest.batch.ctrl = rest.ctrl;
  rest.batch.velocity = rest.velocity;
  rest.batch.act = NULL;
  rest.batch.time = 0;
  call_states(k, f, &call, "act", zeros, act);
}

static void test_state(kit *k, kit_batch *b, findings *f) {
  const sn_dynamics_ops *ops = k->provider->ops;
  const dynamics_call context = { .batch = b };
  kit_call call = { .operation = "rate", .run = run_rate, .context = &context };
  double act_dot[KIT_MOST_ACT];
  kit_batch_move(k, b);
  if (!call_states(k, f, &call, "act_dot", NULL, act_dot) || *f->finite) {
    return;
  }
  test_alone(k, b, act_dot, f);
  if (ops->derivative) {
    test_derivatives(k, b, f);
  }
  if (ops->advance) {
    test_advance(k, b, act_dot, f);
  }
}

static void report(kit *k, const kit_batch *b, const findings *f) {
  kit_report(k, "states", KIT_PASSED, "%d activations", b->batch.nstate);
  kit_check(k, "finite", !*f->finite, "%s", *f->finite ? f->finite : "all numbers are finite");
  kit_check(k, "one by one", !f->mixed, "%s",
            f->mixed ? "the rate of an actuator differs if it is alone in the batch; compute it "
                       "from entry i of every array alone"
                     : "an actuator has the same rate alone and in a batch");
  kit_controls_report(k, f->controls);
  if (f->compared > 0) {
    kit_check(k, "derivative", !*f->wrong, "%s",
              *f->wrong ? f->wrong : "by_act and the others agree with differences of the rate");
  }
  if (f->advanced > 0) {
    kit_check(k, "advance", !*f->advance, "%s",
              *f->advance
                  ? f->advance
                  : "the change of the activations goes to h times the rate as h goes to zero");
  }
  kit_calls_report(k, &f->calls);
}

void kit_dynamics(kit *k) {
  const sn_dynamics_ops *ops = k->provider->ops;
  const kit_numbers numbers = { ops->numbers, ops->check, ops->states };
  findings f = { .mixed = 0 };
  kit_batch b;
  if (!ops->states || !ops->rate) {
    kit_report(k, "operations", KIT_FAILED, "states or rate is missing");
    return;
  }
  if (!kit_batch_new(k, &numbers, &b)) {
    return;
  }
  kit_actuator_binding binding = { ops->attributes, ops->bind, ops->unbind, { 0 } };
  if (kit_batch_bind(k, &binding, &b)) {
    if (ops->reset) {
      kit_batch_move(k, &b);
      test_reset(k, &b, &f);
    }
    for (int i = 0; i < STATES; i++) {
      test_state(k, &b, &f);
    }
    report(k, &b, &f);
  }
  kit_batch_unbind(k, &binding, &b);
}
