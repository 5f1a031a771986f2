// SPDX-License-Identifier: Apache-2.0
//
// The `sinew` command as its users call it: exit status, where messages go, that what it prints is
// JSON with the promised members, and that the numbers are those of the library.

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "german_locale.h"
#include "scenes.h"
#include "sinew/sinew.h"
#include "suite.h"
#include "tools/calling.h"

// ------------------------------------------------------------------ places of errors

static const struct {
  const char *input;
  int line, column;
  const char *says;
} inputs[] = {
  { "{\"qpos\":[1,2]}", 1, 9, "qpos has 2 numbers, the model needs 4" },
  { "{\"qpso\":[1]}", 1, 9, "did you mean 'qpos'" },
  { "{\n \"key\": 9}", 2, 9, "no such keyframe; its keyframes: 'reach' (0), 'fall' (1)" },
  { "{\"ctrl\":[1,2,3,true]}", 1, 16, "expected a number" },
  { "{\"xfrc_applied\":[[1,2]]}", 1, 18, "row 0 has 2 numbers instead of 6" },
  { "[1]", 1, 1, "expected an object" },
  { "{\"qpos\":[1,2,3,4}", 1, 17, "expected ',' or ']'" },
};
enum { NINPUTS = sizeof inputs / sizeof inputs[0] };

START_TEST(input_errors_have_a_place) {
  char command[512];
  snprintf(command, sizeof command, "state %s --input - --json << 'END'\n%s\nEND", SAMPLE("arm"),
           inputs[_i].input);
  output o = call("%s", command);
  expect(&o, 1);
  const json_node *r = root(&o);
  ck_assert_double_eq(number(&o, r, "ok"), 0);
  ck_assert_msg(strstr(member(&o, r, "error")->text, inputs[_i].says) != NULL, "%s: %s",
                inputs[_i].input, o.text);
  ck_assert_int_eq((int)number(&o, r, "line"), inputs[_i].line);
  ck_assert_int_eq((int)number(&o, r, "column"), inputs[_i].column);
  done(&o);
}
END_TEST

START_TEST(model_errors_have_a_place) {
  char path[] = "/tmp/sinew_model_XXXXXX";
  int file = mkstemp(path);
  FILE *f = fdopen(file, "w");
  fputs("<mujoco>\n  <worldbody>\n    <body nmae=\"a\"/>\n  </worldbody>\n</mujoco>\n", f);
  fclose(f);
  output o = call("inspect %s --json", path);
  expect(&o, 1);
  const json_node *r = root(&o);
  ck_assert(find(&o, r, "ok")->type == JSON_BOOL && number(&o, r, "ok") == 0);
  ck_assert_str_eq(member(&o, r, "file")->text, path);
  ck_assert_int_eq((int)number(&o, r, "line"), 3);
  ck_assert_int_gt((int)number(&o, r, "column"), 0);
  ck_assert_ptr_nonnull(strstr(member(&o, r, "error")->text, "nmae"));
  done(&o);
  remove(path);
}
END_TEST

// ------------------------------------------------------------------ help

START_TEST(help_text) {
  static const char *const commands[] = { "run",   "inspect", "state",   "trace",
                                          "bench", "compile", "plugins", "config" };
  output o = call("--help");
  expect(&o, 0);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    ck_assert_ptr_nonnull(strstr(o.text, commands[i]));
    output help = call("%s --help", commands[i]);
    expect(&help, 0);
    ck_assert_ptr_nonnull(strstr(help.text, "usage: sinew"));
    ck_assert_ptr_nonnull(strstr(help.text, "--json"));
    done(&help);
  }
  done(&o);
  o = call("--version");
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, SN_VERSION));
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ calls that work

START_TEST(inspect) {
  output o = call("inspect %s --json", SAMPLE("arm"));
  expect(&o, 0);
  const json_node *r = root(&o), *names = member(&o, r, "names");
  ck_assert_double_eq(number(&o, r, "ok"), 1);
  ck_assert_int_eq((int)number(&o, member(&o, r, "size"), "nv"), 4);
  ck_assert_str_eq(member(&o, member(&o, r, "opt"), "solver")->text, "newton");
  ck_assert_double_eq(number(&o, member(&o, r, "opt"), "cone"), 0);
  ck_assert_double_eq(element(&o, member(&o, r, "opt"), "gravity", 2), -9.81);
  ck_assert_int_eq(member(&o, names, "joint")->count, 4);
  ck_assert_str_eq(o.doc.node[member(&o, names, "joint")->first].text, "turn");
  ck_assert_double_eq(element(&o, member(&o, r, "model"), "jnt_type", 0), SN_JOINT_HINGE);
  ck_assert_ptr_null(find(&o, member(&o, r, "model"), "names"));
  ck_assert_ptr_null(find(&o, member(&o, r, "model"), "tex_rgb"));
  done(&o);
  o = call("inspect %s", SAMPLE("arm"));
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "forearm"));
  done(&o);

  // what was selected is what is shown
  o = call("inspect %s --set solver=cg --set integrator=rk4 --json", SAMPLE("arm"));
  expect(&o, 0);
  r = root(&o);
  ck_assert_str_eq(member(&o, member(&o, r, "opt"), "solver")->text, "cg");
  ck_assert_str_eq(member(&o, member(&o, r, "opt"), "integrator")->text, "rk4");
  done(&o);
  o = call("inspect %s --set solver=cg", SAMPLE("arm"));
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "solver cg"));
  done(&o);
}
END_TEST

// the pendulum at an angle: inertia and bias force have a closed form
START_TEST(state) {
  output o = call("state %s --input - --json --inverse << 'END'\n"
                  "{\"qvel\": {\"shape\": [1], \"data\": [2]}, \"qpos\": [0.5]}\nEND",
                  SAMPLE("pendulum"));
  expect(&o, 0);
  const json_node *r = root(&o);
  double I = element(&o, r, "qM", 0), bias = element(&o, r, "qfrc_bias", 0);
  ck_assert_double_eq(element(&o, r, "qpos", 0), 0.5);
  ck_assert_double_eq(element(&o, r, "time", 0), 0);
  ck_assert_double_eq_tol(element(&o, r, "qacc", 0), -bias / I, 1e-12 * fabs(bias / I));
  ck_assert_double_eq_tol(element(&o, r, "energy", 1), 0.5 * I * 4, 1e-12);
  ck_assert_double_eq_tol(element(&o, r, "qfrc_inverse", 0), 0, 1e-12);
  ck_assert_ptr_nonnull(find(&o, r, "cfrc_int"));
  ck_assert_ptr_nonnull(find(&o, r, "contact"));
  done(&o);
}
END_TEST

START_TEST(state_contacts) {
  output o = call("state %s --json", SAMPLE("stack"));
  expect(&o, 0);
  const json_node *r = root(&o), *contacts = member(&o, r, "contact");
  ck_assert_int_gt((int)number(&o, r, "ncon"), 0);
  ck_assert_int_eq(contacts->count, (int)number(&o, r, "ncon"));
  const json_node *c = &o.doc.node[contacts->first];
  ck_assert_int_eq(member(&o, c, "force")->count, 6);
  ck_assert_int_eq(member(&o, c, "frame")->count, 9);
  ck_assert_ptr_null(find(&o, r, "qfrc_inverse"));
  done(&o);
}
END_TEST

// The state that a simulation reaches is that of the same steps in `trace`.
START_TEST(state_after_steps) {
  output o = call("state %s --steps 100 --json", SAMPLE("stack"));
  output steps = call("trace %s --steps 100 --record last --json", SAMPLE("stack"));
  expect(&o, 0);
  expect(&steps, 0);
  const json_node *r = root(&o), *traced = root(&steps);
  ck_assert_double_eq(element(&o, r, "time", 0), element(&steps, traced, "time", 0));
  for (int i = 0; i < 7; i++) {
    ck_assert_double_eq(element(&o, r, "qpos", i), element(&steps, traced, "qpos", i));
  }
  done(&o);
  done(&steps);
  o = call("state %s --time 0.2 contact", SAMPLE("stack"));
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "geoms 0 floor and 1: distance -"));
  done(&o);
}
END_TEST

// The same numbers as a program gets from the library.
START_TEST(trace) {
  enum { STEPS = 7 };
  output o = call("trace %s --input - --steps %d --record 1,%d --json << 'END'\n"
                  "{\"key\": \"reach\", \"ctrl_sequence\": [[1,0,0,0],[1,0,0,0],[1,0,0,0],"
                  "[1,0,0,0],[1,0,0,0],[1,0,0,0],[0,1,0,0]]}\nEND",
                  SAMPLE("arm"), STEPS, STEPS);
  expect(&o, 0);
  const json_node *r = root(&o);
  sn_engine *engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", NULL);
  sn_model *m = sn_load(engine, SAMPLE("arm"), NULL);
  sn_data *d = sn_data_new(m, NULL);
  sn_reset_key(m, d, sn_find(m, "key", "reach"));
  for (int i = 0; i < STEPS; i++) {
    const double ctrl[4] = { i < STEPS - 1, i == STEPS - 1, 0, 0 };
    memcpy(snd_ctrl(d), ctrl, sizeof ctrl);
    sn_step(m, d);
  }
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq(element(&o, r, "qpos", 4 + i), snd_qpos(d)[i]);
    ck_assert_double_eq(element(&o, r, "qvel", 4 + i), snd_qvel(d)[i]);
  }
  ck_assert_double_eq(element(&o, r, "step", 1), STEPS);
  ck_assert_double_eq(element(&o, r, "time", 1), snd_time(d)[0]);
  sn_data_free(d);
  sn_model_free(m);
  sn_engine_close(engine);
  done(&o);
  o = call("trace %s --input - --steps 3 --json << 'END'\n{\"ctrl_sequence\":[[0,0,0,0]]}\nEND",
           SAMPLE("arm"));
  expect(&o, 1);
  done(&o);
}
END_TEST

START_TEST(run) {
  char path[] = "/tmp/sinew_csv_XXXXXX";
  close(mkstemp(path));
  output o = call("run %s --time 0.1 --out %s --json", SAMPLE("arm"), path);
  expect(&o, 0);
  const json_node *r = root(&o);
  ck_assert_double_eq(number(&o, r, "ok"), 1);
  ck_assert_int_eq((int)number(&o, r, "steps"), 50);
  ck_assert_double_gt(number(&o, r, "steps_per_second"), 0);
  ck_assert_ptr_nonnull(find(&o, member(&o, r, "energy"), "change"));
  done(&o);

  // names, then the start and a line a step, all with as many columns
  FILE *f = fopen(path, "r");
  char line[4096];
  int lines = 0, columns = 0;
  while (fgets(line, sizeof line, f)) {
    int commas = 0;
    for (const char *p = line; *p; p++) {
      commas += *p == ',';
    }
    if (lines == 0) {
      columns = commas;
      ck_assert_ptr_nonnull(strstr(line, "time,qpos.turn,"));
      ck_assert_ptr_nonnull(strstr(line, "sensor.elbow rate"));
    }
    ck_assert_int_eq(commas, columns);
    lines++;
  }
  fclose(f);
  ck_assert_int_eq(lines, 52);
  remove(path);
}
END_TEST

static const struct {
  const char *arguments, *key, *says;
  int some;
} solver_counts[] = {
  { SAMPLE("stack"), "unconverged_steps", "the solver did not converge in ", 0 },
  { SAMPLE("stack") " --set solver=pgs --set iterations=1", "unconverged_steps",
    "the solver did not converge in ", 1 },
  { SN_TEST_SOURCE "/tests/models/physics/pile.xml", "softened_steps", "contacts were softer in ",
    0 },
  { SN_TEST_SOURCE "/tests/models/physics/pyramid.xml --profile robust", "softened_steps",
    "contacts were softer in ", 1 },
};
enum { NSOLVER_COUNTS = sizeof solver_counts / sizeof solver_counts[0] };

START_TEST(run_counts_what_the_solver_left) {
  const char *arguments = solver_counts[_i].arguments;
  output o = call("run %s --steps 90 --json 2>/dev/null", arguments);
  expect(&o, 0);
  ck_assert_int_eq(number(&o, root(&o), solver_counts[_i].key) > 0, solver_counts[_i].some);
  done(&o);
  o = call("run %s --steps 90", arguments);
  ck_assert_int_eq(strstr(o.text, solver_counts[_i].says) != NULL, solver_counts[_i].some);
  done(&o);
}
END_TEST

START_TEST(run_diverged) {
  output o = call("run %s --steps 5 --input - --json 2>/dev/null << 'END'\n"
                  "{\"qvel\": [1e300]}\nEND",
                  SAMPLE("pendulum"));
  expect(&o, 1);
  const json_node *r = root(&o);
  ck_assert_double_eq(number(&o, r, "ok"), 0);
  ck_assert_int_eq(
      (int)number(&o, member(&o, r, "warnings"), sn_data_warning_name(SN_WARN_BADQVEL)), 1);
  ck_assert_str_eq(member(&o, r, "error")->text, "the simulation diverged and was reset at 0 s");
  done(&o);
  // the user set the number, so a smaller time step would not help
  o = call("run %s --steps 5 --input - 2>&1 << 'END'\n{\"qvel\": [1e300]}\nEND",
           SAMPLE("pendulum"));
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, "was reset. Set it to a number between -1e10 and 1e10\n"));
  done(&o);
  // a servo that is too stiff for the time step diverges again after each reset
  o = call("run - --steps 100 2>&1 << 'END'\n"
           "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0' ref='0.1'/>"
           "<geom size='0.1' pos='0 0 0.5' density='100'/></body></worldbody>"
           "<actuator><position joint='hinge' kp='5e5'/></actuator></mujoco>\nEND");
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, "sinew: warning: bad qacc at time "));
  ck_assert_ptr_nonnull(strstr(o.text, "qacc[0] of joint 'hinge' is "));
  ck_assert_ptr_nonnull(strstr(o.text, "was reset. A smaller timestep, softer contacts or more"));
  ck_assert_ptr_nonnull(strstr(o.text, "; the simulation was reset in between\n"));
  ck_assert_ptr_nonnull(strstr(o.text, "sinew: the simulation diverged and was reset "));
  ck_assert_ptr_nonnull(strstr(o.text, " times, first at "));
  done(&o);
}
END_TEST

START_TEST(compile) {
  char path[] = "/tmp/sinew_snb_XXXXXX";
  close(mkstemp(path));
  output o = call("compile %s -o %s --json", SAMPLE("figure"), path);
  expect(&o, 0);
  ck_assert_double_gt(number(&o, root(&o), "bytes"), 1000);
  done(&o);
  output a = call("trace %s --steps 50 --json", SAMPLE("figure"));
  output b = call("trace %s --steps 50 --json", path);
  expect(&b, 0);
  ck_assert_str_eq(a.text, b.text);
  done(&a);
  done(&b);
  remove(path);
}
END_TEST

START_TEST(bench) {
  output o = call("bench %s %s --steps 20 --json", SAMPLE("pendulum"), SAMPLE("stack"));
  expect(&o, 0);
  const json_node *models = member(&o, root(&o), "models"), *last;
  ck_assert_int_eq(models->count, 2);
  last = &o.doc.node[o.doc.node[models->first].next];
  ck_assert_double_gt(number(&o, last, "steps_per_second"), 0);
  ck_assert_double_gt(number(&o, last, "contacts"), 0);
  const json_node *share = member(&o, last, "share");
  ck_assert_double_eq_tol(number(&o, share, "positions") + number(&o, share, "velocities") +
                              number(&o, share, "forces"),
                          1, 1e-9);
  done(&o);

  o = call("bench %s --steps 20 --stages --json", SAMPLE("stack"));
  expect(&o, 0);
  models = member(&o, root(&o), "models");
  const json_node *stages = member(&o, &o.doc.node[models->first], "stages");
  int found = 0;
  for (int32_t i = stages->first; i; i = o.doc.node[i].next) {
    const json_node *stage = &o.doc.node[i];
    ck_assert_double_ge(number(&o, stage, "seconds_per_step"), 0);
    if (strcmp(member(&o, stage, "name")->text, "island") == 0) {
      ck_assert_double_eq(number(&o, stage, "calls_per_step"), 1);
      ck_assert_str_eq(member(&o, stage, "group")->text, "position");
      found++;
    }
  }
  ck_assert_int_eq(found, 1);
  done(&o);
  o = call("bench %s --steps 2 --stages", SAMPLE("stack"));
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "narrowphase"));
  done(&o);
}
END_TEST

START_TEST(plugins) {
  output o = call("plugins list --json");
  expect(&o, 0);
  const json_node *list = member(&o, root(&o), "plugins");
  int newton = 0;
  for (int32_t i = list->first; i; i = o.doc.node[i].next) {
    newton += strcmp(member(&o, &o.doc.node[i], "name")->text, "newton") == 0;
  }
  ck_assert_int_eq(newton, 1);
  done(&o);
  o = call("plugins inspect newton --json");
  expect(&o, 0);
  list = member(&o, root(&o), "plugins");
  ck_assert_int_eq(list->count, 1);
  ck_assert_int_gt(member(&o, &o.doc.node[list->first], "parameters")->count, 0);
  done(&o);
}
END_TEST

// Every plugin of Sinew meets the requirements of its kind, in an engine with all that are
// configured, and each file of the build tree alone.
// Adds what a check of plugins counted; none may fail.
static void add_check(const char *arguments, int *passed, int *skipped) {
  output o = call("plugins check %s --json", arguments);
  const json_node *r = root(&o);
  ck_assert_msg(o.status == 0 && number(&o, r, "passed") > 0, "%s: %s", arguments, o.text);
  ck_assert_int_eq((int)number(&o, r, "failed"), 0);
  *passed += (int)number(&o, r, "passed");
  *skipped += (int)number(&o, r, "skipped");
  done(&o);
}

START_TEST(plugins_check) {
  const int has_comma = find_german();   // then nothing is left out
  int passed = 0, skipped = 0;
  glob_t files;
  ck_assert_int_eq(glob(SN_TEST_BUILD "/plugins/*.so", 0, NULL, &files), 0);
  ck_assert_int_eq(glob(SN_TEST_BUILD "/loaders/*.so", GLOB_APPEND, NULL, &files), 0);
  ck_assert_int_gt((int)files.gl_pathc, 20);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    add_check(files.gl_pathv[i], &passed, &skipped);
  }
  globfree(&files);
  ck_assert_int_gt(passed, 20);
  ck_assert(!has_comma || skipped == 0);
}
END_TEST

// Without a name, the plugins of the configuration are checked, each as its file is.
START_TEST(plugins_check_of_a_configuration) {
  char path[] = "/tmp/sinew_ini_XXXXXX", arguments[64];
  int alone = 0, together = 0, skipped[2] = { 0 };
  FILE *f = fdopen(mkstemp(path), "w");
  fputs("root = true\n[plugins]\ncg = " SN_TEST_BUILD "/plugins/cg.so\npgs = " SN_TEST_BUILD
        "/plugins/pgs.so\n",
        f);
  fclose(f);
  add_check(SN_TEST_BUILD "/plugins/cg.so", &alone, &skipped[0]);
  add_check(SN_TEST_BUILD "/plugins/pgs.so", &alone, &skipped[0]);
  snprintf(arguments, sizeof arguments, "--config %s", path);
  add_check(arguments, &together, &skipped[1]);
  ck_assert_int_eq(together, alone);
  ck_assert_int_eq(skipped[1], skipped[0]);
  remove(path);
}
END_TEST

START_TEST(sample_program) {
  output o = call("--version > /dev/null && %s/samples/hello %s", SN_TEST_BUILD,
                  SAMPLE("pendulum"));
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "time 1 s"));
  ck_assert_ptr_nonnull(strstr(o.text, "qpos[0] = "));
  done(&o);

  // without a word of where the configuration is: that of the build tree lies beside the library
  o = call("--version > /dev/null && env -u SINEW_CONFIG -u XDG_CONFIG_HOME HOME=/nowhere "
           "%s/samples/hello %s",
           SN_TEST_BUILD, SAMPLE("pendulum"));
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "time 1 s"));
  done(&o);

  // one number for each step of two seconds
  o = call("--version > /dev/null && %s/samples/x_xy %s", SN_TEST_BUILD,
           SAMPLE("x_xy/inv_pendulum"));
  expect(&o, 0);
  int lines = 0;
  for (const char *p = o.text; *p; p++) {
    lines += *p == '\n';
  }
  ck_assert_int_eq(lines, 200);
  done(&o);
  o = call("--version > /dev/null && %s/samples/x_xy nothing.xml 2>&1", SN_TEST_BUILD);
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, "nothing.xml"));
  done(&o);
}
END_TEST

// With --strict a listed warning is an error: the model is not run, nothing is written.
START_TEST(strict) {
  const char *robot = SN_TEST_BUILD "/strict.urdf", *written = SN_TEST_BUILD "/strict_out.xml";
  FILE *file = fopen(robot, "w");
  ck_assert_ptr_nonnull(file);
  fputs(WARNED_ROBOT, file);
  fclose(file);
  remove(written);
  output o = call("run %s --steps 1 2>&1", robot);
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "warning: "));
  ck_assert_ptr_nonnull(strstr(o.text, "lower 2"));
  done(&o);
  static const char *const calls[] = { "run %s --steps 1 --strict 2>&1", "inspect %s --strict 2>&1",
                                       "convert %s --strict -o " SN_TEST_BUILD
                                       "/strict_out.xml 2>&1" };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    o = call(calls[i], robot);
    expect(&o, 1);
    ck_assert_ptr_nonnull(strstr(o.text, "error: "));
    ck_assert_ptr_nonnull(strstr(o.text, "lower 2"));
    ck_assert_ptr_nonnull(strstr(o.text, "1 warning is an error"));
    done(&o);
  }
  ck_assert_int_ne(access(written, F_OK), 0);
  o = call("inspect %s --strict --json", robot);
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(member(&o, root(&o), "error")->text, "lower 2"));
  done(&o);
  o = call("inspect %s --strict", SAMPLE("pendulum"));
  expect(&o, 0);
  done(&o);
  remove(robot);
}
END_TEST

START_TEST(config) {
  output o = call("config --set solver=newton --json");
  expect(&o, 0);
  const json_node *list = member(&o, root(&o), "config");
  int found = 0;
  for (int32_t i = list->first; i; i = o.doc.node[i].next) {
    const json_node *row = &o.doc.node[i];
    if (strcmp(member(&o, row, "section")->text, "select") == 0 &&
        strcmp(member(&o, row, "key")->text, "solver") == 0) {
      ck_assert_str_eq(member(&o, row, "value")->text, "newton");
      ck_assert_str_eq(member(&o, row, "origin")->text, "--set");
      found++;
    }
  }
  ck_assert_int_eq(found, 1);
  done(&o);
}
END_TEST

// Runs "sinew config" in a folder, with what it prints to stderr; no configuration is named.
static output call_in(const char *folder) {
  return call("--version > /dev/null && cd %s && unset SINEW_CONFIG XDG_CONFIG_HOME && "
              "HOME=/nonexistent %s/sinew config 2>&1",
              folder, SN_TEST_BUILD);
}

START_TEST(config_of_the_working_folder_is_not_read) {
  static const char hint[] = "./sinew.ini is not read by itself; to use it: --config ./sinew.ini";
  char folder[] = "/tmp/sinew-command-XXXXXX", path[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/sinew.ini", folder);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fputs("[plugins]\nunpacked = ./evil.so\n", f);
  fclose(f);
  output o = call_in(folder);
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, hint));
  ck_assert_ptr_null(strstr(o.text, "evil"));
  done(&o);

  // the one beside the program is in effect
  o = call_in(SN_TEST_BUILD);
  expect(&o, 0);
  ck_assert_ptr_null(strstr(o.text, hint));
  done(&o);
  unlink(path);
  rmdir(folder);
}
END_TEST

TESTS() {
  EACH(input_errors_have_a_place, 0, NINPUTS);
  TEST(model_errors_have_a_place);
  TEST(help_text);
  TEST(inspect);
  TEST(state);
  TEST(state_contacts);
  TEST(state_after_steps);
  TEST(trace);
  TEST(run);
  EACH(run_counts_what_the_solver_left, 0, NSOLVER_COUNTS);
  TEST(run_diverged);
  TEST(compile);
  TEST(bench);
  TEST(plugins);
  TEST(plugins_check);
  TEST(plugins_check_of_a_configuration);
  TEST(sample_program);
  TEST(strict);
  TEST(config);
  TEST(config_of_the_working_folder_is_not_read);
}
