// SPDX-License-Identifier: Apache-2.0
//
// The solver `coulomb` against closed forms of rigid bodies with Coulomb friction, where the convex
// model of contacts differs visibly: rolling (a plate on balls, after the benchmark Rolling of
// SimBenchmark, J. Hwangbo and others), sliding, creep, a grip (the subject of MuJoCo issue 3328,
// with other numbers), a ratio of masses, and a pile. Models: models/physics.

#include <math.h>

#include "default_engine.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"

static const double gravity = 9.81;

static void open_coulomb(void) {
  open_engine();
  OK(sn_select(engine, "solver", "coulomb", error));
}

static void simulate(const sn_model *m, sn_data *d, double time) {
  const double end = snd_time(d)[0] + time;
  while (snd_time(d)[0] < end - 1e-9) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

// Balls roll on the floor and under the plate: they have half of its acceleration a, and
// m a / 2 = f + g, 2/5 m a / 2 = f - g for the forces f of the plate and g of the floor on each.
START_TEST(plate_on_balls) {
  enum { BALLS = 25 };
  const double push = 50, plate = 10, ball = 1;
  const double acceleration = push / (plate + BALLS * 0.35 * ball);
  sn_model *m = model_of(model_file("physics/rolling"));
  sn_data *d = data_of(m);
  simulate(m, d, 2);   // until the contacts carry the weight
  const double begin = snd_time(d)[0];
  double sum = 0;
  int64_t n = 0;
  snd_qfrc_applied(d)[0] = push;
  while (snd_time(d)[0] < begin + 1) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    const double speed = acceleration * (snd_time(d)[0] - begin);
    for (int i = 0; i <= BALLS; i++, n++) {
      const double off = snd_qvel(d)[6 * i] - (i ? speed / 2 : speed);
      sum += off * off;
    }
  }
  ck_assert_msg(sum / (double)n < 1e-7, "mean squared error of velocity: %g m2/s2",
                sum / (double)n);
  done_with(m, d);
}
END_TEST

static const double speeds[] = { 1, 5, 20 };
enum { SPEEDS = sizeof speeds / sizeof *speeds };

// A box that slides on a floor stays on it and stops after v^2 / (2 mu g), with mu = 1.
START_TEST(sliding_box_does_not_hop) {
  const double speed = speeds[_i], way = speed * speed / (2 * gravity);
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
  ck_assert_msg(top - height < 1e-4, "it hops %g m at %g m/s", top - height, speed);
  // first order in the time step
  ck_assert_double_eq_tol(snd_qpos(d)[0] - start, way, 2 * speed * 0.002);
  ck_assert_double_le(fabs(snd_qvel(d)[0]), 1e-6);
  done_with(m, d);
}
END_TEST

static void incline(sn_model *m, double tangent) {
  const double c = 1 / sqrt(1 + tangent * tangent);
  char text[96];
  snprintf(text, sizeof text, "%.17g 0 %.17g", gravity * tangent * c, -gravity * c);
  OK(sn_model_parse_option(m, "gravity", text, error));
}

static const double tangents[] = { 0.51, 0.6, 0.75 };
enum { TANGENTS = sizeof tangents / sizeof *tangents };

// Above the angle of friction: g (sin - mu cos).
START_TEST(box_slides_down_a_slope) {
  const double t = tangents[_i], want = gravity * (t - 0.5) / sqrt(1 + t * t);
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

// Below it: rest.
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
  ck_assert_double_gt(snd_qpos(d)[4], -0.01);
  done_with(m, d);
}
END_TEST

// With a small regularizer of normal rows a heavy box does not sink into a light one.
START_TEST(heavy_box_on_a_light_one) {
  OK(sn_engine_set(engine, "plugin.coulomb.normal", "1e-5", error));
  sn_model *m = model_of(model_file("physics/heavy_on_light"));
  sn_data *d = data_of(m);
  simulate(m, d, 3);
  const double lower = snd_qpos(d)[2], upper = snd_qpos(d)[9];
  ck_assert_double_lt(0.1 - lower, 1e-5);
  ck_assert_double_lt(0.2 - (upper - lower), 1e-5);
  done_with(m, d);
}
END_TEST

// In a pile that falls together contacts stick, slip and open all the time. The solver converges in
// nearly every step, and the boxes come to rest on the floor.
START_TEST(pile_settles) {
  enum { STEPS = 1000, BOXES = 8 };
  OK(sn_engine_set(engine, "plugin.coulomb.normal", "1e-3", error));
  sn_model *m = model_of(model_file("physics/pile"));
  sn_data *d = data_of(m);
  int open = 0;
  for (int i = 0; i < STEPS; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    open += snd_nunconverged(d) > 0;
  }
  ck_assert_msg(open <= STEPS / 100, "the solver did not converge in %d of %d steps", open, STEPS);
  for (int i = 0; i < BOXES; i++) {
    ck_assert_double_gt(snd_qpos(d)[7 * i + 2], 0.025);
    ck_assert_double_lt(snd_qpos(d)[7 * i + 2], 0.3);
  }
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
  TEST(pile_settles);
}
