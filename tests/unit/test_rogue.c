// SPDX-License-Identifier: Apache-2.0
//
// Plugins that misbehave while a simulation runs: the floating-point environment changed in a
// step, a sensor's value that is no number. Each is told by name. And models that need a plugin
// that is not there: each is warned of, with the plugin to load.

#include <check.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/passive.h"
#include "sinew/sensor.h"
#include "sinew/sinew.h"

static sn_engine *engine;
static sn_error *error;
static int rounds, probes;   // switches of the toys
static int something;

// ------------------------------------------------------------------ toys

static sn_status bind_force(const void *self, const sn_model_view *model, const sn_value *values,
                            void **bound, sn_error *e) {
  (void)self, (void)model, (void)values, (void)e;
  *bound = &something;
  return SN_OK;
}

static void unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

static sn_status apply(const void *self, const void *bound, const sn_data_view *data, double *qfrc,
                       sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)qfrc, (void)scratch;
  if (rounds) {
    fesetround(FE_UPWARD);
  }
  return SN_OK;
}

static const sn_passive_ops rounding_force = {
  .head = { .size = sizeof(sn_passive_ops) }, .bind = bind_force, .unbind = unbind, .apply = apply
};

static sn_status bind_sensor(const void *self, const sn_model_view *model, int64_t n,
                             const sn_sensor *sensors, void **bound, sn_error *e) {
  (void)self, (void)model, (void)n, (void)e;
  *bound = calloc(1, sizeof(int32_t));
  memcpy(*bound, &sensors[0].adr, sizeof(int32_t));
  return SN_OK;
}

static void unbind_sensor(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static sn_status evaluate(const void *self, const void *bound, const sn_data_view *data,
                          double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)data, (void)state, (void)scratch;
  sensordata[*(const int32_t *)bound] = NAN;
  sensordata[*(const int32_t *)bound + 1] = 7;
  return SN_OK;
}

static const sn_sensor_ops lost_sensor = {
  .head = { .size = sizeof(sn_sensor_ops) },
  .stage = SN_STAGE_POSITION,
  .dim = 2,
  .objects = "",
  .references = "",
  .needs = "",
  .bind = bind_sensor,
  .unbind = unbind_sensor,
  .evaluate = evaluate,
};

static int32_t probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self, (void)bytes, (void)count, (void)name;
  if (probes) {
    fesetround(FE_DOWNWARD);
  }
  return 0;
}

static sn_status load_nothing(const void *self, sn_source *source, const sn_builder *builder,
                              sn_error *e) {
  (void)self, (void)source, (void)builder, (void)e;
  return SN_OK;
}

static const sn_loader_ops rounding_loader = {
  .head = { .size = sizeof(sn_loader_ops) }, .extensions = "", .probe = probe, .load = load_nothing
};

// ------------------------------------------------------------------ engines

static void setup(void) {
  rounds = probes = 0;
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
}

static void teardown(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

static sn_model *load(const char *text) {
  ck_assert_int_eq(sn_engine_add_resource(engine, "m.xml", text, (int64_t)strlen(text), error),
                   SN_OK);
  return sn_load(engine, "m.xml", error);
}

static const char hinge[] = "<mujoco><worldbody><body><joint axis='0 1 0' damping='1'/>"
                            "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>";

START_TEST(test_rounding_in_a_step) {
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_PASSIVE, "rounder", &rounding_force, error),
                   SN_OK);
  sn_model *m = load(hinge);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  rounds = 1;
  ck_assert_int_eq(sn_step(m, d), SN_EPLUGIN);
  ck_assert_ptr_nonnull(strstr(sn_error_message(sn_data_error(d)), "'rounder'"));
  ck_assert_int_eq(fegetround(), FE_TONEAREST);
  ck_assert_int_eq(sn_forward(m, d), SN_EPLUGIN);
  rounds = 0;
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

START_TEST(test_rounding_while_loading) {
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_LOADER, "rounder", &rounding_loader, error),
                   SN_OK);
  probes = 1;
  ck_assert_ptr_null(load(hinge));
  ck_assert_int_eq(sn_error_code(error), SN_EPLUGIN);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "'rounder'"));
  ck_assert_int_eq(fegetround(), FE_TONEAREST);
}
END_TEST

static char heard[1024];
static void listen(void *context, int32_t level, const char *topic, const char *text) {
  (void)context, (void)topic;
  if (level >= SN_LOG_WARNING) {
    snprintf(heard, sizeof heard, "%s", text);
  }
}

START_TEST(test_sensor_without_a_number) {
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SENSOR, "lost", &lost_sensor, error), SN_OK);
  sn_engine_set_log(engine, listen, NULL);
  sn_model *m = load("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody>"
                     "<sensor><plugin type='lost'/></sensor></mujoco>");
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_double_eq(sn_sensordata(d)[0], 0);
  ck_assert_int_eq(sn_warnings(d, SN_WARN_PLUGIN), 1);
  ck_assert_ptr_nonnull(strstr(heard, "'lost'"));
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ what nobody serves

// An engine with some of the plugins, beside those that are left out.
static sn_model *load_with(const char *const *plugins, const char *text) {
  sn_engine_close(engine);
  engine = sn_engine_open("", error);
  for (; *plugins; plugins++) {
    char path[512];
    snprintf(path, sizeof path, SN_TEST_BUILD "/%s.so", *plugins);
    ck_assert_msg(sn_engine_load_plugin(engine, *plugins, path, error) == SN_OK, "%s",
                  sn_error_text(error));
  }
  sn_model *m = load(text);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  return m;
}

static int is_warned(const sn_model *m, const char *text, const char *cure) {
  for (int64_t i = 0; sn_warning(m, i); i++) {
    if (strstr(sn_warning(m, i), text) && strstr(sn_warning(m, i), cure)) {
      return 1;
    }
  }
  return 0;
}

static const char *const few[] = { "loaders/mjcf", "plugins/newton", "plugins/euler", NULL };

START_TEST(test_nobody_collides) {
  sn_model *m = load_with(few, "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                               "<geom type='plane' size='1 1 1'/>"
                               "<body><freejoint/><geom name='ball' size='.1'/></body>"
                               "<body><freejoint/><geom name='crate' type='box' size='1 1 1' "
                               "contype='0' conaffinity='0'/></body></worldbody>"
                               "<contact><pair geom1='ball' geom2='crate'/></contact></mujoco>");
  ck_assert(is_warned(m, "plane-sphere", "primitive.so"));
  ck_assert(is_warned(m, "sphere-box", "explicit pair"));
  ck_assert(!is_warned(m, "plane-box", ""));     // the filters part them
  ck_assert(!is_warned(m, "plane-plane", ""));   // never touch, by the documented filters
  sn_model_free(m);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("rogue");
  TCase *t = tcase_create("all");
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, test_rounding_in_a_step);
  tcase_add_test(t, test_rounding_while_loading);
  tcase_add_test(t, test_sensor_without_a_number);
  tcase_add_test(t, test_nobody_collides);
  suite_add_tcase(suite, t);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
