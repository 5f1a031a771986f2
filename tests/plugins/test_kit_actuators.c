// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of dynamics, gains and biases with one fault each; those of
// Sinew have none.

#include <stdlib.h>

#include "conformance.h"
#include "default_engine.h"
#include "german_locale.h"
#include "sinew/actuator.h"

enum {
  WRONG_SIGN = NKINDFAULTS,   // of a derivative
  WRONG_PLACE,                // of a derivative, in a matrix
  NO_LENGTH,                  // the derivative with respect to length is omitted
  NOT_A_NUMBER,
  WRITES_BEHIND,
  CHANGES_INPUTS,
  MIXES_ACTUATORS,
  NEGATIVE_STATES,
  TOO_MANY_STATES,
  CHANGING_STATES,
  SILENT_REJECTION,
  JUMPS,           // advance does not start with the rate
  LEAVES_STATE,    // reset sets one activation of two
  WRONG_DAMPING,
  SILENT_BIND,
  UNDECLARED,   // there is no dvelocity
  ONE_CONTROL   // reads the control of actuator i at ctrl[i]
};

static double control(const sn_actuators *b, int64_t i) {
  return b->ctrl[fault == ONE_CONTROL ? i : i * b->nctrl];
}

// A second-order filter of the control that depends on length and velocity too:
//
//   w0' = w1      w1' = k (u - w0) - c w1 + l^2 - v      k, c: parameters
static int32_t states(const void *self, const double *prm) {
  static int calls;
  (void)self, (void)prm;
  return fault == NEGATIVE_STATES   ? -1
         : fault == TOO_MANY_STATES ? INT32_MAX
         : fault == CHANGING_STATES ? 1 + ++calls % 2
                                    : 2;
}

static sn_status rate(const void *self, const sn_actuators *b, double *act_dot,
                      sn_scratch *scratch) {
  const double wrong = common_fault();
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + (fault == MIXES_ACTUATORS ? 0 : i) * SN_NACTPRM;
    const double *w = b->act + 2 * i;
    act_dot[2 * i] = w[1];
    act_dot[2 * i + 1] = prm[0] * (control(b, i) - w[0]) - prm[1] * w[1] +
                         b->length[i] * b->length[i] - b->velocity[i] + wrong;
  }
  if (fault == NOT_A_NUMBER) {
    act_dot[0] = NAN;
  } else if (fault == WRITES_BEHIND) {
    act_dot[2 * b->n] = 0;
  } else if (fault == CHANGES_INPUTS) {
    ((double *)(uintptr_t)b->act)[0] += 1;
  }
  return common_status();
}

static sn_status derivative(const void *self, const sn_actuators *b, double *by_act,
                            double *by_ctrl, double *by_length, double *by_velocity,
                            sn_scratch *scratch) {
  const int upper = fault == WRONG_PLACE ? 2 : 1, lower = fault == WRONG_PLACE ? 1 : 2;
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + i * SN_NACTPRM;
    by_act[4 * i + upper] = 1;
    by_act[4 * i + lower] = -prm[0];
    by_act[4 * i + 3] = -prm[1];
    by_ctrl[2 * i + 1] = prm[0];
    by_length[2 * i + 1] = fault == NO_LENGTH ? 0 : 2 * b->length[i];
    by_velocity[2 * i + 1] = fault == WRONG_SIGN ? 1 : -1;
  }
  return SN_OK;
}

static sn_status advance(const void *self, const sn_actuators *b, const double *act_dot, double h,
                         double *act_next, sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < 2 * b->n; i++) {
    act_next[i] = b->act[i] + h * act_dot[i] * (fault == JUMPS ? 1.01 : 1);
  }
  return SN_OK;
}

static sn_status reset(const void *self, const sn_actuators *b, double *act) {
  static double last;
  (void)self;
  for (int64_t i = 0; i < b->n; i++) {
    act[2 * i] = b->length[i];
    act[2 * i + 1] = fault == LEAVES_STATE ? last : 0;
  }
  last += 1;
  return SN_OK;
}

static sn_status check(const void *self, const double *prm, const sn_host *host, sn_error *e) {
  (void)self;
  if (prm[0] >= 0) {
    return SN_OK;
  }
  return fault == SILENT_REJECTION
             ? SN_EINVAL
             : host->error(host, e, SN_EINVAL, NULL, 0, 0, "k must not be negative");
}

static const sn_param numbers[] = {
  { .name = "k", .default_value = "2", .type = SN_PARAM_REAL, .summary = "stiffness" },
  { .name = "c", .default_value = "0.5", .type = SN_PARAM_REAL, .summary = "damping" },
  { .name = NULL },
};

static const sn_dynamics_ops dynamics = {
  .head = { .size = sizeof dynamics, .summary = "a toy" },
  .states = states,
  .rate = rate,
  .advance = advance,
  .check = check,
  .numbers = numbers,
  .derivative = derivative,
  .reset = reset,
};

// ------------------------------------------------------------------ gain, bias

// prm0 + prm1 l + prm2 v + v |v| + u
static sn_status value(const void *self, const sn_actuators *b, double *out, sn_scratch *scratch) {
  const double wrong = common_fault();
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + (fault == MIXES_ACTUATORS ? 0 : i) * SN_NACTPRM;
    const double v = b->velocity[i];
    out[i] = prm[0] + prm[1] * b->length[i] + prm[2] * v + v * fabs(v) + control(b, i) + wrong;
  }
  if (fault == NOT_A_NUMBER) {
    out[b->n - 1] = INFINITY;
  } else if (fault == WRITES_BEHIND) {
    out[-1] = 0;
  } else if (fault == CHANGES_INPUTS) {
    ((double *)(uintptr_t)b->prm)[0] += 1;
  }
  return common_status();
}

static sn_status dvelocity(const void *self, const sn_actuators *b, double *out,
                           sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double slope = b->prm[i * SN_NACTPRM + 2] + 2 * fabs(b->velocity[i]);
    out[i] = fault == WRONG_SIGN ? -slope : slope;
  }
  return SN_OK;
}

static sn_status dlength(const void *self, const sn_actuators *b, double *out,
                         sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = fault == NO_LENGTH ? 0 : b->prm[i * SN_NACTPRM + 1];
  }
  return SN_OK;
}

static sn_status damp(const void *self, const double *gainprm, double inertia, double ratio,
                      double *prm, const sn_host *host, sn_error *e) {
  (void)self, (void)host, (void)e;
  const double critical = 2 * sqrt(gainprm[0] * inertia);
  prm[2] = -ratio * (fault == WRONG_DAMPING ? critical / 2 : critical);
  return SN_OK;
}

// The square of the velocity is not in a servo.
static sn_status servo_value(const void *self, const sn_actuators *b, double *out,
                             sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + i * SN_NACTPRM;
    out[i] = prm[0] + prm[1] * b->length[i] + prm[2] * b->velocity[i];
  }
  return SN_OK;
}

static sn_status servo_dvelocity(const void *self, const sn_actuators *b, double *out,
                                 sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = b->prm[i * SN_NACTPRM + 2];
  }
  return SN_OK;
}

static const sn_force_ops force = {
  .head = { .size = sizeof force, .summary = "a toy" },
  .value = value,
  .dvelocity = dvelocity,
  .dlength = dlength,
  .check = check,
  .numbers = numbers,
};

static const sn_force_ops without_dvelocity = {
  .head = { .size = sizeof force, .summary = "a toy" },
  .value = value,
};

static const sn_force_ops servo = {
  .head = { .size = sizeof force, .summary = "a toy" },
  .value = servo_value,
  .dvelocity = servo_dvelocity,
  .damp = damp,
  .check = check,
  .numbers = numbers,
};

// ------------------------------------------------------------------ a gain with attributes

// s (1 + id) l, with s an attribute; the product of both is what bind keeps.
static sn_status bind(const void *self, const sn_model_view *model, int64_t n,
                      const sn_actuator *actuators, void **bound, sn_error *e) {
  (void)self, (void)model, (void)e;
  double *scale = malloc((size_t)n * sizeof *scale);
  for (int64_t i = 0; i < n; i++) {
    scale[i] = actuators[i].values[0].real * (1 + actuators[i].id);
  }
  if (fault == SILENT_BIND) {
    free(scale);
    return SN_EINVAL;
  }
  *bound = scale;
  return SN_OK;
}

static void unbind(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static sn_status bound_value(const void *self, const sn_actuators *b, double *out,
                             sn_scratch *scratch) {
  const double *scale = b->bound;
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = scale[fault == MIXES_ACTUATORS ? 0 : i] * b->length[i];
  }
  return SN_OK;
}

static const sn_param attributes[] = {
  { .name = "scale", .default_value = "2", .type = SN_PARAM_REAL, .summary = "a factor" },
  { .name = NULL },
};

static const sn_force_ops bound_gain = {
  .head = { .size = sizeof force, .summary = "a toy" },
  .value = bound_value,
  .attributes = attributes,
  .bind = bind,
  .unbind = unbind,
};

// ------------------------------------------------------------------ what is found

#define DYNAMICS SN_KIND_DYNAMICS, &dynamics
#define GAIN SN_KIND_GAIN, &force
#define BIAS SN_KIND_BIAS, &servo
#define BOUND SN_KIND_GAIN, &bound_gain
static const planted faults[] = {
  { DYNAMICS, NO_FAULT, NULL, NULL, NULL },
  { DYNAMICS, FAILS, "calls", "rate returns SN_EINVAL", NULL },
  { DYNAMICS, FORGETS_NOTHING, "same bits", "act_dot differs", "|one by one|" },
  { DYNAMICS, COLLIDES, "threads", "act_dot differs", NULL },
  { DYNAMICS, LOCALIZED, "locale", "act_dot differs", NULL },
  { DYNAMICS, WRONG_SIGN, "derivative", "of activation 1 of an actuator, by_velocity is 1", NULL },
  { DYNAMICS, WRONG_PLACE, "derivative", "by_act is", NULL },
  { DYNAMICS, NO_LENGTH, "derivative", "of activation 1 of an actuator, by_length is 0", NULL },
  { DYNAMICS, NOT_A_NUMBER, "finite", "rate writes nan to act_dot[", NULL },
  { DYNAMICS, WRITES_BEHIND, "outputs", "past the end of act_dot", NULL },
  { DYNAMICS, CHANGES_INPUTS, "inputs", "rate changes act", "|same bits|one by one|derivative|" },
  { DYNAMICS, MIXES_ACTUATORS, "one by one", "from entry i of every array", "|derivative|" },
  { DYNAMICS, NEGATIVE_STATES, "states", "declares -1 activations", NULL },
  { DYNAMICS, TOO_MANY_STATES, "states", "declares 2147483647 activations; from 0 to", NULL },
  { DYNAMICS, CHANGING_STATES, "states", "activations, then", NULL },
  { DYNAMICS, SILENT_REJECTION, "parameters", "without a reason", NULL },
  { DYNAMICS, ONE_CONTROL, "controls", "rate: act_dot differs if each actuator has two controls",
    NULL },
  { DYNAMICS, JUMPS, "advance", "differs from the rate", NULL },
  { DYNAMICS, LEAVES_STATE, "same bits", "reset: act differs", NULL },
  { GAIN, NO_FAULT, NULL, NULL, NULL },
  { GAIN, FAILS, "calls", "value returns SN_EINVAL", NULL },
  { GAIN, FORGETS_NOTHING, "same bits", "out differs", "|one by one|derivative|" },
  { GAIN, COLLIDES, "threads", "value: out differs", NULL },
  { GAIN, LOCALIZED, "locale", "value: out differs", NULL },
  { GAIN, WRONG_SIGN, "derivative", "dvelocity is", NULL },
  { GAIN, NO_LENGTH, "derivative", "dlength is 0", NULL },
  { SN_KIND_BIAS, &without_dvelocity, UNDECLARED, "derivative", "dvelocity is 0", NULL },
  { GAIN, NOT_A_NUMBER, "finite", "value writes inf to out[4]", NULL },
  { GAIN, WRITES_BEHIND, "outputs", "before the start of out", NULL },
  { GAIN, CHANGES_INPUTS, "inputs", "value changes prm", "|same bits|one by one|derivative|" },
  { GAIN, MIXES_ACTUATORS, "one by one", "from entry i of every array", "|derivative|" },
  { GAIN, SILENT_REJECTION, "parameters", "without a reason", NULL },
  { GAIN, ONE_CONTROL, "controls", "value: out differs if each actuator has two controls", NULL },
  { BIAS, NO_FAULT, NULL, NULL, NULL },
  { BIAS, SILENT_REJECTION, "parameters", "without a reason", NULL },
  { BOUND, NO_FAULT, NULL, NULL, NULL },
  { BOUND, SILENT_BIND, "bind", "SN_EINVAL without a message", NULL },
  { BOUND, MIXES_ACTUATORS, "one by one", "from entry i of every array", NULL },
  { BIAS, WRONG_DAMPING, "damping ratio", "for a ratio of 0.7, the ratio is 0.35", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  fault = faults[_i].fault;
  if (fault != LOCALIZED || find_german()) {
    expect_finding(&faults[_i]);
  }
}
END_TEST

// A program may have set a locale for its thread, as the `sinew` command does: it hides the one
// that setlocale sets. The kit tests with a decimal comma nevertheless.
START_TEST(locale_of_the_thread_hides_nothing) {
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const planted *localized = faults;
  while (localized->fault != LOCALIZED) {
    localized++;
  }
  fault = LOCALIZED;
  if (find_german()) {
    const locale_t before = uselocale(plain);
    expect_finding(localized);
    ck_assert(uselocale(before) == plain);
  }
  freelocale(plain);
}
END_TEST

START_TEST(actuators_of_sinew_pass) {
  open_engine();
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_DYNAMICS), 4);
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_GAIN), 3);
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_BIAS), 2);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_DYNAMICS, faults, NFAULTS, sizeof faults[0]);
  expect_covered(engine, SN_KIND_GAIN, faults, NFAULTS, sizeof faults[0]);
  // the tests of biases are those of gains
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(locale_of_the_thread_hides_nothing);
  TEST(actuators_of_sinew_pass);
  TEST(each_requirement_has_a_fault);
}
