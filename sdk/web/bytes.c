// SPDX-License-Identifier: Apache-2.0
//
// Bytes that grow, and base64; see web.h. Words are written in the order of this machine: Sinew
// runs on machines with little endian only.

#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "web.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the page reads little endian");

void web_put(web_bytes *b, const void *p, int64_t n) {
  uint8_t *bytes = grow(b->p, b->n + n, &b->capacity, 256, 1);
  if (!bytes) {
    b->failed |= b->n + n > b->capacity;
    return;
  }
  b->p = bytes;
  if (n > 0) {
    memcpy(b->p + b->n, p, (size_t)n);
    b->n += n;
  }
}

void web_put_float(web_bytes *b, double value) {
  const float x = (float)value;
  web_put(b, &x, sizeof x);
}

void web_put_word(web_bytes *b, uint32_t value) {
  web_put(b, &value, sizeof value);
}

void web_bytes_free(web_bytes *b) {
  free(b->p);
  *b = (web_bytes){ 0 };
}

char *web_base64(const uint8_t *p, int64_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = malloc((size_t)((n + 2) / 3 * 4 + 1)), *out = text;
  for (int64_t i = 0; text && i < n; i += 3) {
    const uint32_t second = i + 1 < n ? p[i + 1] : 0, third = i + 2 < n ? p[i + 2] : 0;
    const uint32_t word = (uint32_t)p[i] << 16 | second << 8 | third;
    *out++ = digits[word >> 18];
    *out++ = digits[word >> 12 & 63];
    *out++ = i + 1 < n ? digits[word >> 6 & 63] : '=';
    *out++ = i + 2 < n ? digits[word & 63] : '=';
  }
  if (text) {
    *out = '\0';
  }
  return text;
}
