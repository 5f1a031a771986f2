// SPDX-License-Identifier: Apache-2.0
//
// The profile `robust` with its own settings, against closed forms of rigid bodies with Coulomb
// friction, and stacks that must stand; and the promise of its solver that accelerations follow
// from forces, converged or not, on the problems of the benchmark. Models: models/physics and
// bench_physics/scenes.c.

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench_physics/problem_set.h"
#include "bench_physics/scenes.h"
#include "coulomb_scenes.h"
#include "temporary_folder.h"

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

// Rolling of SimBenchmark, pushed with 150 N: (10 + 25 2/7) a = 150 - 0.4 (10 + 25) g.
START_TEST(plate_that_slides_under_balls) {
  const double acceleration = (150 - 0.4 * 35 * gravity) / (10 + 50 / 7.0);
  check_plate_on_balls("physics/balls_on_plate", 0.5, 150, acceleration, 2 / 7.0);
}
END_TEST

START_TEST(sliding_box_does_not_hop) {
  check_sliding_box(20, 1e-6);
}
END_TEST

START_TEST(box_slides_down_a_slope) {
  check_steep_slope(0.51);
}
END_TEST

START_TEST(box_rests_on_a_slope) {
  check_flat_slope();
}
END_TEST

START_TEST(grip_holds) {
  check_grip();
}
END_TEST

START_TEST(heavy_box_on_a_light_one) {
  check_heavy_box(heavy_box_scene(1000));
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

// Boxes side by side in courses, each on two of the course below, with a box of this mass on top if
// it is not 0.
static const char *pyramid(double top) {
  enum { COURSES = 5 };
  static char text[8192];
  int used = snprintf(text, sizeof text,
                      "<mujoco><option cone='elliptic'/><worldbody>"
                      "<geom type='plane' size='9 9 1'/>");
  for (int i = 0; i < COURSES; i++) {
    for (int k = 0; k <= COURSES - i; k++) {
      used += snprintf(text + used, sizeof text - (size_t)used,
                       "<body pos='%.17g 0 %.17g'><freejoint/>"
                       "<geom type='box' size='.1 .1 .05' mass='1'/></body>",
                       0.21 * k + 0.105 * i, 0.05 + 0.1 * i);
    }
  }
  if (top > 0) {
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "<body pos='%g 0 %g'><freejoint/>"
                     "<geom type='box' size='.3 .1 .1' mass='%g'/></body>",
                     0.105 * COURSES, 0.1 * COURSES + 0.1, top);
  }
  snprintf(text + used, sizeof text - (size_t)used, "</worldbody></mujoco>");
  return text;
}

// Scenes with many more contacts than equilibrium needs, which come to rest as rigid bodies: no
// softer contacts remain from the search for forces while they settle. `crown`: index in qpos of
// the height of the highest body.
typedef struct resting {
  const char *(*scene)(double parameter);
  double parameter, start, depth;   // height of the crown at the start, and how deep it may sink
  int64_t crown;
} resting;

static const resting rests[] = {
  { stack_scene, 30, 5.9, 1e-6, 7 * 29 + 2 },
  { arch_scene, 0.15, 1, 1e-3, 7 * 5 + 2 },
  { pyramid, 0, 0.45, 1e-7, 7 * 18 + 2 },
  { pyramid, 1000, 0.6, 1e-5, 7 * 20 + 2 },
};
enum { RESTS = sizeof rests / sizeof *rests };

START_TEST(rest_is_rigid) {
  enum { STEPS = 100 };
  const resting *r = &rests[_i];
  sn_model *m = model_of(r->scene(r->parameter));
  sn_data *d = data_of(m);
  simulate(m, d, 2);
  const double height = snd_qpos(d)[r->crown], time = snd_time(d)[0];
  for (int i = 0; i < STEPS; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    ck_assert_int_le(snd_solver_iter(d), 1);
  }
  const double speed = fabs(snd_qpos(d)[r->crown] - height) / (snd_time(d)[0] - time);
  ck_assert_msg(speed < 1e-6, "the crown moves at %g m/s", speed);
  ck_assert_msg(r->start - height < r->depth, "%g m deep", r->start - height);
  done_with(m, d);
}
END_TEST

// With the integrator `euler` and all courses at a depth of 0 at the start most steps are softened
// for 2 s, then none is, and the creep ends.
START_TEST(pyramid_comes_to_rest) {
  sn_model *m = model_of(model_file("physics/pyramid"));
  OK(sn_model_parse_option(m, "integrator", "euler", error));
  sn_data *d = data_of(m);
  simulate(m, d, 4);
  const int64_t n = snm_nq(m);
  double *start = malloc((size_t)n * sizeof *start), most = 0;
  memcpy(start, snd_qpos(d), (size_t)n * sizeof *start);
  simulate(m, d, 0.5);
  for (int64_t i = 0; i < n; i++) {
    most = fmax(most, fabs(snd_qpos(d)[i] - start[i]));
  }
  ck_assert_msg(most / 0.5 < 1e-7, "positions creep at %g m/s", most / 0.5);
  free(start);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ derivatives

static int flaws;   // warnings of sn_transition_fd
static char flaw[1024];

static void note_flaw(void *context, int32_t level, const char *topic, const char *text) {
  (void)context;
  if (level == SN_LOG_WARNING && strcmp(topic, "derivatives") == 0) {
    flaws++;
    snprintf(flaw, sizeof flaw, "%s", text);
  }
}

static double largest_derivative(const sn_model *m, sn_data *d, double eps) {
  const int64_t n = 2 * snm_nv(m);
  double *A = malloc((size_t)(n * n) * sizeof *A), most = 0;
  OK(sn_transition_fd(m, d, eps, 1, A, NULL, NULL, NULL));
  for (int64_t i = 0; i < n * n; i++) {
    most = fmax(most, fabs(A[i]));
  }
  free(A);
  return most;
}

// Contacts of a stack are 2 to 9 nm deep: smaller differences are derivatives, the same for each
// size; larger ones open contacts, which is logged, once.
START_TEST(differences_within_contacts_are_derivatives) {
  sn_model *m = model_of(stack_scene(5));
  sn_data *d = data_of(m);
  flaws = 0;
  sn_engine_set_log(engine, note_flaw, NULL);
  simulate(m, d, 2);
  const double finest = largest_derivative(m, d, 1e-10), fine = largest_derivative(m, d, 1e-9);
  ck_assert_msg(fabs(fine - finest) < 1e-4 * fine, "%g and %g", fine, finest);
  ck_assert_double_lt(fine, 10);
  ck_assert_int_eq(flaws, 0);
  for (int i = 0; i < 2; i++) {
    ck_assert_double_gt(largest_derivative(m, d, 1e-7), 1e5);
    ck_assert_int_eq(flaws, 1);
  }
  ck_assert_msg(strstr(flaw, "reduce eps (the shallowest contact is 2.2e-09 m deep)") != NULL, "%s",
                flaw);
  sn_engine_set_log(engine, NULL, NULL);
  done_with(m, d);
}
END_TEST

START_TEST(differences_of_softened_steps_are_reported) {
  enum { BODIES = 20, MOST = 500 };
  sn_model *m = model_of(heap_scene(BODIES, 1000));
  sn_data *d = data_of(m);
  flaws = 0;
  sn_engine_set_log(engine, note_flaw, NULL);
  OK(sn_forward(m, d));
  for (int i = 0; i < MOST && snd_nsoftened(d) == 0; i++) {
    OK(sn_step(m, d));
    OK(sn_forward(m, d));
  }
  largest_derivative(m, d, 1e-10);
  ck_assert_int_ge(flaws, 1);
  ck_assert_msg(strstr(flaw, "made contacts softer") && strstr(flaw, "use the solver 'newton'"),
                "%s", flaw);
  sn_engine_set_log(engine, NULL, NULL);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ accelerations

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
  problem_set set = make_problem_set(0, 3);
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
  EACH(rest_is_rigid, 0, RESTS);
  TEST(pyramid_comes_to_rest);
  TEST(differences_within_contacts_are_derivatives);
  TEST(differences_of_softened_steps_are_reported);
  TEST(accelerations_follow_from_forces);
}
