// SPDX-License-Identifier: Apache-2.0

#include "base/plain.h"

#include <stdio.h>
#include <threads.h>

#include "base/character.h"

static locale_t plain;

static void make_plain(void) {
  plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

si_plain si_plain_enter(void) {
  static once_flag made = ONCE_FLAG_INIT;
  call_once(&made, make_plain);
  return (si_plain){ plain ? uselocale(plain) : (locale_t)0 };
}

void si_plain_print(char *out, size_t size, const char *format, va_list list) {
  SI_PLAIN_LOCALE;
  char text[SI_PLAIN_MOST];
  vsnprintf(text, sizeof text, format, list);
  si_write_plain(out, size, text);
}
