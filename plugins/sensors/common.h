// SPDX-License-Identifier: Apache-2.0
//
// What all sensors of this plugin share: how they are bound, and how a sensor type is defined.
//
// A type is one function that reads one sensor, and one row at the foot of its file:
//
//   static void gyro_read(const reader *r, const sensor *s, double *out) { ... }
//   SENSOR(gyro, VELOCITY, REAL, 3, "site", "", "", "angular velocity in the frame of a site")
//
// For each type all fields listed below are looked up once, when it is bound to a model.

#ifndef COMMON_H
#define COMMON_H

#include <stddef.h>

#include "sinew/instance.h"
#include "sinew/math.h"
#include "sinew/sensor.h"

// Real and integer fields of the model; real and integer fields of the data.
// clang-format off
#define MODEL_FIELDS(R, I)                                                \
  R(body_iquat) R(geom_quat) R(site_quat) R(cam_quat) R(site_size)        \
  I(body_rootid) I(geom_bodyid) I(site_bodyid) I(site_type) I(cam_bodyid) \
  I(jnt_qposadr) I(jnt_dofadr) I(actuator_trntype) I(actuator_trnid)

#define DATA_FIELDS(R, I)                                                                 \
  R(time) R(qpos) R(qvel) R(ten_length) R(ten_velocity)                                   \
  R(actuator_length) R(actuator_velocity) R(actuator_force) R(qfrc_actuator)              \
  R(xpos) R(xquat) R(xmat) R(xipos) R(ximat) R(geom_xpos) R(geom_xmat) R(site_xpos)       \
  R(site_xmat) R(cam_xpos) R(cam_xmat) R(subtree_com) R(subtree_linvel) R(subtree_angmom) \
  R(cvel) R(cacc) R(cfrc_int) R(contact_pos) R(contact_frame) R(efc_pos) R(efc_margin)    \
  R(efc_vel) R(efc_force) I(contact_geom1) I(contact_geom2) I(contact_dim)                \
  I(contact_efc_address) I(efc_type) I(efc_id)
// clang-format on

typedef struct instance {
  sn_instance base;
  const sn_ray_service *ray;   // NULL: the engine has none
} instance;

// A kind of object that has a pose: the fields with its position, axes and orientation.
typedef struct frame_kind frame_kind;

typedef struct sensor {
  int32_t id, objid, refid;
  int32_t adr;                            // of its first value in sensordata
  const frame_kind *object, *reference;   // NULL: no object, or its kind has no pose
} sensor;

typedef struct bound_sensors {
  const instance *self;
  int64_t n;
  sensor *at;
  const double *magnetic;   // an option, may change between steps
#define REAL_POINTER(name) const double *name;
#define INT_POINTER(name) const int32_t *name;
#define HANDLE(name) sn_field name;
  MODEL_FIELDS(REAL_POINTER, INT_POINTER)
  DATA_FIELDS(HANDLE, HANDLE)
#undef REAL_POINTER
#undef INT_POINTER
#undef HANDLE
} bound_sensors;

// The sensors of a type in a state of the simulation.
typedef struct reader {
  const bound_sensors *model;
  const sn_data_view *data;
  sn_status *status;   // of the evaluation
} reader;

// A field of the data.
#define REALS(r, name) sn_field_reals((r)->data->fields, (r)->model->name)
#define INTS(r, name) sn_field_ints((r)->data->fields, (r)->model->name)

// Operations that all types have in common.
sn_status sensors_create(const sn_host *host, const sn_value *values, void **self, sn_error *error);
sn_status sensors_bind(const void *self, const sn_model_view *model, int64_t n,
                       const sn_sensor *sensors, void **bound, sn_error *error);

// For sn_sensor_ops.check: rejects a sensor unless its object has one of the values first ... last
// in an integer field of the model.
sn_status sensors_require(const void *self, const sn_model_view *model, const sn_sensor *at,
                          const char *field, int32_t first, int32_t last, const char *why,
                          sn_error *error);

// A count of the data, as "ncon".
int64_t sensors_count(const reader *r, const char *name);

// A kind of object by its name; NULL: there is none that has a pose. frame.c
const frame_kind *frame_kind_find(const char *name);

// [angular; linear] velocity and acceleration of a point of a body, global axes. The acceleration
// is what an accelerometer measures: at rest it is -gravity.
void point_velocity(const reader *r, int32_t body, const double *point, double *out);
void point_acceleration(const reader *r, int32_t body, const double *point, double *out);

// A type for some of the objects of its kind only; `which` is the operation `check` of
// sn_sensor_ops that rejects the others.
#define SENSOR_OF(type, when, kind, values, kinds, refs, wants, which, text)                      \
  static sn_status type##_evaluate(const void *self, const void *bound, const sn_data_view *data, \
                                   double *state, double *sensordata, sn_scratch *scratch) {      \
    (void)self;                                                                                   \
    (void)state;                                                                                  \
    (void)scratch;                                                                                \
    sn_status status = SN_OK;                                                                     \
    const reader r = { bound, data, &status };                                                    \
    for (int64_t i = 0; i < r.model->n; i++) {                                                    \
      type##_read(&r, &r.model->at[i], sensordata + r.model->at[i].adr);                          \
    }                                                                                             \
    return status;                                                                                \
  }                                                                                               \
  const sn_sensor_ops type##_ops = {                                                              \
    .head = { .size = sizeof(sn_sensor_ops),                                                      \
              .summary = text,                                                                    \
              .create = sensors_create,                                                           \
              .destroy = sn_instance_destroy },                                                   \
    .stage = SN_STAGE_##when,                                                                     \
    .datatype = SN_DATA_##kind,                                                                   \
    .dim = values,                                                                                \
    .objects = kinds,                                                                             \
    .references = refs,                                                                           \
    .needs = wants,                                                                               \
    .bind = sensors_bind,                                                                         \
    .unbind = sn_instance_unbind,                                                                 \
    .evaluate = type##_evaluate,                                                                  \
    .check = which,                                                                               \
  };

#define SENSOR(type, when, kind, values, kinds, refs, wants, text) \
  SENSOR_OF(type, when, kind, values, kinds, refs, wants, NULL, text)

#endif
