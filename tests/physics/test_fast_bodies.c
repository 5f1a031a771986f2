// SPDX-License-Identifier: Apache-2.0
//
// Speculative contacts: a small ball that moves by many times its size in a step stops at a thin
// wall, or bounces off it, and what passes beside a plate keeps its speed. Model:
// models/physics/fast_ball.xml.

#include "model_file.h"
#include "random_state.h"
#include "suite.h"

enum { BALL = 2 };   // geom
static const double wall = 0.001;   // half of its thickness
static const double speeds[] = { 0.3, 3, 10, 30, 45 };
enum { NSPEEDS = sizeof speeds / sizeof *speeds, STARTS = 20 };

// The ball flies from one of several places to the wall, for long enough.
static void fly(const sn_model *m, sn_data *d, double speed, int start) {
  sn_reset(m, d);
  d->qpos[0] = -0.3 - 0.004 * start;
  d->qvel[0] = d->qvel[6] = speed;
  while (d->time[0] < 0.5 / speed + 0.05) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

static sn_model *fast_model(const char *cone) {
  sn_model *m = model_of(model_file("physics/fast_ball"));
  set_option(m, "cone", cone);
  return m;
}

START_TEST(fast_ball_stops_at_a_thin_wall) {
  sn_model *m = fast_model(_i % 2 ? "elliptic" : "pyramidal");
  sn_data *d = data_of(m);
  const double speed = speeds[_i / 2];
  for (int k = 0; k < STARTS; k++) {
    fly(m, d, speed, k);
    ck_assert_msg(d->qpos[0] < -wall && d->qpos[0] > -0.3, "at %g m/s it is at %g m", speed,
                  d->qpos[0]);
    ck_assert_double_lt(fabs(d->qvel[0]), 0.1);
    // 1 mm above the plate
    ck_assert_double_eq(d->qvel[6], speed);
  }
  done_with(m, d);
}
END_TEST

START_TEST(fast_ball_bounces_off_a_thin_wall) {
  sn_model *m = fast_model(_i % 2 ? "elliptic" : "pyramidal");
  m->geom_restitution[BALL] = 0.8;
  sn_data *d = data_of(m);
  const double speed = speeds[_i / 2];
  for (int k = 0; k < STARTS; k++) {
    fly(m, d, speed, k);
    ck_assert_msg(fabs(d->qvel[0] + 0.8 * speed) < 1e-4 * speed, "at %g m/s it leaves with %g",
                  speed, d->qvel[0]);
  }
  done_with(m, d);
}
END_TEST

START_TEST(without_speculation_it_passes) {
  sn_model *m = fast_model("pyramidal");
  m->geom_speculative[BALL] = 0;
  sn_data *d = data_of(m);
  fly(m, d, 30, 0);
  ck_assert_double_gt(d->qpos[0], 0.01);
  done_with(m, d);
}
END_TEST

// A ball at rest on a floor is as deep in it with the attribute as without, and rolls as fast.
START_TEST(rest_and_rolling_are_the_same) {
  static const char form[] =
      "<mujoco><worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 .0999'><freejoint/>"
      "<geom size='.1' speculative='%s'/></body></worldbody></mujoco>";
  double end[2][7];
  for (int i = 0; i < 2; i++) {
    char text[512];
    snprintf(text, sizeof text, form, i ? "0.1" : "0");
    sn_model *m = model_of(text);
    sn_data *d = data_of(m);
    d->qvel[0] = 1;
    d->qvel[4] = 10;
    while (d->time[0] < 2) {
      ck_assert_int_eq(sn_step(m, d), SN_OK);
    }
    memcpy(end[i], d->qpos, sizeof end[i]);
    done_with(m, d);
  }
  ck_assert_double_eq_tol(end[0][2], end[1][2], 1e-9);
  ck_assert_double_eq_tol(end[0][0], end[1][0], 1e-6);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(fast_ball_stops_at_a_thin_wall, 0, 2 * NSPEEDS);
  EACH(fast_ball_bounces_off_a_thin_wall, 0, 2 * NSPEEDS);
  TEST(without_speculation_it_passes);
  TEST(rest_and_rolling_are_the_same);
}
