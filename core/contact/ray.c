// SPDX-License-Identifier: Apache-2.0
//
// Rays against the geoms of a model: each geom that passes the filters and whose bounding sphere
// the ray intersects is tested by the collider that supports rays for its type.

#include "contact/collision.h"
#include "contact/contact.h"
#include "host/watching.h"
#include "model/checked_places.h"
#include "model/worker.h"
#include "sinew/math.h"

enum { NGROUPS = 6 };   // groups above the last count as the last

// Does the ray come within `radius` of a point, ahead of its origin?
static int near_point(const double *origin, const double *direction, const double *point,
                      double radius) {
  double to[3];
  sn_sub3(to, point, origin);
  double ahead = sn_dot3(to, direction), far = sn_dot3(to, to);
  return far <= radius * radius ||
         (ahead > 0 && far - ahead * ahead <= radius * radius * (1 + 1e-10));
}

// The color of a material hides that of the geom, so its alpha alone decides.
static int visible(const sn_model *m, int64_t geom) {
  int64_t material = m->geom_matid[geom];
  return material >= 0 ? m->mat_rgba[4 * material + 3] != 0 : m->geom_rgba[4 * geom + 3] != 0;
}

static int wanted(const sn_model *m, int64_t geom, uint32_t groups, int with_static,
                  int32_t without_body) {
  int32_t body = m->geom_bodyid[geom], group = m->geom_group[geom];
  group = group < 0 ? 0 : (group >= NGROUPS ? NGROUPS - 1 : group);
  return body != without_body && (!groups || groups >> group & 1) &&
         (with_static || m->body_weldid[body] != 0) && visible(m, geom) &&
         m->bound.ray[m->geom_type[geom]];
}

// ------------------------------------------------------------------ calls of colliders

typedef struct ray {
  const sn_model *m;
  const sn_data *d;
  double origin[3], unit[3];
  si_watch watch;
  int watched;   // the watch is open
} ray;

static void place(const void *context, const uint8_t *at, char *out, size_t size) {
  const ray *r = context;
  si_checked_name(r->m, r->d, at, out, size);
}

// What belongs to the host is copied once for a ray, when the first collider is called.
static void watch(ray *r) {
  if (!r->watched) {
    si_watch_open(&r->watch, r->d->worker[0].checker != NULL);
    if (r->watch.on) {
      si_watch_keep(&r->watch, r->m->buffer, r->m->nbuffer, place, r);
      si_watch_keep(&r->watch, r->d->buffer, si_data_capacity(r->d->nbuffer), place, r);
    }
    r->watched = 1;
  }
}

// A ray has no error to fill: within a step of this thread the step fails, otherwise it is logged.
static void report(const ray *r, sn_status returned, const sn_error *error) {
  si_worker *w = &r->d->worker[0];
  if (!w->call.frame || w->call.thread != &si_now) {
    si_engine_log(r->m->engine, SN_LOG_ERROR, "ray", "%s", error->message);
  } else if (!si_status_is_known(returned)) {
    si_worker_blame(w, (si_fault){ r->watch.call.now, SI_FAULT_STATUS, returned });
  } else {
    si_checker_note(w->checker, r->watch.wrong);
    si_worker_blame(w, (si_fault){ .operation = r->watch.call.now, .what = SI_FAULT_CHECK });
  }
}

// The distance to a geom; negative: it is not hit.
static double cast(ray *r, int32_t geom) {
  const sn_shape shape = si_geom_shape(r->m, r->d, geom);
  const si_provider *p = r->m->bound.ray[shape.type];
  double x = -1;
  sn_status status = SN_EUNSUPPORTED;
  watch(r);
  for (; p && status == SN_EUNSUPPORTED; p = si_engine_ray_collider(r->m->engine, shape.type, p)) {
    sn_error error;   // filled where the status is another one than was returned
    si_watch_enter(&r->watch, p, "ray");
    const sn_status returned =
        ((const sn_collider_ops *)p->ops)->ray(p->self, &shape, r->origin, r->unit, &x);
    status = si_watch_leave(&r->watch, returned, &error);
    if (status != returned) {
      report(r, returned, &error);
    }
  }
  return status >= 0 ? x : -1;
}

double sn_ray(const sn_model *m, const sn_data *d, const double *origin, const double *direction,
              uint32_t groups, int32_t with_static, int32_t without_body, int32_t *geom) {
  ray r = { .m = m, .d = d, .origin = { origin[0], origin[1], origin[2] } };
  double *unit = r.unit, best = -1;
  int32_t hit = -1;
  // scaled by its largest component first: squares of very long or short vectors overflow
  double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
  sn_scale3(unit, direction, largest > 0 ? 1 / largest : 0);
  double length = isfinite(largest) ? sn_normalize3(unit) : 0;
  for (int32_t i = 0; length > 0 && i < m->ngeom; i++) {
    if (!wanted(m, i, groups, with_static, without_body)) {
      continue;
    }
    double radius = m->geom_rbound[i];
    if (radius > 0 && !near_point(origin, unit, d->geom_xpos + 3 * i, radius)) {
      continue;
    }
    const double x = cast(&r, i);
    if (x >= 0 && (best < 0 || x < best)) {
      best = x;
      hit = i;
    }
  }
  if (r.watched) {
    si_watch_close(&r.watch);
  }
  if (geom) {
    *geom = hit;
  }
  return best < 0 ? best : best / length / largest;
}

// ------------------------------------------------------------------ for plugins

static double service_ray(const sn_data_view *view, const double *origin, const double *direction,
                          int32_t without_body, int32_t *geom) {
  return sn_ray(view->model->model, view->data, origin, direction, 0, 1, without_body, geom);
}

const sn_ray_service si_ray_service_table = {
  .size = sizeof(sn_ray_service),
  .cast = service_ray,
};
