// SPDX-License-Identifier: Apache-2.0
//
// Textures on the card: flat ones, with smaller versions for what is far away, and cubes. Those
// that are larger than the driver allows are scaled down.

#include <stdlib.h>

#include "gl.h"

static void set_filter(GLenum kind, GLint shrink, GLint wrap) {
  glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, shrink);
  glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(kind, GL_TEXTURE_WRAP_S, wrap);
  glTexParameteri(kind, GL_TEXTURE_WRAP_T, wrap);
  glTexParameteri(kind, GL_TEXTURE_WRAP_R, wrap);
  if (shrink == GL_LINEAR_MIPMAP_LINEAR) {
    glGenerateMipmap(kind);
  }
}

// The mean of a rectangle of an image, in one channel.
static uint8_t mean(const uint8_t *rgb, int64_t width, const int64_t x[2], const int64_t y[2]) {
  int64_t sum = 0;
  for (int64_t row = y[0]; row < y[1]; row++) {
    for (int64_t at = x[0]; at < x[1]; at++) {
      sum += rgb[3 * (row * width + at)];
    }
  }
  return (uint8_t)(sum / ((x[1] - x[0]) * (y[1] - y[0])));
}

// An image of w x h pixels, each the mean of those that it replaces; NULL: out of memory.
static uint8_t *shrink(const uint8_t *rgb, int64_t width, int64_t height, int64_t w, int64_t h) {
  uint8_t *out = malloc((size_t)(3 * w * h));
  for (int64_t i = 0; out && i < w * h; i++) {
    const int64_t at[2] = { i % w, i / w };
    const int64_t x[2] = { at[0] * width / w, (at[0] + 1) * width / w };
    const int64_t y[2] = { at[1] * height / h, (at[1] + 1) * height / h };
    for (int k = 0; k < 3; k++) {
      out[3 * i + k] = mean(rgb + k, width, x, y);
    }
  }
  return out;
}

// One image of the bound texture. False: out of memory.
static int load(GLenum face, const uint8_t *rgb, int32_t width, int32_t height, GLint most) {
  const int32_t w = width < most ? width : most, h = height < most ? height : most;
  uint8_t *smaller = w < width || h < height ? shrink(rgb, width, height, w, h) : NULL;
  if ((w < width || h < height) && !smaller) {
    return 0;
  }
  glTexImage2D(face, 0, GL_RGB8, w, h, 0, GL_RGB, GL_UNSIGNED_BYTE, smaller ? smaller : rgb);
  free(smaller);
  return 1;
}

static int make_flat(const sn_scene_texture *t) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (!load(GL_TEXTURE_2D, t->rgb, t->width, t->height, most)) {
    return 0;
  }
  set_filter(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_REPEAT);
  return 1;
}

// Six squares one below the other; or one that is repeated.
static int make_cube(const sn_scene_texture *t) {
  const int32_t side = t->width, n = t->height / (side > 0 ? side : 1);
  GLint most = 0;
  glGetIntegerv(GL_MAX_CUBE_MAP_TEXTURE_SIZE, &most);
  for (int face = 0; face < 6; face++) {
    const int64_t square = n >= 6 ? face : 0;
    if (!load(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face, t->rgb + square * 3 * side * side,
              side, side, most)) {
      return 0;
    }
  }
  set_filter(GL_TEXTURE_CUBE_MAP, GL_LINEAR_MIPMAP_LINEAR, GL_CLAMP_TO_EDGE);
  return 1;
}

int textures_make(canvas *c, const sn_scene *scene) {
  c->texture = calloc((size_t)scene->ntexture + 1, sizeof *c->texture);
  c->ntexture = c->texture ? scene->ntexture : 0;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
  int made = c->texture != NULL;
  for (int64_t i = 0; made && i < c->ntexture; i++) {
    const sn_scene_texture *t = &scene->texture[i];
    const int is_flat = t->type == SN_TEXTURE_2D;
    glGenTextures(1, &c->texture[i]);
    glBindTexture(is_flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP, c->texture[i]);
    made = (is_flat ? make_flat : make_cube)(t);
  }
  return made;
}

void textures_free(canvas *c) {
  glDeleteTextures((GLsizei)c->ntexture, c->texture);
  free(c->texture);
  c->texture = NULL;
  c->ntexture = 0;
}
