// SPDX-License-Identifier: Apache-2.0
//
// The host: errors of the ini, with their line and cure; parameters; selection and what wins;
// tables that an application adds; plugins linked into it; listings.

#include <check.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/engine.h"

static char folder[64], ini[128];
static sn_error *error;
static char calls[256];   // what the plugin below was asked, in order

// ------------------------------------------------------------------ a plugin of the application

typedef struct instance {
  const sn_host *host;
  sn_value values[4];
  char text[32];
} instance;

static sn_status toy_create(const sn_host *host, const sn_value *values, void **self,
                            sn_error *e) {
  (void)e;
  instance *t = host->alloc(host, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->host = host;
  memcpy(t->values, values, sizeof t->values);
  snprintf(t->text, sizeof t->text, "%s", values[3].text);
  *self = t;
  strcat(calls, "create ");
  return SN_OK;
}

static void toy_destroy(void *self) {
  instance *t = self;
  t->host->free(t->host, t);
  strcat(calls, "destroy ");
}

static sn_status toy_solve(const void *self, const sn_problem *problem, sn_solution *solution,
                           sn_scratch *scratch) {
  (void)self, (void)problem, (void)solution, (void)scratch;
  return SN_OK;
}

static sn_status toy_step(const void *self, sn_stepper *stepper, sn_scratch *scratch) {
  (void)self, (void)stepper, (void)scratch;
  return SN_OK;
}

static sn_status toy_collide(const void *self, const sn_batch *batch, sn_touches *out,
                             sn_scratch *scratch) {
  (void)self, (void)batch, (void)scratch;
  out->count = 0;
  return SN_OK;
}

static const sn_param toy_params[] = {
  {.name = "iterations", .fallback = "50", .summary = "limit", .min = 1, .max = 1000,
   .type = SN_PARAM_INT},
  {.name = "tolerance", .fallback = "1e-8", .summary = "stop below", .min = 0, .max = 1,
   .type = SN_PARAM_REAL},
  {.name = "warm", .fallback = "true", .summary = "start from before", .type = SN_PARAM_BOOL},
  {.name = "method", .fallback = "exact", .choices = "exact|fast|coarse", .summary = "how",
   .type = SN_PARAM_TEXT},
  {.name = NULL},
};

static const sn_solver_ops newton_ops = {
  .head = {.size = sizeof(sn_solver_ops),
           .summary = "a toy",
           .params = toy_params,
           .create = toy_create,
           .destroy = toy_destroy},
  .solve = toy_solve,
};

static const sn_solver_ops plain_ops = {
  .head = {.size = sizeof(sn_solver_ops)},
  .solve = toy_solve,
};

static const sn_integrator_ops euler_ops = {
  .head = {.size = sizeof(sn_integrator_ops)},
  .step = toy_step,
};

static const sn_collider_pair no_pairs[] = {{NULL, NULL}};
static const sn_collider_ops ccd_ops = {
  .head = {.size = sizeof(sn_collider_ops)},
  .pairs = no_pairs,
  .collide = toy_collide,
};

static const sn_provide toy_provides[] = {
  {SN_KIND_SOLVER, "newton", &newton_ops},    {SN_KIND_SOLVER, "cg", &plain_ops},
  {SN_KIND_INTEGRATOR, "euler", &euler_ops},  {SN_KIND_COLLIDER, "ccd", &ccd_ops},
  {SN_KIND_COLLIDER, "primitive", &ccd_ops},  {NULL, NULL, NULL},
};

static sn_status toy_init(const sn_host *host, sn_error *e) {
  (void)e;
  ck_assert_uint_eq(host->abi_major, SN_ABI_MAJOR);
  strcat(calls, "init ");
  return SN_OK;
}

static void toy_fini(void) { strcat(calls, "fini "); }

static const sn_plugin toy_plugin = {
  .magic = SN_PLUGIN_MAGIC,
  .size = sizeof(sn_plugin),
  .abi_major = SN_ABI_MAJOR,
  .real_size = sizeof(double),
  .name = "toys",
  .version = "2.5",
  .license = "MIT",
  .provides = toy_provides,
  .init = toy_init,
  .fini = toy_fini,
};

static const sn_plugin *toy_entry(void) { return &toy_plugin; }

// ------------------------------------------------------------------ fixture

static void set_up(void) {
  umask(022);
  strcpy(folder, "/tmp/sinew-host-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(ini, sizeof ini, "%s/sinew.ini", folder);
  error = sn_error_new();
  calls[0] = '\0';
}

static void tear_down(void) {
  unlink(ini);
  rmdir(folder);
  sn_error_free(error);
}

static sn_engine *open_with(const char *text) {
  FILE *f = fopen(ini, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
  return sn_engine_open(ini, error);
}

// An engine of this ini with the toys, not yet frozen.
static sn_engine *open_toys(const char *text) {
  sn_engine *engine = open_with(text);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_msg(sn_engine_add_static(engine, toy_entry, error) == SN_OK, "%s",
                sn_error_text(error));
  return engine;
}

static void expect(const char *reason, int line) {
  ck_assert_msg(strstr(sn_error_message(error), reason) != NULL, "wanted '%s', got '%s'", reason,
                sn_error_text(error));
  ck_assert_int_eq(sn_error_line(error), line);
  if (line) {
    ck_assert_str_eq(sn_error_file(error), ini);
  }
}

// ------------------------------------------------------------------ the ini

// errors that are found when it is read
static const struct {
  const char *text, *reason;
  int line;
} unreadable[] = {
  {"[plugin]\n", "unknown section 'plugin'; did you mean 'plugins'?", 1},
  {"; x\n\n[selct]\nsolver = newton\n", "unknown section 'selct'; did you mean 'select'?", 3},
  {"[somewhere]\n", "there are: plugins, select, collision, override, plugin.NAME", 1},
  {"solver = newton\n", "'solver' is in no section", 1},
  {"[select]\nsolvr = newton\n", "'solvr' cannot be selected; did you mean 'solver'?", 2},
  {"[select]\nsolver =\n", "'solver' has no value", 2},
  {"[select]\nsolver\n", "neither [section] nor key = value", 2},
  {"[select\n", "neither [section] nor key = value", 1},
  {"[select]\nsolver = a\n[select]\nsolver = b\n", "is said twice, first in line 2", 4},
  {"[collision]\nbox = ccd\n", "is not a pair of geom types", 2},
  {"[collision]\nbox-capsul = ccd\n", "no geom type 'capsul'; did you mean 'capsule'?", 2},
  {"[override]\nnewton = x\n", "write KIND.NAME = name of a plugin", 2},
  {"[override]\nsolvers.newton = x\n", "kinds: solver, collider, integrator", 2},
  {"[plugins]\nx = nowhere.so\n", "nowhere.so", 2},
};

START_TEST(test_unreadable) {
  ck_assert_ptr_null(open_with(unreadable[_i].text));
  expect(unreadable[_i].reason, unreadable[_i].line);
}
END_TEST

// errors that are found when everything is loaded
static const struct {
  const char *text, *reason;
  int line;
} wrong[] = {
  {"[select]\nsolver = newtn\n",
   "no solver is named 'newtn'; did you mean 'newton'? There are: newton, cg", 2},
  {"[select]\nexecutor = serial\n", "no executor is named 'serial', nor is there any other", 2},
  {"[collision]\nbox-box = cdd\n", "no collider is named 'cdd'; did you mean 'ccd'?", 2},
  {"[plugin.newton]\n\niteration = 5\n",
   "has no parameter 'iteration'; did you mean 'iterations'? It has: iterations, tolerance", 3},
  {"[plugin.cg]\niterations = 5\n", "the solver 'cg' has no parameters", 2},
  {"[plugin.newtno]\niterations = 5\n", "nothing that is loaded is named 'newtno'; did you mean "
   "'newton'?", 2},
  {"[plugin.newton]\niterations = many\n", "'iterations' is an integer, not 'many'", 2},
  {"[plugin.newton]\niterations = 5.5\n", "'iterations' is an integer, not '5.5'", 2},
  {"[plugin.newton]\niterations = 99999999999999999999\n", "is an integer, not", 2},
  {"[plugin.newton]\niterations = 0\n", "'iterations' is 0, outside of 1 to 1000", 2},
  {"[plugin.newton]\ntolerance = 2\n", "'tolerance' is 2, outside of 0 to 1", 2},
  {"[plugin.newton]\ntolerance = nan\n", "'tolerance' is a number, not 'nan'", 2},
  {"[plugin.newton]\ntolerance = 1e-3 m\n", "'tolerance' is a number, not '1e-3 m'", 2},
  {"[plugin.newton]\nwarm = perhaps\n", "write true or false", 2},
  {"[plugin.newton]\nmethod = fats\n",
   "'fats' is not a value of 'method'; did you mean 'fast'? There are: exact, fast, coarse", 2},
  {"[override]\nsolver.newton = other\n", "no plugin 'other' that is loaded provides it", 2},
};

START_TEST(test_wrong) {
  sn_engine *engine = open_toys(wrong[_i].text);
  ck_assert_int_lt(sn_engine_freeze(engine, error), 0);
  expect(wrong[_i].reason, wrong[_i].line);

  // nothing was made, and the engine is not frozen
  ck_assert_ptr_null(sn_engine_find(engine, SN_KIND_SOLVER, "newton", NULL)->self);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "late", &plain_ops, error), SN_OK);
  sn_engine_close(engine);
  ck_assert_str_eq(calls, "init fini ");
}
END_TEST

START_TEST(test_text_oddities) {
  // a mark of UTF-8, indented lines, comments, carriage returns, no end of line at the end
  sn_engine *engine = open_toys("\xef\xbb\xbf; first\r\n  [select]\r\n  # second\r\n"
                                "\tsolver  =  cg   ; third\r\n  integrator: euler");
  ck_assert_str_eq(sn_engine_selected(engine, "solver"), "cg");
  ck_assert_str_eq(sn_engine_selected(engine, "integrator"), "euler");
  sn_engine_close(engine);

  char text[1024];
  snprintf(text, sizeof text, "[select]\n;%0300d\nsolver = %0300d\n", 1, 1);
  ck_assert_ptr_null(open_with(text));
  expect("the line has 309 characters", 3);
  snprintf(text, sizeof text, "[%0100d]\n", 1);
  ck_assert_ptr_null(open_with(text));
  expect("the name of a section has at most", 1);
}
END_TEST

START_TEST(test_binary_ini) {
  FILE *f = fopen(ini, "w");
  fwrite("[select]\0\n", 1, 10, f);
  fclose(f);
  ck_assert_ptr_null(sn_engine_open(ini, error));
  expect("not a text file", 0);
  ck_assert_ptr_null(sn_engine_open("/nonexistent/sinew.ini", error));
  expect("/nonexistent/sinew.ini", 0);
  ck_assert_ptr_null(sn_engine_open(folder, error));
  expect("not a regular file", 0);
}
END_TEST

START_TEST(test_search) {
  char home[256], place[256], *here = getcwd(NULL, 0);
  snprintf(home, sizeof home, "%s/config", folder);
  snprintf(place, sizeof place, "%s/config/sinew", folder);
  ck_assert_int_eq(mkdir(home, 0755) | mkdir(place, 0755), 0);
  ck_assert_int_eq(chdir(folder), 0);
  setenv("XDG_CONFIG_HOME", home, 1);
  unsetenv("SINEW_CONFIG");

  // nowhere: the error tells the places
  ck_assert_ptr_null(sn_engine_open(NULL, error));
  expect("./sinew.ini", 0);
  expect(place, 0);

  // from last to first, each wins over those after it
  sn_config_info info = {.size = sizeof info};
  char file[512];
  snprintf(file, sizeof file, "%s/sinew.ini", place);
  FILE *f = fopen(file, "w");
  fputs("[select]\nsolver = c\n", f);
  fclose(f);
  sn_engine *engine = sn_engine_open(NULL, error);
  ck_assert_str_eq(sn_engine_selected(engine, "solver"), "c");
  sn_engine_close(engine);
  engine = open_with("[select]\nsolver = b\n");
  sn_engine_close(engine);
  engine = sn_engine_open(NULL, error);
  ck_assert_str_eq(sn_engine_selected(engine, "solver"), "b");
  sn_engine_close(engine);
  setenv("SINEW_CONFIG", file, 1);
  engine = sn_engine_open(NULL, error);
  ck_assert_str_eq(sn_engine_selected(engine, "solver"), "c");
  ck_assert_int_eq(sn_engine_config(engine, 0, &info), 1);
  ck_assert_ptr_nonnull(strstr(info.origin, file));
  sn_engine_close(engine);
  setenv("SINEW_CONFIG", "/nonexistent.ini", 1);
  ck_assert_ptr_null(sn_engine_open(NULL, error));
  expect("/nonexistent.ini", 0);

  unsetenv("SINEW_CONFIG");
  unsetenv("XDG_CONFIG_HOME");
  unlink(file);
  rmdir(place);
  rmdir(home);
  ck_assert_int_eq(chdir(here), 0);
  free(here);
}
END_TEST

// ------------------------------------------------------------------ parameters

START_TEST(test_parameters_arrive) {
  // whatever the application's locale says about decimal points
  setlocale(LC_ALL, "de_DE.UTF-8");
  sn_engine *engine = open_toys("[plugin.newton]\niterations = 7\ntolerance = 2.5e-3\n"
                                "[plugin.solver.newton]\nwarm = off\n");
  ck_assert_msg(sn_engine_freeze(engine, error) == SN_OK, "%s", sn_error_text(error));
  setlocale(LC_ALL, "C");
  const instance *t = sn_engine_find(engine, SN_KIND_SOLVER, "newton", error)->self;
  ck_assert_int_eq(t->values[0].integer, 7);
  ck_assert_double_eq(t->values[0].real, 7);
  ck_assert_double_eq(t->values[1].real, 2.5e-3);
  ck_assert_int_eq(t->values[2].integer, 0);
  ck_assert_str_eq(t->text, "exact");
  ck_assert_ptr_eq(t->host, sn_engine_host(engine));
  ck_assert_ptr_null(sn_engine_find(engine, SN_KIND_SOLVER, "cg", error)->self);
  sn_engine_close(engine);
  ck_assert_str_eq(calls, "init create destroy fini ");
}
END_TEST

START_TEST(test_kind_is_needed_when_names_are_shared) {
  static const sn_integrator_ops twin = {
    .head = {.size = sizeof(sn_integrator_ops), .params = toy_params, .create = toy_create,
             .destroy = toy_destroy},
    .step = toy_step,
  };
  sn_engine *engine = open_toys("[plugin.newton]\niterations = 7\n");
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_INTEGRATOR, "newton", &twin, error), SN_OK);
  ck_assert_int_lt(sn_engine_freeze(engine, error), 0);
  expect("several kinds have a provider 'newton'", 2);
  sn_engine_close(engine);

  engine = open_toys("[plugin.integrator.newton]\niterations = 7\n"
                     "[plugin.solver.newton]\niterations = 8\n");
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_INTEGRATOR, "newton", &twin, error), SN_OK);
  ck_assert_msg(sn_engine_freeze(engine, error) == SN_OK, "%s", sn_error_text(error));
  const instance *i = sn_engine_find(engine, SN_KIND_INTEGRATOR, "newton", error)->self;
  const instance *s = sn_engine_find(engine, SN_KIND_SOLVER, "newton", error)->self;
  ck_assert_int_eq(i->values[0].integer, 7);
  ck_assert_int_eq(s->values[0].integer, 8);
  sn_engine_close(engine);
}
END_TEST

START_TEST(test_bad_declarations) {
  static const sn_param lists[][2] = {
    {{.name = "x", .fallback = "1", .type = 9}},
    {{.name = "x", .type = SN_PARAM_INT}},
    {{.name = "x", .fallback = "one", .type = SN_PARAM_REAL}},
    {{.name = "x", .fallback = "c", .choices = "a|b", .type = SN_PARAM_TEXT}},
  };
  static const char *const reasons[] = {"unknown type 9", "has no default", "is a number",
                                        "is not a value of 'x'"};
  sn_engine *engine = sn_engine_open("", error);
  for (int i = 0; i < 4; i++) {
    sn_solver_ops ops = plain_ops;
    ops.head.params = lists[i];
    ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "x", &ops, error), SN_EINVAL);
    expect(reasons[i], 0);
  }
  ck_assert_ptr_null(sn_engine_each(engine, SN_KIND_SOLVER, 0));
  sn_engine_close(engine);
}
END_TEST

// ------------------------------------------------------------------ selection

START_TEST(test_select) {
  sn_engine *engine = open_toys("[select]\nsolver = newton\n");
  ck_assert_str_eq(sn_engine_selected(engine, "solver"), "newton");
  ck_assert_ptr_null(sn_engine_selected(engine, "integrator"));
  ck_assert_int_eq(sn_select(engine, "solver", "cg", error), SN_OK);
  ck_assert_str_eq(sn_engine_selected(engine, "solver"), "cg");
  ck_assert_int_eq(sn_select(engine, "solver", "newton", error), SN_OK);
  ck_assert_str_eq(sn_engine_selected(engine, "solver"), "newton");
  ck_assert_int_eq(sn_select(engine, "solver", "gc", error), SN_ENOTFOUND);
  expect("did you mean 'cg'? There are: newton, cg", 0);
  ck_assert_int_eq(sn_select(engine, "sover", "cg", error), SN_EINVAL);
  expect("did you mean 'solver'?", 0);
  ck_assert_int_eq(sn_select(engine, "box-bx", "ccd", error), SN_EINVAL);
  ck_assert_int_eq(sn_select(engine, "solver", NULL, error), SN_EINVAL);
  ck_assert_str_eq(sn_engine_selected(engine, "solver"), "newton");
  sn_engine_close(engine);
}
END_TEST

START_TEST(test_collision_pairs) {
  sn_engine *engine = open_toys("[collision]\nbox-box = primitive\nmesh-* = ccd\n"
                                "*-sphere = primitive\n");
  ck_assert_str_eq(sn_engine_collision(engine, "box", "box"), "primitive");
  ck_assert_str_eq(sn_engine_collision(engine, "box", "mesh"), "ccd");
  ck_assert_str_eq(sn_engine_collision(engine, "plane", "mesh"), "ccd");
  ck_assert_str_eq(sn_engine_collision(engine, "sphere", "sphere"), "primitive");
  ck_assert_str_eq(sn_engine_collision(engine, "sphere", "mesh"), "primitive");   // the last line
  ck_assert_ptr_null(sn_engine_collision(engine, "box", "capsule"));

  // the pair itself before a pattern, sn_select before the ini
  ck_assert_int_eq(sn_select(engine, "*-*", "ccd", error), SN_OK);
  ck_assert_str_eq(sn_engine_collision(engine, "box", "box"), "ccd");
  ck_assert_str_eq(sn_engine_collision(engine, "box", "capsule"), "ccd");
  ck_assert_int_eq(sn_select(engine, "capsule-box", "primitive", error), SN_OK);
  ck_assert_str_eq(sn_engine_collision(engine, "box", "capsule"), "primitive");
  ck_assert_str_eq(sn_engine_collision(engine, "box", "box"), "ccd");
  sn_engine_close(engine);
}
END_TEST

// ------------------------------------------------------------------ what applications add

START_TEST(test_add) {
  sn_engine *engine = sn_engine_open("", error);
  ck_assert_ptr_nonnull(engine);
  ck_assert_ptr_null(sn_engine_find(engine, SN_KIND_SOLVER, "mine", error));
  expect("no solver is named 'mine', nor is there any other", 0);

  char name[8] = "mine";
  sn_solver_ops ops = plain_ops;
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, name, &ops, error), SN_OK);
  memset(name, 'x', 4);
  ops.solve = NULL;   // name and table were copied
  const sn_provider *p = sn_engine_find(engine, SN_KIND_SOLVER, "mine", error);
  ck_assert_ptr_nonnull(p);
  ck_assert_ptr_null(p->plugin);
  ck_assert(((const sn_solver_ops *)p->ops)->solve == toy_solve);
  ck_assert_str_eq(((const sn_solver_ops *)p->ops)->head.summary, "");

  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "mine", &plain_ops, error), SN_EINVAL);
  expect("the solver 'mine' exists", 0);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "none", &ops, error), SN_EINVAL);
  expect("the required operation 'solve' is NULL", 0);
  ck_assert_int_eq(sn_engine_add(engine, "sinew.solvr/1", "x", &plain_ops, error), SN_EINVAL);
  expect("did you mean 'sinew.solver/1'?", 0);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "", &plain_ops, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, NULL, &plain_ops, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "x", NULL, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_INTEGRATOR, "mine", &euler_ops, error), SN_OK);
  sn_engine_close(engine);
}
END_TEST

START_TEST(test_frozen) {
  sn_engine *engine = open_toys("");
  ck_assert_int_eq(sn_engine_freeze(engine, error), SN_OK);
  ck_assert_int_eq(sn_engine_freeze(engine, error), SN_OK);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "mine", &plain_ops, error), SN_EINVAL);
  expect("add before the first model", 0);
  ck_assert_int_eq(sn_engine_add_static(engine, toy_entry, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_load_plugin(engine, "x", "/x.so", error), SN_EINVAL);
  ck_assert_int_eq(sn_select(engine, "solver", "cg", error), SN_OK);
  sn_engine_close(engine);
  ck_assert_str_eq(calls, "init create destroy fini ");
}
END_TEST

START_TEST(test_static_twice) {
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

START_TEST(test_config_listing) {
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

START_TEST(test_provider_listing) {
  sn_engine *engine = open_toys("");
  sn_provider_info info = {.size = sizeof info};
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
  ck_assert_int_eq(sn_engine_provider(engine, 5, &info), 0);
  ck_assert_int_eq(sn_engine_provider(engine, -1, &info), 0);

  // an older, shorter struct is filled as far as it goes
  sn_provider_info old = {.size = offsetof(sn_provider_info, summary)};
  ck_assert_int_eq(sn_engine_provider(engine, 0, &old), 1);
  ck_assert_str_eq(old.name, "newton");
  ck_assert_ptr_null(old.summary);
  sn_engine_close(engine);
}
END_TEST

static void record(void *context, int32_t level, const char *topic, const char *text) {
  snprintf(context, 256, "%d %s %s", level, topic, text);
}

START_TEST(test_host_services) {
  sn_engine *engine = sn_engine_open("", error);
  const sn_host *host = sn_engine_host(engine);
  ck_assert_uint_eq(host->size, sizeof(sn_host));
  ck_assert_ptr_nonnull(host->query(host, SN_SERVICE_INERTIA));
  ck_assert_ptr_nonnull(host->query(host, SN_SERVICE_FIELDS));
  ck_assert_ptr_nonnull(host->query(host, SN_SERVICE_RANDOM));
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

int main(void) {
  Suite *suite = suite_create("host");
  TCase *t = tcase_create("all");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_loop_test(t, test_unreadable, 0, sizeof unreadable / sizeof unreadable[0]);
  tcase_add_loop_test(t, test_wrong, 0, sizeof wrong / sizeof wrong[0]);
  tcase_add_test(t, test_text_oddities);
  tcase_add_test(t, test_binary_ini);
  tcase_add_test(t, test_search);
  tcase_add_test(t, test_parameters_arrive);
  tcase_add_test(t, test_kind_is_needed_when_names_are_shared);
  tcase_add_test(t, test_bad_declarations);
  tcase_add_test(t, test_select);
  tcase_add_test(t, test_collision_pairs);
  tcase_add_test(t, test_add);
  tcase_add_test(t, test_frozen);
  tcase_add_test(t, test_static_twice);
  tcase_add_test(t, test_config_listing);
  tcase_add_test(t, test_provider_listing);
  tcase_add_test(t, test_host_services);
  suite_add_tcase(suite, t);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
