// SPDX-License-Identifier: Apache-2.0
//
// The sample controller that swings up a pole on a cart: near upright its poles are where they were
// placed; from many states it ends upright; rollouts of the closed loop are those of single steps.

#include "conformance.h"
#include "random_state.h"
#include "sinew/controller.h"

static sn_model *model;

static void open_model(void) {
  open_engine();
  OK(sn_engine_load_plugin(engine, "swing_up", SN_TEST_BUILD "/samples/swing_up.so", error));
  model = sn_load(engine, SN_TEST_SOURCE "/samples/plugins/controller_swing_up/swing_up.xml",
                  error);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
}

static void close_model(void) {
  sn_model_free(model);
  close_engine();
}

// A step from near upright is exp(A h), where all eigenvalues of A are -p: the trace of its k-th
// power is 4 exp(-k p h), for k = 1 ... 4, which determines the eigenvalues.
START_TEST(poles_are_where_they_were_placed) {
  const double p = 3, h = 0.005;   // as in the model
  double A[16], power[16], next[16];
  sn_data *d = data_of(model);
  OK(sn_reset_key(model, d, sn_find(model, "key", "upright")));
  OK(sn_transition_fd(model, d, 1e-6, 1, A, NULL, NULL, NULL));
  memcpy(power, A, sizeof A);
  for (int k = 1; k <= 4; k++) {
    CLOSE(power[0] + power[5] + power[10] + power[15], 4 * exp(-k * p * h), 1e-7);
    for (int i = 0; i < 16; i++) {
      next[i] = 0;
      for (int j = 0; j < 4; j++) {
        next[i] += power[i / 4 * 4 + j] * A[4 * j + i % 4];
      }
    }
    memcpy(power, next, sizeof power);
  }
  sn_data_free(d);
}
END_TEST

enum { RUNS = 8, STEPS = 4000, SIZE = 4 };   // SIZE: of qpos and qvel

// From hanging, with other velocities in each run, on several threads and in single steps.
START_TEST(rollouts_end_upright) {
  static double initial[RUNS * SIZE], states[RUNS * STEPS * SIZE];
  const uint32_t mask = SN_STATE_QPOS | SN_STATE_QVEL;
  sn_rollout_request request = { .size = sizeof request,
                                 .initial_mask = mask,
                                 .result_mask = mask,
                                 .n = RUNS,
                                 .nstep = STEPS,
                                 .initial = initial,
                                 .executor = "threads",
                                 .states = states };
  for (int i = 0; i < RUNS; i++) {
    initial[SIZE * i + 1] = SN_PI;
    initial[SIZE * i + 3] = 0.3 * (i + 1);
  }
  OK(sn_rollout(model, &request, error));
  ck_assert_int_eq(request.failed, 0);
  sn_data *d = data_of(model);
  for (int i = 0; i < RUNS; i++) {
    double state[SIZE];
    const double *end = states + (STEPS * (i + 1) - 1) * SIZE;
    ck_assert_msg(fabs(sin(end[1])) < 1e-6 && cos(end[1]) > 0, "run %d ends at %g rad", i, end[1]);
    ck_assert_msg(fabs(end[0]) < 1e-6 && fabs(end[2]) + fabs(end[3]) < 1e-6, "run %d", i);
    sn_reset(model, d);
    sn_state_set(model, d, mask, initial + SIZE * i);
    for (int step = 0; step < STEPS; step++) {
      ck_assert_int_eq(sn_step(model, d), SN_OK);
    }
    sn_state_get(model, d, mask, state);
    ck_assert_mem_eq(state, end, sizeof state);
  }
  sn_data_free(d);
}
END_TEST

START_TEST(it_passes_the_kit) {
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_CONTROLLER), 2);
}
END_TEST

TESTS() {
  FIXTURE(open_model, close_model);
  TEST(poles_are_where_they_were_placed);
  TEST(rollouts_end_upright);
  TEST(it_passes_the_kit);
}
