// SPDX-License-Identifier: Apache-2.0
//
// Newton's method with every integrator, cone and Jacobian: see combinations.h.

#include "combinations.h"

static const contest newton = {
  .solver = "newton",
  .tolerance = "0",
  .iterations = "100",
  .every = 5,
  .on_path = 1e-8,
  .together = 1,
};

START_TEST(a_thousand_steps_agree) {
  run_course(&newton, _i);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("combinations of newton");
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
