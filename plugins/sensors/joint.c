// SPDX-License-Identifier: Apache-2.0
//
// Positions, velocities and forces of joints, tendons and actuators, as they are in the data.

#include "common.h"

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

SENSOR(jointpos, POSITION, REAL, 1, "joint", "", "", "position of a slide or hinge joint")
SENSOR(jointvel, VELOCITY, REAL, 1, "joint", "", "", "velocity of a slide or hinge joint")
SENSOR(ballquat, POSITION, QUATERNION, 4, "joint", "", "", "orientation of a ball joint")
SENSOR(ballangvel, VELOCITY, REAL, 3, "joint", "", "", "angular velocity of a ball joint")
SENSOR(tendonpos, POSITION, REAL, 1, "tendon", "", "", "length of a tendon")
SENSOR(tendonvel, VELOCITY, REAL, 1, "tendon", "", "", "velocity of a tendon")
SENSOR(actuatorpos, POSITION, REAL, 1, "actuator", "", "", "length of an actuator")
SENSOR(actuatorvel, VELOCITY, REAL, 1, "actuator", "", "", "velocity of an actuator")
SENSOR(actuatorfrc, ACCELERATION, REAL, 1, "actuator", "", "", "force of an actuator")
