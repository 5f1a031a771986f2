// SPDX-License-Identifier: Apache-2.0
//
// Exact equality constraints: closed loops of the IFToMM library of multibody benchmarks, against
// published numbers, a reduction to one degree of freedom, and a second model of the same
// mechanism; every kind of equality by energy; redundant and contradictory constraints. Models:
// models/physics.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "default_engine.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"

static void set(sn_model *m, const char *option, const char *value) {
  OK(sn_model_parse_option(m, option, value, error));
}

static sn_model *model_with(const char *name, const char *integrator, double h) {
  char step[32];
  sn_model *m = model_of(model_file(name));
  set(m, "exactequality", "enable");
  snprintf(step, sizeof step, "%.17g", h);
  set(m, "integrator", integrator);
  set(m, "timestep", step);
  return m;
}

static void run(const sn_model *m, sn_data *d, double time) {
  sn_option option = { .def_size = sizeof option };
  OK(sn_model_get_option(m, &option));
  const long n = lround(time / option.timestep);
  for (long i = 0; i < n; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

// The largest residual of the equality constraints, and speed along them, at the present state.
static double violation(const sn_model *m, sn_data *d) {
  double most = 0;
  OK(sn_forward(m, d));
  for (int64_t i = 0; i < snd_ne(d); i++) {
    most = fmax(most, fmax(fabs(snd_efc_pos(d)[i]), fabs(snd_efc_vel(d)[i])));
  }
  return most;
}

static double energy(const sn_model *m, sn_data *d) {
  OK(sn_forward(m, d));
  return snd_energy(d)[0] + snd_energy(d)[1];
}

// ------------------------------------------------------------------ Andrews' mechanism

// The seven angles after 30 ms. F. Mazzia, C. Magherini, Test Set for Initial Value Problem
// Solvers, 2008, part II-4: the reference solution, by PSIDE.
static const double published[7] = {   // in the order of the joints of the model
  15.81077119629904, -15.75637105984298, 0.04082224013073101, 0.5244099658805304,
  -0.5347301163226948, 1.048080741042263, 0.5347301163226948
};

static double andrews_error(const char *integrator, double h) {
  sn_model *m = model_with("physics/andrews", integrator, h);
  sn_data *d = data_of(m);
  double most = 0;
  OK(sn_reset_key(m, d, 0));
  run(m, d, 0.03);
  for (int i = 0; i < 7; i++) {
    most = fmax(most, fabs(snd_qpos(d)[i] - published[i]));
  }
  ck_assert_double_lt(violation(m, d), 1e-9);
  ck_assert_int_eq(snd_nwarning(d), 0);
  done_with(m, d);
  return most;
}

START_TEST(andrews_mechanism) {
  ck_assert_double_lt(andrews_error("rk4", 1e-4), 5e-6);
  ck_assert_double_lt(andrews_error("rk4", 1e-5), 2e-9);
  ck_assert_double_lt(andrews_error("momentum", 1e-5), 1e-4);
  ck_assert_double_lt(andrews_error("euler", 1e-5), 1e-2);
}
END_TEST

// ------------------------------------------------------------------ parallelograms

// All upright rods turn alike, with 3 rods that turn and 2 that only move: with the angle a from
// the vertical, (3 / 3 + 2) a'' = g (3 / 2 + 2) sin(a).
static double parallelogram_angle(double time) {
  const double k = 9.81 * 3.5 / 3, h = 1e-4;
  double a = 0, w = 1;
  for (long i = lround(time / h); i > 0; i--) {
    const double a1 = w, w1 = k * sin(a);
    const double a2 = w + h / 2 * w1, w2 = k * sin(a + h / 2 * a1);
    const double a3 = w + h / 2 * w2, w3 = k * sin(a + h / 2 * a2);
    const double a4 = w + h * w3, w4 = k * sin(a + h * a3);
    a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  return a;
}

static double parallelogram_error(const char *integrator, const char *solver, double h) {
  sn_model *m = model_with("physics/four_bars", integrator, h);
  set(m, "solver", solver);
  sn_data *d = data_of(m);
  OK(sn_reset_key(m, d, 0));
  run(m, d, 10);
  const double angle = snd_qpos(d)[0];
  ck_assert_double_lt(violation(m, d), 1e-9);
  ck_assert_int_eq(snd_nwarning(d), 0);
  done_with(m, d);
  return fabs(angle - parallelogram_angle(10));
}

// The loops pass the pose in which all rods lie on a line 20 times: there the rows are nearly
// dependent, and what rounding leaves is larger.
START_TEST(parallelograms) {
  ck_assert_double_lt(parallelogram_error("rk4", "newton", 1e-3), 1e-7);
  ck_assert_double_lt(parallelogram_error("rk4", "coulomb", 1e-3), 1e-7);
  ck_assert_double_lt(parallelogram_error("rk4", "cg", 1e-3), 1e-6);
  ck_assert_double_lt(parallelogram_error("momentum", "newton", 1e-3), 1e-3);
  ck_assert_double_lt(parallelogram_error("euler", "newton", 1e-3), 1e-2);
}
END_TEST

// Some steps of these runs end within 1e-5 rad of such a pose. There the correction along the
// normals at the start of a step, and the acceleration that keeps J v, are without bound.
START_TEST(singular_poses_are_passed) {
  const double h = 0.002 * pow(6, _i / 30.0);
  sn_model *m = model_with("physics/four_bars", "momentum", h);
  sn_data *d = data_of(m);
  OK(sn_reset_key(m, d, 0));
  const double before = energy(m, d);
  run(m, d, 15);
  const double after = energy(m, d);
  ck_assert_double_lt(violation(m, d), 1e-9);
  // it is 68.7 J to the top
  ck_assert_msg(fabs(after - before) < 1, "h %g: %g J more", h, after - before);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ Bricard's mechanism

static double bricard(const char *name, double h, double *drift) {
  sn_model *m = model_with(name, "rk4", h);
  sn_data *d = data_of(m);
  const double before = energy(m, d);
  run(m, d, 2.3);
  *drift = fabs(energy(m, d) - before);
  const double angle = snd_qpos(d)[0];
  ck_assert_double_lt(violation(m, d), 1e-9);
  ck_assert_int_eq(snd_nwarning(d), 0);
  done_with(m, d);
  return angle;
}

// Two models of it, whose loops are cut at different hinges, and the order of the method.
START_TEST(bricard_mechanism) {
  double drift[4];
  const double truth = bricard("physics/bricard", 1e-3, &drift[0]);
  const double h1 = bricard("physics/bricard_cut", 2e-3, &drift[1]);
  const double h2 = bricard("physics/bricard_cut", 1e-3, &drift[2]);
  const double h4 = bricard("physics/bricard_cut", 5e-4, &drift[3]);
  ck_assert_double_eq_tol(h4, truth, 1e-7);
  ck_assert_double_lt(drift[0], 1e-10);
  ck_assert_double_gt(fabs(h1 - truth) / fabs(h2 - truth), 12);   // order 4: 16
  ck_assert_double_gt(fabs(h2 - truth) / fabs(h4 - truth), 12);
}
END_TEST

// ------------------------------------------------------------------ kinds

static double kinds_drift(double h) {
  sn_model *m = model_with("physics/exact_kinds", "rk4", h);
  sn_data *d = data_of(m);
  const double before = energy(m, d);
  double drift = 0;
  for (int i = 0; i < 25; i++) {
    run(m, d, 0.04);
    ck_assert_double_lt(violation(m, d), 1e-9);
    drift = fmax(drift, fabs(energy(m, d) - before));
  }
  ck_assert_int_eq(snd_nwarning(d), 0);
  done_with(m, d);
  return drift;
}

// Their forces do no work, and the references leave nothing to the projection: energy has the order
// of the method.
START_TEST(every_kind_conserves_energy) {
  const double coarse = kinds_drift(4e-3), fine = kinds_drift(2e-3);
  ck_assert_double_lt(fine, 1e-6);
  ck_assert_msg(coarse / fine > 10, "%g %g", coarse, fine);
}
END_TEST

// A point that runs around a circle, held by a distance alone.
static const char circle[] =
    "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><site name='o'/>"
    "<body pos='1 0 0'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
    "<geom size='.1'/><site name='p'/></body></worldbody>"
    "<tendon><spatial name='t'><site site='o'/><site site='p'/></spatial></tendon>"
    "<equality><tendon tendon1='t' exact='true'/></equality></mujoco>";

// With Euler's method, too, which turns by 0.05 rad in a step.
START_TEST(speed_stays_on_a_circle) {
  sn_model *m = model_of(circle);
  sn_data *d = data_of(m);
  snd_qvel(d)[1] = 5;
  for (int i = 0; i < 10000; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  ck_assert_double_eq_tol(hypot(snd_qvel(d)[0], snd_qvel(d)[1]), 5, 1e-3);
  ck_assert_double_eq_tol(hypot(1 + snd_qpos(d)[0], snd_qpos(d)[1]), 1, 1e-12);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ stiff loops

// A window of two uprights of 1 and 5 kg and a beam of 1 kg, all of 1 m; the first hinge is braced.
// TIMES repeats the constraint. It turns by the angle a as one degree of freedom, with the weight
// 4 g sin(a).
#define TIMES1 "<connect site1='e' site2='t' exact='true'/>"
#define TIMES2 TIMES1 TIMES1
#define WINDOW(brace, times)                                                                       \
  "<mujoco><option timestep='.01'/><default><joint axis='0 1 0'/></default><worldbody>"            \
  "<body><joint " brace "/><inertial pos='0 0 .5' mass='1' diaginertia='.08 .08 1e-4'/>"           \
  "<body pos='0 0 1'><joint/><inertial pos='.5 0 0' mass='1' diaginertia='1e-4 .08 .08'/>"         \
  "<site name='e' pos='1 0 0'/></body></body>"                                                     \
  "<body pos='1 0 0'><joint/><inertial pos='0 0 .5' mass='5' diaginertia='.08 .08 1e-4'/>"         \
  "<site name='t' pos='0 0 1'/></body></worldbody><equality>" times "</equality>"                  \
  "<keyframe><key qpos='.01 -.01 .01'/></keyframe></mujoco>"

static double window_after(const char *text, const char *integrator, double time) {
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  set(m, "integrator", integrator);
  OK(sn_reset_key(m, d, 0));
  run(m, d, time);
  const double angle = snd_qpos(d)[0];
  ck_assert_double_lt(violation(m, d), 1e-9);
  ck_assert_int_eq(snd_nwarning(d), 0);
  done_with(m, d);
  return angle;
}

static const char *const implicits[] = { "backward_euler", "implicit", "implicitfast", "euler" };

// A damper 2e4 times too strong for the step, if it were explicit: c a' = 4 g a.
START_TEST(strong_dampers_in_a_loop) {
  const double truth = 0.01 * exp(4 * 9.81 / 1e5);
  const double once = window_after(WINDOW("damping='1e5'", TIMES1), implicits[_i], 1);
  const double twice = window_after(WINDOW("damping='1e5'", TIMES2), implicits[_i], 1);
  ck_assert_double_eq_tol(once, truth, 1e-9);
  ck_assert_double_eq_tol(twice, once, 1e-12);
}
END_TEST

// A spring of a hundred periods in a step, in a method that is implicit in position: the method
// brings it to rest.
START_TEST(strong_springs_in_a_loop) {
  const double once = window_after(WINDOW("stiffness='1e8'", TIMES1), "backward_euler", 1);
  const double twice = window_after(WINDOW("stiffness='1e8'", TIMES2), "backward_euler", 1);
  ck_assert_double_lt(fabs(once), 1e-9);
  ck_assert_double_lt(fabs(twice), 1e-9);
}
END_TEST

// ------------------------------------------------------------------ awkward sets

#define BALL_AND(equality)                                                                       \
  "<mujoco><worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/>"                  \
  "<site name='s' pos='0 0 .1'/></body><site name='w' pos='0 0 1.1'/><site name='x' pos='0 .1 1.1'/>" \
  "</worldbody><equality>" equality "</equality></mujoco>"
#define HOLD "<connect site1='s' site2='w' exact='true'/>"

START_TEST(repeated_constraints_are_one) {
  double q[2][7];
  for (int k = 0; k < 2; k++) {
    sn_model *m = model_of(k ? BALL_AND(HOLD HOLD HOLD) : BALL_AND(HOLD));
    sn_data *d = data_of(m);
    snd_qvel(d)[3] = 2;
    snd_qvel(d)[1] = 0.2;
    run(m, d, 1);
    memcpy(q[k], snd_qpos(d), sizeof q[k]);
    ck_assert_int_eq(snd_nwarning(d), 0);
    done_with(m, d);
  }
  for (int i = 0; i < 7; i++) {
    ck_assert_double_eq_tol(q[0][i], q[1][i], 1e-9);
  }
}
END_TEST

START_TEST(contradictions_are_named) {
  sn_model *m = model_of(BALL_AND(HOLD "<connect name='other' site1='s' site2='x' exact='true'/>"));
  sn_data *d = data_of(m);
  run(m, d, 0.5);
  ck_assert_int_gt(sn_data_warning_count(d, SN_WARN_EQUALITY), 0);
  for (int i = 0; i < 7; i++) {
    ck_assert(isfinite(snd_qpos(d)[i]) && fabs(snd_qpos(d)[i]) < 2);
  }
  done_with(m, d);
}
END_TEST

// Out of place by 10 cm at the start: closed by the first step, without a blow, and kept.
START_TEST(open_loops_are_closed) {
  sn_model *m = model_of(BALL_AND("<connect site1='s' site2='x' exact='true'/>"));
  sn_data *d = data_of(m);
  OK(sn_step(m, d));
  ck_assert_double_lt(violation(m, d), 1e-9);
  for (int i = 0; i < 6; i++) {
    ck_assert_double_lt(fabs(snd_qvel(d)[i]), 0.5);
  }
  ck_assert_int_eq(snd_nwarning(d), 0);
  done_with(m, d);
}
END_TEST

// Its derivative is that of the projected step: a step from a perturbed state is predicted.
START_TEST(derivatives_include_the_projection) {
  enum { NV = 5, N = 2 * NV };
  sn_model *m = model_with("physics/four_bars", "euler", 1e-3);
  sn_data *d = data_of(m), *other = data_of(m);
  double A[N * N], change[N], v[N], eps = 1e-5;
  OK(sn_reset_key(m, d, 0));
  run(m, d, 0.3);
  OK(sn_transition_fd(m, d, 1e-6, 1, A, NULL, NULL, NULL));
  OK(sn_data_copy(m, other, d));
  for (int i = 0; i < N; i++) {
    v[i] = eps * (i % 3 - 1);
  }
  sn_integrate_position(m, snd_qpos(other), v, 1);
  for (int i = 0; i < NV; i++) {
    snd_qvel(other)[i] += v[NV + i];
  }
  OK(sn_step(m, d));
  OK(sn_step(m, other));
  sn_differentiate_position(m, change, 1, snd_qpos(d), snd_qpos(other));
  for (int i = 0; i < N; i++) {
    double sum = i < NV ? -change[i] : snd_qvel(d)[i - NV] - snd_qvel(other)[i - NV];
    for (int k = 0; k < N; k++) {
      sum += A[i * N + k] * v[k];
    }
    ck_assert_msg(fabs(sum) < 1e-3 * eps, "%d: %g", i, sum);
  }
  sn_data_free(other);
  done_with(m, d);
}
END_TEST

START_TEST(inverse_dynamics_refuses) {
  sn_model *m = model_of(BALL_AND(HOLD));
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_inverse(m, d), SN_EUNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(sn_error_message(sn_data_error(d)), "equality 0"));
  snd_eq_enabled(d)[0] = 0;
  ck_assert_int_eq(sn_inverse(m, d), SN_OK);
  done_with(m, d);
}
END_TEST

// A line of the configuration makes all of them exact, and a disabled one holds nothing.
START_TEST(one_line_selects_it) {
  OK(sn_engine_set(engine, "option.exactequality", "enable", error));
  sn_model *m = model_of(BALL_AND("<connect site1='s' site2='w'/>"));
  sn_data *d = data_of(m);
  snd_qvel(d)[3] = 5;
  run(m, d, 0.2);
  ck_assert_double_lt(violation(m, d), 1e-9);
  snd_eq_enabled(d)[0] = 0;
  const double z = snd_qpos(d)[2];
  run(m, d, 0.2);
  ck_assert_double_lt(snd_qpos(d)[2], z - 0.1);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(andrews_mechanism);
  TEST(parallelograms);
  EACH(singular_poses_are_passed, 0, 30);
  TEST(bricard_mechanism);
  TEST(every_kind_conserves_energy);
  TEST(speed_stays_on_a_circle);
  EACH(strong_dampers_in_a_loop, 0, 4);
  TEST(strong_springs_in_a_loop);
  TEST(repeated_constraints_are_one);
  TEST(contradictions_are_named);
  TEST(open_loops_are_closed);
  TEST(derivatives_include_the_projection);
  TEST(inverse_dynamics_refuses);
  TEST(one_line_selects_it);
}
