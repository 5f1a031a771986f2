// SPDX-License-Identifier: Apache-2.0
//
// Videos: the frames of a run, given to ffmpeg.

#ifndef SINEW_TOOLS_VIDEO_H
#define SINEW_TOOLS_VIDEO_H

#include "shown.h"

// Is this the name of a video? NULL is none.
int is_video(const char *path);
// Draws --fps frames a second of a run: see replay.h. DONE, or FAILED or USAGE after reporting.
int video_make(const options *o);

#endif
