// SPDX-License-Identifier: Apache-2.0
//
// Collider `ccd`: any two convex shapes, by Minkowski portal refinement (mpr.h); one touch, or,
// when the batch asks for it, all of a flat contact (manifold.h).
//
// The method searches from the center of the Minkowski difference through the origin, and reports
// the depth along the way that it found. Where the shapes have nearly one center this way is any:
// two disks in one place were as deep as they are wide, not as they are thick. There the least
// depth is searched for (gjk.h).
// Matches MuJoCo 2.2.2: mpr-depth

#include "gjk/gjk.h"
#include "manifold.h"
#include "mpr.h"

// The way of the search means nothing once it is shorter than the depth: the centers are nearer to
// each other than the surface is to the origin.
static int is_lost(const sn_shape *first, const sn_shape *second, const sn_contact_point *touch) {
  return sn_dist3(first->pos, second->pos) < -touch->dist;
}

// Takes the least depth instead.
static void refine(const sn_shape *first, const sn_shape *second, sn_contact_point *touch) {
  static const double tolerance = 1e-10;   // of the depth, m
  enum { ITERATIONS = 100 };
  nearest n;
  if (shapes_nearest(first, second, 0, tolerance, ITERATIONS, &n) && n.dist > touch->dist) {
    *touch = (sn_contact_point){ .dist = n.dist };
    sn_copy3(touch->normal, n.normal);
    sn_add3(touch->pos, n.a, n.b);
    sn_scale3(touch->pos, touch->pos, 0.5);
  }
}

static sn_status ccd_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                             sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  ccd_t method;
  mpr_method(&method, batch->tolerance, batch->iterations);
  out->count = 0;
  if (batch->n > 0 && (!convex_is(batch->first[0].type) || !convex_is(batch->second[0].type))) {
    return SN_EINVAL;
  }
  for (int64_t i = 0; i < batch->n; i++) {
    convex first, second;
    sn_contact_point touch[MANIFOLD_MAX];
    const sn_shape *shape1 = &batch->first[i], *shape2 = &batch->second[i];
    if (!convex_of_shape(&first, shape1) || !convex_of_shape(&second, shape2) ||
        !mpr_touch(&first, &second, batch->margin[i], &method, touch)) {
      continue;
    }
    if (is_lost(shape1, shape2, touch)) {
      refine(shape1, shape2, touch);
    }
    int multi = (batch->flags & SN_BATCH_MULTI) != 0;
    int n = multi ? manifold(shape1, shape2, batch->margin[i], touch) : 1;
    for (int k = 0; k < n; k++) {
      touch[k].pair = (int32_t)i;
      if (out->count < out->capacity) {
        out->point[out->count] = touch[k];
      }
      out->count++;
    }
  }
  return out->count > out->capacity ? SN_MORE : SN_OK;
}

static const sn_collider_pair pairs[] = {
  { "convex", "convex" },
  { NULL, NULL },
};

static const sn_collider_ops ccd_ops = {
  .head = {
    .size = sizeof(sn_collider_ops),
    .summary = "any two convex shapes by Minkowski portal refinement",
  },
  .pairs = pairs,
  .max_points = MANIFOLD_MAX,
  .collide = ccd_collide,
};

static const sn_provide provides[] = {
  { SN_KIND_COLLIDER, "ccd", &ccd_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "ccd", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "collision of convex shapes with libccd", .provides = provides)
