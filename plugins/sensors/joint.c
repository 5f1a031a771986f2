// SPDX-License-Identifier: Apache-2.0
//
// Positions, velocities and forces of joints, tendons and actuators, as they are in the data.

#include "common.h"

static sn_status scalar_check(const void *self, const sn_model_view *model, const sn_sensor *at,
                              sn_error *error) {
  return sensors_require(self, model, at, "jnt_type", SN_JOINT_SLIDE, SN_JOINT_HINGE,
                         "its joint must be a slide or a hinge; for a ball use ballquat or "
                         "ballangvel",
                         error);
}

static sn_status ball_check(const void *self, const sn_model_view *model, const sn_sensor *at,
                            sn_error *error) {
  return sensors_require(self, model, at, "jnt_type", SN_JOINT_BALL, SN_JOINT_BALL,
                         "its joint must be a ball; for a slide or a hinge use jointpos or "
                         "jointvel",
                         error);
}

static void jointpos_read(const reader *r, const sensor *s, double *out) {
  *out = REALS(r, qpos)[r->model->jnt_qposadr[s->objid]];
}

static void jointvel_read(const reader *r, const sensor *s, double *out) {
  *out = REALS(r, qvel)[r->model->jnt_dofadr[s->objid]];
}

static void ballquat_read(const reader *r, const sensor *s, double *out) {
  sn_copy4(out, REALS(r, qpos) + r->model->jnt_qposadr[s->objid]);
  sn_normalize4(out);
}

static void ballangvel_read(const reader *r, const sensor *s, double *out) {
  sn_copy3(out, REALS(r, qvel) + r->model->jnt_dofadr[s->objid]);
}

static void tendonpos_read(const reader *r, const sensor *s, double *out) {
  *out = REALS(r, ten_length)[s->objid];
}

static void tendonvel_read(const reader *r, const sensor *s, double *out) {
  *out = REALS(r, ten_velocity)[s->objid];
}

static void actuatorpos_read(const reader *r, const sensor *s, double *out) {
  *out = REALS(r, actuator_length)[s->objid];
}

static void actuatorvel_read(const reader *r, const sensor *s, double *out) {
  *out = REALS(r, actuator_velocity)[s->objid];
}

static void actuatorfrc_read(const reader *r, const sensor *s, double *out) {
  *out = REALS(r, actuator_force)[s->objid];
}

static void jointactuatorfrc_read(const reader *r, const sensor *s, double *out) {
  *out = REALS(r, qfrc_actuator)[r->model->jnt_dofadr[s->objid]];
}

static void tendonactuatorfrc_read(const reader *r, const sensor *s, double *out) {
  const bound_sensors *m = r->model;
  *out = 0;
  for (int32_t i = 0; i < m->actuator_force.rows; i++) {
    if (m->actuator_trntype[i] == SN_TRN_TENDON && m->actuator_trnid[2 * i] == s->objid) {
      *out += REALS(r, actuator_force)[i];
    }
  }
}

SENSOR_OF(jointpos, POSITION, REAL, 1, "joint", "", "", scalar_check,
          "position of a slide, m, or hinge, rad")
SENSOR_OF(jointvel, VELOCITY, REAL, 1, "joint", "", "", scalar_check,
          "velocity of a slide, m/s, or hinge, rad/s")
SENSOR_OF(ballquat, POSITION, QUATERNION, 4, "joint", "", "", ball_check,
          "orientation of a ball joint, a unit quaternion")
SENSOR_OF(ballangvel, VELOCITY, REAL, 3, "joint", "", "", ball_check,
          "angular velocity of a ball joint in the frame of the child, rad/s")
SENSOR(tendonpos, POSITION, REAL, 1, "tendon", "", "", "length of a tendon, m")
SENSOR(tendonvel, VELOCITY, REAL, 1, "tendon", "", "", "rate of the length of a tendon, m/s")
SENSOR(actuatorpos, POSITION, REAL, 1, "actuator", "", "",
       "length of the transmission of an actuator")
SENSOR(actuatorvel, VELOCITY, REAL, 1, "actuator", "", "", "rate of the length of an actuator")
SENSOR(actuatorfrc, ACCELERATION, REAL, 1, "actuator", "", "", "scalar force of an actuator")
SENSOR_OF(jointactuatorfrc, ACCELERATION, REAL, 1, "joint", "", "", scalar_check,
          "force of all actuators at a slide, N, or hinge, N m")
SENSOR(tendonactuatorfrc, ACCELERATION, REAL, 1, "tendon", "", "",
       "force of all actuators that act on a tendon, N")
