// SPDX-License-Identifier: Apache-2.0
//
// The method sees penetration only. So that a margin can be had, each shape grows by a layer of
// half the margin; what overlaps by less than the margin then is apart by the rest. Depth and place
// come from the method; its direction is the normal between shapes with flat faces. A smooth
// surface knows its own normal at that place better: it is taken, or the mean of the two if both
// have one.

#include "common/mpr.h"

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
  convex_support(object, direction->v, point->v);
}

static void center(const void *object, ccd_vec3_t *point) {
  const convex *c = object;
  sn_mul_mat_vec3(point->v, c->mat, c->center);
  sn_add3(point->v, point->v, c->pos);
}

void mpr_method(ccd_t *method, double tolerance, int64_t iterations) {
  CCD_INIT(method);
  method->support1 = method->support2 = support;
  method->center1 = method->center2 = center;
  method->max_iterations = (unsigned long)iterations;
  method->mpr_tolerance = tolerance;
}

// direction: of the method, from the first to the second; may be zero when they barely touch.
static void best_normal(const convex *first, const convex *second, const double *direction,
                        const double *pos, double *normal) {
  double n1[3], n2[3], sum[3] = { 0 };
  if (convex_normal(first, pos, n1)) {
    sn_add3(sum, sum, n1);
  }
  if (convex_normal(second, pos, n2)) {
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

int mpr_touch(convex *first, convex *second, double margin, const ccd_t *method, sn_touch *touch) {
  ccd_real_t depth;
  ccd_vec3_t direction, pos;
  first->layer = second->layer = 0.5 * margin;
  if (ccdMPRPenetration(first, second, method, &depth, &direction, &pos) != 0 ||
      !isfinite(depth)) {
    return 0;
  }
  *touch = (sn_touch){ .dist = margin - depth };
  sn_copy3(touch->pos, pos.v);
  best_normal(first, second, direction.v, pos.v, touch->normal);
  return touch->dist <= margin;
}
