// SPDX-License-Identifier: Apache-2.0
//
// A template for renderers: each geom as a sphere around it, by a ray through each pixel. The color
// is that of the geom, brighter where it faces the camera.

#include <math.h>
#include <stddef.h>

#include "sinew/instance.h"
#include "sinew/renderer.h"

static float dot(const float *a, const float *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The distance along a unit direction to the sphere around a geom; negative: it is missed.
static float hit(const sn_scene_geom *g, const float *from, const float *direction) {
  const float offset[3] = { g->pos[0] - from[0], g->pos[1] - from[1], g->pos[2] - from[2] };
  const float radius = fmaxf(g->size[0], fmaxf(g->size[1], g->size[2]));
  const float along = dot(offset, direction);
  const float square = along * along - dot(offset, offset) + radius * radius;
  return square >= 0 ? along - sqrtf(square) : -1;
}

// The direction of a pixel; its component along the view is 1.
static void look(const sn_scene_eye *eye, const sn_image *image, int32_t x, int32_t y, float *out) {
  const float half = tanf(eye->fovy * 3.14159265F / 360);
  const float up = half * (1 - (2 * (float)y + 1) / (float)image->height);
  const float across = half * ((2 * (float)x + 1) - (float)image->width) / (float)image->height;
  const float *f = eye->forward, *u = eye->up;
  const float right[3] = { f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2],
                           f[0] * u[1] - f[1] * u[0] };
  for (int k = 0; k < 3; k++) {
    out[k] = f[k] + up * u[k] + across * right[k];
  }
}

static void draw_pixel(const sn_scene *scene, sn_image *image, int32_t x, int32_t y) {
  const int64_t at = (int64_t)y * image->width + x;
  float direction[3], depth = scene->eye.far, bright = 0;
  int32_t nearest = -1;
  look(&scene->eye, image, x, y, direction);
  const float length = sqrtf(dot(direction, direction));
  for (int k = 0; k < 3; k++) {
    direction[k] /= length;
  }
  for (int64_t i = 0; i < scene->ngeom; i++) {
    const sn_scene_geom *g = &scene->geom[i];
    const float distance = g->type == SN_DRAW_PLANE || g->type == SN_DRAW_TEXT
                               ? -1
                               : hit(g, scene->eye.pos, direction);
    if (distance / length >= scene->eye.near && distance / length < depth) {
      depth = distance / length;   // along the view
      nearest = (int32_t)i;
      float n[3];
      for (int k = 0; k < 3; k++) {
        n[k] = scene->eye.pos[k] + distance * direction[k] - g->pos[k];
      }
      bright = fabsf(dot(n, direction)) / sqrtf(fmaxf(dot(n, n), 1e-12F));
    }
  }
  for (int k = 0; k < 3 && image->rgb; k++) {
    const float color = nearest < 0 ? 0 : bright * scene->geom[nearest].rgba[k];
    image->rgb[3 * at + k] = (uint8_t)(255 * fminf(fmaxf(color, 0), 1));
  }
  if (image->depth) {
    image->depth[at] = depth;
  }
  if (image->segment) {
    image->segment[at] = nearest;
  }
}

// ------------------------------------------------------------------ operations

static sn_status open_canvas(const void *self, int32_t how, void **canvas, sn_error *error) {
  if (how != SN_CANVAS_OFFSCREEN) {
    return sn_instance_fail(self, error, SN_EUNSUPPORTED, "this renderer has no OpenGL");
  }
  *canvas = sn_instance_alloc(self, 1, error);   // nothing to keep
  return *canvas ? SN_OK : SN_ENOMEM;
}

static void close_canvas(const void *self, void *canvas) {
  sn_instance_unbind(self, canvas);
}

static sn_status render(const void *self, void *canvas, const sn_scene *scene, sn_image *image,
                        sn_error *error) {
  (void)canvas;
  if (image->width < 1 || image->height < 1) {
    return sn_instance_fail(self, error, SN_EINVAL, "an image needs at least one pixel");
  }
  for (int32_t y = 0; y < image->height; y++) {
    for (int32_t x = 0; x < image->width; x++) {
      draw_pixel(scene, image, x, y);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_renderer_ops ops = {
  .head = { .size = sizeof(sn_renderer_ops),
            .summary = "spheres in place of geoms",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .open = open_canvas,
  .close = close_canvas,
  .render = render,
};

static const sn_provide provides[] = {
  SN_PROVIDE_RENDERER("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a renderer", .provides = provides)
