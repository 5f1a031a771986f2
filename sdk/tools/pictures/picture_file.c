// SPDX-License-Identifier: Apache-2.0
//
// PNG (RFC 2083): a signature and chunks of length, name, data and CRC; the data of IDAT are the
// rows, each behind the number of its filter, compressed by zlib. .npy, version 1: a signature, the
// length of a header, the header, a Python dictionary padded to a multiple of 64 bytes, and the
// numbers.

#include "picture_file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put32(uint8_t *p, uint32_t x) {
  for (int i = 0; i < 4; i++) {
    p[i] = (uint8_t)(x >> (24 - 8 * i));
  }
}

static sn_status put_chunk(sn_sink *sink, const char *name, const uint8_t *bytes, uint32_t count) {
  uint8_t head[8], tail[4];
  put32(head, count);
  memcpy(head + 4, name, 4);
  const uLong crc = crc32(crc32(0, head + 4, 4), bytes, count);
  put32(tail, (uint32_t)(count ? crc : crc32(0, head + 4, 4)));
  SN_TRY(sink->write(sink, head, 8));
  SN_TRY(sink->write(sink, bytes, count));
  return sink->write(sink, tail, 4);
}

// Each row as the difference to the one above (filter 2), which suits pictures of plain surfaces.
static void filter_rows(uint8_t *out, const uint8_t *rgb, int32_t width, int32_t height) {
  const int64_t row = 3 * (int64_t)width;
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *now = rgb + y * row, *above = y ? now - row : NULL;
    uint8_t *to = out + y * (row + 1);
    *to++ = 2;
    for (int64_t i = 0; i < row; i++) {
      to[i] = (uint8_t)(now[i] - (above ? above[i] : 0));
    }
  }
}

sn_status png_write(sn_sink *sink, const uint8_t *rgb, int32_t width, int32_t height) {
  static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  uint8_t head[13] = { [8] = 8, [9] = 2 };
  const uLong raw = (uLong)height * (3 * (uLong)width + 1);
  uLongf packed = compressBound(raw);
  uint8_t *rows = malloc(raw), *bytes = malloc(packed);
  sn_status status = rows && bytes ? SN_OK : SN_ENOMEM;
  if (status >= 0) {
    filter_rows(rows, rgb, width, height);
    status = compress2(bytes, &packed, rows, raw, 4) == Z_OK ? SN_OK : SN_ENOMEM;
  }
  put32(head, (uint32_t)width);
  put32(head + 4, (uint32_t)height);
  status = status < 0 ? status : sink->write(sink, signature, sizeof signature);
  status = status < 0 ? status : put_chunk(sink, "IHDR", head, sizeof head);
  status = status < 0 ? status : put_chunk(sink, "IDAT", bytes, (uint32_t)packed);
  status = status < 0 ? status : put_chunk(sink, "IEND", head, 0);
  free(rows);
  free(bytes);
  return status;
}

sn_status npy_write(sn_sink *sink, const char *type, const void *numbers, int32_t width,
                    int32_t height) {
  static const uint8_t signature[8] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0 };
  char head[192];
  int n = snprintf(head + 10, sizeof head - 10,
                   "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", type, height,
                   width);
  while ((10 + n + 1) % 64 != 0) {
    head[10 + n++] = ' ';
  }
  head[10 + n++] = '\n';
  memcpy(head, signature, sizeof signature);
  head[8] = (char)(n & 255);
  head[9] = (char)(n >> 8);
  SN_TRY(sink->write(sink, head, 10 + n));
  return sink->write(sink, numbers, 4 * (int64_t)width * height);
}
