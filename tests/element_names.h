// SPDX-License-Identifier: Apache-2.0
//
// Two models with the same elements by the same names.

#ifndef SN_TEST_ELEMENT_NAMES_H
#define SN_TEST_ELEMENT_NAMES_H

#include <check.h>
#include <string.h>

#include "sinew/sinew.h"

// what: the model, for the message.
static inline void same_element_names(const char *what, const sn_model *a, const sn_model *b) {
  static const char *const kinds[][2] = {
#define SN_X(kind, size, prefix, also) { #kind, #size },
    SN_MODEL_ELEMENTS(SN_X)
#undef SN_X
  };
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (int64_t i = 0; i < sn_size(a, kinds[k][1]); i++) {
      const char *before = sn_name(a, kinds[k][0], (int32_t)i);
      const char *after = sn_name(b, kinds[k][0], (int32_t)i);
      ck_assert_msg(strcmp(before, after) == 0, "%s: %s %lld is '%s' instead of '%s'", what,
                    kinds[k][0], (long long)i, after, before);
    }
  }
}

#endif
