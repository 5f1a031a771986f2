// SPDX-License-Identifier: Apache-2.0
//
// Shadow maps: the depths that lights see, one layer of an array for each light with shadows. The
// map of a directional light is a square around the center of the model, of visual/map shadowclip;
// that of a spotlight is its cone, times shadowscale.
//
// A map need not be finer than the image: its size is a few times that of the image, at most
// visual/quality shadowsize, and what the driver allows. Without memory for maps of that size they
// are smaller.

#include <math.h>

#include "gl.h"

enum { FINER = 3 };   // sides of the map by the larger side of the image

// Draws to a layer from now on.
static void attach(const canvas *c, int layer) {
  glBindFramebuffer(GL_FRAMEBUFFER, c->shadow_frame);
  glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, c->shadow_maps, 0, layer);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
}

// Memory for maps of this size. False: there is none.
static int reserve(canvas *c, int32_t size, int32_t layers) {
  c->shadow_size = size;
  glGenTextures(1, &c->shadow_maps);
  glGenFramebuffers(1, &c->shadow_frame);
  glBindTexture(GL_TEXTURE_2D_ARRAY, c->shadow_maps);
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, size, size, layers, 0,
               GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
  attach(c, 0);
  return glGetError() == GL_NO_ERROR &&
         glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static sn_status make_maps(canvas *c, int32_t size, int32_t layers, sn_error *error) {
  if (c->shadow_maps && c->shadow_wanted == size && c->shadow_layers == layers) {
    return SN_OK;
  }
  SN_TRY(driver_status(c, error));   // below an error is a lack of memory for maps
  shadows_free(c);
  c->shadow_wanted = size;
  c->shadow_layers = layers;
  while (!reserve(c, size, layers)) {
    shadows_free(c);
    size /= 2;
    if (size < 1) {
      return renderer_fail(c->self, error, SN_ENOMEM, "out of memory for the shadows of an image");
    }
  }
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  return SN_OK;
}

void shadows_free(canvas *c) {
  glDeleteTextures(1, &c->shadow_maps);
  glDeleteFramebuffers(1, &c->shadow_frame);
  c->shadow_maps = 0;
  c->shadow_frame = 0;
}

static int32_t map_size(const viewpoint *p) {
  const int32_t wanted = FINER * (p->width > p->height ? p->width : p->height);
  int32_t size = 256;
  GLint most = size;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  most = p->scene->around.shadowsize < most ? p->scene->around.shadowsize : most;
  while (size < wanted && size < most) {
    size *= 2;
  }
  return size < most ? size : most;
}

// What a light sees.
static void light_view(const viewpoint *p, const sn_scene_light *l, float *out) {
  const sn_scene_surroundings *a = &p->scene->around;
  const float reach = 2 * a->extent + 2 * a->shadowclip;
  float look[16], lens[16], up[3] = { 1, 0, 0 }, pos[3], along = 0;
  const int k = fabsf(l->dir[0]) < 0.6F ? 0 : 1;   // an axis that is not that of the light
  up[0] = (float)(k == 0);
  up[1] = (float)(k == 1);
  for (int i = 0; i < 3; i++) {
    along += up[i] * l->dir[i];
  }
  float length = 0;
  for (int i = 0; i < 3; i++) {
    up[i] -= along * l->dir[i];
    length += up[i] * up[i];
  }
  for (int i = 0; i < 3; i++) {
    up[i] /= sqrtf(length);
    pos[i] = l->directional ? a->center[i] - reach / 2 * l->dir[i] : l->pos[i];
  }
  matrix_look(look, pos, l->dir, up);
  if (l->directional) {
    matrix_orthographic(lens, a->shadowclip, 0, reach);
  } else {
    const float cone = l->cutoff < 80 ? l->cutoff : 80;
    matrix_perspective(lens, 2 * cone * a->shadowscale, 1, 0.01F * a->extent, p->scene->eye.far);
  }
  matrix_multiply(out, lens, look);
}

// All items but planes cast shadows, translucent ones as well.
static sn_status draw_casters(const viewpoint *p, sn_error *error) {
  const canvas *c = p->c;
  for (int64_t i = 0; i < c->nitem;) {
    int64_t next = i;
    while (next < c->nitem && !c->item[next].is_plane) {
      next++;
    }
    SN_TRY(draw_items(p, PASS_DEPTH, i, next, error));
    i = next + 1;
  }
  return SN_OK;
}

static int has_shadows(const sn_scene *s, int light) {
  return s->around.shadow && light < MAX_LIGHTS && s->light[light].castshadow;
}

static int count_maps(const sn_scene *s) {
  int n = 0;
  for (int i = 0; i < s->nlight; i++) {
    n += has_shadows(s, i);
  }
  return n < MAX_SHADOWS ? n : MAX_SHADOWS;
}

static sn_status draw_maps(const viewpoint *p, sn_error *error) {
  canvas *c = p->c;
  const sn_scene *s = p->scene;
  const int layers = count_maps(s);
  c->nshadow = 0;
  for (int i = 0; i < MAX_LIGHTS; i++) {
    c->shadow_of[i] = -1;
  }
  if (layers > 0) {
    SN_TRY(make_maps(c, map_size(p), layers, error));
  }
  for (int i = 0; i < s->nlight && c->nshadow < layers; i++) {
    if (!has_shadows(s, i)) {
      continue;
    }
    viewpoint from = *p;
    const int layer = c->nshadow++;
    c->shadow_of[i] = layer;
    light_view(p, &s->light[i], from.view);
    for (int k = 0; k < 16; k++) {
      c->shadow_matrix[layer][k] = from.view[k];
    }
    attach(c, layer);
    glViewport(0, 0, c->shadow_size, c->shadow_size);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);   // a surface does not shadow itself
    glPolygonOffset(2, 8);
    const sn_status status = draw_casters(&from, error);
    glDisable(GL_POLYGON_OFFSET_FILL);
    SN_TRY(status);
  }
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D_ARRAY, c->shadow_maps);
  glActiveTexture(GL_TEXTURE0);
  return SN_OK;
}

// In a part of a window, scissors would cut the maps, too.
sn_status shadows_draw(const viewpoint *p, sn_error *error) {
  const int is_cut = glIsEnabled(GL_SCISSOR_TEST);
  glDisable(GL_SCISSOR_TEST);
  const sn_status status = draw_maps(p, error);
  (is_cut ? glEnable : glDisable)(GL_SCISSOR_TEST);
  return status;
}
