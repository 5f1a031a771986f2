// SPDX-License-Identifier: Apache-2.0
//
// The host: parameters; selection and what wins; tables that an application adds; plugins linked
// into it; listings; what it offers to plugins.

#include <locale.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host_toys.h"
#include "sinew/actuator.h"
#include "suite.h"

// ------------------------------------------------------------------ parameters

START_TEST(parameters_arrive) {
  // whatever the application's locale says about decimal points
  setlocale(LC_ALL, "de_DE.UTF-8");
  sn_engine *engine = open_toys("[plugin.newton]\niterations = 7\ntolerance = 2.5e-3\n"
                                "[plugin.solver.newton]\nwarm = off\n");
  ck_assert_msg(si_engine_freeze(engine, error) == SN_OK, "%s", sn_error_text(error));
  setlocale(LC_ALL, "C");
  const instance *t = si_engine_find(engine, SN_KIND_SOLVER, "newton", error)->self;
  ck_assert_int_eq(t->values[0].integer, 7);
  ck_assert_double_eq(t->values[0].real, 7);
  ck_assert_double_eq(t->values[1].real, 2.5e-3);
  ck_assert_int_eq(t->values[2].integer, 0);
  ck_assert_str_eq(t->text, "exact");
  ck_assert_ptr_eq(t->host, sn_engine_host(engine));
  ck_assert_ptr_null(si_engine_find(engine, SN_KIND_SOLVER, "cg", error)->self);
  sn_engine_close(engine);
  ck_assert_str_eq(calls, "init create destroy fini ");
}
END_TEST

START_TEST(kind_is_needed_when_names_are_shared) {
  static const sn_integrator_ops twin = {
    .head = { .size = sizeof(sn_integrator_ops),
              .params = toy_params,
              .create = toy_create,
              .destroy = toy_destroy },
    .step = toy_step,
  };
  sn_engine *engine = open_toys("[plugin.newton]\niterations = 7\n");
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_INTEGRATOR, "newton", &twin, error), SN_OK);
  ck_assert_int_lt(si_engine_freeze(engine, error), 0);
  expect("several kinds have a provider 'newton'", 2);
  sn_engine_close(engine);

  engine = open_toys("[plugin.integrator.newton]\niterations = 7\n"
                     "[plugin.solver.newton]\niterations = 8\n");
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_INTEGRATOR, "newton", &twin, error), SN_OK);
  ck_assert_msg(si_engine_freeze(engine, error) == SN_OK, "%s", sn_error_text(error));
  const instance *i = si_engine_find(engine, SN_KIND_INTEGRATOR, "newton", error)->self;
  const instance *s = si_engine_find(engine, SN_KIND_SOLVER, "newton", error)->self;
  ck_assert_int_eq(i->values[0].integer, 7);
  ck_assert_int_eq(s->values[0].integer, 8);
  sn_engine_close(engine);
}
END_TEST

// [plugin.newton] and [plugin.solver.newton] are one provider: neither wins over the other
START_TEST(parameter_said_twice) {
  sn_engine *engine = open_toys("[plugin.newton]\niterations = 7\n"
                                "[plugin.solver.newton]\niterations = 8\n");
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_EINVAL);
  expect("the same parameter is set at", 4);
  sn_engine_close(engine);
}
END_TEST

START_TEST(bad_declarations) {
  static const sn_param lists[][2] = {
    { { .name = "x", .default_value = "1", .type = 9 } },
    { { .name = "x", .type = SN_PARAM_INT } },
    { { .name = "x", .default_value = "one", .type = SN_PARAM_REAL } },
    { { .name = "x", .default_value = "c", .choices = "a|b", .type = SN_PARAM_TEXT } },
    { { .name = "a b", .default_value = "1", .type = SN_PARAM_INT } },
    { { .name = "x", .default_value = "1", .max = NAN, .type = SN_PARAM_REAL } },
    { { .name = "x", .default_value = "a", .choices = "a||b", .type = SN_PARAM_TEXT } },
  };
  static const char *const reasons[] = { "unknown type 9",
                                         "has no default; set default_value",
                                         "must be a number",
                                         "parameter 'x' cannot be ",
                                         "'a b' has other characters",
                                         "the range of its parameter 'x' is not a number",
                                         "the choices of its parameter 'x' have an empty word" };
  sn_engine *engine = sn_engine_open("", error);
  for (int i = 0; i < 7; i++) {
    sn_solver_ops ops = plain_ops;
    ops.head.params = lists[i];
    ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "x", &ops, error), SN_EINVAL);
    expect(reasons[i], 0);
  }
  ck_assert_ptr_null(si_engine_each(engine, SN_KIND_SOLVER, 0));
  sn_engine_close(engine);
}
END_TEST

static sn_status sensor_bind(const void *self, const sn_model_view *model, int64_t n,
                             const sn_sensor *sensors, void **bound, sn_error *e) {
  (void)self, (void)model, (void)n, (void)sensors, (void)bound, (void)e;
  return SN_OK;
}

static void sensor_unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

static sn_status integrator_bind(const void *self, const sn_model_view *model, void **bound,
                                 sn_error *e) {
  (void)self, (void)model, (void)bound, (void)e;
  return SN_OK;
}

static sn_status sensor_evaluate(const void *self, const void *bound, const sn_data_view *data,
                                 double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)sensordata, (void)scratch;
  return SN_OK;
}

static sn_status collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                         sn_scratch *scratch) {
  (void)self, (void)batch, (void)out, (void)scratch;
  return SN_OK;
}

// Numbers of operation tables that no host can use.
START_TEST(bad_tables) {
  static const sn_collider_pair backwards[] = { { "box", "sphere" }, { NULL, NULL } };
  static const sn_collider_pair half[] = { { "box", NULL }, { NULL, NULL } };
  static const sn_collider_pair future[] = { { "torus", "sphere" }, { NULL, NULL } };
  const sn_sensor_ops stage = { .head = { .size = sizeof stage },
                                .stage = 99,
                                .bind = sensor_bind,
                                .unbind = sensor_unbind,
                                .evaluate = sensor_evaluate };
  sn_sensor_ops dim = stage, leaking = stage;
  dim.stage = leaking.stage = 0;
  sn_sensor_ops reserved = leaking;
  reserved.unbind = stage.unbind;
  reserved.reserved = 8;
  dim.dim = -5;
  leaking.unbind = NULL;
  sn_integrator_ops no_unbind = euler_ops;
  no_unbind.bind = integrator_bind;
  const sn_collider_ops order = { .head = { .size = sizeof order },
                                  .pairs = backwards,
                                  .collide = collide };
  const sn_collider_ops pointer = { .head = { .size = sizeof pointer },
                                    .pairs = half,
                                    .collide = collide };
  const sn_collider_ops points = {
    .head = { .size = sizeof points }, .pairs = future, .max_points = -3, .collide = collide
  };
  const sn_collider_ops unknown = {
    .head = { .size = sizeof unknown }, .pairs = future, .reserved = 8, .collide = collide
  };
  const sn_collider_ops newer = { .head = { .size = sizeof newer },
                                  .pairs = future,
                                  .collide = collide };
  sn_solver_ops odd = plain_ops;
  odd.head.size -= 3;
  // of an application for a newer ABI
  const struct {
    sn_solver_ops ops;
    void *later[13];
  } longer = { .ops = { .head = { .size = sizeof longer }, .solve = plain_ops.solve } };
  // texts that are none
  static const char garbled[] = "\xfe\x01\xff";
  static const sn_param bad_name[] = {
    { .name = garbled, .default_value = "1", .type = SN_PARAM_INT }, { .name = NULL }
  };
  sn_sensor_ops garbage = stage;
  garbage.objects = garbled;
  sn_solver_ops misnamed = plain_ops;
  misnamed.head.params = bad_name;
  const struct {
    const char *kind;
    const void *ops;
    const char *reason;
  } tables[] = {
    { SN_KIND_SENSOR, &stage, "its 'stage' is 99; from 0 to 3 are allowed" },
    { SN_KIND_SENSOR, &dim, "its 'dim' is -5" },
    { SN_KIND_COLLIDER, &order, "its pair 'box-sphere' is in the wrong order" },
    { SN_KIND_COLLIDER, &pointer, "the second type of its pair with 'box' is NULL" },
    { SN_KIND_COLLIDER, &points, "its 'max_points' is -3" },
    { SN_KIND_COLLIDER, &unknown,
      "collider 'x' of the application: its 'reserved' is 8, and in this version it must be 0; set "
      "it to 0 (was the plugin compiled for another version of Sinew?)" },
    { SN_KIND_SENSOR, &reserved, "its 'reserved' is 8" },
    { SN_KIND_SOLVER, &odd, "is not a multiple of 8" },
    { SN_KIND_SOLVER, &stage,
      "solver 'x' of the application: the operation table has 136 bytes, like that of the kind "
      "sensor, and that of the kind solver has 48; list it with the macro of its own kind, "
      "SN_PROVIDE_*" },
    { SN_KIND_SENSOR, &leaking, "the required operation 'unbind' is NULL" },
    { SN_KIND_INTEGRATOR, &no_unbind, "the member 'bind' requires 'unbind', which is NULL" },
    { SN_KIND_SENSOR, &garbage,
      "its 'objects' contains '\\xfe\\x01\\xff', which is unknown; known are: body" },
    { garbled, &odd, "unknown kind '\\xfe\\x01\\xff'; this engine supports" },
    { SN_KIND_SOLVER, &misnamed, "the name of its parameter '\\xfe\\x01\\xff' has other" },
    { "sinew.solvr/1", &odd, "unknown kind 'sinew.solvr/1'; did you mean 'sinew.solver/1'?" },
    { "Sensor", &odd, "unknown kind 'Sensor'; did you mean 'sinew.sensor/1'?" },
    { "sinew.contact/7", &odd,
      "unknown kind 'sinew.contact/7'; this engine supports 'sinew.contact/draft', another "
      "version of Sinew may support this one" },
    { "org.example.teapot/1", &odd, "unknown kind 'org.example.teapot/1'; this engine supports: " },
  };
  sn_engine *engine = sn_engine_open("", error);
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
    ck_assert_int_lt(sn_engine_add(engine, tables[i].kind, "x", tables[i].ops, error), 0);
    expect(tables[i].reason, 0);
  }
  ck_assert_msg(sn_engine_add(engine, SN_KIND_COLLIDER, "newer", &newer, error) >= 0, "%s",
                sn_error_text(error));
  ck_assert_msg(sn_engine_add(engine, SN_KIND_SOLVER, "longer", &longer, error) >= 0, "%s",
                sn_error_text(error));
  sn_engine_close(engine);
}
END_TEST

// ------------------------------------------------------------------ selection

START_TEST(selection) {
  sn_engine *engine = open_toys("[select]\nsolver = newton\n");
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "newton");
  ck_assert_ptr_null(si_engine_selected(engine, "integrator"));
  ck_assert_int_eq(sn_select(engine, "solver", "cg", error), SN_OK);
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "cg");
  ck_assert_int_eq(sn_select(engine, "solver", "newton", error), SN_OK);
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "newton");
  ck_assert_int_eq(sn_select(engine, "solver", "gc", error), SN_ENOTFOUND);
  expect("did you mean 'cg'? Available: newton, cg", 0);
  ck_assert_ptr_null(strstr(sn_error_message(error), "polish"));   // a post-solver is no choice
  ck_assert_int_eq(sn_select(engine, "post_solver", "polsh", error), SN_ENOTFOUND);
  expect("did you mean 'polish'? Available: polish", 0);
  ck_assert_int_eq(sn_select(engine, "post_solver", "cg", error), SN_EINVAL);
  expect("'cg' is a main solver", 0);
  ck_assert_int_eq(sn_select(engine, "solver", "polish", error), SN_EINVAL);
  expect("'polish' is a post-solver", 0);
  ck_assert_int_eq(sn_select(engine, "sover", "cg", error), SN_EINVAL);
  expect("did you mean 'solver'?", 0);
  ck_assert_int_eq(sn_select(engine, "box-bx", "ccd", error), SN_EINVAL);
  ck_assert_int_eq(sn_select(engine, "solver", NULL, error), SN_EINVAL);
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "newton");
  sn_engine_close(engine);
}
END_TEST

static void expect_pair(const sn_engine *engine, int first, int second, const char *name,
                        const char *origin) {
  const si_provider *p = NULL;
  const char *said_in;
  ck_assert_int_eq(si_engine_collider(engine, first, second, &p, &said_in, error), SN_OK);
  ck_assert_str_eq(p->name, name);
  ck_assert_msg(strstr(said_in, origin) != NULL, "%s", said_in);
}

START_TEST(collision_pairs) {
  enum { PLANE = SN_GEOM_PLANE, SPHERE = SN_GEOM_SPHERE, CAPSULE = SN_GEOM_CAPSULE };
  enum { BOX = SN_GEOM_BOX, MESH = SN_GEOM_MESH };
  sn_engine *engine = open_toys("[collision]\nbox-box = primitive\nmesh-* = ccd\n"
                                "*-sphere = primitive\nconvex = primitive\n*-* = ccd\n");
  expect_pair(engine, BOX, BOX, "primitive", ":2");
  expect_pair(engine, BOX, MESH, "ccd", ":3");
  expect_pair(engine, PLANE, MESH, "ccd", ":3");
  expect_pair(engine, SPHERE, SPHERE, "primitive", ":4");
  expect_pair(engine, SPHERE, MESH, "primitive", ":4");   // the last line
  expect_pair(engine, CAPSULE, BOX, "primitive", ":5");
  expect_pair(engine, PLANE, BOX, "ccd", ":6");

  // sn_select before the ini; the pair itself before a type, before all convex ones, before all
  ck_assert_int_eq(sn_select(engine, "*-*", "ccd", error), SN_OK);
  expect_pair(engine, BOX, BOX, "ccd", "sn_select");
  expect_pair(engine, CAPSULE, BOX, "ccd", "sn_select");
  ck_assert_int_eq(sn_select(engine, "convex", "primitive", error), SN_OK);
  expect_pair(engine, BOX, BOX, "primitive", "sn_select");
  expect_pair(engine, PLANE, BOX, "ccd", "sn_select");
  ck_assert_int_eq(sn_select(engine, "box-*", "ccd", error), SN_OK);
  expect_pair(engine, CAPSULE, BOX, "ccd", "sn_select");
  ck_assert_int_eq(sn_select(engine, "capsule-box", "primitive", error), SN_OK);
  expect_pair(engine, CAPSULE, BOX, "primitive", "sn_select");
  expect_pair(engine, BOX, BOX, "ccd", "sn_select");
  sn_engine_close(engine);
}
END_TEST

// A line that assigns pairs to a collider that supports none of them is an error.
START_TEST(unserved_pairs) {
  static const char *const lines[] = { "plane-plane", "hfield-*", "hfield-box" };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    char text[64];
    snprintf(text, sizeof text, "[collision]\n%s = ccd\n", lines[i]);
    sn_engine *engine = open_toys(text);
    ck_assert_int_lt(si_engine_freeze(engine, error), 0);
    expect("the collider 'ccd' does not support", 2);
    expect(lines[i], 2);
    expect("it supports convex-convex, plane-convex", 2);
    sn_engine_close(engine);
    engine = open_toys("");
    ck_assert_int_eq(sn_select(engine, lines[i], "ccd", error), SN_EINVAL);
    expect("does not support", 0);
    sn_engine_close(engine);
  }
}
END_TEST

// ------------------------------------------------------------------ what applications add

START_TEST(tables_of_an_application) {
  sn_engine *engine = sn_engine_open("", error);
  ck_assert_ptr_nonnull(engine);
  ck_assert_ptr_null(si_engine_find(engine, SN_KIND_SOLVER, "mine", error));
  expect("no solver is named 'mine', and no loaded plugin provides one", 0);

  char name[8] = "mine";
  sn_solver_ops ops = plain_ops;
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, name, &ops, error), SN_OK);
  memset(name, 'x', 4);
  ops.solve = NULL;   // name and table were copied
  const si_provider *p = si_engine_find(engine, SN_KIND_SOLVER, "mine", error);
  ck_assert_ptr_nonnull(p);
  ck_assert_ptr_null(p->plugin);
  ck_assert(((const sn_solver_ops *)p->ops)->solve == toy_solve);
  ck_assert_str_eq(((const sn_solver_ops *)p->ops)->head.summary, "");

  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "mine", &plain_ops, error), SN_EINVAL);
  expect("the solver 'mine' already exists", 0);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "none", &ops, error), SN_EINVAL);
  expect("the required operation 'solve' is NULL", 0);
  ck_assert_int_eq(sn_engine_add(engine, "sinew.solvr/1", "x", &plain_ops, error), SN_EINVAL);
  expect("did you mean 'sinew.solver/1'?", 0);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "", &plain_ops, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, NULL, &plain_ops, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "x", NULL, error), SN_EINVAL);
  ck_assert_int_eq(SN_ENGINE_ADD(engine, SN_PROVIDE_INTEGRATOR("mine", &euler_ops), error), SN_OK);
  sn_engine_close(engine);
}
END_TEST

START_TEST(frozen) {
  sn_engine *engine = open_toys("");
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "mine", &plain_ops, error), SN_EINVAL);
  expect("before the engine makes its first model", 0);
  ck_assert_int_eq(sn_engine_add_static(engine, toy_entry, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_load_plugin(engine, "x", "/x.so", error), SN_EINVAL);
  ck_assert_int_eq(sn_select(engine, "solver", "cg", error), SN_OK);
  sn_engine_close(engine);
  ck_assert_str_eq(calls, "init create destroy fini ");
}
END_TEST

START_TEST(static_twice) {
  sn_engine *engine = open_toys("");
  ck_assert_int_eq(sn_engine_add_static(engine, toy_entry, error), SN_EINVAL);
  expect("already loaded", 0);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "newton", &plain_ops, error), SN_EINVAL);
  expect("plugin 'toys' provides it", 0);
  sn_engine_close(engine);
}
END_TEST

// ------------------------------------------------------------------ listings

static const char *value_of(const sn_engine *engine, const char *section, const char *key,
                            const char **origin) {
  static sn_config_info info;
  info.size = sizeof info;
  for (int64_t i = 0; sn_engine_config(engine, i, &info); i++) {
    if (strcmp(info.section, section) == 0 && strcmp(info.key, key) == 0) {
      *origin = info.origin;
      return info.value;
    }
  }
  return NULL;
}

START_TEST(config_listing) {
  sn_engine *engine = open_toys("[select]\nsolver = newton\n[collision]\nbox-box = ccd\n"
                                "[plugin.newton]\niterations = 9\n");
  char line[256];
  const char *origin = NULL;
  ck_assert_str_eq(value_of(engine, "select", "solver", &origin), "newton");
  snprintf(line, sizeof line, "%s:2", ini);
  ck_assert_str_eq(origin, line);
  ck_assert_str_eq(value_of(engine, "select", "integrator", &origin), "(the model's)");
  ck_assert_str_eq(origin, "default");
  ck_assert_str_eq(value_of(engine, "collision", "box-box", &origin), "ccd");
  ck_assert_str_eq(value_of(engine, "plugin.newton", "iterations", &origin), "9");
  snprintf(line, sizeof line, "%s:6", ini);
  ck_assert_str_eq(origin, line);
  ck_assert_str_eq(value_of(engine, "plugin.newton", "tolerance", &origin), "1e-8");
  ck_assert_str_eq(origin, "default");
  ck_assert_int_eq(sn_select(engine, "solver", "cg", error), SN_OK);
  ck_assert_int_eq(sn_select(engine, "box-box", "primitive", error), SN_OK);
  ck_assert_str_eq(value_of(engine, "select", "solver", &origin), "cg");
  ck_assert_str_eq(origin, "sn_select");
  ck_assert_str_eq(value_of(engine, "collision", "box-box", &origin), "primitive");
  ck_assert_ptr_null(value_of(engine, "select", "nothing", &origin));
  sn_engine_close(engine);
}
END_TEST

START_TEST(provider_listing) {
  sn_engine *engine = open_toys("");
  sn_provider_info info = { .size = sizeof info };
  ck_assert_int_eq(sn_engine_provider(engine, 0, &info), 1);
  ck_assert_str_eq(info.kind, SN_KIND_SOLVER);
  ck_assert_str_eq(info.name, "newton");
  ck_assert_str_eq(info.summary, "a toy");
  ck_assert_str_eq(info.plugin, "toys");
  ck_assert_str_eq(info.version, "2.5");
  ck_assert_str_eq(info.license, "MIT");
  ck_assert_ptr_null(info.path);
  ck_assert_ptr_eq(info.params, toy_params);
  ck_assert_int_eq(sn_engine_provider(engine, 4, &info), 1);
  ck_assert_str_eq(info.name, "primitive");
  ck_assert_int_eq(sn_engine_provider(engine, 6, &info), 0);
  ck_assert_int_eq(sn_engine_provider(engine, -1, &info), 0);

  // an older, shorter struct is filled as far as it goes
  sn_provider_info old = { .size = offsetof(sn_provider_info, summary) };
  ck_assert_int_eq(sn_engine_provider(engine, 0, &old), 1);
  ck_assert_str_eq(old.name, "newton");
  ck_assert_ptr_null(old.summary);
  sn_engine_close(engine);
}
END_TEST

static void record(void *context, int32_t level, const char *topic, const char *text) {
  snprintf(context, 256, "%d %s %s", level, topic, text);
}

START_TEST(host_services) {
  sn_engine *engine = sn_engine_open("", error);
  const sn_host *host = sn_engine_host(engine);
  ck_assert_uint_eq(host->size, sizeof(sn_host));
  ck_assert_ptr_nonnull(host->query(host, SN_SERVICE_INERTIA));
  ck_assert_ptr_nonnull(host->query(host, SN_SERVICE_FIELDS));
  ck_assert_ptr_nonnull(host->query(host, SN_SERVICE_RANDOM));
  ck_assert_ptr_nonnull(host->query(host, SN_SERVICE_RAY));
  ck_assert_ptr_null(host->query(host, "sinew.parallel/1"));
  ck_assert_ptr_null(host->query(host, "sinew.random/2"));
  ck_assert_ptr_null(host->query(host, NULL));

  double *x = host->alloc(host, 64 * sizeof *x);
  for (int i = 0; i < 64; i++) {
    ck_assert_double_eq(x[i], 0);
  }
  host->free(host, x);
  ck_assert_ptr_null(host->alloc(host, -1));

  ck_assert_int_eq(host->error(host, error, SN_EPARSE, "f", 3, 4, "100% wrong"), SN_EPARSE);
  ck_assert_str_eq(sn_error_text(error), "f:3:4: 100% wrong");

  char last[256] = "";
  host->log(host, SN_LOG_ERROR, "nobody", "listens");
  sn_engine_set_log(engine, record, last);
  ck_assert_str_eq(last, "");
  host->log(host, SN_LOG_WARNING, "topic", "50%s");
  ck_assert_str_eq(last, "2 topic 50%s");
  sn_engine_set_log(engine, NULL, NULL);
  host->log(host, SN_LOG_WARNING, "topic", "unheard");
  ck_assert_str_eq(last, "2 topic 50%s");
  sn_engine_close(engine);
  sn_engine_close(NULL);
}
END_TEST

// ------------------------------------------------------------------ a table of another kind

static void exit_with_row(int number) {
  sn_operation_info info = { .size = sizeof info };
  const int is_named = sn_running_operation(&info) && strcmp(info.name, "sea") == 0 &&
                       strcmp(info.kind, SN_KIND_DYNAMICS) == 0;
  (void)number;
  _exit(is_named ? 7 : 1);
}

static int32_t no_states(const void *self, const double *prm) {
  (void)self, (void)prm;
  return 0;
}

static sn_status no_rate(const void *self, const sn_actuators *batch, double *act_dot,
                         sn_scratch *scratch) {
  (void)self, (void)batch, (void)act_dot, (void)scratch;
  return SN_OK;
}

// Where a table of another kind has no address of a text, the fault happens in a row with a name.
START_TEST(fault_in_a_table_names_the_row) {
  sn_engine *e = sn_engine_open("", error);
  sn_dynamics_ops wrong = { .head = { .size = sizeof wrong, .summary = "a toy" },
                            .states = no_states,
                            .rate = no_rate };
  const uintptr_t no_address = 8;
  memcpy(&wrong.transmissions, &no_address, sizeof no_address);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, exit_with_row);
    sn_engine_add(e, SN_KIND_DYNAMICS, "sea", &wrong, error);
    _exit(2);
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), 7);
  sn_engine_close(e);
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  TEST(parameters_arrive);
  TEST(kind_is_needed_when_names_are_shared);
  TEST(parameter_said_twice);
  TEST(bad_declarations);
  TEST(bad_tables);
  TEST(selection);
  TEST(collision_pairs);
  TEST(unserved_pairs);
  TEST(tables_of_an_application);
  TEST(frozen);
  TEST(static_twice);
  TEST(config_listing);
  TEST(provider_listing);
  TEST(host_services);
  TEST(fault_in_a_table_names_the_row);
}
