// SPDX-License-Identifier: Apache-2.0
//
// The plugins of samples/, each against a closed form: a motor, a propeller, a drifting gyroscope,
// magnets, a collider, computed meshes. And the motor registered by an application: the same bits.

#include <unistd.h>

#include "dynamics/actuation.h"
#include "random_state.h"
#include "ray_distance.h"
#include "suite.h"

static void open_with_samples(void) {
  open_engine();
  static const char *const names[] = { "dcmotor",   "imu_drift", "magnet",
                                       "propeller", "spherebox", "sphere" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char path[512];
    snprintf(path, sizeof path, SN_TEST_BUILD "/samples/%s.so", names[i]);
    ck_assert_msg(sn_engine_load_plugin(engine, names[i], path, error) >= 0, "%s",
                  sn_error_text(error));
  }
}

// A file of samples/plugins, as it is.
static sn_model *sample(const char *file) {
  char path[512];
  snprintf(path, sizeof path, SN_TEST_SOURCE "/samples/plugins/%s", file);
  sn_model *m = sn_load(engine, path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  return m;
}

// ------------------------------------------------------------------ the motor

// R 2, L 0.004, K 0.04, supply 24; c, d and the inertia of the rotor are arguments
#define MOTOR(inertia, h, friction)                                                              \
  "<mujoco><option timestep='" h "'/><worldbody><body><joint name='j'/><inertial "               \
  "pos='0 0 0' mass='1' diaginertia='" inertia " " inertia " " inertia                           \
  "'/></body></worldbody><actuator><general joint='j' "                                          \
  "dyntype='dcmotor' gaintype='dcmotor' biastype='dcmotor'><config key='resistance' value='2'/>" \
  "<config key='inductance' value='.004'/><config key='constant' value='.04'/>"                  \
  "<config key='supply' value='24'/>" friction "</general></actuator></mujoco>"
#define NO_FRICTION "<config key='coulomb' value='0'/>"

START_TEST(dcmotor_stalled_current) {
  sn_model *m = model_of(MOTOR("1e12", ".003", NO_FRICTION));
  sn_data *d = data_of(m);
  d->ctrl[0] = 10;
  for (int step = 1; step <= 5; step++) {
    sn_step(m, d);
    CLOSE(d->act[0], 5 * (1 - exp(-step * 0.003 * 2 / 0.004)), 1e-12);
  }
  CLOSE(d->actuator_force[0], 0.04 * 5 * (1 - exp(-4 * 0.003 * 2 / 0.004)), 1e-12);

  // a supply gives what it has
  sn_reset(m, d);
  d->ctrl[0] = -1000;
  for (int step = 0; step < 100; step++) {
    sn_step(m, d);
  }
  CLOSE(d->act[0], -12, 1e-9);
  done_with(m, d);
}
END_TEST

// J v' = K i, L i' = V - R i - K v: two rates a < b, of J L s^2 + J R s + K^2 = 0; from rest
// v(t) = (V / K) (1 - (b exp(-a t) - a exp(-b t)) / (b - a)).
static double spin_up_error(const char *xml) {
  const double R = 2, L = 0.004, K = 0.04, J = 1e-5, V = 10, t = 0.02;
  double p = R / L, root = sqrt(p * p - 4 * K * K / (J * L)), a = (p - root) / 2,
         b = (p + root) / 2;
  double exact = V / K * (1 - (b * exp(-a * t) - a * exp(-b * t)) / (b - a));
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  d->ctrl[0] = V;
  while (d->time[0] < t - m->opt.timestep / 2) {
    sn_step(m, d);
  }
  double found = d->qvel[0];
  done_with(m, d);
  return fabs(found - exact) / exact;
}

START_TEST(dcmotor_spin_up) {
  double coarse = spin_up_error(MOTOR("1e-5", "1e-4", NO_FRICTION));
  double fine = spin_up_error(MOTOR("1e-5", "1e-5", NO_FRICTION));
  ck_assert_msg(fine < 1e-3, "%g", fine);
  ck_assert_msg(fabs(coarse / fine - 10) < 1, "of first order: %g, then %g", coarse, fine);
}
END_TEST

START_TEST(dcmotor_running_speed) {
  sn_model *m = model_of(MOTOR("1e-5", ".001",
                               "<config key='coulomb' value='.02'/><config "
                               "key='viscous' value='1e-4'/>"));
  sn_data *d = data_of(m);
  d->ctrl[0] = 10;
  for (int step = 0; step < 3000; step++) {
    sn_step(m, d);
  }
  double speed = (0.04 * 10 / 2 - 0.02) / (0.04 * 0.04 / 2 + 1e-4);
  CLOSE(d->qvel[0], speed, 1e-9);
  CLOSE(d->act[0], (10 - 0.04 * speed) / 2, 1e-9);

  // the slope of friction, where it is steep
  for (int k = -2; k <= 2; k++) {
    double slope, force[2], v = 0.006 * k, e = 1e-6;
    for (int side = 0; side < 2; side++) {
      d->qvel[0] = v + (side ? e : -e);
      sn_forward(m, d);
      force[side] = d->actuator_force[0];
    }
    d->qvel[0] = v;
    sn_forward(m, d);
    si_dyn_actuator_slope(m, d, d->worker, SI_BY_VELOCITY, &slope);
    CLOSE(slope, (force[1] - force[0]) / (2 * e), 1e-6);
  }
  done_with(m, d);
}
END_TEST

// Numbers come by name, by position, or as declared; mistakes are named with their place.
START_TEST(dcmotor_parameters_have_names) {
  sn_model *m = sample("actuator_dcmotor/motor.xml");
  static const double drive[4] = { 2, 0.004, 0.04, 24 }, lift[4] = { 1, 0.001, 0.05, 12 };
  for (int k = 0; k < 4; k++) {
    CLOSE(m->actuator_dynprm[k], drive[k], 0);
    CLOSE(m->actuator_dynprm[10 + k], lift[k], 0);
  }
  CLOSE(m->actuator_gainprm[0], 0.04, 0);
  CLOSE(m->actuator_biasprm[0], 0.002, 0);
  CLOSE(m->actuator_biasprm[1], 0.01, 0);
  sn_model_free(m);

#define ONE(attributes, inside)                                                     \
  "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>\n" \
  "<actuator><general name='m' joint='j' dyntype='dcmotor' " attributes ">" inside  \
  "</general></actuator></mujoco>"
  m = model_of(ONE("dynprm='3 4'", "<config key='supply' value='5'/>"));
  static const double mixed[4] = { 3, 4, 0, 5 };
  for (int k = 0; k < 4; k++) {
    CLOSE(m->actuator_dynprm[k], mixed[k], 0);
  }
  sn_model_free(m);

  static const char *const mistakes[][2] = {
    { ONE("", "<config key='suply' value='5'/>"), "did you mean 'supply'" },
    { ONE("", "<config key='supply' value='much'/>"), "'supply' must be a number" },
    { ONE("", "<config key='resistance' value='0'/>"), "must be positive" },
  };
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
    char name[16];
    snprintf(name, sizeof name, "x%d.xml", (int)i);
    ck_assert_int_ge(sn_engine_add_resource(engine, name, mistakes[i][0],
                                            (int64_t)strlen(mistakes[i][0]), error),
                     0);
    ck_assert_ptr_null(sn_load(engine, name, error));
    const char *text = sn_error_text(error);
    ck_assert_msg(strstr(text, ".xml:2") && strstr(text, "actuator 'm'") &&
                      strstr(text, mistakes[i][1]),
                  "%s", text);
  }
}
END_TEST

START_TEST(dcmotor_registered_by_an_application) {
  char found[4096], expected[4096] = "";
  FILE *app = popen(SN_TEST_BUILD "/samples/dcmotor_app " SN_TEST_SOURCE
                                  "/samples/plugins/actuator_dcmotor/motor.xml",
                    "r");
  ck_assert_ptr_nonnull(app);
  size_t n = fread(found, 1, sizeof found - 1, app);
  found[n] = '\0';
  ck_assert_int_eq(pclose(app), 0);

  sn_model *m = sample("actuator_dcmotor/motor.xml");
  sn_data *d = data_of(m);
  while (d->time[0] < 1) {
    d->ctrl[0] = d->ctrl[1] = 12;
    sn_step(m, d);
  }
  const struct {
    const char *name;
    const double *value;
  } rows[] = { { "qpos", d->qpos }, { "qvel", d->qvel }, { "act", d->act } };
  char *end = expected;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 2; i++) {
      end += sprintf(end, "%s[%d] = %.17g\n", rows[k].name, i, rows[k].value[i]);
    }
  }
  ck_assert_str_eq(found, expected);
  ck_assert_double_gt(d->qvel[0], 100);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ the propeller

static double thrust_at(const sn_model *m, sn_data *d, int64_t actuator, double height, double u) {
  const double start[2] = { 0.3, 3 };
  d->qpos[actuator] = height - start[actuator];
  d->ctrl[actuator] = u;
  sn_forward(m, d);
  return d->actuator_force[actuator];
}

START_TEST(propeller_near_the_ground) {
  sn_model *m = sample("actuator_propeller/hover.xml");
  sn_data *d = data_of(m);
  const double u = 900, free_air = 1e-5 * u * u;
  // by the formula, R 0.2; below R / 2 the value there
  for (double h = 0.1; h < 1; h += 0.1) {
    CLOSE(thrust_at(m, d, 0, h, u), free_air / (1 - 0.0025 / (h * h)), 1e-12);
  }
  CLOSE(thrust_at(m, d, 0, 0.02, u), free_air / (1 - 0.25), 1e-12);
  CLOSE(thrust_at(m, d, 0, 0.02, -u), -free_air / (1 - 0.25), 1e-12);
  // by the table: at its ends, in the middle of two heights, and outside
  CLOSE(thrust_at(m, d, 1, 0.05, u), free_air * 1.33, 1e-12);
  CLOSE(thrust_at(m, d, 1, 0.15, u), free_air * (1.33 + 1.07) / 2, 1e-12);
  CLOSE(thrust_at(m, d, 1, 0.7, u), free_air * (1.02 + 1) / 2, 1e-12);
  CLOSE(thrust_at(m, d, 1, 3, u), free_air, 1e-12);

  // it hovers where m g = c u^2 / (1 - (R / 4h)^2)
  ck_assert_int_ge(sn_reset_key(m, d, 0), 0);
  for (int step = 0; step < 20000; step++) {
    sn_step(m, d);
  }
  CLOSE(0.3 + d->qpos[0], sqrt(0.0025 / (1 - 1e-5 * 980 * 980 / 9.81)), 1e-6);
  CLOSE(d->qpos[1], 0, 1e-6);
  done_with(m, d);
}
END_TEST

// A table of 400 heights, 0.01 m apart, goes through a saved file.
START_TEST(propeller_with_a_long_table) {
  enum { ENTRIES = 400 };
  static char text[24 * ENTRIES];
  size_t n = (size_t)sprintf(text,
                             "<mujoco><worldbody><body><joint name='j' type='slide' axis='0 0 1'/>"
                             "<geom size='.1'/><site name='s'/></body></worldbody><actuator>"
                             "<general site='s' gear='0 0 1 0 0 0' gaintype='propeller'>"
                             "<config key='hub' value='s'/><config key='heights' value='");
  for (int i = 0; i < ENTRIES; i++) {
    n += (size_t)sprintf(text + n, " %d.%02d", i / 100, i % 100);
  }
  n += (size_t)sprintf(text + n, "'/><config key='factors' value='");
  for (int i = 0; i < ENTRIES; i++) {
    n += (size_t)sprintf(text + n, " %d", 1 + i % 7);
  }
  strcpy(text + n, "'/></general></actuator></mujoco>");
  char path[] = "/tmp/sinew-table-XXXXXX.xml";
  const int file = mkstemps(path, 4);
  ck_assert_int_ge(file, 0);
  close(file);
  ck_assert_int_ge(sn_engine_add_resource(engine, "t.xml", text, (int64_t)strlen(text), error), 0);
  sn_spec *spec = sn_spec_load(engine, "t.xml", error);
  ck_assert_msg(spec && sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  sn_model *m = sn_load(engine, path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = data_of(m);
  d->qpos[0] = 3.97;
  d->ctrl[0] = 100;
  sn_forward(m, d);
  CLOSE(d->actuator_force[0], 1e-5 * 100 * 100 * (1 + 397 % 7), 1e-12);
  done_with(m, d);
  sn_spec_free(spec);
  unlink(path);
}
END_TEST

START_TEST(propeller_rejects_uneven_tables) {
  static const char text[] =
      "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/><site name='s'/></body>"
      "</worldbody><actuator><general name='fan' site='s' gaintype='propeller'>"
      "<config key='hub' value='s'/><config key='heights' value='1 2'/></general></actuator>"
      "</mujoco>";
  ck_assert_int_ge(sn_engine_add_resource(engine, "x.xml", text, (int64_t)strlen(text), error), 0);
  ck_assert_ptr_null(sn_load(engine, "x.xml", error));
  ck_assert_msg(strstr(sn_error_text(error), "x.xml:1") &&
                    strstr(sn_error_text(error), "factors must be as many"),
                "%s", sn_error_text(error));
}
END_TEST

// ------------------------------------------------------------------ the gyroscope

enum { NIMU = 200 };

static char *many_gyroscopes(void) {
  char *text = malloc(200 * (NIMU + 10)), *end = text;
  end += sprintf(end, "<mujoco><option gravity='0 0 0' timestep='.01'/><worldbody><body><joint "
                      "axis='1 0 0'/><geom size='.1'/><site name='s' euler='0 0 90'/></body>"
                      "</worldbody><sensor>");
  for (int i = 0; i < NIMU; i++) {
    end += sprintf(end, "<plugin type='imu_drift' objtype='site' objname='s'><config key='walk' "
                        "value='.2'/></plugin>");
  }
  sprintf(end, "</sensor></mujoco>");
  return text;
}

START_TEST(imu_bias_walks_at_its_rate) {
  char *text = many_gyroscopes();
  sn_model *m = model_of(text);
  free(text);
  sn_data *d = data_of(m);
  static const double spin[3] = { 0, -2, 0 };   // about x of the body, which is -y of the site
  double half[3 * NIMU], first = 0, second = 0, product = 0;
  d->qvel[0] = 2;
  for (int step = 0; step <= 400; step++) {
    sn_forward(m, d);
    sn_forward(m, d);   // a second look does not move it
    if (step == 0) {
      CLOSE(d->sensordata[1], -2, 1e-12);
    }
    for (int i = 0; step == 100 && i < 3 * NIMU; i++) {
      half[i] = d->sensordata[i] - spin[i % 3];
    }
    if (step < 400) {
      sn_step(m, d);
    }
  }
  for (int i = 0; i < 3 * NIMU; i++) {
    double rest = d->sensordata[i] - spin[i % 3] - half[i];
    first += half[i] * half[i] / (3 * NIMU);
    second += rest * rest / (3 * NIMU);
    product += half[i] * rest / (3 * NIMU);
  }
  // variances walk^2 t of 600 numbers, within four of their standard deviations
  double spread = 4 * sqrt(2.0 / (3 * NIMU));
  CLOSE(first / (0.04 * 1), 1, spread / 2);
  CLOSE(second / (0.04 * 3), 1, spread / 2);
  ck_assert_double_lt(fabs(product) / (0.04 * sqrt(3)), 4 / sqrt(3.0 * NIMU));
  done_with(m, d);
}
END_TEST

START_TEST(imu_bias_belongs_to_the_state) {
  sn_model *m = sample("sensor_imu_drift/imu.xml");
  sn_data *d = data_of(m), *other = data_of(m);
  ck_assert_int_ge(sn_reset_key(m, d, 0), 0);
  for (int step = 0; step < 50; step++) {
    sn_step(m, d);
  }
  ck_assert_int_ge(sn_data_copy(m, other, d), 0);
  for (int step = 0; step < 50; step++) {
    sn_step(m, d);
    sn_step(m, other);
  }
  ck_assert_mem_eq(d->sensordata, other->sensordata, 9 * sizeof(double));
  for (int k = 0; k < 3; k++) {
    double left = d->sensordata[k] - d->sensordata[6 + k];
    double right = d->sensordata[3 + k] - d->sensordata[6 + k];
    ck_assert(left != 0 && left != right);   // two of one seed differ
  }
  CLOSE(d->sensordata[8], 3, 1e-9);
  sn_data_free(other);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ the magnets

#define RAIL(integrator, force)                                                               \
  "<mujoco><option gravity='0 0 0' timestep='1e-4' integrator='" integrator "'/><worldbody>"  \
  "<site name='post'/><body pos='.1 0 0'><joint type='slide' axis='1 0 0'/><geom size='.01' " \
  "mass='.5'/><site name='bob'/></body></worldbody><extension><force type='magnet' name='f'>" \
  "<config key='site1' value='bob'/><config key='site2' value='post'/>" force                 \
  "</force></extension></mujoco>"

START_TEST(magnets_fall_together) {
  sn_model *m = model_of(RAIL("RK4", "<config key='strength' value='1e-4'/>"));
  sn_data *d = data_of(m);
  sn_forward(m, d);
  CLOSE(d->qfrc_passive[0], -1e-4 / 1e-4, 1e-12);
  // 1/2 m v^2 = (s / 3) (1 / r^3 - 1 / r0^3)
  while (d->qpos[0] > -0.05) {
    sn_step(m, d);
    double r = 0.1 + d->qpos[0];
    CLOSE(d->qvel[0], -sqrt(2 * 1e-4 / 3 / 0.5 * (pow(r, -3) - 1000)), 1e-8);
  }
  done_with(m, d);
}
END_TEST

START_TEST(magnets_eddy_currents_brake) {
  sn_model *m = model_of(RAIL("RK4", "<config key='strength' value='0'/><config key='eddy' "
                                     "value='1e-7'/>"));
  sn_data *d = data_of(m);
  // dv / dr = -(e / m) / r^6
  d->qvel[0] = -0.1;
  for (int step = 0; step < 2000; step++) {
    sn_step(m, d);
    double r = 0.1 + d->qpos[0];
    CLOSE(d->qvel[0], -0.1 + 1e-7 / 5 / 0.5 * (pow(r, -5) - 1e5), 1e-10);
  }
  ck_assert_double_lt(d->qpos[0], -0.01);
  done_with(m, d);

  // stiff beyond what an explicit rule could bear, h e / (m r^6) = 20
  m = model_of(RAIL("implicitfast", "<config key='strength' value='0'/><config key='eddy' "
                                    "value='.1'/>"));
  d = data_of(m);
  d->qvel[0] = -0.1;
  sn_step(m, d);
  CLOSE(d->qvel[0], -0.1 / 21, 1e-9);
  done_with(m, d);
}
END_TEST

// On bodies that move each other: the derivative is that of finite differences.
START_TEST(magnets_derivative) {
  sn_model *m = model_of(
      "<mujoco><option timestep='.01'/><worldbody><body pos='0 0 1'><freejoint/>"
      "<geom type='box' size='.1 .2 .3'/><site name='a' pos='.3 .2 .1'/><body pos='.5 0 0'>"
      "<joint type='ball'/><joint type='slide' axis='1 1 0'/><geom size='.1' pos='.2 .1 0'/>"
      "<body pos='.1 0 .1'><site name='b' pos='.1 0 .4'/><geom size='.05'/></body></body></body>"
      "</worldbody><extension><force type='magnet'><config key='site1' value='a'/>"
      "<config key='site2' value='b'/><config key='eddy' value='.2'/></force></extension></mujoco>");
  sn_data *d = data_of(m);
  scramble(m, d, 5);
  sn_forward(m, d);
  int64_t nv = m->nv;
  ck_assert_int_eq(nv, 10);
  int32_t nnz[10], adr[10], col[100];
  double D[100] = { 0 }, force[2][10];
  for (int32_t i = 0; i < 10; i++) {
    nnz[i] = 10;
    adr[i] = 10 * i;
    for (int32_t k = 0; k < 10; k++) {
      col[10 * i + k] = k;
    }
  }
  sn_sparse pattern = { .nnz = nnz, .adr = adr, .col = col };
  const si_binding *b = &m->bound.passive.at[m->bound.passive.n - 1];   // named ones come last
  ck_assert_str_eq(b->provider->name, "magnet");
  const sn_passive_ops *ops = b->provider->ops;
  ck_assert_int_ge(ops->derivative(b->provider->self, b->bound, &d->view, NULL, &pattern, D,
                                   &d->worker->scratch.scratch),
                   0);
  for (int64_t k = 0; k < nv; k++) {
    double at = d->qvel[k], e = 1e-4;
    for (int side = 0; side < 2; side++) {
      d->qvel[k] = at + (side ? e : -e);
      sn_forward(m, d);
      memcpy(force[side], d->qfrc_passive, sizeof force[side]);
    }
    d->qvel[k] = at;
    for (int64_t i = 0; i < nv; i++) {
      CLOSE(D[10 * i + k], (force[1][i] - force[0][i]) / (2 * e), 1e-8);
    }
  }
  done_with(m, d);
}
END_TEST

START_TEST(magnets_need_two_sites) {
  static const char text[] = RAIL("Euler", "<config key='site2' value='pst'/>");
  ck_assert_int_ge(sn_engine_add_resource(engine, "x.xml", text, (int64_t)strlen(text), error), 0);
  ck_assert_ptr_null(sn_load(engine, "x.xml", error));
  ck_assert_msg(strstr(sn_error_text(error), "'site2' names 'pst'") != NULL, "%s",
                sn_error_text(error));

  // the sample's own scene: the rail's magnets repel each other with opposite forces
  sn_model *m = sample("passive_magnet/magnet.xml");
  sn_data *d = data_of(m);
  ck_assert_int_ge(sn_reset_key(m, d, 0), 0);
  sn_forward(m, d);
  CLOSE(d->qfrc_passive[1], -1e-6 / pow(0.2, 4), 1e-12);
  CLOSE(d->qfrc_passive[2], 1e-6 / pow(0.2, 4), 1e-12);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ the collider

// The contact of a geom of spherebox.xml; -1: none.
static int64_t contact_of(const sn_model *m, const sn_data *d, const char *geom) {
  int32_t g = sn_find(m, "geom", geom);
  for (int64_t i = 0; i < d->ncon; i++) {
    if (d->contact_geom1[i] == g || d->contact_geom2[i] == g) {
      return i;
    }
  }
  return -1;
}

// The sample has the answers of the default.
START_TEST(spherebox_inside_depth) {
  static const char *const served[] = { "primitive", "spherebox" };
  for (int k = 0; k < 2; k++) {
    ck_assert_int_ge(sn_select(engine, "sphere-box", served[k], error), 0);
    sn_model *m = sample("collider_spherebox/spherebox.xml");
    sn_data *d = data_of(m);
    ck_assert_str_eq(m->bound.collider[SN_GEOM_SPHERE][SN_GEOM_BOX]->name, served[k]);
    sn_forward(m, d);
    int64_t inside = contact_of(m, d, "inside"), corner = contact_of(m, d, "corner");
    ck_assert_int_eq(d->ncon, 2);
    CLOSE(d->contact_dist[corner], sqrt(3) * 0.01 - 0.05, 1e-14);
    CLOSE(d->contact_frame[9 * corner], -1 / sqrt(3), 1e-14);
    CLOSE(d->contact_dist[inside], -0.03 - 0.05, 1e-14);
    CLOSE(d->contact_frame[9 * inside + 2], -1, 1e-14);
    CLOSE(d->contact_pos[3 * inside + 2], 0.07 - 0.05 + 0.04, 1e-14);
    // the nearest points are on the surfaces, as far from each other as it says
    double fromto[6], between[3];
    int32_t ball = sn_find(m, "geom", "inside"), plate = sn_find(m, "geom", "plate");
    double distance = geom_distance(m, d, ball, plate, 1, fromto);
    CLOSE(distance, -0.08, 1e-14);
    sn_sub3(between, fromto + 3, fromto);
    CLOSE(sn_norm3(between), 0.08, 1e-14);
    done_with(m, d);
  }
}
END_TEST

// Through the side that is nearest, and on the way through the plate without a jump.
START_TEST(spherebox_ball_moves_through_a_plate) {
  ck_assert_int_ge(sn_select(engine, "sphere-box", "spherebox", error), 0);
  sn_model *m = sample("collider_spherebox/spherebox.xml");
  sn_data *d = data_of(m);
  for (double z = -0.149; z < 0.15; z += 0.001) {
    d->qpos[2] = z;
    sn_forward_position(m, d);
    int64_t i = contact_of(m, d, "inside");
    ck_assert_int_ge(i, 0);
    CLOSE(d->contact_dist[i], fabs(z) - 0.1 - 0.05, 1e-14);
    CLOSE(fabs(d->contact_frame[9 * i + 2]), 1, 1e-14);
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ computed meshes

#define SPHERE(n)                                                                             \
  "<mujoco><asset><mesh name='s' file='sphere:" n ".obj'/></asset><worldbody><body><freejoint/>" \
  "<geom type='mesh' mesh='s' density='1'/></body></worldbody></mujoco>"

static double missing_volume(const char *xml) {
  sn_model *m = model_of(xml);
  const double volume = m->body_mass[1], *inertia = m->body_inertia + 3;
  CLOSE(inertia[0], inertia[1], 1e-3 * inertia[0]);
  CLOSE(inertia[0], 0.4 * volume, 0.02 * volume);
  sn_model_free(m);
  return 4 * 3.14159265358979323846 / 3 - volume;
}

// A polyhedron in a sphere: its volume is less, by the square of the length of an edge.
START_TEST(computed_sphere_has_the_volume_of_a_sphere) {
  const double coarse = missing_volume(SPHERE("16")), fine = missing_volume(SPHERE("32"));
  ck_assert_msg(coarse > 0 && coarse < 0.07, "%g", coarse);
  CLOSE(coarse / fine, 4, 0.05);
  sn_model *m = sample("resource_sphere/ball.xml");
  ck_assert_int_eq(m->nmesh, 1);
  sn_model_free(m);
}
END_TEST

START_TEST(spheres_are_named_by_their_rings) {
  static const char *const wrong[] = { SPHERE("1"), SPHERE("257"), SPHERE("2.5"), SPHERE("-3"),
                                       SPHERE("") };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    ck_assert_ptr_null(try_text(wrong[i]));
    ck_assert_msg(strstr(sn_error_text(error), "spheres are named sphere:N.obj") != NULL, "%s",
                  sn_error_text(error));
  }
}
END_TEST

TESTS() {
  FIXTURE(open_with_samples, close_engine);
  TEST(dcmotor_stalled_current);
  TEST(dcmotor_spin_up);
  TEST(dcmotor_running_speed);
  TEST(dcmotor_parameters_have_names);
  TEST(dcmotor_registered_by_an_application);
  TEST(propeller_near_the_ground);
  TEST(propeller_with_a_long_table);
  TEST(propeller_rejects_uneven_tables);
  TEST(imu_bias_walks_at_its_rate);
  TEST(imu_bias_belongs_to_the_state);
  TEST(magnets_fall_together);
  TEST(magnets_eddy_currents_brake);
  TEST(magnets_derivative);
  TEST(magnets_need_two_sites);
  TEST(spherebox_inside_depth);
  TEST(spherebox_ball_moves_through_a_plate);
  TEST(computed_sphere_has_the_volume_of_a_sphere);
  TEST(spheres_are_named_by_their_rings);
}
