// SPDX-License-Identifier: Apache-2.0
//
// Files of images: PNG, and NumPy's .npy for depths and ids.

#ifndef SINEW_TOOLS_IMAGE_FILE_H
#define SINEW_TOOLS_IMAGE_FILE_H

#include "tools/command.h"

// 8-bit RGB, not interlaced; rows from top to bottom.
sn_status png_write(sn_sink *sink, const uint8_t *rgb, int32_t width, int32_t height);
// An array of height x width numbers of 4 bytes; type: "<f4" or "<i4".
sn_status npy_write(sn_sink *sink, const char *type, const void *numbers, int32_t width,
                    int32_t height);

#endif
