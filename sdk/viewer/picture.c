// SPDX-License-Identifier: Apache-2.0
//
// The picture: the scene of the state, drawn by the renderer `opengl` into the window.

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "parts.h"

sn_status picture_open(sn_viewer *v, sn_error *error) {
  picture *p = &v->picture;
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

void picture_close(sn_viewer *v) {
  picture *p = &v->picture;
  if (p->canvas) {
    p->ops->close(p->self, p->canvas);
  }
  sn_scene_free(p->scene);
  p->canvas = NULL;
  p->scene = NULL;
}

void picture_free_camera(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->picture.camera = sn_scene_free_camera(v->m);
}

sn_status picture_draw(sn_viewer *v, sn_error *error) {
  picture *p = &v->picture;
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

// Where a point of the scene is in the window. False: behind the camera.
static int project(const sn_viewer *v, const float *point, float *x, float *y) {
  const picture *p = &v->picture;
  const sn_scene_eye *e = &p->scene->eye;
  float right[3], offset[3], along = 0, across = 0, up = 0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    right[i] = e->forward[j] * e->up[k] - e->forward[k] * e->up[j];
    offset[i] = point[i] - e->pos[i];
  }
  for (int i = 0; i < 3; i++) {
    along += offset[i] * e->forward[i];
    across += offset[i] * right[i];
    up += offset[i] * e->up[i];
  }
  const float half = along * tanf(e->fovy * 3.14159265F / 360);
  if (along < e->near) {
    return 0;
  }
  *x = p->x + 0.5F * p->width + 0.5F * p->height * across / half;
  *y = p->y + 0.5F * p->height - 0.5F * p->height * up / half;
  return *x > p->x && *x < p->x + p->width;
}

void picture_paint_labels(sn_viewer *v) {
  const sn_scene *s = v->picture.scene;
  float x, y;
  for (int64_t i = 0; i < s->ngeom; i++) {
    const sn_scene_geom *g = &s->geom[i];
    if (g->label && *g->label && project(v, g->pos, &x, &y)) {
      gui_paint_text(x, y, 0xffffffffu, g->label);
    }
  }
}
