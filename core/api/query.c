// SPDX-License-Identifier: Apache-2.0
//
// Questions about geoms: the distance of two of them at a state, which calls a collider and is
// guarded as a step is; support points of shapes of plugins.

#include "contact/contact.h"
#include "contact/guarded_shape.h"
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

sn_status sn_geom_support(const sn_model *m, int32_t geom, int64_t n, const double *direction,
                          double *point, sn_error *error) {
  if (geom < 0 || geom >= m->ngeom) {
    return si_fail(error, SN_EINVAL, "geom %d: there are %lld geoms, numbered from 0", (int)geom,
                   (long long)m->ngeom);
  }
  if (!si_geom_provider(m, geom)) {
    return si_fail(
        error, SN_EUNSUPPORTED,
        "geom %d: it does not have a shape of a plugin (type user); its type and size define its "
        "shape",
        (int)geom);
  }
  const sn_user_shape *shape = &m->bound.user_shape[geom].face;
  si_guarded_shapes_start();
  for (int64_t i = 0; i < n; i++) {
    shape->ops->support(shape->self, shape->data, direction + 3 * i, point + 3 * i);
  }
  return si_guarded_shapes_end(m, error);
}
