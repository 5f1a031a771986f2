// SPDX-License-Identifier: Apache-2.0
//
// A camera and what it sees: the renderer, the scene and its options, as the options of the command
// say.

#ifndef SINEW_TOOLS_SHOWN_H
#define SINEW_TOOLS_SHOWN_H

#include "sinew/renderer.h"
#include "tools/command.h"

typedef struct shown {
  const options *o;
  sn_error *error;
  const sn_renderer_ops *ops;
  const void *self;
  void *canvas;
  sn_scene *scene;
  sn_scene_options options;
  sn_scene_camera camera;
  sn_image image;   // with the arrays that the command writes
} shown;

// DONE, or FAILED or USAGE after reporting. Close it in any case.
int shown_open(shown *x, const options *o, const session *s);
void shown_close(shown *x);
// Draws a state into the image, after sn_forward. DONE, or FAILED after reporting.
int shown_draw(shown *x, const sn_model *m, sn_data *d);

#endif
