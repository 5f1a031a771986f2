// SPDX-License-Identifier: Apache-2.0
//
// Support points and normals of the convex shapes, in their own frame. Along an axis in which the
// direction has no component a flat side has no farthest point: its middle is taken.

#include "shape.h"

#include "mesh_hull.h"

typedef void support_fn(const sn_shape *shape, const double *direction, double *point);
typedef int normal_fn(const sn_shape *shape, const double *point, double *normal);

static inline double sign_of(double x) {
  return x > 0 ? 1 : (x < 0 ? -1 : 0);
}

// ------------------------------------------------------------------ support, local

static void sphere_support(const sn_shape *s, const double *d, double *point) {
  sn_scale3(point, d, s->size[0]);
}

static void capsule_support(const sn_shape *s, const double *d, double *point) {
  sn_scale3(point, d, s->size[0]);
  point[2] += sign_of(d[2]) * s->size[1];
}

static void ellipsoid_support(const sn_shape *s, const double *d, double *point) {
  for (int k = 0; k < 3; k++) {
    point[k] = d[k] * s->size[k];
  }
  sn_normalize3(point);
  for (int k = 0; k < 3; k++) {
    point[k] *= s->size[k];
  }
}

static void cylinder_support(const sn_shape *s, const double *d, double *point) {
  double across = sqrt(d[0] * d[0] + d[1] * d[1]);
  for (int k = 0; k < 2; k++) {
    point[k] = across > SN_TINY ? d[k] / across * s->size[0] : 0;
  }
  point[2] = sign_of(d[2]) * s->size[1];
}

static void box_support(const sn_shape *s, const double *d, double *point) {
  for (int k = 0; k < 3; k++) {
    point[k] = sign_of(d[k]) * s->size[k];
  }
}

static void mesh_support(const sn_shape *s, const double *d, double *point) {
  mesh_hull hull;
  if (!s->mesh || s->mesh->nvert == 0) {
    sn_zero3(point);
    return;
  }
  mesh_hull_read(&hull, s->mesh);
  sn_copy3(point, mesh_hull_local(&hull, mesh_hull_support(&hull, d)));
}

// ------------------------------------------------------------------ normals, local

static int sphere_normal(const sn_shape *s, const double *point, double *normal) {
  (void)s;
  sn_copy3(normal, point);
  return 1;
}

static int capsule_normal(const sn_shape *s, const double *point, double *normal) {
  sn_copy3(normal, point);
  normal[2] -= sn_clamp(point[2], -s->size[1], s->size[1]);
  return 1;
}

// The nearest point of the ellipsoid is x_i = r_i^2 p_i / (r_i^2 + l) with the largest root l of
// sum (r_i p_i / (r_i^2 + l))^2 = 1 (Eberly, Distance from a point to an ellipsoid, 2013). The sum
// falls and is convex there, so Newton's method from the left never oversteps the root. A point in
// a plane of symmetry stays in it.
static int ellipsoid_normal(const sn_shape *s, const double *point, double *normal) {
  enum { STEPS = 100 };
  double least = INFINITY, start = -INFINITY;
  for (int k = 0; k < 3; k++) {
    least = fmin(least, s->size[k] * s->size[k]);
  }
  for (int k = 0; k < 3; k++) {
    if (point[k] != 0) {
      start = fmax(start, s->size[k] * fabs(point[k]) - s->size[k] * s->size[k]);
    }
  }
  double root = start;
  for (int step = 0; step < STEPS; step++) {
    double value = -1, slope = 0;
    for (int k = 0; k < 3; k++) {
      double r2 = s->size[k] * s->size[k], part = s->size[k] * point[k];
      if (part != 0) {
        value += part * part / ((r2 + root) * (r2 + root));
        slope -= 2 * part * part / ((r2 + root) * (r2 + root) * (r2 + root));
      }
    }
    double change = slope < 0 ? -value / slope : 0;
    root += change;
    if (!(fabs(change) > 1e-15 * least)) {
      break;
    }
  }
  for (int k = 0; k < 3; k++) {
    double below = s->size[k] * s->size[k] + root;
    if (point[k] != 0 && !(below > 1e-12 * least)) {
      return 0;
    }
    normal[k] = point[k] != 0 ? point[k] / below : 0;
  }
  return isfinite(root);
}

// The wall, but for what is near a rim or deep below a cap.
static int cylinder_normal(const sn_shape *s, const double *point, double *normal) {
  const double wall = 0.95;    // of the half length
  const double slope = 0.25;   // of what is below a cap, against what is behind the wall
  double below = s->size[1] - fabs(point[2]);
  double behind = s->size[0] - sqrt(point[0] * point[0] + point[1] * point[1]);
  if (below < (1 - wall) * s->size[1] || below < slope * behind) {
    return 0;
  }
  normal[0] = point[0];
  normal[1] = point[1];
  normal[2] = 0;
  return 1;
}

// ------------------------------------------------------------------ by type

static support_fn *const supports[SN_NGEOMTYPES] = {
  [SN_GEOM_SPHERE] = sphere_support,
  [SN_GEOM_CAPSULE] = capsule_support,
  [SN_GEOM_ELLIPSOID] = ellipsoid_support,
  [SN_GEOM_CYLINDER] = cylinder_support,
  [SN_GEOM_BOX] = box_support,
  [SN_GEOM_MESH] = mesh_support,
};

static normal_fn *const normals[SN_NGEOMTYPES] = {
  [SN_GEOM_SPHERE] = sphere_normal,
  [SN_GEOM_CAPSULE] = capsule_normal,
  [SN_GEOM_ELLIPSOID] = ellipsoid_normal,
  [SN_GEOM_CYLINDER] = cylinder_normal,
};

int shape_is_convex(int32_t type) {
  return type >= 0 && type < SN_NGEOMTYPES && supports[type];
}

void shape_support(const grown_shape *grown, const double *direction, double *point) {
  const sn_shape *s = grown->shape;
  double local[3];
  sn_mul_matT_vec3(local, s->mat, direction);
  supports[s->type](s, local, point);
  sn_addscale3(point, point, grown->layer, local);
  sn_mul_mat_vec3(point, s->mat, point);
  sn_add3(point, point, s->pos);
}

int shape_normal(const sn_shape *s, const double *point, double *normal) {
  double to[3], local[3], out[3];
  if (!normals[s->type]) {
    return 0;
  }
  sn_sub3(to, point, s->pos);
  sn_mul_matT_vec3(local, s->mat, to);
  if (!normals[s->type](s, local, out) || !(sn_norm3(out) > SN_TINY)) {
    return 0;
  }
  sn_normalize3(out);
  sn_mul_mat_vec3(normal, s->mat, out);
  return 1;
}
