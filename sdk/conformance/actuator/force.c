// SPDX-License-Identifier: Apache-2.0
//
// Tests a gain or a bias of actuators: derivatives by length and velocity against differences of
// the value; that each number depends on its own actuator alone; the damping ratio of a servo.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "actuator.h"
#include "conformance/difference.h"

enum { STATES = 8 };
static const double alone_tolerance = 1e-12;   // relative
static const double ratio_tolerance = 1e-6;

typedef struct findings {
  kit_calls calls;
  int mixed, compared;
  char finite[96], wrong[160];   // wrong: derivative
  char controls[200];
} findings;

typedef sn_status force_operation(const void *self, const sn_actuators *batch, double *out,
                                  sn_scratch *scratch);

typedef struct force_call {
  const kit_batch *batch;
  force_operation *operation;
} force_call;

static sn_status run_operation(const kit_call *call, sn_scratch *scratch) {
  const force_call *c = call->context;
  return c->operation(call->kit->self, &c->batch->batch, call->output[0].memory, scratch);
}

// The same call for actuators with two controls.
static void test_controls(const kit_call *call, findings *f) {
  force_call context = *(const force_call *)call->context;
  kit_batch wide;
  kit_batch_widen(context.batch, &wide);
  context.batch = &wide;
  if (!*f->calls.failure[KIT_REPEAT]) {
    kit_controls_compare(call, &context, f->controls, sizeof f->controls);
  }
}

// The result of an operation for a batch, in out (n); false: it failed.
static int call_force(kit *k, findings *f, const char *name, const force_call *c, double *out) {
  kit_call call = { .operation = name, .run = run_operation, .context = c, .noutput = 1 };
  call.output[0] = (kit_output){ .name = "out", .bytes = 8 * c->batch->batch.n };
  kit_batch_inputs(c->batch, &call);
  const int done = kit_calls_make(k, &f->calls, &call);
  if (done) {
    test_controls(&call, f);
    memcpy(out, call.output[0].memory, (size_t)call.output[0].bytes);
  }
  kit_call_free(&call);
  return done;
}

static void test_alone(kit *k, const kit_batch *b, force_operation *operation, const double *all,
                       findings *f) {
  const double *out = all;
  for (int i = 0; i < KIT_ACTUATORS; i++) {
    kit_batch one;
    double alone = 0;
    kit_batch_single(b, i, &one);
    operation(k->self, &one.batch, &alone, &k->scratch);
    kit_scratch_clear(k);
    f->mixed |= !(fabs(alone - out[i]) <= alone_tolerance * (fabs(alone) + fabs(out[i])));
  }
}

// ------------------------------------------------------------------ derivatives

typedef struct along {
  kit *k;
  kit_batch one;
  double *moved;   // its length or velocity
} along;

static int value_at(void *context, double x, double *out) {
  along *a = context;
  const sn_force_ops *ops = a->k->provider->ops;
  *a->moved = x;
  const sn_status status = KIT_CALL(ops, value)(a->k->self, &a->one.batch, out, &a->k->scratch);
  kit_scratch_clear(a->k);
  return status >= 0;
}

// slope: of actuator i, as the provider computes it. by: 'length' or 'velocity'.
static void compare(kit *k, const kit_batch *b, int i, double slope, int by_velocity, findings *f) {
  along a = { .k = k };
  kit_slopes truth;
  kit_batch_single(b, i, &a.one);
  a.moved = by_velocity ? &a.one.velocity[i] : &a.one.length[i];
  if (kit_difference(value_at, &a, *a.moved, 1, &truth)) {
    f->compared++;
    if (!(slope >= truth.low[0] && slope <= truth.high[0]) && !*f->wrong) {
      snprintf(f->wrong, sizeof f->wrong, "%s is %.9g, differences of the value give %.9g",
               by_velocity ? "dvelocity" : "dlength", slope, truth.value[0]);
    }
  }
}

static void test_derivatives(kit *k, const kit_batch *b, findings *f) {
  const sn_force_ops *ops = k->provider->ops;
  double slope[KIT_ACTUATORS] = { 0 };   // without dvelocity, the host takes zero
  if (!ops->dvelocity || call_force(k, f, "dvelocity", &(force_call){ b, ops->dvelocity }, slope)) {
    for (int i = 0; i < KIT_ACTUATORS; i++) {
      compare(k, b, i, slope[i], 1, f);
    }
  }
  if (ops->dlength && call_force(k, f, "dlength", &(force_call){ b, ops->dlength }, slope)) {
    for (int i = 0; i < KIT_ACTUATORS; i++) {
      compare(k, b, i, slope[i], 0, f);
    }
  }
}

// ------------------------------------------------------------------ damping

// The force of the first actuator is -k l - c v; with mass m it has the ratio c / (2 sqrt(k m)).
static void test_damping(kit *k, kit_batch *b) {
  const sn_force_ops *ops = k->provider->ops;
  const double servo = 3, mass = 2, wanted = 0.7, gain[SN_NACTPRM] = { servo };
  along a = { .k = k };
  kit_slopes length, velocity;
  sn_error *error = sn_error_new();
  kit_batch_single(b, 0, &a.one);
  memset(a.one.prm, 0, SN_NACTPRM * sizeof *a.one.prm);
  a.one.prm[1] = -servo;
  const sn_status returned = KIT_CALL(ops, damp)(k->self, gain, mass, wanted, a.one.prm,
                                                 sn_engine_host(k->engine), error);
  const sn_status status = kit_status(k, "damp", returned);
  a.moved = &a.one.length[0];
  int measured = status >= 0 && kit_difference(value_at, &a, *a.moved, 1, &length);
  a.moved = &a.one.velocity[0];
  measured = measured && kit_difference(value_at, &a, *a.moved, 1, &velocity);
  if (measured) {
    const double ratio = -velocity.value[0] / (2 * sqrt(-length.value[0] * mass));
    kit_check(k, "damping ratio", fabs(ratio - wanted) < ratio_tolerance,
              "with the damping that damp sets for a ratio of %.3g, the ratio is %.9g", wanted,
              ratio);
  } else {
    kit_check(k, "damping ratio", status < 0 && *sn_error_message(error), "%s",
              status < 0 ? sn_error_message(error)
                         : "value failed, so the ratio cannot be measured");
  }
  sn_error_free(error);
}

// ------------------------------------------------------------------ tests

static void report(kit *k, const findings *f) {
  kit_check(k, "finite", !*f->finite, "%s", *f->finite ? f->finite : "all numbers are finite");
  kit_check(k, "one by one", !f->mixed, "%s",
            f->mixed ? "the value of an actuator differs if it is alone in the batch; compute it "
                       "from entry i of every array alone"
                     : "an actuator has the same value alone and in a batch");
  kit_controls_report(k, f->controls);
  if (*f->wrong) {
    kit_report(k, "derivative", KIT_FAILED, "%s", f->wrong);
  } else if (f->compared > 0) {
    kit_report(k, "derivative", KIT_PASSED, "agrees with differences of the value (%d compared)",
               f->compared);
  }
  kit_calls_report(k, &f->calls);
}

static void test_states(kit *k, kit_batch *b) {
  const sn_force_ops *ops = k->provider->ops;
  findings f = { .mixed = 0 };
  double out[KIT_ACTUATORS];
  for (int i = 0; i < STATES; i++) {
    kit_batch_move(k, b);
    if (call_force(k, &f, "value", &(force_call){ b, ops->value }, out)) {
      kit_judge_finite("value", "out", out, KIT_ACTUATORS, f.finite, sizeof f.finite);
    }
    if (*f.calls.failure[KIT_STATUS] || *f.calls.failure[KIT_MEMORY] || *f.finite) {
      break;
    }
    test_alone(k, b, ops->value, out, &f);
    test_derivatives(k, b, &f);
  }
  report(k, &f);
}

void kit_force(kit *k) {
  const sn_force_ops *ops = k->provider->ops;
  const kit_numbers numbers = { .numbers = ops->numbers, .check = ops->check };
  kit_batch b;
  if (!ops->value) {
    kit_report(k, "operations", KIT_FAILED, "value is missing");
    return;
  }
  if (!kit_batch_new(k, &numbers, &b)) {
    return;
  }
  kit_actuator_binding binding = { ops->attributes, ops->bind, ops->unbind, { 0 } };
  if (kit_batch_bind(k, &binding, &b)) {
    test_states(k, &b);
    if (ops->damp) {
      test_damping(k, &b);
    }
  }
  kit_batch_unbind(k, &binding, &b);
}
