// SPDX-License-Identifier: Apache-2.0
//
// The times of the stages: how often each is called in a step, that every moment counts for one of
// them, that nothing is measured unless asked for, and that measuring changes no result. How long
// a stage takes is not tested.

#include "data/data.h"
#include "default_engine.h"
#include "model_file.h"
#include "platform/clock.h"
#include "step/pipeline.h"
#include "suite.h"

#define BOXES model_file("step/two_boxes")

enum { STEPS = 20 };

static sn_timing stage(const sn_data *d, const char *name) {
  sn_timing t = { .size = sizeof t };
  ck_assert_msg(sn_data_timing(d, name, &t) == SN_OK, "%s", name);
  return t;
}

static double sum_of_seconds(const sn_data *d) {
  sn_timing t = { .size = sizeof t };
  double sum = 0;
  for (int64_t i = 0; sn_data_timing_at(d, i, &t); i++) {
    ck_assert_double_ge(t.seconds, 0);
    ck_assert(t.calls > 0 || t.seconds == 0);
    sum += t.seconds;
  }
  return sum;
}

static int64_t sum_of_calls(const sn_data *d) {
  sn_timing t = { .size = sizeof t };
  int64_t sum = 0;
  for (int64_t i = 0; sn_data_timing_at(d, i, &t); i++) {
    sum += t.calls;
  }
  return sum;
}

static void step(const sn_model *m, sn_data *d, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
}

#define CALLS(d, name, n) ck_assert_int_eq(stage(d, name).calls, n)

START_TEST(timing_off_is_zero) {
  sn_model *m = model_of(BOXES);
  sn_data *d = data_of(m);
  step(m, d, STEPS);
  ck_assert_int_eq(sum_of_calls(d), 0);
  ck_assert_double_eq(sum_of_seconds(d), 0);
  sn_data_set_timing(d, 1);
  step(m, d, STEPS);
  sn_data_set_timing(d, 0);
  step(m, d, STEPS);
  ck_assert_int_eq(sum_of_calls(d), 0);
  ck_assert_double_eq(sum_of_seconds(d), 0);
  done_with(m, d);
}
END_TEST

START_TEST(timing_counts_calls) {
  static const char *const once[] = { "kinematics", "com",       "camlight",  "tendon",
                                      "inertia",    "factor",    "broadphase", "collide",
                                      "constraint", "island",    "transmission", "velocity",
                                      "comvel",     "passive",   "reference", "rne",
                                      "control",    "actuation", "smooth",    "solve",
                                      "integrate",  "rnepost",   "other" };
  sn_model *m = model_of(BOXES);
  sn_data *d = data_of(m);
  sn_data_set_timing(d, 1);
  step(m, d, STEPS);
  for (size_t i = 0; i < sizeof once / sizeof once[0]; i++) {
    ck_assert_msg(stage(d, once[i]).calls == STEPS, "%s", once[i]);
  }
  CALLS(d, "narrowphase", STEPS);   // both pairs have the same types
  CALLS(d, "sensors", 3 * STEPS);
  CALLS(d, "energy", 0);
  CALLS(d, "postsolve", 0);
  CALLS(d, "inverse", 0);
  done_with(m, d);
}
END_TEST

// What an integrator evaluates counts for the stages, not once more for the integrator.
START_TEST(timing_of_several_evaluations) {
  sn_model *m = model_of(BOXES);
  OK(sn_model_parse_option(m, "integrator", "rk4", error));
  OK(sn_model_parse_option(m, "energy", "enable", error));
  OK(sn_model_parse_option(m, "fwdinv", "enable", error));
  OK(sn_model_parse_option(m, "noslip_iterations", "3", error));
  sn_data *d = data_of(m);
  sn_data_set_timing(d, 1);
  step(m, d, STEPS);
  CALLS(d, "kinematics", 4 * STEPS);
  CALLS(d, "solve", 4 * STEPS);
  CALLS(d, "sensors", 3 * STEPS);
  CALLS(d, "energy", 2 * STEPS);
  CALLS(d, "inverse", STEPS);
  CALLS(d, "integrate", STEPS);
  ck_assert_int_gt(stage(d, "postsolve").calls, 0);
  done_with(m, d);
}
END_TEST

START_TEST(timing_of_parts) {
  sn_model *m = model_of(BOXES);
  sn_data *d = data_of(m);
  sn_data_set_timing(d, 1);
  OK(sn_forward_position(m, d));
  CALLS(d, "island", 1);
  CALLS(d, "velocity", 0);
  OK(sn_forward_velocity(m, d));
  CALLS(d, "island", 1);
  CALLS(d, "velocity", 1);
  OK(sn_body_forces(m, d));
  OK(sn_body_forces(m, d));   // computed once
  CALLS(d, "rnepost", 1);
  OK(sn_subtree_velocities(m, d));
  CALLS(d, "subtree", 1);
  OK(sn_compute_energy(m, d));
  CALLS(d, "energy", 2);
  OK(sn_inverse(m, d));
  CALLS(d, "inverse", 1);
  CALLS(d, "integrate", 0);
  CALLS(d, "other", 7);
  done_with(m, d);
}
END_TEST

// The times of the stages are parts of the time of the calls.
START_TEST(timing_adds_up) {
  sn_model *m = model_of(BOXES);
  sn_data *d = data_of(m);
  sn_data_set_timing(d, 1);
  double start = si_clock();
  step(m, d, STEPS);
  double elapsed = si_clock() - start, sum = sum_of_seconds(d);
  ck_assert_double_gt(sum, 0);
  ck_assert_double_le(sum, elapsed * (1 + 1e-9));
  done_with(m, d);
}
END_TEST

START_TEST(timing_names) {
  sn_model *m = model_of(BOXES);
  sn_data *d = data_of(m);
  sn_timing t = { .size = sizeof t, .name = "untouched" };
  ck_assert_int_eq(sn_data_timing(d, "tea", &t), SN_ENOTFOUND);
  ck_assert(!sn_data_timing_at(d, -1, &t) && !sn_data_timing_at(d, SI_NTIMED, &t));
  ck_assert_str_eq(t.name, "untouched");
  ck_assert(sn_data_timing_at(d, 0, &t));
  ck_assert_str_eq(t.name, "kinematics");
  ck_assert_str_eq(t.group, "position");
  ck_assert_ptr_nonnull(strstr(t.meaning, "poses"));
  done_with(m, d);
}
END_TEST

// The stages that fields_data.h names for a field, with commas between, are among these.
static void check_stages(const sn_data *d, const char *names) {
  char list[128];
  snprintf(list, sizeof list, "%s", names);
  for (char *name = strtok(list, ", "); name; name = strtok(NULL, ", ")) {
    sn_timing t = { .size = sizeof t };
    ck_assert_msg(strcmp(name, "input") == 0 || strcmp(name, "state") == 0 ||
                      strcmp(name, "any") == 0 || sn_data_timing(d, name, &t) == SN_OK,
                  "%s in '%s' is no stage", name, names);
  }
}

START_TEST(timing_stages_of_fields) {
#define SN_X(name, stage, meaning) stage,
#define SN_Y(type, name, rows, cols, stage, unit, meaning) stage,
  static const char *const of_field[] = { SN_DATA_COUNTS(SN_X) SN_DATA_FIELDS(SN_Y)
                                              SN_STEP_FIELDS(SN_Y) };
#undef SN_X
#undef SN_Y
  sn_model *m = model_of(BOXES);
  sn_data *d = data_of(m);
  for (size_t i = 0; i < sizeof of_field / sizeof of_field[0]; i++) {
    check_stages(d, of_field[i]);
  }
  done_with(m, d);
}
END_TEST

// A step that ends in the middle of a stage leaves the stopwatch in order.
START_TEST(timing_after_failure) {
  sn_model *m = model_of(BOXES);
  sn_data *d = data_of(m);
  sn_data_set_timing(d, 1);
  OK(sn_model_parse_option(m, "memory", "2000", error));
  ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
  CALLS(d, "other", 1);
  CALLS(d, "integrate", 0);
  OK(sn_model_parse_option(m, "memory", "0", error));
  step(m, d, STEPS);
  CALLS(d, "other", STEPS + 1);
  CALLS(d, "integrate", STEPS);
  ck_assert_double_ge(sum_of_seconds(d), 0);
  done_with(m, d);
}
END_TEST

START_TEST(timing_changes_no_result) {
  sn_model *m = model_of(BOXES);
  sn_data *plain = data_of(m), *timed = data_of(m);
  sn_data_set_timing(timed, 1);
  step(m, plain, STEPS);
  step(m, timed, STEPS);
  ck_assert(sn_state_hash(m, plain, SN_STATE_INTEGRATION) ==
            sn_state_hash(m, timed, SN_STATE_INTEGRATION));

  // a copy is not measured, a reset forgets no time
  OK(sn_data_copy(m, plain, timed));
  step(m, plain, 1);
  ck_assert_int_eq(sum_of_calls(plain), 0);
  sn_reset(m, timed);
  CALLS(timed, "integrate", STEPS);
  sn_data_free(plain);
  done_with(m, timed);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(timing_off_is_zero);
  TEST(timing_counts_calls);
  TEST(timing_of_several_evaluations);
  TEST(timing_of_parts);
  TEST(timing_adds_up);
  TEST(timing_names);
  TEST(timing_stages_of_fields);
  TEST(timing_after_failure);
  TEST(timing_changes_no_result);
}
