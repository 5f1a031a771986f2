// SPDX-License-Identifier: Apache-2.0
//
// The operations of renderer `opengl` on its canvases. In: a scene. Out: colors, depths and ids, or
// what is on the screen. frame.c has the passes of an image.

#include <stdlib.h>
#include <string.h>

#include "gl.h"

static void drop_assets(canvas *c) {
  shapes_free(c);
  textures_free(c);
  c->scene = 0;
}

// Meshes and textures of this scene are on the card.
static sn_status take_assets(canvas *c, const sn_scene *scene, sn_error *error) {
  int has_memory;
  if (shapes_are_of(c, scene)) {
    has_memory = shapes_update(c, scene);
  } else {
    drop_assets(c);
    has_memory = shapes_make(c, scene) && textures_make(c, scene);
  }
  if (!has_memory) {
    return renderer_fail(c->self, error, SN_ENOMEM,
                         "out of memory for the shapes and textures of an image");
  }
  c->scene = scene->id;
  return SN_OK;
}

// ------------------------------------------------------------------ errors of the driver

// Those of the program whose context it is.
static void clear_errors(void) {
  enum { FLAGS = 16 };   // a driver may have several; one that is reset has them forever
  for (int i = 0; i < FLAGS && glGetError() != GL_NO_ERROR; i++) {}
}

// The status of an image. After a failure its assets may be incomplete.
static sn_status end_image(canvas *c, sn_status status, sn_error *error) {
  status = status < 0 ? status : driver_status(c, error);
  if (status < 0) {
    drop_assets(c);
  }
  return status;
}

// ------------------------------------------------------------------ canvases

static sn_status opengl_open(const void *self, int32_t how, void **out, sn_error *error) {
  canvas *c = sn_instance_alloc(self, sizeof *c, error);
  if (!c) {
    return SN_ENOMEM;
  }
  c->self = self;
  c->how = how;
  const sn_status status = context_open(c, error);
  if (status < 0) {
    sn_instance_unbind(self, c);
    return status;
  }
  context_leave(c);
  *out = c;
  return SN_OK;
}

static void opengl_close(const void *self, void *canvas_of) {
  canvas *c = canvas_of;
  if (context_enter(c, NULL) >= 0) {
    drop_assets(c);
    programs_free(c);
    shadows_free(c);
    labels_free(c);
    glDeleteBuffers(1, &c->instance_buffer);
    target_free(&c->smooth);
    target_free(&c->plain);
    target_free(&c->ids);
  }
  items_free(c);
  free(c->label);
  context_close(c);
  sn_instance_unbind(self, c);
}

// ------------------------------------------------------------------ images

// OpenGL's rows go from bottom to top.
static void turn_over(void *pixels, int64_t row, int64_t rows) {
  uint8_t *p = pixels;
  for (int64_t i = 0; i < rows / 2; i++) {
    uint8_t *a = p + i * row, *b = p + (rows - 1 - i) * row;
    for (int64_t k = 0; k < row; k++) {
      const uint8_t swap = a[k];
      a[k] = b[k];
      b[k] = swap;
    }
  }
}

static sn_status render_colors(viewpoint *p, sn_image *image, sn_error *error) {
  canvas *c = p->c;
  const int32_t w = image->width, h = image->height;
  SN_TRY(target_color(c, &c->smooth, w, h, p->scene->around.samples, error));
  glViewport(0, 0, w, h);
  SN_TRY(frame_color(p, error));
  if (c->smooth.samples > 1) {
    SN_TRY(target_color(c, &c->plain, w, h, 0, error));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, c->smooth.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, c->plain.frame);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, c->plain.frame);
  }
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glReadPixels(0, 0, w, h, GL_RGB, GL_UNSIGNED_BYTE, image->rgb);
  turn_over(image->rgb, 3 * (int64_t)w, h);
  return SN_OK;
}

static sn_status render_ids(viewpoint *p, sn_image *image, sn_error *error) {
  canvas *c = p->c;
  const int32_t w = image->width, h = image->height;
  SN_TRY(target_ids(c, &c->ids, w, h, error));
  SN_TRY(frame_ids(p, error));
  if (image->segment) {
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(0, 0, w, h, GL_RED_INTEGER, GL_INT, image->segment);
    turn_over(image->segment, 4 * (int64_t)w, h);
  }
  if (image->depth) {
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(0, 0, w, h, GL_RED, GL_FLOAT, image->depth);
    turn_over(image->depth, 4 * (int64_t)w, h);
  }
  return SN_OK;
}

static sn_status render_all(canvas *c, const sn_scene *scene, sn_image *image, sn_error *error) {
  viewpoint p = { .c = c, .scene = scene, .width = image->width, .height = image->height };
  SN_TRY(take_assets(c, scene, error));
  if (image->rgb) {
    SN_TRY(render_colors(&p, image, error));
  }
  if (image->depth || image->segment) {
    SN_TRY(render_ids(&p, image, error));
  }
  return SN_OK;
}

static sn_status opengl_render(const void *self, void *canvas_of, const sn_scene *scene,
                               sn_image *image, sn_error *error) {
  canvas *c = canvas_of;
  if (image->width < 1 || image->height < 1) {
    return renderer_fail(self, error, SN_EINVAL, "an image needs at least one pixel");
  }
  SN_TRY(context_enter(c, error));
  clear_errors();
  const sn_status status = end_image(c, render_all(c, scene, image, error), error);
  context_leave(c);
  return status;
}

static sn_status draw_part(canvas *c, const sn_scene *scene, int32_t x, int32_t y, int32_t width,
                           int32_t height, sn_error *error) {
  viewpoint p = { .c = c, .scene = scene, .width = width, .height = height };
  SN_TRY(take_assets(c, scene, error));
  glViewport(x, y, width, height);
  glEnable(GL_SCISSOR_TEST);
  glScissor(x, y, width, height);
  const sn_status status = frame_color(&p, error);
  glDisable(GL_SCISSOR_TEST);
  return status;
}

static sn_status opengl_draw(const void *self, void *canvas_of, const sn_scene *scene, int32_t x,
                             int32_t y, int32_t width, int32_t height, sn_error *error) {
  (void)self;
  if (width < 1 || height < 1) {
    return SN_OK;
  }
  clear_errors();
  return end_image(canvas_of, draw_part(canvas_of, scene, x, y, width, height, error), error);
}

static const sn_renderer_ops ops = {
  .head = { .size = sizeof(sn_renderer_ops),
            .flags = SN_RENDERER_OPENGL,
            .params = renderer_params,
            .create = renderer_create,
            .destroy = sn_instance_destroy },
  .open = opengl_open,
  .close = opengl_close,
  .render = opengl_render,
  .draw = opengl_draw,
};

static const sn_provide provides[] = {
  SN_PROVIDE_RENDERER("opengl", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "opengl", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "images by OpenGL", .provides = provides)
