// SPDX-License-Identifier: Apache-2.0
//
// The program ffmpeg, which makes a film of pictures.

#ifndef SINEW_TOOLS_ENCODER_H
#define SINEW_TOOLS_ENCODER_H

#include <stdint.h>
#include <sys/types.h>

typedef struct encoder {
  pid_t process;   // 0: it does not run
  int input;       // a socket
} encoder;

// What to say where ffmpeg cannot be started, with the reason as %s.
#define ENCODER_MISSING                                                                      \
  "films need the program ffmpeg, which cannot be started: %s; install it (on Debian: apt-get " \
  "install ffmpeg), or write pictures"

// From the size of pictures to that of their film: most formats have even sizes, and the last
// column or row is left out.
void encoder_size(const char *path, int *width, int *height);
// The most frames a second of a film at `path`.
int encoder_most_fps(const char *path);
// Starts a film of this size at `path`, whose ending is that of its format. 0, or an errno.
int encoder_start(encoder *e, const char *path, int width, int height, int fps);
// Adds a picture of width x height x 3 bytes. 0: ffmpeg has ended.
int encoder_add(const encoder *e, const uint8_t *rgb, int width, int height);
// Ends the film, if one is made. 0: ffmpeg could not write it.
int encoder_end(encoder *e);

#endif
