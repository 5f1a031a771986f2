// SPDX-License-Identifier: Apache-2.0
//
// Labels in pixels: strokes with round ends, each pixel covered as far as the stroke is near; first
// all edges in black, then all letters in white.

#include <math.h>

#include "stroke_font.h"
#include "svg.h"

typedef struct writing {
  const drawing *x;
  uint8_t *rgb;
  float start[2], unit, half, shade;   // pixels, y down; shade 0 to 1
} writing;

// The distance of a point from a segment.
static float distance(const float *p, const float *a, const float *b) {
  const float u[2] = { b[0] - a[0], b[1] - a[1] }, v[2] = { p[0] - a[0], p[1] - a[1] };
  const float square = u[0] * u[0] + u[1] * u[1];
  const float t = square > 0 ? fminf(fmaxf((u[0] * v[0] + u[1] * v[1]) / square, 0), 1) : 0;
  return hypotf(v[0] - t * u[0], v[1] - t * u[1]);
}

static int clamp(float x, int most) {
  return (int)fminf(fmaxf(x, 0), (float)most);
}

static void put_stroke(void *context, const float *from, const float *to) {
  const writing *w = context;
  const float a[2] = { w->start[0] + w->unit * from[0], w->start[1] - w->unit * from[1] };
  const float b[2] = { w->start[0] + w->unit * to[0], w->start[1] - w->unit * to[1] };
  const float reach = w->half + 1;
  const int x1 = clamp(fmaxf(a[0], b[0]) + reach, w->x->width);
  const int y1 = clamp(fmaxf(a[1], b[1]) + reach, w->x->height);
  for (int y = clamp(fminf(a[1], b[1]) - reach, w->x->height); y < y1; y++) {
    for (int x = clamp(fminf(a[0], b[0]) - reach, w->x->width); x < x1; x++) {
      const float at[2] = { (float)x + 0.5F, (float)y + 0.5F };
      const float part = fminf(fmaxf(w->half + 0.5F - distance(at, a, b), 0), 1);
      uint8_t *rgb = w->rgb + 3 * ((int64_t)y * w->x->width + x);
      for (int k = 0; k < 3; k++) {
        rgb[k] = (uint8_t)((1 - part) * (float)rgb[k] + part * 255 * w->shade + 0.5F);
      }
    }
  }
}

static void put_labels(writing *w) {
  const sn_scene *s = w->x->scene;
  for (int64_t i = 0; i < s->ngeom; i++) {
    const sn_scene_geom *g = &s->geom[i];
    float corner[3];
    if (g->label && *g->label && drawing_project(w->x, g->pos, corner)) {
      w->start[0] = roundf(corner[0] - w->unit * letters_trace(g->label, NULL, NULL) / 2) + 0.5F;
      w->start[1] = roundf(corner[1]) - 0.5F;
      letters_trace(g->label, put_stroke, w);
    }
  }
}

void label_pixels(const drawing *x, uint8_t *rgb) {
  writing w = { .x = x, .rgb = rgb, .unit = letters_unit(x->height) };
  w.half = letters_width(w.unit) / 2 + 1;
  put_labels(&w);
  w.half -= 1;
  w.shade = 1;
  put_labels(&w);
}
