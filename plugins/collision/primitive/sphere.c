// SPDX-License-Identifier: Apache-2.0
//
// A sphere against convex shapes: the point of the other shape that is nearest to its center.

#include "primitive.h"

int sphere_sphere(const sn_shape *first, const sn_shape *second, double margin,
                  sn_contact_point *contact) {
  return contact_spheres(contact, first, first->pos, first->size[0], second, second->pos,
                         second->size[0], margin);
}

int sphere_capsule(const sn_shape *sphere, const sn_shape *capsule, double margin,
                   sn_contact_point *contact) {
  double axis[3], to[3], nearest[3];
  shape_axis(axis, capsule, 2);
  sn_sub3(to, sphere->pos, capsule->pos);
  double along = sn_clamp(sn_dot3(to, axis), -capsule->size[1], capsule->size[1]);
  sn_addscale3(nearest, capsule->pos, along, axis);
  return contact_spheres(contact, sphere, sphere->pos, sphere->size[0], capsule, nearest,
                         capsule->size[0], margin);
}

// By region of the center: beside the wall, above a cap, or beyond the rim, which acts as a
// sphere of radius zero. Inside, the shallower way out decides.
int sphere_cylinder(const sn_shape *sphere, const sn_shape *cylinder, double margin,
                    sn_contact_point *contact) {
  double axis[3], to[3], radial[3], on_axis[3];
  double radius = cylinder->size[0], half = cylinder->size[1];
  shape_axis(axis, cylinder, 2);
  sn_sub3(to, sphere->pos, cylinder->pos);
  double along = sn_dot3(to, axis);
  sn_addscale3(radial, to, -along, axis);
  double beside = sn_norm3(radial);
  int in_wall = fabs(along) < half, in_cap = beside < radius;
  if (in_wall && in_cap) {
    in_wall = radius - beside < half - fabs(along);
    in_cap = !in_wall;
  }
  if (in_wall) {
    sn_addscale3(on_axis, cylinder->pos, along, axis);
    return contact_spheres(contact, sphere, sphere->pos, sphere->size[0], cylinder, on_axis, radius,
                           margin);
  }
  if (in_cap) {
    double side = along > 0 ? 1 : -1, point[3], outward[3];
    sn_scale3(outward, axis, side);
    sn_addscale3(point, cylinder->pos, half, outward);
    if (!contact_plane_sphere(contact, point, outward, sphere->pos, sphere->size[0], margin)) {
      return 0;
    }
    sn_scale3(contact->normal, contact->normal, -1);
    return 1;
  }
  double rim[3];
  sn_normalize3(radial);
  sn_addscale3(rim, cylinder->pos, along > 0 ? half : -half, axis);
  sn_addscale3(rim, rim, radius, radial);
  return contact_spheres(contact, sphere, sphere->pos, sphere->size[0], cylinder, rim, 0, margin);
}

// Outside: the nearest point of the box. Inside, or on the surface: the way out through the nearest
// face, which is the radius and what the center has to go to that face. The depth is all of that
// way, or the radius alone.
// Matches MuJoCo 2.2.2: sphere-in-box
static int way_out(const sn_shape *sphere, const sn_shape *box, double margin, int whole,
                   sn_contact_point *contact) {
  double to[3], local[3], nearest[3];
  double radius = sphere->size[0];
  sn_sub3(to, sphere->pos, box->pos);
  sn_mul_matT_vec3(local, box->mat, to);
  for (int k = 0; k < 3; k++) {
    nearest[k] = sn_clamp(local[k], -box->size[k], box->size[k]);
  }
  if (sn_dist3(nearest, local) >= SN_TINY) {
    double point[3];
    sn_mul_mat_vec3(point, box->mat, nearest);
    sn_add3(point, point, box->pos);
    return contact_spheres(contact, sphere, sphere->pos, radius, box, point, 0, margin);
  }
  int face = 0;
  for (int k = 1; k < 3; k++) {
    if (box->size[k] - fabs(local[k]) < box->size[face] - fabs(local[face])) {
      face = k;
    }
  }
  double depth = radius + box->size[face] - fabs(local[face]);
  double side = local[face] > 0 ? 1 : -1;
  *contact = (sn_contact_point){ .dist = whole ? -depth : -radius };
  shape_axis(contact->normal, box, face);
  sn_scale3(contact->normal, contact->normal, -side);
  sn_addscale3(contact->pos, sphere->pos, radius - 0.5 * depth, contact->normal);
  return contact->dist <= margin;
}

int sphere_box(const sn_shape *sphere, const sn_shape *box, double margin,
               sn_contact_point *contact) {
  return way_out(sphere, box, margin, 1, contact);
}

int sphere_box_radius(const sn_shape *sphere, const sn_shape *box, double margin,
                      sn_contact_point *contact) {
  return way_out(sphere, box, margin, 0, contact);
}
