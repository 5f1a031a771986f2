// SPDX-License-Identifier: Apache-2.0
//
// sinew plot: which columns it draws, with which labels; names are never read as commands; what it
// cannot read or draw is named.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

// Runs "sinew plot ARGUMENTS FROM" in the folder, in an environment such as "PATH=/nothing".
static output plot_in(const char *environment, const char *arguments, const char *from) {
  char line[1024];
  snprintf(line, sizeof line, "cd %s; %s %s/sinew plot %s %s 2>&1", folder, environment,
           SN_TEST_BUILD, arguments, from);
  return run_line(line);
}

static output plot(const char *arguments, const char *from) {
  return plot_in("", arguments, from);
}

// The chart as SVG, which has all texts.
static void expect_texts(const char *arguments, const char *const *there, const char *absent) {
  output o = plot(arguments, "-o -");
  expect(&o, 0);
  for (int i = 0; there[i]; i++) {
    ck_assert_msg(strstr(o.text, there[i]) != NULL, "no '%s' in the chart of %s", there[i],
                  arguments);
  }
  ck_assert_msg(!absent || !strstr(o.text, absent), "'%s' in the chart of %s", absent, arguments);
  done(&o);
}

#define TEXTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

START_TEST(columns_of_a_run) {
  output o = call("run pendulum -q --time 0.5 --out %s 2>&1", in_folder("run.csv"));
  expect(&o, 0);
  done(&o);
  expect_texts("run.csv",
               TEXTS("time (s)", "qpos (m, rad)", "qvel (m/s, rad/s)", "qpos.swing", "qvel.swing",
                     "run.csv"),
               NULL);
  expect_texts("run.csv --y qpos", TEXTS("qpos.swing"), "qvel");
  expect_texts("run.csv --y 'q*vel*' --title 'My title'", TEXTS("qvel.swing", "My title"), "qpos");
  expect_texts("run.csv --x qpos.swing --y qvel.swing", TEXTS("qpos.swing (m, rad)"), "time");
  expect_texts("run.csv run.csv --y qpos", TEXTS("run.csv qpos.swing"), NULL);
  expect_texts("- < run.csv", TEXTS("qpos.swing"), NULL);
}
END_TEST

// The points of a path of exactly n points; false: there is none.
static int find_path(const char *svg, double *x, double *y, int n) {
  for (const char *p = svg; (p = strchr(p, 'M')); p++) {
    const char *q = p;
    int k = 0, length = 0;
    while (k < n && sscanf(q, k ? " L%lf,%lf%n" : " M%lf,%lf%n", &x[k], &y[k], &length) == 2) {
      q += length;
      k++;
    }
    q += strspn(q, " \n");
    if (k == n && *q != 'L') {
      return 1;
    }
  }
  return 0;
}

// The line of the values 0, 1, 0, -1 at 0, 1, 2, 3; empty cells and nan are gaps.
START_TEST(points_are_those_of_the_file) {
  double x[4], y[4];
  put_text("a.csv", "t,a,b\n0,0,\n1,1,nan\n2,0,5\n3,-1,7\n");
  output o = plot("a.csv --json", "-o a.png");
  expect(&o, 0);
  ck_assert(number(&o, root(&o), "lines") == 2);
  ck_assert(number(&o, &o.doc.node[0], "panels") == 2);
  done(&o);
  o = plot("a.csv --y a", "-o -");
  expect(&o, 0);
  ck_assert(find_path(o.text, x, y, 4));
  for (int i = 1; i < 4; i++) {   // SVG counts y downwards; numbers have a decimal
    ck_assert_double_eq_tol(x[i] - x[i - 1], x[1] - x[0], 0.21);
  }
  ck_assert_double_gt(x[1] - x[0], 10);
  ck_assert_double_gt(y[0] - y[1], 10);
  ck_assert_double_eq_tol(y[0], y[2], 0.11);
  ck_assert_double_eq_tol(y[0] - y[1], y[3] - y[2], 0.21);
  done(&o);
}
END_TEST

// Quotes, commands, markup, newlines and bytes that are no text.
START_TEST(names_are_only_names) {
  put_text("a.csv", "time,\"it's; system('touch bad') `touch bad` \"\"x\"\"\",\"<b>&\n{/a}\",\xff\n"
                    "0,1,2,3\n1,2,3,4\n");
  expect_texts("a.csv --title \"'; system('touch bad'); '\"",
               TEXTS("it's; system('touch bad') `touch bad`", "&lt;b>&amp; {/a}"), "<b>");
  ck_assert_int_ne(access(in_folder("bad"), F_OK), 0);
}
END_TEST

static const struct {
  const char *file, *arguments, *says;
  int status;
} wrong_calls[] = {
  { "time,a\n0,1\n", "a.csv", "--out FILE is missing", 2 },
  { "time,a\n0,1\n", "a.csv -o a.txt", ".svg, .png or .pdf", 2 },
  { "time,a\n0,1\n", "a.csv -o a.svg --y b", "no column 'b'", 1 },
  { "time,a\n0,1\n", "a.csv -o a.svg --x tme", "did you mean 'time'", 1 },
  { "time,a\n0,1\n2,x\n", "a.csv -o a.svg", "a.csv:3: 'x' of column 'a' is not a number", 1 },
  { "time,a\n0,1\n2\n", "a.csv -o a.svg", "a.csv:3: this line has 1 values instead of 2", 1 },
  { "time,a\n0,1,2\n", "a.csv -o a.svg", "a.csv:2: this line has more than 2", 1 },
  { "time,a\n", "a.csv -o a.svg", "no rows", 1 },
  { "", "a.csv -o a.svg", "expected CSV: a line of column names", 1 },
  { "time\n1\n2\n", "a.csv -o a.svg", "no column besides 'time'", 1 },
  { "time,a\n0,1\n", "b.csv -o a.svg", "b.csv", 1 },
  { "time,a\n0,1\n", "a.csv -o no/folder.svg", "no/folder.svg", 1 },
};
enum { NWRONG_CALLS = sizeof wrong_calls / sizeof wrong_calls[0] };

START_TEST(wrong_calls_are_named) {
  put_text("a.csv", wrong_calls[_i].file);
  output o = plot(wrong_calls[_i].arguments, "");
  expect(&o, wrong_calls[_i].status);
  ck_assert_msg(strstr(o.text, wrong_calls[_i].says) != NULL, "%s", o.text);
  ck_assert_int_ne(access(in_folder("a.svg"), F_OK), 0);
  done(&o);
}
END_TEST

START_TEST(gnuplot_is_missing) {
  put_text("a.csv", "time,a\n0,1\n");
  output o = plot_in("PATH=/nothing", "a.csv", "-o a.svg");
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, "install the package gnuplot-nox"));
  done(&o);
}
END_TEST

// sinew compare --plot
START_TEST(comparison_is_drawn) {
  char line[600];
  output o = call("compare pendulum -q --steps 100 --integrator euler,rk4 --plot %s",
                  in_folder("chart.svg"));
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "rk4"));
  done(&o);
  snprintf(line, sizeof line, "cat %s", in_folder("chart.svg"));
  o = run_line(line);
  static const char *const parts[] = {
    "<svg", "difference of positions", "change of the energy", "euler", "rk4", "time (s)"
  };
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    ck_assert_msg(strstr(o.text, parts[i]) != NULL, "no '%s'", parts[i]);
  }
  done(&o);
}
END_TEST

TESTS() {
  NEEDS(system("command -v gnuplot > /dev/null") == 0, "gnuplot is not installed");
  FIXTURE(open_folder, close_folder);
  TEST(columns_of_a_run);
  TEST(points_are_those_of_the_file);
  TEST(names_are_only_names);
  EACH(wrong_calls_are_named, 0, NWRONG_CALLS);
  TEST(gnuplot_is_missing);
  TEST(comparison_is_drawn);
}
