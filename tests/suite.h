// SPDX-License-Identifier: Apache-2.0
//
// How a test program ends: its cases run, and the exit status says whether all of them passed.

#ifndef SN_TEST_SUITE_H
#define SN_TEST_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int run_cases(const char *subject, TCase *cases) {
  Suite *suite = suite_create(subject);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
