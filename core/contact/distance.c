// SPDX-License-Identifier: Apache-2.0
//
// The distance of two geoms, through the collider that measures their types.

#include "contact/contact.h"

#include "contact/broadphase.h"
#include "sinew/math.h"

typedef struct measure {
  sn_shape first, second;   // by ascending types
  double limit, distance, point[6];
} measure;

static sn_status ask(const sn_provider *p, sn_data *d, measure *x) {
  const sn_collider_ops *ops = p->ops;
  if (!ops->distance) {
    return SN_EUNSUPPORTED;
  }
  sn_mark mark = sn_arena_mark(&d->scratch);
  sn_status status = ops->distance(p->self, &x->first, &x->second, x->limit, &x->distance, x->point,
                                   x->point + 3, &d->scratch.scratch);
  sn_arena_release(&d->scratch, mark);
  if (status != SN_EUNSUPPORTED && (status < 0 || isnan(x->distance))) {
    return sn_fail(&d->error, SN_EPLUGIN, "collider %s: no distance of geoms %d and %d", p->name,
                   (int)x->first.id, (int)x->second.id);
  }
  return status;
}

// First who collides the pair, then the others, those that name both types before those that serve
// all convex ones.
static sn_status ask_all(const sn_model *m, sn_data *d, measure *x) {
  int32_t t1 = x->first.type, t2 = x->second.type;
  const sn_provider *collider = m->bound.collider[t1][t2], *p;
  sn_status status = collider ? ask(collider, d, x) : SN_EUNSUPPORTED;
  for (int grade = 2; grade > 0; grade--) {
    for (int64_t i = 0;
         status == SN_EUNSUPPORTED && (p = sn_engine_each(m->engine, SN_KIND_COLLIDER, i)); i++) {
      if (sn_collider_serves(p, t1, t2) == grade) {
        status = ask(p, d, x);
      }
    }
  }
  return status != SN_EUNSUPPORTED ? status
                                   : sn_fail(&d->error, SN_EUNSUPPORTED,
                                             "no loaded collider measures the distance of geoms "
                                             "%d and %d",
                                             (int)x->first.id, (int)x->second.id);
}

double sn_geom_distance(const sn_model *m, sn_data *d, int32_t geom1, int32_t geom2, double limit,
                        double *fromto) {
  if (fromto) {
    memset(fromto, 0, 6 * sizeof *fromto);
  }
  if (geom1 < 0 || geom2 < 0 || geom1 >= m->ngeom || geom2 >= m->ngeom) {
    sn_fail(&d->error, SN_EINVAL, "there are %lld geoms, and no pair %d, %d of them",
            (long long)m->ngeom, (int)geom1, (int)geom2);
    return NAN;
  }
  int swap = m->geom_type[geom1] > m->geom_type[geom2];
  measure x = { .first = sn_geom_shape(m, d, swap ? geom2 : geom1),
                .second = sn_geom_shape(m, d, swap ? geom1 : geom2),
                .limit = limit,
                .distance = limit };
  if (ask_all(m, d, &x) < 0) {
    return NAN;
  }
  if (fromto && x.distance < limit) {
    sn_copy3(fromto, x.point + (swap ? 3 : 0));
    sn_copy3(fromto + 3, x.point + (swap ? 0 : 3));
  }
  return fmin(x.distance, limit);
}
