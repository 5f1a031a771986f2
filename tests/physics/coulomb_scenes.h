// SPDX-License-Identifier: Apache-2.0
//
// Scenes of rigid bodies with Coulomb friction whose motion is known in closed form, for tests of
// the solver `coulomb` and of the profile `robust`, which has it with settings of its own.
// Models: models/physics.

#ifndef SINEW_COULOMB_SCENES_H
#define SINEW_COULOMB_SCENES_H

#include <math.h>
#include <stdio.h>

#include "default_engine.h"
#include "model_file.h"
#include "suite.h"

static const double gravity = 9.81;

static inline void simulate(const sn_model *m, sn_data *d, double time) {
  const double end = snd_time(d)[0] + time;
  while (snd_time(d)[0] < end - 1e-9) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

// A plate (body 0) is pushed on 25 balls; its acceleration, and that of a ball as a part of it, are
// given. Contacts carry the weight after `settle` seconds.
static inline void check_plate_on_balls(const char *model, double settle, double push,
                                        double acceleration, double ball) {
  enum { BALLS = 25 };
  sn_model *m = model_of(model_file(model));
  sn_data *d = data_of(m);
  simulate(m, d, settle);
  const double begin = snd_time(d)[0];
  double sum = 0;
  int64_t n = 0;
  snd_qfrc_applied(d)[0] = push;
  while (snd_time(d)[0] < begin + 1) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    const double speed = acceleration * (snd_time(d)[0] - begin);
    for (int i = 0; i <= BALLS; i++, n++) {
      const double off = snd_qvel(d)[6 * i] - (i ? speed * ball : speed);
      sum += off * off;
    }
  }
  ck_assert_msg(sum / (double)n < 1e-7, "mean squared error of velocity: %g m2/s2",
                sum / (double)n);
  done_with(m, d);
}

// A box that slides on a floor stays on it, within `hop` meters, and stops after v^2 / (2 mu g),
// with mu = 1.
static inline void check_sliding_box(double speed, double hop) {
  const double way = speed * speed / (2 * gravity);
  sn_model *m = model_of(model_file("physics/sliding_box"));
  sn_data *d = data_of(m);
  simulate(m, d, 1);
  const double height = snd_qpos(d)[2], start = snd_qpos(d)[0];
  double top = height;
  snd_qvel(d)[0] = speed;
  for (int i = 0; i < 2000; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    top = fmax(top, snd_qpos(d)[2]);
  }
  ck_assert_msg(top - height < hop, "it hops %g m at %g m/s", top - height, speed);
  // first order in the time step
  ck_assert_double_eq_tol(snd_qpos(d)[0] - start, way, 2 * speed * 0.002);
  ck_assert_double_le(fabs(snd_qvel(d)[0]), 1e-6);
  done_with(m, d);
}

static inline sn_model *slope(double tangent) {
  sn_model *m = model_of(model_file("physics/box_on_slope"));
  const double c = 1 / sqrt(1 + tangent * tangent);
  char text[96];
  snprintf(text, sizeof text, "%.17g 0 %.17g", gravity * tangent * c, -gravity * c);
  OK(sn_model_parse_option(m, "gravity", text, error));
  return m;
}

// Above the angle of friction, whose tangent is 0.5: g (sin - mu cos).
static inline void check_steep_slope(double tangent) {
  const double want = gravity * (tangent - 0.5) / sqrt(1 + tangent * tangent);
  sn_model *m = slope(tangent);
  sn_data *d = data_of(m);
  simulate(m, d, 1);
  const double before = snd_qvel(d)[0], begin = snd_time(d)[0];
  simulate(m, d, 1);
  const double got = (snd_qvel(d)[0] - before) / (snd_time(d)[0] - begin);
  ck_assert_msg(fabs(got / want - 1) < 5e-5, "acceleration / truth is %.6f", got / want);
  done_with(m, d);
}

// Below it: rest.
static inline void check_flat_slope(void) {
  sn_model *m = slope(0.25);
  sn_data *d = data_of(m);
  simulate(m, d, 3);
  ck_assert_msg(fabs(snd_qvel(d)[0]) < 1e-7, "it creeps at %g m/s", snd_qvel(d)[0]);
  done_with(m, d);
}

// Two fingers hold a box against its weight.
static inline void check_grip(void) {
  sn_model *m = model_of(model_file("physics/grip"));
  sn_data *d = data_of(m);
  snd_ctrl(d)[0] = snd_ctrl(d)[1] = 1;
  simulate(m, d, 3);
  ck_assert_msg(fabs(snd_qvel(d)[4]) < 1e-7, "it slips at %g m/s", snd_qvel(d)[4]);
  ck_assert_double_gt(snd_qpos(d)[4], -0.01);
  done_with(m, d);
}

// A heavy box does not sink into the light one, of the same size, that it stands on.
static inline void check_heavy_box(const char *text) {
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  simulate(m, d, 3);
  const double lower = snd_qpos(d)[2], upper = snd_qpos(d)[9];
  ck_assert_double_lt(0.1 - lower, 1e-5);
  ck_assert_double_lt(0.2 - (upper - lower), 1e-5);
  done_with(m, d);
}

#endif
