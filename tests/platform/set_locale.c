// SPDX-License-Identifier: Apache-2.0
//
// Loaded into a program before it starts: sets the locale of the environment, as many libraries do.

#include <locale.h>

__attribute__((constructor)) static void set_locale(void) {
  setlocale(LC_ALL, "");
}
