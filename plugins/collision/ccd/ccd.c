// SPDX-License-Identifier: Apache-2.0
//
// Collider `ccd`: any two convex shapes, by Minkowski portal refinement (mpr.h); one contact point
// or all of a flat contact (manifold.h).
//
// The method searches from the center of the Minkowski difference through the origin, and reports
// the depth along that direction. Where the centers of the shapes nearly coincide the direction is
// arbitrary: two disks in the same place would be as deep as they are wide, not as they are thick.
// There the least depth is computed instead (gjk.h).
// Matches MuJoCo 2.2.2: mpr-depth

#include "gjk/gjk.h"
#include "manifold.h"
#include "mpr.h"
#include "sinew/instance.h"

typedef struct ccd {
  const sn_host *host;
  int manifold;
} ccd;

static const sn_param params[] = {
  MANIFOLD_PARAM,
  { .name = NULL },
};

static sn_status ccd_create(const sn_host *host, const sn_value *values, void **self,
                            sn_error *error) {
  ccd *c = sn_host_alloc(host, sizeof *c, error);
  if (!c) {
    return SN_ENOMEM;
  }
  *c = (ccd){ .host = host, .manifold = values[0].integer != 0 };
  *self = c;
  return SN_OK;
}

static void ccd_destroy(void *self) {
  ccd *c = self;
  c->host->free(c->host, c);
}

// ------------------------------------------------------------------ operations

// The direction of the search means nothing when it is shorter than the depth: the centers are
// nearer to each other than the origin is to the surface.
static int is_arbitrary(const sn_shape *first, const sn_shape *second,
                        const sn_contact_point *contact) {
  return sn_dist3(first->pos, second->pos) < -contact->dist;
}

static void take_least_depth(const sn_shape *first, const sn_shape *second,
                             sn_contact_point *contact) {
  static const double tolerance = 1e-10;   // of the depth, m; the default of `gjk`
  enum { ITERATIONS = 100 };
  separation s;
  if (shape_separation(first, second, 0, tolerance, ITERATIONS, &s) && s.dist > contact->dist) {
    separation_contact(&s, contact);
  }
}

static int find_contact(const void *context, const sn_shape *shape1, const sn_shape *shape2,
                        double margin, sn_contact_point *contact) {
  convex first, second;
  if (!convex_of_shape(&first, shape1) || !convex_of_shape(&second, shape2) ||
      !mpr_contact(&first, &second, margin, context, contact)) {
    return 0;
  }
  if (is_arbitrary(shape1, shape2, contact)) {
    take_least_depth(shape1, shape2, contact);
  }
  return 1;
}

static sn_status ccd_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                             sn_scratch *scratch) {
  (void)scratch;
  const ccd *c = self;
  ccd_t method;
  mpr_method(&method, batch->tolerance, batch->iterations);
  return manifold_collide(batch, c->manifold, find_contact, &method, out);
}

static const sn_collider_pair pairs[] = {
  { "convex", "convex" },
  { "convex", "user" },
  { "user", "user" },
  { NULL, NULL },
};

static const sn_collider_ops ccd_ops = {
  .head = {
    .size = sizeof(sn_collider_ops),
    .summary = "any two convex shapes by Minkowski portal refinement",
    .params = params,
    .create = ccd_create,
    .destroy = ccd_destroy,
  },
  .pairs = pairs,
  .max_points = MANIFOLD_MAX,
  .collide = ccd_collide,
};

static const sn_provide provides[] = {
  SN_PROVIDE_COLLIDER("ccd", &ccd_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "ccd", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "collision of convex shapes with libccd", .provides = provides)
