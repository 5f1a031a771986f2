// SPDX-License-Identifier: Apache-2.0
//
// Built-in textures: flat, checker and gradient, with marks.
//
// A 2D texture is one image. A cube or skybox has six square faces below each other, in the order
// right, left, up, down, front, back (+x -x +y -y +z -z):
//
//   [ right ]        flat      the face down has the second colour
//   [ left  ]        checker   two by two squares a face; the face front is inverted, so that the
//   [ up    ]                  pattern goes on over the edges
//   [ down  ]        gradient  a 2D image from its centre to its edges; a cube by the angle from
//   [ front ]                  up (first colour) to down (second colour)
//   [ back  ]
//
// The gradient is soft at both ends: a sine from -1.375 to 1.375, scaled to [0, 1].

#include <math.h>
#include <string.h>

#include "model/compile.h"
#include "sinew/math.h"

enum { UP = 2, DOWN = 3, FRONT = 4, FACES = 6 };

// One image or face of a texture.
typedef struct image {
  int32_t width, height;
  int32_t face;   // -1: 2D
  int32_t reserved;
  uint8_t *rgb;
} image;

static void paint(const image *im, int32_t row, int32_t col, const double *rgb) {
  uint8_t *pixel = im->rgb + 3 * ((int64_t)row * im->width + col);
  for (int k = 0; k < 3; k++) {
    pixel[k] = (uint8_t)(255 * sn_clamp(rgb[k], 0, 1));
  }
}

// The share of the second colour at a distance in [0, 1] from the first.
static double blend(double x) {
  const double reach = 1.375;
  return 0.5 + 0.5 * sin(2 * reach * (sn_clamp(x, 0, 1) - 0.5)) / sin(reach);
}

// A pixel's coordinate in [-1, 1].
static double coordinate(int32_t i, int32_t n) {
  return n > 1 ? 2.0 * i / (n - 1) - 1 : 0;
}

static double flat(const image *im, int32_t row, int32_t col) {
  (void)row;
  (void)col;
  return im->face == DOWN;
}

static double checker(const image *im, int32_t row, int32_t col) {
  int left = col < im->width / 2, top = row < im->height / 2;
  return (left != top) != (im->face == FRONT);
}

static double gradient(const image *im, int32_t row, int32_t col) {
  double x = coordinate(col, im->width), y = coordinate(row, im->height);
  if (im->face < 0) {
    return blend(sqrt(x * x + y * y));
  }
  // the direction of the pixel: its height above the middle, and the rest
  double up = im->face == UP ? 1 : (im->face == DOWN ? -1 : -y);
  double level = im->face == UP || im->face == DOWN ? sqrt(x * x + y * y) : sqrt(x * x + 1);
  return blend(atan2(level, up) / SN_PI);
}

typedef double pattern(const image *im, int32_t row, int32_t col);

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

void sn_texture_builtin(const sn_texture_def *def, int32_t width, int32_t height, uint8_t *rgb) {
  int flat_image = def->type == SN_TEXTURE_2D;
  int faces = flat_image ? 1 : FACES;
  for (int32_t face = 0; face < faces; face++) {
    image im = { .width = width, .height = height / faces, .face = flat_image ? -1 : face };
    im.rgb = rgb + (int64_t)face * 3 * width * im.height;
    for (int32_t row = 0; row < im.height; row++) {
      for (int32_t col = 0; col < width; col++) {
        double share = patterns[def->builtin](&im, row, col), color[3];
        for (int k = 0; k < 3; k++) {
          color[k] = def->rgb1[k] + share * (def->rgb2[k] - def->rgb1[k]);
        }
        int marked = marks[def->mark] && marks[def->mark](&im, row, col, def->random);
        paint(&im, row, col, marked ? def->markrgb : color);
      }
    }
  }
}
