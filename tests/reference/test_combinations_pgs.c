// SPDX-License-Identifier: Apache-2.0
//
// Projected Gauss-Seidel with every integrator, cone and Jacobian: see combinations.h.

#include "combinations.h"

static const contest pgs = {
  .solver = "pgs",
  .tolerance = "1e-22",
  .iterations = "10000",
  .every = 25,
  .on_path = 1e-8,
  .together = 0,
};

START_TEST(a_thousand_steps_agree) {
  run_course(&pgs, _i);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("combinations of pgs");
  TCase *tcase = tcase_create("thousand steps");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, a_thousand_steps_agree, 0, NCOURSE);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
