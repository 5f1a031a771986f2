// SPDX-License-Identifier: Apache-2.0
//
// The program ffmpeg, which makes a video of images.

#ifndef SINEW_TOOLS_ENCODER_H
#define SINEW_TOOLS_ENCODER_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "sinew/sinew.h"

typedef struct encoder {
  pid_t process;       // 0: it does not run
  int input;           // a socket
  FILE *made;          // the video so far, a file without a name
  sn_output *output;   // where it goes when it is complete
  char message[256];
} encoder;

// The name that ffmpeg has for the format of a video, by the ending of its path. NULL: no video.
const char *encoder_format(const char *path);
// From the size of images to that of their video: most formats have even sizes, and the last
// column or row is left out.
void encoder_size(const char *path, int *width, int *height);
// The most frames a second of a video at `path`.
int encoder_most_fps(const char *path);
// Starts a video of this size at `path`, whose extension selects the format. Returns NULL, or what
// is wrong.
const char *encoder_start(encoder *e, const char *path, int width, int height, int fps,
                          sn_error *error);
// Adds an image of width x height x 3 bytes. 0: ffmpeg has ended.
int encoder_add(const encoder *e, const uint8_t *rgb, int width, int height);
// Ends the video, if one is being made. If it is not complete, no file is written, and an existing
// one is kept. NULL, or what is wrong.
const char *encoder_end(encoder *e, int is_whole, sn_error *error);

#endif
