// SPDX-License-Identifier: Apache-2.0
//
// Coefficients of restitution, against the laws of impact, for several time steps, integrators and
// cones. Models: models/physics.

#include <math.h>
#include <string.h>

#include "default_engine.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"

enum { FULL, HALF, LITTLE, BOX, DEAD, NTHINGS };
static const double coefficients[NTHINGS] = { 1, 0.5, 0.1, 0.7, 0 };

static sn_model *model_with(const char *file, const char *option, const char *value, double h) {
  char text[32];
  sn_model *m = model_of(model_file(file));
  snprintf(text, sizeof text, "%.17g", h);
  OK(sn_model_parse_option(m, "timestep", text, error));
  OK(sn_model_parse_option(m, option, value, error));
  return m;
}

static void step(const sn_model *m, sn_data *d) {
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}

static double falling(sn_data *d, int thing) {
  return snd_qvel(d)[6 * thing + 2];
}

// ------------------------------------------------------------------ drops

// The ratio of the speeds at the first bounce of each thing; that before the impact is the last one
// that falls, in whose step the weight still acts.
static void first_bounces(const sn_model *m, sn_data *d, double h, double *ratio) {
  int done[NTHINGS] = { 0 };
  for (int i = 0; i < 2 / h; i++) {
    double before[NTHINGS];
    for (int k = 0; k < NTHINGS; k++) {
      before[k] = falling(d, k);
    }
    step(m, d);
    for (int k = 0; k < NTHINGS; k++) {
      if (!done[k] && falling(d, k) > before[k]) {
        ratio[k] = -(falling(d, k) + 9.81 * h) / before[k];
        done[k] = 1;
      }
    }
  }
}

static const struct {
  const char *option, *value;
  double h;
} settings[] = {
  { "integrator", "euler", 0.0005 },    { "integrator", "euler", 0.002 },
  { "integrator", "euler", 0.01 },      { "integrator", "rk4", 0.01 },
  { "integrator", "implicit", 0.01 },   { "integrator", "momentum", 0.002 },
  { "cone", "pyramidal", 0.002 },       { "solver", "coulomb", 0.002 },
  { "gravity", "0 0 -9.81", 0.02 },
};
enum { NSETTINGS = sizeof settings / sizeof settings[0] };

START_TEST(bounce_has_the_coefficient) {
  sn_model *m = model_with("physics/bounce", settings[_i].option, settings[_i].value,
                           settings[_i].h);
  sn_data *d = data_of(m);
  double ratio[NTHINGS] = { 0 };
  first_bounces(m, d, settings[_i].h, ratio);
  for (int k = 0; k < DEAD; k++) {
    ck_assert_msg(fabs(ratio[k] - coefficients[k]) < 1e-5, "%s=%s, h %g, thing %d: %.9g, not %g",
                  settings[_i].option, settings[_i].value, settings[_i].h, k, ratio[k],
                  coefficients[k]);
  }
  done_with(m, d);
}
END_TEST

// 20 s of elastic bounces: the energy of a fall is kept, at any step. It has the errors of the
// integrator alone, a part g h / v of it for Euler's method.
START_TEST(elastic_bounces_keep_energy) {
  static const double h[] = { 0.0005, 0.002, 0.01 };
  sn_model *m = model_with("physics/bounce", "integrator", "momentum", h[_i]);
  sn_data *d = data_of(m);
  double top = 0;
  for (int i = 0; i < 20 / h[_i]; i++) {
    step(m, d);
    if (snd_time(d)[0] > 18) {
      top = fmax(top, snd_qpos(d)[7 * FULL + 2]);
    }
  }
  ck_assert_msg(fabs(top - 1) < 2e-3, "h %g: it rises to %g", h[_i], top);
  done_with(m, d);
}
END_TEST

START_TEST(things_come_to_rest) {
  sn_model *m = model_with("physics/bounce", "integrator", "euler", 0.002);
  sn_data *d = data_of(m);
  for (int i = 0; i < 10000; i++) {
    step(m, d);
  }
  for (int k = HALF; k < NTHINGS; k++) {
    for (int i = 0; i < 6; i++) {
      ck_assert_msg(fabs(snd_qvel(d)[6 * k + i]) < 1e-6, "thing %d moves at %g", k,
                    snd_qvel(d)[6 * k + i]);
    }
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ two bodies, friction

// Masses 1 and 3 that meet with 2 m/s: v1' = (m1 - e m2) v / (m1 + m2), v2' = (1 + e) m1 v / (m1 +
// m2).
START_TEST(bodies_share_momentum) {
  sn_model *m = model_with("physics/billiard", "cone", _i ? "pyramidal" : "elliptic", 0.01);
  sn_data *d = data_of(m);
  snd_qvel(d)[0] = 2;
  for (int i = 0; i < 100; i++) {
    step(m, d);
  }
  ck_assert_double_eq_tol(snd_qvel(d)[0], (1 - 0.8 * 3) * 2 / 4, 1e-5);
  ck_assert_double_eq_tol(snd_qvel(d)[1], 1.8 * 2 / 4, 1e-5);
  done_with(m, d);
}
END_TEST

// The impulse of friction is the coefficient times that of the wall, 0.2 (1 + e) v, or what stops
// the puck along the wall.
static const struct {
  double along;
  const char *solver, *cone;
} impacts[] = {
  { 5, "newton", "elliptic" },    { 0.1, "newton", "elliptic" },  { 5, "newton", "pyramidal" },
  { 5, "coulomb", "elliptic" },   { 0.1, "coulomb", "elliptic" }, { 5, "coulomb", "pyramidal" },
};
enum { IMPACTS = sizeof impacts / sizeof *impacts };

START_TEST(friction_of_an_impact) {
  sn_model *m = model_of(model_file("physics/billiard"));
  OK(sn_model_parse_option(m, "solver", impacts[_i].solver, error));
  OK(sn_model_parse_option(m, "cone", impacts[_i].cone, error));
  sn_data *d = data_of(m);
  const double lost = 0.2 * 1.6 * 3, left = fmax(0, impacts[_i].along - lost);
  snd_qvel(d)[2] = impacts[_i].along;
  snd_qvel(d)[3] = -3;
  for (int i = 0; i < 100 && snd_qvel(d)[3] < 0; i++) {
    step(m, d);
  }
  ck_assert_double_eq_tol(snd_qvel(d)[3], 1.8, 1e-4);
  ck_assert_double_eq_tol(snd_qvel(d)[2], left, 1e-3);
  done_with(m, d);
}
END_TEST

START_TEST(slow_contacts_do_not_bounce) {
  sn_model *m = model_of(model_file("physics/billiard"));
  OK(sn_model_parse_option(m, "bouncespeed", "2.5", error));
  sn_data *d = data_of(m);
  snd_qvel(d)[0] = 2;
  for (int i = 0; i < 300; i++) {
    step(m, d);
  }
  ck_assert_double_eq_tol(snd_qvel(d)[0], snd_qvel(d)[1], 0.1);
  done_with(m, d);
}
END_TEST

// Without a coefficient a contact is a spring. Where the time step is too long for it, a bounce
// adds energy, and a warning names the contact; where it is short enough, neither.
START_TEST(springs_too_stiff_for_the_time_step_are_named) {
  static const double steps[] = { 0.0005, 0.01 };
  const double h = steps[_i], speed = 3;
  sn_model *m = model_of(
      "<mujoco><option gravity='0 0 0'/>"
      "<default><geom solref='-1e5 0' solimp='.95 .95' condim='1'/></default>"
      "<worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 .2'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  char text[32];
  snprintf(text, sizeof text, "%.17g", h);
  OK(sn_model_parse_option(m, "timestep", text, error));
  sn_data *d = data_of(m);
  snd_qvel(d)[2] = -speed;
  for (int i = 0; i < 0.1 / h; i++) {
    step(m, d);
  }
  const double part = falling(d, 0) / speed;
  const int64_t warnings = sn_data_warning_count(d, SN_WARN_STIFF);
  if (_i == 0) {
    ck_assert_double_eq_tol(part, 1, 0.02);
    ck_assert_int_eq(warnings, 0);
  } else {
    ck_assert_double_gt(part, 1.2);
    ck_assert_int_gt(warnings, 0);
  }
  done_with(m, d);
}
END_TEST

// A ball that slides while it hits, at 1 m/s: the soft contact of the steps beside the impact does
// not push it, whatever the solver, the step and the slip.
static const char *const solvers[] = { "newton", "cg", "pgs", "coulomb" };
static const double timesteps[] = { 0.0002, 0.002, 0.01 }, slips[] = { 3, 30, 100 };

START_TEST(sliding_balls_bounce) {
  static const char scene[] =
      "<mujoco><option gravity='0 0 0' cone='elliptic'/><worldbody>"
      "<geom type='plane' size='50 50 .1' friction='.5'/><body pos='0 0 .1005'><freejoint/>"
      "<geom size='.1' mass='1' friction='.5' restitution='.7'/></body></worldbody></mujoco>";
  const double h = timesteps[_i % 3], slip = slips[_i / 3 % 3];
  char text[32];
  sn_model *m = model_of(scene);
  snprintf(text, sizeof text, "%.17g", h);
  OK(sn_model_parse_option(m, "timestep", text, error));
  OK(sn_model_parse_option(m, "solver", solvers[_i / 9], error));
  sn_data *d = data_of(m);
  snd_qvel(d)[0] = slip;
  snd_qvel(d)[2] = -1;
  for (int i = 0; i < 20 || falling(d, 0) < 0; i++) {
    step(m, d);
  }
  ck_assert_double_eq_tol(falling(d, 0), 0.7, 1e-3);
  ck_assert_double_eq_tol(snd_qvel(d)[0], slip - 0.5 * 1.7, 2e-3);
  done_with(m, d);
}
END_TEST

// A rod that hits the floor with friction may gain energy by Newton's law, so its bounce is
// weaker; a ball that hits the floor far away in the same step has no part in that.
START_TEST(impacts_far_away_do_not_count) {
  static const char rod[] =
      "<mujoco><option gravity='0 0 0' timestep='.001' cone='%s'/><worldbody>"
      "<geom type='plane' size='50 50 .1'/><body><freejoint/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='.01 .01 .01'/>"
      "<geom type='box' size='.02 .02 .5' restitution='.95'/></body>%s</worldbody></mujoco>";
  static const char ball[] = "<body pos='20 0 .1005'><freejoint/>"
                             "<geom size='.1' mass='1' restitution='.3'/></body>";
  char alone[1024], together[1024];
  snprintf(alone, sizeof alone, rod, _i ? "pyramidal" : "elliptic", "");
  snprintf(together, sizeof together, rod, _i ? "pyramidal" : "elliptic", ball);
  sn_model *m[] = { model_of(alone), model_of(together) };
  for (int shot = 0; shot < 60; shot++) {
    const double turn = 0.2 + 0.02 * shot;
    const double pose[7] = {
      0, 0, 0.5 * cos(turn) + 0.02 * sin(turn) + 0.0005, cos(turn / 2), 0, sin(turn / 2), 0
    };
    const double velocity[6] = { 8 * sin(shot), 0, -1 - shot % 4, 0, 8 * cos(3 * shot), 0 };
    sn_data *d[] = { data_of(m[0]), data_of(m[1]) };
    for (int k = 0; k < 2; k++) {
      memcpy(snd_qpos(d[k]), pose, sizeof pose);
      memcpy(snd_qvel(d[k]), velocity, sizeof velocity);
    }
    snd_qvel(d[1])[8] = -5;
    for (int i = 0; i < 3; i++) {
      step(m[0], d[0]);
      step(m[1], d[1]);
    }
    for (int i = 0; i < 6; i++) {
      ck_assert_double_eq_tol(snd_qvel(d[0])[i], snd_qvel(d[1])[i], 1e-4);
    }
    sn_data_free(d[0]);
    sn_data_free(d[1]);
  }
  sn_model_free(m[0]);
  sn_model_free(m[1]);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(sliding_balls_bounce, 0, 36);
  EACH(impacts_far_away_do_not_count, 0, 2);
  EACH(bounce_has_the_coefficient, 0, NSETTINGS);
  EACH(elastic_bounces_keep_energy, 0, 3);
  TEST(things_come_to_rest);
  EACH(bodies_share_momentum, 0, 2);
  EACH(friction_of_an_impact, 0, IMPACTS);
  TEST(slow_contacts_do_not_bounce);
  EACH(springs_too_stiff_for_the_time_step_are_named, 0, 2);
}
