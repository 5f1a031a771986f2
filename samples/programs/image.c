// SPDX-License-Identifier: Apache-2.0
//
// Simulates a model for a second and draws the state: pixels from a renderer, into a file in the
// format PPM, which is a line of text and the pixels.
//
//   image MODEL OUT.ppm

#include <stdio.h>

#include "sinew/renderer.h"

enum { WIDTH = 320, HEIGHT = 240 };
static uint8_t rgb[3 * WIDTH * HEIGHT];

static sn_status draw(const sn_renderer_ops *renderer, const void *self, const sn_scene *scene,
                      sn_error *error) {
  sn_image image = { .size = sizeof image, .width = WIDTH, .height = HEIGHT, .rgb = rgb };
  void *canvas = NULL;
  sn_status status = renderer->open(self, SN_CANVAS_OFFSCREEN, &canvas, error);
  if (status >= 0) {
    status = renderer->render(self, canvas, scene, &image, error);
    renderer->close(self, canvas);
  }
  return status;
}

static int save(const char *path) {
  FILE *f = fopen(path, "wb");
  if (!f) {
    return 0;
  }
  fprintf(f, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
  const int good = fwrite(rgb, 1, sizeof rgb, f) == sizeof rgb;
  return fclose(f) == 0 && good;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s MODEL OUT.ppm\n", argv[0]);
    return 2;
  }
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  sn_model *model = engine ? sn_load(engine, argv[1], error) : NULL;
  sn_data *data = model ? sn_data_new(model, error) : NULL;
  sn_scene *scene = data ? sn_scene_new(model, error) : NULL;
  const void *ops = NULL, *self = NULL;
  sn_status status = scene ? sn_engine_use(engine, SN_KIND_RENDERER, NULL, &ops, &self, error)
                           : SN_EINVAL;

  while (status >= 0 && snd_time(data)[0] < 1) {
    status = sn_step(model, data);
  }
  if (status >= 0) {
    const sn_scene_options options = sn_scene_default_options();
    const sn_scene_camera camera = sn_scene_default_camera(model);
    status = sn_scene_update(scene, model, data, &options, &camera, NULL, error);
  }
  status = status < 0 ? status : draw(ops, self, scene, error);
  if (status < 0) {
    fprintf(stderr, "%s\n", sn_error_text(error));
  } else if (!save(argv[2])) {
    fprintf(stderr, "%s cannot be written\n", argv[2]);
    status = SN_EIO;
  }
  sn_scene_free(scene);
  sn_data_free(data);
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
  return status < 0;
}
