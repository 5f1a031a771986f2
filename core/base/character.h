// SPDX-License-Identifier: Apache-2.0
//
// What is a character: UTF-8 (RFC 3629) without control characters and without the code points that
// are none. Texts of plugins and files may hold anything else.

#ifndef SI_BASE_CHARACTER_H
#define SI_BASE_CHARACTER_H

#include <stddef.h>

// The bytes of the character at p, a text that ends with a zero; 0: there is none.
int si_character(const char *p);
// Writes at most size - 1 bytes of a text and a zero. All that is no character, but for a tab and a
// line break, is written as \x1b. What does not fit is cut off at a character.
void si_write_plain(char *out, size_t size, const char *text);
// In a format of printf: a text that a plugin gave and that nothing has checked, in quotes. It may
// be very long, because its end may be missing.
#define SI_QUOTED "'%.80s'"

#endif
