// SPDX-License-Identifier: Apache-2.0
//
// The surface of a shape of a plugin, which is known by its support function alone: the support
// points of directions on a grid of latitudes and longitudes, joined as the directions are. Where
// the surface is curved, points are near each other, and the direction is the normal. A corner is
// the support point of many directions, and a flat face is within a few triangles; there the
// normal is that of the triangle.

#include <math.h>
#include <stdlib.h>

#include "parts.h"

enum { UP = 28, AROUND = 56 };
_Static_assert(2 * UP * AROUND == SN_SCENE_SHAPE_FACES, "the grid of scene.h");
enum { POINTS = (UP + 1) * (AROUND + 1) };
static const double smooth = 0.95;   // cosine of the largest angle between two parts of a curve

// Denser near the axes and the planes between them, where the normals of boxes and cylinders are:
// their edges are the support points of few directions.
static double denser(double angle) {
  return angle - 0.2 * sin(4 * angle);
}

static void set_direction(int row, int column, double *out) {
  const double e = denser(SN_PI * ((double)row / UP - 0.5));
  const double a = denser(2 * SN_PI * column / AROUND);
  out[0] = cos(e) * cos(a);
  out[1] = cos(e) * sin(a);
  out[2] = sin(e);
}

// False: the triangle has no area.
static int add_face(const double *point, const double *direction, const int64_t *corner,
                    double *vertex, double *normal) {
  double a[3], b[3], flat[3];
  sn_sub3(a, point + 3 * corner[1], point + 3 * corner[0]);
  sn_sub3(b, point + 3 * corner[2], point + 3 * corner[0]);
  sn_cross(flat, a, b);
  if (sn_normalize3(flat) < SN_TINY) {
    return 0;
  }
  for (int i = 0; i < 3; i++) {
    const double *own = direction + 3 * corner[i];
    sn_copy3(vertex + 3 * i, point + 3 * corner[i]);
    sn_copy3(normal + 3 * i, sn_dot3(own, flat) > smooth ? own : flat);
  }
  return 1;
}

sn_status sn_scene_trace_shape(const sn_model *m, int32_t geom, double *vertex, double *normal,
                               int64_t *nface, sn_error *error) {
  double *direction = malloc(2 * 3 * POINTS * sizeof *direction);
  *nface = 0;
  if (!direction) {
    return scene_fail(m, error, SN_ENOMEM, "out of memory for the surface of a shape");
  }
  double *point = direction + 3 * POINTS;
  for (int i = 0; i < POINTS; i++) {
    set_direction(i / (AROUND + 1), i % (AROUND + 1), direction + 3 * (int64_t)i);
  }
  const sn_status status = sn_geom_support(m, geom, POINTS, direction, point, error);
  for (int64_t i = 0; i < UP * AROUND && status >= 0; i++) {
    const int64_t k = i / AROUND * (AROUND + 1) + i % AROUND, above = k + AROUND + 1;
    const int64_t corner[2][3] = { { k, k + 1, above }, { k + 1, above + 1, above } };
    for (int half = 0; half < 2; half++) {
      *nface += add_face(point, direction, corner[half], vertex + 9 * *nface, normal + 9 * *nface);
    }
  }
  free(direction);
  return status;
}
