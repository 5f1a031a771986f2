// SPDX-License-Identifier: Apache-2.0
//
// The program ffmpeg, which makes a film of pictures.

#ifndef SINEW_TOOLS_ENCODER_H
#define SINEW_TOOLS_ENCODER_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "sinew/sinew.h"

typedef struct encoder {
  pid_t process;       // 0: it does not run
  int input;           // a socket
  FILE *made;          // the film so far, a file without a name
  sn_output *output;   // where it goes when it is complete
  char message[256];
} encoder;

// The name that ffmpeg has for the format of a film, by the ending of its path. NULL: no film.
const char *encoder_format(const char *path);
// From the size of pictures to that of their film: most formats have even sizes, and the last
// column or row is left out.
void encoder_size(const char *path, int *width, int *height);
// The most frames a second of a film at `path`.
int encoder_most_fps(const char *path);
// Starts a film of this size at `path`, whose ending is that of its format. NULL, or what is wrong.
const char *encoder_start(encoder *e, const char *path, int width, int height, int fps,
                          sn_error *error);
// Adds a picture of width x height x 3 bytes. 0: ffmpeg has ended.
int encoder_add(const encoder *e, const uint8_t *rgb, int width, int height);
// Ends the film, if one is made. Unless it is whole there is no file, or the old one. NULL, or what
// is wrong.
const char *encoder_end(encoder *e, int is_whole, sn_error *error);

#endif
