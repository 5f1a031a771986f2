// SPDX-License-Identifier: Apache-2.0

#include "base/character.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// low: the least that a length may encode.
int si_character(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  static const struct {
    unsigned char mask, lead;
    uint32_t low;
  } lengths[] = {
    { 0x80, 0x00, 0x20 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 }
  };
  for (int n = 0; n < 4; n++) {
    if ((p[0] & lengths[n].mask) != lengths[n].lead) {
      continue;
    }
    uint32_t code = p[0] & (uint32_t)(unsigned char)~lengths[n].mask;
    for (int k = 1; k <= n; k++) {
      if ((p[k] & 0xc0) != 0x80) {   // also the zero at the end
        return 0;
      }
      code = code << 6 | (p[k] & 0x3f);
    }
    const int none = (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe;
    return code < lengths[n].low || code == 0x7f || code > 0x10ffff || none ? 0 : n + 1;
  }
  return 0;
}

void si_write_plain(char *out, size_t size, const char *text) {
  size_t used = 0;
  while (*text) {
    const int is_simple = (*text >= ' ' && *text <= '~') || *text == '\n' || *text == '\t';
    const int n = is_simple ? 1 : si_character(text);
    char escaped[5] = "";
    if (!n) {
      snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned)(unsigned char)*text);
    }
    const size_t length = n ? (size_t)n : strlen(escaped);
    if (used + length >= size) {
      break;
    }
    memcpy(out + used, n ? text : escaped, length);
    used += length;
    text += n ? n : 1;
  }
  out[used] = '\0';
}
