// SPDX-License-Identifier: Apache-2.0
//
// Sensors that are mounted at a site and measure in its frame: accelerometer, velocimeter,
// gyroscope, force and torque between a body and its parent, magnetometer, rangefinder along the z
// axis.

#include "common.h"

static const double *axes(const reader *r, const sensor *s) {
  return REALS(r, site_xmat) + 9 * s->objid;
}

static const double *position(const reader *r, const sensor *s) {
  return REALS(r, site_xpos) + 3 * s->objid;
}

static void accelerometer_read(const reader *r, const sensor *s, double *out) {
  double acc[6];
  point_acceleration(r, r->model->site_bodyid[s->objid], position(r, s), acc);
  sn_mul_matT_vec3(out, axes(r, s), acc + 3);
}

static void velocimeter_read(const reader *r, const sensor *s, double *out) {
  double vel[6];
  point_velocity(r, r->model->site_bodyid[s->objid], position(r, s), vel);
  sn_mul_matT_vec3(out, axes(r, s), vel + 3);
}

static void gyro_read(const reader *r, const sensor *s, double *out) {
  sn_mul_matT_vec3(out, axes(r, s), REALS(r, cvel) + 6 * r->model->site_bodyid[s->objid]);
}

// Force and torque of the body of the site on its parent; the torque is about the site.
static void force_read(const reader *r, const sensor *s, double *out) {
  const double *wrench = REALS(r, cfrc_int) + 6 * r->model->site_bodyid[s->objid];
  sn_mul_matT_vec3(out, axes(r, s), wrench + 3);
}

static void torque_read(const reader *r, const sensor *s, double *out) {
  int32_t body = r->model->site_bodyid[s->objid];
  const double *wrench = REALS(r, cfrc_int) + 6 * body;
  double arm[3], torque[3];
  sn_sub3(arm, position(r, s), REALS(r, subtree_com) + 3 * r->model->body_rootid[body]);
  sn_cross(torque, arm, wrench + 3);
  sn_sub3(torque, wrench, torque);
  sn_mul_matT_vec3(out, axes(r, s), torque);
}

static void magnetometer_read(const reader *r, const sensor *s, double *out) {
  sn_mul_matT_vec3(out, axes(r, s), r->model->magnetic);
}

// -1: the ray meets nothing. The body of the site itself is ignored.
static void rangefinder_read(const reader *r, const sensor *s, double *out) {
  const double *mat = axes(r, s), z[3] = { mat[2], mat[5], mat[8] };
  const sn_ray_service *ray = r->model->self->ray;
  *out = -1;
  if (ray) {
    const int32_t own = r->model->site_bodyid[s->objid];
    const sn_status status = ray->cast(r->data, position(r, s), z, own, out, NULL);
    *r->status = status < 0 ? status : *r->status;
  }
}

SENSOR(accelerometer, ACCELERATION, REAL, 3, "site", "", "cacc",
       "linear acceleration of a site in its frame, gravity included, m/s^2")
SENSOR(velocimeter, VELOCITY, REAL, 3, "site", "", "",
       "linear velocity of a site in its frame, m/s")
SENSOR(gyro, VELOCITY, REAL, 3, "site", "", "", "angular velocity of a site in its frame, rad/s")
SENSOR(force, ACCELERATION, REAL, 3, "site", "", "cacc",
       "force of the body of a site on its parent, in the frame of the site, N")
SENSOR(torque, ACCELERATION, REAL, 3, "site", "", "cacc",
       "torque of the body of a site on its parent, about the site and in its frame, N m")
SENSOR(magnetometer, POSITION, REAL, 3, "site", "", "", "option magnetic in the frame of a site")
SENSOR(rangefinder, POSITION, POSITIVE, 1, "site", "", "", "distance to the nearest geom along z")
