// SPDX-License-Identifier: Apache-2.0
//
// Renderer `opengl`: images by OpenGL 3.3, without a screen through EGL, or in the window of a
// program. Most programs draw nothing: the part that draws, and the graphics libraries that it is
// linked with, are loaded with the first canvas. Start from canvas.c.

#include "opengl.h"
#include "sinew/part.h"

#define PART "parts/opengl.so"

static sn_status opengl_open(const void *self, int32_t how, void **canvas, sn_error *error) {
  const renderer *r = self;
  const void *found;
  SN_TRY(
      sn_part_ops(r->base.host, renderer_params, PART, SN_KIND_RENDERER, "opengl", &found, error));
  const sn_renderer_ops *ops = found;
  SN_TRY(ops->open(self, how, canvas, error));
  ((drawing *)*canvas)->ops = ops;
  return SN_OK;
}

static void opengl_close(const void *self, void *canvas) {
  ((const drawing *)canvas)->ops->close(self, canvas);
}

static sn_status opengl_render(const void *self, void *canvas, const sn_scene *scene,
                               sn_image *image, sn_error *error) {
  const drawing *d = canvas;
  return d->ops->render(self, canvas, scene, image, error);
}

static sn_status opengl_draw(const void *self, void *canvas, const sn_scene *scene, int32_t x,
                             int32_t y, int32_t width, int32_t height, sn_error *error) {
  const drawing *d = canvas;
  return d->ops->draw(self, canvas, scene, x, y, width, height, error);
}

static const sn_renderer_ops opengl_ops = {
  .head = { .size = sizeof(sn_renderer_ops),
            .flags = SN_RENDERER_OPENGL,
            .summary = "OpenGL 3.3, without a screen or in a window",
            .params = renderer_params,
            .create = renderer_create,
            .destroy = sn_instance_destroy },
  .open = opengl_open,
  .close = opengl_close,
  .render = opengl_render,
  .draw = opengl_draw,
};

static const sn_provide provides[] = {
  SN_PROVIDE_RENDERER("opengl", &opengl_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "opengl", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "images by OpenGL", .provides = provides, .part = PART)
