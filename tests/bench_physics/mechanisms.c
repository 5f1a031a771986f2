// SPDX-License-Identifier: Apache-2.0
//
// Problems A01 to A05 of the IFToMM library of computational benchmark problems of multibody
// dynamics (https://www.iftomm-multibody.org/benchmark; M. Gonzalez, D. Dopico, U. Lugris, J.
// Cuadrado, Multibody System Dynamics 16, 2006), written anew. The published solution of A03 is
// that of the Test Set for Initial Value Problem Solvers (F. Mazzia, C. Magherini, 2008, part
// II-4).

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_physics.h"
#include "scenes.h"
#include "sinew/math.h"
#include "truth.h"

// ------------------------------------------------------------------ A01: pendulum

// The largest error of the position in 10 s, m.
static double pendulum(trial *t) {
  const double inertia = 1 + 1e-6, rate = sqrt(9.81 / inertia);
  double most = 0;
  while (snd_time(t->d)[0] < 10 - 1e-9 && !t->diverged) {
    step(t);
    const double truth = 0.5 * SN_PI - pendulum_angle(0.5 * SN_PI, rate, snd_time(t->d)[0]);
    most = fmax(most, 2 * fabs(sin(0.5 * (snd_qpos(t->d)[0] - truth))));
  }
  return most;
}

static const row pendulums[] = {
  { .title = "A01, 10 ms", .model = "pendulum", .settings = "timestep=.01", .measure = pendulum },
  { .title = "A01, 1 ms", .model = "pendulum", .settings = "timestep=.001", .measure = pendulum },
};

static const column explicit_integrators[] = {
  { "`euler`", "integrator=euler" },
  { "`implicit`", "integrator=implicit" },
  { "`momentum`", "integrator=momentum" },
  { "`rk4`", "integrator=rk4" },
};

// ------------------------------------------------------------------ A02 to A04: loops

// The error of the position of the first joint after 10 s, m.
static double parallelograms(trial *t) {
  const int n = (int)t->parameter;
  for (int64_t i = 0; i < snm_nv(t->m); i++) {
    snd_qvel(t->d)[i] = i % 2 ? -1 : 1;
  }
  simulate(t, 10);
  return 2 * fabs(sin(0.5 * (snd_qpos(t->d)[0] - parallelogram_angle(n, 10))));
}

// The largest error of an angle after 30 ms.
static double andrews(trial *t) {
  static const double published[7] = { 15.81077119629904,  -15.75637105984298,  0.04082224013073101,
                                       0.5244099658805304, -0.5347301163226948, 1.048080741042263,
                                       0.5347301163226948 };
  double most = 0;
  sn_reset_key(t->m, t->d, 0);
  simulate(t, 0.03);
  for (int i = 0; i < 7; i++) {
    most = fmax(most, fabs(snd_qpos(t->d)[i] - published[i]));
  }
  return most;
}

// The angle of the first rod, every 0.1 s of 10 s: that of bricard.xml, another model of the
// mechanism, whose loop is cut at another hinge, with small steps.
enum { SWINGS = 100 };
static double swing[SWINGS];

static double record_swing(trial *t) {
  for (int i = 0; i < SWINGS; i++) {
    simulate(t, 0.1);
    swing[i] = snd_qpos(t->d)[0];
  }
  return 0;
}

static double bricard(trial *t) {
  double most = 0;
  for (int i = 0; i < SWINGS && !t->diverged; i++) {
    simulate(t, 0.1);
    most = fmax(most, fabs(snd_qpos(t->d)[0] - swing[i]));
  }
  return most;
}

static const row bricard_truth = { .model = "bricard", .measure = record_swing };

static const row loops[] = {
  { .title = "A02, 2 parallelograms, 10 s, 10 ms: m",
    .scene = parallelograms_scene,
    .settings = "timestep=.01",
    .measure = parallelograms,
    .parameter = 2 },
  { .title = "1 ms",
    .scene = parallelograms_scene,
    .settings = "timestep=.001",
    .measure = parallelograms,
    .parameter = 2 },
  { .title = "0.1 ms",
    .scene = parallelograms_scene,
    .settings = "timestep=.0001",
    .measure = parallelograms,
    .parameter = 2 },
  { .title = "A02, 40 parallelograms, 10 s, 1 ms: m",
    .scene = parallelograms_scene,
    .settings = "timestep=.001",
    .measure = parallelograms,
    .parameter = 40 },
  { .title = "A03, Andrews' mechanism, 30 ms, 0.1 ms: rad",
    .model = "andrews",
    .settings = "timestep=1e-4",
    .measure = andrews },
  { .title = "0.01 ms", .model = "andrews", .settings = "timestep=1e-5", .measure = andrews },
  { .title = "0.001 ms", .model = "andrews", .settings = "timestep=1e-6", .measure = andrews },
  { .title = "A04, Bricard's mechanism, 10 s, 10 ms: rad",
    .model = "bricard_cut",
    .settings = "timestep=.01",
    .measure = bricard },
  { .title = "1 ms", .model = "bricard_cut", .settings = "timestep=.001", .measure = bricard },
  { .title = "0.1 ms", .model = "bricard_cut", .settings = "timestep=.0001", .measure = bricard },
};

static const column closings[] = {
  { "soft, `euler`", "integrator=euler" },
  { "soft, `rk4`", "integrator=rk4" },
  { "stiff, `euler`", "integrator=euler;equality=stiff" },
  { "stiff, `rk4`", "integrator=rk4;equality=stiff" },
  { "exact, `euler`", "integrator=euler;exactequality=on" },
  { "exact, `momentum`", "integrator=momentum;exactequality=on" },
  { "exact, `rk4`", "integrator=rk4;exactequality=on" },
  { "`robust`", "profile=robust;solver=coulomb;integrator=backward_euler" },
};

// ------------------------------------------------------------------ A05: governor

enum { INSTANTS = 1000 };   // every 10 ms
static double slider[INSTANTS];

static double governor(trial *t) {
  double most = 0;
  snd_qvel(t->d)[0] = 6.283185307179586;
  for (int i = 0; i < INSTANTS && !t->diverged; i++) {
    simulate(t, 0.01);
    most = fmax(most, fabs(snd_qpos(t->d)[3] - slider[i]));
  }
  return most;
}

static const row governors[] = {
  { .title = "A05, 10 ms: m",
    .model = "governor",
    .settings = "timestep=.01",
    .measure = governor },
  { .title = "1 ms", .model = "governor", .settings = "timestep=.001", .measure = governor },
  { .title = "0.1 ms", .model = "governor", .settings = "timestep=.0001", .measure = governor },
};

static const column governor_columns[] = {
  { "`mujoco-2.2`, `implicit`", "profile=mujoco-2.2;integrator=implicit" },
  { "`euler`", "integrator=euler" },
  { "`implicit`", "integrator=implicit" },
  { "`implicitfast`", "integrator=implicitfast" },
  { "`backward_euler`", "integrator=backward_euler" },
  { "`momentum`", "integrator=momentum" },
  { "`rk4`", "integrator=rk4" },
};

// ------------------------------------------------------------------ section

static const double andrews_steps[] = { 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6 };

void mechanisms_section(void) {
  TABLE("pendulum", pendulums, explicit_integrators);
  run_row(&bricard_truth, "integrator=rk4;exactequality=on;timestep=5e-4");
  TABLE("loops", loops, closings);
  governor_slider(0.01, INSTANTS, slider);
  TABLE("governor", governors, governor_columns);
  const row r = { .model = "andrews", .measure = andrews };
  write_orders("loops", &r, andrews_steps, sizeof andrews_steps / sizeof *andrews_steps, closings,
               7);
}
