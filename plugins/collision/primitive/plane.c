// SPDX-License-Identifier: Apache-2.0
//
// A plane, through its position with its z axis as normal, against everything that is bounded.
// The plane is infinite whatever its size. Shapes with an edge or a face give several contact
// points, whose feature is the vertex (or, of a capsule, the end) that touches, counted from 1.

#include "manifold.h"
#include "primitive.h"
#include "sinew/shape.h"

int plane_sphere(const sn_shape *plane, const sn_shape *sphere, double margin,
                 sn_contact_point *contact) {
  double normal[3];
  shape_axis(normal, plane, 2);
  return contact_plane_sphere(contact, plane->pos, normal, sphere->pos, sphere->size[0], margin);
}

// A sphere at either end; the first tangent is along the capsule.
int plane_capsule(const sn_shape *plane, const sn_shape *capsule, double margin,
                  sn_contact_point *contact) {
  double normal[3], axis[3], end[3];
  int n = 0;
  shape_axis(normal, plane, 2);
  shape_axis(axis, capsule, 2);
  for (int side = 1; side >= -1; side -= 2) {
    sn_addscale3(end, capsule->pos, side * capsule->size[1], axis);
    int found = contact_plane_sphere(&contact[n], plane->pos, normal, end, capsule->size[0],
                                     margin);
    if (found) {
      contact[n].feature = side > 0 ? 1 : 2;
      sn_copy3(contact[n++].tangent, axis);
    }
  }
  return n;
}

// The deepest point: where the outward normal of the ellipsoid is opposite to that of the plane.
int plane_ellipsoid(const sn_shape *plane, const sn_shape *ellipsoid, double margin,
                    sn_contact_point *contact) {
  double normal[3], local[3], point[3];
  shape_axis(normal, plane, 2);
  sn_mul_matT_vec3(local, ellipsoid->mat, normal);
  for (int k = 0; k < 3; k++) {
    local[k] *= -ellipsoid->size[k];
  }
  sn_normalize3(local);
  for (int k = 0; k < 3; k++) {
    local[k] *= ellipsoid->size[k];
  }
  sn_mul_mat_vec3(point, ellipsoid->mat, local);
  sn_add3(point, point, ellipsoid->pos);
  return contact_plane_sphere(contact, plane->pos, normal, point, 0, margin);
}

// The deepest point of a shape of a plugin, by its support function.
int plane_user(const sn_shape *plane, const sn_shape *shape, double margin,
               sn_contact_point *contact) {
  double normal[3], down[3], local[3], point[3];
  if (!shape->user || !shape->user->ops) {
    return 0;
  }
  shape_axis(normal, plane, 2);
  sn_scale3(down, normal, -1);
  sn_mul_matT_vec3(local, shape->mat, down);
  shape->user->ops->support(shape->user->self, shape->user->data, local, point);
  sn_mul_mat_vec3(point, shape->mat, point);
  sn_add3(point, point, shape->pos);
  return contact_plane_sphere(contact, plane->pos, normal, point, 0, margin);
}

// The deepest point of the rim of each cap, on one generator, and two more points of the lower
// rim which make an equilateral triangle with the first:
//
//        b . . . . . . .            a  deepest point
//        '             '            b  same generator, upper cap
//        a . . . . .'. .            c, d  lower rim, 120 degrees apart
//          c     d
int plane_cylinder(const sn_shape *plane, const sn_shape *cylinder, double margin,
                   sn_contact_point *contact) {
  const double flat = 1e-15;   // of the sine between axis and normal: any generator is deepest
  double normal[3], axis[3], radial[3], sideways[3], to[3], point[3];
  double radius = cylinder->size[0], half = cylinder->size[1];
  shape_axis(normal, plane, 2);
  shape_axis(axis, cylinder, 2);

  // the axis points down, radial from the axis to the deepest generator
  double cosine = sn_dot3(normal, axis);
  if (cosine > 0) {
    sn_scale3(axis, axis, -1);
    cosine = -cosine;
  }
  sn_scale3(radial, axis, cosine);
  sn_sub3(radial, radial, normal);
  double sine = sn_norm3(radial);
  if (sine < flat) {
    shape_axis(radial, cylinder, 0);
    sine = 1;
  }
  sn_scale3(radial, radial, radius / sine);
  sn_cross(sideways, radial, axis);
  sn_scale3(sideways, sideways, 0.5 * sqrt(3));
  sn_scale3(axis, axis, half);

  // heights above the plane: of the center, and what cap and rim add
  sn_sub3(to, cylinder->pos, plane->pos);
  double above = sn_dot3(to, normal), of_cap = sn_dot3(axis, normal),
         of_rim = sn_dot3(radial, normal);
  int n = 0;
  for (int side = 1; side >= -1; side -= 2) {
    sn_addscale3(point, cylinder->pos, side, axis);
    sn_add3(point, point, radial);
    n += contact_plane(&contact[n], normal, point, above + side * of_cap + of_rim, margin);
  }
  for (int side = 1; side >= -1; side -= 2) {
    sn_add3(point, cylinder->pos, axis);
    sn_addscale3(point, point, -0.5, radial);
    sn_addscale3(point, point, side, sideways);
    n += contact_plane(&contact[n], normal, point, above + of_cap - 0.5 * of_rim, margin);
  }
  return n;
}

// The corners of the lower half, at most four.
int plane_box(const sn_shape *plane, const sn_shape *box, double margin,
              sn_contact_point *contact) {
  enum { CORNERS = 8, WANTED = 4 };
  double normal[3], to[3], corner[3], offset[3];
  int n = 0;
  shape_axis(normal, plane, 2);
  sn_sub3(to, box->pos, plane->pos);
  double above = sn_dot3(to, normal);
  for (int i = 0; i < CORNERS && n < WANTED; i++) {
    for (int k = 0; k < 3; k++) {
      corner[k] = i >> k & 1 ? box->size[k] : -box->size[k];
    }
    sn_mul_mat_vec3(offset, box->mat, corner);
    double higher = sn_dot3(normal, offset);
    if (higher <= 0) {
      sn_add3(offset, offset, box->pos);
      if (contact_plane(&contact[n], normal, offset, above + higher, margin)) {
        contact[n++].feature = i + 1;
      }
    }
  }
  return n;
}

// The vertex that is deepest below a plane.
static int64_t deepest_vertex(const mesh_hull *hull, const sn_shape *shape, const double *normal,
                              double *point) {
  double down[3];
  sn_mul_matT_vec3(down, shape->mat, normal);
  sn_scale3(down, down, -1);
  const int64_t deepest = mesh_hull_support(hull, down, 0);
  mesh_hull_point(point, hull, deepest, shape);
  return deepest;
}

// The vertices of the lowest face that span most, at most four.
int plane_mesh_manifold(const sn_shape *plane, const sn_shape *shape, double margin,
                        sn_contact_point *contact) {
  mesh_hull hull;
  double normal[3], point[3];
  if (!shape->mesh || shape->mesh->nvert == 0) {
    return 0;
  }
  mesh_hull_read(&hull, shape->mesh);
  shape_axis(normal, plane, 2);
  const int64_t deepest = deepest_vertex(&hull, shape, normal, point);
  if (!contact_plane_sphere(contact, plane->pos, normal, point, 0, margin)) {
    return 0;
  }
  contact->feature = (int32_t)deepest + 1;
  return contact_manifold(plane, shape, margin, 1, contact);
}

// The deepest vertex, and two more vertices among its neighbors on the hull, far enough from it
// to support the mesh. Without a hull every vertex is a neighbor.
// Matches MuJoCo 2.2.2: plane-mesh-vertices
int plane_mesh(const sn_shape *plane, const sn_shape *shape, double margin,
               sn_contact_point *contact) {
  const double apart = 0.3;   // of the radius about the center
  enum { WANTED = 3 };
  mesh_hull hull;
  double normal[3], point[3];
  if (!shape->mesh || shape->mesh->nvert == 0) {
    return 0;
  }
  mesh_hull_read(&hull, shape->mesh);
  shape_axis(normal, plane, 2);
  const int64_t deepest = deepest_vertex(&hull, shape, normal, point);
  int n = contact_plane_sphere(contact, plane->pos, normal, point, 0, margin);
  contact[0].feature = n ? (int32_t)deepest + 1 : 0;
  double reach = apart * sn_norm3(shape->size);
  int64_t count = mesh_hull_degree(&hull, deepest);
  for (int64_t i = 0; n > 0 && n < WANTED && i < count; i++) {
    int64_t other = mesh_hull_neighbor(&hull, deepest, i);
    mesh_hull_point(point, &hull, other, shape);
    if (other != deepest && sn_dist3(point, contact[0].pos) >= reach &&
        contact_plane_sphere(&contact[n], plane->pos, normal, point, 0, margin)) {
      contact[n++].feature = (int32_t)other + 1;
    }
  }
  return n;
}
