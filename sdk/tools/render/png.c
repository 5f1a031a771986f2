// SPDX-License-Identifier: Apache-2.0
//
// PNG (RFC 2083): a signature and chunks of length, name, data and CRC; the data of IDAT are the
// rows, each behind the number of its filter, compressed by zlib.

#include "png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SIGNATURE = 8, AROUND = 12, HEAD = 13, LEVEL = 4 };   // bytes; of the compression

static uint8_t *put32(uint8_t *p, uint32_t x) {
  for (int i = 0; i < 4; i++) {
    p[i] = (uint8_t)(x >> (24 - 8 * i));
  }
  return p + 4;
}

// A chunk whose `count` bytes of data are in their place already; its end.
static uint8_t *put_chunk(uint8_t *p, const char *name, uint32_t count) {
  put32(p, count);
  memcpy(p + 4, name, 4);
  return put32(p + 8 + count, (uint32_t)crc32(0, p + 4, 4 + count));
}

// Each row as the difference to the one above (filter 2), which suits images of plain surfaces.
static void filter_rows(uint8_t *out, const uint8_t *rgb, uint32_t width, uint32_t height) {
  const size_t row = 3 * (size_t)width;
  for (size_t y = 0; y < height; y++) {
    const uint8_t *now = rgb + y * row, *above = y ? now - row : NULL;
    uint8_t *to = out + y * (row + 1);
    *to++ = 2;
    for (size_t i = 0; i < row; i++) {
      to[i] = (uint8_t)(now[i] - (above ? above[i] : 0));
    }
  }
}

const char *png_encode(const uint8_t *rgb, uint32_t width, uint32_t height, unsigned char **png,
                       size_t *size) {
  static const uint8_t signature[SIGNATURE] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  static const uint8_t kind[HEAD - 8] = { 8, 2 };   // bits of a color, colors without transparency
  const uLong raw = (uLong)height * (3 * (uLong)width + 1);
  uLongf packed = compressBound(raw);
  uint8_t *rows = malloc(raw), *bytes = malloc(SIGNATURE + 3 * AROUND + HEAD + packed);
  int status = Z_MEM_ERROR;
  if (rows && bytes) {
    memcpy(bytes, signature, SIGNATURE);
    uint8_t *p = bytes + SIGNATURE;
    memcpy(put32(put32(p + 8, width), height), kind, sizeof kind);
    p = put_chunk(p, "IHDR", HEAD);
    filter_rows(rows, rgb, width, height);
    status = compress2(p + 8, &packed, rows, raw, LEVEL);
    p = status == Z_OK ? put_chunk(put_chunk(p, "IDAT", (uint32_t)packed), "IEND", 0) : p;
    *size = (size_t)(p - bytes);
  }
  free(rows);
  if (status != Z_OK) {
    free(bytes);
    return "out of memory";
  }
  *png = bytes;
  return NULL;
}
