// SPDX-License-Identifier: Apache-2.0
//
// Limits of joints and tendons while they are active: distance minus margin, its rate, and the
// force that holds it. Zero when the limit is not active.

#include "common.h"
#include "sinew/solver.h"

static sn_status joint_check(const void *self, const sn_model_view *model, const sn_sensor *at,
                             sn_error *error) {
  int32_t limited;
  sn_status status = sensors_ask(self, model, "jnt_limited", at->objid, &limited, error);
  return status < 0 || limited
             ? status
             : sensors_refuse(self, "its joint has no limit; give it a range and limited", error);
}

static sn_status tendon_check(const void *self, const sn_model_view *model, const sn_sensor *at,
                              sn_error *error) {
  int32_t limited;
  sn_status status = sensors_ask(self, model, "tendon_limited", at->objid, &limited, error);
  return status < 0 || limited
             ? status
             : sensors_refuse(self, "its tendon has no limit; give it a range and limited", error);
}

// The first row of a limit; -1: it is not active.
static int64_t row_of(const reader *r, int32_t type, int32_t id) {
  const sn_fields_service *fields = r->model->self->fields;
  int64_t begin = fields->count_of(r->data, "ne") + fields->count_of(r->data, "nf");
  int64_t end = begin + fields->count_of(r->data, "nl");
  for (int64_t i = begin; i < end; i++) {
    if (INTS(r, efc_type)[i] == type && INTS(r, efc_id)[i] == id) {
      return i;
    }
  }
  return -1;
}

static void read_pos(const reader *r, const sensor *s, int32_t type, double *out) {
  int64_t row = row_of(r, type, s->objid);
  *out = row < 0 ? 0 : REALS(r, efc_pos)[row] - REALS(r, efc_margin)[row];
}

static void read_vel(const reader *r, const sensor *s, int32_t type, double *out) {
  int64_t row = row_of(r, type, s->objid);
  *out = row < 0 ? 0 : REALS(r, efc_vel)[row];
}

static void read_frc(const reader *r, const sensor *s, int32_t type, double *out) {
  int64_t row = row_of(r, type, s->objid);
  *out = row < 0 ? 0 : REALS(r, efc_force)[row];
}

static void jointlimitpos_read(const reader *r, const sensor *s, double *out) {
  read_pos(r, s, SN_ROW_LIMIT_JOINT, out);
}

static void jointlimitvel_read(const reader *r, const sensor *s, double *out) {
  read_vel(r, s, SN_ROW_LIMIT_JOINT, out);
}

static void jointlimitfrc_read(const reader *r, const sensor *s, double *out) {
  read_frc(r, s, SN_ROW_LIMIT_JOINT, out);
}

static void tendonlimitpos_read(const reader *r, const sensor *s, double *out) {
  read_pos(r, s, SN_ROW_LIMIT_TENDON, out);
}

static void tendonlimitvel_read(const reader *r, const sensor *s, double *out) {
  read_vel(r, s, SN_ROW_LIMIT_TENDON, out);
}

static void tendonlimitfrc_read(const reader *r, const sensor *s, double *out) {
  read_frc(r, s, SN_ROW_LIMIT_TENDON, out);
}

SENSOR_OF(jointlimitpos, POSITION, REAL, 1, "joint", "", "", joint_check,
          "distance to a joint's limit less its margin while it is active, else 0")
SENSOR_OF(jointlimitvel, VELOCITY, REAL, 1, "joint", "", "", joint_check,
          "rate of that distance while a joint's limit is active, else 0")
SENSOR_OF(jointlimitfrc, ACCELERATION, REAL, 1, "joint", "", "", joint_check,
          "force of a joint's limit while it is active, else 0")
SENSOR_OF(tendonlimitpos, POSITION, REAL, 1, "tendon", "", "", tendon_check,
          "distance to a tendon's limit less its margin while it is active, else 0")
SENSOR_OF(tendonlimitvel, VELOCITY, REAL, 1, "tendon", "", "", tendon_check,
          "rate of that distance while a tendon's limit is active, else 0")
SENSOR_OF(tendonlimitfrc, ACCELERATION, REAL, 1, "tendon", "", "", tendon_check,
          "force of a tendon's limit while it is active, else 0")
