// SPDX-License-Identifier: Apache-2.0
//
// The integrators `rk4` and `momentum` on rotations about changing axes: a heavy top in steady
// precession, which has a closed form, and the angular momentum of a free body. Models:
// models/physics.

#include <math.h>

#include "default_engine.h"
#include "model_file.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"

static void open_frame(void) {
  open_engine();
  OK(sn_engine_set(engine, "plugin.rk4.rotation_group", "false", error));
}

static void set_timestep(sn_model *m, double h) {
  char text[32];
  snprintf(text, sizeof text, "%.17g", h);
  OK(sn_model_parse_option(m, "timestep", text, error));
}

// One second in n steps.
static void simulate(const sn_model *m, sn_data *d, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  ck_assert_double_eq_tol(snd_time(d)[0], 1, 1e-9);
}

// ------------------------------------------------------------------ heavy top

// With moments of inertia A, A, C at the tip, tilt t and precession P, the spin r about the axis of
// the top is steady if m g l = P (C r - A P cos t). The body turns by P about the vertical and by
// r - P cos t about its axis.
static const double A = 0.26, C = 0.02, weight = 9.81 * 0.5;
static const double tilt = 0.5, precession = 2;

static void top_pose(double *q, double own, double time) {
  static const double x[3] = { 1, 0, 0 }, z[3] = { 0, 0, 1 };
  double swing[4], lean[4], spin[4];
  sn_axisangle_quat(swing, z, precession * time);
  sn_axisangle_quat(lean, x, tilt);
  sn_axisangle_quat(spin, z, own * time);
  sn_mul_quat(q, swing, lean);
  sn_mul_quat(q, q, spin);
}

// The angle from the closed form after a second.
static double top_error(const char *integrator, int n) {
  const double r = (weight / precession + A * precession * cos(tilt)) / C;
  const double own = r - precession * cos(tilt);
  sn_model *m = model_of(model_file("physics/heavy_top"));
  OK(sn_model_parse_option(m, "integrator", integrator, error));
  set_timestep(m, 1.0 / n);
  sn_data *d = data_of(m);
  double want[4], off[4], angle[3];
  top_pose(snd_qpos(d), own, 0);
  snd_qvel(d)[0] = 0;
  snd_qvel(d)[1] = precession * sin(tilt);
  snd_qvel(d)[2] = r;
  simulate(m, d, n);
  top_pose(want, own, 1);
  sn_conj_quat(off, want);
  sn_mul_quat(off, off, snd_qpos(d));
  sn_quat_vec(angle, off);
  done_with(m, d);
  return sqrt(sn_dot3(angle, angle));
}

START_TEST(heavy_top_has_order_4) {
  const double coarse = top_error("rk4", 1000), fine = top_error("rk4", 2000),
               order = log2(coarse / fine);
  ck_assert_msg(fabs(order - 4) < 0.2, "errors %g and %g, order %g", coarse, fine, order);
}
END_TEST

START_TEST(heavy_top_has_order_2_with_momentum) {
  const double coarse = top_error("momentum", 1000), fine = top_error("momentum", 2000);
  const double order = log2(coarse / fine);
  ck_assert_msg(fabs(order - 2) < 0.1, "errors %g and %g, order %g", coarse, fine, order);
}
END_TEST

START_TEST(heavy_top_in_one_frame_has_order_2) {
  const double coarse = top_error("rk4", 1000), fine = top_error("rk4", 2000),
               order = log2(coarse / fine);
  ck_assert_msg(fabs(order - 2) < 0.2, "errors %g and %g, order %g", coarse, fine, order);
}
END_TEST

// ------------------------------------------------------------------ free body

// In the world, at the center of mass: R I w.
static void angular_momentum(sn_data *d, double *L) {
  static const double inertia[3] = { 0.02, 0.03, 0.045 };
  const double *w = snd_qvel(d) + 3;
  const double own[3] = { inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2] };
  sn_rotate(L, own, snd_qpos(d) + 3);
}

// The change of the angular momentum in a second, relative.
static double momentum_error(int n) {
  static const double w[3] = { 4, 6, -3 };
  sn_model *m = model_of(model_file("physics/free_body"));
  set_timestep(m, 1.0 / n);
  sn_data *d = data_of(m);
  double before[3], after[3];
  memcpy(snd_qvel(d) + 3, w, sizeof w);
  angular_momentum(d, before);
  simulate(m, d, n);
  angular_momentum(d, after);
  sn_sub3(after, after, before);
  done_with(m, d);
  return sqrt(sn_dot3(after, after) / sn_dot3(before, before));
}

START_TEST(momentum_of_a_free_body_has_order_4) {
  const double coarse = momentum_error(100), fine = momentum_error(200);
  const double order = log2(coarse / fine);
  ck_assert_msg(order > 3.8, "errors %g and %g, order %g", coarse, fine, order);
}
END_TEST

START_TEST(momentum_in_one_frame_has_order_2) {
  const double coarse = momentum_error(100), fine = momentum_error(200);
  const double order = log2(coarse / fine);
  ck_assert_msg(fabs(order - 2) < 0.2, "errors %g and %g, order %g", coarse, fine, order);
}
END_TEST

// More than a turn in a step: the axis is a principal one, so the spin is constant.
START_TEST(fast_spin_about_a_principal_axis_is_kept) {
  static const double turns[] = { 0.5, 0.9, 1, 1.7, 2, 3.2 };   // in a step
  for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
    const double spin = 2 * SN_PI * turns[k] * 100;
    sn_model *m = model_of(model_file("physics/free_body"));
    set_timestep(m, 0.01);
    sn_data *d = data_of(m);
    snd_qvel(d)[5] = spin;
    simulate(m, d, 100);
    ck_assert_double_eq_tol(snd_qvel(d)[5], spin, 1e-9 * spin);
    ck_assert_double_lt(fabs(snd_qvel(d)[3]) + fabs(snd_qvel(d)[4]), 1e-9);
    ck_assert_double_eq_tol(fabs(snd_qpos(d)[4]) + fabs(snd_qpos(d)[5]), 0, 1e-9);
    done_with(m, d);
  }
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(heavy_top_has_order_4);
  TEST(heavy_top_has_order_2_with_momentum);
  TEST(momentum_of_a_free_body_has_order_4);
  TEST(fast_spin_about_a_principal_axis_is_kept);
  FIXTURE(open_frame, close_engine);
  TEST(heavy_top_in_one_frame_has_order_2);
  TEST(momentum_in_one_frame_has_order_2);
}
