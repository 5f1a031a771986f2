// SPDX-License-Identifier: Apache-2.0
//
// Rays against the geoms of a model: each geom that passes the filters and whose bounding sphere
// the ray intersects is tested by the collider that supports rays for its type.

#include "base/finite.h"
#include "contact/collision.h"
#include "contact/contact.h"
#include "contact/guarded_shape.h"
#include "data/address.h"
#include "data/worker.h"
#include "host/watching.h"
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
  sn_error *error;   // of the caller; may be NULL
  si_watch watch;
  int watched;   // the watch is open
} ray;

static void place(const void *context, const uint8_t *at, char *out, size_t size) {
  const ray *r = context;
  si_data_address_name(r->m, r->d, at, out, size);
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

// A step of this thread fails even if the plugin that requested the ray ignores the status.
static sn_status report(const ray *r, sn_status status, const sn_error *error) {
  si_worker *w = &r->d->worker[0];
  if (w->call.frame && w->call.thread == &si_now) {
    si_worker_blame_error(w, r->watch.call.now, error);
  }
  si_error_assign(r->error, error);
  return status;
}

// What is not finite is no fault of the plugin if the ray or the pose of the geom is not either.
static sn_status check_distance(const ray *r, const si_provider *p, const sn_shape *shape,
                                double *x, sn_error *error) {
  if (isfinite(*x)) {
    return SN_OK;
  }
  if (!si_all_finite(r->origin, 3) || !si_all_finite(shape->pos, 3) ||
      !si_all_finite(shape->mat, 9)) {
    *x = -1;
    return SN_OK;
  }
  char subject[SI_PROVIDER_TITLE], geom[SI_GEOM_TITLE];
  return si_fail(error, SN_EPLUGIN,
                 "%s: its operation 'ray' returned the distance %g (%s); correct the plugin",
                 si_provider_title(p, subject), *x, si_geom_title(r->m, shape->id, geom));
}

// One collider and one geom. A fault of the shape, which the collider calls, comes first.
static sn_status ask(ray *r, const si_provider *p, const sn_shape *shape, double *x) {
  sn_error error;   // filled in case of a failure
  error.message[0] = '\0';
  if (shape->user) {
    si_guarded_shapes_start();
  }
  si_watch_enter(&r->watch, p, "ray");
  const sn_status returned =
      ((const sn_collider_ops *)p->ops)->ray(p->self, shape, r->origin, r->unit, x);
  const int declined = returned == SN_EUNSUPPORTED;
  sn_status status = si_watch_leave(&r->watch, declined ? SN_OK : returned, &error);
  if (shape->user && status >= 0) {
    status = si_guarded_shapes_end(r->m, &error);
  }
  if (!declined && status >= 0) {
    status = check_distance(r, p, shape, x, &error);
  }
  return status < 0 ? report(r, status, &error) : returned;
}

// *x: the distance to a geom; negative: it is not hit.
static sn_status cast(ray *r, int32_t geom, double *x) {
  const sn_shape shape = si_geom_shape(r->m, r->d, geom);
  const si_provider *p = r->m->bound.ray[shape.type];
  sn_status status = SN_EUNSUPPORTED;
  watch(r);
  for (; p && status == SN_EUNSUPPORTED; p = si_engine_ray_collider(r->m->engine, shape.type, p)) {
    *x = -1;
    status = ask(r, p, &shape, x);
  }
  if (status == SN_EUNSUPPORTED) {
    *x = -1;
    return SN_OK;
  }
  return status;
}

static sn_status cast_all(ray *r, uint32_t groups, int with_static, int32_t without_body,
                          double *best, int32_t *hit) {
  const sn_model *m = r->m;
  for (int32_t i = 0; i < m->ngeom; i++) {
    if (!wanted(m, i, groups, with_static, without_body)) {
      continue;
    }
    double x, radius = m->geom_rbound[i];
    if (radius > 0 && !near_point(r->origin, r->unit, r->d->geom_xpos + 3 * i, radius)) {
      continue;
    }
    SN_TRY(cast(r, i, &x));
    if (x >= 0 && (*best < 0 || x < *best)) {
      *best = x;
      *hit = i;
    }
  }
  return SN_OK;
}

sn_status sn_ray(const sn_model *m, const sn_data *d, const double *origin, const double *direction,
                 uint32_t groups, int32_t with_static, int32_t without_body, double *distance,
                 int32_t *geom, sn_error *error) {
  ray r = { .m = m, .d = d, .origin = { origin[0], origin[1], origin[2] }, .error = error };
  double best = -1;
  int32_t hit = -1;
  // scaled by its largest component first: squares of very long or short vectors overflow
  double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
  sn_scale3(r.unit, direction, largest > 0 ? 1 / largest : 0);
  double length = isfinite(largest) ? sn_normalize3(r.unit) : 0;
  const sn_status status = length > 0 ? cast_all(&r, groups, with_static, without_body, &best, &hit)
                                      : SN_OK;
  if (r.watched) {
    si_watch_close(&r.watch);
  }
  const int is_hit = status >= 0 && best >= 0;
  *distance = is_hit ? best / length / largest : -1;
  if (geom) {
    *geom = is_hit ? hit : -1;
  }
  return status;
}

// ------------------------------------------------------------------ for plugins

static sn_status service_ray(const sn_data_view *view, const double *origin,
                             const double *direction, int32_t without_body, double *distance,
                             int32_t *geom) {
  return sn_ray(view->model->model, view->data, origin, direction, 0, 1, without_body, distance,
                geom, NULL);
}

const sn_ray_service si_ray_service_table = {
  .size = sizeof(sn_ray_service),
  .cast = service_ray,
};
