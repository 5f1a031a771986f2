// SPDX-License-Identifier: Apache-2.0
//
// Signed distance for the pairs whose contact points are those of the least distance: the deepest
// of the contact points without a limit. Those of other pairs follow conventions that do not give
// distances.

#include "primitive.h"

// Segments that are not parallel have one contact point. Of parallel ones the ends of each are
// tried, more than the two contact points of capsule_capsule.
static int capsule_distance(const sn_shape *a, const sn_shape *b, double margin,
                            sn_contact_point *contact) {
  int n = 0;
  for (int which = 0; which < 2; which++) {
    const sn_shape *from = which ? b : a, *to = which ? a : b;
    double axis[3], end[3];
    shape_axis(axis, from, 2);
    for (int side = -1; side <= 1; side += 2) {
      sn_addscale3(end, from->pos, side * from->size[1], axis);
      const sn_shape ball = {
        .type = SN_GEOM_SPHERE, .size = { from->size[0] }, .pos = end, .mat = from->mat
      };
      int found = sphere_capsule(&ball, to, margin, &contact[n]);
      if (found && which) {
        sn_scale3(contact[n].normal, contact[n].normal, -1);
      }
      n += found;
    }
  }
  return n + capsule_capsule(a, b, margin, &contact[n]);
}

static primitive_fn *distance_pair(int32_t first, int32_t second) {
  primitive_fn *pair = primitive_pair(first, second, 1);
  if (pair == capsule_capsule) {
    return capsule_distance;
  }
  return pair == capsule_box || pair == box_manifold ? NULL : pair;
}

sn_status primitive_distance(const void *self, const sn_shape *first, const sn_shape *second,
                             double limit, double *distance, double *point1, double *point2,
                             sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  sn_contact_point contact[PRIMITIVE_MAX];
  primitive_fn *pair = distance_pair(first->type, second->type);
  if (!pair) {
    return SN_EUNSUPPORTED;
  }
  int n = pair(first, second, INFINITY, contact), best = 0;
  for (int i = 1; i < n; i++) {
    best = contact[i].dist < contact[best].dist ? i : best;
  }
  *distance = limit;
  sn_zero3(point1);
  sn_zero3(point2);
  if (n > 0 && contact[best].dist < limit) {
    *distance = contact[best].dist;
    sn_addscale3(point1, contact[best].pos, -0.5 * *distance, contact[best].normal);
    sn_addscale3(point2, contact[best].pos, 0.5 * *distance, contact[best].normal);
  }
  return SN_OK;
}
