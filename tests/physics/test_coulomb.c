// SPDX-License-Identifier: Apache-2.0
//
// The solver `coulomb` against closed forms of rigid bodies with Coulomb friction, where the convex
// model of contacts differs visibly: rolling (a plate on balls, after the benchmark Rolling of
// SimBenchmark, J. Hwangbo and others), sliding, creep, a grip (the subject of MuJoCo issue 3328,
// with other numbers), a ratio of masses, and a pile. Models: models/physics.

#include "bench_physics/scenes.h"
#include "coulomb_scenes.h"

static void open_coulomb(void) {
  open_engine();
  OK(sn_select(engine, "solver", "coulomb", error));
}

// Balls roll on the floor and under the plate: they have half of its acceleration a, and
// m a / 2 = f + g, 2/5 m a / 2 = f - g for the forces f of the plate and g of the floor on each.
START_TEST(plate_on_balls) {
  const double push = 50, plate = 10, balls = 25;
  check_plate_on_balls("physics/rolling", 2, push, push / (plate + 0.35 * balls), 0.5);
}
END_TEST

static const double speeds[] = { 1, 5, 20 };
enum { SPEEDS = sizeof speeds / sizeof *speeds };

START_TEST(sliding_box_does_not_hop) {
  check_sliding_box(speeds[_i], 1e-4);
}
END_TEST

static const double tangents[] = { 0.51, 0.6, 0.75 };
enum { TANGENTS = sizeof tangents / sizeof *tangents };

START_TEST(box_slides_down_a_slope) {
  check_steep_slope(tangents[_i]);
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

// With a small regularizer of normal rows.
START_TEST(heavy_box_on_a_light_one) {
  OK(sn_engine_set(engine, "plugin.coulomb.normal", "1e-5", error));
  check_heavy_box(model_file("physics/heavy_on_light"));
}
END_TEST

// In a pile that falls together contacts stick, slip and open all the time. The solver converges in
// nearly every step, in a few times the 2.5 iterations that `newton` takes on the convex problem,
// and the boxes come to rest on the floor.
static const char *const normals[] = { "1", "1e-3", "1e-5" };
enum { NORMALS = sizeof normals / sizeof *normals };

START_TEST(pile_settles) {
  enum { STEPS = 1000, BOXES = 8, MOST = 20 };
  OK(sn_engine_set(engine, "plugin.coulomb.normal", normals[_i], error));
  sn_model *m = model_of(model_file("physics/pile"));
  sn_data *d = data_of(m);
  int open = 0;
  int64_t iterations = 0;
  for (int i = 0; i < STEPS; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    open += snd_nunconverged(d) > 0;
    iterations += snd_solver_iter(d);
  }
  ck_assert_msg(open <= STEPS / 100, "the solver did not converge in %d of %d steps", open, STEPS);
  ck_assert_msg(iterations <= MOST * STEPS, "%g iterations a step", (double)iterations / STEPS);
  for (int i = 0; i < BOXES; i++) {
    ck_assert_double_gt(snd_qpos(d)[7 * i + 2], 0.025);
    ck_assert_double_lt(snd_qpos(d)[7 * i + 2], 0.3);
  }
  done_with(m, d);
}
END_TEST

// In steps that are hard to solve contacts are softer than the parameters say, which is counted and
// a warning; never where the parameters leave them as soft as those of the convex problem.
static const struct {
  const char *friction;
  int can_soften;
} softness[] = { { "1e-5", 1 }, { "1", 0 } };

START_TEST(softer_contacts_are_counted) {
  enum { STEPS = 100 };
  OK(sn_engine_set(engine, "plugin.coulomb.friction", softness[_i].friction, error));
  sn_model *m = model_of(model_file("physics/pile"));
  sn_data *d = data_of(m);
  int64_t softer = 0;
  for (int i = 0; i < STEPS; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    ck_assert_int_le(snd_nsoftened(d), snd_ncon(d));
    softer += snd_nsoftened(d) > 0;
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_SOFTENED), softer);
  }
  ck_assert_int_eq(softer > 0, softness[_i].can_soften);
  ck_assert_str_eq(sn_data_warning_name(SN_WARN_SOFTENED), "softer contacts");
  done_with(m, d);
}
END_TEST

// At rest the forces of the warm start are right, but for the rounding of positions now and then; a
// stack of 30 boxes takes one iteration. They are right, not only old: they carry the weight, a
// push that begins or ends is searched for, and so is everything without a warm start.
static const struct { int boxes, percent; } resting[] = { { 2, 25 }, { 30, 100 } };

static int64_t iterations_of(const sn_model *m, sn_data *d, int steps) {
  int64_t n = 0;
  for (int i = 0; i < steps; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    ck_assert_int_eq(snd_nunconverged(d), 0);
    n += snd_solver_iter(d);
  }
  return n;
}

// The weight of all boxes is on the floor: the sum of its normal forces, by Newton's second law.
static double carried(const sn_model *m, sn_data *d) {
  double sum = 0;
  for (int64_t i = 0; i < snd_ncon(d); i++) {
    const int on_floor = snd_contact_geom1(d)[i] == 0 || snd_contact_geom2(d)[i] == 0;
    sum += on_floor ? snd_efc_force(d)[snd_contact_efc_address(d)[i]] : 0;
  }
  return sum / (9.81 * snm_body_subtreemass(m)[0]);
}

START_TEST(rest_takes_no_search) {
  enum { STEPS = 100 };
  const int boxes = resting[_i / NORMALS].boxes;
  OK(sn_engine_set(engine, "plugin.coulomb.normal", normals[_i % NORMALS], error));
  sn_model *m = model_of(stack_scene(boxes));
  sn_data *d = data_of(m);
  simulate(m, d, 3);
  ck_assert_int_le(iterations_of(m, d, STEPS), resting[_i / NORMALS].percent * STEPS / 100);
  ck_assert_double_eq_tol(carried(m, d), 1, 1e-6);
  // friction holds the topmost box, of 1 kg, which rocks on soft contacts
  for (int push = 1; push >= 0; push--) {
    snd_xfrc_applied(d)[6 * boxes] = push;
    ck_assert_int_ge(iterations_of(m, d, 1), 1);
    ck_assert_double_lt(fabs(snd_qacc(d)[6 * (boxes - 1)]), 0.9);
  }
  OK(sn_model_parse_option(m, "warmstart", "disable", error));
  ck_assert_int_ge(iterations_of(m, d, STEPS), STEPS);
  done_with(m, d);
}
END_TEST

// What a pile costs while it moves and settles, in iterations, which are the same on each machine.
// An iteration costs about half of one of the solver `newton`.
START_TEST(moving_pile_takes_few_iterations) {
  enum { STEPS = 1000, TIMES = 6 };
  int64_t iterations[2] = { 0 };
  OK(sn_engine_set(engine, "plugin.coulomb.normal", normals[_i], error));
  for (int k = 0; k < 2; k++) {
    sn_model *m = model_of(model_file("physics/pile"));
    OK(sn_model_parse_option(m, "solver", k ? "newton" : "coulomb", error));
    sn_data *d = data_of(m);
    for (int i = 0; i < STEPS; i++) {
      ck_assert_int_eq(sn_step(m, d), SN_OK);
      iterations[k] += snd_solver_iter(d);
    }
    done_with(m, d);
  }
  ck_assert_msg(iterations[0] <= TIMES * iterations[1], "%d iterations, newton takes %d",
                (int)iterations[0], (int)iterations[1]);
}
END_TEST

// The friction of a pyramidal cone is that of another law, which is not silent.
START_TEST(pyramids_are_named) {
  sn_model *m = model_of(model_file("physics/sliding_box"));
  OK(sn_model_parse_option(m, "cone", _i ? "pyramidal" : "elliptic", error));
  sn_data *d = data_of(m);
  simulate(m, d, 0.1);
  const int64_t warnings = sn_data_warning_count(d, SN_WARN_PYRAMID);
  ck_assert_int_eq(warnings > 0, _i);
  ck_assert_str_eq(sn_data_warning_name(SN_WARN_PYRAMID), "pyramidal cones");
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_coulomb, close_engine);
  TEST(plate_on_balls);
  EACH(sliding_box_does_not_hop, 0, SPEEDS);
  EACH(box_slides_down_a_slope, 0, TANGENTS);
  TEST(box_rests_on_a_slope);
  TEST(grip_holds);
  TEST(heavy_box_on_a_light_one);
  EACH(pile_settles, 0, NORMALS);
  EACH(rest_takes_no_search, 0, 2 * NORMALS);
  EACH(moving_pile_takes_few_iterations, 0, NORMALS);
  EACH(softer_contacts_are_counted, 0, 2);
  EACH(pyramids_are_named, 0, 2);
}
