// SPDX-License-Identifier: Apache-2.0
//
// What the families of closed forms share: the function of a pair, and building contact points.

#ifndef PRIMITIVE_H
#define PRIMITIVE_H

#include "sinew/collider.h"
#include "sinew/math.h"

enum { PRIMITIVE_MAX = 16 };   // contact points of one pair

// The contact points of two shapes up to a distance of margin; returns their number, at most
// PRIMITIVE_MAX. contact: room for as many; every member of a contact point is set.
typedef int primitive_fn(const sn_shape *first, const sn_shape *second, double margin,
                         sn_contact_point *contact);

primitive_fn plane_sphere, plane_capsule, plane_ellipsoid, plane_cylinder, plane_box, plane_user;
primitive_fn plane_mesh_manifold;
primitive_fn plane_mesh;   // as MuJoCo 2.2.2
primitive_fn sphere_sphere, sphere_capsule, sphere_cylinder, sphere_box;
primitive_fn sphere_box_radius;   // as MuJoCo 2.2.2
primitive_fn capsule_capsule, capsule_box;
primitive_fn capsule_box_radius;   // as MuJoCo 2.2.2
primitive_fn box_manifold;
primitive_fn box_box;   // as MuJoCo 2.2.2
primitive_fn box_gap;   // of two boxes that do not overlap: the nearest points

// The function of a pair of types, of sn_shape; NULL where this plugin has none. manifold: the
// parameter of that name.
primitive_fn *primitive_pair(int32_t first, int32_t second, int manifold);

// distance.c: the operation `distance` of collider.h.
sn_status primitive_distance(const void *self, const sn_shape *first, const sn_shape *second,
                             double limit, double *distance, double *point1, double *point2,
                             sn_scratch *scratch);

// ray.c: the operation `ray` of collider.h.
sn_status primitive_ray(const void *self, const sn_shape *shape, const double *origin,
                        const double *direction, double *distance);

// Column k of an orientation: the global direction of a local axis.
static inline void shape_axis(double *out, const sn_shape *s, int k) {
  out[0] = s->mat[k];
  out[1] = s->mat[3 + k];
  out[2] = s->mat[6 + k];
}

// Two spheres, to which all round shapes are reduced: normal along the line of centers. Where the
// centers coincide every normal is as good; it is that of the plane of the shapes' z axes, which
// parts two capsules that cross, and x where those are parallel.
static inline int contact_spheres(sn_contact_point *t, const sn_shape *a, const double *center_a,
                                  double radius_a, const sn_shape *b, const double *center_b,
                                  double radius_b, double margin) {
  double normal[3];
  sn_sub3(normal, center_b, center_a);
  double apart = sn_normalize3(normal), dist = apart - radius_a - radius_b;
  if (!(apart <= margin + radius_a + radius_b)) {
    return 0;
  }
  if (apart < SN_TINY) {
    double axis_a[3], axis_b[3];
    shape_axis(axis_a, a, 2);
    shape_axis(axis_b, b, 2);
    sn_cross(normal, axis_a, axis_b);
    sn_normalize3(normal);
  }
  *t = (sn_contact_point){ .dist = dist };
  sn_copy3(t->normal, normal);
  sn_addscale3(t->pos, center_a, radius_a + 0.5 * dist, normal);
  return 1;
}

// A point at a height above a plane.
static inline int contact_plane(sn_contact_point *t, const double *normal, const double *point,
                                double height, double margin) {
  if (!(height <= margin)) {
    return 0;
  }
  *t = (sn_contact_point){ .dist = height };
  sn_copy3(t->normal, normal);
  sn_addscale3(t->pos, point, -0.5 * height, normal);
  return 1;
}

// A sphere above a plane.
static inline int contact_plane_sphere(sn_contact_point *t, const double *point,
                                       const double *normal, const double *center, double radius,
                                       double margin) {
  double to[3];
  sn_sub3(to, center, point);
  double dist = sn_dot3(to, normal) - radius;
  if (!(dist <= margin)) {
    return 0;
  }
  *t = (sn_contact_point){ .dist = dist };
  sn_copy3(t->normal, normal);
  sn_addscale3(t->pos, center, -(radius + 0.5 * dist), normal);
  return 1;
}

#endif
