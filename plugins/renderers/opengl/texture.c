// SPDX-License-Identifier: Apache-2.0
//
// Textures on the card: flat ones, with smaller versions for what is far away, and cubes.

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

static void make_flat(const sn_scene_texture *t) {
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, t->width, t->height, 0, GL_RGB, GL_UNSIGNED_BYTE, t->rgb);
  set_filter(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_REPEAT);
}

// Six squares one below the other; or one that is repeated.
static void make_cube(const sn_scene_texture *t) {
  const int32_t side = t->width, n = t->height / (side > 0 ? side : 1);
  for (int face = 0; face < 6; face++) {
    const int64_t square = n >= 6 ? face : 0;
    glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face, 0, GL_RGB8, side, side, 0, GL_RGB,
                 GL_UNSIGNED_BYTE, t->rgb + square * 3 * side * side);
  }
  set_filter(GL_TEXTURE_CUBE_MAP, GL_LINEAR_MIPMAP_LINEAR, GL_CLAMP_TO_EDGE);
}

void textures_make(canvas *c, const sn_scene *scene) {
  c->texture = calloc((size_t)scene->ntexture + 1, sizeof *c->texture);
  c->ntexture = c->texture ? scene->ntexture : 0;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
  for (int64_t i = 0; i < c->ntexture; i++) {
    const sn_scene_texture *t = &scene->texture[i];
    const int is_flat = t->type == SN_TEXTURE_2D;
    glGenTextures(1, &c->texture[i]);
    glBindTexture(is_flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP, c->texture[i]);
    (is_flat ? make_flat : make_cube)(t);
  }
}

void textures_free(canvas *c) {
  glDeleteTextures((GLsizei)c->ntexture, c->texture);
  free(c->texture);
  c->texture = NULL;
  c->ntexture = 0;
}
