// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the faults of renderers: of one that draws spheres by rays.

#include <math.h>
#include <stdint.h>

#include "conformance.h"
#include "conformance/renderer/context.h"
#include "default_engine.h"
#include "sinew/renderer.h"

enum {
  MIRRORED = NKINDFAULTS,
  ALONG_RAYS,
  IDS_OF_GEOMS,
  FARTHEST,
  SWAPPED_COLORS,
  WRITES_BEHIND,
  REMEMBERS,
  ODD_STATUS,
  NOT_OPENED,
  IGNORES_THE_SINK,
  UNDECLARED,
  NOTHING,
  DRAWS_NOTHING,
  DRAWS_UPSIDE_DOWN,
  DRAWS_BESIDE,
  UNBINDS,
  REMEMBERS_DRAWINGS,
  CANNOT_DRAW,
  ODD_DRAWING,
  NO_CURRENT_CANVAS
};

static int images;

// The distance along a direction with 1 along the view; negative: it is missed.
static double hit(const sn_scene_geom *g, const double *d) {
  double along = 0, dd = 0, square = 0;
  for (int k = 0; k < 3; k++) {
    along += d[k] * (double)g->pos[k];
    dd += d[k] * d[k];
    square += (double)(g->pos[k] * g->pos[k]);
  }
  const double det = along * along - dd * (square - (double)(g->size[0] * g->size[0]));
  return det >= 0 ? (along - sqrt(det)) / dd : -1;
}

static void draw_pixel(const sn_scene *s, sn_image *image, int32_t x, int32_t y) {
  const double half = tan((double)s->eye.fovy * 3.14159265358979 / 360);
  const int32_t column = fault == MIRRORED ? image->width - 1 - x : x;
  const double d[3] = { 1, -half * (2 * column + 1 - image->width) / image->height,
                        half * (1 - (2 * y + 1) / (double)image->height) };
  const int32_t at = y * image->width + x;
  double depth = (double)s->eye.far;
  int32_t found = -1;
  for (int32_t i = 0; i < s->ngeom; i++) {
    const double t = hit(&s->geom[i], d);
    if (t > 0 && (t < depth || fault == FARTHEST)) {
      depth = t;
      found = i;
    }
  }
  for (int k = 0; k < 3; k++) {
    const int channel = fault == SWAPPED_COLORS ? 2 - k : k;
    image->rgb[3 * at + k] = found < 0 ? (uint8_t)(fault == REMEMBERS ? images : 0)
                                       : (uint8_t)(200 * s->geom[found].rgba[channel]);
  }
  const double length = sqrt(1 + d[1] * d[1] + d[2] * d[2]);
  image->depth[at] = (float)(fault == ALONG_RAYS && found >= 0 ? depth * length : depth);
  image->segment[at] = fault == IDS_OF_GEOMS && found >= 0 ? s->geom[found].id : found;
}

static sn_status toy_render(const void *self, void *canvas, const sn_scene *scene, sn_image *image,
                            sn_error *e) {
  (void)self, (void)canvas, (void)e;
  images++;
  for (int32_t y = 0; y < image->height; y++) {
    for (int32_t x = 0; x < image->width; x++) {
      draw_pixel(scene, image, x, y);
    }
  }
  if (fault == WRITES_BEHIND) {
    image->rgb[3 * image->width * image->height] = 1;
  }
  return fault == ODD_STATUS ? SN_EINVAL : SN_OK;
}

static sn_status toy_open(const void *self, int32_t how, void **canvas, sn_error *e) {
  (void)self, (void)e;
  *canvas = &images;
  return fault == NOT_OPENED || (fault == NO_CURRENT_CANVAS && how == SN_CANVAS_CURRENT) ? SN_EIO
                                                                                         : SN_OK;
}

static void toy_close(const void *self, void *canvas) {
  (void)self, (void)canvas;
}

static sn_status toy_write(const void *self, void *canvas, const sn_scene *scene, int32_t width,
                           int32_t height, const char *extension, sn_sink *sink, sn_error *e) {
  (void)self, (void)canvas, (void)scene, (void)width, (void)height, (void)e;
  const sn_status status = sink->write(sink, extension, 4);
  return fault == IGNORES_THE_SINK ? SN_OK : status;
}

// A pixel of the framebuffer that is bound.
static void put_pixel(int32_t x, int32_t y, const uint8_t *rgb) {
  enum { GL_SCISSOR_TEST = 0x0C11, GL_COLOR_BUFFER_BIT = 0x4000 };
  ((void (*)(uint32_t))kit_gl("glEnable"))(GL_SCISSOR_TEST);
  ((void (*)(int32_t, int32_t, int32_t, int32_t))kit_gl("glScissor"))(x, y, 1, 1);
  ((void (*)(float, float, float, float))kit_gl("glClearColor"))(
      (float)rgb[0] / 255, (float)rgb[1] / 255, (float)rgb[2] / 255, 1);
  ((void (*)(uint32_t))kit_gl("glClear"))(GL_COLOR_BUFFER_BIT);
}

static sn_status toy_draw(const void *self, void *canvas, const sn_scene *scene, int32_t x,
                          int32_t y, int32_t width, int32_t height, sn_error *e) {
  enum { MOST = 4096, GL_FRAMEBUFFER = 0x8D40 };
  static uint8_t rgb[3 * MOST];
  static float depth[MOST];
  static int32_t segment[MOST];
  sn_image image = { sizeof image, width, height, 0, rgb, depth, segment };
  if (width * height > MOST || fault == CANNOT_DRAW || fault == ODD_DRAWING) {
    return fault == ODD_DRAWING ? 12345 : SN_EIO;
  }
  toy_render(self, canvas, scene, &image, e);
  for (int32_t i = 0; i < width * height && fault != DRAWS_NOTHING; i++) {
    const int32_t row = i / width, up = fault == DRAWS_UPSIDE_DOWN ? row : height - 1 - row;
    rgb[3 * i] = (uint8_t)(rgb[3 * i] + (fault == REMEMBERS_DRAWINGS ? images % 2 : 0));
    put_pixel(x + i % width, y + up, rgb + 3 * i);
  }
  if (fault == DRAWS_BESIDE) {
    put_pixel(x + width, y, rgb);
  } else if (fault == UNBINDS) {
    ((void (*)(uint32_t, uint32_t))kit_gl("glBindFramebuffer"))(GL_FRAMEBUFFER, 0);
  }
  return SN_OK;
}

#define COMMON(...)                                                                      \
  {                                                                                      \
    .head = { .size = sizeof(sn_renderer_ops), .summary = "toy" }, .extensions = ".toy", \
    .open = toy_open, .close = toy_close, __VA_ARGS__                                    \
  }
static const sn_renderer_ops ops = COMMON(.render = toy_render, .write = toy_write);
static const sn_renderer_ops drawing = COMMON(.render = toy_render, .write = toy_write,
                                              .draw = toy_draw);
static const sn_renderer_ops without = COMMON(.render = NULL);

static const sn_renderer_ops declared = {
  .head = { .size = sizeof(sn_renderer_ops), .flags = SN_RENDERER_OPENGL, .summary = "toy" },
  .open = toy_open,
  .close = toy_close,
  .draw = toy_draw
};

#define TOY SN_KIND_RENDERER, &ops
#define PAINTER SN_KIND_RENDERER, &declared
#define IMAGES "|calls|segment|depth|color|outputs|the same image|"
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, IDS_OF_GEOMS, "segment", "another id", NULL },
  { TOY, MIRRORED, "segment", "another id", "|depth|color|" },
  { TOY, FARTHEST, "segment", "another id", "|depth|color|" },
  { TOY, ALONG_RAYS, "depth", "another depth", NULL },
  { TOY, SWAPPED_COLORS, "color", "another hue", NULL },
  { TOY, WRITES_BEHIND, "outputs", "outside of their arrays", NULL },
  { TOY, REMEMBERS, "the same image", "another image", NULL },
  { TOY, ODD_STATUS, "calls", "render returned", NULL },
  { TOY, NOT_OPENED, "open", "open returned SN_EIO: without a message", IMAGES },
  { TOY, IGNORES_THE_SINK, "write", "error of the sink", NULL },
  { SN_KIND_RENDERER, &drawing, UNDECLARED, "draw", "not the flag SN_RENDERER_OPENGL", NULL },
  { PAINTER, NO_FAULT, NULL, NULL, NULL },
  { PAINTER, DRAWS_NOTHING, "draw", "pixels have another hue", NULL },
  { PAINTER, DRAWS_UPSIDE_DOWN, "draw", "pixels have another hue", NULL },
  { PAINTER, DRAWS_BESIDE, "draw", "changes 6 pixels outside of its rectangle", NULL },
  { PAINTER, UNBINDS, "draw", "leaves another framebuffer bound", NULL },
  { PAINTER, REMEMBERS_DRAWINGS, "draw", "6 of 6 scenes gave another image the second time", NULL },
  { PAINTER, CANNOT_DRAW, "draw", "draw returned SN_EIO: without a message", NULL },
  { PAINTER, ODD_DRAWING, "calls", "draw returns 12345, which is not a status", "|draw|" },
  { PAINTER, NO_CURRENT_CANVAS, "draw", "open in a current context returned SN_EIO", NULL },
  { SN_KIND_RENDERER, &without, NOTHING, "operations", "neither render", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  kit_context c;
  fault = faults[_i].fault;
  if (faults[_i].ops == &declared) {
    if (!kit_context_open(&c, 8, 8)) {
      printf("the kit's test of draw is skipped: no OpenGL 3.3 without a screen\n");
      return;
    }
    kit_context_close(&c);
  }
  expect_finding(&faults[_i]);
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
}
