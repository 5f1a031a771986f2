// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the MJCF loader share: it runs against a builder that only remembers.

#ifndef SN_TEST_MJCF_TEXT_H
#define SN_TEST_MJCF_TEXT_H

#include "loaders/mjcf/fake_builder.h"
#include "suite.h"

static const sn_loader_ops *mjcf;
static fake f;

static inline void setup(void) {
  mjcf = fake_loader(SN_TEST_BUILD "/loaders/parts/mjcf.so");
  ck_assert_ptr_nonnull(mjcf);
  fake_open(&f);
}

static inline void teardown(void) {
  ck_assert_int_eq(f.held, 0);
  ck_assert_int_eq(f.nopen, 0);
  fake_close(&f);
}

static inline void load(const char *text) {
  sn_status status = fake_load(&f, mjcf, "folder/main.xml", text, (int64_t)strlen(text));
  ck_assert_msg(status == SN_OK, "%d:%d: %s", f.line, f.column, f.message);
}

static inline void check_reals(const double *found, const double *expected, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_double_eq_tol(found[i], expected[i], 1e-12);
  }
}

#define CHECK_REALS(found, ...)                       \
  check_reals(found, (const double[]){ __VA_ARGS__ }, \
              (int)(sizeof(const double[]){ __VA_ARGS__ } / sizeof(double)))

#endif
