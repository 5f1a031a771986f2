// SPDX-License-Identifier: Apache-2.0
//
// Transmissions between two sites: moments against finite differences of the length.

#include <math.h>

#include "data/data.h"
#include "default_engine.h"
#include "model/model.h"
#include "sinew/math.h"
#include "suite.h"

// a chain of three joints; both sites of an actuator move with the first two
#define CHAIN(actuator)                                                                            \
  "<mujoco><worldbody><body><joint axis='0 1 0'/><joint type='ball'/><geom size='.1'/>"            \
  "<site name='r' pos='.1 .2 .3' euler='10 20 30'/><body pos='1 0 0'><joint name='own' axis='1 0 " \
  "1'/><geom size='.1'/><site name='s' pos='.2 .1 .5' euler='40 20 30'/></body></body>"            \
  "</worldbody><actuator>" actuator "</actuator></mujoco>"

static const char *const chains[] = {
  CHAIN("<general site='s' refsite='r' gear='1 2 3 0 0 0'/>"),
  CHAIN("<general site='s' refsite='r' gear='1 2 3 4 5 6'/>"),
  CHAIN("<general cranksite='s' slidersite='r' cranklength='2.5'/>"),
};
enum { CHAINS = sizeof chains / sizeof *chains, NV = 5, SHARED = 4 };

static double moved_length(const sn_model *m, sn_data *d, const double *qpos, int i, double step) {
  double along[NV] = { 0 };
  along[i] = step;
  memcpy(d->qpos, qpos, (size_t)m->nq * sizeof *qpos);
  sn_integrate_position(m, d->qpos, along, 1);
  OK(sn_forward(m, d));
  return d->actuator_length[0];
}

// What moves both sites changes no length. What moves the one: a force is the slope, as the length
// is the distance along it; a torque is the slope only where the sites are turned alike.
START_TEST(moments_are_slopes_of_the_length) {
  const double step = 1e-6;
  sn_model *m = model_of(chains[_i]);
  sn_data *d = data_of(m);
  double moment[NV], velocity[NV] = { .3, -.2, .1, .4, 0 };
  double qpos[6];
  sn_integrate_position(m, d->qpos, velocity, 1);
  OK(sn_forward(m, d));
  memcpy(qpos, d->qpos, sizeof qpos);
  sn_full_actuator_moment(m, d, moment);
  for (int i = 0; i < (_i == 1 ? SHARED : NV); i++) {
    double high = moved_length(m, d, qpos, i, step), low = moved_length(m, d, qpos, i, -step);
    double difference = (high - low) / (2 * step);
    ck_assert_msg(fabs(moment[i] - difference) < 1e-8, "dof %d: %.9g instead of %.9g", i, moment[i],
                  difference);
  }
  for (int i = 0; i < SHARED; i++) {
    ck_assert_double_eq_tol(moment[i], 0, 1e-15);
  }
  ck_assert_double_gt(fabs(moment[SHARED]), 1e-4);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(moments_are_slopes_of_the_length, 0, CHAINS);
}
