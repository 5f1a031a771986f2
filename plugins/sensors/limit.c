// SPDX-License-Identifier: Apache-2.0
//
// Limits of joints and tendons: the distance to the limit minus its margin, the rate of that
// distance, and the force of the limit. All are zero while the limit is not active.

#include "common.h"
#include "sinew/solver.h"

static sn_status joint_check(const void *self, const sn_model_view *model, const sn_sensor *at,
                             sn_error *error) {
  return sensors_require(self, model, at, "jnt_limited", 1, 1,
                         "its joint has no limit; set its range and limited", error);
}

static sn_status tendon_check(const void *self, const sn_model_view *model, const sn_sensor *at,
                              sn_error *error) {
  return sensors_require(self, model, at, "tendon_limited", 1, 1,
                         "its tendon has no limit; set its range and limited", error);
}

// The first constraint row of a limit; -1: it is not active.
static int64_t row_of(const reader *r, int32_t type, int32_t id) {
  int64_t begin = sensors_count(r, "ne") + sensors_count(r, "nf");
  int64_t end = begin + sensors_count(r, "nl");
  for (int64_t i = begin; i < end; i++) {
    if (INTS(r, efc_type)[i] == type && INTS(r, efc_id)[i] == id) {
      return i;
    }
  }
  return -1;
}

// Defines the functions that read the sensors KINDlimitpos, KINDlimitvel and KINDlimitfrc.
#define LIMIT(kind, type)                                                          \
  static void kind##limitpos_read(const reader *r, const sensor *s, double *out) { \
    int64_t row = row_of(r, type, s->objid);                                       \
    *out = row < 0 ? 0 : REALS(r, efc_pos)[row] - REALS(r, efc_margin)[row];       \
  }                                                                                \
  static void kind##limitvel_read(const reader *r, const sensor *s, double *out) { \
    int64_t row = row_of(r, type, s->objid);                                       \
    *out = row < 0 ? 0 : REALS(r, efc_vel)[row];                                   \
  }                                                                                \
  static void kind##limitfrc_read(const reader *r, const sensor *s, double *out) { \
    int64_t row = row_of(r, type, s->objid);                                       \
    *out = row < 0 ? 0 : REALS(r, efc_force)[row];                                 \
  }

LIMIT(joint, SN_ROW_LIMIT_JOINT)
LIMIT(tendon, SN_ROW_LIMIT_TENDON)

SENSOR_OF(jointlimitpos, POSITION, REAL, 1, "joint", "", "", joint_check,
          "distance to the limit of a joint minus its margin while the limit is active, else 0")
SENSOR_OF(jointlimitvel, VELOCITY, REAL, 1, "joint", "", "", joint_check,
          "rate of the distance to the limit of a joint while the limit is active, else 0")
SENSOR_OF(jointlimitfrc, ACCELERATION, REAL, 1, "joint", "", "", joint_check,
          "force of the limit of a joint while the limit is active, else 0")
SENSOR_OF(tendonlimitpos, POSITION, REAL, 1, "tendon", "", "", tendon_check,
          "distance to the limit of a tendon minus its margin while the limit is active, else 0")
SENSOR_OF(tendonlimitvel, VELOCITY, REAL, 1, "tendon", "", "", tendon_check,
          "rate of the distance to the limit of a tendon while the limit is active, else 0")
SENSOR_OF(tendonlimitfrc, ACCELERATION, REAL, 1, "tendon", "", "", tendon_check,
          "force of the limit of a tendon while the limit is active, else 0")
