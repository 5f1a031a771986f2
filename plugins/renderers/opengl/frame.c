// SPDX-License-Identifier: Apache-2.0
//
// An image, pass by pass: shadow maps; opaque items; what they reflect; the sky behind them;
// translucent items; labels. Or ids and depths: all items, as if they were opaque.

#include <math.h>
#include <string.h>

#include "gl.h"

static void set_view(viewpoint *p) {
  const sn_scene_eye *eye = &p->scene->eye;
  float look[16], lens[16];
  memcpy(p->eye, eye->pos, sizeof p->eye);
  p->strength = 1;
  matrix_look(look, eye->pos, eye->forward, eye->up);
  matrix_perspective(lens, eye->fovy, (float)p->width / (float)p->height, eye->near, eye->far);
  matrix_multiply(p->view, lens, look);
}

static int64_t count_opaque(const canvas *c) {
  int64_t n = 0;
  while (n < c->nitem && !c->item[n].is_clear) {
    n++;
  }
  return n;
}

static int prepare(viewpoint *p) {
  canvas *c = p->c;
  set_view(p);
  if (!items_make(c, p)) {
    return 0;
  }
  if (!c->instance_buffer) {
    glGenBuffers(1, &c->instance_buffer);
  }
  glBindBuffer(GL_ARRAY_BUFFER, c->instance_buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)(c->nitem + c->nface) * sizeof *c->instances),
               c->instances, GL_STREAM_DRAW);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);   // where boxes share a face, the last one is seen
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_STENCIL_TEST);
  glCullFace(GL_BACK);
  return 1;
}

// The first infinite plane that is seen from above: its normal, and the height of the eye; 0: none.
static void find_horizon(const sn_scene *s, float *plane) {
  for (int64_t i = 0; i < s->ngeom; i++) {
    const sn_scene_geom *g = &s->geom[i];
    float height = 0;
    for (int k = 0; k < 3; k++) {
      plane[k] = g->mat[3 * k + 2];
      height += plane[k] * (s->eye.pos[k] - g->pos[k]);
    }
    if (is_infinite_plane(g) && height > 0) {
      plane[3] = height;
      return;
    }
  }
  plane[3] = 0;
}

// The sky, where nothing was drawn.
static sn_status draw_sky(const viewpoint *p, sn_error *error) {
  canvas *c = p->c;
  const sn_scene *s = p->scene;
  const sn_scene_eye *eye = &s->eye;
  const program *use = program_use(c, PASS_SKY, 0, 0, 0, error);
  if (!use) {
    return SN_EUNSUPPORTED;
  }
  const float up = tanf(eye->fovy * 3.14159265F / 360);
  const float across = up * (float)p->width / (float)p->height;
  const float *f = eye->forward, *u = eye->up;
  const float right[3] = { f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2],
                           f[0] * u[1] - f[1] * u[0] };
  float toward[16] = { 0 }, around[4][4] = { { 0 } };
  for (int k = 0; k < 3; k++) {
    toward[k] = across * right[k];
    toward[4 + k] = up * u[k];
    toward[8 + k] = f[k];
    around[2][k] = s->around.hazergba[k];
  }
  find_horizon(s, around[1]);
  around[2][3] = around[1][3] > 0 ? (float)s->around.haze * s->around.hazergba[3] : 0;
  around[3][1] = HAZE_END * eye->far;
  glUniformMatrix4fv(use->view, 1, GL_FALSE, toward);
  glUniform4fv(use->around, 4, around[0]);
  glBindTexture(GL_TEXTURE_CUBE_MAP, c->texture[s->around.skybox]);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
  glDisable(GL_CULL_FACE);
  glBindVertexArray(c->shape[SHAPE_PLANE].array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  return SN_OK;
}

static sn_status draw_opaque(const viewpoint *p, int64_t n, sn_error *error) {
  const item *at = p->c->item;
  for (int64_t i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && at[next].is_covered == at[i].is_covered; next++) {}
    SN_TRY(draw_items(p, at[i].is_covered ? PASS_DEPTH : PASS_COLOR, i, next, error));
  }
  return SN_OK;
}

sn_status frame_color(viewpoint *p, sn_error *error) {
  canvas *c = p->c;
  const sn_scene_surroundings *a = &p->scene->around;
  GLint frame = 0, viewport[4];
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame);
  glGetIntegerv(GL_VIEWPORT, viewport);
  if (!prepare(p)) {
    return renderer_fail(c->self, error, SN_ENOMEM, "out of memory for the geoms of an image");
  }
  SN_TRY(shadows_draw(p, error));
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)frame);
  glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
  glClearColor(0, 0, 0, 1);
  glClearStencil(0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  if (a->wireframe) {
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  }
  const int64_t opaque = count_opaque(c);
  const int reflects = c->nface > 0 && a->reflection && !a->wireframe;
  if (reflects) {
    mirrors_prepare(p);
  }
  SN_TRY(draw_opaque(p, opaque, error));
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  if (reflects) {
    SN_TRY(mirrors_draw(p, error));
  }
  if (a->skybox >= 0 && a->skybox < c->ntexture) {
    SN_TRY(draw_sky(p, error));
  }
  if (a->wireframe) {
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  }
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, a->additive ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  SN_TRY(draw_items(p, PASS_COLOR, opaque, c->nitem, error));
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  SN_TRY(labels_draw(p, error));
  glBindVertexArray(0);
  return SN_OK;
}

sn_status frame_ids(viewpoint *p, sn_error *error) {
  canvas *c = p->c;
  const GLint nothing[4] = { -1, -1, -1, -1 };
  const GLfloat far[4] = { p->scene->eye.far, 0, 0, 0 };
  if (!prepare(p)) {
    return renderer_fail(c->self, error, SN_ENOMEM, "out of memory for the geoms of an image");
  }
  glViewport(0, 0, p->width, p->height);
  glClear(GL_DEPTH_BUFFER_BIT);
  glClearBufferiv(GL_COLOR, 0, nothing);
  glClearBufferfv(GL_COLOR, 1, far);
  const sn_status status = draw_items(p, PASS_ID, 0, c->nitem, error);
  glBindVertexArray(0);
  return status;
}
