// SPDX-License-Identifier: Apache-2.0
//
// The method finds penetration only. For a margin each shape is inflated by half of it: shapes that
// then overlap by less than the margin are apart by the rest. The method gives the depth and the
// position. Its direction is the normal between shapes with flat faces. Where a surface is smooth,
// its own normal at that position is more exact: it is taken, or the mean of both if both shapes
// have one.

#include "mpr.h"

// An operand of the library, with a limit of calls: some of the library's loops have none, and
// never end for sizes far above the tolerance. When the calls are used up, the support point no
// longer changes, which ends the refinement of a portal; some calls later it is NaN, which ends the
// search for one.
typedef struct operand {
  const convex *shape;
  int64_t calls;   // left; negative: beyond the limit
  double last[3];
} operand;

// Calls of the support function that the library may make.
static const int64_t calls_per_iteration = 8, calls_more = 200, calls_until_nan = 50;

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
  union {
    const void *from;
    operand *to;
  } o = { .from = object };
  if (--o.to->calls > 0) {
    convex_support(o.to->shape, direction->v, o.to->last);
  } else if (o.to->calls < -calls_until_nan) {
    o.to->last[0] = NAN;
  }
  sn_copy3(point->v, o.to->last);
}

static void center(const void *object, ccd_vec3_t *point) {
  const convex *c = ((const operand *)object)->shape;
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

static void contact_normal(const convex *first, const convex *second, const double *direction,
                           const double *pos, double *normal) {
  double n1[3], n2[3], back[3], sum[3] = { 0 };
  sn_scale3(back, direction, -1);
  if (convex_normal(first, pos, direction, n1)) {
    sn_add3(sum, sum, n1);
  }
  if (convex_normal(second, pos, back, n2)) {
    sn_sub3(sum, sum, n2);
  }
  if (!(sn_norm3(sum) > SN_TINY)) {
    sn_copy3(sum, direction);
  }
  sn_normalize3(sum);
  sn_copy3(normal, sum);
}

int mpr_contact(convex *first, convex *second, double margin, const ccd_t *method,
                sn_contact_point *contact) {
  ccd_real_t depth;
  ccd_vec3_t direction, pos;
  first->inflation = second->inflation = 0.5 * margin;
  int64_t calls = calls_per_iteration * (int64_t)method->max_iterations + calls_more;
  operand a = { .shape = first, .calls = calls }, b = { .shape = second, .calls = calls };
  if (ccdMPRPenetration(&a, &b, method, &depth, &direction, &pos) != 0 || !isfinite(depth)) {
    return 0;
  }
  // they meet in a point without overlap
  if (!(sn_norm3(direction.v) > SN_TINY)) {
    return 0;
  }
  *contact = (sn_contact_point){ .dist = margin - depth };
  sn_copy3(contact->pos, pos.v);
  contact_normal(first, second, direction.v, pos.v, contact->normal);
  return contact->dist <= margin;
}
