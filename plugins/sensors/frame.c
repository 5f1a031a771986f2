// SPDX-License-Identifier: Apache-2.0
//
// Poses, velocities and accelerations of frames: of bodies (body: the inertial frame, xbody: the
// frame of the body itself), geoms, sites and cameras; global, or relative to a reference frame F,
// which may move:
//
//   position       F' (p - p_F)                 orientation      q_F* q
//   velocity       F' (v - v_F - w_F x (p - p_F))
//   angular        F' (w - w_F)
//
// Accelerations are global.

#include "common.h"

// The fields of a kind, as offsets into bound_sensors.
struct frame_kind {
  const char *name;
  size_t pos, mat;     // handles of fields of the data
  size_t body, quat;   // arrays of the model: the body, the orientation in it. 0: of a body itself
};

#define AT(name) offsetof(bound_sensors, name)

static const frame_kind kinds[] = {
  { "body", AT(xipos), AT(ximat), 0, AT(body_iquat) },
  { "xbody", AT(xpos), AT(xmat), 0, 0 },
  { "geom", AT(geom_xpos), AT(geom_xmat), AT(geom_bodyid), AT(geom_quat) },
  { "site", AT(site_xpos), AT(site_xmat), AT(site_bodyid), AT(site_quat) },
  { "camera", AT(cam_xpos), AT(cam_xmat), AT(cam_bodyid), AT(cam_quat) },
};

const frame_kind *frame_kind_find(const char *name) {
  for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(kinds[i].name, name) == 0) {
      return &kinds[i];
    }
  }
  return NULL;
}

static const double *handle_at(const reader *r, size_t offset) {
  const sn_field *field = (const sn_field *)(const void *)((const char *)r->model + offset);
  return sn_field_reals(r->data->fields, *field);
}

static const void *array_at(const reader *r, size_t offset) {
  const void *array;
  memcpy(&array, (const char *)r->model + offset, sizeof array);
  return array;
}

static void frame_pose(const reader *r, const frame_kind *kind, int32_t id, const double **pos,
                       const double **mat) {
  *pos = handle_at(r, kind->pos) + 3 * id;
  *mat = handle_at(r, kind->mat) + 9 * id;
}

static int32_t frame_body(const reader *r, const frame_kind *kind, int32_t id) {
  return kind->body ? ((const int32_t *)array_at(r, kind->body))[id] : id;
}

static void frame_quat(const reader *r, const frame_kind *kind, int32_t id, double *out) {
  sn_copy4(out, REALS(r, xquat) + 4 * frame_body(r, kind, id));
  if (kind->quat) {
    sn_mul_quat(out, out, (const double *)array_at(r, kind->quat) + 4 * id);
  }
}

// ------------------------------------------------------------------ positions

static void framepos_read(const reader *r, const sensor *s, double *out) {
  const double *pos, *mat, *from, *axes;
  frame_pose(r, s->object, s->objid, &pos, &mat);
  sn_copy3(out, pos);
  if (s->reference) {
    frame_pose(r, s->reference, s->refid, &from, &axes);
    sn_sub3(out, out, from);
    sn_mul_matT_vec3(out, axes, out);
  }
}

static void framequat_read(const reader *r, const sensor *s, double *out) {
  frame_quat(r, s->object, s->objid, out);
  if (s->reference) {
    double from[4];
    frame_quat(r, s->reference, s->refid, from);
    sn_conj_quat(from, from);
    sn_mul_quat(out, from, out);
  }
}

// Axis k: a column of the orientation.
static void read_axis(const reader *r, const sensor *s, int k, double *out) {
  const double *pos, *mat, *from, *axes;
  frame_pose(r, s->object, s->objid, &pos, &mat);
  for (int i = 0; i < 3; i++) {
    out[i] = mat[3 * i + k];
  }
  if (s->reference) {
    frame_pose(r, s->reference, s->refid, &from, &axes);
    sn_mul_matT_vec3(out, axes, out);
  }
}

static void framexaxis_read(const reader *r, const sensor *s, double *out) {
  read_axis(r, s, 0, out);
}

static void frameyaxis_read(const reader *r, const sensor *s, double *out) {
  read_axis(r, s, 1, out);
}

static void framezaxis_read(const reader *r, const sensor *s, double *out) {
  read_axis(r, s, 2, out);
}

// ------------------------------------------------------------------ velocities

// [angular; linear] velocity, relative to the reference when there is one.
static void read_velocity(const reader *r, const sensor *s, double *vel) {
  const double *pos, *mat, *from, *axes;
  frame_pose(r, s->object, s->objid, &pos, &mat);
  point_velocity(r, frame_body(r, s->object, s->objid), pos, vel);
  if (!s->reference) {
    return;
  }
  double ref[6], arm[3], carried[3];
  frame_pose(r, s->reference, s->refid, &from, &axes);
  point_velocity(r, frame_body(r, s->reference, s->refid), from, ref);
  sn_sub3(arm, pos, from);
  sn_cross(carried, ref, arm);
  sn_sub3(vel, vel, ref);
  sn_sub3(vel + 3, vel + 3, ref + 3);
  sn_sub3(vel + 3, vel + 3, carried);
  sn_mul_matT_vec3(vel, axes, vel);
  sn_mul_matT_vec3(vel + 3, axes, vel + 3);
}

static void framelinvel_read(const reader *r, const sensor *s, double *out) {
  double vel[6];
  read_velocity(r, s, vel);
  sn_copy3(out, vel + 3);
}

static void frameangvel_read(const reader *r, const sensor *s, double *out) {
  double vel[6];
  read_velocity(r, s, vel);
  sn_copy3(out, vel);
}

// ------------------------------------------------------------------ accelerations

static void read_acceleration(const reader *r, const sensor *s, double *acc) {
  const double *pos, *mat;
  frame_pose(r, s->object, s->objid, &pos, &mat);
  point_acceleration(r, frame_body(r, s->object, s->objid), pos, acc);
}

static void framelinacc_read(const reader *r, const sensor *s, double *out) {
  double acc[6];
  read_acceleration(r, s, acc);
  sn_copy3(out, acc + 3);
}

static void frameangacc_read(const reader *r, const sensor *s, double *out) {
  double acc[6];
  read_acceleration(r, s, acc);
  sn_copy3(out, acc);
}

#define FRAMES "body|xbody|geom|site|camera"

SENSOR(framepos, POSITION, REAL, 3, FRAMES, FRAMES, "", "position of a frame, m")
SENSOR(framequat, POSITION, QUATERNION, 4, FRAMES, FRAMES, "",
       "orientation of a frame, a unit quaternion")
SENSOR(framexaxis, POSITION, AXIS, 3, FRAMES, FRAMES, "", "x axis of a frame")
SENSOR(frameyaxis, POSITION, AXIS, 3, FRAMES, FRAMES, "", "y axis of a frame")
SENSOR(framezaxis, POSITION, AXIS, 3, FRAMES, FRAMES, "", "z axis of a frame")
SENSOR(framelinvel, VELOCITY, REAL, 3, FRAMES, FRAMES, "", "linear velocity of a frame, m/s")
SENSOR(frameangvel, VELOCITY, REAL, 3, FRAMES, FRAMES, "", "angular velocity of a frame, rad/s")
SENSOR(framelinacc, ACCELERATION, REAL, 3, FRAMES, "", "cacc",
       "linear acceleration of a frame, gravity included, m/s^2")
SENSOR(frameangacc, ACCELERATION, REAL, 3, FRAMES, "", "cacc",
       "angular acceleration of a frame, rad/s^2")
