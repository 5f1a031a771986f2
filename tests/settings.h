// SPDX-License-Identifier: Apache-2.0
//
// The options, statistics and visual settings of a model, as values, and its arrays by name.

#ifndef SN_TEST_SETTINGS_H
#define SN_TEST_SETTINGS_H

#include <check.h>

#include "sinew/sinew.h"

static inline sn_option option_of(const sn_model *m) {
  sn_option option = { .def_size = sizeof option };
  ck_assert_int_eq(sn_model_get_option(m, &option), SN_OK);
  return option;
}

static inline sn_statistic statistic_of(const sn_model *m) {
  sn_statistic statistic = { .def_size = sizeof statistic };
  ck_assert_int_eq(sn_model_get_statistic(m, &statistic), SN_OK);
  return statistic;
}

static inline sn_visual visual_of(const sn_model *m) {
  sn_visual visual = { .def_size = sizeof visual };
  ck_assert_int_eq(sn_model_get_visual(m, &visual), SN_OK);
  return visual;
}

// An array of numbers of a model, to be edited.
static inline double *array_of(sn_model *m, const char *name) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(m, name, &view), SN_OK);
  return view.p;
}

#endif
