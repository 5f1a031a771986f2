// SPDX-License-Identifier: Apache-2.0
//
// What the benchmark of physics (tests/bench_physics) relies on: its truths, against other
// computations of them and published numbers; its performance profiles, against one by hand; its
// set of problems, which must be the same each time; and the benchmarks that no other file of this
// folder has. Models: models/physics.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_physics/problem_set.h"
#include "bench_physics/profile.h"
#include "bench_physics/scenes.h"
#include "bench_physics/truth.h"
#include "default_engine.h"
#include "model_file.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"
#include "temporary_folder.h"

static void open_both(void) {
  open_engine();
  open_folder();
}

static void close_both(void) {
  close_folder();
  close_engine();
}

static void set(sn_model *m, const char *option, const char *value) {
  OK(sn_model_parse_option(m, option, value, error));
}

static void simulate(const sn_model *m, sn_data *d, double time) {
  const double end = snd_time(d)[0] + time;
  while (snd_time(d)[0] < end - 1e-9) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

// ------------------------------------------------------------------ truths

// a'' = -rate^2 sin(a), by the leapfrog method with two step sizes and extrapolation.
static double swing(double start, double rate, double time, int n) {
  const double h = time / n;
  double a = start, w = -0.5 * h * rate * rate * sin(start);
  for (int i = 0; i < n; i++) {
    a += h * w;
    w -= h * rate * rate * sin(a);
  }
  return a;
}

START_TEST(pendulum_angle_solves_its_equation) {
  static const double starts[] = { 0.1, 1.5, 3 };
  for (int i = 0; i < 3; i++) {
    const double coarse = swing(starts[i], 3, 1.7, 20000), fine = swing(starts[i], 3, 1.7, 40000);
    ck_assert_double_eq_tol(pendulum_angle(starts[i], 3, 1.7), (4 * fine - coarse) / 3, 1e-10);
  }
}
END_TEST

// Published with EXUDYN (J. Gerstmayr), for N = 2: where the first joint is after 10 s.
START_TEST(parallelograms_end_where_published) {
  const double a = parallelogram_angle(2, 10);
  ck_assert_double_eq_tol(sin(a), 0.32846, 5e-6);
  ck_assert_double_eq_tol(cos(a), 0.94452, 5e-6);
}
END_TEST

// The engine with four degrees of freedom and springs as tendons, against three equations.
START_TEST(governor_slider_is_that_of_the_engine) {
  enum { N = 50 };
  double truth[N];
  sn_model *m = model_of(model_file("physics/governor"));
  set(m, "integrator", "rk4");
  set(m, "timestep", "1e-4");
  sn_data *d = data_of(m);
  snd_qvel(d)[0] = 6.283185307179586;
  governor_slider(0.01, N, truth);
  for (int i = 0; i < N; i++) {
    simulate(m, d, 0.01);
    ck_assert_double_eq_tol(snd_qpos(d)[3], truth[i], 1e-10);
  }
  done_with(m, d);
}
END_TEST

// About the axis of symmetry of two equal moments of inertia a free body has a closed form: it
// turns by its angular momentum about the axis of that, and by a constant rate about its own.
START_TEST(free_rotation_of_a_symmetric_body) {
  static const double inertia[3] = { 0.02, 0.02, 0.05 }, w[3] = { 1, 0.5, 4 }, time = 0.7;
  const double L[3] = { 0.02 * w[0], 0.02 * w[1], 0.05 * w[2] }, size = sn_norm3(L);
  const double axis[3] = { L[0] / size, L[1] / size, L[2] / size }, z[3] = { 0, 0, 1 };
  double about[4], own[4], want[4], quat[4];
  sn_axisangle_quat(about, axis, size / 0.02 * time);
  sn_axisangle_quat(own, z, (1 - 0.05 / 0.02) * w[2] * time);
  sn_mul_quat(want, about, own);
  free_rotation(inertia, w, time, quat);
  const double sign = want[0] * quat[0] + want[3] * quat[3] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq_tol(sign * quat[i], want[i], 1e-11);
  }
}
END_TEST

START_TEST(dashpot_restitution_by_steps) {
  static const double ratios[] = { 0, 0.07, 0.22, 0.7 };
  for (int i = 0; i < 4; i++) {
    const double z = ratios[i], h = 1e-6;
    double x = 0, v = 1;
    while (2 * z * v + x > 0 || v > 0) {
      v -= h * (2 * z * v + x);
      x += h * v;
    }
    ck_assert_double_eq_tol(dashpot_restitution(z), -v, 1e-5);
  }
  ck_assert_double_eq_tol(dashpot_restitution(1), exp(-2), 1e-12);
  ck_assert_double_eq_tol(dashpot_restitution(1 - 1e-7), exp(-2), 1e-3);
}
END_TEST

// The shortest of many paths that leave the circle at one angle and meet it at another.
START_TEST(path_around_circle_is_the_shortest) {
  const double r = 0.3, a[2] = { -1, 0.1 }, b[2] = { 0.6, 0.2 };
  double shortest = INFINITY;
  for (int i = 0; i < 2000; i++) {
    for (int k = 0; k <= i; k++) {   // from the left over the top
      const double from = SN_PI * i / 2000, to = SN_PI * k / 2000;
      const double p[2] = { r * cos(from), r * sin(from) }, q[2] = { r * cos(to), r * sin(to) };
      // straight parts outside of the circle only
      if ((a[0] - p[0]) * p[0] + (a[1] - p[1]) * p[1] >= 0 &&
          (b[0] - q[0]) * q[0] + (b[1] - q[1]) * q[1] >= 0) {
        shortest = fmin(shortest, hypot(a[0] - p[0], a[1] - p[1]) + r * (from - to) +
                                      hypot(b[0] - q[0], b[1] - q[1]));
      }
    }
  }
  ck_assert_double_eq_tol(path_around_circle(r, a, b), shortest, 1e-5);
  const double far[2] = { 0.6, 2 };
  ck_assert_double_eq(path_around_circle(r, a, far), -1);
}
END_TEST

// ------------------------------------------------------------------ performance profiles

START_TEST(performance_profile_by_hand) {
  // problem 0: a tie; 1: the first fails; 2: the second takes four times as long; 3: both fail
  static const double cost[] = { 2, 2, INFINITY, 3, 1, 4, INFINITY, INFINITY };
  static const double factor[] = { 1, 3.9, 4 };
  static const double want[] = { 0.5, 0.5, 0.5, 0.5, 0.5, 0.75 };
  double share[6];
  performance_profile(cost, 4, 2, factor, 3, share);
  for (int i = 0; i < 6; i++) {
    ck_assert_double_eq(share[i], want[i]);
  }
}
END_TEST

// ------------------------------------------------------------------ the set of problems

static char *bytes_of(const char *path, size_t *n) {
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  fseek(file, 0, SEEK_END);
  *n = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*n);
  ck_assert_uint_eq(fread(bytes, 1, *n, file), *n);
  fclose(file);
  return bytes;
}

START_TEST(problem_set_is_the_same_each_time) {
  char *bytes[2];
  size_t n[2];
  for (int i = 0; i < 2; i++) {
    problem_set set = make_problem_set(0, 7);
    const char *path = in_folder(i ? "second" : "first");
    OK(sn_problems_save(set.problems, path, error));
    bytes[i] = bytes_of(path, &n[i]);
    free_problem_set(&set);
  }
  ck_assert_uint_eq(n[0], n[1]);
  ck_assert_mem_eq(bytes[0], bytes[1], n[0]);
  free(bytes[0]);
  free(bytes[1]);
}
END_TEST

// The largest mass over the smallest, of free bodies, whose first three dofs are translations.
static double mass_ratio(const sn_problem *p) {
  double least = INFINITY, most = 0;
  const sn_inertia *I = p->inertia;
  for (int64_t i = 0; i < p->nv && p->nv % 6 == 0; i += 6) {
    least = fmin(least, I->M[I->adr[i]]);
    most = fmax(most, I->M[I->adr[i]]);
  }
  return most / least;
}

START_TEST(problem_set_has_what_it_says) {
  problem_set set = make_problem_set(_i, 1);
  const int64_t n = sn_problems_count(set.problems);
  int of[PROBLEM_FAMILIES] = { 0 };
  double ratio = 0;
  ck_assert_int_ge(n, 200);
  for (int64_t i = 0; i < n; i++) {
    of[set.family[i]]++;
    ratio = fmax(ratio, mass_ratio(sn_problems_at(set.problems, i)));
  }
  for (int i = 0; i < PROBLEM_FAMILIES; i++) {
    ck_assert_msg(of[i] >= 10, "%s: %d problems", problem_families[i], of[i]);
  }
  ck_assert_double_ge(ratio, _i ? 2e5 : 0.999e6);
  free_problem_set(&set);
}
END_TEST

// ------------------------------------------------------------------ benchmarks

START_TEST(pendulum_of_the_library) {
  sn_model *m = model_of(model_file("physics/pendulum"));
  sn_data *d = data_of(m);
  simulate(m, d, 2);
  const double truth = 0.5 * SN_PI - pendulum_angle(0.5 * SN_PI, sqrt(9.81 / (1 + 1e-6)), 2);
  ck_assert_double_eq_tol(snd_qpos(d)[0], truth, 1e-10);
  done_with(m, d);
}
END_TEST

// Rolling of SimBenchmark: (10 + 25 2/7) a = 150 - 0.4 (10 + 25) g, and 2/7 a of the balls.
START_TEST(plate_that_slides_under_balls) {
  const double angle = _i ? 0.25 * SN_PI : 0.5 * SN_PI;
  const double a = (150 - 0.4 * 35 * 9.81) / (10 + 50 / 7.0);
  OK(sn_select(engine, "solver", "coulomb", error));
  sn_model *m = model_of(model_file("physics/balls_on_plate"));
  sn_data *d = data_of(m);
  simulate(m, d, 0.5);
  snd_qfrc_applied(d)[0] = 150 * cos(angle);
  snd_qfrc_applied(d)[1] = 150 * sin(angle);
  simulate(m, d, 0.5);
  for (int i = 0; i <= 25; i++) {
    const double speed = 0.5 * a * (i ? 2 / 7.0 : 1);
    ck_assert_double_eq_tol(snd_qvel(d)[6 * i], speed * cos(angle), 2e-4);
    ck_assert_double_eq_tol(snd_qvel(d)[6 * i + 1], speed * sin(angle), 2e-4);
  }
  done_with(m, d);
}
END_TEST

// A ball of radius r that rolls, with the coefficient 2 mm: a = 0.002 g / (2/5 r^2 + l^2) of its
// rotation. Its contact point is halfway between the surfaces, at the distance l.
START_TEST(rolling_friction) {
  OK(sn_select(engine, "solver", "coulomb", error));
  sn_model *m = model_of(model_file("physics/rolling_ball"));
  sn_data *d = data_of(m);
  simulate(m, d, 0.5);
  snd_qvel(d)[0] = 2;
  snd_qvel(d)[4] = 20;
  simulate(m, d, 0.1);
  const double before = snd_qvel(d)[4], lever = 0.5 * (0.1 + snd_qpos(d)[2]);
  const double truth = 0.002 * 9.81 / (0.4 * 0.01 + lever * lever);
  simulate(m, d, 0.5);
  ck_assert_double_eq_tol((before - snd_qvel(d)[4]) / 0.5, truth, 5e-4 * truth);
  done_with(m, d);
}
END_TEST

// Straight through, or a helix around the cylinder; the sphere's is in a plane.
START_TEST(tendons_have_the_shortest_length) {
  const double a[3] = { -0.3, 0.02, 0.1 }, b[3] = { 0.25, 0.05, -0.2 };
  sn_model *m = model_of(model_file("physics/wrapped_tendon"));
  sn_data *d = data_of(m);
  memcpy(snd_qpos(d), a, sizeof a);
  memcpy(snd_qpos(d) + 3, b, sizeof b);
  OK(sn_forward(m, d));
  const double flat = path_around_circle(0.1, a, b);
  ck_assert_double_gt(flat, 0);
  ck_assert_double_eq_tol(snd_ten_length(d)[0], hypot(flat, 0.3), 1e-14);
  done_with(m, d);
}
END_TEST

START_TEST(short_muscles_do_not_push) {
  sn_model *m = model_of(model_file("physics/muscle"));
  sn_data *d = data_of(m);
  for (double length = 0.25; length < 1.5; length += 0.05) {
    snd_qpos(d)[0] = (length - 0.75) / 0.3;
    snd_act(d)[0] = 1;
    OK(sn_forward(m, d));
    ck_assert_msg(snd_actuator_force(d)[0] <= 0, "at length %g it pushes", length);
  }
  snd_qpos(d)[0] = (1 - 0.75) / 0.3;
  OK(sn_forward(m, d));
  ck_assert_double_eq_tol(snd_actuator_force(d)[0], -100, 1e-9);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_both, close_both);
  TEST(pendulum_angle_solves_its_equation);
  TEST(parallelograms_end_where_published);
  TEST(governor_slider_is_that_of_the_engine);
  TEST(free_rotation_of_a_symmetric_body);
  TEST(dashpot_restitution_by_steps);
  TEST(path_around_circle_is_the_shortest);
  TEST(performance_profile_by_hand);
  TEST(problem_set_is_the_same_each_time);
  EACH(problem_set_has_what_it_says, 0, 2);
  TEST(pendulum_of_the_library);
  EACH(plate_that_slides_under_balls, 0, 2);
  TEST(rolling_friction);
  TEST(tendons_have_the_shortest_length);
  TEST(short_muscles_do_not_push);
}
