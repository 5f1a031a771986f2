// SPDX-License-Identifier: Apache-2.0
//
// What a renderer does wrong in the operations that sn_engine_use returns is an error that names
// plugin and operation, and does no harm.

#include <math.h>
#include <string.h>

#include "default_engine.h"
#include "sinew/renderer.h"
#include "suite.h"

enum { WIDTH = 4, HEIGHT = 3, PIXELS = WIDTH * HEIGHT, GEOMS = 2 };

static const char *fault;
static int opened;

static int is(const char *name) {
  return strcmp(fault, name) == 0;
}

static sn_status status_of(const char *odd, const char *silent) {
  return is(odd) ? 12345 : is(silent) ? SN_EIO : SN_OK;
}

static sn_status open_canvas(const void *self, int32_t how, void **canvas, sn_error *e) {
  (void)self, (void)how, (void)e;
  const sn_status status = status_of("odd open", "silent open");
  *canvas = &opened;
  opened += status == SN_OK;
  return status;
}

static void close_canvas(const void *self, void *canvas) {
  (void)self;
  ck_assert_ptr_eq(canvas, &opened);
  opened--;
}

static sn_status render(const void *self, void *canvas, const sn_scene *scene, sn_image *image,
                        sn_error *e) {
  (void)self, (void)canvas, (void)e;
  for (int i = 0; i < PIXELS; i++) {
    image->depth[i] = is("depth") && i == PIXELS - 1 ? NAN : 2;
    image->segment[i] = is("segment") && i == PIXELS - 1 ? GEOMS : is("below") ? -2 : GEOMS - 1;
  }
  if (is("structs")) {
    *image = (sn_image){ .width = 1 << 20, .height = 1 << 20 };
    *(int64_t *)(uintptr_t)&scene->ngeom = 0;
  }
  return status_of("odd render", "silent render");
}

static sn_status write_file(const void *self, void *canvas, const sn_scene *scene, int32_t width,
                            int32_t height, const char *extension, sn_sink *sink, sn_error *e) {
  (void)self, (void)canvas, (void)scene, (void)width, (void)height, (void)extension, (void)e;
  return is("negative")  ? sink->write(sink, "x", -1)
         : is("nowhere") ? sink->write(sink, NULL, 5)
         : is("nothing") ? sink->write(sink, NULL, 0)
                         : (sink->write(sink, "abc", 3), status_of("odd write", "silent write"));
}

static sn_status draw(const void *self, void *canvas, const sn_scene *scene, int32_t x, int32_t y,
                      int32_t width, int32_t height, sn_error *e) {
  (void)self, (void)canvas, (void)scene, (void)x, (void)y, (void)width, (void)height, (void)e;
  return status_of("odd draw", "silent draw");
}

static int64_t written;

static sn_status count_bytes(sn_sink *sink, const void *bytes, int64_t count) {
  (void)sink, (void)bytes;
  written += count;
  return SN_OK;
}

static const struct {
  const char *fault, *operation, *says;   // says NULL: it is not noticed, and does no harm
  sn_status status;
} faults[] = {
  { "none", "", NULL, SN_OK },
  { "odd open", "open", "returned the status 12345, which is unknown", SN_EPLUGIN },
  { "silent open", "open", "failed without a message (SN_EIO)", SN_EIO },
  { "odd render", "render", "returned the status 12345, which is unknown", SN_EPLUGIN },
  { "silent render", "render", "failed without a message (SN_EIO)", SN_EIO },
  { "depth", "render", "wrote a depth that is not finite", SN_EPLUGIN },
  { "segment", "render", "wrote a segment that is neither a geom of the scene nor -1", SN_EPLUGIN },
  { "below", "render", "wrote a segment that is neither a geom of the scene nor -1", SN_EPLUGIN },
  { "structs", "render", NULL, SN_OK },
  { "odd write", "write", "returned the status 12345, which is unknown", SN_EPLUGIN },
  { "silent write", "write", "failed without a message (SN_EIO)", SN_EIO },
  { "negative", "write", "failed without a message (SN_EINVAL)", SN_EINVAL },
  { "nowhere", "write", "failed without a message (SN_EINVAL)", SN_EINVAL },
  { "nothing", "write", NULL, SN_OK },
  { "odd draw", "draw", "returned the status 12345, which is unknown", SN_EPLUGIN },
  { "silent draw", "draw", "failed without a message (SN_EIO)", SN_EIO },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

// All operations in turn, until one fails.
static sn_status use_all(const sn_renderer_ops *ops, const void *self, const char **operation) {
  float depth[PIXELS];
  int32_t segment[PIXELS];
  void *canvas = NULL;
  const sn_scene scene = { .size = sizeof scene, .ngeom = GEOMS };
  sn_image image = {
    .size = sizeof image, .width = WIDTH, .height = HEIGHT, .depth = depth, .segment = segment
  };
  sn_sink sink = { .size = sizeof sink, .write = count_bytes };
  *operation = "open";
  SN_TRY(ops->open(self, SN_CANVAS_OFFSCREEN, &canvas, error));
  *operation = "render";
  sn_status status = ops->render(self, canvas, &scene, &image, error);
  if (status >= 0) {
    ck_assert_int_eq(image.width, WIDTH);
    ck_assert_int_eq(scene.ngeom, GEOMS);
    *operation = "write";
    status = ops->write(self, canvas, &scene, WIDTH, HEIGHT, ".toy", &sink, error);
  }
  if (status >= 0) {
    *operation = "draw";
    status = ops->draw(self, canvas, &scene, 0, 0, WIDTH, HEIGHT, error);
  }
  ops->close(self, canvas);
  return status;
}

START_TEST(fault_is_named) {
  static const sn_renderer_ops toy = { .head = { .size = sizeof toy },
                                       .extensions = ".toy",
                                       .open = open_canvas,
                                       .close = close_canvas,
                                       .render = render,
                                       .write = write_file,
                                       .draw = draw };
  const void *ops = NULL, *self = NULL;
  const char *operation = NULL;
  char words[256];
  fault = faults[_i].fault;
  opened = 0;
  written = 0;
  OK(sn_engine_add(engine, SN_KIND_RENDERER, "toy", &toy, error));
  OK(sn_engine_use(engine, SN_KIND_RENDERER, "toy", &ops, &self, error));
  ck_assert_int_eq(use_all(ops, self, &operation), faults[_i].status);
  ck_assert_int_eq(opened, 0);
  if (faults[_i].says) {
    ck_assert_str_eq(operation, faults[_i].operation);
    snprintf(words, sizeof words, "'toy' (sinew.renderer/draft): its operation '%s' %s", operation,
             faults[_i].says);
    ck_assert_msg(strstr(sn_error_message(error), words) != NULL, "no \"%s\" in: %s", words,
                  sn_error_message(error));
  } else {
    ck_assert_int_eq(written, is("nothing") ? 0 : 3);
  }
}
END_TEST

// What a renderer does not have is missing in what programs get, too.
START_TEST(optional_operations_stay_missing) {
  static const sn_renderer_ops least = {
    .head = { .size = sizeof least }, .open = open_canvas, .close = close_canvas, .render = render
  };
  const void *ops = NULL, *self = NULL;
  OK(sn_engine_add(engine, SN_KIND_RENDERER, "least", &least, error));
  OK(sn_engine_use(engine, SN_KIND_RENDERER, "least", &ops, &self, error));
  const sn_renderer_ops *table = ops;
  ck_assert(table->render && !table->write && !table->draw);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(fault_is_named, 0, NFAULTS);
  TEST(optional_operations_stay_missing);
}
