// SPDX-License-Identifier: Apache-2.0
//
// Built-in textures: flat, checker and gradient, with marks.
//
// A 2D texture is one image. A cube or skybox has six square faces below each other, in the order
// right, left, up, down, front, back (+x -x +y -y +z -z):
//
//   [ right ]        flat      the face "down" has the second color
//   [ left  ]        checker   2 x 2 squares per face; the face "front" is inverted, so that the
//   [ up    ]                  pattern continues across the edges
//   [ down  ]        gradient  2D: by the distance from the center; cube: by the angle from
//   [ front ]                  up (first color) to down (second color)
//   [ back  ]
//
// The gradient is soft at both ends: a sine from -1.375 to 1.375, scaled to [0, 1].

#include <math.h>
#include <string.h>

#include "assets/assets.h"
#include "sinew/math.h"

enum { UP = 2, DOWN = 3, FRONT = 4, FACES = 6 };

// One image or face of a texture.
typedef struct image {
  int32_t width, height;
  int32_t face;   // -1: 2D
  int32_t reserved;
  uint8_t *rgb;
  const uint8_t *first;   // of a cube: its first face
} image;

// A pixel of color a + share (b - a).
static void paint(uint8_t *pixel, const double *a, const double *b, double share) {
  for (int k = 0; k < 3; k++) {
    pixel[k] = (uint8_t)(255 * sn_clamp(a[k] + share * (b[k] - a[k]), 0, 1));
  }
}

static uint8_t *row_of(const image *im, int32_t row) {
  return im->rgb + 3 * (int64_t)row * im->width;
}

// Pixels [begin, end) of a row, all of one color.
static void paint_run(const image *im, int32_t row, int32_t begin, int32_t end,
                      const uint8_t *color) {
  uint8_t *p = row_of(im, row) + 3 * (int64_t)begin;
  for (int32_t col = begin; col < end; col++, p += 3) {
    memcpy(p, color, 3);
  }
}

// The share of the second color at a distance in [0, 1] from the first.
static double blend(double x) {
  const double reach = 1.375;
  return 0.5 + 0.5 * sin(2 * reach * (sn_clamp(x, 0, 1) - 0.5)) / sin(reach);
}

// A pixel's coordinate in [-1, 1].
static double coordinate(int32_t i, int32_t n) {
  return n > 1 ? 2.0 * i / (n - 1) - 1 : 0;
}

static void flat(const sn_texture_def *def, const image *im) {
  uint8_t color[3];
  paint(color, def->rgb1, def->rgb2, im->face == DOWN);
  for (int32_t row = 0; row < im->height; row++) {
    paint_run(im, row, 0, im->width, color);
  }
}

static void checker(const sn_texture_def *def, const image *im) {
  uint8_t color[2][3];
  paint(color[0], def->rgb1, def->rgb2, 0);
  paint(color[1], def->rgb1, def->rgb2, 1);
  for (int32_t row = 0; row < im->height; row++) {
    int top = row < im->height / 2, front = im->face == FRONT;
    paint_run(im, row, 0, im->width / 2, color[(1 != top) != front]);
    paint_run(im, row, im->width / 2, im->width, color[(0 != top) != front]);
  }
}

static double gradient_share(const image *im, int32_t row, int32_t col) {
  double x = coordinate(col, im->width), y = coordinate(row, im->height);
  if (im->face < 0) {
    return blend(sqrt(x * x + y * y));
  }
  // the direction of the pixel: its height above the middle, and the rest
  double up = im->face == UP ? 1 : (im->face == DOWN ? -1 : -y);
  double level = im->face == UP || im->face == DOWN ? sqrt(x * x + y * y) : sqrt(x * x + 1);
  return blend(atan2(level, up) / SN_PI);
}

// Left and right are alike; so are top and bottom, but on the sides of a cube, which are all alike.
static void gradient(const sn_texture_def *def, const image *im) {
  int side = im->face >= 0 && im->face != UP && im->face != DOWN;
  size_t bytes = 3 * (size_t)im->width;
  if (side && im->face > 0) {
    memcpy(im->rgb, im->first, bytes * (size_t)im->height);
    return;
  }
  for (int32_t row = 0; row < im->height; row++) {
    int32_t mirror = im->height - 1 - row;
    uint8_t *out = row_of(im, row);
    if (!side && mirror < row) {
      memcpy(out, row_of(im, mirror), bytes);
      continue;
    }
    for (int32_t col = 0; 2 * col < im->width; col++) {
      uint8_t *p = out + 3 * (int64_t)col;
      paint(p, def->rgb1, def->rgb2, gradient_share(im, row, col));
      memcpy(out + 3 * (int64_t)(im->width - 1 - col), p, 3);
    }
  }
}

typedef void pattern(const sn_texture_def *def, const image *im);

static pattern *const patterns[] = {
  [SN_BUILTIN_NONE] = flat,
  [SN_BUILTIN_GRADIENT] = gradient,
  [SN_BUILTIN_CHECKER] = checker,
  [SN_BUILTIN_FLAT] = flat,
};

// ------------------------------------------------------------------ marks

static int edge(const image *im, int32_t row, int32_t col, double chance) {
  (void)chance;
  return row == 0 || col == 0 || row == im->height - 1 || col == im->width - 1;
}

static int cross(const image *im, int32_t row, int32_t col, double chance) {
  (void)chance;
  return row == im->height / 2 || col == im->width / 2;
}

// The same dots each time: a hash of the pixel decides (splitmix64, Steele and others 2014).
static int dots(const image *im, int32_t row, int32_t col, double chance) {
  uint64_t x = ((uint64_t)(im->face + 1) << 48) + (uint64_t)row * (uint64_t)im->width +
               (uint64_t)col;
  x = (x + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)(x >> 40) / 16777216 < chance;
}

typedef int mark(const image *im, int32_t row, int32_t col, double chance);

static mark *const marks[] = {
  [SN_MARK_NONE] = NULL, [SN_MARK_EDGE] = edge, [SN_MARK_CROSS] = cross, [SN_MARK_RANDOM] = dots
};

static void paint_marks(const sn_texture_def *def, const image *im) {
  uint8_t color[3];
  mark *marked = marks[def->mark];
  paint(color, def->markrgb, def->markrgb, 0);
  for (int32_t row = 0; marked && row < im->height; row++) {
    for (int32_t col = 0; col < im->width; col++) {
      if (marked(im, row, col, def->random)) {
        paint_run(im, row, col, col + 1, color);
      }
    }
  }
}

void si_texture_builtin(const sn_texture_def *def, int32_t width, int32_t height, uint8_t *rgb) {
  int flat_image = def->type == SN_TEXTURE_2D;
  int faces = flat_image ? 1 : FACES;
  for (int pass = 0; pass < 2; pass++) {   // marks come last: faces are copied before
    for (int32_t face = 0; face < faces; face++) {
      image im = { .width = width, .height = height / faces, .face = flat_image ? -1 : face };
      im.first = rgb;
      im.rgb = rgb + (int64_t)face * 3 * width * im.height;
      (pass == 0 ? patterns[def->builtin] : paint_marks)(def, &im);
    }
  }
}
