// SPDX-License-Identifier: Apache-2.0
//
// A template for shapes in C++: an octahedron with the vertices (+-a, 0, 0), (0, +-b, 0), (0, 0,
// +-c). Of mass m it has
//
//   V = 4/3 a b c      I_x = m (b^2 + c^2) / 10
//
// The class `octahedra` is the provider, `octahedron` one shape; sinew/plugin.hpp makes operations
// of their member functions, and errors of the exceptions that leave them. Replace the shape by
// your own. The kind is a draft: a plugin that uses it must be compiled for the version of Sinew
// that loads it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "sinew/plugin.hpp"
#include "sinew/shape.h"

namespace {

class octahedron {
public:
  explicit octahedron(const double *radii) : radii_{ radii[0], radii[1], radii[2] } {}

  void describe(sn_shape_info *info) const {
    for (size_t k = 0; k < 3; k++) {
      const double b = radii_[(k + 1) % 3], c = radii_[(k + 2) % 3];
      info->half[k] = radii_[k];
      info->inertia[k] = (b * b + c * c) / 10;   // of a mass of 1
    }
    info->volume = 4 * radii_[0] * radii_[1] * radii_[2] / 3;
  }

  // The vertex on the axis along which the product of radius and direction is largest.
  void support(const double *direction, double *point) const {
    size_t best = 0;
    for (size_t k = 0; k < 3; k++) {
      point[k] = 0;
      if (std::fabs(direction[k]) * radii_[k] > std::fabs(direction[best]) * radii_[best]) {
        best = k;
      }
    }
    point[best] = std::copysign(radii_[best], direction[best]);
  }

  // Cuts the ray at the planes of the eight faces, +-x/a +- y/b +- z/c = 1.
  double ray(const double *origin, const double *direction) const {
    double enter = -std::numeric_limits<double>::infinity(), leave = -enter;
    for (unsigned face = 0; face < 8; face++) {
      double at = -1, along = 0;   // outside where at + t along is positive
      for (size_t k = 0; k < 3; k++) {
        const double normal = (face >> k & 1 ? 1 : -1) / radii_[k];
        at += normal * origin[k];
        along += normal * direction[k];
      }
      if (along == 0 && at > 0) {
        return -1;
      }
      if (along < 0) {
        enter = std::max(enter, -at / along);
      } else if (along > 0) {
        leave = std::min(leave, -at / along);
      }
    }
    return enter > leave || leave < 0 ? -1 : enter >= 0 ? enter : leave;
  }

private:
  std::array<double, 3> radii_;
};

class octahedra : public sn_instance {
public:
  octahedra(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  std::unique_ptr<octahedron> make(const sn_value *values, sn_shape_info *info) const {
    auto made = std::make_unique<octahedron>(values[0].reals);
    made->describe(info);
    return made;
  }
};

const sn_param attributes[] = {
  { .name = "radii",
    .default_value = "0.1 0.1 0.1",
    .summary = "distances of the vertices from the center, m",
    .min = 1e-6,
    .max = 1e6,
    .type = SN_PARAM_REALS,
    .nmin = 3,
    .nmax = 3 },
  {},
};

const sn_shape_ops ops = {
  .head = { .size = sizeof(sn_shape_ops),
            .summary = "octahedra",
            .create = sinew::create<octahedra>,
            .destroy = sinew::destroy<octahedra> },
  .attributes = attributes,
  .make = sinew::make<&octahedra::make>,
  .drop = sinew::unbind<octahedron>,
  .support = sinew::bound_operation<&octahedron::support>,
  .ray = sinew::bound_operation<&octahedron::ray>,
};

const sn_provide provides[] = {
  SN_PROVIDE_SHAPE("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a shape of geoms", .provides = provides)
