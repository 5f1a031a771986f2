// SPDX-License-Identifier: Apache-2.0
//
// A template for renderers in C++: each geom as a sphere around it, by a ray through each pixel.
// The color is that of the geom, brighter where it faces the camera.
//
// The class `spheres` is the provider, `canvas` what draws an image; sinew/plugin.hpp makes
// operations of their member functions, and errors of the exceptions that leave them. Replace the
// way in which a pixel is found by your own.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "sinew/plugin.hpp"
#include "sinew/renderer.h"

namespace {

using vector = std::array<float, 3>;

vector between(const float *from, const float *to) {
  return { to[0] - from[0], to[1] - from[1], to[2] - from[2] };
}

float dot(const vector &a, const vector &b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The distance along a unit direction to the sphere around a geom; negative: it is missed.
float hit(const sn_scene_geom &g, const float *from, const vector &direction) {
  const vector offset = between(from, g.pos);
  const float radius = std::max({ g.size[0], g.size[1], g.size[2] });
  const float along = dot(offset, direction);
  const float square = along * along - dot(offset, offset) + radius * radius;
  return square >= 0 ? along - std::sqrt(square) : -1;
}

class canvas {
public:
  sn_status render(const sn_scene *scene, sn_image *image, sn_error *) {
    if (image->width < 1 || image->height < 1) {
      throw sinew::failure(SN_EINVAL, "an image needs at least one pixel");
    }
    for (int32_t y = 0; y < image->height; y++) {
      for (int32_t x = 0; x < image->width; x++) {
        draw(*scene, image, x, y);
      }
    }
    return SN_OK;
  }

private:
  // The direction of a pixel; its component along the view is 1.
  static vector look(const sn_scene_eye &eye, const sn_image &image, int32_t x, int32_t y) {
    const float width = static_cast<float>(image.width), height = static_cast<float>(image.height);
    const float half = std::tan(eye.fovy * 3.14159265F / 360);
    const float up = half * (1 - (2 * static_cast<float>(y) + 1) / height);
    const float across = half * ((2 * static_cast<float>(x) + 1) - width) / height;
    const float *f = eye.forward, *u = eye.up;
    const vector right = { f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2],
                           f[0] * u[1] - f[1] * u[0] };
    vector out;
    for (size_t k = 0; k < 3; k++) {
      out[k] = f[k] + up * u[k] + across * right[k];
    }
    return out;
  }

  static void draw(const sn_scene &scene, sn_image *image, int32_t x, int32_t y) {
    const int64_t at = static_cast<int64_t>(y) * image->width + x;
    vector direction = look(scene.eye, *image, x, y);
    float depth = scene.eye.far, bright = 0;
    int32_t nearest = -1;
    const float length = std::sqrt(dot(direction, direction));
    for (float &part : direction) {
      part /= length;
    }
    for (int64_t i = 0; i < scene.ngeom; i++) {
      const sn_scene_geom &g = scene.geom[i];
      if (g.type == SN_DRAW_PLANE || g.type == SN_DRAW_TEXT) {
        continue;
      }
      const float distance = hit(g, scene.eye.pos, direction);
      if (distance / length >= scene.eye.near && distance / length < depth) {
        depth = distance / length;   // along the view
        nearest = static_cast<int32_t>(i);
        vector normal = between(g.pos, scene.eye.pos);
        for (size_t k = 0; k < 3; k++) {
          normal[k] += distance * direction[k];
        }
        bright = std::fabs(dot(normal, direction)) /
                 std::sqrt(std::max(dot(normal, normal), 1e-12F));
      }
    }
    for (int k = 0; k < 3 && image->rgb; k++) {
      const float color = nearest < 0 ? 0 : bright * scene.geom[nearest].rgba[k];
      image->rgb[3 * at + k] = static_cast<uint8_t>(255 * std::clamp(color, 0.0F, 1.0F));
    }
    if (image->depth) {
      image->depth[at] = depth;
    }
    if (image->segment) {
      image->segment[at] = nearest;
    }
  }
};

class spheres : public sn_instance {
public:
  spheres(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  std::unique_ptr<canvas> open(int32_t how) const {
    if (how != SN_CANVAS_OFFSCREEN) {
      throw sinew::failure(SN_EUNSUPPORTED, "this renderer has no OpenGL");
    }
    return std::make_unique<canvas>();
  }
};

const sn_renderer_ops ops = {
  .head = { .size = sizeof(sn_renderer_ops),
            .summary = "spheres in place of geoms",
            .create = sinew::create<spheres>,
            .destroy = sinew::destroy<spheres> },
  .open = sinew::open<&spheres::open>,
  .close = sinew::close<canvas>,
  .render = sinew::opened_operation<&canvas::render>,
};

const sn_provide provides[] = {
  SN_PROVIDE_RENDERER("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a renderer", .provides = provides)
