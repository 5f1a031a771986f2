// SPDX-License-Identifier: Apache-2.0
//
// Comparing names in searches, where most of them differ in the first character.

#ifndef SI_BASE_SAME_H
#define SI_BASE_SAME_H

#include <string.h>

static inline int si_same(const char *a, const char *b) {
  return a[0] == b[0] && strcmp(a, b) == 0;
}

#endif
