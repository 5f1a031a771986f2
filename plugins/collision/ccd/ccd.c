// SPDX-License-Identifier: Apache-2.0
//
// Collider `ccd`: any two convex shapes, one touch, by Minkowski portal refinement (Snethen,
// Game Programming Gems 7, 2008) as the library libccd has it.
//
// The method sees penetration only. So that a margin can be had, each shape grows by a layer of
// half the margin; what overlaps by less than the margin then is apart by the rest. Depth and place
// come from the method; its direction is the normal between shapes with flat faces. A smooth
// surface knows its own normal at that place better: it is taken, or the mean of the two if both
// have one.

#include <ccd/ccd.h>

#include "shape.h"

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
  shape_support(object, direction->v, point->v);
}

static void center(const void *object, ccd_vec3_t *point) {
  const grown_shape *grown = object;
  sn_copy3(point->v, grown->shape->pos);
}

// direction: of the method, from the first to the second; may be zero when they barely touch.
static void best_normal(const sn_shape *first, const sn_shape *second, const double *direction,
                        const double *pos, double *normal) {
  double n1[3], n2[3], sum[3] = { 0 };
  if (shape_normal(first, pos, n1)) {
    sn_add3(sum, sum, n1);
  }
  if (shape_normal(second, pos, n2)) {
    sn_sub3(sum, sum, n2);
  }
  if (!(sn_norm3(sum) > SN_TINY)) {
    sn_copy3(sum, direction);
  }
  if (!(sn_norm3(sum) > SN_TINY)) {
    sn_sub3(sum, second->pos, first->pos);
  }
  sn_normalize3(sum);
  sn_copy3(normal, sum);
}

static int touch_pair(const sn_shape *first, const sn_shape *second, double margin,
                      const ccd_t *method, sn_touch *touch) {
  grown_shape a = { first, 0.5 * margin }, b = { second, 0.5 * margin };
  ccd_real_t depth;
  ccd_vec3_t direction, pos;
  if (ccdMPRPenetration(&a, &b, method, &depth, &direction, &pos) != 0 || !isfinite(depth)) {
    return 0;
  }
  *touch = (sn_touch){ .dist = margin - depth };
  sn_copy3(touch->pos, pos.v);
  best_normal(first, second, direction.v, pos.v, touch->normal);
  return touch->dist <= margin;
}

static sn_status ccd_collide(const void *self, const sn_batch *batch, sn_touches *out,
                             sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  out->count = 0;
  if (batch->n == 0) {
    return SN_OK;
  }
  if (!shape_is_convex(batch->first[0].type) || !shape_is_convex(batch->second[0].type)) {
    return SN_EINVAL;
  }
  ccd_t method;
  CCD_INIT(&method);
  method.support1 = method.support2 = support;
  method.center1 = method.center2 = center;
  method.max_iterations = (unsigned long)batch->iterations;
  method.mpr_tolerance = batch->tolerance;
  for (int64_t i = 0; i < batch->n; i++) {
    sn_touch touch;
    if (touch_pair(&batch->first[i], &batch->second[i], batch->margin[i], &method, &touch)) {
      touch.pair = (int32_t)i;
      if (out->count < out->capacity) {
        out->touch[out->count] = touch;
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
    .summary = "any two convex shapes, one touch, by Minkowski portal refinement",
  },
  .pairs = pairs,
  .max_points = 1,
  .collide = ccd_collide,
};

static const sn_provide provides[] = {
  { SN_KIND_COLLIDER, "ccd", &ccd_ops },
  { NULL, NULL, NULL },
};

static const sn_plugin plugin = {
  .magic = SN_PLUGIN_MAGIC,
  .size = sizeof(sn_plugin),
  .abi_major = SN_ABI_MAJOR,
  .abi_minor_needed = 0,
  .real_size = sizeof(double),
  .name = "ccd",
  .version = SN_VERSION,
  .license = "Apache-2.0",
  .summary = "collision of convex shapes with libccd",
  .provides = provides,
};

SN_PLUGIN_ENTRY {
  return &plugin;
}
