// SPDX-License-Identifier: Apache-2.0
//
// The checking mode while a model is read and bound, and in rays: what an operation writes that is
// none of its outputs is an error that names plugin, operation and place.

#include <locale.h>
#include <string.h>

#include "default_engine.h"
#include "sinew/actuator.h"
#include "sinew/constraint.h"
#include "sinew/loader.h"
#include "sinew/mesh.h"
#include "suite.h"
#include "temporary_folder.h"
#include "toy_plugin.h"

static const char *wrong;   // the operation that does something wrong
static enum { MASS, BEHIND, BEFORE, LOCALE } fault;
static const sn_model_view *seen;

static int does(const char *operation) {
  return wrong && strcmp(wrong, operation) == 0;
}

// What an operation does wrong that reads a model and writes n numbers.
static void misbehave(const char *operation, const sn_model_view *m, double *output, int64_t n) {
  seen = m ? m : seen;
  if (!does(operation)) {
    return;
  }
  switch (fault) {
    case MASS: *(double *)(uintptr_t)&snm_body_mass(seen->model)[1] = 5; break;
    case BEHIND: output[n] = 5; break;
    case BEFORE: output[-1] = 5; break;
    default: setlocale(LC_ALL, "C.UTF-8");
  }
}

// ------------------------------------------------------------------ toys

static sn_status bind(const void *self, const sn_model_view *m, const sn_value *values,
                      void **bound, sn_error *e) {
  misbehave("bind", m, NULL, 0);
  return toy_bind(self, m, values, bound, e);
}

static int64_t states(const void *self, const void *bound) {
  (void)self, (void)bound;
  misbehave("states", NULL, NULL, 0);
  return 2;
}

static sn_status reset(const void *self, const void *bound, const sn_data_view *data,
                       double *state) {
  (void)self, (void)bound, (void)data;
  state[0] = state[1] = 0.5;
  misbehave("reset", NULL, state, 2);
  return SN_OK;
}

static sn_status couples(const void *self, const void *bound, sn_couplings *couplings) {
  (void)self, (void)bound, (void)couplings;
  misbehave("couples", NULL, NULL, 0);
  return SN_OK;
}

static sn_status apply(const void *self, const void *bound, const sn_data_view *d,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)qfrc, (void)scratch;
  return state[0] == 0.5 && state[1] == 0.5 ? SN_OK : SN_EINVAL;   // the state of reset arrived
}

static sn_status advance(const void *self, const void *bound, const sn_data_view *d, double h,
                         double *state, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)h, (void)state, (void)scratch;
  return SN_OK;
}

static int64_t rows(const void *self, const void *bound) {
  (void)self, (void)bound;
  misbehave("rows", NULL, NULL, 0);
  return 2;
}

static void kinds(const void *self, const void *bound, int32_t *kind) {
  (void)self, (void)bound;
  kind[0] = kind[1] = SN_CONSTRAINT_EQUATION;
  misbehave("kinds", NULL, (double *)(void *)kind, 1);
}

static int64_t dofs(const void *self, const void *bound, int32_t *dof) {
  (void)self, (void)bound;
  dof[0] = 0;
  dof[1] = 1;
  misbehave("dofs", NULL, (double *)(void *)dof, 1);
  return 2;
}

static sn_status residual(const void *self, const void *bound, const sn_data_view *d,
                          double *position, double *J, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)scratch;
  position[0] = position[1] = 0;
  J[0] = J[3] = 1;
  return SN_OK;
}

static sn_status sensor_sizes(const void *self, const sn_model_view *m, const sn_sensor *sensor,
                              int32_t *dim, int32_t *nstate, sn_error *e) {
  (void)self, (void)sensor, (void)e;
  *dim = 1;
  *nstate = 2;
  misbehave("sizes", m, NULL, 0);
  return SN_OK;
}

static sn_status check_sensor(const void *self, const sn_model_view *m, const sn_sensor *sensor,
                              sn_error *e) {
  (void)self, (void)sensor, (void)e;
  misbehave("check", m, NULL, 0);
  return SN_OK;
}

static sn_status bind_sensors(const void *self, const sn_model_view *m, int64_t n,
                              const sn_sensor *sensors, void **bound, sn_error *e) {
  misbehave("bind", m, NULL, 0);
  return toy_bind_sensors(self, m, n, sensors, bound, e);
}

static sn_status evaluate(const void *self, const void *bound, const sn_data_view *d, double *state,
                          double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)state, (void)sensordata, (void)scratch;
  return SN_OK;
}

static int32_t activations(const void *self, const double *prm) {
  (void)self, (void)prm;
  return 2;
}

static sn_status rate(const void *self, const sn_actuators *batch, double *act_dot,
                      sn_scratch *scratch) {
  (void)self, (void)scratch;
  memset(act_dot, 0, (size_t)(2 * batch->n) * sizeof *act_dot);
  return SN_OK;
}

static sn_status bind_actuators(const void *self, const sn_model_view *m, int64_t n,
                                const sn_actuator *actuators, void **bound, sn_error *e) {
  (void)n, (void)actuators;
  return bind(self, m, NULL, bound, e);
}

static sn_status reset_activations(const void *self, const sn_actuators *batch, double *act) {
  (void)batch;
  return reset(self, NULL, NULL, act);
}

static int32_t probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self, (void)name;
  if (does("probe")) {
    ((uint8_t *)(uintptr_t)bytes)[0] ^= 1;
  }
  return count >= 4 && memcmp(bytes + 1, "toy", 3) == 0 ? 100 : 0;
}

static sn_status load(const void *self, sn_source *source, const sn_builder *builder, sn_error *e) {
  (void)self, (void)builder, (void)e;
  if (does("load")) {
    ((uint8_t *)(uintptr_t)source->bytes)[0] ^= 1;
  }
  return SN_OK;
}

static sn_status decode(const void *self, const void *bytes, int64_t count, const char *name,
                        sn_mesh_sink *sink, const sn_host *host, sn_error *e) {
  static const double vertex[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  static const int32_t face[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
  (void)self, (void)count, (void)name, (void)host, (void)e;
  if (does("decode")) {
    ((uint8_t *)(uintptr_t)bytes)[0] ^= 1;
  }
  SN_TRY(sink->vertices(sink, 4, vertex[0]));
  return sink->faces(sink, 4, face[0]);
}

#define HEAD(type) .head = { .size = sizeof(type) }
static const sn_passive_ops force = {
  HEAD(sn_passive_ops), .bind = bind,   .unbind = toy_unbind,  .states = states,
  .reset = reset,       .apply = apply, .advance = advance, .couples = couples,
};
static const sn_constraint_ops constraint = {
  HEAD(sn_constraint_ops), .bind = bind, .unbind = toy_unbind,   .rows = rows,
  .kinds = kinds,          .dofs = dofs, .evaluate = residual,
};
static const sn_sensor_ops sensor = {
  HEAD(sn_sensor_ops),   .stage = SN_STAGE_POSITION,
  .objects = "",         .references = "",
  .needs = "",           .sizes = sensor_sizes,
  .check = check_sensor, .bind = bind_sensors,
  .unbind = toy_unbind,  .reset = reset,
  .evaluate = evaluate,
};
static const sn_dynamics_ops dynamics = { HEAD(sn_dynamics_ops), .states = activations,
                                          .rate = rate,          .bind = bind_actuators,
                                          .unbind = toy_unbind,  .reset = reset_activations };
static const sn_loader_ops loader = { HEAD(sn_loader_ops), .extensions = "toy", .probe = probe,
                                      .load = load };
static const sn_mesh_ops mesh = { HEAD(sn_mesh_ops), .extensions = "toymesh", .decode = decode };

// ------------------------------------------------------------------ models

#define MODEL(elements)                                                                         \
  "<mujoco><asset>%s</asset><worldbody><body name='box'><joint name='slide' type='slide'/>"     \
  "<joint type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>" elements "</mujoco>"

static const struct {
  const char *kind;
  const void *ops;
  const char *model;
} toys[] = {
  { SN_KIND_PASSIVE, &force, MODEL("") },
  { SN_KIND_CONSTRAINT, &constraint, MODEL("<equality><plugin type='spoiler'/></equality>") },
  { SN_KIND_SENSOR, &sensor, MODEL("<sensor><plugin type='spoiler'/></sensor>") },
  { SN_KIND_DYNAMICS, &dynamics,
    MODEL("<actuator><general joint='slide' dyntype='spoiler'/></actuator>") },
};
enum { FORCE, CONSTRAINT, SENSOR, DYNAMICS };

static const struct {
  int toy;
  const char *operation, *output;   // NULL: it has none
} operations[] = {
  { FORCE, "bind", NULL },       { FORCE, "states", NULL },    { FORCE, "couples", NULL },
  { FORCE, "reset", "state" },   { CONSTRAINT, "bind", NULL }, { CONSTRAINT, "rows", NULL },
  { CONSTRAINT, "kinds", "kind" }, { CONSTRAINT, "dofs", "dof" }, { SENSOR, "sizes", NULL },
  { SENSOR, "check", NULL },     { SENSOR, "bind", NULL },     { SENSOR, "reset", "state" },
  { DYNAMICS, "bind", NULL }, { DYNAMICS, "reset", "act" },
};
enum { NOPERATIONS = sizeof operations / sizeof operations[0], NFAULTS = LOCALE + 1 };

static const char *text_of(int toy) {
  static char text[1024];
  snprintf(text, sizeof text, toys[toy].model, "");
  return text;
}

static void check(int on) {
  OK(sn_engine_set(engine, "check_plugins", on ? "yes" : "no", error));
}

static void expect_words(const char *words) {
  ck_assert_msg(strstr(sn_error_message(error), words) != NULL, "no \"%s\" in: %s", words,
                sn_error_message(error));
}

// ------------------------------------------------------------------ cases

static const char *const places[NFAULTS] = {
  [MASS] = "wrote body_mass[1] of body 'box', which is not one of its outputs",
  [BEHIND] = "wrote out of bounds, 0 bytes past the end of its output '",
  [BEFORE] = "wrote out of bounds, 8 bytes before its output '",
  [LOCALE] = "changed the locale",
};

START_TEST(fault_is_named) {
  const int i = _i / NFAULTS, toy = operations[i].toy;
  char words[256];
  fault = (unsigned)_i % NFAULTS;
  check(1);
  OK(sn_engine_add(engine, toys[toy].kind, "spoiler", toys[toy].ops, error));
  sn_model *m = model_of(text_of(toy));   // nothing is wrong with the plugin itself
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  done_with(m, d);
  if ((fault == BEHIND || fault == BEFORE) && !operations[i].output) {
    return;
  }
  wrong = operations[i].operation;
  ck_assert_ptr_null(try_text(text_of(toy)));
  ck_assert_int_eq(sn_error_code(error), SN_EPLUGIN);
  snprintf(words, sizeof words, "'spoiler' (%s): its operation '%s' %s%s", toys[toy].kind, wrong,
           places[fault], fault == BEHIND || fault == BEFORE ? operations[i].output : "");
  expect_words(words);
  wrong = NULL;
  sn_model_free(model_of(text_of(toy)));
}
END_TEST

// What reads files must leave their bytes alone.
START_TEST(bytes_of_a_file) {
  static const char *const names[] = { "probe", "load", "decode" };
  static const char text[] = "<mujoco><asset><mesh name='m' file='m.toymesh'/></asset>"
                             "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
  char words[128];
  OK(sn_engine_add(engine, SN_KIND_LOADER, "spoiler", &loader, error));
  OK(sn_engine_add(engine, SN_KIND_MESH, "spoiler", &mesh, error));
  OK(sn_engine_add_resource(engine, "m.toymesh", "mesh", 4, error));
  OK(sn_engine_add_resource(engine, "a.toy", "atoy", 4, error));
  const char *path = _i == 2 ? hold_text(text) : "a.toy";
  wrong = names[_i];
  sn_model *m = sn_load(engine, path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));   // not noticed without the mode
  sn_model_free(m);
  check(1);
  ck_assert_ptr_null(sn_load(engine, path, error));
  snprintf(words, sizeof words, "its operation '%s' wrote the bytes of the file", wrong);
  expect_words(words);
}
END_TEST

// ------------------------------------------------------------------ rays

static sn_data *data;
static int32_t ray_fault;

static sn_status cast(const void *self, const sn_shape *shape, const double *origin,
                      const double *direction, double *x) {
  (void)self, (void)shape, (void)origin, (void)direction;
  *x = ray_fault == 4 ? NAN : 0.5;
  if (ray_fault == 1) {
    snd_qvel(data)[1] = 5;
  } else if (ray_fault == 2) {
    *(double *)(uintptr_t)&snm_body_mass(seen->model)[1] = 5;
  }
  return ray_fault == 3 ? 12345 : ray_fault == 5 ? SN_EIO : SN_OK;
}

static sn_status note_model(const void *self, const sn_model_view *m, const sn_value *values,
                            void **bound, sn_error *e) {
  seen = m;
  return toy_bind(self, m, values, bound, e);
}

static const char *const ray_words[] = { NULL,
                                         "wrote qvel[1]",
                                         "wrote body_mass[1] of body 'box'",
                                         "returned the status 12345, which is unknown",
                                         "returned the distance nan (geom 0); correct the plugin",
                                         "failed without a message (SN_EIO)" };

// An engine without the colliders that come with Sinew, which would be asked first.
static void open_without_colliders(void) {
  open_folder();
  put_text("sinew.ini", "include = " SN_TEST_BUILD "/sinew.ini\n[plugins]\nprimitive = none\n"
                        "hfield = none\n");
  sn_engine_close(engine);
  engine = sn_engine_open(in_folder("sinew.ini"), error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  close_folder();
}

// In a sensor the step fails, whatever the sensor returns; a ray of the application has an error.
START_TEST(rays) {
  const sn_status status = _i == 5 ? SN_EIO : SN_EPLUGIN;
  open_without_colliders();
  static const sn_collider_pair pairs[] = { { "sphere", "sphere" }, { NULL, NULL } };
  sn_collider_ops ops = TOY_COLLIDER(pairs);
  sn_passive_ops noting = TOY_FORCE(apply);
  ops.ray = cast;
  noting.bind = note_model;
  noting.states = states;
  noting.reset = reset;
  noting.advance = advance;
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "noting", &noting, error));
  OK(sn_engine_add(engine, SN_KIND_COLLIDER, "spoiler", &ops, error));
  OK(sn_engine_set(engine, "collision.sphere-sphere", "spoiler", error));
  check(1);
  sn_model *m = model_of(
      "<mujoco><worldbody><site name='eye' pos='0 0 -1'/><body name='box'>"
      "<joint type='slide'/><joint type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>"
      "<sensor><rangefinder site='eye'/></sensor></mujoco>");
  data = data_of(m);
  const double mass = snm_body_mass(m)[1];
  ck_assert_int_eq(sn_step(m, data), SN_OK);
  ck_assert_double_eq(snd_sensordata(data)[0], 0.5);
  ray_fault = _i;
  ck_assert_int_eq(sn_step(m, data), status);
  const char *message = sn_error_message(sn_data_error(data));
  ck_assert_msg(strstr(message, "'spoiler' (sinew.collider/1): its operation 'ray' ") &&
                    strstr(message, ray_words[_i]),
                "%s", message);
  const double origin[] = { 0, 0, -1 }, direction[] = { 0, 0, 1 }, v = snd_qvel(data)[1];
  double distance = 7;
  int32_t geom = 7;
  ck_assert_int_eq(sn_ray(m, data, origin, direction, 0, 1, -1, &distance, &geom, error), status);
  expect_words(ray_words[_i]);
  ck_assert_double_eq(distance, -1);
  ck_assert_int_eq(geom, -1);
  ck_assert_double_eq(snd_qvel(data)[1], v);
  ck_assert_double_eq(snm_body_mass(m)[1], mass);
  done_with(m, data);
}
END_TEST

static void set_up(void) {   // all cases are one process under sanitizers
  wrong = NULL;
  ray_fault = 0;
  open_engine();
}

TESTS() {
  FIXTURE(set_up, close_engine);
  EACH(fault_is_named, 0, NOPERATIONS * NFAULTS);
  EACH(bytes_of_a_file, 0, 3);
  EACH(rays, 1, 6);
}
