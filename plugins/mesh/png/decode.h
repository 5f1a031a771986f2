// SPDX-License-Identifier: Apache-2.0
//
// The C face over lodepng, whose library has C++ names.

#ifndef PNG_DECODE_H
#define PNG_DECODE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Each returns 0, or a code that png_reason explains.
unsigned png_size(const void *bytes, size_t count, unsigned *width, unsigned *height);
// 8 bits a channel, 1 or 3 channels; *pixels is for free().
unsigned png_decode(const void *bytes, size_t count, int channels, unsigned char **pixels,
                    unsigned *width, unsigned *height);
const char *png_reason(unsigned code);

#ifdef __cplusplus
}
#endif

#endif
