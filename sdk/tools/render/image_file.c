// SPDX-License-Identifier: Apache-2.0
//
// PNG: see png.c. .npy, version 1: a signature, the length of a header, the header, a Python
// dictionary padded to a multiple of 64 bytes, and the numbers.

#include "image_file.h"

#include <stdlib.h>
#include <string.h>

#include "png.h"

sn_status png_write(sn_sink *sink, const uint8_t *rgb, int32_t width, int32_t height) {
  unsigned char *png = NULL;
  size_t size = 0;
  if (png_encode(rgb, (uint32_t)width, (uint32_t)height, &png, &size)) {
    return SN_ENOMEM;
  }
  const sn_status status = sink->write(sink, png, (int64_t)size);
  free(png);
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
