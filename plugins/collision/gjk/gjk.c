// SPDX-License-Identifier: Apache-2.0
//
// Collider `gjk`: any two convex shapes, by their distance (distance.c) and, where they overlap,
// their depth (epa.c). Both are exact to the tolerance and do not depend on the margin.
//
//   in    a batch of posed pairs, with margins
//   out   contact points ordered by pair: half way between the nearest points, or, of a flat
//         contact, up to MANIFOLD_MAX (manifold.h)
//
// Nothing is kept between calls: a warm start would save an iteration or two, but the result would
// depend on where the shapes were before.

#include "gjk.h"

#include "manifold.h"
#include "sinew/instance.h"

typedef struct gjk {
  const sn_host *host;
  double tolerance;
  int64_t iterations;
  int manifold;
} gjk;

enum { PARAM_TOLERANCE, PARAM_ITERATIONS, PARAM_MANIFOLD };

static const sn_param params[] = {
  [PARAM_TOLERANCE] = { .name = "tolerance",
                        .default_value = "1e-10",
                        .type = SN_PARAM_REAL,
                        .min = 0,
                        .max = 1,
                        .summary = "tolerance of the distance, m" },
  [PARAM_ITERATIONS] = { .name = "iterations",
                         .default_value = "100",
                         .type = SN_PARAM_INT,
                         .min = 1,
                         .max = 10000,
                         .summary = "limit of the iterations of a pair, one support point each" },
  [PARAM_MANIFOLD] = MANIFOLD_PARAM,
  { .name = NULL },
};

static sn_status gjk_create(const sn_host *host, const sn_value *values, void **self,
                            sn_error *error) {
  gjk *g = sn_host_alloc(host, sizeof *g, error);
  if (!g) {
    return SN_ENOMEM;
  }
  g->host = host;
  g->tolerance = values[PARAM_TOLERANCE].real;
  g->iterations = values[PARAM_ITERATIONS].integer;
  g->manifold = values[PARAM_MANIFOLD].integer != 0;
  *self = g;
  return SN_OK;
}

static void gjk_destroy(void *self) {
  gjk *g = self;
  g->host->free(g->host, g);
}

// ------------------------------------------------------------------ operations

static int find_contact(const void *context, const sn_shape *first, const sn_shape *second,
                        double margin, sn_contact_point *contact) {
  const gjk *g = context;
  separation s;
  if (!shape_separation(first, second, margin, g->tolerance, g->iterations, &s)) {
    return 0;
  }
  separation_contact(&s, contact);
  return 1;
}

static sn_status gjk_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                             sn_scratch *scratch) {
  (void)scratch;
  const gjk *g = self;
  return manifold_collide(batch, g->manifold, find_contact, g, out);
}

static sn_status gjk_distance(const void *self, const sn_shape *first, const sn_shape *second,
                              double limit, double *distance, double *point1, double *point2,
                              sn_scratch *scratch) {
  (void)scratch;
  separation s;
  if (!convex_is(first->type) || !convex_is(second->type)) {
    return SN_EINVAL;
  }
  *distance = limit;
  sn_zero3(point1);
  sn_zero3(point2);
  const gjk *g = self;
  if (shape_separation(first, second, limit, g->tolerance, g->iterations, &s)) {
    *distance = s.dist;
    sn_copy3(point1, s.a);
    sn_copy3(point2, s.b);
  }
  return SN_OK;
}

static const sn_collider_pair pairs[] = {
  { "convex", "convex" },
  { "convex", "user" },
  { "user", "user" },
  { NULL, NULL },
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
  SN_PROVIDE_COLLIDER("gjk", &gjk_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "gjk", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "collision of convex shapes by distance and depth", .provides = provides)
