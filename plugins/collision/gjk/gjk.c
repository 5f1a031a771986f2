// SPDX-License-Identifier: Apache-2.0
//
// Collider `gjk`: any two convex shapes, by their distance (distance.c) and, where they overlap,
// their depth (expand.c). Distances are exact to the tolerance, which a margin does not change.
//
//   in    a batch of posed pairs, with margins
//   out   touches ordered by pair: the nearest points; up to MANIFOLD_MAX when the batch asks for
//         all of a flat contact (manifold.h)
//
// Nothing is kept between calls: a warm start would save a step or two, and would make the answer
// depend on where the shapes were before.

#include "gjk.h"

#include "manifold.h"

typedef struct gjk {
  const sn_host *host;
  double tolerance;
  int64_t iterations;
} gjk;

enum { PARAM_TOLERANCE, PARAM_ITERATIONS };

static const sn_param params[] = {
  [PARAM_TOLERANCE] = { .name = "tolerance",
                        .default_value = "1e-10",
                        .type = SN_PARAM_REAL,
                        .min = 0,
                        .max = 1,
                        .summary = "of the distance, m" },
  [PARAM_ITERATIONS] = { .name = "iterations",
                         .default_value = "100",
                         .type = SN_PARAM_INT,
                         .min = 1,
                         .max = 10000,
                         .summary = "limit of support points a pair" },
  { .name = NULL },
};

static sn_status gjk_create(const sn_host *host, const sn_value *values, void **self,
                            sn_error *error) {
  gjk *g = host->alloc(host, sizeof *g);
  if (!g) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "no memory for the collider gjk");
  }
  g->host = host;
  g->tolerance = values[PARAM_TOLERANCE].real;
  g->iterations = values[PARAM_ITERATIONS].integer;
  *self = g;
  return SN_OK;
}

static void gjk_destroy(void *self) {
  gjk *g = self;
  g->host->free(g->host, g);
}

// ------------------------------------------------------------------ one pair

static int touch_pair(const gjk *g, const sn_shape *first, const sn_shape *second, double margin,
                      int multi, sn_contact_point *touch) {
  nearest n;
  if (!shapes_nearest(first, second, margin, g->tolerance, g->iterations, &n)) {
    return 0;
  }
  *touch = (sn_contact_point){ .dist = n.dist };
  sn_copy3(touch->normal, n.normal);
  sn_add3(touch->pos, n.a, n.b);
  sn_scale3(touch->pos, touch->pos, 0.5);
  return multi ? manifold(first, second, margin, touch) : 1;
}

// ------------------------------------------------------------------ operations

static sn_status gjk_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                             sn_scratch *scratch) {
  (void)scratch;
  out->count = 0;
  if (batch->n > 0 && (!convex_is(batch->first[0].type) || !convex_is(batch->second[0].type))) {
    return SN_EINVAL;
  }
  for (int64_t i = 0; i < batch->n; i++) {
    sn_contact_point touch[MANIFOLD_MAX];
    int n = touch_pair(self, &batch->first[i], &batch->second[i], batch->margin[i],
                       (batch->flags & SN_BATCH_MULTI) != 0, touch);
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

static sn_status gjk_distance(const void *self, const sn_shape *first, const sn_shape *second,
                              double limit, double *distance, double *point1, double *point2,
                              sn_scratch *scratch) {
  (void)scratch;
  nearest n;
  if (!convex_is(first->type) || !convex_is(second->type)) {
    return SN_EINVAL;
  }
  *distance = limit;
  sn_zero3(point1);
  sn_zero3(point2);
  const gjk *g = self;
  if (shapes_nearest(first, second, limit, g->tolerance, g->iterations, &n)) {
    *distance = n.dist;
    sn_copy3(point1, n.a);
    sn_copy3(point2, n.b);
  }
  return SN_OK;
}

// The pairs named are those where this is the default: more exact than MPR and no slower, and no
// known model takes another course for it (docs/collision.md).
static const sn_collider_pair pairs[] = {
  { "sphere", "mesh" },         { "capsule", "ellipsoid" }, { "capsule", "mesh" },
  { "ellipsoid", "ellipsoid" }, { "convex", "convex" },     { NULL, NULL },
};

static const sn_collider_ops gjk_ops = {
  .head = {
    .size = sizeof(sn_collider_ops),
    .summary = "any two convex shapes by distance and depth (GJK, EPA)",
    .params = params,
    .create = gjk_create,
    .destroy = gjk_destroy,
  },
  .pairs = pairs,
  .max_points = MANIFOLD_MAX,
  .collide = gjk_collide,
  .distance = gjk_distance,
};

static const sn_provide provides[] = {
  { SN_KIND_COLLIDER, "gjk", &gjk_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "gjk", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "collision of convex shapes by distance and depth", .provides = provides)
