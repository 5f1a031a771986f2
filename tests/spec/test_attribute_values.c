// SPDX-License-Identifier: Apache-2.0
//
// Attributes of passive forces and actuators that are lists of numbers or name elements: read and
// checked from a file, given to the plugin with ids, saved, kept in the binary file of a model,
// renamed when the spec is attached under a prefix; and lists of numbers in the configuration.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/actuator.h"
#include "sinew/passive.h"
#include "sinew/sinew.h"
#include "sinew/solver.h"
#include "suite.h"

static sn_error *error;
static sn_engine *engine;
static char folder[64];

static const char *in_folder(const char *name) {
  static char path[4][512];
  static int next;
  next = (next + 1) & 3;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

// ------------------------------------------------------------------ a force and a gain

enum { FIRST, SECOND, GAINS, NATTRIBUTES };

// the elements that have attributes: which one a case is about
enum { FORCE, ACTUATOR, NELEMENTS };
static const char *const kinds[NELEMENTS] = { "force", "actuator" };
static int element;

// what the element was bound with last
static struct {
  int64_t id[2], place[2], n;
  char name[2][64];
  double gain[8];
} seen;

static sn_status see(const void *self, const sn_model_view *model, const sn_value *values,
                     void **bound, sn_error *e) {
  (void)self, (void)model, (void)bound, (void)e;
  for (int k = 0; k < 2; k++) {
    seen.id[k] = values[k].integer;
    seen.place[k] = values[k].n;
    snprintf(seen.name[k], sizeof seen.name[k], "%s", values[k].text);
  }
  seen.n = values[GAINS].n;
  for (int64_t i = 0; i < seen.n && i < 8; i++) {
    seen.gain[i] = values[GAINS].reals[i];
  }
  return SN_OK;
}

static sn_status see_actuators(const void *self, const sn_model_view *model, int64_t n,
                               const sn_actuator *actuators, void **bound, sn_error *e) {
  *bound = &seen;
  return n == 1 ? see(self, model, actuators->values, bound, e) : SN_EINVAL;
}

static void unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

static sn_status value(const void *self, const sn_actuators *batch, double *out,
                       sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    out[i] = batch->bound == &seen && batch->data ? 2 : 1;
  }
  return SN_OK;
}

static sn_status apply(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)qfrc, (void)scratch;
  return SN_OK;
}

static const sn_param attributes[] = {
  [FIRST] = { .name = "first",
              .default_value = "",
              .choices = "site|body",
              .summary = "one end",
              .type = SN_PARAM_REFERENCE },
  [SECOND] = { .name = "second",
               .default_value = "world",
               .choices = "body",
               .summary = "the other",
               .type = SN_PARAM_REFERENCE },
  [GAINS] = { .name = "gains",
              .default_value = "1 2",
              .summary = "numbers",
              .min = -10,
              .max = 10,
              .type = SN_PARAM_REALS,
              .nmin = 2,
              .nmax = 3 },
  [NATTRIBUTES] = { .name = NULL },
};

static const sn_passive_ops force = {
  .head = { .size = sizeof(sn_passive_ops), .flags = SN_PASSIVE_NAMED },
  .bind = see,
  .unbind = unbind,
  .apply = apply,
  .attributes = attributes,
};

// What must be named has no default.
static const sn_param needed[] = {
  { .name = "first", .choices = "site|body", .summary = "one end", .type = SN_PARAM_REFERENCE },
  { .name = "second", .choices = "body", .summary = "the other", .type = SN_PARAM_REFERENCE },
  { .name = "gains", .default_value = "1 2", .summary = "numbers", .type = SN_PARAM_REALS },
  { .name = NULL },
};

static const sn_force_ops gain = {
  .head = { .size = sizeof(sn_force_ops) },
  .value = value,
  .attributes = attributes,
  .bind = see_actuators,
  .unbind = unbind,
};

// ------------------------------------------------------------------ a solver with parameters

static double weights[4];
static int64_t nweight;

static sn_status keep_weights(const sn_host *host, const sn_value *values, void **self,
                              sn_error *e) {
  (void)host, (void)self, (void)e;
  nweight = values[0].n;
  for (int64_t i = 0; i < nweight && i < 4; i++) {
    weights[i] = values[0].reals[i];
  }
  return SN_OK;
}

static void drop(void *self) {
  (void)self;
}

static sn_status solve(const void *self, const sn_problem *problem, sn_solution *solution,
                       sn_scratch *scratch) {
  (void)self, (void)problem, (void)solution, (void)scratch;
  return SN_OK;
}

static const sn_param parameters[] = {
  { .name = "weights", .default_value = "", .summary = "numbers", .type = SN_PARAM_REALS },
  { .name = NULL },
};

static const sn_solver_ops weighted = {
  .head = { .size = sizeof(sn_solver_ops),
            .params = parameters,
            .create = keep_weights,
            .destroy = drop },
  .solve = solve,
};

// ------------------------------------------------------------------ fixture

static void set_up(void) {
  umask(022);
  strcpy(folder, "/tmp/sinew-values-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_PASSIVE, "rope", &force, error), SN_OK);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_GAIN, "rope", &gain, error), SN_OK);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
  sn_engine_close(engine);
  sn_error_free(error);
}

// A spec of a body "arm" with the site "hook" and a rope, a force or an actuator, with these
// attributes.
static sn_spec *rope(const char *config) {
  static int made;
  char text[1024], name[32];
  snprintf(name, sizeof name, "rope%d.xml", made++);
  snprintf(text, sizeof text,
           "<mujoco><worldbody><body name='arm'><joint name='swing'/><geom size='.1'/>"
           "<site name='hook'/></body></worldbody>%s%s%s</mujoco>",
           element == FORCE ? "<extension><force type='rope' name='r'>"
                            : "<actuator><general joint='swing' gaintype='rope' name='r'>",
           config, element == FORCE ? "</force></extension>" : "</general></actuator>");
  ck_assert_int_eq(sn_engine_add_resource(engine, name, text, (int64_t)strlen(text), error), SN_OK);
  sn_spec *spec = sn_spec_load(engine, name, error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  return spec;
}

static const char both[] = "<config key='first' value='hook'/><config key='second' value='arm'/>"
                           "<config key='gains' value=' 1.5  -2 3e-1'/>";

// The element was bound with these names and the numbers of `both`.
static void check_seen(const sn_model *m, const char *first, const char *second) {
  ck_assert_str_eq(seen.name[FIRST], first);
  ck_assert_str_eq(seen.name[SECOND], second);
  ck_assert_int_eq(seen.id[FIRST], sn_find(m, "site", first));
  ck_assert_int_eq(seen.id[SECOND], sn_find(m, "body", second));
  ck_assert_int_ge(seen.id[FIRST], 0);
  ck_assert_int_ge(seen.id[SECOND], 0);
  ck_assert_int_eq(seen.n, 3);
  ck_assert_double_eq(seen.gain[0], 1.5);
  ck_assert_double_eq(seen.gain[1], -2);
  ck_assert_double_eq(seen.gain[2], 0.3);
}

static void compile_and_check(sn_spec *spec, const char *first, const char *second) {
  memset(&seen, 0, sizeof seen);
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  check_seen(m, first, second);

  // and from the binary file
  ck_assert_int_eq(sn_model_save(m, in_folder("m.snb"), error), SN_OK);
  sn_model_free(m);
  memset(&seen, 0, sizeof seen);
  m = sn_load(engine, in_folder("m.snb"), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  check_seen(m, first, second);
  sn_model_free(m);
}

// ------------------------------------------------------------------ cases

START_TEST(values_reach_the_plugin) {
  element = _i;
  sn_spec *spec = rope(both);
  compile_and_check(spec, "hook", "arm");
  sn_spec *copy = sn_spec_copy(spec, error);
  compile_and_check(copy, "hook", "arm");
  ck_assert_int_eq(sn_spec_save(spec, "mjcf", in_folder("saved.xml"), error), SN_OK);
  sn_spec *again = sn_spec_load(engine, in_folder("saved.xml"), error);
  ck_assert_msg(again != NULL, "%s", sn_error_text(error));
  compile_and_check(again, "hook", "arm");
  sn_spec_free(again);
  sn_spec_free(copy);
  sn_spec_free(spec);
}
END_TEST

START_TEST(defaults_and_kinds) {
  element = _i;
  sn_spec *spec = rope("<config key='first' value='arm'/>");
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(seen.place[FIRST], 1);   // a body, the second of the kinds
  ck_assert_int_eq(seen.id[FIRST], sn_find(m, "body", "arm"));
  ck_assert_int_eq(seen.id[SECOND], 0);   // the world
  ck_assert_int_eq(seen.n, 2);
  ck_assert_double_eq(seen.gain[1], 2);
  sn_model_free(m);
  sn_spec_free(spec);
  spec = rope("");
  m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(seen.id[FIRST], -1);   // no name, no element
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// Names in attributes get the prefix as all names do, and go on through saving and compiling.
START_TEST(attached_names_get_the_prefix) {
  element = _i;
  sn_spec *part = rope(both), *spec = rope("<config key='first' value='arm'/>");
  ck_assert_int_eq(sn_spec_remove(spec, kinds[element], 0, 0, error), SN_OK);
  const int32_t arm = sn_spec_find(spec, "body", "arm");
  ck_assert_msg(sn_spec_attach(spec, arm, part, "left_", error) >= 0, "%s", sn_error_text(error));
  ck_assert_int_eq(sn_spec_count(spec, kinds[element]), 1);
  compile_and_check(spec, "left_hook", "left_arm");
  sn_spec *copy = sn_spec_copy(spec, error);
  ck_assert_int_eq(sn_spec_save(copy, "mjcf", in_folder("saved.xml"), error), SN_OK);
  sn_spec *again = sn_spec_load(engine, in_folder("saved.xml"), error);
  ck_assert_msg(again != NULL, "%s", sn_error_text(error));
  compile_and_check(again, "left_hook", "left_arm");
  sn_spec_free(again);
  sn_spec_free(copy);
  sn_spec_free(part);
  sn_spec_free(spec);
}
END_TEST

// The world of a part becomes the body that it is attached to.
START_TEST(attached_world_is_the_body) {
  element = _i;
  sn_spec *part = rope("<config key='first' value='hook'/><config key='second' value='world'/>"
                       "<config key='gains' value='1.5 -2 .3'/>");
  sn_spec *spec = rope("");
  ck_assert_int_eq(sn_spec_remove(spec, kinds[element], 0, 0, error), SN_OK);
  ck_assert_int_eq(sn_spec_attach(spec, sn_spec_find(spec, "body", "arm"), part, "b_", error),
                   SN_OK);
  compile_and_check(spec, "b_hook", "arm");
  sn_spec_free(part);
  sn_spec_free(spec);
}
END_TEST

START_TEST(named_elements_are_needed) {
  element = _i;
  sn_spec *spec = rope(both);
  const int32_t hook = sn_spec_find(spec, "site", "hook");
  ck_assert_int_eq(sn_spec_remove(spec, "site", hook, 0, error), SN_EINVAL);
  ck_assert_msg(strstr(sn_error_message(error), "depends on it") != NULL, "%s",
                sn_error_message(error));
  ck_assert_int_eq(sn_spec_remove(spec, "site", hook, 1, error), SN_OK);
  ck_assert_int_eq(sn_spec_count(spec, kinds[element]), 0);
  sn_spec_free(spec);
}
END_TEST

static const struct {
  const char *config, *reason;
} wrong[] = {
  { "<config key='first' value='hock'/>", "'first' names 'hock', but no site|body has that name" },
  { "<config key='second' value='hook'/>", "'second' names 'hook', but no body has that name" },
  { "<config key='gains' value='1'/>", "'gains' takes 2 to 3 numbers, not 1" },
  { "<config key='gains' value='1 2 3 4'/>", "'gains' takes 2 to 3 numbers, not 4" },
  { "<config key='gains' value='1 x'/>", "attribute 'gains': 'x' is not a number from " },
  { "<config key='gains' value='1 11'/>", "attribute 'gains': '11' is not a number from " },
  { "<config key='gains' value='1 nan'/>", "attribute 'gains': 'nan' is not a number from " },
};
enum { NWRONG = sizeof wrong / sizeof wrong[0] };

START_TEST(wrong_values_are_rejected) {
  element = _i / NWRONG;
  const char *config = wrong[_i % NWRONG].config, *reason = wrong[_i % NWRONG].reason;
  sn_spec *spec = rope(config);
  ck_assert_ptr_null(sn_compile(spec, error));
  ck_assert_msg(strstr(sn_error_text(error), reason) != NULL, "%s", sn_error_text(error));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), ".xml:1"));
  sn_spec_free(spec);
}
END_TEST

START_TEST(numbers_in_the_configuration) {
  FILE *f = fopen(in_folder("sinew.ini"), "w");
  fputs("[plugin.weighted]\nweights = 0.5 1e3\t-7\n", f);
  fclose(f);
  sn_engine *other = sn_engine_open(in_folder("sinew.ini"), error);
  ck_assert_msg(other != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(sn_engine_add(other, SN_KIND_SOLVER, "weighted", &weighted, error), SN_OK);
  const sn_problem problem = { .size = sizeof problem };
  sn_solution solution = { .size = sizeof solution };
  ck_assert_int_ge(sn_problem_solve(other, "weighted", &problem, &solution, error), 0);
  ck_assert_int_eq(nweight, 3);
  ck_assert_double_eq(weights[0], 0.5);
  ck_assert_double_eq(weights[1], 1000);
  ck_assert_double_eq(weights[2], -7);
  sn_engine_close(other);
}
END_TEST

// What bind made reaches each call, with the simulation.
START_TEST(bound_gains_get_what_they_keep) {
  element = ACTUATOR;
  sn_spec *spec = rope(both);
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  snd_ctrl(d)[0] = 3;
  sn_forward(m, d);
  ck_assert_double_eq(snd_actuator_force(d)[0], 2 * 3);
  sn_data_free(d);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

START_TEST(attributes_of_gains_need_bind) {
  element = ACTUATOR;
  static const struct {
    int has_bind, has_unbind;
    const char *reason;
  } bad[] = { { 0, 0, "'attributes' requires 'bind', which is NULL" },
              { 1, 0, "'bind' requires 'unbind', which is NULL" } };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    sn_engine *other = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
    sn_force_ops ops = gain;
    ops.bind = bad[i].has_bind ? ops.bind : NULL;
    ops.unbind = bad[i].has_unbind ? ops.unbind : NULL;
    ck_assert_int_eq(sn_engine_add(other, SN_KIND_GAIN, "slack", &ops, error), SN_EINVAL);
    ck_assert_msg(strstr(sn_error_message(error), bad[i].reason) != NULL, "%s",
                  sn_error_message(error));
    sn_engine_close(other);
  }
}
END_TEST

// A reference without a default must be named: the error has the element, the attribute and the
// cure, and the plugin is not called.
START_TEST(references_without_a_default_are_required) {
  element = _i;
  sn_passive_ops strict_force = force;
  sn_force_ops strict_gain = gain;
  strict_force.attributes = strict_gain.attributes = needed;
  sn_engine *other = engine;
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_PASSIVE, "rope", &strict_force, error), SN_OK);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_GAIN, "rope", &strict_gain, error), SN_OK);
  const char *const without[] = { "", "<config key='second' value='arm'/>",
                                  "<config key='first' value=''/>" };
  for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
    sn_spec *spec = rope(without[i]);
    memset(&seen, 0, sizeof seen);
    ck_assert_ptr_null(sn_compile(spec, error));
    const char *text = sn_error_text(error);
    ck_assert_msg(strstr(text, "\"r\"") || strstr(text, "'r'"), "%s", text);
    ck_assert_msg(strstr(text, "needs the attribute 'first', the name of a site|body") &&
                      strstr(text, "<config key=\"first\" value=\"NAME OF A site\"/>") &&
                      strstr(text, ".xml:1"),
                  "%s", text);
    ck_assert_int_eq(seen.n, 0);
    sn_spec_free(spec);
  }
  sn_spec *spec = rope(both);
  compile_and_check(spec, "hook", "arm");
  sn_spec_free(spec);
  sn_engine_close(engine);
  engine = other;
}
END_TEST

// Declarations that make no sense.
START_TEST(declarations_are_checked) {
  static const struct {
    sn_param p;
    const char *reason;
  } bad[] = {
    { { .name = "a", .default_value = "", .type = SN_PARAM_REFERENCE }, "list the kinds" },
    { { .name = "a", .default_value = "1", .type = SN_PARAM_REALS, .nmin = 2 }, "at least 2" },
    { { .name = "a", .default_value = "1", .type = SN_PARAM_REALS, .nmin = 3, .nmax = 2 },
      "3 to 2 values" },
    { { .name = "a", .default_value = "1", .type = SN_PARAM_REAL, .reserved = 1 }, "reserved" },
    { { .name = "a", .default_value = "1", .type = SN_NPARAMTYPES }, "unknown type" },
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const sn_param table[] = { bad[i].p, { .name = NULL } };
    sn_passive_ops ops = force;
    ops.attributes = table;
    ck_assert_int_eq(sn_engine_add(engine, SN_KIND_PASSIVE, "bad", &ops, error), SN_EINVAL);
    ck_assert_msg(strstr(sn_error_message(error), bad[i].reason) != NULL, "%s",
                  sn_error_message(error));
  }
  // a reference means nothing in the configuration
  sn_passive_ops ops = force;
  ops.head.params = attributes;
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_PASSIVE, "bad", &ops, error), SN_EINVAL);
  ck_assert_msg(strstr(sn_error_message(error), "only attributes of elements") != NULL, "%s",
                sn_error_message(error));
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  EACH(values_reach_the_plugin, 0, NELEMENTS);
  EACH(defaults_and_kinds, 0, NELEMENTS);
  EACH(attached_names_get_the_prefix, 0, NELEMENTS);
  EACH(attached_world_is_the_body, 0, NELEMENTS);
  EACH(named_elements_are_needed, 0, NELEMENTS);
  EACH(wrong_values_are_rejected, 0, NELEMENTS * NWRONG);
  EACH(references_without_a_default_are_required, 0, NELEMENTS);
  TEST(bound_gains_get_what_they_keep);
  TEST(attributes_of_gains_need_bind);
  TEST(numbers_in_the_configuration);
  TEST(declarations_are_checked);
}
