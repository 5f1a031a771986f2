// SPDX-License-Identifier: Apache-2.0
//
// The image: the scene of the state, drawn by the renderer `opengl` into the window.

#include <epoxy/gl.h>
#include <math.h>

#include "parts.h"

sn_status image_open(sn_viewer *v, sn_error *error) {
  image *p = &v->image;
  const void *ops = NULL;
  SN_TRY(sn_engine_use(sn_model_engine(v->m), SN_KIND_RENDERER, "opengl", &ops, &p->self, error));
  p->ops = ops;
  p->scene = sn_scene_new(v->m, error);
  if (!p->scene) {
    return SN_ENOMEM;
  }
  p->pull = sn_scene_no_perturbation(v->m);
  return p->ops->open(p->self, SN_CANVAS_CURRENT, &p->canvas, error);
}

void image_close(sn_viewer *v) {
  image *p = &v->image;
  if (p->canvas) {
    p->ops->close(p->self, p->canvas);
  }
  sn_scene_free(p->scene);
  p->canvas = NULL;
  p->scene = NULL;
}

void image_free_camera(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->image.camera = sn_scene_default_camera(v->m);
}

sn_status image_draw(sn_viewer *v, sn_error *error) {
  image *p = &v->image;
  const window *w = &v->window;
  p->x = panels_left(v);
  p->width = fmaxf((float)w->width - p->x - panels_right(v), 1);
  p->y = 0;
  p->height = fmaxf((float)w->height - panels_bottom(v), 1);
  SN_TRY(sn_scene_update(p->scene, v->m, v->d, &p->options, &p->camera, &p->pull, error));
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, (int)((float)w->width * w->pixels), (int)((float)w->height * w->pixels));
  glClearColor(0.11F, 0.12F, 0.14F, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  p->frames++;
  return p->ops->draw(p->self, p->canvas, p->scene, (int32_t)(p->x * w->pixels),
                      (int32_t)(panels_bottom(v) * w->pixels), (int32_t)(p->width * w->pixels),
                      (int32_t)(p->height * w->pixels), error);
}
