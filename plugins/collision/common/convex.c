// SPDX-License-Identifier: Apache-2.0
//
// Support points and normals of the convex shapes, in their own frame.

#include "convex.h"

// normal: in, a guess of unit length; out, the result, of any length.
typedef int normal_fn(const convex *c, const double *point, double *normal);

static inline double sign_of(double x, double zero_sign) {
  return x > 0 ? 1 : (x < 0 ? -1 : zero_sign);
}

// ------------------------------------------------------------------ support, local

static void sphere_support(const convex *s, const double *d, double *point) {
  sn_scale3(point, d, s->size[0]);
}

static void capsule_support(const convex *s, const double *d, double *point) {
  sn_scale3(point, d, s->size[0]);
  point[2] += sign_of(d[2], s->zero_sign) * s->size[1];
}

static void ellipsoid_support(const convex *s, const double *d, double *point) {
  for (int k = 0; k < 3; k++) {
    point[k] = d[k] * s->size[k];
  }
  sn_normalize3(point);
  for (int k = 0; k < 3; k++) {
    point[k] *= s->size[k];
  }
}

static void cylinder_support(const convex *s, const double *d, double *point) {
  double across = sqrt(d[0] * d[0] + d[1] * d[1]);
  for (int k = 0; k < 2; k++) {
    point[k] = across > SN_TINY ? d[k] / across * s->size[0] : 0;
  }
  point[2] = sign_of(d[2], s->zero_sign) * s->size[1];
}

static void box_support(const convex *s, const double *d, double *point) {
  for (int k = 0; k < 3; k++) {
    point[k] = sign_of(d[k], s->zero_sign) * s->size[k];
  }
}

static void mesh_support(const convex *s, const double *d, double *point) {
  int64_t top = mesh_hull_support(&s->hull, d, s->hint ? *s->hint : 0);
  if (s->hint) {
    *s->hint = top;
  }
  sn_copy3(point, mesh_hull_local(&s->hull, top));
}

static void user_support(const convex *s, const double *d, double *point) {
  double unit[3];
  sn_copy3(unit, d);
  sn_normalize3(unit);
  s->user->ops->support(s->user->self, s->user->data, unit, point);
}

// The sides of a prism are vertical, so the support point is at the top unless the direction points
// down.
static void prism_support(const convex *s, const double *d, double *point) {
  const double *end = s->point + (d[2] < 0 ? 9 : 0);
  int best = 0;
  for (int i = 1; i < 3; i++) {
    best = sn_dot3(d, end + 3 * i) > sn_dot3(d, end + 3 * best) ? i : best;
  }
  sn_copy3(point, end + 3 * best);
}

// ------------------------------------------------------------------ normals, local

static int sphere_normal(const convex *s, const double *point, double *normal) {
  (void)s;
  sn_copy3(normal, point);
  return 1;
}

static int capsule_normal(const convex *s, const double *point, double *normal) {
  sn_copy3(normal, point);
  normal[2] -= sn_clamp(point[2], -s->size[1], s->size[1]);
  return 1;
}

// f(x) = sum (x_i / r_i)^2 - 1 and half its gradient, the direction of the normal.
static double ellipsoid_level(const convex *s, const double *x, double *gradient) {
  double level = -1;
  for (int k = 0; k < 3; k++) {
    gradient[k] = x[k] / (s->size[k] * s->size[k]);
    level += x[k] * gradient[k];
  }
  return level;
}

// From outside: the nearest point is x_i = r_i^2 p_i / (r_i^2 + l) with the root l > 0 of
// sum (r_i p_i / (r_i^2 + l))^2 = 1 (Eberly, Distance from a point to an ellipsoid, 2013). The sum
// decreases and is convex there, so Newton's method from 0 never oversteps the root.
static void ellipsoid_normal_outside(const convex *s, const double *p, double *normal) {
  enum { STEPS = 30 };
  // change of l, length^2. Matches MuJoCo 2.2.2: ellipsoid-tolerance
  static const double enough = 1e-6;
  double root = 0;
  for (int step = 0; step < STEPS; step++) {
    double value = -1, slope = 0;
    for (int k = 0; k < 3; k++) {
      double below = s->size[k] * s->size[k] + root, part = s->size[k] * p[k] / below;
      value += part * part;
      slope -= 2 * part * part / below;
    }
    double change = slope < 0 ? -value / slope : 0;
    if (!(fabs(change) > enough)) {
      break;
    }
    root += change;
  }
  for (int k = 0; k < 3; k++) {
    normal[k] = p[k] / (s->size[k] * s->size[k] + root);
  }
}

// From inside: the ray from p along the normal meets the surface at the nearest point. So the
// normal where a ray along a guess meets the surface is a better guess; it converges faster the
// nearer p is to the surface.
static void ellipsoid_normal_inside(const convex *s, const double *p, double *normal) {
  enum { STEPS = 30 };
  // change of the normal. Matches MuJoCo 2.2.2: ellipsoid-tolerance
  static const double enough = 1e-6;
  double gradient[3], x[3], next[3];
  double level = ellipsoid_level(s, p, gradient);
  for (int step = 0; step < STEPS; step++) {
    // f(p + t n) = a t^2 + 2 b t + level
    double a = 1 + ellipsoid_level(s, normal, next), b = sn_dot3(gradient, normal);
    sn_addscale3(x, p, (sqrt(b * b - a * level) - b) / a, normal);
    ellipsoid_level(s, x, next);
    sn_normalize3(next);
    double change = sn_dist3(next, normal);
    sn_copy3(normal, next);
    if (change < enough) {
      break;
    }
  }
}

static int ellipsoid_normal(const convex *s, const double *point, double *normal) {
  double gradient[3];
  (ellipsoid_level(s, point, gradient) > 0 ? ellipsoid_normal_outside
                                           : ellipsoid_normal_inside)(s, point, normal);
  return isfinite(normal[0]) && isfinite(normal[1]) && isfinite(normal[2]);
}

// The normal of the wall, except near a rim and for points much nearer to a cap than to the wall.
static int cylinder_normal(const convex *s, const double *point, double *normal) {
  const double wall = 0.95;   // part of the half length within which the wall decides
  const double ratio = 0.25;  // of the depth below a cap to the depth behind the wall
  double below = s->size[1] - fabs(point[2]);
  double behind = s->size[0] - sqrt(point[0] * point[0] + point[1] * point[1]);
  if (below < (1 - wall) * s->size[1] || below < ratio * behind) {
    return 0;
  }
  normal[0] = point[0];
  normal[1] = point[1];
  normal[2] = 0;
  return 1;
}

// ------------------------------------------------------------------ by type

static convex_support_fn *const supports[SN_NGEOMTYPES] = {
  [SN_GEOM_SPHERE] = sphere_support,
  [SN_GEOM_CAPSULE] = capsule_support,
  [SN_GEOM_ELLIPSOID] = ellipsoid_support,
  [SN_GEOM_CYLINDER] = cylinder_support,
  [SN_GEOM_BOX] = box_support,
  [SN_GEOM_MESH] = mesh_support,
  [SN_GEOM_USER] = user_support,
};

static normal_fn *const normals[SN_NGEOMTYPES] = {
  [SN_GEOM_SPHERE] = sphere_normal,
  [SN_GEOM_CAPSULE] = capsule_normal,
  [SN_GEOM_ELLIPSOID] = ellipsoid_normal,
  [SN_GEOM_CYLINDER] = cylinder_normal,
};

int convex_is(int32_t type) {
  return type >= 0 && type < SN_NGEOMTYPES && supports[type];
}

int convex_of_shape(convex *c, const sn_shape *s) {
  if (!convex_is(s->type)) {
    return 0;
  }
  *c = (convex){ .support = supports[s->type],
                 .type = s->type,
                 .size = s->size,
                 .pos = s->pos,
                 .mat = s->mat,
                 .user = s->user };
  if (s->type == SN_GEOM_USER) {
    return s->user && s->user->ops;
  }
  if (s->type != SN_GEOM_MESH) {
    return 1;
  }
  if (!s->mesh || s->mesh->nvert == 0) {
    return 0;
  }
  mesh_hull_read(&c->hull, s->mesh);
  return 1;
}

void convex_of_prism(convex *c, const double *point, const double *center, const sn_shape *frame) {
  *c = (convex){
    .support = prism_support, .type = -1, .pos = frame->pos, .mat = frame->mat, .point = point
  };
  sn_copy3(c->center, center);
}

static void center_support(const convex *s, const double *d, double *point) {
  (void)s;
  (void)d;
  sn_zero3(point);
}

static void segment_support(const convex *s, const double *d, double *point) {
  point[0] = point[1] = 0;
  point[2] = sign_of(d[2], s->zero_sign) * s->size[1];
}

double convex_core(convex *c) {
  if (c->type != SN_GEOM_SPHERE && c->type != SN_GEOM_CAPSULE) {
    return 0;
  }
  c->support = c->type == SN_GEOM_SPHERE ? center_support : segment_support;
  return c->size[0];
}

void convex_support(const convex *c, const double *direction, double *point) {
  double local[3];
  sn_mul_matT_vec3(local, c->mat, direction);
  c->support(c, local, point);
  sn_addscale3(point, point, c->inflation, local);
  sn_mul_mat_vec3(point, c->mat, point);
  sn_add3(point, point, c->pos);
}

int convex_normal(const convex *c, const double *point, const double *guess, double *normal) {
  double to[3], local[3], out[3];
  if (c->type < 0 || !normals[c->type]) {
    return 0;
  }
  sn_sub3(to, point, c->pos);
  sn_mul_matT_vec3(local, c->mat, to);
  sn_mul_matT_vec3(out, c->mat, guess);
  if (!normals[c->type](c, local, out)) {
    return 0;
  }
  sn_normalize3(out);   // on an axis of symmetry, where any normal will do: local x
  sn_mul_mat_vec3(normal, c->mat, out);
  return 1;
}
