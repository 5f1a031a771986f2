// SPDX-License-Identifier: Apache-2.0
//
// Tests a renderer with scenes of spheres, of which every pixel is known: depths and ids by a ray
// through its center, colors by their hue. `draw` draws into a part of a framebuffer of the kit.

#include "sinew/renderer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/kit.h"
#include "context.h"

enum { W = 48, H = 32, GUARD = 64, SPHERES = 4, ROUNDS = 6 };
static const float depth_tolerance = 0.02F;   // relative; round shapes may be facets
static const double edge = 0.08;              // of the radius: where facets may end

typedef struct known {
  sn_scene scene;
  sn_scene_geom geom[SPHERES];
  sn_scene_light light;
} known;

typedef struct findings {
  kit *k;
  const sn_renderer_ops *ops;
  void *canvas;
  int depth, segment, color, outside, unequal, judged;
  sn_status failed;
} findings;

typedef struct pixels {
  uint8_t *rgb;
  float *depth;
  int32_t *segment;
  uint8_t *memory;
  size_t bytes;
} pixels;

// ------------------------------------------------------------------ scenes

static void add_sphere(kit *k, known *s, int i, double distance) {
  sn_scene_geom *g = &s->geom[i];
  const float radius = (float)kit_between(k, 0.15, 0.4);
  *g = (sn_scene_geom){ .type = SN_DRAW_SPHERE,
                        .mesh = -1,
                        .texture = -1,
                        .object = SN_OBJECT_GEOM,
                        .id = 10 + i,
                        .category = SN_SCENE_DYNAMIC,
                        .size = { radius, radius, radius },
                        .mat = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                        .specular = 0,
                        .shininess = 0.5F,
                        .texrepeat = { 1, 1 } };
  g->pos[0] = (float)distance;   // the camera looks along x, z is up
  g->pos[1] = (float)(0.8 * kit_random(k));
  g->pos[2] = (float)(0.5 * kit_random(k));
  g->rgba[i % 3] = 0.8F;   // red, green or blue
  g->rgba[3] = 1;
}

static void make_scene(kit *k, known *s, uint64_t id) {
  memset(s, 0, sizeof *s);
  for (int i = 0; i < SPHERES; i++) {
    add_sphere(k, s, i, 2.0 + 0.9 * i);
  }
  s->light = (sn_scene_light){ .dir = { 1, 0, 0 },
                               .ambient = { 0.3F, 0.3F, 0.3F },
                               .diffuse = { 0.6F, 0.6F, 0.6F },
                               .attenuation = { 1, 0, 0 },
                               .cutoff = 180,
                               .directional = 1,
                               .headlight = 1,
                               .id = -1 };
  s->scene = (sn_scene){ .size = sizeof(sn_scene),
                         .id = UINT64_MAX - id,
                         .ngeom = SPHERES,
                         .nlight = 1,
                         .geom = s->geom,
                         .light = &s->light,
                         .eye = { .forward = { 1, 0, 0 }, .up = { 0, 0, 1 } } };
  s->scene.eye.fovy = 45;
  s->scene.eye.near = 0.05F;
  s->scene.eye.far = 20;
  s->scene.around.skybox = -1;
  s->scene.around.cull = 1;
  s->scene.around.slices = 64;
  s->scene.around.stacks = 64;
  s->scene.around.quads = 4;
  s->scene.around.extent = 2;
}

// The nearest sphere on the ray of a pixel; its depth, and whether the ray goes near an edge.
static int nearest(const known *s, int x, int y, double *depth, int *at_edge) {
  const double half = tan(45 * 3.14159265358979 / 360);
  const double d[3] = { 1, -half * (2 * x + 1 - W) / H, half * (1 - (2 * y + 1) / (double)H) };
  const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  int found = -1;
  *depth = 20;
  *at_edge = 0;
  for (int i = 0; i < SPHERES; i++) {
    const float *p = s->geom[i].pos;
    const double r = (double)s->geom[i].size[0];
    double along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
      along += d[k] * (double)p[k];
      square += (double)p[k] * (double)p[k];
    }
    const double miss = sqrt(fmax(0, square - along * along / dd));   // of the center
    *at_edge |= fabs(miss - r) < edge * r + 0.03;                     // and half a pixel
    if (miss < r) {
      const double t = (along - sqrt(dd * (r * r - miss * miss))) / dd;
      if (t < *depth) {
        *depth = t;
        found = i;
      }
    }
  }
  return found;
}

// ------------------------------------------------------------------ images

static int alloc_pixels(pixels *p, int w, int h) {
  const size_t n = (size_t)w * (size_t)h;
  p->bytes = n * 12 + 4 * GUARD;
  p->memory = malloc(p->bytes);
  if (!p->memory) {
    return 0;
  }
  memset(p->memory, 0xa5, p->bytes);
  p->depth = (float *)(void *)(p->memory + GUARD);
  p->segment = (int32_t *)(void *)(p->memory + 2 * GUARD + 4 * n);
  p->rgb = p->memory + 3 * GUARD + 8 * n;
  return 1;
}

// Is what lies around the arrays as it was?
static int is_guarded(const pixels *p, int w, int h) {
  const size_t n = (size_t)w * (size_t)h;
  const size_t at[4] = { 0, GUARD + 4 * n, 2 * GUARD + 8 * n, 3 * GUARD + 11 * n };
  for (int i = 0; i < 4; i++) {
    for (size_t k = at[i]; k < at[i] + GUARD && k < p->bytes; k++) {
      if (p->memory[k] != 0xa5) {
        return 0;
      }
    }
  }
  return 1;
}

static sn_status render(findings *f, const sn_scene *scene, pixels *p, int w, int h) {
  sn_image image = { .size = sizeof image,
                     .width = w,
                     .height = h,
                     .rgb = p->rgb,
                     .depth = p->depth,
                     .segment = p->segment };
  sn_error *error = sn_error_new();
  const sn_status status = KIT_CALL(f->ops, render)(f->k->self, f->canvas, scene, &image, error);
  f->failed = status != SN_OK && !f->failed ? status : f->failed;
  f->outside += !is_guarded(p, w, h);
  sn_error_free(error);
  return status;
}

// Is this the color of the sphere `want`: red, green or blue?
static int has_hue(const uint8_t *c, int want) {
  const int hue = want % 3;
  return c[hue] > 20 && c[hue] > 2 * c[(hue + 1) % 3] && c[hue] > 2 * c[(hue + 2) % 3];
}

static void judge(findings *f, const known *s, const pixels *p) {
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++) {
      const int i = y * W + x;
      double depth;
      int at_edge;
      const int want = nearest(s, x, y, &depth, &at_edge);
      if (at_edge) {
        continue;
      }
      f->judged++;
      f->segment += p->segment[i] != want;
      f->depth += !(fabs((double)p->depth[i] - depth) <= (double)depth_tolerance * depth);
      f->color += want >= 0 && !has_hue(p->rgb + 3 * i, want);
    }
  }
}

static void try_scene(findings *f, const known *s) {
  pixels first = { 0 }, other = { 0 }, again = { 0 };
  if (alloc_pixels(&first, W, H) && alloc_pixels(&other, 7, 5) && alloc_pixels(&again, W, H) &&
      render(f, &s->scene, &first, W, H) == SN_OK && render(f, &s->scene, &other, 7, 5) == SN_OK &&
      render(f, &s->scene, &again, W, H) == SN_OK) {
    judge(f, s, &first);
    f->unequal += memcmp(first.memory, again.memory, first.bytes) != 0;
  }
  free(first.memory);
  free(other.memory);
  free(again.memory);
}

// ------------------------------------------------------------------ files

typedef struct bytes {
  int64_t n, most;
} bytes;

static sn_status count_bytes(sn_sink *sink, const void *data, int64_t count) {
  bytes *b = sink->context;
  (void)data;
  b->n += count;
  return b->n > b->most ? SN_EIO : SN_OK;
}

static void try_write(findings *f, const known *s) {
  const char *list = f->ops->extensions ? f->ops->extensions : "";
  char extension[32];
  snprintf(extension, sizeof extension, "%.*s", (int)strcspn(list, "|"), list);
  sn_error *error = sn_error_new();
  bytes whole = { 0, INT64_MAX }, none = { 0, 0 };
  sn_sink sink = { .size = sizeof sink, .context = &whole, .write = count_bytes };
  sn_status good = KIT_CALL(f->ops, write)(f->k->self, f->canvas, &s->scene, W, H, extension, &sink,
                                           error);
  good = kit_status(f->k, "write", good);
  sink.context = &none;
  const sn_status bad = KIT_CALL(f->ops, write)(f->k->self, f->canvas, &s->scene, W, H, extension,
                                                &sink, error);
  kit_check(f->k, "write", *extension && good == SN_OK && whole.n > 0 && bad == SN_EIO,
            !*extension     ? "it has no extensions"
            : bad != SN_EIO ? "an error of the sink is not returned"
            : good != SN_OK ? "it returned %lld"
                            : "%lld bytes, and errors of the sink are returned",
            (long long)(good != SN_OK ? good : whole.n));
  sn_error_free(error);
}

// ------------------------------------------------------------------ the window of a program

// The framebuffer is larger than the rectangle, and has one level of gray before.
enum { LEFT = 9, BELOW = 5, WIDTH = W + 20, HEIGHT = H + 12, LEVEL = 77 };

typedef struct drawn {
  uint8_t rgba[4 * WIDTH * HEIGHT];
  int hue, outside, judged, unbound;
} drawn;

// Row 0 of the framebuffer is at the bottom, that of a scene's image at the top.
static void judge_drawn(drawn *d, const known *s) {
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      const uint8_t *c = d->rgba + 4 * (y * WIDTH + x);
      const int column = x - LEFT, row = H - 1 - (y - BELOW);
      double depth;
      int at_edge = 0;
      if (column < 0 || column >= W || row < 0 || row >= H) {
        d->outside += c[0] != LEVEL || c[1] != LEVEL || c[2] != LEVEL;
        continue;
      }
      const int want = nearest(s, column, row, &depth, &at_edge);
      d->judged += !at_edge && want >= 0;
      d->hue += !at_edge && want >= 0 && !has_hue(c, want);
    }
  }
}

static sn_status draw(findings *f, const kit_context *c, const known *s, drawn *d,
                      sn_error *error) {
  kit_context_clear(c, LEVEL);
  const sn_status status = KIT_CALL(f->ops, draw)(f->k->self, f->canvas, &s->scene, LEFT, BELOW, W,
                                                  H, error);
  d->unbound += !kit_context_is_bound(c);
  kit_context_read(c, d->rgba);
  return status;
}

static void test_drawings(findings *f, const kit_context *c, sn_error *error) {
  static drawn d, again;
  known s;
  sn_status status = SN_OK;
  int unequal = 0;
  d = again = (drawn){ .hue = 0 };
  for (int i = 0; i < ROUNDS && status == SN_OK; i++) {
    make_scene(f->k, &s, (uint64_t)ROUNDS + 1 + (uint64_t)i);
    status = draw(f, c, &s, &d, error);
    status = status == SN_OK ? draw(f, c, &s, &again, error) : status;
    judge_drawn(&d, &s);
    unequal += memcmp(d.rgba, again.rgba, sizeof d.rgba) != 0;
  }
  status = kit_status(f->k, "draw", status);
  if (status != SN_OK) {
    kit_report(f->k, "draw", KIT_FAILED, "draw returned %s: %s", sn_status_name(status),
               *sn_error_message(error) ? sn_error_message(error) : "without a message");
  } else if (d.unbound + again.unbound > 0) {
    kit_report(f->k, "draw", KIT_FAILED, "draw leaves another framebuffer bound");
  } else if (d.outside > 0) {
    kit_report(f->k, "draw", KIT_FAILED, "draw changes %d pixels outside of its rectangle",
               d.outside);
  } else if (d.hue > 0) {
    kit_report(f->k, "draw", KIT_FAILED, "%d of %d pixels have another hue", d.hue, d.judged);
  } else {
    kit_check(f->k, "draw", unequal == 0, "%d of %d scenes gave another image the second time",
              unequal, ROUNDS);
  }
}

static void test_draw(findings *f) {
  kit_context c;
  sn_error *error = sn_error_new();
  if (!kit_context_open(&c, WIDTH, HEIGHT)) {
    kit_report(f->k, "draw", KIT_SKIPPED,
               "this machine has no OpenGL 3.3 without a screen (on Debian libegl1 and "
               "libgl1-mesa-dri)");
    sn_error_free(error);
    return;
  }
  const sn_status status = KIT_CALL(f->ops, open)(f->k->self, SN_CANVAS_CURRENT, &f->canvas, error);
  if (status == SN_OK) {
    test_drawings(f, &c, error);
    KIT_CALL(f->ops, close)(f->k->self, f->canvas);
  } else {
    kit_report(f->k, "draw", KIT_FAILED, "open in a current context returned %s: %s",
               sn_status_name(status),
               *sn_error_message(error) ? sn_error_message(error) : "without a message");
  }
  kit_context_close(&c);
  sn_error_free(error);
}

// ------------------------------------------------------------------ all

static void test_images(findings *f) {
  kit *k = f->k;
  known s;
  for (int i = 0; i < ROUNDS && f->failed == SN_OK; i++) {
    make_scene(k, &s, (uint64_t)i);
    try_scene(f, &s);
  }
  kit_check(k, "calls", f->failed == SN_OK, "render returned %s", sn_status_name(f->failed));
  if (f->failed != SN_OK) {
    return;
  }
  kit_check(k, "segment", f->segment == 0, "%d of %d pixels have another id", f->segment,
            f->judged);
  kit_check(k, "depth", f->depth == 0, "%d of %d pixels have another depth", f->depth, f->judged);
  kit_check(k, "color", f->color == 0, "%d of %d pixels have another hue", f->color, f->judged);
  kit_check(k, "outputs", f->outside == 0, "%d images wrote outside of their arrays", f->outside);
  kit_check(k, "the same image", f->unequal == 0,
            "%d of %d scenes gave another image after one of another size", f->unequal, ROUNDS);
}

void kit_renderer(kit *k) {
  findings f = { .k = k, .ops = k->provider->ops };
  sn_error *error = sn_error_new();
  known s;
  if (!f.ops->render && !f.ops->write && !f.ops->draw) {
    kit_report(k, "operations", KIT_FAILED, "it has neither render nor write nor draw");
    sn_error_free(error);
    return;
  }
  if (f.ops->draw && !(f.ops->head.flags & SN_RENDERER_OPENGL)) {
    kit_report(k, "draw", KIT_FAILED, "it has draw, but not the flag SN_RENDERER_OPENGL");
  } else if (f.ops->draw) {
    test_draw(&f);
  }
  if (!f.ops->render && !f.ops->write) {
    sn_error_free(error);
    return;
  }
  const sn_status status = KIT_CALL(f.ops, open)(k->self, SN_CANVAS_OFFSCREEN, &f.canvas, error);
  if (status == SN_EUNSUPPORTED) {
    kit_report(k, "images", KIT_SKIPPED, "not on this machine: %s", sn_error_message(error));
  } else if (status != SN_OK) {
    kit_report(k, "open", KIT_FAILED, "open returned %s: %s", sn_status_name(status),
               *sn_error_message(error) ? sn_error_message(error) : "without a message");
  } else {
    if (f.ops->render) {
      test_images(&f);
    }
    if (f.ops->write) {
      make_scene(k, &s, ROUNDS);
      try_write(&f, &s);
    }
    KIT_CALL(f.ops, close)(k->self, f.canvas);
  }
  sn_error_free(error);
}
