// SPDX-License-Identifier: Apache-2.0
//
// Requests of rollouts whose arrays are larger than any memory. They are read, not run.

#include "default_engine.h"
#include "sinew/rollout.h"
#include "suite.h"

static const char arm[] =
    "<mujoco><worldbody><body><joint name='hinge'/><geom size='.1'/></body></worldbody>"
    "<actuator><motor joint='hinge'/></actuator></mujoco>";
static const int64_t many = (int64_t)1 << 62;
static double array[16];

static void rejected(const sn_model *m, sn_rollout_request q, const char *member) {
  q.size = sizeof q;
  ck_assert_int_eq(sn_rollout_measure(m, &q, error), SN_EINVAL);
  const char *text = sn_error_text(error);
  ck_assert_msg(strstr(text, member) == text, "%s", text);
  ck_assert_msg(strstr(text, "more than an array can have"), "%s", text);
}

START_TEST(products_of_sizes_that_overflow) {
  sn_model *m = model_of(arm);
  sn_rollout_record record[] = { { .name = "qpos" }, { .name = "xpos" }, { .name = "ctrl" } };
  sn_rollout_variation vary = { .name = "geom_size", .values = array };
  const uint32_t state = SN_STATE_INTEGRATION;
  for (int n = 1; n <= 3; n++) {
    rejected(m, (sn_rollout_request){ .n = 1, .nstep = many, .record = record, .nrecord = n },
             "results of");
  }
  rejected(m,
           (sn_rollout_request){
               .n = many, .nstep = 10, .record = record, .nrecord = 1, .results = array },
           "results of");
  rejected(m, (sn_rollout_request){ .n = 1, .nstep = many, .result_mask = state }, "states of");
  rejected(m, (sn_rollout_request){ .n = 1, .nstep = INT64_MAX, .control = array }, "control of");
  rejected(m, (sn_rollout_request){ .n = many, .nstep = 9, .control = array }, "control of");
  rejected(m,
           (sn_rollout_request){
               .n = many, .nstep = 1, .initial = array, .initial_mask = SN_STATE_QPOS },
           "initial of");
  rejected(m, (sn_rollout_request){ .n = many, .nstep = 1, .vary = &vary, .nvary = 1 }, "vary of");
  sn_model_free(m);
}
END_TEST

// The number of steps alone does not need memory, nor that of rollouts which share their inputs.
START_TEST(steps_without_an_array) {
  sn_model *m = model_of(arm);
  sn_rollout_record record = { .name = "qpos" };
  sn_rollout_request q = { .size = sizeof q,
                           .n = many,
                           .nstep = 10,
                           .control = array,
                           .flags = SN_ROLLOUT_SAME_CONTROL,
                           .record = &record,
                           .nrecord = 1 };
  OK(sn_rollout_measure(m, &q, error));
  ck_assert_int_eq(q.nresult, 10);
  q = (sn_rollout_request){ .size = sizeof q, .n = 1, .nstep = INT64_MAX, .control_every = 3 };
  OK(sn_rollout_measure(m, &q, error));
  q.every = many;
  q.record = &record;
  q.nrecord = 1;
  OK(sn_rollout_measure(m, &q, error));
  ck_assert_int_eq(q.nresult, 1);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(products_of_sizes_that_overflow);
  TEST(steps_without_an_array);
}
