// SPDX-License-Identifier: Apache-2.0
//
// The program that holds test files: it runs the cases whose names are given, or all of them.
//
//   run [--list] [--part=K/N] [NAME...]
//
// Every case has a path, as --list prints it: the folders and the file below tests/ without
// "test_", the case, and of a repeated case the iteration.
//
//   plugins/solvers/solver/newton_satisfies_the_conditions/3
//
// NAME is one part of such a path, or several that follow each other, from a '/' to a '/': a
// folder, a file, a case, file/case, case/3. A name without a case is an error. --part runs the
// K-th of N equal shares, which ctest runs side by side.
//
// Exit status: 0 all passed, 1 some failed, 2 wrong arguments, 77 everything was skipped.

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 512, MOST_NAMES = 64 };
enum { WALL_SECONDS = 7000 };   // ends what waits for nothing; limits.c has the limit that counts

static test_suite *suites;      // in the order of their files' names
static SRunner *runner;         // NULL while names are collected
static Suite *current;          // of the runner; made with its first case
static test_suite *file;        // whose cases are listed
static void (*set_up)(void), (*tear_down)(void);

static char **names;            // of the command line
static int nname, found[MOST_NAMES];
static int part = 1, parts = 1, position;
static int skipped, ran;
static bool listing;

// ------------------------------------------------------------------ names

// ".../tests/step/test_solve.c" is "step/solve"
static void set_path(test_suite *suite) {
  const char *root = suite->file;
  for (const char *at = strstr(root, "/tests/"); at; at = strstr(at + 1, "/tests/")) {
    root = at + strlen("/tests/");
  }
  const char *slash = strrchr(root, '/'), *base = slash ? slash + 1 : root;
  const char *name = strncmp(base, "test_", 5) == 0 ? base + 5 : base;
  snprintf(suite->path, sizeof suite->path, "%.*s%.*s", (int)(base - root), root,
           (int)(strrchr(name, '.') - name), name);
}

// Does the path have this name between two of its '/'?
static bool has(const char *path, const char *name) {
  size_t n = strlen(name);
  for (const char *at = strstr(path, name); n && at; at = strstr(at + 1, name)) {
    if ((at == path || at[-1] == '/') && (at[n] == '\0' || at[n] == '/')) {
      return true;
    }
  }
  return false;
}

static bool is_wanted(const char *path) {
  bool wanted = nname == 0;
  for (int i = 0; i < nname; i++) {
    if (has(path, names[i])) {
      found[i]++;
      wanted = true;
    }
  }
  return wanted;
}

// ------------------------------------------------------------------ what suite.h declares

void runner_register(test_suite *suite) {
  test_suite **at = &suites;
  while (*at && strcmp((*at)->file, suite->file) < 0) {
    at = &(*at)->next;
  }
  set_path(suite);
  suite->next = *at;
  *at = suite;
}

void runner_fixture(void (*before)(void), void (*after)(void)) {
  set_up = before;
  tear_down = after;
}

bool runner_is_running(void) {
  return runner != NULL;
}

void runner_skip(const char *why) {
  printf("%s: skipped: %s\n", file->path, why);
  skipped++;
}

static void add_iteration(const TTest *test, const char *path, int i) {
  if (listing) {
    puts(path);
  }
  if (!runner) {
    return;
  }
  if (!current) {
    current = suite_create(file->path);
    srunner_add_suite(runner, current);
  }
  TCase *cases = tcase_create(test->name);
  tcase_set_timeout(cases, WALL_SECONDS);
  if (set_up || tear_down) {
    tcase_add_checked_fixture(cases, set_up, tear_down);
  }
  tcase_add_loop_test(cases, test, i, i + 1);
  suite_add_tcase(current, cases);
  ran++;
}

void runner_add(const TTest *test, int first, int end, test_label label) {
  for (int i = first; i < end; i++) {
    char path[PATH + 256];
    int n = snprintf(path, sizeof path, "%s/%s", file->path, test->name);
    if (label) {
      snprintf(path + n, sizeof path - (size_t)n, "/%s", label(i));
    } else if (end - first > 1) {
      snprintf(path + n, sizeof path - (size_t)n, "/%d", i);
    }
    if (!is_wanted(path)) {
      continue;
    }
    file->wanted += runner == NULL;
    if (position++ % parts == part - 1) {
      add_iteration(test, path, i);
    }
  }
}

// ------------------------------------------------------------------ running

// Walks the cases of all files that fork always, or of those that need not: first of every file, to
// collect names, then to run those of the files that have wanted cases.
static void walk(bool forks) {
  for (file = suites; file; file = file->next) {
    if (file->forks == forks && (!runner || file->wanted)) {
      set_up = tear_down = NULL;
      current = NULL;
      file->list();
    }
  }
}

static int run(bool forks) {
  runner = srunner_create(NULL);
  int before = ran, failed = 0;
  walk(forks);
  if (ran > before) {
    if (forks) {
      srunner_set_fork_status(runner, CK_FORK);
    }
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
  }
  srunner_free(runner);
  return failed;
}

// False when a name has no case, with a message.
static bool names_exist(void) {
  bool all = true;
  for (int i = 0; i < nname; i++) {
    if (!found[i]) {
      fprintf(stderr, "no test has the name '%s'; --list prints all names\n", names[i]);
      all = false;
    }
  }
  return all;
}

static int usage(void) {
  fputs("usage: run [--list] [--part=K/N] [NAME...]\n"
        "NAME is a folder, a file or a case of the paths that --list prints, or several parts of\n"
        "such a path, as in file/case\n",
        stderr);
  return 2;
}

// Check would leave out what these variables do not name, and call it a success.
static void clear_selection(void) {
  unsetenv("CK_RUN_SUITE");
  unsetenv("CK_RUN_CASE");
  unsetenv("CK_INCLUDE_TAGS");
  unsetenv("CK_EXCLUDE_TAGS");
}

int main(int argc, char **argv) {
  for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
    int end = 0;
    if (strcmp(argv[1], "--list") == 0) {
      listing = true;
    } else if (sscanf(argv[1], "--part=%d/%d%n", &part, &parts, &end) != 2 || argv[1][end] ||
               part < 1 || part > parts) {
      return usage();
    }
  }
  names = argv + 1;
  nname = argc - 1;
  if (nname > MOST_NAMES) {
    return usage();
  }
  setenv("SINEW_CONFIG", SN_TEST_BUILD "/sinew.ini", 1);
  clear_selection();
  walk(false);
  walk(true);
  if (!names_exist()) {
    return 2;
  }
  if (listing) {
    return 0;
  }
  position = 0;
  int failed = run(false);
  failed += run(true);
  return failed ? 1 : skipped && !ran ? 77 : 0;
}
