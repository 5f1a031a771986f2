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
  enum { STEPS = 1000, BOXES = 8, MOST = 10 };
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
  const char *friction, *normal;
  int can_soften;
} softness[] = { { "1e-5", "1e-5", 1 }, { "1", "1", 0 } };

START_TEST(softer_contacts_are_counted) {
  enum { STEPS = 200, BODIES = 60 };
  OK(sn_engine_set(engine, "plugin.coulomb.friction", softness[_i].friction, error));
  OK(sn_engine_set(engine, "plugin.coulomb.normal", softness[_i].normal, error));
  sn_model *m = model_of(heap_scene(BODIES, 1000));
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

// ------------------------------------------------------------------ cost

// Iterations, and steps with softer contacts, are the same on each machine. Each iteration factors
// one matrix; one of `coulomb` costs more than one of `newton` where matrices are large, since it
// factors twice as many numbers, and less where they are small, since it needs no line search.
typedef struct effort {
  int64_t iterations, softened, unsolved;
} effort;

static effort effort_of(const char *text, const char *solver, int steps) {
  effort e = { 0 };
  sn_model *m = model_of(text);
  OK(sn_model_parse_option(m, "solver", solver, error));
  sn_data *d = data_of(m);
  if (snm_nkey(m) > 0) {
    sn_reset_key(m, d, 0);
  }
  for (int i = 0; i < steps; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    e.iterations += snd_solver_iter(d);
    e.softened += snd_nsoftened(d) > 0;
    e.unsolved += snd_nunconverged(d) > 0;
  }
  done_with(m, d);
  return e;
}

static const char *pile(void) {
  return model_file("physics/pile");
}

static const char *heap(void) {
  return heap_scene(20, 1);
}

static const char *balls(void) {
  return balls_scene(0.8);
}

static const char *card_house(void) {
  return model_file("physics/card_house");
}

static const char *spinning_top(void) {
  return model_file("physics/spinning_top");
}

// At most `times` the iterations of `newton`, and `softened` steps with softer contacts.
static const struct {
  const char *(*text)(void);
  const char *normal;
  int steps, softened;
  double times;
} efforts[] = {
  { pile, "1", 1000, 20, 2.7 },        { pile, "1e-5", 1000, 20, 3.4 },
  { heap, "1", 300, 10, 3.5 },         { heap, "1e-5", 300, 10, 3.8 },
  { balls, "1", 250, 5, 3.7 },         { card_house, "1", 2000, 25, 1.3 },
  { card_house, "1e-5", 2000, 30, 4 }, { spinning_top, "1", 1000, 5, 6.2 },
  { spinning_top, "1e-5", 1000, 5, 8 },
};
enum { EFFORTS = sizeof efforts / sizeof *efforts };

START_TEST(moving_scenes_take_few_iterations) {
  OK(sn_engine_set(engine, "plugin.coulomb.normal", efforts[_i].normal, error));
  const int steps = efforts[_i].steps;
  const effort e = effort_of(efforts[_i].text(), "coulomb", steps);
  const effort newton = effort_of(efforts[_i].text(), "newton", steps);
  ck_assert_msg((double)e.iterations <= efforts[_i].times * (double)newton.iterations,
                "%d iterations, newton takes %d", (int)e.iterations, (int)newton.iterations);
  ck_assert_msg(e.softened <= efforts[_i].softened, "softer contacts in %d steps", (int)e.softened);
  ck_assert_int_le(e.unsolved, steps / 100);
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
  EACH(moving_scenes_take_few_iterations, 0, EFFORTS);
  EACH(softer_contacts_are_counted, 0, 2);
  EACH(pyramids_are_named, 0, 2);
}
