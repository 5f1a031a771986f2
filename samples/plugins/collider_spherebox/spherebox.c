// SPDX-License-Identifier: Apache-2.0
//
// An exact collider of a sphere and a box. In the frame of the box, with half sizes h and the
// center c of the sphere, let e_k = |c_k| - h_k:
//
//                 c o                     outside: the nearest point of the box is c, clamped to
//   ._______________|                     the box; the distance of the center is |c - clamped|
//   |               |
//   |     c o-->    |                     inside: the nearest face is that with the largest e_k;
//   |_______________|                     the distance of the center is max_k e_k, negative
//
// The distance of the surfaces is that of the center minus the radius. The normal, from the sphere
// to the box, points from the center to the nearest point of the box, or, if the center is inside,
// away from the nearest face.
//
// There is at most one contact point, midway between the surfaces.

#include <math.h>
#include <stddef.h>

#include "sinew/collider.h"
#include "sinew/math.h"

// Returns the distance of the surfaces. normal: from the sphere to the box, in global axes.
static double measure(const sn_shape *sphere, const sn_shape *box, double *normal) {
  double to[3], center[3], way[3], local[3] = { 0 }, outside = 0;
  int out = 0;   // the axis of the nearest face
  sn_sub3(to, sphere->pos, box->pos);
  sn_mul_matT_vec3(center, box->mat, to);
  for (int k = 0; k < 3; k++) {
    double over = fabs(center[k]) - box->size[k];
    way[k] = over > 0 ? copysign(over, -center[k]) : 0;
    out = over > fabs(center[out]) - box->size[out] ? k : out;
  }
  outside = sn_norm3(way);
  if (outside > 0) {
    sn_scale3(local, way, 1 / outside);
  } else {
    local[out] = copysign(1, -center[out]);
    outside = fabs(center[out]) - box->size[out];
  }
  sn_mul_mat_vec3(normal, box->mat, local);
  return outside - sphere->size[0];
}

static sn_status spherebox_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                                   sn_scratch *scratch) {
  (void)self, (void)scratch;
  out->count = 0;
  for (int64_t i = 0; i < batch->n; i++) {
    const sn_shape *sphere = &batch->first[i];
    sn_contact_point t = { .pair = (int32_t)i };
    t.dist = measure(sphere, &batch->second[i], t.normal);
    if (t.dist > batch->margin[i]) {
      continue;
    }
    sn_addscale3(t.pos, sphere->pos, sphere->size[0] + 0.5 * t.dist, t.normal);
    if (out->count < out->capacity) {
      out->point[out->count] = t;
    }
    out->count++;   // also beyond the capacity: then it is the capacity needed
  }
  return out->count > out->capacity ? SN_MORE : SN_OK;
}

static sn_status spherebox_distance(const void *self, const sn_shape *sphere, const sn_shape *box,
                                    double limit, double *distance, double *point1, double *point2,
                                    sn_scratch *scratch) {
  (void)self, (void)scratch;
  double normal[3], dist;
  *distance = limit;
  sn_zero3(point1);
  sn_zero3(point2);
  if (sphere->type != SN_GEOM_SPHERE || box->type != SN_GEOM_BOX) {
    return SN_EUNSUPPORTED;
  }
  dist = measure(sphere, box, normal);
  if (dist < limit) {
    *distance = dist;
    sn_addscale3(point1, sphere->pos, sphere->size[0], normal);
    sn_addscale3(point2, sphere->pos, sphere->size[0] + dist, normal);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_collider_pair pairs[] = {
  { "sphere", "box" },
  { NULL, NULL },
};

static const sn_collider_ops ops = {
  .head = { .size = sizeof(sn_collider_ops), .summary = "exact contact of a sphere and a box" },
  .pairs = pairs,
  .max_points = 1,
  .collide = spherebox_collide,
  .distance = spherebox_distance,
};

static const sn_provide provides[] = {
  SN_PROVIDE_COLLIDER("spherebox", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.spherebox", .version = "1.0", .license = "Apache-2.0",
          .summary = "collisions of spheres and boxes", .provides = provides)
