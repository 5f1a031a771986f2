// SPDX-License-Identifier: Apache-2.0
//
// The profile `robust` with its own settings, against closed forms of rigid bodies with Coulomb
// friction, and stacks that must stand; and the promise of its solver that accelerations follow
// from forces, converged or not, on the problems of the benchmark. Models: models/physics and
// bench_physics/scenes.c.

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench_physics/problem_set.h"
#include "bench_physics/scenes.h"
#include "default_engine.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"
#include "temporary_folder.h"

static const double gravity = 9.81;

// The profile of the source tree, where an engine looks for those of a user.
static void open_robust(void) {
  open_folder();
  ck_assert_int_eq(mkdir(in_folder("sinew"), 0700), 0);
  ck_assert_int_eq(symlink(SN_TEST_SOURCE "/sdk/profiles", in_folder("sinew/profiles")), 0);
  setenv("XDG_CONFIG_HOME", in_folder(""), 1);
  const sn_engine_request request = { .size = sizeof request,
                                      .config = SN_TEST_BUILD "/sinew.ini",
                                      .profile = "robust" };
  error = sn_error_new();
  engine = sn_engine_open_with(&request, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
}

static void close_robust(void) {
  unsetenv("XDG_CONFIG_HOME");
  close_engine();
  close_folder();
}

static void simulate(const sn_model *m, sn_data *d, double time) {
  const double end = snd_time(d)[0] + time;
  while (snd_time(d)[0] < end - 1e-9) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

static void incline(sn_model *m, double tangent) {
  const double c = 1 / sqrt(1 + tangent * tangent);
  char text[96];
  snprintf(text, sizeof text, "%.17g 0 %.17g", gravity * tangent * c, -gravity * c);
  OK(sn_model_parse_option(m, "gravity", text, error));
}

// Rolling of SimBenchmark, pushed with 150 N: (10 + 25 2/7) a = 150 - 0.4 (10 + 25) g.
START_TEST(plate_that_slides_under_balls) {
  const double a = (150 - 0.4 * 35 * gravity) / (10 + 50 / 7.0);
  sn_model *m = model_of(model_file("physics/balls_on_plate"));
  sn_data *d = data_of(m);
  simulate(m, d, 0.5);
  const double begin = snd_time(d)[0];
  double sum = 0;
  int64_t n = 0;
  snd_qfrc_applied(d)[0] = 150;
  while (snd_time(d)[0] < begin + 1) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    const double speed = a * (snd_time(d)[0] - begin);
    for (int i = 0; i <= 25; i++, n++) {
      const double off = snd_qvel(d)[6 * i] - (i ? speed * 2 / 7 : speed);
      sum += off * off;
    }
  }
  ck_assert_msg(sum / (double)n < 1e-7, "mean squared error: %g m2/s2", sum / (double)n);
  done_with(m, d);
}
END_TEST

START_TEST(sliding_box_does_not_hop) {
  const double speed = 20, way = speed * speed / (2 * gravity);
  sn_model *m = model_of(model_file("physics/sliding_box"));
  sn_data *d = data_of(m);
  simulate(m, d, 1);
  const double height = snd_qpos(d)[2], start = snd_qpos(d)[0];
  double top = height;
  snd_qvel(d)[0] = speed;
  for (int i = 0; i < 2000; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    top = fmax(top, snd_qpos(d)[2]);
  }
  ck_assert_msg(top - height < 1e-6, "it hops %g m", top - height);
  ck_assert_double_eq_tol(snd_qpos(d)[0] - start, way, 2 * speed * 0.002);
  done_with(m, d);
}
END_TEST

START_TEST(box_slides_down_a_slope) {
  const double t = 0.51, want = gravity * (t - 0.5) / sqrt(1 + t * t);
  sn_model *m = model_of(model_file("physics/box_on_slope"));
  incline(m, t);
  sn_data *d = data_of(m);
  simulate(m, d, 1);
  const double before = snd_qvel(d)[0], begin = snd_time(d)[0];
  simulate(m, d, 1);
  const double got = (snd_qvel(d)[0] - before) / (snd_time(d)[0] - begin);
  ck_assert_msg(fabs(got / want - 1) < 5e-5, "acceleration / truth is %.6f", got / want);
  done_with(m, d);
}
END_TEST

START_TEST(box_rests_on_a_slope) {
  sn_model *m = model_of(model_file("physics/box_on_slope"));
  incline(m, 0.25);
  sn_data *d = data_of(m);
  simulate(m, d, 3);
  ck_assert_msg(fabs(snd_qvel(d)[0]) < 1e-7, "it creeps at %g m/s", snd_qvel(d)[0]);
  done_with(m, d);
}
END_TEST

START_TEST(grip_holds) {
  sn_model *m = model_of(model_file("physics/grip"));
  sn_data *d = data_of(m);
  snd_ctrl(d)[0] = snd_ctrl(d)[1] = 1;
  simulate(m, d, 3);
  ck_assert_msg(fabs(snd_qvel(d)[4]) < 1e-7, "it slips at %g m/s", snd_qvel(d)[4]);
  done_with(m, d);
}
END_TEST

START_TEST(heavy_box_on_a_light_one) {
  sn_model *m = model_of(heavy_box_scene(1000));
  sn_data *d = data_of(m);
  simulate(m, d, 3);
  const double lower = snd_qpos(d)[2], upper = snd_qpos(d)[9];
  ck_assert_double_lt(0.1 - lower, 1e-5);
  ck_assert_double_lt(0.2 - (upper - lower), 1e-5);
  done_with(m, d);
}
END_TEST

static const double stacks[] = { 10, -10, 20, -20, 30, -30 };
enum { STACKS = sizeof stacks / sizeof *stacks };

// Aligned boxes, and, where the number is negative, boxes that are shifted by 1 mm: they come to
// rest, and never have more energy than at the start.
START_TEST(stack_stands) {
  sn_model *m = model_of(stack_scene(stacks[_i]));
  OK(sn_model_parse_option(m, "energy", "enable", error));
  sn_data *d = data_of(m);
  OK(sn_forward(m, d));
  const double start = snd_energy(d)[0] + snd_energy(d)[1];
  for (int i = 0; i < 1000; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    const double now = snd_energy(d)[0] + snd_energy(d)[1];
    ck_assert_msg(now < start + 1e-9 * fabs(start), "step %d: %g J more", i, now - start);
  }
  for (int64_t i = 0; i < snm_nv(m); i++) {
    ck_assert_msg(fabs(snd_qvel(d)[i]) < 1e-6, "dof %d moves at %g", (int)i, snd_qvel(d)[i]);
  }
  done_with(m, d);
}
END_TEST

// The largest element of J' f.
static double force_scale(const sn_problem *p, const double *force) {
  double *sum = calloc((size_t)p->nv, sizeof *sum), most = 0;
  for (int64_t i = 0; i < p->nefc; i++) {
    for (int32_t k = p->J.adr[i]; k < p->J.adr[i] + p->J.nnz[i]; k++) {
      sum[p->J.col[k]] += p->J.val[k] * force[i];
    }
  }
  for (int64_t i = 0; i < p->nv; i++) {
    most = fmax(most, fabs(sum[i]));
  }
  free(sum);
  return most;
}

// Few iterations stop the solver nearly everywhere, many nearly nowhere.
START_TEST(accelerations_follow_from_forces) {
  static const int limits[] = { 1, 5, 30, 100 };
  problem_set set = make_problem_set(3);
  int open = 0;
  for (int64_t i = 0; i < sn_problems_count(set.problems); i++) {
    sn_problem p = *sn_problems_at(set.problems, i);
    double *qacc = calloc((size_t)p.nv, sizeof *qacc), residual[2];
    double *force = calloc((size_t)p.nefc, sizeof *force);
    int32_t *state = calloc((size_t)p.nefc, sizeof *state);
    sn_solution s = { .size = sizeof s, .qacc = qacc, .force = force, .state = state };
    for (int k = 0; k < 4; k++) {
      p.iterations = limits[k];
      const sn_status status = sn_problem_solve(engine, "coulomb", &p, &s, error);
      ck_assert_int_ge(status, 0);
      open += status == SN_NOT_CONVERGED;
      sn_problem_evaluate_coulomb(&p, &s, residual);
      const double scale = force_scale(&p, force);
      ck_assert_msg(residual[0] <= 1e-7 * scale + 10 * p.tolerance / p.scale,
                    "problem %d, %d iterations: dynamics are off by %g of %g", (int)i, limits[k],
                    residual[0], scale);
    }
    free(qacc);
    free(force);
    free(state);
  }
  ck_assert_int_gt(open, 0);
  free_problem_set(&set);
}
END_TEST

TESTS() {
  FIXTURE(open_robust, close_robust);
  TEST(plate_that_slides_under_balls);
  TEST(sliding_box_does_not_hop);
  TEST(box_slides_down_a_slope);
  TEST(box_rests_on_a_slope);
  TEST(grip_holds);
  TEST(heavy_box_on_a_light_one);
  EACH(stack_stands, 0, STACKS);
  TEST(accelerations_follow_from_forces);
}
