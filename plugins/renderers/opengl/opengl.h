// SPDX-License-Identifier: Apache-2.0
//
// The instance of the renderer, which both of its files have: plugin.c, which is always loaded, and
// the part that draws, which is loaded with the first canvas.

#ifndef OPENGL_OPENGL_H
#define OPENGL_OPENGL_H

#include "sinew/instance.h"
#include "sinew/renderer.h"

enum { MAX_MIRRORS = 8 };   // each draws the scene once more

typedef struct renderer {
  sn_instance base;
  int32_t mirrors;   // 0 to MAX_MIRRORS
  int32_t reserved;
} renderer;

// What a canvas of the part starts with.
typedef struct drawing {
  const sn_renderer_ops *ops;   // of the part
} drawing;

// parameters.c
extern const sn_param renderer_params[];
sn_status renderer_create(const sn_host *host, const sn_value *values, void **self,
                          sn_error *error);

#endif
