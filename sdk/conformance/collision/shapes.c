// SPDX-License-Identifier: Apache-2.0
//
// The shapes that colliders are tested with.

#include "shapes.h"

#include <math.h>
#include <string.h>

enum { MESH_POINTS = 14, FIELD_SIDE = 5 };

const char *const shape_type_names[SN_NGEOMTYPES] = { "plane",   "hfield",    "sphere",
                                                      "capsule", "ellipsoid", "cylinder",
                                                      "box",     "mesh",      "user" };

// points of a sphere, stretched, without a hull
static const double mesh_vert[3 * MESH_POINTS] = {
  0.3,   0,     0,     -0.3, 0,    0,     0,    0.25,  0,     0,     -0.25, 0,     0,     0,
  0.2,   0,     0,     -0.2, 0.17, 0.14,  0.12, 0.17,  0.14,  -0.12, 0.17,  -0.14, 0.12,  0.17,
  -0.14, -0.12, -0.17, 0.14, 0.12, -0.17, 0.14, -0.12, -0.17, -0.14, 0.12,  -0.17, -0.14, -0.12,
};
static const sn_mesh_view mesh = { .size = sizeof(sn_mesh_view),
                                   .nvert = MESH_POINTS,
                                   .vert = mesh_vert };

static const double heights[FIELD_SIDE * FIELD_SIDE] = {
  0.1, 0.5, 0.3, 0.9, 0.2, 0.7, 0.2, 0.8, 0.1, 0.6, 0.4, 1,   0.5,
  0,   0.3, 0.2, 0.6, 0.1, 0.8, 0.5, 0.9, 0.3, 0.7, 0.4, 0.2,
};
static const sn_hfield_view field = { .size = sizeof(sn_hfield_view),
                                      .nrow = FIELD_SIDE,
                                      .ncol = FIELD_SIDE,
                                      .data = heights,
                                      .extent = { 1, 1, 0.3, 0.2 } };

int shape_type_of(const char *name) {
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    if (strcmp(shape_type_names[i], name) == 0) {
      return i;
    }
  }
  return -1;
}

void shape_multiply(const double *a, const double *b, double *out, int cols) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < cols; j++) {
      out[cols * i + j] = 0;
      for (int c = 0; c < 3; c++) {
        out[cols * i + j] += a[3 * i + c] * b[cols * c + j];
      }
    }
  }
}

void shape_rotation(kit *k, double *mat) {
  double q[4], n = 0;
  for (int i = 0; i < 4; i++) {
    q[i] = kit_random(k);
    n += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++) {
    q[i] /= sqrt(fmax(n, 1e-12));
  }
  double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[9] = { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y) };
  memcpy(mat, m, sizeof m);
}

void shape_random(kit *k, sn_shape *s, pose *p, int type, int id) {
  *s = (sn_shape){ .type = type, .id = id, .pos = p->pos, .mat = p->mat };
  s->mesh = type == SN_GEOM_MESH ? &mesh : NULL;
  s->hfield = type == SN_GEOM_HFIELD ? &field : NULL;
  shape_rotation(k, p->mat);
  for (int i = 0; i < 3; i++) {
    s->size[i] = type == SN_GEOM_PLANE ? 0 : kit_between(k, 0.1, 0.5);
    p->pos[i] = kit_random(k);
  }
}

double shape_smallest_size(const sn_shape *s) {
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    least = s->size[i] > 0 ? fmin(least, s->size[i]) : least;
  }
  return s->type == SN_GEOM_MESH ? 0.2 : least;
}
