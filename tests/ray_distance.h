// SPDX-License-Identifier: Apache-2.0
//
// A ray of a test, which must succeed.

#ifndef SN_TEST_RAY_DISTANCE_H
#define SN_TEST_RAY_DISTANCE_H

#include <check.h>

#include "sinew/sinew.h"

// groups and with_static as in sn_ray; geom may be NULL.
static inline double ray_distance(const sn_model *m, const sn_data *d, const double *origin,
                                  const double *direction, uint32_t groups, int32_t with_static,
                                  int32_t without_body, int32_t *geom) {
  double distance = -2;
  ck_assert_int_eq(
      sn_ray(m, d, origin, direction, groups, with_static, without_body, &distance, geom, NULL),
      SN_OK);
  return distance;
}

#endif
