// SPDX-License-Identifier: Apache-2.0
//
// Numbers in texts have a decimal point, and letters are those of ASCII, whatever locale the
// application has: from SI_PLAIN_LOCALE to the end of the block the calling thread is in the "C"
// locale. It is around all that reads and writes files, configurations and messages, and so around
// the plugins that do. An exception of a plugin ends the block too. The locale is made once and is
// never freed, like the "C" locale of the C library itself.

#ifndef SI_BASE_PLAIN_H
#define SI_BASE_PLAIN_H

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>

typedef struct si_plain {
  locale_t before;   // 0: no memory for a locale, nothing was changed
} si_plain;

si_plain si_plain_enter(void);

static inline void si_plain_leave(const si_plain *p) {
  if (p->before) {
    uselocale(p->before);
  }
}

#define SI_PLAIN_LOCALE \
  __attribute__((cleanup(si_plain_leave))) const si_plain plain_locale = si_plain_enter(); \
  (void)plain_locale

enum { SI_PLAIN_MOST = 4096 };   // bytes of a message that are kept
// vsnprintf with a decimal point, in which all bytes are characters: what a plugin or a file gives
// may be anything else.
void si_plain_print(char *out, size_t size, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));

#endif
