// SPDX-License-Identifier: Apache-2.0
//
// The integrator `momentum`: momenta of floating bodies are kept to rounding, energy has no drift,
// and the order is 2. Models: models/physics.

#include <math.h>

#include "default_engine.h"
#include "model_file.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"

static sn_model *model_with(const char *file, const char *integrator, double h) {
  char text[32];
  sn_model *m = model_of(model_file(file));
  snprintf(text, sizeof text, "%.17g", h);
  OK(sn_model_parse_option(m, "timestep", text, error));
  OK(sn_model_parse_option(m, "integrator", integrator, error));
  return m;
}

static void step(const sn_model *m, sn_data *d) {
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}

static double energy_of(const sn_model *m, sn_data *d) {
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  ck_assert_int_eq(sn_compute_energy(m, d), SN_OK);
  return snd_energy(d)[0] + snd_energy(d)[1];
}

// ------------------------------------------------------------------ a floating tree

// Linear momentum, angular momentum about the center of mass, and the latter.
static void momentum_of(const sn_model *m, sn_data *d, double *p) {
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  ck_assert_int_eq(sn_subtree_velocities(m, d), SN_OK);
  sn_scale3(p, snd_subtree_linvel(d) + 3, snm_body_subtreemass(m)[1]);
  sn_copy3(p + 3, snd_subtree_angmom(d) + 3);
  sn_copy3(p + 6, snd_subtree_com(d) + 3);
}

static void drive(const sn_model *m, sn_data *d) {
  for (int64_t u = 0; u < snm_nu(m); u++) {
    snd_ctrl(d)[u] = sin((1.3 + 0.7 * (double)u) * snd_time(d)[0] + (double)u);
  }
}

static void set_in_motion(const sn_model *m, sn_data *d) {
  for (int64_t i = 0; i < snm_nv(m); i++) {
    snd_qvel(d)[i] = i < 3 ? 0.1 * (double)(i + 1) : sin((double)i);
  }
}

// The largest change of a momentum in 10 s.
static double momentum_change(const char *integrator, double h) {
  sn_model *m = model_with("physics/floating", integrator, h);
  sn_data *d = data_of(m);
  double before[9], now[9], most = 0;
  set_in_motion(m, d);
  momentum_of(m, d, before);
  for (int i = 0; i < 10 / h; i++) {
    drive(m, d);
    step(m, d);
    if (i % 100 == 99) {
      momentum_of(m, d, now);
      for (int k = 0; k < 6; k++) {
        most = fmax(most, fabs(now[k] - before[k]));
      }
    }
  }
  done_with(m, d);
  return most;
}

START_TEST(floating_body_keeps_its_momentum) {
  const double kept = momentum_change("momentum", 5e-3), not_kept = momentum_change("rk4", 2e-3);
  ck_assert_msg(kept < 2e-11, "changes by %g", kept);
  ck_assert_msg(not_kept > 1e-7, "rk4 changes it by %g", not_kept);
}
END_TEST

// qpos after half a second.
static void run(const char *integrator, int n, double *q, int64_t *nq) {
  sn_model *m = model_with("physics/floating", integrator, 0.5 / n);
  sn_data *d = data_of(m);
  set_in_motion(m, d);
  for (int i = 0; i < n; i++) {
    for (int64_t u = 0; u < snm_nu(m); u++) {
      snd_ctrl(d)[u] = 1;
    }
    step(m, d);
  }
  *nq = snm_nq(m);
  memcpy(q, snd_qpos(d), (size_t)*nq * sizeof *q);
  done_with(m, d);
}

START_TEST(floating_body_has_order_2) {
  double truth[64], x[64], off[2] = { 0, 0 };
  int64_t nq;
  run("rk4", 4000, truth, &nq);
  for (int k = 0; k < 2; k++) {
    run("momentum", 200 << k, x, &nq);
    for (int64_t i = 0; i < nq; i++) {
      off[k] = fmax(off[k], fabs(x[i] - truth[i]));
    }
  }
  ck_assert_msg(fabs(log2(off[0] / off[1]) - 2) < 0.1, "errors %g and %g", off[0], off[1]);
}
END_TEST

// ------------------------------------------------------------------ a free body

// Intermediate axis: the body turns over again and again (Dzhanibekov). 1000 s of steps of 10 ms.
START_TEST(turning_over_keeps_momentum_and_energy) {
  sn_model *m = model_with("physics/free_body", "momentum", 0.01);
  sn_data *d = data_of(m);
  double before[9], now[9], first, most = 0, changed = 0;
  int turns = 0;
  static const double w[3] = { 0.01, 5, 0.01 };
  OK(sn_model_parse_option(m, "gravity", "0 0 0", error));
  memcpy(snd_qvel(d) + 3, w, sizeof w);
  momentum_of(m, d, before);
  first = energy_of(m, d);
  for (int i = 0; i < 100000; i++) {
    const double spin = snd_qvel(d)[4];
    step(m, d);
    turns += spin * snd_qvel(d)[4] < 0;
    if (i % 100 == 99) {
      momentum_of(m, d, now);
      for (int k = 3; k < 6; k++) {
        changed = fmax(changed, fabs(now[k] - before[k]) / fabs(before[4]));
      }
      most = fmax(most, fabs(energy_of(m, d) / first - 1));
    }
  }
  ck_assert_int_gt(turns, 100);
  ck_assert_msg(changed < 1e-11, "angular momentum changes by %g", changed);
  ck_assert_msg(most < 1e-4, "energy changes by %g", most);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ energy

// 1000 s of chaotic motion in steps of 10 ms.
START_TEST(energy_of_a_double_pendulum_has_no_drift) {
  sn_model *m = model_with("physics/double_pendulum", "momentum", 0.01);
  sn_data *d = data_of(m);
  const double first = energy_of(m, d);
  double most = 0;
  for (int i = 0; i < 100000; i++) {
    step(m, d);
    if (i % 10 == 9) {
      most = fmax(most, fabs(energy_of(m, d) - first) / 9.81);
    }
  }
  ck_assert_msg(most < 0.1, "energy changes by %g m g l", most);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(floating_body_keeps_its_momentum);
  TEST(floating_body_has_order_2);
  TEST(turning_over_keeps_momentum_and_energy);
  TEST(energy_of_a_double_pendulum_has_no_drift);
}
