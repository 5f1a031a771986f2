// SPDX-License-Identifier: Apache-2.0
//
// Pixels of faces, by a depth buffer: colors, depths, ids, and which faces are visible at all.
// 1 / depth is linear in the image, so the buffer holds that: the largest is the nearest.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

typedef struct buffers {
  drawing *x;
  sn_image *image;
  float *solid, *nearest;   // 1 / depth of opaque faces, of all
  int32_t *owner;           // index of the nearest face; -1: none
} buffers;

static uint8_t to_byte(float c) {
  return (uint8_t)(255 * fminf(fmaxf(c, 0), 1) + 0.5F);
}

// A pixel of a face. Translucent ones come after all opaque ones, the farthest first.
static void put(const buffers *b, int64_t i, int64_t at, float inverse) {
  face *f = &b->x->face[i];
  const int is_clear = i >= b->x->nopaque;
  if (inverse <= b->solid[at]) {
    return;
  }
  uint8_t *rgb = b->image->rgb ? b->image->rgb + 3 * at : NULL;
  for (int k = 0; k < 3 && rgb; k++) {
    const float old = (float)rgb[k] / 255;
    rgb[k] = to_byte(b->x->scene->around.additive && is_clear
                         ? old + f->alpha * f->rgb[k]
                         : f->alpha * f->rgb[k] + (1 - f->alpha) * old);
  }
  f->is_visible |= is_clear;
  if (!is_clear) {
    b->solid[at] = inverse;
  }
  if (inverse > b->nearest[at]) {
    b->nearest[at] = inverse;
    b->owner[at] = (int32_t)i;
  }
}

// Twice the area of a triangle: positive where it is clockwise in the image, y down.
static double area(const float *a, const float *b, double x, double y) {
  return ((double)b[0] - (double)a[0]) * (y - (double)a[1]) -
         ((double)b[1] - (double)a[1]) * (x - (double)a[0]);
}

static void fill_triangle(const buffers *b, int64_t i, const float *p, const float *q,
                          const float *r) {
  const double whole = area(p, q, (double)r[0], (double)r[1]);
  const float left = fminf(p[0], fminf(q[0], r[0])), right = fmaxf(p[0], fmaxf(q[0], r[0]));
  const float top = fminf(p[1], fminf(q[1], r[1])), bottom = fmaxf(p[1], fmaxf(q[1], r[1]));
  const int32_t w = b->x->width, h = b->x->height;
  const int32_t x0 = (int32_t)fminf(fmaxf(left, 0), (float)w),
                y0 = (int32_t)fminf(fmaxf(top, 0), (float)h);
  const int32_t x1 = (int32_t)fminf(fmaxf(right + 1, 0), (float)w);
  const int32_t y1 = (int32_t)fminf(fmaxf(bottom + 1, 0), (float)h);
  for (int32_t y = y0; y < y1 && whole != 0; y++) {
    for (int32_t x = x0; x < x1; x++) {
      const double cx = (double)x + 0.5, cy = (double)y + 0.5;
      const double u = area(q, r, cx, cy) / whole, v = area(r, p, cx, cy) / whole;
      const double t = 1 - u - v;
      if (u >= 0 && v >= 0 && t >= 0) {
        put(b, i, (int64_t)y * w + x,
            (float)(u / (double)p[2] + v / (double)q[2] + t / (double)r[2]));
      }
    }
  }
}

static void fill_background(const buffers *b) {
  const drawing *x = b->x;
  const int64_t n = (int64_t)x->width * x->height;
  for (int64_t i = 0; i < n; i++) {
    b->solid[i] = b->nearest[i] = 1 / x->scene->eye.far;
    b->owner[i] = -1;
  }
  for (int64_t i = 0; i < n && b->image->rgb; i++) {
    const int64_t row = i / x->width;
    float sky[3];
    drawing_sky(x, (float)row + 0.5F, sky);
    for (int k = 0; k < 3; k++) {
      b->image->rgb[3 * i + k] = to_byte(sky[k]);
    }
  }
}

static void finish(const buffers *b) {
  const drawing *x = b->x;
  for (int64_t i = 0; i < (int64_t)x->width * x->height; i++) {
    const int32_t owner = b->owner[i];
    if (owner >= 0) {
      x->face[owner].is_visible = 1;
    }
    if (b->image->depth) {
      b->image->depth[i] = owner < 0 ? x->scene->eye.far : 1 / b->nearest[i];
    }
    if (b->image->segment) {
      b->image->segment[i] = owner < 0 ? -1 : x->face[owner].geom;
    }
  }
}

int raster_fill(drawing *x, sn_image *image) {
  const size_t n = (size_t)x->width * (size_t)x->height;
  buffers b = { .x = x, .image = image };
  b.solid = malloc(n * sizeof(float));
  b.nearest = malloc(n * sizeof(float));
  b.owner = malloc(n * sizeof(int32_t));
  const int good = b.solid && b.nearest && b.owner;
  if (good) {
    fill_background(&b);
    for (int64_t i = 0; i < x->n; i++) {
      const face *f = &x->face[i];
      for (int k = 2; k < f->n; k++) {
        fill_triangle(&b, i, f->corner[0], f->corner[k - 1], f->corner[k]);
      }
    }
    finish(&b);
  }
  free(b.solid);
  free(b.nearest);
  free(b.owner);
  return good;
}
