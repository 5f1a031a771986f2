// SPDX-License-Identifier: Apache-2.0
//
// Activations after a reset: a series elastic actuator, a motor on a spring, whose state is the
// angle of the motor. And what a batch says of its actuators.

#include "random_state.h"
#include "suite.h"

// ------------------------------------------------------------------ a series elastic actuator

// The state follows the control as a velocity; the force is k (motor - length).
static int32_t ids[4], batches;
static double reset_value;   // not 0: written in place of the length

static int32_t sea_states(const void *self, const double *prm) {
  (void)self, (void)prm;
  return 1;
}

static sn_status sea_rate(const void *self, const sn_actuators *b, double *act_dot,
                          sn_scratch *scratch) {
  (void)self, (void)scratch;
  batches++;
  for (int64_t i = 0; i < b->n; i++) {
    act_dot[i] = b->ctrl[i * b->nctrl];
    ids[i] = b->id[i];
  }
  return SN_OK;
}

static sn_status sea_reset(const void *self, const sn_actuators *b, double *act) {
  (void)self;
  for (int64_t i = 0; i < b->n; i++) {
    ck_assert(b->act == NULL && b->velocity[i] == 0 && b->ctrl[i] == 0);
    act[i * b->nstate] = reset_value != 0 ? reset_value : b->length[i];
  }
  return SN_OK;
}

static sn_status sea_force(const void *self, const sn_actuators *b, double *out,
                           sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = -b->prm[i * SN_NACTPRM] * b->length[i];
  }
  return SN_OK;
}

static const sn_dynamics_ops sea_dynamics = { .head = { .size = sizeof(sn_dynamics_ops) },
                                              .states = sea_states,
                                              .rate = sea_rate,
                                              .reset = sea_reset };
static const sn_force_ops sea_bias = { .head = { .size = sizeof(sn_force_ops) },
                                       .value = sea_force };

static void open_with_sea(void) {
  open_engine();
  reset_value = 0;
  batches = 0;
  OK(sn_engine_add(engine, SN_KIND_DYNAMICS, "sea", &sea_dynamics, error));
  OK(sn_engine_add(engine, SN_KIND_BIAS, "sea", &sea_bias, error));
}

#define SEA(joint)                                                                       \
  "<general joint='" joint "' dyntype='sea' gaintype='fixed' gainprm='50' biastype='sea' " \
  "biasprm='50' gear='2'/>"
#define MODEL(actuators)                                                                       \
  "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody><body><joint name='a' " \
  "ref='.3'/><geom size='.1' pos='.2 0 0'/><body pos='.4 0 0'><joint name='b' ref='-.7'/>"      \
  "<geom size='.1' pos='.2 0 0'/></body></body></worldbody><actuator>" actuators               \
  "</actuator><keyframe><key name='plain' qvel='1 0'/><key name='set' act='.5 .25'/></keyframe>" \
  "</mujoco>"

START_TEST(series_spring_starts_without_a_force) {
  sn_model *m = model_of(MODEL(SEA("a") SEA("b")));
  sn_data *d = data_of(m);
  CLOSE(d->act[0], 0.6, 1e-15);
  CLOSE(d->act[1], -1.4, 1e-15);
  ck_assert_int_ge(sn_forward(m, d), 0);
  CLOSE(d->actuator_force[0], 0, 1e-13);
  CLOSE(d->actuator_force[1], 0, 1e-13);

  // the same after a reset, and in a keyframe without activations
  d->act[0] = 9;
  sn_reset(m, d);
  CLOSE(d->act[0], 0.6, 1e-15);
  ck_assert_int_ge(sn_reset_key(m, d, 0), 0);
  CLOSE(d->act[1], -1.4, 1e-15);
  ck_assert_int_ge(sn_reset_key(m, d, 1), 0);
  CLOSE(d->act[0], 0.5, 0);
  CLOSE(d->act[1], 0.25, 0);
  done_with(m, d);
}
END_TEST

START_TEST(batches_know_their_actuators) {
  sn_model *m = model_of(MODEL("<motor joint='a'/>" SEA("b") SEA("a")));
  sn_data *d = data_of(m);
  d->ctrl[2] = 3;
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_eq(batches, 1);
  ck_assert(ids[0] == 1 && ids[1] == 2);
  CLOSE(d->act_dot[1], 3, 0);
  done_with(m, d);
}
END_TEST

START_TEST(reset_that_is_not_finite_names_the_law) {
  reset_value = NAN;
  ck_assert_ptr_null(try_text(MODEL(SEA("a") SEA("b"))));
  ck_assert_msg(strstr(sn_error_text(error), "'sea'") != NULL, "%s", sn_error_text(error));
}
END_TEST

TESTS() {
  FIXTURE(open_with_sea, close_engine);
  TEST(series_spring_starts_without_a_force);
  TEST(batches_know_their_actuators);
  TEST(reset_that_is_not_finite_names_the_law);
}
