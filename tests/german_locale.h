// SPDX-License-Identifier: Apache-2.0
//
// A German locale, whose numbers have a decimal comma: made here with localedef, or that of the
// system.

#ifndef SN_TEST_GERMAN_LOCALE_H
#define SN_TEST_GERMAN_LOCALE_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char german_folder[64];   // with the locale that was made

static inline int set_german(void) {
  char text[16] = "";
  if (setlocale(LC_ALL, "de_DE.UTF-8")) {
    snprintf(text, sizeof text, "%.1f", 0.5);
  }
  return strcmp(text, "0,5") == 0;
}

// Whether set_german() will work from now on. The locale remains "C".
static inline int make_german(void) {
  char command[256];
  snprintf(german_folder, sizeof german_folder, "/tmp/sinew_locale_XXXXXX");
  if (!mkdtemp(german_folder)) {
    return 0;
  }
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
           german_folder);
  if (system(command) == 0) {
    setenv("LOCPATH", german_folder, 1);
  }
  const int made = set_german();
  setlocale(LC_ALL, "C");
  return made;
}

#endif
