// SPDX-License-Identifier: Apache-2.0
//
// Rays against simple shapes and triangle meshes, in the shape's own frame: the smallest x >= 0
// for which origin + x direction lies on the surface. A ray that starts inside hits from inside;
// a plane is hit from its front only.

#include "primitive.h"
#include "sinew/shape.h"
#include "triangle.h"

static const double miss = -1;

// The nearer of two hits; negative ones are misses.
static double nearer(double a, double b) {
  return a < 0 ? b : (b < 0 || a < b ? a : b);
}

// Roots of a x^2 + 2 b x + c, lower first; false: none.
static int roots(double a, double b, double c, double x[2]) {
  double d = b * b - a * c;
  if (d < 0 || a < SN_TINY) {
    return 0;
  }
  d = sqrt(d);
  x[0] = (-b - d) / a;
  x[1] = (-b + d) / a;
  return 1;
}

static double ray_ball(const double *o, const double *v, const double *center, double radius) {
  double to[3], x[2];
  sn_sub3(to, o, center);
  if (!roots(sn_dot3(v, v), sn_dot3(v, to), sn_dot3(to, to) - radius * radius, x)) {
    return miss;
  }
  return x[0] >= 0 ? x[0] : (x[1] >= 0 ? x[1] : miss);
}

// The side of a cylinder along z between -half and half.
static double ray_side(const double *o, const double *v, double radius, double half) {
  double x[2], best = miss;
  if (!roots(v[0] * v[0] + v[1] * v[1], v[0] * o[0] + v[1] * o[1],
             o[0] * o[0] + o[1] * o[1] - radius * radius, x)) {
    return miss;
  }
  for (int i = 0; i < 2; i++) {
    if (x[i] >= 0 && fabs(o[2] + x[i] * v[2]) <= half) {
      best = nearer(best, x[i]);
    }
  }
  return best;
}

static double ray_plane(const sn_shape *s, const double *o, const double *v) {
  if (v[2] > -SN_TINY) {
    return miss;
  }
  double x = -o[2] / v[2];
  if (x < 0 || (s->size[0] > 0 && fabs(o[0] + x * v[0]) > s->size[0]) ||
      (s->size[1] > 0 && fabs(o[1] + x * v[1]) > s->size[1])) {
    return miss;
  }
  return x;
}

static double ray_sphere(const sn_shape *s, const double *o, const double *v) {
  const double center[3] = { 0, 0, 0 };
  return ray_ball(o, v, center, s->size[0]);
}

// The caps count only beyond the ends of the side.
static double ray_capsule(const sn_shape *s, const double *o, const double *v) {
  double radius = s->size[0], half = s->size[1], best = ray_side(o, v, radius, half);
  for (int end = -1; end <= 1; end += 2) {
    double to[3] = { o[0], o[1], o[2] - end * half }, x[2];
    if (!roots(sn_dot3(v, v), sn_dot3(v, to), sn_dot3(to, to) - radius * radius, x)) {
      continue;
    }
    for (int i = 0; i < 2; i++) {
      if (x[i] >= 0 && end * (o[2] + x[i] * v[2]) >= half) {
        best = nearer(best, x[i]);
      }
    }
  }
  return best;
}

static double ray_ellipsoid(const sn_shape *s, const double *o, const double *v) {
  double a[3], b[3];
  const double center[3] = { 0, 0, 0 };
  for (int i = 0; i < 3; i++) {
    a[i] = o[i] / s->size[i];
    b[i] = v[i] / s->size[i];
  }
  return ray_ball(a, b, center, 1);
}

static double ray_cylinder(const sn_shape *s, const double *o, const double *v) {
  double radius = s->size[0], half = s->size[1], best = ray_side(o, v, radius, half);
  for (int end = -1; end <= 1 && fabs(v[2]) > SN_TINY; end += 2) {
    double x = (end * half - o[2]) / v[2];
    double px = o[0] + x * v[0], py = o[1] + x * v[1];
    if (x >= 0 && px * px + py * py <= radius * radius) {
      best = nearer(best, x);
    }
  }
  return best;
}

static double ray_box(const sn_shape *s, const double *o, const double *v) {
  double best = miss;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int side = -1; side <= 1 && fabs(v[i]) > SN_TINY; side += 2) {
      double x = (side * s->size[i] - o[i]) / v[i];
      if (x >= 0 && fabs(o[j] + x * v[j]) <= s->size[j] && fabs(o[k] + x * v[k]) <= s->size[k]) {
        best = nearer(best, x);
      }
    }
  }
  return best;
}

// Whether the ray enters the box before `best`, the nearest hit so far. inverse: 1 / v. Where the
// ray runs along a side, 0 times infinity is not a number, which excludes nothing.
static int ray_meets(const sn_tree_node *box, const double *o, const double *inverse, double best) {
  double enter = 0, leave = best < 0 ? INFINITY : best;
  for (int k = 0; k < 3; k++) {
    const double a = (box->lo[k] - o[k]) * inverse[k], b = (box->hi[k] - o[k]) * inverse[k];
    const double first = inverse[k] < 0 ? b : a, last = inverse[k] < 0 ? a : b;
    enter = first > enter ? first : enter;
    leave = last < leave ? last : leave;
  }
  return enter <= leave;
}

static double ray_face(const sn_mesh_view *mesh, int64_t face, const double *o, const double *v) {
  const int32_t *f = mesh->face + 3 * face;
  return ray_triangle(mesh->vert + 3 * (int64_t)f[0], mesh->vert + 3 * (int64_t)f[1],
                      mesh->vert + 3 * (int64_t)f[2], o, v);
}

static double ray_tree(const sn_mesh_view *mesh, const double *o, const double *v) {
  enum { MOST = 64 + 1 };   // a path down the tree leaves one node at each level
  const double inverse[3] = { 1 / v[0], 1 / v[1], 1 / v[2] };
  int32_t stack[MOST];
  int n = 0;
  double best = miss;
  stack[n++] = 0;
  while (n > 0) {
    const sn_tree_node *node = &mesh->node[stack[--n]];
    if (!ray_meets(node, o, inverse, best)) {
      continue;
    }
    for (int32_t i = 0; i < node->count; i++) {
      best = nearer(best, ray_face(mesh, mesh->node_face[node->first + i], o, v));
    }
    if (node->count == 0) {
      stack[n++] = node->first + 1;
      stack[n++] = node->first;
    }
  }
  return best;
}

static double ray_mesh(const sn_shape *s, const double *o, const double *v) {
  double best = miss;
  if (s->mesh && SN_HAS(s->mesh, node_face) && s->mesh->nnode > 0) {
    return ray_tree(s->mesh, o, v);
  }
  for (int64_t i = 0; s->mesh && i < s->mesh->nface; i++) {
    best = nearer(best, ray_face(s->mesh, i, o, v));
  }
  return best;
}

static double ray_user(const sn_shape *s, const double *o, const double *v) {
  return s->user && s->user->ops && s->user->ops->ray
             ? s->user->ops->ray(s->user->self, s->user->data, o, v)
             : miss;
}

typedef double ray_fn(const sn_shape *s, const double *o, const double *v);

static ray_fn *const table[SN_NGEOMTYPES] = {
  [SN_GEOM_PLANE] = ray_plane,       [SN_GEOM_SPHERE] = ray_sphere,
  [SN_GEOM_CAPSULE] = ray_capsule,   [SN_GEOM_ELLIPSOID] = ray_ellipsoid,
  [SN_GEOM_CYLINDER] = ray_cylinder, [SN_GEOM_BOX] = ray_box,
  [SN_GEOM_MESH] = ray_mesh,         [SN_GEOM_USER] = ray_user,
};

sn_status primitive_ray(const void *self, const sn_shape *shape, const double *origin,
                        const double *direction, double *distance) {
  (void)self;
  double to[3], o[3], v[3];
  *distance = miss;
  if (shape->type < 0 || shape->type >= SN_NGEOMTYPES || !table[shape->type]) {
    return SN_EUNSUPPORTED;
  }
  sn_sub3(to, origin, shape->pos);
  sn_mul_matT_vec3(o, shape->mat, to);
  sn_mul_matT_vec3(v, shape->mat, direction);
  *distance = table[shape->type](shape, o, v);
  return SN_OK;
}
