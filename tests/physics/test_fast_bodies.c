// SPDX-License-Identifier: Apache-2.0
//
// Speculative contacts: a small ball that moves by many times its size in a step stops at a thin
// wall, or bounces off it, and what passes beside a plate keeps its speed (the model is
// models/physics/fast_ball.xml); shots at faces, edges and corners do not make energy.

#include "model_file.h"
#include "random_state.h"
#include "suite.h"

enum { BALL = 2 };   // geom
static const double wall = 0.001;   // half of its thickness
static const double speeds[] = { 0.3, 3, 10, 30, 45 };
static const char *const integrators[] = { "euler", "implicit", "momentum", "rk4" };
enum { NSPEEDS = sizeof speeds / sizeof *speeds, STARTS = 20, NINTEGRATORS = 4 };

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
  set_option(m, "integrator", integrators[_i / 2 % NINTEGRATORS]);
  sn_data *d = data_of(m);
  const double speed = speeds[_i / 2 / NINTEGRATORS];
  for (int k = 0; k < STARTS; k++) {
    fly(m, d, speed, k);
    ck_assert_msg(d->qpos[0] < -wall && d->qpos[0] > -0.3, "at %g m/s it is at %g m", speed,
                  d->qpos[0]);
    ck_assert_double_lt(fabs(d->qvel[0]), 0.1);
    // 1 mm above the plate
    ck_assert_double_eq_tol(d->qvel[6], speed, 1e-12 * speed);
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

// ------------------------------------------------------------------ shots

static const char *const targets[] = {
  "<geom type='box' size='.2 .2 .2'/>",
  "<geom type='box' size='.001 .2 .2'/>",
  "<geom type='mesh' mesh='tetrahedron'/>",
  "<geom type='cylinder' size='.2 .2'/>",
  "<geom type='hfield' hfield='hills' pos='0 0 -.1'/>",
  "<geom type='plane' size='1 1 1'/>",
};
static const char *const shots[] = { "size='.01'", "type='capsule' size='.01 .03'",
                                     "type='box' size='.01 .02 .03'" };
static const char *const solvers[] = { "newton", "cg", "coulomb" };
static const double steps[] = { 0.001, 0.002, 0.005, 0.01 };
enum { HILLS = 4, NTARGETS = 6, NSHOTS = 3, NSOLVERS = 3, NSTEPS = 4, AIMS = 8 };

// A body that turns by many radians in a step is not for the integrators. All axes of inertia are
// alike, so that it turns without forces.
static sn_model *shot_model(const char *target, const char *shot, double speed, double h, int round,
                            double restitution) {
  static char text[2048];
  snprintf(text, sizeof text,
           "<mujoco><option gravity='0 0 0' timestep='%g' cone='%s'/><asset>"
           "<mesh name='tetrahedron' vertex='-.2 -.2 -.2 .3 -.2 -.2 -.2 .3 -.2 -.2 -.2 .3'/>"
           "<hfield name='hills' nrow='4' ncol='4' size='.3 .3 .2 .1' elevation='0 1 0 1 1 0 1 0 0"
           " 1 .5 0 .2 .3 .9 1'/></asset><worldbody>%s<body><freejoint/>"
           "<inertial pos='0 0 0' mass='.05' diaginertia='5e-6 5e-6 5e-6'/>"
           "<geom %s speculative='%g' restitution='%g'/></body></worldbody></mujoco>",
           h, round ? "elliptic" : "pyramidal", target, shot, 1.5 * speed * h + 0.02, restitution);
  return model_of(text);
}

static double kinetic(const sn_data *d) {
  const double *v = d->qvel;
  return 0.5 * (0.05 * sn_dot3(v, v) + 5e-6 * sn_dot3(v + 3, v + 3));
}

// From a random side to a random point, which is often beside the target.
static void aim(const sn_model *m, sn_data *d, double speed, int above, uint32_t *seed) {
  double way[3], start = 0.9 + 0.1 * uniform(seed);
  sn_reset(m, d);
  for (int i = 0; i < 3; i++) {
    way[i] = uniform(seed);
  }
  way[2] = above ? -fabs(way[2]) - 1 : way[2];
  sn_normalize3(way);
  for (int i = 0; i < 3; i++) {
    d->qpos[i] = 0.22 * uniform(seed) - way[i] * start;
    d->qvel[i] = way[i] * speed;
  }
  for (int i = 3; i < 7; i++) {
    d->qpos[i] = uniform(seed);
  }
  sn_normalize4(d->qpos + 3);
}

// Speeds from 1 to 300 m/s.
START_TEST(shots_make_no_energy) {
  const int target = _i % NTARGETS, shot = _i / NTARGETS % NSHOTS, solver = _i / NTARGETS / NSHOTS;
  uint32_t seed = (uint32_t)_i + 1;
  for (int k = 0; k < AIMS * NSTEPS; k++) {
    const double h = steps[k % NSTEPS], speed = pow(300, 0.5 + 0.5 * uniform(&seed));
    sn_model *m = shot_model(targets[target], shots[shot], speed, h, k / NSTEPS % 2,
                             k % 3 == 0 ? 0.8 : 0);
    set_option(m, "solver", solvers[solver]);
    sn_data *d = data_of(m);
    aim(m, d, speed, target >= HILLS, &seed);
    const double before = kinetic(d);
    while (d->time[0] < 1.2 / speed + 10 * h) {
      ck_assert_int_eq(sn_step(m, d), SN_OK);
      ck_assert_msg(kinetic(d) < 1.001 * before, "h %g, %g m/s: %g times the energy", h, speed,
                    kinetic(d) / before);
    }
    done_with(m, d);
  }
}
END_TEST

// Turned balls, capsules and boxes, with all integrators and solvers, whose centers stay before a
// wall that is thicker than they are.
START_TEST(shots_stay_before_a_wall) {
  const int shot = _i % NSHOTS, integrator = _i / NSHOTS % NINTEGRATORS;
  uint32_t seed = (uint32_t)_i + 1;
  for (int k = 0; k < AIMS * NSTEPS; k++) {
    const double h = steps[k % NSTEPS], speed = pow(300, 0.5 + 0.5 * uniform(&seed));
    sn_model *m = shot_model("<geom type='box' size='.02 9 9'/>", shots[shot], speed, h,
                             k / NSTEPS % 2, 0);
    set_option(m, "integrator", integrators[integrator]);
    set_option(m, "solver", solvers[k % NSOLVERS]);
    sn_data *d = data_of(m);
    aim(m, d, speed, 0, &seed);
    d->qpos[0] = -0.8;
    d->qvel[0] = speed;
    while (d->time[0] < 1.5 / speed + 10 * h) {
      ck_assert_int_eq(sn_step(m, d), SN_OK);
      ck_assert_msg(d->qpos[0] < 0.02, "h %g, %g m/s, shot %d: it is at %g m", h, speed, k,
                    d->qpos[0]);
    }
    done_with(m, d);
  }
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(fast_ball_stops_at_a_thin_wall, 0, 2 * NINTEGRATORS * NSPEEDS);
  EACH(fast_ball_bounces_off_a_thin_wall, 0, 2 * NSPEEDS);
  TEST(without_speculation_it_passes);
  TEST(rest_and_rolling_are_the_same);
  EACH(shots_make_no_energy, 0, NTARGETS * NSHOTS * NSOLVERS);
  EACH(shots_stay_before_a_wall, 0, NSHOTS * NINTEGRATORS);
}
