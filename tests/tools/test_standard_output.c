// SPDX-License-Identifier: Apache-2.0
//
// The `sinew` command where its output cannot be written, and where its input is no file: it says
// so, and its exit status does.

#include <unistd.h>

#include "scenes.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

// ------------------------------------------------------------------ no reader of the output

static const char *const printing[] = {
  "--help",
  "--version",
  "--version --json",
  "run --help",
  "schema",
  "config",
  "config --json",
  "plugins list",
  "plugins list --json",
  "plugins inspect newton",
  "run " SAMPLE("arm") " --steps 2",
  "run " SAMPLE("arm") " --steps 2 --json",
  "inspect " SAMPLE("arm"),
  "inspect " SAMPLE("arm") " --json",
  "inspect " SAMPLE("figure") " body_mass geom_size body_inertia geom_pos geom_quat jnt_axis",
  "state " SAMPLE("arm"),
  "state " SAMPLE("arm") " --json",
  "trace " SAMPLE("arm") " --steps 2",
  "trace " SAMPLE("arm") " --steps 2 --json",
  "bench " SAMPLE("pendulum") " --steps 2",
  "bench " SAMPLE("pendulum") " --steps 2 --json",
  "problem solve " SN_TEST_SOURCE "/tests/problems/figure_pyramidal.problems --solver newton",
  "problem solve " SN_TEST_SOURCE
  "/tests/problems/figure_pyramidal.problems --solver newton --json",
};
enum { NPRINTING = sizeof printing / sizeof printing[0] };

static void expect_one_line(const output *o, const char *reason) {
  expect(o, 1);
  ck_assert_msg(strstr(o->text, "standard output") && strstr(o->text, reason), "it says: %s",
                o->text);
  const char *end = strchr(o->text, '\n');
  ck_assert_msg(end && !end[1], "it says more than one line: %s", o->text);
}

START_TEST(unwritable_standard_output) {
  output o = call("%s 2>&1 >/dev/full", printing[_i]);
  expect_one_line(&o, "No space left on device");
  done(&o);
  o = call("%s 2>&1 >&-", printing[_i]);
  expect_one_line(&o, "Bad file descriptor");
  done(&o);
}
END_TEST

// a reader that goes away ends the command silently
START_TEST(closed_pipe) {
  output o = call("--version >/dev/null; ( %s/sinew schema 2>%s/said; echo $? >%s/status ) | true; "
                  "cat %s/said %s/status",
                  SN_TEST_BUILD, folder, folder, folder, folder);
  ck_assert_str_eq(o.text, "141\n");
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ files

static const char *const writing[] = {
  "compile " SAMPLE("arm") " -o %s",
  "convert " SAMPLE("arm") " -o %s",
  "convert " SAMPLE("arm") " --json -o %s",
  "run " SAMPLE("arm") " --time 1 --out %s",
  "problem save " SAMPLE("stack") " --steps 500 --every 50 -o %s",
};
static const char *const endings[] = { "snb", "xml", "snb", "csv", "prb" };
enum { NWRITING = sizeof writing / sizeof writing[0] };

// A file may grow to 1 kB: the old one is whole, nothing else is there, and the reason is named.
START_TEST(full_disk) {
  char file[96], arguments[512];
  snprintf(file, sizeof file, "%s/old.%s", folder, endings[_i]);
  snprintf(arguments, sizeof arguments, writing[_i], file);
  output o = call("--version >/dev/null; echo old >%s; trap '' XFSZ; ( ulimit -f 1; "
                  "%s/sinew %s 2>&1; echo $? ); cat %s; ls -A %s",
                  file, SN_TEST_BUILD, arguments, file, folder);
  char expected[160];
  snprintf(expected, sizeof expected, "1\nold\nold.%s\n", endings[_i]);
  const size_t n = strlen(expected);
  ck_assert_msg(o.n > n && strcmp(o.text + o.n - n, expected) == 0, "%s", o.text);
  ck_assert_ptr_nonnull(strstr(o.text, file));
  ck_assert_ptr_nonnull(strstr(o.text, "File too large"));
  done(&o);
}
END_TEST

START_TEST(named_reasons) {
  static const struct {
    const char *out, *reason;
  } rows[] = {
    { "/dev/full", "No space left on device" },
    { "/nowhere/file", "No such file or directory" },
    { "/dev/null/file", "Not a directory" },
    { "/proc/sinew", "No such file or directory" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (int k = 0; k < 3; k++) {
      static const char *const calls[] = { "compile " SAMPLE("arm") " -o %s 2>&1",
                                           "run " SAMPLE("arm") " --steps 2 -o %s 2>&1",
                                           "problem save " SAMPLE("stack") " -o %s 2>&1" };
      output o = call(calls[k], rows[i].out);
      expect(&o, 1);
      ck_assert_msg(strstr(o.text, rows[i].out) && strstr(o.text, rows[i].reason), "%s: %s",
                    rows[i].out, o.text);
      done(&o);
    }
  }
}
END_TEST

// with --strict a rejected conversion leaves the old file
START_TEST(strict_convert_deletes_nothing) {
  output o = call("--version >/dev/null; cd %s; echo old >old.xml; "
                  "echo \"" WARNED_ROBOT "\" >r.urdf; "
                  "%s/sinew convert r.urdf --strict -o old.xml 2>/dev/null; echo $?; "
                  "cat old.xml; ls -A",
                  folder, SN_TEST_BUILD);
  ck_assert_str_eq(o.text, "1\nold\nold.xml\nr.urdf\n");
  done(&o);
}
END_TEST

// a table on standard output, the report behind it
START_TEST(run_to_standard_output) {
  output o = call("run %s --steps 2 --out /dev/stdout >%s/both && cat %s/both", SAMPLE("arm"),
                  folder, folder);
  expect(&o, 0);
  ck_assert_int_eq(strncmp(o.text, "time,", 5), 0);
  ck_assert_ptr_nonnull(strstr(o.text, "\nsimulated "));
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ what is read

START_TEST(fifos_are_not_waited_for) {
  static const char *const calls[] = {
    "problem solve %s/fifo --solver newton",  "state " SAMPLE("arm") " --input %s/fifo",
    "run " SAMPLE("arm") " --input %s/fifo",  "run %s/fifo",
    "run " SAMPLE("arm") " --config %s/fifo", "plugins check %s/fifo.so",
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, calls[i], folder);
    output o = call("--version >/dev/null; cd %s; test -p fifo || mkfifo -m 600 fifo fifo.so; "
                    "timeout 60 %s/sinew %s 2>&1",
                    folder, SN_TEST_BUILD, arguments);
    expect(&o, 1);
    ck_assert_msg(strstr(o.text, "not a regular file") != NULL, "%s: %s", arguments, o.text);
    done(&o);
  }
  output o = call("state %s --input /dev/zero 2>&1", SAMPLE("arm"));
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, "not a regular file"));
  done(&o);
}
END_TEST

// what a shell hands over, as <(command) does, is read
START_TEST(descriptors_are_read) {
  static const char *const names[] = { "-", "/dev/stdin", "/dev/fd/0" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    output o = call(
        "--version >/dev/null; echo '{\"qpos\": [0.25]}' | %s/sinew state %s --input %s "
        "--json",
        SN_TEST_BUILD, SAMPLE("pendulum"), names[i]);
    expect(&o, 0);
    ck_assert_double_eq(element(&o, root(&o), "qpos", 0), 0.25);
    done(&o);
  }
}
END_TEST

// ------------------------------------------------------------------ what loading listed

START_TEST(load_warnings) {
  char robot[96];
  snprintf(robot, sizeof robot, "%s/r.urdf", folder);
  FILE *f = fopen(robot, "w");
  fputs(WARNED_ROBOT, f);
  fclose(f);
  static const char *const calls[] = {
    "run %s --steps 1 --json",
    "state %s --json",
    "trace %s --steps 1 --json",
    "bench %s --steps 1 --json",
    "inspect %s --json",
    "compile %s -o /dev/null --json",
    "problem save %s -o /dev/null --json",
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    output o = call(calls[i], robot);
    expect(&o, 0);
    const json_node *r = root(&o), *models = find(&o, r, "models");
    const json_node *list = member(&o, models ? &o.doc.node[models->first] : r, "load_warnings");
    ck_assert_int_eq(list->count, 1);
    ck_assert_ptr_nonnull(strstr(o.doc.node[list->first].text, "lower 2"));
    list = member(&o, models ? &o.doc.node[models->first] : r, "load_notes");
    ck_assert_int_ge(list->count, 1);
    done(&o);
  }
  output o = call("convert %s -o %s/r.xml --json", robot, folder);
  expect(&o, 0);
  ck_assert_int_eq(member(&o, root(&o), "load_warnings")->count, 1);
  done(&o);
}
END_TEST

TESTS() {
  FIXTURE(open_folder, close_folder);
  EACH(unwritable_standard_output, 0, NPRINTING);
  TEST(closed_pipe);
  EACH(full_disk, 0, NWRITING);
  TEST(named_reasons);
  TEST(strict_convert_deletes_nothing);
  TEST(run_to_standard_output);
  TEST(fifos_are_not_waited_for);
  TEST(descriptors_are_read);
  TEST(load_warnings);
}
