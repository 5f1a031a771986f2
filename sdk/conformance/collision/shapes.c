// SPDX-License-Identifier: Apache-2.0
//
// The shapes that colliders are tested with.

#include "shapes.h"

#include <math.h>
#include <string.h>

#include "sinew/shape.h"

enum { MESH_POINTS = 14, FIELD_SIDE = 5 };

static const char *const type_names[SN_NGEOMTYPES] = { "plane",     "hfield",   "sphere",
                                                       "capsule",   "ellipsoid", "cylinder",
                                                       "box",       "mesh",     "user" };

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

const char *shape_name(const sn_shape *s) {
  return s->type == SN_GEOM_USER ? s->user->type : type_names[s->type];
}

int shape_type_of(const char *name) {
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    if (strcmp(type_names[i], name) == 0) {
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

// ------------------------------------------------------------------ shapes of plugins

// data: the half sizes

static void egg_support(const void *self, const void *data, const double *direction,
                        double *point) {
  const double *r = data;
  double length = 0;
  (void)self;
  for (int k = 0; k < 3; k++) {
    length += r[k] * direction[k] * r[k] * direction[k];
  }
  for (int k = 0; k < 3; k++) {
    point[k] = length > 0 ? r[k] * (r[k] * direction[k] / sqrt(length)) : 0;
  }
}

static void ball_support(const void *self, const void *data, const double *direction,
                         double *point) {
  (void)self;
  for (int k = 0; k < 3; k++) {
    point[k] = ((const double *)data)[0] * direction[k];
  }
}

static void brick_support(const void *self, const void *data, const double *direction,
                          double *point) {
  (void)self;
  for (int k = 0; k < 3; k++) {
    point[k] = copysign(((const double *)data)[k], direction[k]);
  }
}

// a t^2 + 2 b t + c = 0 for the point at t, in units of the half sizes
static double egg_ray(const void *self, const void *data, const double *origin,
                      const double *direction) {
  const double *r = data;
  double a = 0, b = 0, c = -1;
  (void)self;
  for (int k = 0; k < 3; k++) {
    a += direction[k] / r[k] * (direction[k] / r[k]);
    b += direction[k] / r[k] * (origin[k] / r[k]);
    c += origin[k] / r[k] * (origin[k] / r[k]);
  }
  const double root = sqrt(b * b - a * c);   // NaN: it misses
  return (-b - root) / a >= 0 ? (-b - root) / a : (-b + root) / a >= 0 ? (-b + root) / a : -1;
}

static double brick_ray(const void *self, const void *data, const double *origin,
                        const double *direction) {
  const double *r = data;
  double enter = -INFINITY, leave = INFINITY;
  (void)self;
  for (int k = 0; k < 3; k++) {
    const double a = (-r[k] - origin[k]) / direction[k], b = (r[k] - origin[k]) / direction[k];
    enter = fmax(enter, fmin(a, b));
    leave = fmin(leave, fmax(a, b));
  }
  return enter > leave || leave < 0 ? -1 : enter >= 0 ? enter : leave;
}

#define OPS(title, name)                                                            \
  {                                                                                 \
    .head = { .size = sizeof(sn_shape_ops), .summary = title },                     \
    .support = name##_support, .ray = name##_ray                                    \
  }
#define ball_ray egg_ray
static const sn_shape_ops ball_ops = OPS("balls", ball), brick_ops = OPS("boxes", brick),
                          egg_ops = OPS("ellipsoids", egg);

static sn_user_shape prototypes[SHAPE_NTYPES - SN_GEOM_USER] = {
  { .size = sizeof(sn_user_shape), .type = "kit.ball", .ops = &ball_ops },
  { .size = sizeof(sn_user_shape), .type = "kit.brick", .ops = &brick_ops },
  { .size = sizeof(sn_user_shape), .type = "kit.egg", .ops = &egg_ops },
};
static const double *own_half;

void shape_set_own(const sn_user_shape *shape, const double *half) {
  own_half = half;
  prototypes[SHAPE_OWN - SN_GEOM_USER] = shape ? *shape : (sn_user_shape){ .size = sizeof *shape };
}

void shape_fit(sn_shape *s, pose *p) {
  const double least = 1e-9;
  if (s->type != SN_GEOM_USER) {
    return;
  }
  const int is_own = p->user.ops == prototypes[SHAPE_OWN - SN_GEOM_USER].ops;
  const int is_ball = p->user.ops == &ball_ops;
  for (int k = 0; k < 3; k++) {
    s->size[k] = is_own ? own_half[k] : fmax(least, s->size[is_ball ? 0 : k]);
    p->half[k] = s->size[k];
  }
  s->user = &p->user;
}

// ------------------------------------------------------------------

void shape_random(kit *k, sn_shape *s, pose *p, int type, int id) {
  *s = (sn_shape){
    .type = type < SN_GEOM_USER ? type : SN_GEOM_USER, .id = id, .pos = p->pos, .mat = p->mat
  };
  s->mesh = type == SN_GEOM_MESH ? &mesh : NULL;
  s->hfield = type == SN_GEOM_HFIELD ? &field : NULL;
  shape_rotation(k, p->mat);
  for (int i = 0; i < 3; i++) {
    s->size[i] = type == SN_GEOM_PLANE ? 0 : kit_between(k, 0.1, 0.5);
    p->pos[i] = kit_random(k);
  }
  if (type >= SN_GEOM_USER) {
    p->user = prototypes[type - SN_GEOM_USER];
    p->user.data = type == SHAPE_OWN ? p->user.data : p->half;
    shape_fit(s, p);
  }
}

double shape_smallest_size(const sn_shape *s) {
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    least = s->size[i] > 0 ? fmin(least, s->size[i]) : least;
  }
  return s->type == SN_GEOM_MESH ? 0.2 : least;
}
