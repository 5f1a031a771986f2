// SPDX-License-Identifier: Apache-2.0
//
// Conjugate gradients with every integrator, cone and Jacobian: see combinations.h.

#include "combinations.h"

static const contest cg = {
  .solver = "cg",
  .tolerance = "1e-22",
  .iterations = "2000",
  .every = 10,
  .on_path = 1e-8,
  .together = 1,
};

START_TEST(a_thousand_steps_agree) {
  run_course(&cg, _i);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("combinations of cg");
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
