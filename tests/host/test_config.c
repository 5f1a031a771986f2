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
  { "[somewhere]\n", "available: plugins, select, collision, override, limits, plugin.NAME", 1 },
  { "solver = newton\n", "'solver' is outside any section", 1 },
  { "[select]\nsolvr = newton\n", "'solvr' cannot be selected; did you mean 'solver'?", 2 },
  { "[select]\nsolver =\n", "'solver' has no value", 2 },
  { "[select]\nsolver\n", "expected [section] or key = value", 2 },
  { "[select\n", "expected [section] or key = value", 1 },
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
  { "[select]\nexecutor = serial\n", "no executor is named 'serial', nor is there any other", 2 },
  { "[collision]\nbox-box = cdd\n", "no collider is named 'cdd'; did you mean 'ccd'?", 2 },
  { "[plugin.newton]\n\niteration = 5\n",
    "has no parameter 'iteration'; did you mean 'iterations'? It has: iterations, tolerance", 3 },
  { "[plugin.cg]\niterations = 5\n", "the solver 'cg' has no parameters", 2 },
  { "[plugin.newtno]\niterations = 5\n",
    "no loaded plugin provides 'newtno'; did you mean 'newton'?", 2 },
  { "[plugin.newton]\niterations = many\n", "'iterations' is an integer, not 'many'", 2 },
  { "[plugin.newton]\niterations = 5.5\n", "'iterations' is an integer, not '5.5'", 2 },
  { "[plugin.newton]\niterations = 99999999999999999999\n", "is an integer, not", 2 },
  { "[plugin.newton]\niterations = 0\n", "'iterations' is 0, outside of 1 to 1000", 2 },
  { "[plugin.newton]\ntolerance = 2\n", "'tolerance' is 2, outside of 0 to 1", 2 },
  { "[plugin.newton]\ntolerance = nan\n", "'tolerance' is a number, not 'nan'", 2 },
  { "[plugin.newton]\ntolerance = 1e-3 m\n", "'tolerance' is a number, not '1e-3 m'", 2 },
  { "[plugin.newton]\nwarm = perhaps\n", "write true or false", 2 },
  { "[plugin.newton]\nmethod = fats\n",
    "'fats' is not a value of 'method'; did you mean 'fast'? Available: exact, fast, coarse", 2 },
  { "[override]\nsolver.newton = other\n", "no loaded plugin 'other' provides it", 2 },
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
  expect("'include' cannot be selected", 2);
  ck_assert_ptr_null(open_with("include =\n"));
  expect("'include' has no value", 1);

  // the paths of plugins are relative to the file that names them
  char path[128];
  snprintf(path, sizeof path, "%s/deeper", folder);
  ck_assert_int_eq(mkdir(path, 0755), 0);
  const char *third = write_beside("deeper/third.ini", "[plugins]\nx = nowhere.so\n");
  ck_assert_ptr_null(open_with("include = deeper/third.ini\n"));
  expect_in(third, "/deeper/nowhere.so", 2);

  // a file that others can write is refused like the ini itself
  ck_assert_int_eq(chmod(write_beside("second.ini", "[select]\n"), 0666), 0);
  ck_assert_ptr_null(open_with("include = second.ini\n"));
  expect("other users can write it", 0);
}
END_TEST

// ------------------------------------------------------------------ where it is

START_TEST(search) {
  char home[256], place[256], *here = getcwd(NULL, 0);
  snprintf(home, sizeof home, "%s/config", folder);
  snprintf(place, sizeof place, "%s/config/sinew", folder);
  ck_assert_int_eq(mkdir(home, 0755) | mkdir(place, 0755), 0);
  ck_assert_int_eq(chdir(folder), 0);
  setenv("XDG_CONFIG_HOME", home, 1);
  unsetenv("SINEW_CONFIG");

  // nowhere: the error tells the places; the working folder is none of them
  ck_assert_ptr_null(sn_engine_open(NULL, error));
  expect(place, 0);
  expect("the working folder is not searched", 0);
  sn_engine_close(open_with("[select]\nsolver = b\n"));
  ck_assert_ptr_null(sn_engine_open(NULL, error));
  expect("there is no sinew.ini", 0);

  // from last to first, each wins over those after it
  sn_config_info info = { .size = sizeof info };
  char file[512];
  snprintf(file, sizeof file, "%s/sinew.ini", place);
  FILE *f = fopen(file, "w");
  fputs("[select]\nsolver = c\n", f);
  fclose(f);
  sn_engine *engine = sn_engine_open(NULL, error);
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "c");
  sn_engine_close(engine);
  setenv("SINEW_CONFIG", ini, 1);
  engine = sn_engine_open(NULL, error);
  ck_assert_str_eq(si_engine_selected(engine, "solver"), "b");
  ck_assert_int_eq(sn_engine_config(engine, 0, &info), 1);
  ck_assert_ptr_nonnull(strstr(info.origin, ini));
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

TESTS() {
  FIXTURE(set_up, tear_down);
  EACH(unreadable_ini, 0, sizeof unreadable / sizeof unreadable[0]);
  EACH(wrong_ini, 0, sizeof wrong / sizeof wrong[0]);
  TEST(text_oddities);
  TEST(binary_ini);
  TEST(included_lines_are_replaced);
  TEST(mistakes_in_included_files);
  TEST(search);
}
