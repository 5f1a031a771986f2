// SPDX-License-Identifier: Apache-2.0
//
// Cameras: the free one, by name, moved by the mouse.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

// The free camera stands 1.5 times the extent away from the center, as that of MuJoCo does.
static const double distance_by_extent = 1.5;

sn_scene_camera sn_scene_default_camera(const sn_model *model) {
  sn_visual v = { .def_size = sizeof v };
  sn_statistic s = { .def_size = sizeof s };
  sn_model_get_visual(model, &v);
  sn_model_get_statistic(model, &s);
  sn_scene_camera c = { .size = sizeof c,
                        .mode = SN_CAMERA_FREE,
                        .camera = -1,
                        .body = -1,
                        .distance = distance_by_extent * s.extent,
                        .azimuth = v.global_azimuth,
                        .elevation = v.global_elevation };
  sn_copy3(c.lookat, s.center);
  return c;
}

static sn_status no_camera(const sn_model *m, const char *name, sn_error *error) {
  char text[1024];
  int n = snprintf(text, sizeof text, "the model has no camera '%s'; cameras: free", name);
  for (int32_t i = 0; i < snm_ncam(m) && n > 0 && n < (int)sizeof text - 80; i++) {
    const char *each = sn_name(m, "camera", i);
    n += snprintf(text + n, sizeof text - (size_t)n, ", %d%s%.60s", i, *each ? " " : "", each);
  }
  return scene_fail(m, error, SN_ENOTFOUND, text);
}

sn_status sn_scene_find_camera(const sn_model *model, const char *name, sn_scene_camera *camera,
                               sn_error *error) {
  *camera = sn_scene_default_camera(model);
  if (strcmp(name, "free") == 0) {
    return SN_OK;
  }
  char *end;
  const long number = strtol(name, &end, 10);
  int32_t id = sn_find(model, "camera", name);
  if (id < 0 && *name && !*end && number >= 0 && number < snm_ncam(model)) {
    id = (int32_t)number;
  }
  if (id < 0) {
    return no_camera(model, name, error);
  }
  camera->mode = SN_CAMERA_FIXED;
  camera->camera = id;
  return SN_OK;
}

static void rotate(sn_scene_camera *c, double dx, double dy, int horizontal) {
  c->azimuth = remainder(c->azimuth - 180 * dx, 360);
  if (!horizontal) {
    c->elevation = sn_clamp(c->elevation - 180 * dy, -90, 90);
  }
}

// The point that is looked at follows the mouse: at its distance, an image has a height of
// 2 tan(fovy / 2) times the distance.
static void pan(const sn_scene *s, sn_scene_camera *c, double dx, double dy, int horizontal) {
  const double height = 2 * tan((double)s->eye.fovy * M_PI / 360) * c->distance;
  double forward[3], up[3], right[3];
  for (int i = 0; i < 3; i++) {
    forward[i] = (double)s->eye.forward[i];
    up[i] = (double)s->eye.up[i];
  }
  sn_cross(right, forward, up);
  if (horizontal) {   // away from the camera, in the horizontal plane
    up[0] = cos(c->azimuth * M_PI / 180);
    up[1] = sin(c->azimuth * M_PI / 180);
    up[2] = 0;
  }
  sn_addscale3(c->lookat, c->lookat, -height * dx, right);
  sn_addscale3(c->lookat, c->lookat, height * dy, up);
}

void sn_scene_move_camera(const sn_scene *scene, sn_scene_camera *camera, int32_t move, double dx,
                          double dy) {
  if (camera->mode == SN_CAMERA_FIXED) {
    return;
  }
  if (move == SN_MOVE_ZOOM) {
    camera->distance *= exp(sn_clamp(dy, -3, 3));
  } else if (move == SN_MOVE_ROTATE || move == SN_MOVE_ROTATE_HORIZONTAL) {
    rotate(camera, dx, dy, move == SN_MOVE_ROTATE_HORIZONTAL);
  } else if (camera->mode == SN_CAMERA_FREE) {
    pan(scene, camera, dx, dy, move == SN_MOVE_PAN_HORIZONTAL);
  }
}
