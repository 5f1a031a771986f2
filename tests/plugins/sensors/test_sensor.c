// SPDX-License-Identifier: Apache-2.0
//
// Sensors: laws of physics that they must show, derivatives in time by finite differences, noise,
// cutoff, sensors with a state of their own.

#include "model_file.h"
#include "random_state.h"
#include "step/sensors.h"
#include "suite.h"

static const double *sensor(const sn_model *m, const sn_data *d, const char *name) {
  int32_t id = sn_find(m, "sensor", name);
  ck_assert_msg(id >= 0, "no sensor %s", name);
  return d->sensordata + m->sensor_adr[id];
}

// ------------------------------------------------------------------ a toy type with a state

// Counts its evaluations.
static sn_status count_bind(const void *self, const sn_model_view *model, int64_t n,
                            const sn_sensor *sensors, void **bound, sn_error *e) {
  (void)self, (void)model, (void)e;
  int32_t *adr = calloc((size_t)n + 1, sizeof *adr);
  adr[0] = (int32_t)n;
  for (int64_t i = 0; i < n; i++) {
    adr[i + 1] = sensors[i].adr;
  }
  *bound = adr;
  return SN_OK;
}

static void count_unbind(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static sn_status count_evaluate(const void *self, const void *bound, const sn_data_view *data,
                                double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)data, (void)scratch;
  const int32_t *adr = bound;
  for (int32_t i = 0; i < adr[0]; i++) {
    state[2 * i] += 1 + i;
    state[2 * i + 1] -= 1;
    sensordata[adr[i + 1]] = state[2 * i];
  }
  return SN_OK;
}

static sn_status fail_evaluate(const void *self, const void *bound, const sn_data_view *data,
                               double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)sensordata, (void)scratch;
  return SN_EPLUGIN;
}

static sn_status two_states(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                            int32_t *dim, int32_t *nstate, sn_error *e) {
  (void)self, (void)model, (void)sensor, (void)dim, (void)e;
  *nstate = 2;
  return SN_OK;
}

static const sn_sensor_ops count_ops = { .head = { .size = sizeof(sn_sensor_ops) },
                                         .stage = SN_STAGE_VELOCITY,
                                         .dim = 1,
                                         .sizes = two_states,
                                         .bind = count_bind,
                                         .unbind = count_unbind,
                                         .evaluate = count_evaluate };

static const sn_sensor_ops fail_ops = { .head = { .size = sizeof(sn_sensor_ops) },
                                        .stage = SN_STAGE_POSITION,
                                        .dim = 1,
                                        .bind = count_bind,
                                        .unbind = count_unbind,
                                        .evaluate = fail_evaluate };

// ------------------------------------------------------------------ at rest and falling

START_TEST(accelerometers_feel_weight) {
  sn_model *m = model_of(
      "<mujoco><worldbody><body><geom size='.1'/><site name='still' euler='90 0 0'/></body>"
      "<body pos='1 0 0'><freejoint/><geom size='.1'/><site name='falls'/></body></worldbody>"
      "<sensor><accelerometer name='a' site='still'/><accelerometer name='b' site='falls'/>"
      "<framelinacc name='c' objtype='site' objname='still'/></sensor></mujoco>");
  sn_data *d = data_of(m);
  ck_assert_int_ge(sn_forward(m, d), 0);
  CLOSE(sensor(m, d, "a")[1], 9.81, 1e-13);
  CLOSE(sensor(m, d, "a")[2], 0, 1e-13);
  CLOSE(sensor(m, d, "b")[2], 0, 1e-13);
  CLOSE(sensor(m, d, "c")[2], 9.81, 1e-13);
  done_with(m, d);
}
END_TEST

// A pendulum that hangs pulls on its parent with its weight; an arm bends it with its moment.
START_TEST(force_sensors_carry_what_hangs_below) {
  sn_model *m = model_of(
      "<mujoco><worldbody><body pos='0 0 1'><geom size='.1' mass='2'/><site name='s'/>"
      "<body pos='.5 0 0'><joint axis='0 0 1'/><geom size='.1' mass='3'/></body></body></worldbody>"
      "<sensor><force name='f' site='s'/><torque name='t' site='s'/></sensor></mujoco>");
  sn_data *d = data_of(m);
  ck_assert_int_ge(sn_forward(m, d), 0);
  CLOSE(sensor(m, d, "f")[2], 5 * 9.81, 1e-12);
  CLOSE(sensor(m, d, "f")[0], 0, 1e-12);
  CLOSE(sensor(m, d, "t")[1], -0.5 * 3 * 9.81, 1e-12);
  CLOSE(sensor(m, d, "t")[0], 0, 1e-12);
  done_with(m, d);
}
END_TEST

START_TEST(touch_weighs) {
  sn_model *m = model_of(model_file("plugins/sensors/touch"));
  sn_data *d = data_of(m);
  for (int i = 0; i < 1000; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  CLOSE(sensor(m, d, "all")[0], 4 * 9.81, 1e-6);
  CLOSE(sensor(m, d, "half")[0], 2 * 9.81, 1e-6);
  CLOSE(sensor(m, d, "none")[0], 0, 0);
  CLOSE(sensor(m, d, "cut")[0], 10, 0);
  done_with(m, d);
}
END_TEST

START_TEST(limits_are_felt_while_active) {
  sn_model *m = model_of(
      "<mujoco><worldbody><body><joint name='j' type='slide' axis='0 0 1' limited='true' "
      "range='-.5 1'/><geom size='.1' mass='2'/></body></worldbody>"
      "<sensor><jointlimitpos name='p' joint='j'/><jointlimitvel name='v' joint='j'/>"
      "<jointlimitfrc name='f' joint='j'/></sensor></mujoco>");
  sn_data *d = data_of(m);
  sn_forward(m, d);
  CLOSE(sensor(m, d, "f")[0], 0, 0);
  d->qpos[0] = -0.51;
  d->qvel[0] = -0.3;
  sn_forward(m, d);
  CLOSE(sensor(m, d, "p")[0], -0.01, 1e-13);
  CLOSE(sensor(m, d, "v")[0], -0.3, 1e-13);
  for (int i = 0; i < 2000; i++) {
    sn_step(m, d);
  }
  CLOSE(sensor(m, d, "f")[0], 2 * 9.81, 1e-6);
  done_with(m, d);
}
END_TEST

START_TEST(rangefinders_measure_along_z) {
  sn_model *m = model_of(model_file("plugins/sensors/rangefinders"));
  sn_data *d = data_of(m);
  ck_assert_int_ge(sn_forward(m, d), 0);
  CLOSE(sensor(m, d, "d")[0], 2, 1e-12);
  CLOSE(sensor(m, d, "u")[0], -1, 0);
  CLOSE(sensor(m, d, "s")[0], 1.5, 1e-12);
  CLOSE(sensor(m, d, "cut")[0], 1, 0);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ derivatives in time

static const char *const kinds[] = { "body", "xbody", "geom", "site", "camera" };

// Sensor values a time t from a state: along the velocity and the acceleration.
static void sensors_at(const sn_model *m, sn_data *d, const double *qpos, const double *qvel,
                       const double *qacc, double t, double *out) {
  double v[32];
  for (int64_t i = 0; i < m->nv; i++) {
    d->qvel[i] = qvel[i] + t * qacc[i];
    v[i] = qvel[i] + 0.5 * t * qacc[i];
  }
  memcpy(d->qpos, qpos, (size_t)m->nq * sizeof(double));
  sn_integrate_position(m, d->qpos, v, t);
  ck_assert_int_ge(sn_forward(m, d), 0);
  memcpy(out, d->sensordata, (size_t)m->nsensordata * sizeof(double));
}

static const double *value(const sn_model *m, const double *data, const char *frame,
                           const char *what) {
  char name[32];
  snprintf(name, sizeof name, "%s%s", frame, what);
  return data + m->sensor_adr[sn_find(m, "sensor", name)];
}

// What changes in time as `rate` says: differences over 2 eps.
static void check_rate(const double *before, const double *after, double eps, const double *rate,
                       double tolerance) {
  for (int i = 0; i < 3; i++) {
    CLOSE((after[i] - before[i]) / (2 * eps), rate[i], tolerance);
  }
}

static void check_place(const sn_model *m, const double *before, const double *now,
                        const double *after, double eps, const char *frame) {
  check_rate(value(m, before, frame, "p"), value(m, after, frame, "p"), eps,
             value(m, now, frame, "v"), 1e-6);
  double rate[3], turn[4], back[4];
  sn_cross(rate, value(m, now, frame, "w"), value(m, now, frame, "z"));
  check_rate(value(m, before, frame, "z"), value(m, after, frame, "z"), eps, rate, 1e-6);
  // q(after) q(before)* turns by 2 eps w
  sn_conj_quat(back, value(m, before, frame, "q"));
  sn_mul_quat(turn, value(m, after, frame, "q"), back);
  sn_quat_vec(rate, turn);
  for (int i = 0; i < 3; i++) {
    CLOSE(rate[i] / (2 * eps), value(m, now, frame, "w")[i], 1e-6);
  }
}

START_TEST(velocities_are_rates_of_positions) {
  sn_model *m = model_of(model_file("plugins/sensors/frames"));
  sn_data *d = data_of(m);
  double *before = malloc(3 * (size_t)m->nsensordata * sizeof *before);
  double *now = before + m->nsensordata, *after = now + m->nsensordata;
  double qpos[32], qvel[32], qacc[32];
  const double eps = 1e-5;
  for (uint32_t seed = 1; seed < 10; seed++) {
    scramble(m, d, seed);
    ck_assert_int_ge(sn_forward(m, d), 0);
    memcpy(qpos, d->qpos, sizeof(double) * (size_t)m->nq);
    memcpy(qvel, d->qvel, sizeof(double) * (size_t)m->nv);
    memcpy(qacc, d->qacc, sizeof(double) * (size_t)m->nv);
    memcpy(now, d->sensordata, sizeof(double) * (size_t)m->nsensordata);
    sensors_at(m, d, qpos, qvel, qacc, -eps, before);
    sensors_at(m, d, qpos, qvel, qacc, eps, after);

    check_place(m, before, now, after, eps, "ref");
    for (int k = 0; k < 5; k++) {
      double gravity_free[3];
      check_place(m, before, now, after, eps, kinds[k]);
      sn_copy3(gravity_free, value(m, now, kinds[k], "a"));
      gravity_free[2] -= 9.81;
      check_rate(value(m, before, kinds[k], "v"), value(m, after, kinds[k], "v"), eps, gravity_free,
                 1e-5);
      check_rate(value(m, before, kinds[k], "w"), value(m, after, kinds[k], "w"), eps,
                 value(m, now, kinds[k], "b"), 1e-5);
    }
    check_rate(value(m, before, "com", ""), value(m, after, "com", ""), eps,
               value(m, now, "comv", ""), 1e-6);
    CLOSE(sn_norm3(value(m, now, "vs", "")), sn_norm3(value(m, now, "site", "v")), 1e-12);
    CLOSE(sn_norm3(value(m, now, "ws", "")), sn_norm3(value(m, now, "site", "w")), 1e-12);
    ck_assert_double_gt(sn_norm3(value(m, now, "L", "")), 1e-6);
  }
  free(before);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ noise and cutoff

#define NOISY model_file("plugins/sensors/noisy")

START_TEST(noise_has_its_size_and_keeps_the_kind_of_data) {
  sn_model *m = model_of(NOISY);
  sn_data *d = data_of(m);
  sn_forward(m, d);
  CLOSE(sensor(m, d, "p")[0], 0, 0);   // not unless enabled
  set_option(m, "sensornoise", "enable");
  int n = 2000;
  double sum = 0, squares = 0, turn = 0;
  for (int i = 0; i < n; i++) {
    d->time[0] = 0.002 * i;
    sn_forward(m, d);
    double x = sensor(m, d, "p")[0], v[3];
    sum += x / n;
    squares += x * x / n;
    ck_assert_double_ge(sensor(m, d, "t")[0], 0);
    ck_assert_double_le(fabs(sensor(m, d, "cut")[0]), 0.05);
    CLOSE(sn_norm3(sensor(m, d, "z")), 1, 1e-12);
    const double *q = sensor(m, d, "q");
    CLOSE(q[0] * q[0] + sn_dot3(q + 1, q + 1), 1, 1e-12);
    sn_quat_vec(v, q);
    turn += sn_dot3(v, v) / (3 * n);
  }
  ck_assert_double_le(fabs(sum), 4 * 0.1 / sqrt(n));
  CLOSE(sqrt(squares), 0.1, 0.01);
  CLOSE(sqrt(turn), 0.1, 0.01);
  done_with(m, d);
}
END_TEST

START_TEST(noise_is_a_function_of_the_state) {
  sn_model *m = model_of(NOISY);
  sn_data *a = data_of(m), *b = data_of(m);
  set_option(m, "sensornoise", "enable");
  double state[64];
  for (int i = 0; i < 10; i++) {
    sn_step(m, a);
  }
  ck_assert_int_le(sn_state_size(m, SN_STATE_INTEGRATION), 64);
  sn_state_get(m, a, SN_STATE_INTEGRATION, state);
  sn_state_set(m, b, SN_STATE_INTEGRATION, state);
  sn_step(m, a);
  sn_step(m, b);
  size_t bytes = sizeof(double) * (size_t)m->nsensordata;
  ck_assert_int_eq(memcmp(a->sensordata, b->sensordata, bytes), 0);
  sn_step(m, a);
  ck_assert_int_ne(memcmp(a->sensordata, b->sensordata, bytes), 0);
  sn_data_free(b);
  done_with(m, a);
}
END_TEST

// Another seed is other noise; the same one the same, whatever was asked before.
START_TEST(noise_has_a_seed) {
  static const char *const seeds[3] = { "0", "7", "0" };
  double found[3][8];
  sn_model *m = model_of("<mujoco><option noise_seed='7'/></mujoco>");
  ck_assert_int_eq(m->opt.noise_seed, 7);
  sn_model_free(m);
  m = model_of(NOISY);
  sn_data *d = data_of(m);
  set_option(m, "sensornoise", "enable");
  for (int k = 0; k < 3; k++) {
    set_option(m, "noise_seed", seeds[k]);
    for (int i = 0; i < 8; i++) {
      d->time[0] = 0.002 * i;
      sn_forward(m, d);
      found[k][i] = sensor(m, d, "p")[0];
    }
  }
  ck_assert_mem_eq(found[0], found[2], sizeof found[0]);
  for (int i = 0; i < 8; i++) {
    ck_assert(found[0][i] != found[1][i]);
  }
  done_with(m, d);
}
END_TEST

START_TEST(disabled_sensors_stay) {
  sn_model *m = model_of(NOISY);
  sn_data *d = data_of(m);
  d->qpos[0] = 0.3;
  sn_forward(m, d);
  CLOSE(sensor(m, d, "p")[0], 0.3, 0);
  CLOSE(sensor(m, d, "cut")[0], 0.05, 0);
  set_option(m, "sensor", "disable");
  d->qpos[0] = 0.7;
  sn_forward(m, d);
  CLOSE(sensor(m, d, "p")[0], 0.3, 0);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ states and failures

static sn_model *counters(void) {
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_SENSOR, "count", &count_ops, error), 0);
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_SENSOR, "fail", &fail_ops, error), 0);
  sn_spec *spec = sn_spec_new(engine, error);
  static const char *const types[] = { "count", "clock", "count", "fail" };
  for (int i = 0; i < 4; i++) {
    sn_sensor_def def;
    sn_default_sensor(&def);
    def.type = types[i];
    ck_assert_int_ge(sn_spec_add_sensor(spec, &def, NULL, NULL, error), 0);
  }
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_spec_free(spec);
  return m;
}

START_TEST(sensors_keep_their_state) {
  sn_model *m = counters();
  sn_data *d = data_of(m);
  for (int i = 1; i <= 3; i++) {
    sn_step(m, d);
    CLOSE(d->sensordata[0], i, 0);
    CLOSE(d->sensordata[2], 2 * i, 0);
  }
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 3);   // of the type that fails
  sn_reset(m, d);
  sn_step(m, d);
  CLOSE(d->sensordata[0], 1, 0);
  done_with(m, d);
}
END_TEST

// What a sensor needs beyond the dynamics is computed in its stage, and only for sensors.
START_TEST(quantities_are_computed_on_demand) {
#define WITH(sensors)                                                                           \
  "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/><site name='s'/></body>" \
  "</worldbody><sensor>" sensors "</sensor></mujoco>"
  static const struct {
    const char *xml;
    int32_t computed;
  } rows[] = {
    { WITH("<gyro site='s'/><jointpos joint='j'/><clock/>"), 0 },
    { WITH("<subtreelinvel body='b'/>"), SI_HAS_SUBTREE },
    { WITH("<accelerometer site='s'/>"), SI_HAS_BODY_FORCES },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sn_model *m = model_of(rows[i].xml);
    sn_data *d = data_of(m);
    ck_assert_int_ge(sn_forward(m, d), 0);
    ck_assert_int_eq(d->computed & (SI_HAS_SUBTREE | SI_HAS_BODY_FORCES), rows[i].computed);
    done_with(m, d);
  }
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(accelerometers_feel_weight);
  TEST(force_sensors_carry_what_hangs_below);
  TEST(touch_weighs);
  TEST(limits_are_felt_while_active);
  TEST(rangefinders_measure_along_z);
  TEST(velocities_are_rates_of_positions);
  TEST(noise_has_its_size_and_keeps_the_kind_of_data);
  TEST(noise_is_a_function_of_the_state);
  TEST(disabled_sensors_stay);
  TEST(sensors_keep_their_state);
  TEST(noise_has_a_seed);
  TEST(quantities_are_computed_on_demand);
}
