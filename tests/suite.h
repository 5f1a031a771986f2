// SPDX-License-Identifier: Apache-2.0
//
// What every file of tests ends with: the list of its cases.
//
//   TESTS() {
//     FIXTURE(open_engine, close_engine);   // around each case that follows
//     TEST(spring_pulls_back);
//     EACH(pair_is_symmetric, 0, NPAIR);    // once with each _i from 0 to NPAIR - 1
//   }
//
// The list is also walked to find the names of the cases, so it must be cheap: what a file needs
// before its cases run stands in NEEDS, which is evaluated only when one of them will run. The
// program around all files is runner.c.

#ifndef SN_TEST_SUITE_H
#define SN_TEST_SUITE_H

#include <check.h>
#include <stdbool.h>

typedef struct test_suite {
  const char *file;
  void (*list)(void);
  bool forks;       // also where others share a process
  char path[256];   // "ROOM/SUBJECT"
  int wanted;       // how many of its cases the command line names
  struct test_suite *next;
} test_suite;

// The name of iteration `index`, for the command line and the listing.
typedef const char *(*test_label)(int index);

void runner_register(test_suite *suite);
void runner_fixture(void (*set_up)(void), void (*tear_down)(void));
void runner_add(const TTest *test, int first, int end, test_label label);
bool runner_is_running(void);        // false while names are collected
void runner_skip(const char *why);   // leaves out the cases of this file

#define TESTS_WITH(...)                                                              \
  static void list_tests(void);                                                      \
  __attribute__((constructor)) static void register_tests(void) {                    \
    static test_suite suite = { .file = __FILE__, .list = list_tests, __VA_ARGS__ }; \
    runner_register(&suite);                                                         \
  }                                                                                  \
  static void list_tests(void)
#define TESTS() TESTS_WITH(.forks = false)
#define TESTS_IN_PROCESSES() TESTS_WITH(.forks = true)   // a process for each case, always

#define FIXTURE(set_up, tear_down) runner_fixture(set_up, tear_down)
#define TEST(name) runner_add(name, 0, 1, NULL)
#define EACH(name, first, end) runner_add(name, first, end, NULL)
#define EACH_NAMED(name, first, end, label) runner_add(name, first, end, label)

// Leaves out the cases of this file, with the reason, unless the condition holds.
#define NEEDS(condition, why)                  \
  do {                                         \
    if (runner_is_running() && !(condition)) { \
      runner_skip(why);                        \
      return;                                  \
    }                                          \
  } while (0)

#endif
