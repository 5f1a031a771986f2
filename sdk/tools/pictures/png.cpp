// SPDX-License-Identifier: Apache-2.0
//
// See png.h.

#include "png.h"

#include <lodepng.h>

const char *png_encode(const uint8_t *rgb, uint32_t width, uint32_t height, unsigned char **png,
                       size_t *size) {
  const unsigned code = lodepng_encode24(png, size, rgb, width, height);
  return code ? lodepng_error_text(code) : nullptr;
}
