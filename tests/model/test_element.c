// SPDX-License-Identifier: Apache-2.0
//
// Rows of arrays and elements: both directions agree, and the rows of all elements together are all
// rows.

#include "default_engine.h"
#include "model/element.h"
#include "model_file.h"
#include "suite.h"

#define PART(size, ...) #size,
static const char *const parts[] = { SN_MODEL_PARTS(PART, PART, PART) };

START_TEST(rows_of_elements_and_back) {
  sn_model *m = model_of(model_file("compile/one_of_everything"));
  int met = 0;
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
    const char *rows = parts[k], *kind = si_element_kind(rows);
    int64_t n, first, count, covered = 0, id;
    ck_assert_ptr_nonnull(kind);
    si_model_names(m, kind, &n);
    for (int32_t i = 0; i < n; i++) {
      si_element_rows(m, rows, i, &first, &count);
      for (int64_t row = first; row < first + count; row++, covered++) {
        ck_assert_str_eq(si_element_of_row(m, rows, row, &id), kind);
        ck_assert_int_eq(id, i);
      }
    }
    ck_assert_msg(covered == sn_size(m, rows), "%s", rows);
    met += covered > 0;
  }
  ck_assert_int_ge(met, 12);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(rows_of_elements_and_back);
}
