// SPDX-License-Identifier: Apache-2.0
//
// Sensors of subtrees and of the simulation as a whole.

#include "common.h"

static void subtreecom_read(const reader *r, const sensor *s, double *out) {
  sn_copy3(out, REALS(r, subtree_com) + 3 * s->objid);
}

static void subtreelinvel_read(const reader *r, const sensor *s, double *out) {
  sn_copy3(out, REALS(r, subtree_linvel) + 3 * s->objid);
}

static void subtreeangmom_read(const reader *r, const sensor *s, double *out) {
  sn_copy3(out, REALS(r, subtree_angmom) + 3 * s->objid);
}

static void clock_read(const reader *r, const sensor *s, double *out) {
  (void)s;
  *out = REALS(r, time)[0];
}

// Values in sensordata that only the application writes; the model specifies how many, their type
// and their stage. An application or a plugin that provides `user` replaces this type.
static sn_status user_evaluate(const void *self, const void *bound, const sn_data_view *data,
                               double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)sensordata, (void)scratch;
  return SN_OK;
}

#define ANYTHING                                                                    \
  "body|xbody|joint|geom|site|camera|light|mesh|skin|hfield|texture|material|pair|" \
  "exclude|equality|tendon|actuator|sensor|numeric|text|tuple|key"

SENSOR(subtreecom, POSITION, REAL, 3, "body", "", "", "center of mass of a subtree, m")
SENSOR(subtreelinvel, VELOCITY, REAL, 3, "body", "", "subtree_vel",
       "velocity of the center of mass of a subtree, m/s")
SENSOR(subtreeangmom, VELOCITY, REAL, 3, "body", "", "subtree_vel",
       "angular momentum of a subtree about its center of mass, N m s")
SENSOR(clock, POSITION, REAL, 1, "", "", "", "time of the simulation, s")

const sn_sensor_ops user_ops = {
  .head = { .size = sizeof(sn_sensor_ops),
            .flags = SN_OPS_WEAK,
            .summary = "values that the application writes, or that a sensor 'user' of the "
                       "application computes",
            .create = sensors_create,
            .destroy = sn_instance_destroy },
  .stage = SN_STAGE_ACCELERATION,
  .datatype = SN_DATA_REAL,
  .objects = ANYTHING,
  .bind = sensors_bind,
  .unbind = sn_instance_unbind,
  .evaluate = user_evaluate,
};
