// SPDX-License-Identifier: Apache-2.0
//
// A small image of a model by a renderer, for tests whose pixels are known by closed forms.

#ifndef SINEW_TEST_DRAWN_H
#define SINEW_TEST_DRAWN_H

#include <stdlib.h>

#include "default_engine.h"
#include "sinew/renderer.h"
#include "suite.h"

enum { W = 120, H = 90, MIDDLE = (H / 2) * W + W / 2 };

typedef struct drawn {
  sn_model *m;
  sn_data *d;
  sn_scene *scene;
  sn_scene_options options;
  sn_scene_camera camera;
  const sn_renderer_ops *ops;
  const void *self;
  void *canvas;
  uint8_t rgb[3 * W * H];
  float depth[W * H];
  int32_t segment[W * H];
} drawn;

// A camera 1.5 m above the origin, which looks down; x is to the right, y is up.
#define LOOK_DOWN                                                                               \
  "<mujoco><statistic extent='1' center='0 0 0'/><visual><global azimuth='90' elevation='-90' " \
  "fovy='60'/><headlight ambient='0.2 0.2 0.2' diffuse='0.6 0.6 0.6' specular='0 0 0'/>"        \
  "</visual>"

static inline int color(const drawn *x, int at, int channel) {
  return x->rgb[3 * at + channel];
}

static inline void draw(drawn *x) {
  sn_image image = { .size = sizeof image,
                     .width = W,
                     .height = H,
                     .rgb = x->rgb,
                     .depth = x->depth,
                     .segment = x->segment };
  OK(sn_forward(x->m, x->d));
  OK(sn_scene_update(x->scene, x->m, x->d, &x->options, &x->camera, NULL, error));
  OK(x->ops->render(x->self, x->canvas, x->scene, &image, error));
}

// Without the plugin, or without what it needs on this machine, the status is negative.
static inline sn_status open_canvas(drawn *x, const char *renderer, const char *text) {
  const void *ops = NULL;
  *x = (drawn){ .m = model_of(text), .options = sn_scene_default_options() };
  x->d = data_of(x->m);
  x->scene = sn_scene_new(x->m, error);
  x->camera = sn_scene_default_camera(x->m);
  const sn_status status = sn_engine_use(engine, SN_KIND_RENDERER, renderer, &ops, &x->self, error);
  x->ops = ops;
  return status < 0 ? status : x->ops->open(x->self, SN_CANVAS_OFFSCREEN, &x->canvas, error);
}

static inline void end(drawn *x) {
  if (x->canvas) {
    x->ops->close(x->self, x->canvas);
  }
  sn_scene_free(x->scene);
  done_with(x->m, x->d);
}

// The label LLL of a ball in the middle: white letters 9 pixels high and 24 wide above the middle,
// with black edges.
static inline void expect_label(const drawn *x) {
  int white = 0, black = 0, left = W, right = 0, top = H, bottom = 0;
  for (int i = 0; i < W * H; i++) {
    const int most = color(x, i, 0), least = color(x, i, 1);
    if (least > 150) {
      left = i % W < left ? i % W : left;
      right = i % W > right ? i % W : right;
      top = i / W < top ? i / W : top;
      bottom = i / W > bottom ? i / W : bottom;
      white++;
    }
    black += most < 128 && x->segment[i] >= 0;   // of the ball 204
  }
  ck_assert_int_le(abs(left - (W / 2 - 12)), 1);
  ck_assert_int_le(abs(right - (W / 2 + 11)), 1);
  ck_assert_int_le(abs(top - (H / 2 - 9)), 1);
  ck_assert_int_le(abs(bottom - H / 2), 1);
  ck_assert_int_ge(white, 3 * 15);   // each letter is 15 pixels long
  ck_assert_int_le(white, 3 * 15 * 2);
  ck_assert_int_ge(black, 3 * 15);   // on both sides, but for half covered pixels
}

#endif
