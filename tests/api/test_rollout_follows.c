// SPDX-License-Identifier: Apache-2.0
//
// What follows from other arrays of a model cannot vary in rollouts: the steps would not change.
// What it follows from can, and changes all of it.

#include <string.h>

#include "default_engine.h"
#include "model/field_rules.h"
#include "model/fields.h"
#include "suite.h"

static const char arm[] =
    "<mujoco><option><flag energy='enable'/></option><worldbody><light/><camera/><body>"
    "<joint name='hinge' axis='0 1 0' ref='20'/><geom size='.1' pos='0 0 1'/></body></worldbody>"
    "<tendon><fixed><joint joint='hinge' coef='1'/></fixed></tendon>"
    "<actuator><motor joint='hinge'/></actuator></mujoco>";

// The arrays that the compiler computes, and jnt_stiffness, of which a step reads nothing.
START_TEST(arrays_that_follow_are_rejected) {
  sn_model *m = model_of(arm);
  int n = 0;
  for (int32_t f = 0; f < SI_NMODELFIELD; f++) {
    const char *name = si_model_field_table[f].name;
    if (si_model_field_rules[f].kind != SI_RULE_DERIVED && strcmp(name, "jnt_stiffness") != 0) {
      ck_assert_ptr_null(si_model_field_source(f));
      continue;
    }
    sn_rollout_variation vary = { .name = name };
    sn_rollout_request q = { .size = sizeof q, .n = 2, .nstep = 1, .vary = &vary, .nvary = 1 };
    ck_assert_int_eq(sn_rollout_measure(m, &q, error), SN_EINVAL);
    ck_assert_msg(strstr(sn_error_text(error), "has no effect, because it is computed from"),
                  "%s: %s", name, sn_error_text(error));
    n++;
  }
  ck_assert_int_eq(n, 16);
  sn_model_free(m);
}
END_TEST

// They would be computed again before the first step.
START_TEST(an_edit_of_them_has_no_effect) {
  sn_model *m = model_of(arm);
  for (int32_t f = 0; f < SI_NMODELFIELD; f++) {
    sn_view view = { .size = sizeof view };
    if (si_model_field_rules[f].kind == SI_RULE_DERIVED) {
      OK(sn_model_field(m, si_model_field_table[f].name, &view));
      double *last = (double *)view.p + view.rows * view.cols - 1;
      const double before = *last;
      *last += 1;
      OK(sn_model_refresh(m, error));
      ck_assert_msg(*last == before, "%s: %g, was %g", view.name, *last, before);
    }
  }
  sn_model_free(m);
}
END_TEST

START_TEST(the_message_says_what_to_vary) {
  sn_model *m = model_of(arm);
  sn_rollout_variation vary = { .name = "jnt_stiffness:hinge" };
  sn_rollout_request q = { .size = sizeof q, .n = 2, .nstep = 1, .vary = &vary, .nvary = 1 };
  ck_assert_int_eq(sn_rollout_measure(m, &q, error), SN_EINVAL);
  ck_assert_str_eq(sn_error_text(error), "a variation of 'jnt_stiffness:hinge' has no effect, "
                                         "because "
                                         "it is computed from dof_stiffness; vary that");
  sn_model_free(m);
}
END_TEST

// A spring of a model without springs: its force, and its energy.
START_TEST(a_spring_that_varies) {
  sn_model *m = model_of(arm);
  static const double stiffness[] = { 0, 8 }, rest[] = { 0.5, 0.5 };
  sn_rollout_variation vary[] = { { .name = "dof_stiffness:hinge", .values = stiffness },
                                  { .name = "qpos_spring:hinge", .values = rest } };
  sn_rollout_record record[] = { { .name = "qfrc_passive" }, { .name = "energy" } };
  double results[2][3];
  sn_rollout_request q = { .size = sizeof q,
                           .n = 2,
                           .nstep = 1,
                           .vary = vary,
                           .nvary = 2,
                           .record = record,
                           .nrecord = 2,
                           .results = results[0] };
  OK(sn_rollout(m, &q, error));
  const double stretch = snm_qpos0(m)[0] - 0.5;
  ck_assert_double_eq(results[0][0], 0);
  ck_assert_double_eq_tol(results[1][0], -8 * stretch, 1e-12);
  ck_assert_double_eq_tol(results[1][1] - results[0][1], 4 * stretch * stretch, 1e-9);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(arrays_that_follow_are_rejected);
  TEST(an_edit_of_them_has_no_effect);
  TEST(the_message_says_what_to_vary);
  TEST(a_spring_that_varies);
}
