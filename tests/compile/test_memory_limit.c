// SPDX-License-Identifier: Apache-2.0
//
// The option `memory` of a model holds while it is compiled too: with a limit that is too small
// compiling fails, with that as the reason and not with what a part of it made of the failure. And
// no failing call leaves its error without a code and a message.

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "default_engine.h"
#include "model_file.h"
#include "suite.h"

static sn_model *compile_within(double bytes) {
  sn_spec *spec = sn_spec_load(engine, "m.xml", error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_option option = { .def_size = sizeof option };
  ck_assert_int_eq(sn_spec_get_option(spec, &option), SN_OK);
  option.memory = bytes;
  ck_assert_int_eq(sn_spec_set_option(spec, &option, error), SN_OK);
  sn_model *model = sn_compile(spec, error);
  sn_spec_free(spec);
  return model;
}

static void setup(void) {
  const char *text = model_file("compile/memory_limit");
  open_engine();
  OK(sn_engine_add_resource(engine, "m.xml", text, (int64_t)strlen(text), error));
}

// In steps that grow: each part of the compiler is the first to find too little.
START_TEST(small_limits) {
  int rejected = 0;
  for (double bytes = 1; bytes < 1e5; bytes += 1 + (bytes > 400 ? 0.05 * bytes : 0)) {
    sn_model *model = compile_within(bytes);
    if (!model) {
      rejected++;
      ck_assert_msg(sn_error_code(error) == SN_ENOMEM, "with %g bytes: %s", bytes,
                    sn_error_text(error));
      ck_assert_ptr_nonnull(strstr(sn_error_message(error), "memory"));
      ck_assert_msg(!strstr(sn_error_message(error), "lengthrange"), "with %g bytes: %s", bytes,
                    sn_error_text(error));
    }
    sn_model_free(model);
  }
  ck_assert_int_gt(rejected, 20);
  sn_model *model = compile_within(0);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  sn_model_free(model);
}
END_TEST

START_TEST(settled) {
  si_error_clear(error);
  ck_assert_int_eq(si_error_settle(error, SN_OK), SN_OK);
  ck_assert_str_eq(sn_error_message(error), "");
  ck_assert_int_eq(si_error_settle(error, SN_ENOMEM), SN_ENOMEM);
  ck_assert_int_eq(sn_error_code(error), SN_ENOMEM);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "memory"));
  // a reason that was given stays
  ck_assert_int_eq(si_error_settle(error, SN_EIO), SN_EIO);
  ck_assert_int_eq(sn_error_code(error), SN_ENOMEM);
  si_error_clear(error);
  ck_assert_ptr_null(si_error_settle_object(error, NULL));
  ck_assert_int_eq(sn_error_code(error), SN_ENOMEM);
  si_error_clear(error);
  si_error_settle(error, SN_EPLUGIN);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "SN_EPLUGIN"));
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(small_limits);
  TEST(settled);
}
