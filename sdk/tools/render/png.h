// SPDX-License-Identifier: Apache-2.0
//
// Writing PNG: 8-bit RGB, not interlaced.

#ifndef SINEW_TOOLS_PNG_H
#define SINEW_TOOLS_PNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Encodes width x height pixels of three bytes, the first row on top. *png is to be freed. NULL on
// success, else the reason.
const char *png_encode(const uint8_t *rgb, uint32_t width, uint32_t height, unsigned char **png,
                       size_t *size);

#ifdef __cplusplus
}
#endif

#endif
