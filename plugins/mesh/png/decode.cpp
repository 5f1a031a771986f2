// SPDX-License-Identifier: Apache-2.0
//
// See decode.h.

#include "decode.h"

#include <lodepng.h>

unsigned png_size(const void *bytes, size_t count, unsigned *width, unsigned *height) {
  LodePNGState state;
  lodepng_state_init(&state);
  unsigned code = lodepng_inspect(width, height, &state, static_cast<const unsigned char *>(bytes),
                                  count);
  lodepng_state_cleanup(&state);
  return code;
}

unsigned png_decode(const void *bytes, size_t count, int channels, unsigned char **pixels,
                    unsigned *width, unsigned *height) {
  return lodepng_decode_memory(pixels, width, height, static_cast<const unsigned char *>(bytes),
                               count, channels == 1 ? LCT_GREY : LCT_RGB, 8);
}

const char *png_reason(unsigned code) {
  return lodepng_error_text(code);
}
