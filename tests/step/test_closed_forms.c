// SPDX-License-Identifier: Apache-2.0
//
// Closed forms of what constraints and integrators do together: bodies on a slope that stick, slip
// and roll; the documented example of restitution; critical damping; the documented ways to
// backlash; friction loss; damping that only an implicit integrator survives.

#include "model_file.h"
#include "random_state.h"
#include "suite.h"

static const double gravity = 9.81;

static void step_n(const sn_model *m, sn_data *d, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_msg(sn_step(m, d) == SN_OK, "step %d: %s", i, sn_error_message(sn_data_error(d)));
  }
}

// ------------------------------------------------------------------ what cannot move

// Bodies that no joint moves against each other press on nothing: their contact is listed and has
// no rows. Two that are fixed to the world, two that are fixed to one moving body, a mocap body.
START_TEST(contacts_without_dofs_have_no_force) {
  sn_model *m = model_of(model_file("step/contacts_without_dofs"));
  m->opt.collision = SN_COLLISION_PAIR;
  sn_data *d = data_of(m);
  sn_forward(m, d);
  ck_assert_int_eq(d->ncon, 4);
  int64_t with_rows = 0;
  for (int64_t i = 0; i < d->ncon; i++) {
    double force[6];
    sn_contact_force(m, d, i, force);
    const int moves = m->geom_bodyid[d->contact_geom1[i]] == 6 ||
                      m->geom_bodyid[d->contact_geom2[i]] == 6;
    ck_assert_int_eq(d->contact_efc_address[i] >= 0, moves);
    ck_assert(moves ? force[0] > 1 && force[0] < 1e9 : force[0] == 0);
    with_rows += moves;
  }
  ck_assert_int_eq(with_rows, 1);
  ck_assert_int_eq(d->nefc, 4);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ a slope

// A slope is a level floor and gravity that is tilted by `angle` towards +x.
static sn_model *slope(double angle, double friction, const char *cone, double height,
                       const char *body) {
  char xml[1024];
  snprintf(xml, sizeof xml,
           "<mujoco><option timestep='0.001' gravity='%.15g 0 %.15g' cone='%s' impratio='100' "
           "tolerance='1e-14' iterations='200'/><worldbody>"
           "<geom type='plane' size='50 50 1' friction='%.15g .5 .2' condim='1' "
           "solref='.004 1' solimp='.99 .99 .01'/>"
           "<body pos='0 0 %.15g'><freejoint/>%s</body></worldbody></mujoco>",
           gravity * sin(angle), -gravity * cos(angle), cone, friction, height, body);
  return model_of(xml);
}

// Two bricks in a stack, so that friction acts between two moving bodies as well.
static const char stack[] =
    "<geom type='box' size='.2 .2 .05' condim='3' friction='.1 .1 .1' "
    "solref='.004 1' solimp='.99 .99 .01'/></body><body pos='0 0 .15'><freejoint/>"
    "<geom type='box' size='.15 .15 .05' condim='3' friction='.1 .1 .1' "
    "solref='.004 1' solimp='.99 .99 .01'/>";
static const double angle = 0.3;   // tan = 0.309

START_TEST(bricks_stick) {
  sn_model *m = slope(angle, 0.5, _i ? "elliptic" : "pyramidal", 0.05, stack);
  // and the upper one with the same friction on the lower one
  sn_data *d = data_of(m);
  for (int64_t g = 0; g < m->ngeom; g++) {
    m->geom_friction[3 * g] = 0.5;
  }
  step_n(m, d, 1000);
  double acceleration = gravity * sin(angle);
  // a soft constraint creeps: by R times the force, that is some thousandths of a free slide
  ck_assert_double_lt(fabs(d->qvel[0]), 1e-3 * acceleration);
  ck_assert_double_lt(fabs(d->qvel[6]), 2e-3 * acceleration);
  ck_assert_double_lt(fabs(d->qpos[0]), 1e-3);
  done_with(m, d);
}
END_TEST

START_TEST(bricks_slip) {
  static const double mu[2] = { 0.2, 0.12 };   // lower on floor, upper on lower
  sn_model *m = slope(angle, mu[0], _i ? "elliptic" : "pyramidal", 0.05, stack);
  sn_data *d = data_of(m);
  for (int64_t g = 0; g < m->ngeom; g++) {
    m->geom_friction[3 * g] = g == 2 ? mu[1] : g == 1 ? mu[1] : mu[0];
  }
  double tolerance = 5e-2, m1 = m->body_mass[1], m2 = m->body_mass[2];
  double g1 = gravity * sin(angle), n1 = gravity * cos(angle);
  double a2 = g1 - mu[1] * n1;                                        // upper
  double a1 = g1 + (mu[1] * m2 * n1 - mu[0] * (m1 + m2) * n1) / m1;   // lower
  ck_assert_double_gt(a2, a1);
  step_n(m, d, 50);
  double v1 = d->qvel[0], v2 = d->qvel[6];
  step_n(m, d, 300);
  ck_assert_double_eq_tol((d->qvel[0] - v1) / 0.3, a1, tolerance * fabs(a1));
  ck_assert_double_eq_tol((d->qvel[6] - v2) / 0.3, a2, tolerance * fabs(a2));
  done_with(m, d);
}
END_TEST

static const char ball[] = "<geom size='.1' condim='6' mass='2' friction='.8 .01 .01' "
                           "solref='.004 1' solimp='.99 .99 .01'/>";

// A ball that rolls, with friction f and a torque t of rolling friction:
//   m a = m g sin - f,   2/5 m r^2 alpha = r f - t,   a = r alpha (1 + s)
// Force and torque lie on the cone, and motion is normal to it, so that some slip s goes with
// rolling:
//   elliptic    (f / mu)^2 + (t / mu_r)^2 = N^2,   s = (mu_r / mu)^2 f / (t r)
//   pyramidal   f / mu + t / mu_r = N,             s = mu_r / (mu r)
typedef struct rolling {
  double acceleration, slip;
} rolling;

static rolling roll(double mu, double mu_r, double r, int elliptic) {
  double along = gravity * sin(angle), n = gravity * cos(angle);   // of a unit mass
  rolling x = { 5.0 / 7 * along, 0 };
  for (int i = 0; i < 100; i++) {
    double f = along - x.acceleration, used = f / (mu * n);
    double t = mu_r * n * (elliptic ? sqrt(1 - used * used) : 1 - used);
    x.slip = elliptic ? mu_r * mu_r / (mu * mu) * f / (t * r) : mu_r / (mu * r);
    x.acceleration = (along - t / r) / (1 + 0.4 / (1 + x.slip));
  }
  return x;
}

START_TEST(ball_rolls) {
  double mu_r = _i % 2 ? 0.01 : 1e-5, r = 0.1;
  int elliptic = _i / 2;
  sn_model *m = slope(angle, 0.8, elliptic ? "elliptic" : "pyramidal", 0.1, ball);
  sn_data *d = data_of(m);
  for (int64_t g = 0; g < m->ngeom; g++) {
    m->geom_friction[3 * g + 1] = 1e-5;
    m->geom_friction[3 * g + 2] = mu_r;
  }
  step_n(m, d, 1000);
  double v = d->qvel[0];
  step_n(m, d, 1000);
  double a = d->qvel[0] - v, slip = d->qvel[0] / (r * d->qvel[4]) - 1;
  rolling want = roll(0.8, mu_r, r, elliptic);
  // soft edges of the pyramid that slip does not press share the normal force
  double tolerance = elliptic ? 3e-3 : 2e-2;
  ck_assert_msg(fabs(a - want.acceleration) < tolerance * want.acceleration,
                "it rolls with %g, not %g", a, want.acceleration);
  // while it slips a soft contact lifts and falls, and the ratio holds on the average only
  ck_assert_msg(slip > -1e-3 && slip < 2 * want.slip + 2e-3, "it slips by %g, not %g", slip,
                want.slip);
  done_with(m, d);
}
END_TEST

// Rolling friction above r tan(angle) holds the ball.
START_TEST(ball_is_held_by_rolling_friction) {
  sn_model *m = slope(angle, 0.8, _i ? "elliptic" : "pyramidal", 0.1, ball);
  sn_data *d = data_of(m);
  for (int64_t g = 0; g < m->ngeom; g++) {
    m->geom_friction[3 * g + 2] = 0.06;   // 0.031 is needed
  }
  step_n(m, d, 1000);
  ck_assert_double_lt(fabs(d->qvel[0]), 2e-2 * gravity * sin(angle));
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ restitution

// Peaks of the documented ball: their heights over 20 bounces.
START_TEST(documented_ball_keeps_its_height) {
  sn_model *m = model_of(
      "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 1'><freejoint/>"
      "<geom type='sphere' size='0.1' solref='-1000 0'/></body></worldbody></mujoco>");
  set_option(m, "integrator", _i ? "rk4" : "euler");
  sn_data *d = data_of(m);
  int bounces = 0;
  double before = 0;
  for (int i = 0; i < 100000 && bounces < 20; i++) {
    step_n(m, d, 1);
    if (before > 0 && d->qvel[2] <= 0) {
      bounces++;
      ck_assert_msg(fabs(d->qpos[2] - 1) < 0.01, "bounce %d reaches %g", bounces, d->qpos[2]);
    }
    before = d->qvel[2];
  }
  ck_assert_int_eq(bounces, 20);
  done_with(m, d);
}
END_TEST

// Damping takes energy away: the rebound is that of a damped spring that pushes and never pulls,
// e = exp(-zeta / sqrt(1 - zeta^2) arccos(2 zeta^2 - 1)).
START_TEST(restitution_follows_damping) {
  double zeta = 0.1 * (1 + _i), k = 4000;
  char xml[512];
  snprintf(
      xml, sizeof xml,
      "<mujoco><option timestep='1e-4' gravity='0 0 0' integrator='RK4'/><worldbody>"
      "<geom type='plane' size='1 1 .1'/><body pos='0 0 .11'><joint type='slide' axis='0 0 1'/>"
      "<geom size='.1' condim='1' solref='%.15g %.15g' solmix='1e9' "
      "solimp='.9999 .9999 .01'/></body></worldbody></mujoco>",
      -k, -2 * zeta * sqrt(k));
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  d->qvel[0] = -1;
  step_n(m, d, 2000);
  double e = exp(-zeta / sqrt(1 - zeta * zeta) * acos(2 * zeta * zeta - 1));
  ck_assert_double_gt(d->qpos[0], 0);
  ck_assert_msg(fabs(d->qvel[0] - e) < 0.01, "it leaves with %g, not %g", d->qvel[0], e);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ critical damping

// A limit that is violated returns as x(t) = x0 (1 + t / T) exp(-t / T), with T the time constant
// and damping ratio 1: never beyond, and with the value that three time constants say.
START_TEST(solref_is_critical) {
  double T = 0.05 * (1 + _i), x0 = 0.02;
  char xml[512];
  // an equality pulls from both sides
  snprintf(xml, sizeof xml,
           "<mujoco><option timestep='2e-4' gravity='0 0 0' integrator='RK4'/><worldbody><body>"
           "<joint name='j' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>"
           "<equality><joint joint1='j' solref='%.15g 1' solimp='.9999 .9999 .01'/></equality>"
           "</mujoco>",
           T);
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  d->qpos[0] = x0;
  int n = (int)lround(3 * T / 2e-4), third = n / 3;
  for (int k = 1; k <= 3; k++) {
    step_n(m, d, third);
    double s = d->time[0] / T, want = x0 * (1 + s) * exp(-s);
    ck_assert_msg(fabs(d->qpos[0] - want) < 1e-3 * x0, "after %g time constants: %g, not %g", s,
                  d->qpos[0], want);
  }
  // it does not swing through
  for (int i = 0; i < 10 * n; i++) {
    step_n(m, d, 1);
    ck_assert_double_gt(d->qpos[0], -1e-9);
  }
  // less damping does
  m->eq_solref[1] = 0.3;
  d->qpos[0] = x0;
  d->qvel[0] = 0;
  double least = x0;
  for (int i = 0; i < 10 * n; i++) {
    step_n(m, d, 1);
    least = fmin(least, d->qpos[0]);
  }
  ck_assert_double_lt(least, -0.05 * x0);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ backlash

// The documented pair of joints: the motor turns J1, the body follows with J1 + J2, and J2 lets it
// lag by its range.
START_TEST(backlash_is_the_range) {
  sn_model *m = model_of(
      "<mujoco><option timestep='0.0005' gravity='0 0 0'/><compiler angle='degree'/><worldbody>"
      "<body><joint name='J1' type='hinge' axis='0 0 1' armature='0.01' damping='1'/>"
      "<joint name='J2' type='hinge' axis='0 0 1' limited='true' range='-1 1' solreflimit='.002 1' "
      "solimplimit='.99 .99 .001'/><geom type='capsule' size='.02' fromto='0 0 0 .2 0 0'/>"
      "</body></worldbody><actuator><position joint='J1' kp='20'/></actuator></mujoco>");
  sn_data *d = data_of(m);
  const double degree = acos(-1) / 180;
  // the motor turns by less than the play: the body stays
  d->ctrl[0] = 0.9 * degree;
  step_n(m, d, 4000);
  ck_assert_double_eq_tol(d->qpos[0], 0.9 * degree, 1e-3 * degree);
  ck_assert_double_eq_tol(d->qpos[0] + d->qpos[1], 0, 1e-2 * degree);
  // it turns on slowly: the body follows, one degree behind
  for (int i = 0; i < 40000; i++) {
    d->ctrl[0] = (0.9 + 10.0 * (i + 1) / 40000) * degree;
    // what slides ahead is held by a brake on the body
    d->qfrc_applied[0] = d->qfrc_applied[1] = -0.05 * (d->qvel[0] + d->qvel[1]);
    step_n(m, d, 1);
  }
  ck_assert_double_eq_tol(d->qpos[1], -1 * degree, 0.05 * degree);
  // and back: first through the play, two degrees, then with it
  double body = d->qpos[0] + d->qpos[1];
  double left = 0;
  for (int i = 0; i < 40000; i++) {
    d->ctrl[0] = (10.9 - 10.0 * (i + 1) / 40000) * degree;
    d->qfrc_applied[0] = d->qfrc_applied[1] = -0.05 * (d->qvel[0] + d->qvel[1]);
    step_n(m, d, 1);
    if (left == 0 && fabs(d->qpos[0] + d->qpos[1] - body) > 0.2 * degree) {
      left = d->ctrl[0];
    }
  }
  ck_assert_double_eq_tol(d->qpos[1], 1 * degree, 0.05 * degree);
  ck_assert_msg(left > 8.4 * degree && left < 9.2 * degree, "the body turned back at %g degrees",
                left / degree);
  done_with(m, d);
}
END_TEST

// Without the armature the inertia would be singular; the documentation says so.
START_TEST(backlash_needs_armature) {
  static const char *const armature[2] = { "0", "0.01" };
  for (int k = 0; k < 2; k++) {
    char xml[512];
    snprintf(xml, sizeof xml,
             "<mujoco><worldbody><body><joint axis='0 0 1' armature='%s'/><joint axis='0 0 1'/>"
             "<geom type='capsule' size='.02' fromto='0 0 0 .2 0 0'/></body></worldbody></mujoco>",
             armature[k]);
    sn_model *m = model_of(xml);
    sn_data *d = data_of(m);
    double M[4];
    ck_assert_int_ge(sn_forward_position(m, d), 0);
    sn_full_inertia(m, d, M);
    double determinant = M[0] * M[3] - M[1] * M[2];
    ck_assert_double_eq_tol(determinant, k * 0.01 * M[3], 1e-12 * M[3]);
    done_with(m, d);
  }
}
END_TEST

// The documented alternative, a soft equality that is weak near zero: a torque t that rests against
// it turns the joint to where
//   t = k d^2 r / ((1 - d) A),   k = 1 / (dmax timeconst dampratio)^2,   A = 1 / inertia,
// with d(r) from dmin at 0 to dmax at the width.
START_TEST(backlash_by_equality_hardens) {
  const double width = 0.02, dmin = 0.01, dmax = 0.99, timeconst = 0.02;
  char xml[512];
  snprintf(xml, sizeof xml,
           "<mujoco><option timestep='.0005' gravity='0 0 0'/><worldbody><body>"
           "<joint name='J2' axis='0 0 1' damping='.2'/><geom size='.1' pos='.3 0 0'/></body>"
           "</worldbody><equality><joint joint1='J2' solref='%.15g 1' "
           "solimp='%.15g %.15g %.15g .5 2'/></equality></mujoco>",
           timeconst, dmin, dmax, width);
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  double k = 1 / pow(dmax * timeconst, 2), give[2] = { 0, 0 };
  for (int i = 0; i < 8; i++) {
    double torque = 0.01 * pow(4, i), before = d->qpos[0];
    d->qfrc_applied[0] = torque;
    for (int n = 0; n < 200000 && (n < 10 || fabs(d->qvel[0]) > 1e-12); n++) {
      step_n(m, d, 1);
    }
    double r = d->qpos[0], s = fmin(1, r / width);
    double y = s <= 0.5 ? 2 * s * s : 1 - 2 * (1 - s) * (1 - s);
    double impedance = dmin + y * (dmax - dmin), inertia = 1 / m->dof_invweight0[0];
    CLOSE(k * impedance * impedance * r * inertia / (1 - impedance) / torque, 1.0, 1e-6);
    give[i > 0] = (r - before) / torque;   // the first, and in the end the last
    ck_assert_double_gt(r, before);
  }
  ck_assert_msg(give[1] < 0.01 * give[0], "it gives %g, then %g", give[0], give[1]);
  done_with(m, d);
}
END_TEST

// Friction loss has no residual: within its bound the velocity decays as exp(-2 t / timeconst).
START_TEST(friction_loss_stops_exponentially) {
  double T = 0.05 * (1 + _i);
  char xml[512];
  snprintf(xml, sizeof xml,
           "<mujoco><option timestep='2e-4' gravity='0 0 0' integrator='RK4'/><worldbody><body>"
           "<joint type='slide' axis='1 0 0' frictionloss='1e6' solreffriction='%.15g 1' "
           "solimpfriction='.9999 .9999 .01'/><geom size='.1'/></body></worldbody></mujoco>",
           T);
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  d->qvel[0] = 1;
  for (int k = 1; k <= 3; k++) {
    step_n(m, d, (int)lround(0.5 * T / 2e-4));
    CLOSE(d->qvel[0], exp(-2 * d->time[0] / T), 1e-6);
  }
  // beyond its bound it is the bound: a mass that is slowed evenly
  m->dof_frictionloss[0] = 0.5 * m->body_mass[1];
  sn_reset(m, d);
  d->qvel[0] = 1;
  step_n(m, d, 5000);
  CLOSE(d->qvel[0], 1 - 0.5 * d->time[0], 1e-9);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ stability

START_TEST(implicit_is_stable_where_euler_diverges) {
  static const char *const names[] = { "euler", "rk4", "implicit", "implicitfast" };
  sn_model *m = model_of(model_file("step/stiff"));
  sn_data *d = data_of(m);
  set_option(m, "integrator", names[_i]);
  d->qvel[0] = 1;
  d->qvel[1] = -2;
  ck_assert_int_ge(sn_forward_velocity(m, d), 0);
  int diverged = 0;
  for (int i = 0; i < 500 && !diverged; i++) {
    diverged = sn_step(m, d) == SN_EDIVERGED;
  }
  if (_i < 2) {
    ck_assert_msg(diverged, "%s is not expected to survive this", names[_i]);
  } else {
    ck_assert_msg(!diverged, "%s diverged", names[_i]);
    // at rest in b, and against the tendon in a
    ck_assert_double_lt(fabs(d->qvel[0]) + fabs(d->qvel[1]), 1e-3);
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ what cannot move

// A post turns about the vertical through the point where it touches the ground, so that nothing
// moves that contact, and nothing can part it. Its force is k d r / R, with the least R that there
// is: 16 digits above all others. With it in the cost a solver that goes by the cost stops early;
// one that goes on until rounding stops it, with a tolerance of zero, must not notice.
START_TEST(unmovable_contact_disturbs_nothing) {
  static const char *const solvers[] = { "newton", "cg", "pgs" };
  static const char *const contype[] = { "0", "1" };
  sn_model *m[2];
  sn_data *d[2];
  for (int k = 0; k < 2; k++) {
    char xml[1024];
    snprintf(xml, sizeof xml,
             "<mujoco><option tolerance='0' iterations='2000'/><worldbody>"
             "<geom size='.1' contype='2' conaffinity='%s'/>"
             "<geom type='plane' size='1 1 .1' pos='0 0 .05' contype='2' conaffinity='4'/>"
             "<body pos='0 0 .17'><joint axis='0 0 1' damping='.1'/>"
             "<geom size='.1' contype='1' conaffinity='0' mass='1'/><body pos='.1 0 0'>"
             "<joint axis='0 1 0' damping='.01'/>"
             "<geom type='capsule' size='.03' fromto='0 0 0 .3 0 .2' contype='4' "
             "conaffinity='0'/></body></body></worldbody></mujoco>",
             contype[k]);
    m[k] = model_of(xml);
    set_option(m[k], "solver", solvers[_i]);
    d[k] = data_of(m[k]);
    d[k]->qvel[0] = 3;
  }
  int64_t most = 0;
  for (int i = 0; i < 600; i++) {
    step_n(m[0], d[0], 1);
    step_n(m[1], d[1], 1);
    ck_assert_int_eq(d[1]->ncon, d[0]->ncon + 1);
    ck_assert_double_gt(d[1]->efc_force[0], 1e12);
    for (int k = 0; k < 2; k++) {
      double scale = fmax(1, fabs(d[0]->qacc[k]));
      ck_assert_double_eq_tol(d[1]->qacc[k], d[0]->qacc[k], 1e-12 * scale);
    }
    most = d[0]->ncon > most ? d[0]->ncon : most;
  }
  ck_assert_int_gt(most, 0);
  // as inverse dynamics has it
  ck_assert_int_ge(sn_forward(m[1], d[1]), 0);
  double force = d[1]->efc_force[0];
  ck_assert_int_ge(sn_inverse(m[1], d[1]), 0);
  ck_assert_double_eq(d[1]->efc_force[0], force);
  done_with(m[0], d[0]);
  done_with(m[1], d[1]);
}
END_TEST

// Two slides along one axis: only their sum has an equation of motion.
START_TEST(inertia_singular_is_located) {
  sn_model *m = model_of(
      "<mujoco><worldbody><body name='cart'><geom size='.1'/>"
      "<joint type='slide' axis='1 0 0'/>"
      "<joint name='again' type='slide' axis='1 0 0'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  hear_warnings();
  sn_forward(m, d);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_INERTIA), 1);
  ck_assert_msg(strstr(heard(), "dof 0, of joint 0 and body 'cart'"), "%s", heard());
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(inertia_singular_is_located);
  TEST(contacts_without_dofs_have_no_force);
  EACH(bricks_stick, 0, 2);
  EACH(bricks_slip, 0, 2);
  EACH(ball_rolls, 0, 4);
  EACH(ball_is_held_by_rolling_friction, 0, 2);
  EACH(documented_ball_keeps_its_height, 0, 2);
  EACH(restitution_follows_damping, 0, 3);
  EACH(solref_is_critical, 0, 3);
  TEST(backlash_is_the_range);
  TEST(backlash_needs_armature);
  TEST(backlash_by_equality_hardens);
  EACH(friction_loss_stops_exponentially, 0, 2);
  EACH(implicit_is_stable_where_euler_diverges, 0, 4);
  EACH(unmovable_contact_disturbs_nothing, 0, 3);
}
