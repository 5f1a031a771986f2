// SPDX-License-Identifier: Apache-2.0
//
// Rays against the geoms of a model: each geom that passes the filters and whose bounding sphere
// the ray intersects is tested by the collider that supports rays for its type.

#include "contact/collision.h"
#include "contact/contact.h"
#include "host/calling.h"
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

double sn_ray(const sn_model *m, const sn_data *d, const double *origin, const double *direction,
              uint32_t groups, int32_t with_static, int32_t without_body, int32_t *geom) {
  double unit[3], best = -1;
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
    const sn_shape shape = si_geom_shape(m, d, i);
    const si_provider *p = m->bound.ray[shape.type];
    double x = -1;
    sn_status status = SN_EUNSUPPORTED;
    for (; p && status == SN_EUNSUPPORTED; p = si_engine_ray_collider(m->engine, shape.type, p)) {
      const si_call call = si_call_enter(p, "ray");
      status = ((const sn_collider_ops *)p->ops)->ray(p->self, &shape, origin, unit, &x);
      status = si_call_leave(&call, status, NULL);
    }
    if (status >= 0 && x >= 0 && (best < 0 || x < best)) {
      best = x;
      hit = i;
    }
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
