// SPDX-License-Identifier: Apache-2.0
//
// Textures from files: an image, or, with any other extension, little-endian
//
//   int32 width, int32 height, byte rgb[3 * width * height]
//
//   2D         the image
//   cube, sky  one square image for all faces; or an image cut into a grid, whose layout is a
//              letter for each cell, row by row: R L U D F B for a face, . for none; or an image
//              for each face. Faces are stored below each other in that order; those that are
//              missing have the first color
//
//      . U . .
//      L F R B    is gridsize 3 4, gridlayout .U..LFRB.D..
//      . D . .
//
// An image is flipped before it is cut.
//
// Reference of the binary file: the documentation of MJCF, element texture.

#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"
#include "sinew/math.h"

enum { FACES = 6, LARGEST = 1 << 15, RGB = 3 };

static const char letters[FACES + 1] = "RLUDFB";

// ------------------------------------------------------------------ one image

static uint32_t word_at(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static sn_status read_binary(si_build *b, int64_t id, const char *file, const uint8_t *bytes,
                             int64_t count, si_mesh_result *image) {
  int64_t width = count < 8 ? 0 : word_at(bytes), height = count < 8 ? 0 : word_at(bytes + 4);
  int bounded = width > 0 && height > 0 && width <= LARGEST && height <= LARGEST;
  if (!bounded || count != 8 + RGB * width * height) {
    char known[128];
    return SI_FAIL(
        b, texture, id,
        "file '%s' cannot be read; images can have the extensions %s; a file with any other "
        "extension must contain width and height, 4 bytes each, then 3 bytes for each pixel; "
        "convert it",
        file, si_mesh_images(b, known, sizeof known));
  }
  return image->sink.pixels(&image->sink, width, height, RGB, bytes + 8) < 0
             ? si_build_fail(b, SN_ENOMEM, SI_ELEMENT_texture, id, "out of memory")
             : SN_OK;
}

static void swap_pixels(uint8_t *a, uint8_t *b) {
  for (int k = 0; k < RGB; k++) {
    uint8_t keep = a[k];
    a[k] = b[k];
    b[k] = keep;
  }
}

static void flip(si_mesh_result *image, int horizontal, int vertical) {
  int64_t w = image->width, h = image->height;
  for (int64_t row = 0; horizontal && row < h; row++) {
    uint8_t *line = image->pixels + RGB * row * w;
    for (int64_t i = 0, k = w - 1; i < k; i++, k--) {
      swap_pixels(line + RGB * i, line + RGB * k);
    }
  }
  for (int64_t i = 0, k = h - 1; vertical && i < k; i++, k--) {
    for (int64_t col = 0; col < w; col++) {
      swap_pixels(image->pixels + RGB * (i * w + col), image->pixels + RGB * (k * w + col));
    }
  }
}

static sn_status read_image(si_build *b, int64_t id, const char *file, const uint8_t *bytes,
                            int64_t count, si_mesh_result *image) {
  const sn_texture_def *def = SI_DEF(b, texture, id);
  file = file ? file : "";
  if (!bytes) {
    return SI_FAIL(b, texture, id, "its file '%s' is empty, or was not read", file);
  }
  SN_TRY(si_mesh_is_image(b, file)
             ? si_mesh_image(b, SI_ELEMENT_texture, id, file, bytes, count, RGB, image)
             : read_binary(b, id, file, bytes, count, image));
  flip(image, def->hflip, def->vflip);
  return SN_OK;
}

// ------------------------------------------------------------------ faces of a cube

// Six faces of side w, all of the first color.
static sn_status make_faces(si_build *b, int64_t id, int64_t w, si_mesh_result *cube) {
  const double *rgb = SI_DEF(b, texture, id)->rgb1;
  cube->pixels = malloc((size_t)(FACES * RGB * w * w));
  if (!cube->pixels) {
    return si_build_fail(b, SN_ENOMEM, SI_ELEMENT_texture, id, "out of memory");
  }
  for (int64_t i = 0; i < FACES * RGB * w * w; i++) {
    cube->pixels[i] = (uint8_t)(255 * sn_clamp(rgb[i % RGB], 0, 1));
  }
  cube->width = w;
  cube->height = FACES * w;
  cube->channels = RGB;
  return SN_OK;
}

// The square of an image whose upper left pixel is (row, col) becomes a face.
static void put_face(si_mesh_result *cube, int64_t face, const si_mesh_result *image, int64_t row,
                     int64_t col) {
  int64_t w = cube->width;
  for (int64_t i = 0; i < w; i++) {
    memcpy(cube->pixels + RGB * (face * w + i) * w,
           image->pixels + RGB * ((row + i) * image->width + col), (size_t)(RGB * w));
  }
}

static sn_status cut_grid(si_build *b, int64_t id, const si_mesh_result *image,
                          si_mesh_result *cube) {
  const sn_texture_def *def = SI_DEF(b, texture, id);
  const char *layout = def->gridlayout ? def->gridlayout : "";
  int64_t rows = def->gridsize[0], cols = def->gridsize[1], n = (int64_t)strlen(layout);
  if (rows < 1 || cols < 1 || rows * cols > 12 || (n > 0 && n != rows * cols)) {
    return SI_FAIL(b, texture, id,
                   "gridsize %lld %lld and a gridlayout of %lld letters: a grid has at most 12 "
                   "cells, and gridlayout one letter for each",
                   (long long)rows, (long long)cols, (long long)n);
  }
  if (image->height % rows || image->width % cols || image->height / rows != image->width / cols) {
    return SI_FAIL(b, texture, id,
                   "its image of %lld x %lld pixels cannot be cut into %lld columns and %lld rows "
                   "of squares",
                   (long long)image->width, (long long)image->height, (long long)cols,
                   (long long)rows);
  }
  int64_t w = image->width / cols;
  SN_TRY(make_faces(b, id, w, cube));
  for (int64_t i = 0; i < n; i++) {
    const char *face = layout[i] == '.' ? NULL : strchr(letters, layout[i]);
    if (!face && layout[i] != '.') {
      return SI_FAIL(b, texture, id, "gridlayout contains '%c'; the letters are R L U D F B and .",
                     layout[i]);
    }
    if (face) {
      put_face(cube, face - letters, image, i / cols * w, i % cols * w);
    }
  }
  return SN_OK;
}

static sn_status read_faces(si_build *b, int64_t id, si_mesh_result *cube) {
  const sn_texture_def *def = SI_DEF(b, texture, id);
  sn_status status = SN_OK;
  for (int64_t face = 0; face < FACES && status >= 0; face++) {
    if (!def->cubebytes[face]) {
      continue;
    }
    si_mesh_result image;
    si_mesh_result_init(&image);
    status = read_image(b, id, def->cubefile[face], def->cubebytes[face], def->ncubebytes[face],
                        &image);
    if (status >= 0 && !cube->pixels) {
      status = make_faces(b, id, image.width, cube);
    }
    if (status >= 0 && (image.width != cube->width || image.height != cube->width)) {
      status = SI_FAIL(b, texture, id,
                       "the image of face %c has %lld x %lld pixels; all must be squares of one "
                       "size, and the first has a width of %lld",
                       letters[face], (long long)image.width, (long long)image.height,
                       (long long)cube->width);
    }
    if (status >= 0) {
      put_face(cube, face, &image, 0, 0);
    }
    si_mesh_result_free(&image);
  }
  return status;
}

// ------------------------------------------------------------------ any

static sn_status read_cube(si_build *b, int64_t id, si_mesh_result *out) {
  const sn_texture_def *def = SI_DEF(b, texture, id);
  if (!def->bytes) {
    return read_faces(b, id, out);
  }
  if (def->gridsize[0] == 1 && def->gridsize[1] == 1) {
    SN_TRY(read_image(b, id, def->file, def->bytes, def->nbytes, out));
    return out->width == out->height
               ? SN_OK
               : SI_FAIL(b, texture, id, "its image of %lld x %lld pixels is not square",
                         (long long)out->width, (long long)out->height);
  }
  si_mesh_result image;
  si_mesh_result_init(&image);
  sn_status status = read_image(b, id, def->file, def->bytes, def->nbytes, &image);
  status = status < 0 ? status : cut_grid(b, id, &image, out);
  si_mesh_result_free(&image);
  return status;
}

sn_status si_texture_read(si_build *b, int64_t id, si_mesh_result *out) {
  const sn_texture_def *def = SI_DEF(b, texture, id);
  int faces = 0;
  for (int i = 0; i < FACES; i++) {
    faces += def->cubebytes[i] != NULL;
  }
  if (!def->bytes && (faces == 0 || def->type == SN_TEXTURE_2D)) {
    return SI_FAIL(b, texture, id, "%s",
                   faces ? "a 2d texture takes one file, not one for each face"
                         : "neither file nor builtin is specified; specify one of them");
  }
  return def->type == SN_TEXTURE_2D ? read_image(b, id, def->file, def->bytes, def->nbytes, out)
                                    : read_cube(b, id, out);
}
