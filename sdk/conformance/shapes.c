// SPDX-License-Identifier: Apache-2.0
//
// For a unit direction n two convex shapes are apart by at least min n.b - max n.a. The direction
// where this is largest is sought on a spiral of directions, then among ever nearer neighbors.

#include "shapes.h"

#include <math.h>
#include <string.h>

enum { MESH_POINTS = 14, FIELD_SIDE = 5, NET = 500, AROUND = 8 };

const char *const shape_type_names[SN_NGEOMTYPES] = { "plane",     "hfield",   "sphere", "capsule",
                                                      "ellipsoid", "cylinder", "box",    "mesh" };

// points of a sphere, stretched, without a hull
static const double mesh_vert[3 * MESH_POINTS] = {
  0.3,   0,     0,    -0.3, 0,     0,     0,     0.25, 0,    0,    -0.25, 0,    0,     0,
  0.2,   0,     0,    -0.2, 0.17,  0.14,  0.12,  0.17, 0.14, -0.12, 0.17, -0.14, 0.12, 0.17,
  -0.14, -0.12, -0.17, 0.14, 0.12, -0.17, 0.14,  -0.12, -0.17, -0.14, 0.12, -0.17, -0.14, -0.12,
};
static const sn_mesh_view mesh = { .nvert = MESH_POINTS, .vert = mesh_vert };

static const double heights[FIELD_SIDE * FIELD_SIDE] = {
  0.1, 0.5, 0.3, 0.9, 0.2, 0.7, 0.2, 0.8, 0.1, 0.6, 0.4, 1,   0.5,
  0,   0.3, 0.2, 0.6, 0.1, 0.8, 0.5, 0.9, 0.3, 0.7, 0.4, 0.2,
};
static const sn_hfield_view field = {
  .nrow = FIELD_SIDE, .ncol = FIELD_SIDE, .data = heights, .size = { 1, 1, 0.3, 0.2 }
};

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

// ------------------------------------------------------------------ the truth

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// the largest n.x over a shape
static double top_of(const sn_shape *s, const double *n) {
  const double *m = s->mat, *z = s->size;
  const double d[3] = { m[0] * n[0] + m[3] * n[1] + m[6] * n[2],
                        m[1] * n[0] + m[4] * n[1] + m[7] * n[2],
                        m[2] * n[0] + m[5] * n[1] + m[8] * n[2] };
  double top = -INFINITY;
  for (int64_t i = 0; s->mesh && i < s->mesh->nvert; i++) {
    top = fmax(top, dot(d, s->mesh->vert + 3 * i));
  }
  const double of_type[SN_NGEOMTYPES] = {
    [SN_GEOM_PLANE] = d[2] > 1 - 1e-12 ? 0 : INFINITY,
    [SN_GEOM_SPHERE] = z[0],
    [SN_GEOM_CAPSULE] = z[0] + z[1] * fabs(d[2]),
    [SN_GEOM_ELLIPSOID] = sqrt(z[0] * z[0] * d[0] * d[0] + z[1] * z[1] * d[1] * d[1] +
                               z[2] * z[2] * d[2] * d[2]),
    [SN_GEOM_CYLINDER] = z[0] * sqrt(d[0] * d[0] + d[1] * d[1]) + z[1] * fabs(d[2]),
    [SN_GEOM_BOX] = z[0] * fabs(d[0]) + z[1] * fabs(d[1]) + z[2] * fabs(d[2]),
    [SN_GEOM_MESH] = top,
  };
  return dot(n, s->pos) + of_type[s->type];
}

static double apart(const sn_shape *a, const sn_shape *b, const double *n) {
  const double back[3] = { -n[0], -n[1], -n[2] };
  return -top_of(b, back) - top_of(a, n);
}

// A neighbor of n at an angle around it.
static void neighbor(const double *n, double step, double angle, double *out) {
  double t[3] = { 0 }, u[3], v[3], length = 0;
  t[fabs(n[0]) < 0.5 ? 0 : 1] = 1;
  for (int k = 0; k < 3; k++) {
    u[k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
    length += u[k] * u[k];
  }
  for (int k = 0; k < 3; k++) {
    u[k] /= sqrt(length);
  }
  length = 0;
  for (int k = 0; k < 3; k++) {
    v[k] = u[(k + 1) % 3] * n[(k + 2) % 3] - u[(k + 2) % 3] * n[(k + 1) % 3];
    out[k] = n[k] + step * (cos(angle) * u[k] + sin(angle) * v[k]);
    length += out[k] * out[k];
  }
  for (int k = 0; k < 3; k++) {
    out[k] /= sqrt(length);
  }
}

static double climb(const sn_shape *a, const sn_shape *b, const double *start) {
  double n[3] = { start[0], start[1], start[2] }, best = apart(a, b, n), phase = 0;
  for (double step = 0.1; step > 1e-8;) {
    double found[3] = { 0 }, top = best;
    phase += 0.7;
    for (int i = 0; i < AROUND; i++) {
      double x[3];
      neighbor(n, step, phase + 6.283185307179586 * i / AROUND, x);
      double value = apart(a, b, x);
      if (value > top) {
        top = value;
        memcpy(found, x, sizeof found);
      }
    }
    if (top > best) {
      best = top;
      memcpy(n, found, sizeof n);
      step *= 1.3;
    } else {
      step *= 0.6;
    }
  }
  return best;
}

double shape_separation(const sn_shape *first, const sn_shape *second) {
  if (first->type == SN_GEOM_PLANE) {
    const double normal[3] = { first->mat[2], first->mat[5], first->mat[8] };
    return apart(first, second, normal);
  }
  double value[3] = { -INFINITY, -INFINITY, -INFINITY }, start[3][3] = { { 1, 0, 0 } };
  for (int i = 0; i < NET; i++) {
    double z = 1 - (2.0 * i + 1) / NET, r = sqrt(1 - z * z), turn = 2.399963229728653 * i;
    const double n[3] = { r * cos(turn), r * sin(turn), z };
    double x = apart(first, second, n);
    for (int k = 0; k < 3; k++) {
      if (x > value[k]) {
        memmove(&value[k + 1], &value[k], (size_t)(2 - k) * sizeof *value);
        memmove(start[k + 1], start[k], (size_t)(2 - k) * sizeof *start);
        value[k] = x;
        memcpy(start[k], n, sizeof n);
        break;
      }
    }
  }
  double best = -INFINITY;
  for (int k = 0; k < 3; k++) {
    best = fmax(best, climb(first, second, start[k]));
  }
  return best;
}
