// SPDX-License-Identifier: Apache-2.0
//
// The distance of two geoms at a state: it calls a collider, and is guarded as a step is.

#include "contact/contact.h"
#include "sinew/math.h"
#include "step/pipeline.h"

sn_status sn_geom_distance(const sn_model *m, sn_data *d, int32_t geom1, int32_t geom2,
                           double limit, double *distance, double *fromto) {
  si_distance_query query = { .geom1 = geom1, .geom2 = geom2, .limit = limit };
  sn_status status = SN_EINVAL;
  if (geom1 < 0 || geom2 < 0 || geom1 >= m->ngeom || geom2 >= m->ngeom) {
    si_fail(&d->error, SN_EINVAL, "geom ids %d and %d: there are %lld geoms, numbered from 0",
            (int)geom1, (int)geom2, (long long)m->ngeom);
  } else if (isnan(limit)) {
    si_fail(&d->error, SN_EINVAL, "the limit of the distance is NaN");
  } else {
    status = si_guarded(si_find_distance, m, d, 0, &query);
  }
  if (fromto) {
    memcpy(fromto, query.fromto, sizeof query.fromto);
  }
  *distance = status < 0 ? NAN : query.distance;
  return status;
}
