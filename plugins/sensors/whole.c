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

// A place in sensordata that only the application writes. The model says how many values.
static void user_read(const reader *r, const sensor *s, double *out) {
  (void)r;
  (void)s;
  (void)out;
}

#define ANYTHING                                                                    \
  "body|xbody|joint|geom|site|camera|light|mesh|skin|hfield|texture|material|pair|" \
  "exclude|equality|tendon|actuator|sensor|numeric|text|tuple|key"

SENSOR(subtreecom, POSITION, REAL, 3, "body", "", "", "centre of mass of a subtree")
SENSOR(subtreelinvel, VELOCITY, REAL, 3, "body", "", "subtree_vel",
       "velocity of the centre of mass of a subtree")
SENSOR(subtreeangmom, VELOCITY, REAL, 3, "body", "", "subtree_vel",
       "angular momentum of a subtree about its centre of mass")
SENSOR(clock, POSITION, REAL, 1, "", "", "", "time of the simulation")
SENSOR(user, ACCELERATION, REAL, 0, ANYTHING, "", "", "values that the application writes")
