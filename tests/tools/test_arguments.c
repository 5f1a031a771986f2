// SPDX-License-Identifier: Apache-2.0
//
// What the `sinew` command accepts: models by name and from pipes, short options, what is recorded.
// Messages: test_messages.c.

#include <math.h>
#include <unistd.h>

#include "scenes.h"
#include "sinew/number.h"
#include "sinew/sinew.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

// ------------------------------------------------------------------ plugins, counts

START_TEST(loader_is_checked_with_a_file) {
  output o = call("plugins check mjcf --sample " SAMPLE("arm"));
  expect(&o, 0);
  ck_assert(strstr(o.text, "it is read") && strstr(o.text, "320 inputs"));
  done(&o);
  o = call("plugins check urdf --sample " SAMPLE("arm"));
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, "probe returns 0"));
  done(&o);

  // without a name: of all loaders that one must read it which recognizes it
  o = call("plugins check --sample " SN_TEST_SOURCE "/samples/plugins/loader_scene/arm.urdf");
  expect(&o, 0);
  const char *urdf = strstr(o.text, "urdf           sample         it is read");
  ck_assert_msg(urdf && strstr(o.text, "probe returns 0"), "%s", o.text);
  ck_assert_msg(!strstr(o.text, "sinew.solver"), "%s", o.text);
  done(&o);
  o = call("plugins check -q --sample " SN_TEST_SOURCE "/CMakeLists.txt 2>&1");
  expect(&o, 1);
  ck_assert_msg(strstr(o.text, "no configured loader recognizes it"), "%s", o.text);
  done(&o);
}
END_TEST

// --quiet leaves failures, and what a command is for.
START_TEST(quiet_plugins) {
  output o = call("plugins check newton -q");
  expect(&o, 0);
  ck_assert_msg(strstr(o.text, " requirements met, 0 failed, ") && strchr(o.text, '\n')[1] == '\0',
                "%s", o.text);
  done(&o);
  o = call("plugins check urdf -q --sample " SAMPLE("arm"));
  expect(&o, 1);
  ck_assert_msg(strncmp(o.text, "FAILED ", 7) == 0 && !strstr(o.text, "\nok "), "%s", o.text);
  ck_assert_ptr_nonnull(strstr(o.text, " requirements met, 1 failed, "));
  done(&o);
  o = call("plugins new sensor quiet_one $(mktemp -d)/quiet_one -q");
  expect(&o, 0);
  ck_assert_str_eq(o.text, "");
  done(&o);
}
END_TEST

// Without a step there is the start.
START_TEST(no_steps) {
  output o = call("trace pendulum --steps 0 --json");
  expect(&o, 0);
  const json_node *r = root(&o);
  ck_assert_double_eq(element(&o, r, "step", 0), 0);
  ck_assert_double_eq(element(&o, r, "time", 0), 0);
  done(&o);
  o = call("trace pendulum --steps 0 --record 1 2>&1");
  expect(&o, 2);
  ck_assert_msg(strstr(o.text, "the run has steps 0 to 0"), "%s", o.text);
  done(&o);
  o = call("run pendulum --steps 0 --json");
  expect(&o, 0);
  ck_assert_double_eq(number(&o, root(&o), "steps"), 0);
  done(&o);
  o = call("problem save stack --steps 0 --out /dev/null --json");
  expect(&o, 0);
  ck_assert_double_eq(number(&o, root(&o), "problems"), 0);
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ models

// The same model in all ways in which it can be named.
START_TEST(ways_to_a_model) {
  static const char *const names[] = {
    "pendulum",
    "pendulum.xml",
    SAMPLE("pendulum"),
    SN_TEST_SOURCE "/samples/models/pendulum",
    "- <" SAMPLE("pendulum"),
    "/dev/stdin <" SAMPLE("pendulum"),
    "/dev/fd/3 3<" SAMPLE("pendulum"),
  };
  output whole = call("trace " SAMPLE("pendulum") " --steps 9 --json");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    output o = call("trace --steps 9 --json %s", names[i]);
    expect(&o, 0);
    ck_assert_msg(strcmp(o.text, whole.text) == 0, "%s: %s", names[i], o.text);
    done(&o);
  }
  output o = call("compile pendulum --out - 2>/dev/null | " SN_TEST_BUILD
                  "/sinew trace - --steps 9 --json");
  ck_assert_str_eq(o.text, whole.text);
  done(&o);
  o = call("convert - --format mjcf --out - <" SAMPLE(
      "pendulum") " | " SN_TEST_BUILD "/sinew trace - --steps 9 --json");
  ck_assert_str_eq(o.text, whole.text);
  done(&o);
  done(&whole);
}
END_TEST

// A model from a pipe names its files relative to the working folder; errors have a place.
START_TEST(piped_model) {
  output o = call("--version >/dev/null; cd %s; printf '<mujoco>\\n<bo/></mujoco>' | "
                  "%s/sinew inspect - --json",
                  folder, SN_TEST_BUILD);
  expect(&o, 1);
  const json_node *r = root(&o);
  ck_assert_str_eq(member(&o, r, "file")->text, "standard input");
  ck_assert_int_eq((int)number(&o, r, "line"), 2);
  done(&o);
  o = call("--version >/dev/null; cd %s; cp %s part.xml; "
           "echo '<mujoco><include file=\"part.xml\"/></mujoco>' | %s/sinew inspect - --json",
           folder, SAMPLE("pendulum"), SN_TEST_BUILD);
  expect(&o, 0);
  ck_assert_int_eq((int)number(&o, member(&o, root(&o), "size"), "nv"), 1);
  done(&o);
  o = call("inspect nothing.snb --json");
  expect(&o, 1);
  done(&o);
}
END_TEST

START_TEST(compiled_is_not_converted_back) {
  output o = call("--version >/dev/null; cd %s; %s/sinew compile arm -qo arm.snb && "
                  "%s/sinew convert arm.snb -o arm.xml 2>&1",
                  folder, SN_TEST_BUILD, SN_TEST_BUILD);
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, "a compiled model"));
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ options

START_TEST(short_options) {
  output whole = call("--version");
  static const char *const names[] = { "-V", "version" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    output o = call("%s", names[i]);
    ck_assert_str_eq(o.text, whole.text);
    done(&o);
  }
  done(&whole);
  output o = call("--version >/dev/null; cd %s; %s/sinew run arm --steps 2 -qoa.csv 2>&1; wc -l "
                  "<a.csv",
                  folder, SN_TEST_BUILD);
  ck_assert_ptr_null(strstr(o.text, "note"));
  ck_assert_ptr_nonnull(strstr(o.text, "\n4\n"));
  done(&o);
  o = call("run arm --steps 2 -v 2>&1");
  ck_assert_ptr_nonnull(strstr(o.text, "configuration: "));
  ck_assert_ptr_nonnull(strstr(o.text, "loaded 'newton'"));
  done(&o);
}
END_TEST

// --set takes the words of configurations for flags
START_TEST(flags) {
  static const char *const off[] = { "off", "no", "disable", "false", "0", "Off" };
  for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
    output o = call("run stack --steps 50 --set contact=%s --json", off[i]);
    expect(&o, 0);
    ck_assert_double_eq(number(&o, member(&o, root(&o), "contacts"), "max"), 0);
    done(&o);
  }
  output o = call("run stack --steps 50 --set contact=on --json");
  ck_assert_double_gt(number(&o, member(&o, root(&o), "contacts"), "max"), 0);
  done(&o);
}
END_TEST

// A time is as many steps in each command.
START_TEST(time_and_steps) {
  static const struct {
    const char *command, *member;
  } commands[] = { { "run pendulum", "steps" }, { "bench pendulum", "models" } };
  for (int i = 0; i < 2; i++) {
    output o = call("%s --time 0.1 --json", commands[i].command);
    expect(&o, 0);
    const json_node *r = root(&o);
    r = i == 0 ? r : &o.doc.node[member(&o, r, "models")->first];
    ck_assert_double_eq(number(&o, r, "steps"), 100);
    done(&o);
  }
  output o = call("trace pendulum --time 0.1 --json");
  ck_assert_double_eq(element(&o, root(&o), "step", 0), 100);
  done(&o);
  o = call("problem save stack --time 0.1 --out /dev/null --json");
  const double n = number(&o, root(&o), "problems");
  done(&o);
  o = call("problem save stack --steps 50 --out /dev/null --json");
  ck_assert_double_eq(number(&o, root(&o), "problems"), n);
  done(&o);
}
END_TEST

// A file of a run without constraints, which has no problems.
START_TEST(no_problems) {
  char path[] = "/tmp/sinew-test-XXXXXX";
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  close(file);
  output o = call("problem save cart_pole --steps 2 --out %s", path);
  expect(&o, 0);
  done(&o);
  o = call("problem solve %s --solver newton", path);
  expect(&o, 0);
  ck_assert_str_eq(o.text, "the file has no problems: the run that was saved met no contact, limit "
                           "or other constraint\n");
  done(&o);
  unlink(path);
}
END_TEST

// A warning says so where a body falls through much of the model in one step.
START_TEST(long_timestep) {
  output o = call("run arm --set timestep=5 --steps 1 2>&1");
  ck_assert_msg(strstr(o.text,
                       "the timestep, 5 s, is long for this model: a body at rest falls "
                       "1.2e+02 m in one step, and the extent of the model is about ") != NULL,
                "%s", o.text);
  ck_assert_ptr_nonnull(strstr(o.text, " m; typical values are 0.001 to 0.01 s"));
  done(&o);
  o = call("run arm --set timestep=0.01 --steps 1 2>&1");
  ck_assert_ptr_null(strstr(o.text, "is long for this model"));
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ what is recorded

static const struct {
  const char *record;
  int n;
  int steps[12];
} records[] = {
  { "all", 11, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } },
  { "last", 1, { 10 } },
  { "1,2,5", 3, { 1, 2, 5 } },
  { "5,2:4", 4, { 2, 3, 4, 5 } },
  { "8:", 3, { 8, 9, 10 } },
  { ":2", 3, { 0, 1, 2 } },
  { "1:10:4", 3, { 1, 5, 9 } },
  { "every 4", 3, { 0, 4, 8 } },
  { "every 0.005s", 3, { 0, 5, 10 } },
  { "every 5 , last, 3:4", 5, { 0, 3, 4, 5, 10 } },
};
enum { NRECORDS = sizeof records / sizeof records[0] };

// run and trace record the same states
START_TEST(record) {
  output t = call("trace pendulum --steps 10 --record '%s' --json", records[_i].record);
  expect(&t, 0);
  const json_node *r = root(&t);
  ck_assert_int_eq(member(&t, member(&t, r, "step"), "data")->count, records[_i].n);
  output c = call("run pendulum --steps 10 --record '%s' --out - 2>/dev/null", records[_i].record);
  expect(&c, 0);
  char *rest = c.text;
  strsep(&rest, "\n");   // names
  for (int i = 0; i < records[_i].n; i++) {
    ck_assert_double_eq(element(&t, r, "step", i), records[_i].steps[i]);
    double time, qpos;
    const char *end = sn_read_number(strsep(&rest, "\n"), &time);
    sn_read_number(end + 1, &qpos);
    ck_assert_double_eq(time, element(&t, r, "time", i));
    ck_assert_double_eq(qpos, element(&t, r, "qpos", i));
  }
  ck_assert_str_eq(rest, "");
  done(&t);
  done(&c);
}
END_TEST

START_TEST(record_arrays) {
  output o = call("trace stack --steps 100 --record '50,100,xpos,ncon,qacc' --json");
  expect(&o, 0);
  const json_node *r = root(&o);
  ck_assert_ptr_null(find(&o, r, "qpos"));
  const json_node *shape = member(&o, member(&o, r, "xpos"), "shape");
  ck_assert_double_eq(o.doc.node[shape->first].number, 2);
  done(&o);
  o = call("run stack --steps 10 --record 'last,ncon,ctrl,xpos' --out - 2>/dev/null | head -n 1");
  ck_assert_int_eq(strncmp(o.text, "time,ncon,xpos.", 15), 0);
  done(&o);
  // --every is the same as `every`
  o = call("run arm --steps 10 --every 5 --out - 2>/dev/null");
  output p = call("run arm --steps 10 --record 'every 5' --out - 2>/dev/null");
  ck_assert_str_eq(o.text, p.text);
  done(&o);
  done(&p);
}
END_TEST

// run takes the controls of each step, as trace does, and as many steps as there are
START_TEST(controls_of_a_run) {
  static const char input[] = "{\"ctrl_sequence\": [[1,0,0,0],[0,1,0,0],[0,0,1,0]]}";
  output r = call("run arm --input - --record last,qpos --out - 2>/dev/null <<'END'\n%s\nEND",
                  input);
  output t = call("trace arm --input - --json <<'END'\n%s\nEND", input);
  expect(&r, 0);
  const json_node *whole = root(&t);
  ck_assert_double_eq(element(&t, whole, "step", 0), 3);
  char *rest = strchr(r.text, '\n') + 1;
  strsep(&rest, ",");
  for (int i = 0; i < 4; i++) {
    double qpos;
    sn_read_number(strsep(&rest, ",\n"), &qpos);
    ck_assert_double_eq(qpos, element(&t, whole, "qpos", i));
    ck_assert_double_ne(qpos, 0);
  }
  done(&r);
  done(&t);
}
END_TEST

// ------------------------------------------------------------------ what is printed

// As few digits as are read back as the same number.
START_TEST(short_digits) {
  output o = call(
      "run pendulum --steps 3 --input - --out - 2>/dev/null <<'END'\n{\"qpos\":[0.1]}\nEND");
  ck_assert_ptr_nonnull(strstr(o.text, "\n0,0.1,0"));
  ck_assert_ptr_nonnull(strstr(o.text, "\n0.001,"));
  done(&o);
  o = call("inspect pendulum --json");
  ck_assert_ptr_nonnull(strstr(o.text, "\"timestep\":0.001,"));
  done(&o);
}
END_TEST

// Two models whose only difference is the size of a texture, 3 x 64 x 64 and 3 x 256 x 256 bytes.
START_TEST(memory_of_arrays) {
  double bytes[2];
  for (int i = 0; i < 2; i++) {
    const char *line = "echo '<mujoco><asset><texture name=\"t\" type=\"2d\" builtin=\"flat\" "
                       "width=\"%d\" height=\"%d\"/></asset><worldbody/></mujoco>' | " SN_TEST_BUILD
                       "/sinew inspect - %s 2>&1";
    char text[512];
    const int width = i ? 256 : 64;
    snprintf(text, sizeof text, line, width, width, "--json");
    output o = run_line(text);
    expect(&o, 0);
    bytes[i] = member(&o, root(&o), "memory")->number;
    done(&o);
    snprintf(text, sizeof text, line, width, width, "");
    o = run_line(text);
    expect(&o, 0);
    ck_assert_msg(!strstr(o.text, "tex_rgb") == !i, "%s", o.text);
    done(&o);
  }
  ck_assert_double_eq(bytes[1] - bytes[0], 3 * (256 * 256 - 64 * 64));
}
END_TEST

START_TEST(fields_have_meanings) {
  output o = call("fields arm --json");
  const json_node *list = member(&o, root(&o), "fields");
  int found = 0;
  ck_assert_int_gt(list->count, 200);
  for (int32_t i = list->first; i; i = o.doc.node[i].next) {
    const json_node *f = &o.doc.node[i];
    const char *name = member(&o, f, "name")->text;
    ck_assert_msg(*member(&o, f, "meaning")->text, "%s has no meaning", name);
    if (strcmp(name, "qfrc_bias") == 0) {
      ck_assert_str_eq(member(&o, f, "unit")->text, "N, N m");
      ck_assert_double_eq(o.doc.node[member(&o, f, "shape")->first].number, 4);
    }
    found += strcmp(name, "qfrc_bias") == 0 || strcmp(name, "ncon") == 0 ||
             strcmp(name, "body_mass") == 0 || strcmp(name, "nv") == 0;
  }
  ck_assert_int_eq(found, 4);
  done(&o);
  o = call("fields arm actuator velocit 2>/dev/null");
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "actuator_velocity"));
  ck_assert_ptr_null(strstr(o.text, "ten_velocity"));
  done(&o);
}
END_TEST

START_TEST(inverse_when_named) {
  static const char *const arguments[] = { "qfrc_inverse", "--inverse" };
  for (int i = 0; i < 2; i++) {
    output o = call("state pendulum %s --input - 2>/dev/null <<'END'\n"
                    "{\"qpos\": [0.5], \"qfrc_applied\": [3]}\nEND",
                    arguments[i]);
    ck_assert_ptr_nonnull(strstr(o.text, i ? "inverse\n" : "qfrc_inverse"));
    ck_assert_ptr_nonnull(strstr(o.text, " 3\n"));
    done(&o);
  }
  output o = call("state stack ncon contact 2>/dev/null");
  expect(&o, 0);
  ck_assert_int_eq(strncmp(o.text, "ncon  ", 6), 0);
  ck_assert_ptr_nonnull(strstr(o.text, "normal force"));
  done(&o);
}
END_TEST

START_TEST(schema_as_json) {
  output o = call("schema --json");
  const json_node *list = member(&o, root(&o), "sections");
  int found = 0;
  for (int32_t i = list->first; i; i = o.doc.node[i].next) {
    const json_node *section = &o.doc.node[i];
    if (strcmp(member(&o, section, "title")->text, "mujoco / option") == 0) {
      const json_node *row = &o.doc.node[member(&o, section, "rows")->first];
      ck_assert_str_eq(member(&o, row, "attribute")->text, "timestep");
      ck_assert_str_eq(member(&o, row, "default")->text, "0.002");
      found++;
    }
  }
  ck_assert_int_eq(found, 1);
  done(&o);
}
END_TEST

// Lines for people fit 100 columns.
START_TEST(line_width) {
  static const char *const lists[] = {
    "plugins list", "plugins inspect newton", "plugins check newton", "fields figure", "--help",
    "run --help"
  };
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    output o = call("%s 2>/dev/null | awk 'length > 100'", lists[i]);
    ck_assert_msg(o.n == 0, "%s: %s", lists[i], o.text);
    done(&o);
  }
}
END_TEST

// warnings is an object of counts, load_warnings a list, wherever they are
START_TEST(shapes_of_warnings) {
  static const char *const commands[] = {
    "run arm --steps 2", "trace arm --steps 2",      "state arm",
    "inspect arm",       "compile arm -o /dev/null", "convert arm --format mjcf -o /dev/null",
    "fields arm",
  };
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    output o = call("%s --json", commands[i]);
    expect(&o, 0);
    const json_node *r = root(&o), *warnings = find(&o, r, "warnings");
    ck_assert_int_eq(member(&o, r, "load_warnings")->type, JSON_LIST);
    ck_assert_int_eq(member(&o, r, "load_notes")->type, JSON_LIST);
    ck_assert_msg(warnings || i >= 3, "%s", commands[i]);
    ck_assert_msg(!warnings || (warnings->type == JSON_OBJECT &&
                                find(&o, warnings, sn_data_warning_name(SN_WARN_BADQVEL))),
                  "%s", commands[i]);
    done(&o);
  }
}
END_TEST

// Colors on a terminal, none in pipes, and none with NO_COLOR.
START_TEST(colors) {
  static const struct {
    const char *before;
    int colored;
  } rows[] = { { "TERM=xterm", 1 }, { "TERM=dumb", 0 }, { "TERM=xterm NO_COLOR=1", 0 } };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    output o = call("--version >/dev/null; env -u NO_COLOR %s script -qec '%s/sinew help run' "
                    "/dev/null",
                    rows[i].before, SN_TEST_BUILD);
    ck_assert_ptr_nonnull(strstr(o.text, "usage:"));
    ck_assert_int_eq(strchr(o.text, 27) != NULL, rows[i].colored);
    done(&o);
  }
  output o = call("--version >/dev/null; TERM=xterm %s/sinew help run", SN_TEST_BUILD);
  ck_assert_ptr_null(strchr(o.text, 27));
  done(&o);
}
END_TEST

TESTS() {
  FIXTURE(open_folder, close_folder);
  TEST(loader_is_checked_with_a_file);
  TEST(ways_to_a_model);
  TEST(piped_model);
  TEST(compiled_is_not_converted_back);
  TEST(short_options);
  TEST(flags);
  TEST(time_and_steps);
  TEST(no_steps);
  TEST(quiet_plugins);
  TEST(no_problems);
  TEST(long_timestep);
  EACH(record, 0, NRECORDS);
  TEST(record_arrays);
  TEST(controls_of_a_run);
  TEST(short_digits);
  TEST(memory_of_arrays);
  TEST(fields_have_meanings);
  TEST(inverse_when_named);
  TEST(schema_as_json);
  TEST(line_width);
  TEST(shapes_of_warnings);
  TEST(colors);
}
