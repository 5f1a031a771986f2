// SPDX-License-Identifier: Apache-2.0
//
// The distance of two geoms, through the collider that measures their types.

#include "contact/contact.h"

#include "base/finite.h"
#include "contact/collision.h"
#include "contact/guarded_shape.h"
#include "sinew/math.h"

typedef struct measure {
  sn_shape first, second;   // by ascending types
  double limit, distance, point[6];
} measure;

static sn_status check_pose(si_worker *w, const sn_shape *s) {
  char geom[SI_GEOM_TITLE];
  return si_all_finite(s->pos, 3) && si_all_finite(s->mat, 9)
             ? SN_OK
             : si_fail(&w->error, SN_EINVAL, "the pose of %s is not finite",
                       si_geom_title(w->data->model, s->id, geom));
}

static sn_status ask(const si_provider *p, si_worker *w, measure *x) {
  const sn_collider_ops *ops = p->ops;
  if (!ops->distance) {
    return SN_EUNSUPPORTED;
  }
  const sn_model *m = w->data->model;
  si_mark mark = si_arena_mark(&w->scratch);
  si_guarded_shapes_start();
  const si_call call = si_worker_enter(w, p, "distance");
  sn_status status = ops->distance(p->self, &x->first, &x->second, x->limit, &x->distance, x->point,
                                   x->point + 3, si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  si_arena_release(&w->scratch, mark);
  SN_TRY(si_guarded_shapes_end(m, &w->error));
  if (status != SN_EUNSUPPORTED &&
      (status < 0 || isnan(x->distance) || !si_all_finite(x->point, 6))) {
    char subject[SI_PROVIDER_TITLE], geom1[SI_GEOM_TITLE], geom2[SI_GEOM_TITLE];
    return si_fail(&w->error, SN_EPLUGIN, "%s: its operation 'distance' returned %s (%s and %s)",
                   si_provider_title(p, subject),
                   status < 0 ? sn_status_name(status) : "numbers that are not finite",
                   si_geom_title(m, x->first.id, geom1), si_geom_title(m, x->second.id, geom2));
  }
  return status;
}

static sn_status ask_all(const sn_model *m, si_worker *w, measure *x) {
  const si_collider_line line = si_collider_line_of(m, x->first.id, x->second.id);
  sn_status status = SN_EUNSUPPORTED;
  const si_provider *p = NULL;
  while (status == SN_EUNSUPPORTED && (p = si_collider_next(m->engine, &line, p))) {
    status = ask(p, w, x);
  }
  return status != SN_EUNSUPPORTED ? status
                                   : si_fail(&w->error, SN_EUNSUPPORTED,
                                             "no loaded collider supports the distance of geoms %d "
                                             "and %d",
                                             (int)x->first.id, (int)x->second.id);
}

sn_status si_find_distance(const sn_model *m, sn_data *d, si_worker *w, void *query) {
  si_distance_query *q = query;
  int swap = m->geom_type[q->geom1] > m->geom_type[q->geom2];
  measure x = { .first = si_geom_shape(m, d, swap ? q->geom2 : q->geom1),
                .second = si_geom_shape(m, d, swap ? q->geom1 : q->geom2),
                .limit = q->limit,
                .distance = q->limit };
  SN_TRY(check_pose(w, &x.first));
  SN_TRY(check_pose(w, &x.second));
  SN_TRY(ask_all(m, w, &x));
  q->distance = sn_min(x.distance, q->limit);
  if (x.distance < q->limit) {
    sn_copy3(q->fromto, x.point + (swap ? 3 : 0));
    sn_copy3(q->fromto + 3, x.point + (swap ? 0 : 3));
  }
  return SN_OK;
}
