// SPDX-License-Identifier: Apache-2.0
//
// Touch: the sum of the normal forces of the contacts of a body that are within the volume of a
// site. Contacts are soft, so a contact point may lie behind the volume: it counts too when the ray
// from it along the normal, out of the body, meets the volume.
//
// Each condition on a point p + t u of the line allows an interval of t: a slab for each pair of
// opposite sides of a box and for the height of a cylinder, a quadratic for round shapes. The ray,
// t >= 0, meets a convex shape when the intersection of the intervals has such a t.

#include "common.h"
#include "sinew/solver.h"

typedef struct interval {
  double low, high;
} interval;

static interval meet(interval a, interval b) {
  return (interval){ fmax(a.low, b.low), fmin(a.high, b.high) };
}

static int is_ahead(interval a) {
  return a.low <= a.high && a.high >= 0;
}

// |p + t u| <= half, in one coordinate
static interval slab(double p, double u, double half) {
  if (fabs(u) < SN_TINY) {
    return fabs(p) <= half ? (interval){ -HUGE_VAL, HUGE_VAL } : (interval){ 1, -1 };
  }
  double a = (-half - p) / u, b = (half - p) / u;
  return (interval){ fmin(a, b), fmax(a, b) };
}

// uu t^2 + 2 pu t + pp <= rr
static interval ball(double uu, double pu, double pp, double rr) {
  if (uu < SN_TINY) {
    return pp <= rr ? (interval){ -HUGE_VAL, HUGE_VAL } : (interval){ 1, -1 };
  }
  double discriminant = pu * pu - uu * (pp - rr);
  if (discriminant < 0) {
    return (interval){ 1, -1 };
  }
  double root = sqrt(discriminant);
  return (interval){ (-pu - root) / uu, (-pu + root) / uu };
}

// ------------------------------------------------------------------ shapes

static int meets_sphere(const double *size, const double *p, const double *u) {
  return is_ahead(ball(sn_dot3(u, u), sn_dot3(p, u), sn_dot3(p, p), size[0] * size[0]));
}

static int meets_ellipsoid(const double *size, const double *p, const double *u) {
  double q[3], w[3];
  for (int i = 0; i < 3; i++) {
    q[i] = p[i] / size[i];
    w[i] = u[i] / size[i];
  }
  return is_ahead(ball(sn_dot3(w, w), sn_dot3(q, w), sn_dot3(q, q), 1));
}

static int meets_cylinder(const double *size, const double *p, const double *u) {
  interval wall = ball(u[0] * u[0] + u[1] * u[1], p[0] * u[0] + p[1] * u[1],
                       p[0] * p[0] + p[1] * p[1], size[0] * size[0]);
  return is_ahead(meet(wall, slab(p[2], u[2], size[1])));
}

static int meets_capsule(const double *size, const double *p, const double *u) {
  const double top[3] = { p[0], p[1], p[2] - size[1] }, bottom[3] = { p[0], p[1], p[2] + size[1] };
  return meets_cylinder(size, p, u) || meets_sphere(size, top, u) || meets_sphere(size, bottom, u);
}

static int meets_box(const double *size, const double *p, const double *u) {
  interval all = { -HUGE_VAL, HUGE_VAL };
  for (int i = 0; i < 3; i++) {
    all = meet(all, slab(p[i], u[i], size[i]));
  }
  return is_ahead(all);
}

static int (*const meets[SN_NGEOMTYPES])(const double *size, const double *p, const double *u) = {
  [SN_GEOM_SPHERE] = meets_sphere,
  [SN_GEOM_CAPSULE] = meets_capsule,
  [SN_GEOM_ELLIPSOID] = meets_ellipsoid,
  [SN_GEOM_CYLINDER] = meets_cylinder,
  [SN_GEOM_BOX] = meets_box,
};

// ------------------------------------------------------------------ contacts

// Does a ray in global coordinates meet the site?
static int site_is_met(const reader *r, int32_t site, const double *from, const double *along) {
  const double *mat = REALS(r, site_xmat) + 9 * site;
  double to[3], p[3], u[3];
  int32_t type = r->model->site_type[site];
  if (type < 0 || type >= SN_NGEOMTYPES || !meets[type]) {
    return 0;
  }
  sn_sub3(to, from, REALS(r, site_xpos) + 3 * site);
  sn_mul_matT_vec3(p, mat, to);
  sn_mul_matT_vec3(u, mat, along);
  return meets[type](r->model->site_size + 3 * site, p, u);
}

static double normal_force(const reader *r, int64_t contact) {
  int32_t row = INTS(r, contact_efc_address)[contact], dim = INTS(r, contact_dim)[contact];
  if (row < 0) {
    return 0;
  }
  const double *force = REALS(r, efc_force) + row;
  int32_t n = INTS(r, efc_type)[row] == SN_ROW_CONTACT_PYRAMIDAL ? 2 * (dim - 1) : 1;
  double sum = 0;
  for (int32_t k = 0; k < n; k++) {
    sum += force[k];
  }
  return sum;
}

static void touch_read(const reader *r, const sensor *s, double *out) {
  int64_t ncon = sensors_count(r, "ncon");
  int32_t body = r->model->site_bodyid[s->objid];
  *out = 0;
  for (int64_t i = 0; i < ncon; i++) {
    int first = r->model->geom_bodyid[INTS(r, contact_geom1)[i]] == body;
    int second = r->model->geom_bodyid[INTS(r, contact_geom2)[i]] == body;
    double force = first || second ? normal_force(r, i) : 0;
    if (force <= 0) {
      continue;
    }
    double outward[3];   // the normal goes from the first geom to the second
    sn_scale3(outward, REALS(r, contact_frame) + 9 * i, first ? 1 : -1);
    if (site_is_met(r, s->objid, REALS(r, contact_pos) + 3 * i, outward)) {
      *out += force;
    }
  }
}

SENSOR(touch, ACCELERATION, POSITIVE, 1, "site", "", "",
       "normal force of the contacts within a site, N")
