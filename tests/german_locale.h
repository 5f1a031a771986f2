// SPDX-License-Identifier: Apache-2.0
//
// A German locale, whose numbers have a decimal comma: made by the build with localedef, or that of
// the system.

#ifndef SN_TEST_GERMAN_LOCALE_H
#define SN_TEST_GERMAN_LOCALE_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int set_german(void) {
  char text[16] = "";
  if (setlocale(LC_ALL, "de_DE.UTF-8")) {
    snprintf(text, sizeof text, "%.1f", 0.5);
  }
  return strcmp(text, "0,5") == 0;
}

// Whether set_german() will work from now on. The locale remains "C".
static inline int find_german(void) {
  if (access(SN_TEST_BUILD "/tests/locale/de_DE.UTF-8", R_OK) == 0) {
    setenv("LOCPATH", SN_TEST_BUILD "/tests/locale", 1);
  }
  const int found = set_german();
  setlocale(LC_ALL, "C");
  return found;
}

#endif
