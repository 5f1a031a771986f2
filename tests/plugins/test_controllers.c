// SPDX-License-Identifier: Apache-2.0
//
// Controllers: closed loops against closed forms, their order with rk4, their derivatives against
// A + B K, rollouts, states, and what is rejected.

#include "random_state.h"
#include "suite.h"
#include "temporary_folder.h"
#include "toy_plugin.h"

#define KP 40.0
#define KD 2.0
#define PD(extra)                                                                   \
  "<controller type='pd'><config key='kp' value='40'/><config key='kd' value='2'/>" \
  extra "</controller>"
// a wheel of inertia 2 kg m^2 with a motor
#define WHEEL(integrator, h, controllers)                                                   \
  "<mujoco><option timestep='" h "' integrator='" integrator "' gravity='0 0 0'/>"        \
  "<extension>" controllers "</extension><worldbody><body><joint name='j' axis='0 1 0'/>"  \
  "<inertial pos='0 0 0' mass='1' diaginertia='2 2 2'/></body></worldbody>"               \
  "<actuator><motor name='m' joint='j'/></actuator>"                                      \
  "<keyframe><key name='turned' qpos='1'/></keyframe></mujoco>"

static void steps(const sn_model *m, sn_data *d, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

// I q'' = kp (r - q) - kd q' from rest at q = 0: a damped oscillation to r.
static double oscillation(double r, double t) {
  const double a = KD / 4, w = sqrt(KP / 2 - a * a);   // I = 2
  return r * (1 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t)));
}

static double error_after_one_second(const char *xml, double r, double h) {
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  d->ctrl[0] = r;
  steps(m, d, (int)lrint(1 / h));
  const double e = fabs(d->qpos[0] - oscillation(0.7, 1));
  ck_assert_double_eq(d->ctrl[0], r);   // the input stays what it was
  done_with(m, d);
  return e;
}

// A smooth controller is a part of the dynamics in each stage of rk4: the order stays 4.
START_TEST(pd_oscillates_as_in_the_closed_form) {
  const double coarse = error_after_one_second(WHEEL("RK4", ".02", PD("")), 0.7, 0.02);
  const double fine = error_after_one_second(WHEEL("RK4", ".01", PD("")), 0.7, 0.01);
  ck_assert_msg(fine < 1e-6, "%g", fine);
  ck_assert_msg(fabs(log2(coarse / fine) - 4) < 0.2, "order %g", log2(coarse / fine));
}
END_TEST

START_TEST(pd_moves_to_a_keyframe) {
  sn_model *m = model_of(WHEEL("Euler", ".002", PD("<config key='key' value='turned'/>")));
  sn_data *d = data_of(m);
  steps(m, d, 10000);
  CLOSE(d->qpos[0], 1, 1e-3);
  done_with(m, d);
}
END_TEST

// In evaluations, ctrl_effective is what the actuator got.
START_TEST(controls_of_the_application_remain) {
  sn_model *m = model_of(WHEEL("Euler", ".002", PD("")));
  sn_data *d = data_of(m);
  double input = 0;
  d->qpos[0] = 0.3;
  d->qvel[0] = -0.5;
  d->ctrl[0] = 0.1;
  sn_forward(m, d);
  CLOSE(d->ctrl_effective[0], KP * (0.1 - 0.3) + KD * 0.5, 1e-14);
  CLOSE(d->actuator_force[0], d->ctrl_effective[0], 0);
  CLOSE(d->qacc[0], d->ctrl_effective[0] / 2, 1e-14);
  sn_state_get(m, d, SN_STATE_CTRL, &input);
  ck_assert_double_eq(input, 0.1);
  OK(sn_model_parse_option(m, "actuation", "disable", error));
  sn_forward(m, d);
  CLOSE(d->qacc[0], 0, 0);
  done_with(m, d);
}
END_TEST

// The closed loop u = kp (r - q) - kd v has the derivatives A + B K and B kp, K = (-kp, -kd).
START_TEST(derivatives_are_those_of_the_closed_loop) {
  sn_model *open = model_of(WHEEL("Euler", ".01", "")),
           *loop = model_of(WHEEL("Euler", ".01", PD("")));
  sn_data *d = data_of(open), *e = data_of(loop);
  double A[4], B[2], Ac[4], Bc[2];
  const double K[2] = { -KP, -KD };
  d->qpos[0] = e->qpos[0] = 0.2;
  d->qvel[0] = e->qvel[0] = 0.4;
  e->ctrl[0] = 0.1;
  OK(sn_transition_fd(open, d, 1e-6, 1, A, B, NULL, NULL));
  OK(sn_transition_fd(loop, e, 1e-6, 1, Ac, Bc, NULL, NULL));
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++) {
      CLOSE(Ac[2 * i + k], A[2 * i + k] + B[i] * K[k], 1e-7);
    }
    CLOSE(Bc[i], B[i] * KP, 1e-7);
  }
  done_with(open, d);
  done_with(loop, e);
}
END_TEST

// ------------------------------------------------------------------ a toy with state

// Integral control of the actuator 0: u += z, z' = r - q; and a force of 3 N m on the first dof.
static int64_t calls;
static double poison;

static int64_t toy_states(const void *self, const void *bound) {
  (void)self, (void)bound;
  return 1;
}

static sn_status toy_reset(const void *self, const void *bound, const sn_data_view *data,
                           double *state) {
  (void)self, (void)bound, (void)data;
  state[0] = 0.25;
  return SN_OK;
}

static sn_status toy_control(const void *self, const void *bound, const sn_data_view *data,
                             const double *state, sn_controls *controls, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)scratch;
  calls++;
  controls->ctrl[0] += state[0] + poison;
  controls->qfrc[0] += 3;
  return SN_OK;
}

static sn_status toy_advance(const void *self, const void *bound, const sn_data_view *data,
                             double h, double *state, sn_scratch *scratch) {
  (void)self, (void)bound, (void)scratch;
  state[0] += h * (snd_ctrl(data->data)[0] - snd_qpos(data->data)[0]);
  return SN_OK;
}

static const sn_controller_ops toy_ops = {
  .head = { .size = sizeof toy_ops, .summary = "a toy" },
  .bind = toy_bind,
  .unbind = toy_unbind,
  .states = toy_states,
  .reset = toy_reset,
  .control = toy_control,
  .advance = toy_advance,
};

static sn_model *toy_model(const char *xml) {
  calls = 0;
  poison = 0;
  OK(sn_engine_add(engine, SN_KIND_CONTROLLER, "toy", &toy_ops, error));
  return model_of(xml);
}

// Each evaluation calls it: four in a step of rk4, none in inverse dynamics, which finds its force.
START_TEST(forces_and_calls) {
  sn_model *m = toy_model(WHEEL("RK4", ".01", ""));
  sn_data *d = data_of(m);
  sn_forward(m, d);
  ck_assert_int_eq(calls, 1);
  CLOSE(d->qfrc_controller[0], 3, 0);
  CLOSE(d->qacc[0], (3 + 0.25) / 2, 1e-14);
  OK(sn_inverse(m, d));
  ck_assert_int_eq(calls, 1);
  CLOSE(d->qfrc_inverse[0], 3.25, 1e-12);
  steps(m, d, 1);
  ck_assert_int_eq(calls, 5);
  done_with(m, d);
}
END_TEST

// Those that act in every model come first: pd, which the model names, replaces the control.
START_TEST(several_controllers_in_order) {
  sn_model *m = toy_model(WHEEL("Euler", ".01", PD("<config key='key' value='turned'/>")));
  sn_data *d = data_of(m);
  sn_forward(m, d);
  CLOSE(d->ctrl_effective[0], KP, 1e-14);
  CLOSE(d->qfrc_controller[0], 3, 0);
  done_with(m, d);
}
END_TEST

START_TEST(states_are_restored_bit_for_bit) {
  sn_model *m = toy_model(WHEEL("implicit", ".01", PD("")));
  sn_data *d = data_of(m), *copy = data_of(m);
  double state[64], plugin;
  ck_assert_int_le(sn_state_size(m, SN_STATE_INTEGRATION), 64);
  ck_assert_int_eq(sn_state_size(m, SN_STATE_PLUGIN), 1);
  sn_state_get(m, d, SN_STATE_PLUGIN, &plugin);
  ck_assert_double_eq(plugin, 0.25);
  d->ctrl[0] = 0.5;
  steps(m, d, 30);
  sn_state_get(m, d, SN_STATE_INTEGRATION, state);
  OK(sn_data_copy(m, copy, d));
  steps(m, d, 50);
  steps(m, copy, 50);
  const uint64_t hash = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  ck_assert_uint_eq(sn_state_hash(m, copy, SN_STATE_INTEGRATION), hash);
  sn_reset(m, d);
  sn_state_set(m, d, SN_STATE_INTEGRATION, state);
  steps(m, d, 50);
  ck_assert_uint_eq(sn_state_hash(m, d, SN_STATE_INTEGRATION), hash);
  sn_data_free(copy);
  done_with(m, d);
}
END_TEST

START_TEST(nonsense_is_ignored_with_a_warning) {
  sn_model *m = toy_model(WHEEL("Euler", ".01", ""));
  sn_data *d = data_of(m);
  poison = NAN;
  sn_forward(m, d);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 1);
  CLOSE(d->qfrc_controller[0], 0, 0);
  CLOSE(d->qacc[0], 0, 0);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ models

START_TEST(models_name_controllers) {
  static const char *const mistakes[][2] = {
    { "<controller type='pdd'/>", "did you mean 'pd'" },
    { PD("<config key='key' value='turnd'/>"), "'turnd', but no key has that name" },
    { PD("<config key='actuator' value='n'/>"), "'n', but no actuator has that name" },
    { PD("<config key='ki' value='1'/>"), "no attribute 'ki'" },
  };
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco><extension>%s</extension><worldbody><body><joint name='j'/><geom size='1'/>"
             "</body></worldbody><actuator><motor joint='j'/></actuator></mujoco>",
             mistakes[i][0]);
    ck_assert_msg(!try_text(text), "accepted: %s", mistakes[i][0]);
    ck_assert_msg(strstr(sn_error_text(error), mistakes[i][1]) != NULL, "%s", sn_error_text(error));
  }
}
END_TEST

START_TEST(controllers_are_saved) {
  open_folder();
  sn_spec *spec = good_spec(WHEEL("Euler", ".01", PD("")));
  OK(sn_spec_save(spec, "mjcf", in_folder("m.xml"), error));
  sn_model *again = sn_load(engine, in_folder("m.xml"), error);
  ck_assert_msg(again != NULL, "%s", sn_error_text(error));
  ck_assert_str_eq(again->names + again->force_typename[0], "controller/pd");
  ck_assert_int_eq(again->bound.controller.n, 1);
  sn_model_free(again);
  close_folder();
  sn_spec_free(spec);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(pd_oscillates_as_in_the_closed_form);
  TEST(pd_moves_to_a_keyframe);
  TEST(controls_of_the_application_remain);
  TEST(derivatives_are_those_of_the_closed_loop);
  TEST(forces_and_calls);
  TEST(several_controllers_in_order);
  TEST(states_are_restored_bit_for_bit);
  TEST(nonsense_is_ignored_with_a_warning);
  TEST(models_name_controllers);
  TEST(controllers_are_saved);
}
