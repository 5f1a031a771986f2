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

// The distance of two geoms; NaN: it fails.
static inline double geom_distance(const sn_model *model, sn_data *data, int32_t geom1,
                                   int32_t geom2, double limit, double *fromto) {
  double distance = 0;
  const sn_status status = sn_geom_distance(model, data, geom1, geom2, limit, &distance, fromto);
  ck_assert_int_eq(status < 0, isnan(distance) != 0);
  return distance;
}

#endif
