// SPDX-License-Identifier: Apache-2.0
//
// Damping between branches of the kinematic tree, with the integrators that are implicit in
// velocity: a flyball governor, after problem A05 of the IFToMM library of multibody benchmarks,
// against rk4 with a small step, and two carts against the closed form of a step. Models:
// models/physics.

#include <math.h>

#include "default_engine.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"

static const char *const integrators[] = { "implicit", "implicitfast" };

static void open_on_tree(void) {
  open_engine();
  OK(sn_engine_set(engine, "plugin.implicit.couplings", "false", error));
  OK(sn_engine_set(engine, "plugin.implicitfast.couplings", "false", error));
}

static void set(sn_model *m, const char *option, const char *value) {
  OK(sn_model_parse_option(m, option, value, error));
}

// ------------------------------------------------------------------ governor

// The slider is compared every 10 ms of 2 s.
enum { INSTANTS = 200, SHAFT = 0, SLIDER = 3 };
static const double interval = 0.01;

static void slide(const char *integrator, int steps, double *out) {
  char h[32];
  sn_model *m = model_of(model_file("physics/governor"));
  snprintf(h, sizeof h, "%.17g", interval / steps);
  set(m, "integrator", integrator);
  set(m, "timestep", h);
  sn_data *d = data_of(m);
  snd_qvel(d)[SHAFT] = 6.283185307179586;
  for (int i = 0; i < INSTANTS; i++) {
    for (int k = 0; k < steps; k++) {
      ck_assert_int_eq(sn_step(m, d), SN_OK);
    }
    out[i] = snd_qpos(d)[SLIDER];
  }
  done_with(m, d);
}

// The largest error of the slider, m, with so many steps in an interval.
static double slider_error(const char *integrator, int steps) {
  double truth[INSTANTS], x[INSTANTS], most = 0;
  slide("rk4", 100, truth);
  slide(integrator, steps, x);
  for (int i = 0; i < INSTANTS; i++) {
    const double off = fabs(x[i] - truth[i]);
    most = off <= most ? most : off;   // keeps NaN
  }
  return most;
}

START_TEST(governor_is_stable_and_accurate) {
  const double coarse = slider_error(integrators[_i], 1),
               middle = slider_error(integrators[_i], 10);
  const double fine = slider_error(integrators[_i], 20), order = log2(middle / fine);
  ck_assert_msg(coarse < 2.1e-2, "at 10 ms the error is %g m", coarse);
  ck_assert_msg(middle < 1.9e-3, "at 1 ms the error is %g m", middle);
  ck_assert_msg(fabs(order - 1) < 0.1, "errors %g and %g, order %g", middle, fine, order);
}
END_TEST

// As in profile mujoco-2.2: the error is as large as the motion.
START_TEST(governor_on_the_tree_is_wrong) {
  const double off = slider_error(integrators[_i], 10);
  ck_assert_msg(off > 0.15, "the error is %g m", off);
}
END_TEST

// ------------------------------------------------------------------ carts

// A step with damping c between the masses m and n divides their relative velocity by
// 1 + h c (1 / m + 1 / n), and leaves the momentum.
START_TEST(servo_between_carts_keeps_momentum) {
  const double h = 0.01, c = 1e4, left = 2, right = 3;
  sn_model *m = model_of(model_file("physics/two_sliders"));
  set(m, "integrator", integrators[_i]);
  sn_data *d = data_of(m);
  snd_qvel(d)[0] = 1.5;
  snd_qvel(d)[1] = -0.25;
  const double momentum = left * 1.5 - right * 0.25;
  double apart = 1.75;
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    apart /= 1 + h * c * (1 / left + 1 / right);
    const double *v = snd_qvel(d);
    ck_assert_double_eq_tol(v[0] - v[1], apart, 1e-13);
    ck_assert_double_eq_tol(left * v[0] + right * v[1], momentum, 1e-13);
  }
  done_with(m, d);
}
END_TEST

// Each cart is damped as though the other stood still: v - h c v_apart / (m + h c).
START_TEST(servo_on_the_tree_takes_momentum) {
  const double h = 0.01, c = 1e4;
  sn_model *m = model_of(model_file("physics/two_sliders"));
  set(m, "integrator", integrators[_i]);
  sn_data *d = data_of(m);
  snd_qvel(d)[0] = 1.5;
  snd_qvel(d)[1] = -0.25;
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_double_eq_tol(snd_qvel(d)[0], 1.5 - h * c * 1.75 / (2 + h * c), 1e-13);
  ck_assert_double_eq_tol(snd_qvel(d)[1], -0.25 + h * c * 1.75 / (3 + h * c), 1e-13);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(governor_is_stable_and_accurate, 0, 2);
  EACH(servo_between_carts_keeps_momentum, 0, 2);
  FIXTURE(open_on_tree, close_engine);
  EACH(governor_on_the_tree_is_wrong, 0, 2);
  EACH(servo_on_the_tree_takes_momentum, 0, 2);
}
