// SPDX-License-Identifier: Apache-2.0
//
// Types of sensors and the models that use them: types that an application brings, sensors that a
// type rejects, models of files that were made for other types.

#include "random_state.h"
#include "suite.h"

static const double *sensor(const sn_model *m, const sn_data *d, const char *name) {
  int32_t id = sn_find(m, "sensor", name);
  ck_assert_msg(id >= 0, "no sensor %s", name);
  return d->sensordata + m->sensor_adr[id];
}

// ------------------------------------------------------------------ user sensors

#define USERS                                                                           \
  "<mujoco><option><flag sensornoise='enable'/></option><worldbody><body name='b'>"     \
  "<joint name='j' type='slide'/><geom size='.1'/></body></worldbody><sensor>"          \
  "<user name='p' objtype='body' objname='b' dim='1' datatype='real' needstage='pos'/>" \
  "<user name='a' objtype='body' objname='b' dim='2' datatype='real' needstage='acc' "  \
  "noise='1'/><user name='v' objtype='body' objname='b' dim='1' datatype='positive' "   \
  "needstage='vel' cutoff='2'/></sensor></mujoco>"

// They are not evaluated: what the application wrote stays, without noise that adds up.
START_TEST(user_sensors_are_the_applications) {
  sn_model *m = model_of(USERS);
  sn_data *d = data_of(m);
  for (int i = 0; i < 4; i++) {
    d->sensordata[i] = 3 + i;
  }
  for (int i = 0; i < 3; i++) {
    sn_step(m, d);
  }
  CLOSE(d->sensordata[0], 3, 0);
  CLOSE(d->sensordata[1], 4, 0);
  CLOSE(d->sensordata[2], 5, 0);
  CLOSE(d->sensordata[3], 2, 0);   // cut off
  done_with(m, d);
}
END_TEST

// An application's own type `user` takes the place: called in each stage for those who want it.
enum { MOST_USERS = 4 };
typedef struct users {
  int64_t n;
  int32_t adr[MOST_USERS], dim[MOST_USERS];
} users;

static int32_t calls[8], ncall;   // how many sensors each call had

static sn_status users_bind(const void *self, const sn_model_view *model, int64_t n,
                            const sn_sensor *sensors, void **bound, sn_error *e) {
  (void)self, (void)model, (void)e;
  users *u = calloc(1, sizeof *u);
  u->n = n;
  for (int64_t i = 0; i < n; i++) {
    u->adr[i] = sensors[i].adr;
    u->dim[i] = sensors[i].dim;
  }
  *bound = u;
  return SN_OK;
}

static void users_unbind(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static sn_status users_evaluate(const void *self, const void *bound, const sn_data_view *data,
                                double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)data, (void)state, (void)scratch;
  const users *u = bound;
  for (int64_t i = 0; i < u->n; i++) {
    sensordata[u->adr[i]] = 10 * (ncall + 1) + u->dim[i];
  }
  calls[ncall++] = (int32_t)u->n;
  return SN_OK;
}

static const sn_sensor_ops users_ops = { .head = { .size = sizeof(sn_sensor_ops) },
                                         .stage = SN_STAGE_ACCELERATION,
                                         .objects = "body",
                                         .bind = users_bind,
                                         .unbind = users_unbind,
                                         .evaluate = users_evaluate };

START_TEST(user_sensors_evaluated_by_an_application) {
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_SENSOR, "user", &users_ops, error), 0);
  ck_assert_int_lt(sn_engine_add(engine, SN_KIND_SENSOR, "user", &users_ops, error), 0);
  sn_model *m = model_of(USERS);
  sn_data *d = data_of(m);
  set_option(m, "sensornoise", "disable");
  ncall = 0;
  sn_forward(m, d);
  ck_assert_int_eq(ncall, 3);   // positions, velocities, accelerations: one each
  CLOSE(sensor(m, d, "p")[0], 11, 0);
  CLOSE(sensor(m, d, "v")[0], 2, 0);   // 21, cut off
  CLOSE(sensor(m, d, "a")[0], 32, 0);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ what they cannot measure

#define ON_JOINTS(sensor)                                                                   \
  "<mujoco><worldbody><body><joint name='h'/><geom size='.1'/><body><joint name='b' "       \
  "type='ball'/><geom size='.1'/></body></body></worldbody><tendon><fixed name='t'><joint " \
  "joint='h' coef='1'/></fixed></tendon><sensor>\n<" sensor "/></sensor></mujoco>"

START_TEST(sensors_reject_what_they_cannot_measure) {
  static const char *const rows[][2] = {
    { ON_JOINTS("jointpos name='x' joint='b'"), "must be a slide or a hinge" },
    { ON_JOINTS("jointvel name='x' joint='b'"), "must be a slide or a hinge" },
    { ON_JOINTS("ballquat name='x' joint='h'"), "must be a ball" },
    { ON_JOINTS("ballangvel name='x' joint='h'"), "must be a ball" },
    { ON_JOINTS("jointlimitpos name='x' joint='h'"), "has no limit" },
    { ON_JOINTS("jointlimitvel name='x' joint='h'"), "has no limit" },
    { ON_JOINTS("jointlimitfrc name='x' joint='h'"), "has no limit" },
    { ON_JOINTS("tendonlimitpos name='x' tendon='t'"), "has no limit" },
    { ON_JOINTS("tendonlimitvel name='x' tendon='t'"), "has no limit" },
    { ON_JOINTS("tendonlimitfrc name='x' tendon='t'"), "has no limit" },
    { ON_JOINTS("framepos name='x' objtype='body' objname='nobody'"), "no body 'nobody'" },
    { ON_JOINTS("clock name='x' cutoff='-1'"), "cannot be negative" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char name[32];
    snprintf(name, sizeof name, "bad%zu.xml", i);
    int64_t n = (int64_t)strlen(rows[i][0]);
    ck_assert_int_ge(sn_engine_add_resource(engine, name, rows[i][0], n, error), 0);
    ck_assert_ptr_null(sn_load(engine, name, error));
    const char *text = sn_error_text(error);
    ck_assert_msg(strstr(text, ".xml:2:1: sensor 'x': ") && strstr(text, rows[i][1]), "%s", text);
  }
}
END_TEST

// A binary model may have been made with other plugins, or with bad intent.
START_TEST(models_that_do_not_fit_are_rejected) {
  static const char xml[] =
      "<mujoco><worldbody><body name='b'><joint name='j'/><joint name='k' type='ball'/>"
      "<geom size='.1'/><site name='s'/></body></worldbody><actuator><general joint='j' "
      "dyntype='filter'/></actuator><sensor><gyro site='s'/><ballquat joint='k'/></sensor>"
      "</mujoco>";
  sn_model *m = model_of(xml);
  const struct {
    int32_t *at, bad;
    const char *says;
  } rows[] = {
    { &m->sensor_objid[0], -1, "sensor 0 was compiled with a number of values" },
    { &m->sensor_dim[0], 2, "sensor 0 was compiled with a number of values" },
    { &m->sensor_needstage[1], SN_STAGE_ACCELERATION,
      "sensor 1 was compiled with a number of values" },
    { &m->sensor_objtypename[0], m->sensor_objtypename[1],
      "sensor 0 was compiled with a number of values" },
    { &m->sensor_objid[1], 0, "must be a ball" },
    { &m->actuator_actnum[0], 2, "actuator 0 was compiled with 2 activation states" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int32_t good = *rows[i].at;
    *rows[i].at = rows[i].bad;
    ck_assert_int_lt(si_model_bind(m, error), 0);
    ck_assert_msg(strstr(sn_error_text(error), rows[i].says) != NULL, "%s", sn_error_text(error));
    *rows[i].at = good;
  }
  // the same from a file, which is named
  static const char path[] = SN_TEST_BUILD "/unfit.bin";
  m->sensor_objid[1] = 0;
  ck_assert_int_ge(sn_model_save(m, path, error), 0);
  ck_assert_ptr_null(sn_load(engine, path, error));
  ck_assert_msg(strstr(sn_error_text(error), "unfit.bin: sensor 1: its joint must be a ball"), "%s",
                sn_error_text(error));
  remove(path);
  m->sensor_objid[1] = 1;
  bind_again(m);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(user_sensors_are_the_applications);
  TEST(user_sensors_evaluated_by_an_application);
  TEST(sensors_reject_what_they_cannot_measure);
  TEST(models_that_do_not_fit_are_rejected);
}
