// SPDX-License-Identifier: Apache-2.0
//
// A template for shapes: an octahedron with the vertices (+-a, 0, 0), (0, +-b, 0), (0, 0, +-c). Of
// mass m it has
//
//   V = 4/3 a b c      I_x = m (b^2 + c^2) / 10
//
// Replace the shape by your own. The kind is a draft: a plugin that uses it must be compiled for
// the version of Sinew that loads it.

#include <math.h>
#include <stddef.h>

#include "sinew/instance.h"
#include "sinew/shape.h"

static sn_status make(const void *self, const sn_value *values, sn_shape_info *info, void **data,
                      sn_error *error) {
  const double *r = values[0].reals;
  for (int k = 0; k < 3; k++) {
    const double b = r[(k + 1) % 3], c = r[(k + 2) % 3];
    info->half[k] = r[k];
    info->inertia[k] = (b * b + c * c) / 10;   // of a mass of 1
  }
  info->volume = 4 * r[0] * r[1] * r[2] / 3;
  return sn_instance_keep(self, r, 3 * sizeof *r, data, error);
}

// The vertex on the axis along which the product of radius and direction is largest.
static void support(const void *self, const void *data, const double *direction, double *point) {
  const double *r = (const double *)data;
  (void)self;
  int best = 0;
  for (int k = 0; k < 3; k++) {
    point[k] = 0;
    best = fabs(direction[k]) * r[k] > fabs(direction[best]) * r[best] ? k : best;
  }
  point[best] = copysign(r[best], direction[best]);
}

// Cuts the ray at the planes of the eight faces, +-x/a +- y/b +- z/c = 1.
static double ray(const void *self, const void *data, const double *origin,
                  const double *direction) {
  const double *r = (const double *)data;
  (void)self;
  double enter = -INFINITY, leave = INFINITY;
  for (int face = 0; face < 8; face++) {
    double at = -1, along = 0;   // outside where at + t along is positive
    for (int k = 0; k < 3; k++) {
      const double normal = (face >> k & 1 ? 1 : -1) / r[k];
      at += normal * origin[k];
      along += normal * direction[k];
    }
    if (along == 0 && at > 0) {
      return -1;
    }
    if (along < 0) {
      enter = fmax(enter, -at / along);
    } else if (along > 0) {
      leave = fmin(leave, -at / along);
    }
  }
  return enter > leave || leave < 0 ? -1 : enter >= 0 ? enter : leave;
}

// ------------------------------------------------------------------ the plugin

static const sn_param attributes[] = {
  { .name = "radii",
    .default_value = "0.1 0.1 0.1",
    .summary = "distances of the vertices from the center, m",
    .min = 1e-6,
    .max = 1e6,
    .type = SN_PARAM_REALS,
    .nmin = 3,
    .nmax = 3 },
  { .name = NULL },
};

static const sn_shape_ops ops = {
  .head = { .size = sizeof(sn_shape_ops),
            .summary = "octahedra",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .make = make,
  .drop = sn_instance_unbind,
  .support = support,
  .ray = ray,
};

static const sn_provide provides[] = {
  SN_PROVIDE_SHAPE("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a shape of geoms", .provides = provides)
