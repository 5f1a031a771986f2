// SPDX-License-Identifier: Apache-2.0
//
// The ini: where it is found, what it may look like, and each mistake with its line and cure.

#include "host/host_toys.h"
#include "suite.h"

// errors that are found when it is read
static const struct {
  const char *text, *reason;
  int line;
} unreadable[] = {
  { "[plugin]\n", "unknown section 'plugin'; did you mean 'plugins'?", 1 },
  { "; x\n\n[selct]\nsolver = newton\n", "unknown section 'selct'; did you mean 'select'?", 3 },
  { "[somewhere]\n",
    "available: plugins, select, option, collision, override, limits, cache, plugin.NAME", 1 },
  { "solver = newton\n", "'solver' is outside any section", 1 },
  { "[select]\nsolvr = newton\n", "unknown key 'solvr' in [select]; did you mean 'solver'?", 2 },
  { "[select]\nsolver =\n", "'solver' has no value", 2 },
  { "[select]\nsolver\n", "expected [section] or key = value", 2 },
  { "[select]\nsolver newton\n[plugin.urdf\n", "expected [section] or key = value", 2 },
  { "[select\n", "a section header must end with ]", 1 },
  { "\n[select\nsolver = newton\n", "a section header must end with ]", 2 },
  { "profile = a\nprofile = b\n", "profile is set twice, first in line 1", 2 },
  { "root = true\n\nroot = false\n", "root is set twice, first in line 1", 3 },
  { "check_plugins = no\ncheck_plugins = yes\n", "check_plugins is set twice, first in line 1", 2 },
  { "\nprofile = mine\n", "there is no profile 'mine'", 2 },
  { "profile = my/own\n", "is not the name of a profile", 1 },
  { "[select]\nsolver = a\n[select]\nsolver = b\n", "is set twice, first in line 2", 4 },
  { "[collision]\nbox = ccd\n", "is not a pair of geom types", 2 },
  { "[collision]\nbox-capsul = ccd\n", "no geom type 'capsul'; did you mean 'capsule'?", 2 },
  { "[override]\nnewton = x\n", "write KIND.NAME = name of a plugin", 2 },
  { "[override]\nsolvers.newton = x\n", "kinds: solver, collider, integrator", 2 },
  { "[plugins]\nx = nowhere.so\n", "nowhere.so", 2 },
};

START_TEST(unreadable_ini) {
  ck_assert_ptr_null(open_with(unreadable[_i].text));
  expect(unreadable[_i].reason, unreadable[_i].line);
}
END_TEST

// errors that are found when everything is loaded
static const struct {
  const char *text, *reason;
  int line;
} wrong[] = {
  { "[select]\nsolver = newtn\n",
    "no solver is named 'newtn'; did you mean 'newton'? Available: newton, cg", 2 },
  { "[select]\npost_solver = newton\n",
    "[select] post_solver: 'newton' is a main solver, not a post-solver", 2 },
  { "[select]\nsolver = polish\n", "[select] solver: 'polish' is a post-solver, not a main solver",
    2 },
  { "[select]\nexecutor = serial\n",
    "no executor is named 'serial', and no loaded plugin provides one", 2 },
  { "[collision]\nbox-box = cdd\n", "no collider is named 'cdd'; did you mean 'ccd'?", 2 },
  { "[plugin.newton]\n\niteration = 5\n",
    "has no parameter 'iteration'; did you mean 'iterations'? It has: iterations, tolerance", 3 },
  { "[plugin.cg]\niterations = 5\n", "the solver 'cg' has no parameters", 2 },
  { "[plugin.newtno]\niterations = 5\n",
    "no loaded plugin provides 'newtno'; did you mean 'newton'?", 2 },
  { "[plugin.newton]\niterations = many\n", "'iterations' must be an integer, not 'many'", 2 },
  { "[plugin.newton]\niterations = 5.5\n", "'iterations' must be an integer, not '5.5'", 2 },
  { "[plugin.newton]\niterations = 99999999999999999999\n", "must be an integer, not", 2 },
  { "[plugin.newton]\niterations = 0\n", "'iterations' is 0, outside of the range 1 to 1000", 2 },
  { "[plugin.newton]\ntolerance = 2\n", "'tolerance' is 2, outside of the range 0 to 1", 2 },
  { "[plugin.newton]\ntolerance = nan\n", "'tolerance' must be a number, not 'nan'", 2 },
  { "[plugin.newton]\ntolerance = 1e-3 m\n", "'tolerance' must be a number, not '1e-3 m'", 2 },
  { "[plugin.newton]\nwarm = perhaps\n", "write true or false", 2 },
  { "[plugin.newton]\nmethod = fats\n",
    "'method' cannot be 'fats'; did you mean 'fast'? Available: exact, fast, coarse", 2 },
  { "[override]\nsolver.newton = other\n", "no plugin is named 'other'; loaded: toys", 2 },
  { "[override]\nsolver.other = toys\n", "'toys' does not provide solver.other; it provides: ", 2 },
};

START_TEST(wrong_ini) {
  sn_engine *engine = open_toys(wrong[_i].text);
  ck_assert_int_lt(si_engine_freeze(engine, error), 0);
  expect(wrong[_i].reason, wrong[_i].line);

  // nothing was made, and the engine is not frozen
  ck_assert_ptr_null(si_engine_find(engine, SN_KIND_SOLVER, "newton", NULL)->self);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "late", &plain_ops, error), SN_OK);
  sn_engine_close(engine);
  ck_assert_str_eq(calls, "init fini ");
}
END_TEST

START_TEST(text_oddities) {
  // a mark of UTF-8, indented lines, comments, carriage returns, no end of line at the end
  sn_engine *engine = open_toys("\xef\xbb\xbf; first\r\n  [select]\r\n  # second\r\n"
                                "\tsolver  =  cg   ; third\r\n  integrator: euler");
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "cg");
  ck_assert_str_eq(si_engine_selected(engine, "integrator"), "euler");
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

START_TEST(binary_ini) {
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

// ------------------------------------------------------------------ included files

// Writes a file beside the ini; its path.
static const char *write_beside(const char *name, const char *text) {
  static char path[4][256];
  static int next;
  next = (next + 1) & 3;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  FILE *f = fopen(path[next], "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
  return path[next];
}

static const char *origin_of(const sn_engine *engine, const char *section, const char *key,
                             const char *value) {
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(engine, i, &info); i++) {
    if (strcmp(info.section, section) == 0 && strcmp(info.key, key) == 0) {
      ck_assert_str_eq(info.value, value);
      return info.origin;
    }
  }
  ck_abort_msg("[%s] %s is not listed", section, key);
}

// The later line counts: one of this file before one of an included file, one of a later included
// file before one of an earlier.
START_TEST(included_lines_are_replaced) {
  char expected[300];
  const char *first = write_beside("first.ini", "[select]\nsolver = newton\nintegrator = rk4\n"
                                                "[plugin.newton]\niterations = 7\n");
  const char *second = write_beside("second.ini", "include = first.ini\n[select]\n"
                                                  "integrator = euler\n"
                                                  "[plugin.newton]\niterations = 8\n");
  sn_engine *engine = open_toys("; mine\ninclude = second.ini\n[plugin.newton]\niterations = 9\n"
                                "tolerance = 0.5\n");
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "newton");
  ck_assert_str_eq(si_engine_selected(engine, "integrator"), "euler");
  snprintf(expected, sizeof expected, "%s:2", first);
  ck_assert_str_eq(origin_of(engine, "select", "solver", "newton"), expected);
  snprintf(expected, sizeof expected, "%s:3", second);
  ck_assert_str_eq(origin_of(engine, "select", "integrator", "euler"), expected);
  snprintf(expected, sizeof expected, "%s:4", ini);
  ck_assert_str_eq(origin_of(engine, "plugin.newton", "iterations", "9"), expected);
  sn_engine_close(engine);
}
END_TEST

START_TEST(mistakes_in_included_files) {
  const char *second = write_beside("second.ini", "; none\n\n[selct]\n");
  ck_assert_ptr_null(open_with("include = second.ini\n"));
  expect_in(second, "unknown section 'selct'", 3);
  write_beside("second.ini", "include = sinew.ini\n");
  ck_assert_ptr_null(open_with("include = second.ini\n"));
  expect_in(second, "includes itself through this line", 1);
  ck_assert_ptr_null(open_with("\ninclude = nowhere.ini\n"));
  expect("nowhere.ini: No such file or directory; correct the path", 2);
  ck_assert_ptr_null(open_with("[select]\ninclude = second.ini\n"));
  expect("unknown key 'include' in [select]", 2);
  ck_assert_ptr_null(open_with("include =\n"));
  expect("'include' has no value", 1);

  // the paths of plugins are relative to the file that names them
  char path[128];
  snprintf(path, sizeof path, "%s/deeper", folder);
  ck_assert_int_eq(mkdir(path, 0755), 0);
  const char *third = write_beside("deeper/third.ini", "[plugins]\nx = nowhere.so\n");
  ck_assert_ptr_null(open_with("include = deeper/third.ini\n"));
  expect_in(third, "/deeper/nowhere.so", 2);

  // a file that others can write is rejected like the ini itself
  ck_assert_int_eq(chmod(write_beside("second.ini", "[select]\n"), 0666), 0);
  ck_assert_ptr_null(open_with("include = second.ini\n"));
  expect("other users can write it", 0);
}
END_TEST

// ------------------------------------------------------------------ where it is

// Folders of a user, with an ini of this text; NULL: without. undo_user removes them.
static char home[128], users[192];

static void make_user(const char *text) {
  snprintf(home, sizeof home, "%s/config", folder);
  snprintf(users, sizeof users, "%s/sinew", home);
  ck_assert_int_eq(mkdir(home, 0755) | mkdir(users, 0755), 0);
  snprintf(users, sizeof users, "%s/sinew/profiles", home);
  ck_assert_int_eq(mkdir(users, 0755), 0);
  snprintf(users, sizeof users, "%s/sinew", home);
  setenv("XDG_CONFIG_HOME", home, 1);
  unsetenv("SINEW_CONFIG");
  unsetenv("SINEW_PROFILE");
  if (text) {
    write_beside("config/sinew/sinew.ini", text);
  }
}

static void undo_user(void) {
  static const char *const parts[] = { "sinew.ini", "profiles/slow.ini", "profiles/fast.ini",
                                       "profiles", "" };
  char path[300];
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", users, parts[i]);
    remove(path);
  }
  rmdir(home);
  unsetenv("SINEW_CONFIG");
  unsetenv("SINEW_PROFILE");
  unsetenv("XDG_CONFIG_HOME");
}

static const char *selected(const char *config, const char *profile, uint32_t flags,
                            const char *what) {
  static char value[64];
  const sn_engine_request request = {
    .size = sizeof request, .flags = flags, .config = config, .profile = profile
  };
  sn_engine *engine = sn_engine_open_with(&request, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  const char *found = si_engine_selected(engine, what);
  snprintf(value, sizeof value, "%s", found ? found : "none");
  sn_engine_close(engine);
  return value;
}

START_TEST(search) {
  char *here = getcwd(NULL, 0);
  make_user(NULL);
  ck_assert_int_eq(chdir(folder), 0);

  // nowhere: the error lists the places; the working folder is not one of them
  ck_assert_ptr_null(sn_engine_open(NULL, error));
  expect(users, 0);
  expect("the working folder is not searched", 0);
  sn_engine_close(open_with("[select]\nsolver = b\n"));
  ck_assert_ptr_null(sn_engine_open(NULL, error));
  expect("no sinew.ini was found", 0);

  // each is found, and a file that is named has to exist
  write_beside("config/sinew/sinew.ini", "[select]\nsolver = c\n");
  ck_assert_str_eq(selected(NULL, NULL, 0, "solver"), "c");
  setenv("SINEW_CONFIG", ini, 1);
  ck_assert_str_eq(selected(NULL, NULL, 0, "solver"), "b");
  setenv("SINEW_CONFIG", "/nonexistent.ini", 1);
  ck_assert_ptr_null(sn_engine_open(NULL, error));
  expect("/nonexistent.ini", 0);
  ck_assert_int_eq(chdir(here), 0);
  free(here);
  undo_user();
}
END_TEST

// Each layer changes what it contains, and nothing else; `root` makes one stand alone.
START_TEST(layers) {
  make_user("[select]\nsolver = of_user\nintegrator = of_user\nexecutor = of_user\n");
  const char *named = write_beside("named.ini", "[select]\nsolver = of_file\n");
  const char *other = write_beside("other.ini", "[select]\nsolver = of_environment\n");
  setenv("SINEW_CONFIG", other, 1);
  ck_assert_str_eq(selected(NULL, NULL, 0, "solver"), "of_environment");
  ck_assert_str_eq(selected(named, NULL, 0, "solver"), "of_file");
  ck_assert_str_eq(selected(named, NULL, 0, "integrator"), "of_user");
  ck_assert_str_eq(selected(named, NULL, SN_ENGINE_ALONE, "integrator"), "none");

  const sn_engine_request request = { .size = sizeof request, .config = named };
  sn_engine *engine = sn_engine_open_with(&request, error);
  sn_layer_info info = { .size = sizeof info };
  ck_assert_int_eq(sn_engine_layer(engine, 0, &info), 1);
  ck_assert_str_eq(info.name, "user");
  ck_assert_int_eq(sn_engine_layer(engine, 1, &info), 1);
  ck_assert_str_eq(info.name, "named");
  ck_assert_str_eq(info.path, named);
  ck_assert_int_eq(sn_engine_layer(engine, 2, &info), 0);
  sn_engine_close(engine);

  write_beside("named.ini", "root = true\n[select]\nsolver = of_file\n");
  ck_assert_str_eq(selected(named, NULL, 0, "integrator"), "none");
  // in an included file it has no effect
  write_beside("other.ini", "include = named.ini\n[select]\nexecutor = mine\n");
  ck_assert_str_eq(selected(other, NULL, 0, "integrator"), "of_user");
  ck_assert_str_eq(selected(other, NULL, 0, "executor"), "mine");
  ck_assert_ptr_null(open_with("\nroot = yes\n"));
  expect("'root' must be true or false, not 'yes'", 2);
  undo_user();
}
END_TEST

// A plugin that a stronger layer removes is not loaded, however wrong its path.
static void keep_message(void *context, int32_t level, const char *topic, const char *text) {
  (void)topic;
  if (level == SN_LOG_WARNING) {
    snprintf(context, 512, "%s", text);
  }
}

// A misspelt name would leave the plugin in place without a word.
START_TEST(removal_without_effect) {
  char text[512] = "";
  make_user("[plugins]\nbroken = nowhere.so\n");
  write_beside("part.ini", "[plugins]\nother = nowhere.so\n");
  sn_engine *engine = open_with("include = part.ini\n[plugins]\nbroken = none\nother = none\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_engine_set_log(engine, keep_message, text);
  ck_assert_str_eq(text, "");
  sn_engine_close(engine);
  undo_user();
  make_user("[limits]\nelements = 9\n");
  engine = open_with("[plugins]\nbrokn = none\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_engine_set_log(engine, keep_message, text);
  ck_assert_msg(strstr(text, "sinew.ini:2: brokn = none has no effect") != NULL, "%s", text);
  sn_engine_close(engine);
  undo_user();
}
END_TEST

START_TEST(removed_plugin) {
  make_user("[plugins]\nx = nowhere.so\n");
  ck_assert_ptr_null(open_with("[select]\n"));
  sn_engine *engine = open_with("[plugins]\nx = none\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_plugin_info info = { .size = sizeof info };
  ck_assert_int_eq(sn_engine_plugin(engine, 0, &info), 0);
  sn_engine_close(engine);
  undo_user();
}
END_TEST

// Weaker than the files of the user; by name in the call, the environment, or a file.
START_TEST(profiles) {
  make_user("profile = slow\n[select]\nexecutor = of_user\n");
  write_beside("config/sinew/profiles/slow.ini", "[select]\nsolver = slow\nexecutor = slow\n");
  write_beside("config/sinew/profiles/fast.ini", "[select]\nsolver = fast\n");
  const char *named = write_beside("named.ini", "root = true\n[select]\nintegrator = mine\n");
  ck_assert_str_eq(selected(NULL, NULL, 0, "solver"), "slow");
  ck_assert_str_eq(selected(NULL, NULL, 0, "executor"), "of_user");
  ck_assert_str_eq(selected(NULL, "fast", 0, "solver"), "fast");
  ck_assert_str_eq(selected(NULL, "none", 0, "solver"), "none");
  setenv("SINEW_PROFILE", "fast", 1);
  ck_assert_str_eq(selected(NULL, NULL, 0, "solver"), "fast");
  // a whole configuration too: over it, not below
  ck_assert_str_eq(selected(named, NULL, 0, "solver"), "fast");
  write_beside("named.ini", "root = true\n[select]\nsolver = mine\n");
  ck_assert_str_eq(selected(named, NULL, 0, "solver"), "fast");

  sn_engine_request request = { .size = sizeof request, .profile = "fats" };
  ck_assert_ptr_null(sn_engine_open_with(&request, error));
  expect("there is no profile 'fats'; did you mean 'fast'?", 0);
  request.profile = "../sinew";
  ck_assert_ptr_null(sn_engine_open_with(&request, error));
  expect("is not the name of a profile", 0);
  const char *fast = write_beside("config/sinew/profiles/fast.ini", "\nprofile = slow\n");
  request.profile = "fast";
  ck_assert_ptr_null(sn_engine_open_with(&request, error));
  expect_in(fast, "a profile cannot select another profile", 2);
  undo_user();
}
END_TEST

START_TEST(requests) {
  sn_engine_request request = { .config = "" };
  ck_assert_ptr_null(sn_engine_open_with(&request, error));
  expect("the request has no size", 0);
  request.size = sizeof request;
  request.flags = 1u << 20;
  ck_assert_ptr_null(sn_engine_open_with(&request, error));
  ck_assert_ptr_null(sn_engine_open_with(NULL, error));
  request.flags = 0;
  sn_engine *engine = sn_engine_open_with(&request, error);
  ck_assert_ptr_nonnull(engine);
  sn_engine_close(engine);
}
END_TEST

// ------------------------------------------------------------------ sn_engine_set

static const struct {
  const char *key, *value, *reason;
} rejected[] = {
  { "plugin.newton.iteration", "5", "has no parameter 'iteration'; did you mean 'iterations'?" },
  { "plugin.newton.iterations", "0", "'iterations' is 0, outside of the range 1 to 1000" },
  { "plugin.newtno.iterations", "5", "did you mean 'newton'?" },
  { "plugin.newton", "5", "write plugin.NAME.PARAMETER" },
  { "solvr", "newton", "unknown selection 'solvr'; did you mean 'solver'?" },
  { "select.solver", "newtn", "no solver is named 'newtn'; did you mean 'newton'?" },
  { "box-bix", "ccd", "no geom type 'bix'" },
  { "override.newton", "x", "write KIND.NAME" },
  { "limits.memroy", "4G", "did you mean 'memory'" },
  { "plugins.mine", "mine.so", "'plugins.mine' cannot be set" },
};

START_TEST(set_rejects) {
  sn_engine *engine = open_toys("[select]\n");
  ck_assert_int_lt(sn_engine_set(engine, rejected[_i].key, rejected[_i].value, error), 0);
  expect(rejected[_i].reason, 0);
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  sn_engine_close(engine);
}
END_TEST

START_TEST(set_wins_over_files) {
  sn_engine *engine = open_toys("[select]\nsolver = newton\n[collision]\nbox-box = ccd\n"
                                "[plugin.newton]\niterations = 7\n");
  ck_assert_int_eq(sn_engine_set(engine, "solver", "cg", error), SN_OK);
  ck_assert_int_eq(sn_engine_set(engine, "plugin.newton.iterations", "8", error), SN_OK);
  ck_assert_int_eq(sn_engine_set(engine, "plugin.solver.newton.iterations", "9", error), SN_OK);
  ck_assert_int_eq(sn_engine_set(engine, "collision.*-*", "ccd", error), SN_OK);
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "cg");
  ck_assert_str_eq(origin_of(engine, "plugin.newton", "iterations", "9"), "sn_engine_set");
  ck_assert_str_eq(origin_of(engine, "collision", "box-box", "ccd"), "sn_select");
  ck_assert_int_eq(sn_engine_set(engine, "plugin.newton.iterations", "10", error), SN_OK);
  ck_assert_int_lt(si_engine_freeze(engine, error), 0);   // in two sections of one layer
  expect("the same parameter is set at", 0);
  sn_engine_close(engine);
}
END_TEST

START_TEST(set_too_late) {
  sn_engine *engine = open_toys("[select]\n");
  ck_assert_int_eq(sn_engine_set(engine, "plugin.newton.iterations", "9", error), SN_OK);
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  instance *self = si_engine_find(engine, SN_KIND_SOLVER, "newton", error)->self;
  ck_assert_int_eq(self->values[0].integer, 9);
  ck_assert_int_eq(sn_engine_set(engine, "plugin.newton.iterations", "10", error), SN_EINVAL);
  expect("before the engine makes its first model", 0);
  ck_assert_int_eq(sn_engine_set(engine, "solver", "cg", error), SN_OK);
  sn_engine_close(engine);
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  EACH(unreadable_ini, 0, sizeof unreadable / sizeof unreadable[0]);
  EACH(wrong_ini, 0, sizeof wrong / sizeof wrong[0]);
  TEST(text_oddities);
  TEST(binary_ini);
  TEST(included_lines_are_replaced);
  TEST(mistakes_in_included_files);
  TEST(search);
  TEST(layers);
  TEST(removed_plugin);
  TEST(removal_without_effect);
  TEST(profiles);
  TEST(requests);
  EACH(set_rejects, 0, sizeof rejected / sizeof rejected[0]);
  TEST(set_wins_over_files);
  TEST(set_too_late);
}
