// SPDX-License-Identifier: Apache-2.0
//
// What a name may be: text that every format can write and read again. That is UTF-8 without
// control characters, and without the code points that are none (RFC 3629).

#include "spec/spec.h"

// The bytes of the character at p, 0: it is none. low: the least that its length may encode.
static int character(const unsigned char *p) {
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

int64_t si_name_fault(const char *name) {
  const unsigned char *p = (const unsigned char *)name;
  int64_t at = 0;
  while (p && p[at]) {
    int n = character(p + at);
    if (n == 0) {
      return at;
    }
    at += n;
  }
  return -1;
}
