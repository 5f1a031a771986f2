// SPDX-License-Identifier: Apache-2.0
//
// The integrator `backward_euler`: springs and servos that are much faster than the time step, and
// its order. Models: models/physics.
//
// A spring k with damping c on the mass m, moved by backward Euler:
//
//   (m + h c + h^2 k) v' = m v - h k q,   q' = q + h v'

#include <math.h>

#include "default_engine.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"

enum { SPRING, LEFT, RIGHT, SERVO, FIRST, SECOND, LIMITED, NDOF };

static sn_model *m;
static sn_data *d;

static void open_model(void) {
  open_engine();
  m = model_of(model_file("physics/stiff"));
  d = data_of(m);
}

static void close_model(void) {
  done_with(m, d);
  close_engine();
}

static void start(int dof, double q, double v) {
  snd_qpos(d)[dof] = q;
  snd_qvel(d)[dof] = v;
}

static void step(void) {
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}

static const double h = 0.02, k = 1e6;

// Steps of the exact method, beside which those of a dof are made.
static void expect_steps(int dof, double mass, double c, double q, double v) {
  start(dof, q, v);
  for (int i = 0; i < 5; i++) {
    step();
    v = (mass * v - h * k * q) / (mass + h * c + h * h * k);
    q += h * v;
    ck_assert_double_eq_tol(snd_qvel(d)[dof], v, 1e-12);
    ck_assert_double_eq_tol(snd_qpos(d)[dof], q, 1e-12);
  }
}

START_TEST(stiff_spring_follows_backward_euler) {
  expect_steps(SPRING, 1, 2000, 0.1, 3);
}
END_TEST

START_TEST(stiff_servo_follows_backward_euler) {
  expect_steps(SERVO, 1, 0, 0.1, 3);
}
END_TEST

// Two masses on a spring between branches: their distance like a spring on the reduced mass, and
// their momentum stays.
static void expect_pair(int a, int b, double ma, double mb, double c) {
  const double reduced = ma * mb / (ma + mb), p = ma * 1.5 - mb * 0.5;
  double q = 0.1, v = 2;
  start(a, 0.1, 1.5);
  start(b, 0, -0.5);
  for (int i = 0; i < 5; i++) {
    step();
    v = (reduced * v - h * k * q) / (reduced + h * c + h * h * k);
    q += h * v;
    ck_assert_double_eq_tol(snd_qvel(d)[a] - snd_qvel(d)[b], v, 1e-11);
    ck_assert_double_eq_tol(snd_qpos(d)[a] - snd_qpos(d)[b], q, 1e-11);
    ck_assert_double_eq_tol(ma * snd_qvel(d)[a] + mb * snd_qvel(d)[b], p, 1e-11);
  }
}

START_TEST(stiff_spring_between_branches) {
  expect_pair(LEFT, RIGHT, 2, 3, 0);
}
END_TEST

START_TEST(stiff_servo_between_branches) {
  expect_pair(FIRST, SECOND, 1, 4, 100);
}
END_TEST

// At its limit a servo is a constant force.
START_TEST(limited_servo_is_not_stiff) {
  start(LIMITED, 1, 0);
  step();
  ck_assert_double_eq_tol(snd_qvel(d)[LIMITED], -5 * h, 1e-14);
}
END_TEST

START_TEST(others_diverge) {
  static const char *const names[] = { "euler", "implicit", "implicitfast", "rk4", "momentum" };
  OK(sn_model_parse_option(m, "integrator", names[_i], error));
  start(SPRING, 0.1, 0);
  start(SERVO, 0.1, 0);
  int diverged = 0;
  for (int i = 0; i < 200 && !diverged; i++) {
    diverged = sn_step(m, d) == SN_EDIVERGED;
  }
  ck_assert_msg(diverged, "%s is not expected to survive this", names[_i]);
}
END_TEST

TESTS() {
  FIXTURE(open_model, close_model);
  TEST(stiff_spring_follows_backward_euler);
  TEST(stiff_servo_follows_backward_euler);
  TEST(stiff_spring_between_branches);
  TEST(stiff_servo_between_branches);
  TEST(limited_servo_is_not_stiff);
  EACH(others_diverge, 0, 5);
}
