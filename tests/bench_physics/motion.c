// SPDX-License-Identifier: Apache-2.0
//
// Smooth motion: rotations about changing axes, energy and momentum over long times, springs that
// are faster than the time step. The heavy top is after O. Bruels and A. Cardona, 2010, and M.
// Arnold, with a closed form of its own.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_physics.h"
#include "sinew/math.h"
#include "truth.h"

// ------------------------------------------------------------------ rotations

static double angle_between(const double *have, const double *want) {
  double off[4], angle[3];
  sn_conj_quat(off, want);
  sn_mul_quat(off, off, have);
  sn_quat_vec(angle, off);
  return sn_norm3(angle);
}

static const double inertia[3] = { 0.02, 0.03, 0.045 };   // of free_body.xml

static double free_body(trial *t) {
  static const double w[3] = { 4, 6, -3 };
  double truth[4];
  memcpy(snd_qvel(t->d) + 3, w, sizeof w);
  simulate(t, 1);
  free_rotation(inertia, w, 1, truth);
  return angle_between(snd_qpos(t->d) + 3, truth);
}

// With moments of inertia A, A, C at the tip, tilt t and precession P, the spin r about the axis of
// the top is steady if m g l = P (C r - A P cos t). The body turns by P about the vertical and by
// r - P cos t about its axis.
static double heavy_top(trial *t) {
  static const double A = 0.26, C = 0.02, weight = 9.81 * 0.5, tilt = 0.5, precession = 2;
  static const double x[3] = { 1, 0, 0 }, z[3] = { 0, 0, 1 };
  const double r = (weight / precession + A * precession * cos(tilt)) / C;
  double around[4], lean[4], spin[4], want[4];
  sn_axisangle_quat(lean, x, tilt);
  sn_copy4(snd_qpos(t->d), lean);
  snd_qvel(t->d)[0] = 0;
  snd_qvel(t->d)[1] = precession * sin(tilt);
  snd_qvel(t->d)[2] = r;
  simulate(t, 1);
  sn_axisangle_quat(around, z, precession);
  sn_axisangle_quat(spin, z, r - precession * cos(tilt));
  sn_mul_quat(want, around, lean);
  sn_mul_quat(want, want, spin);
  return angle_between(snd_qpos(t->d), want);
}

// The change of the energy of a fast top (150 rad/s) in a second, relative to what it has.
static double fast_top(trial *t) {
  snd_qvel(t->d)[1] = 1;
  snd_qvel(t->d)[2] = 150;
  const double before = energy(t);
  simulate(t, 1);
  return fabs(energy(t) / before - 1);
}

static void angular_momentum(trial *t, double *L) {
  const double *v = snd_qvel(t->d) + 3;
  const double own[3] = { inertia[0] * v[0], inertia[1] * v[1], inertia[2] * v[2] };
  sn_rotate(L, own, snd_qpos(t->d) + 3);
}

// A body that turns over for 1000 s, as V. Dzhanibekov saw it: the change of its angular momentum,
// or of its energy, relative.
static double turn_over(trial *t, double *kinetic) {
  static const double w[3] = { 0.01, 5, 0.01 };
  double L[2][3], off[3];
  memcpy(snd_qvel(t->d) + 3, w, sizeof w);
  angular_momentum(t, L[0]);
  const double before = energy(t);
  simulate(t, 1000);
  angular_momentum(t, L[1]);
  *kinetic = fabs(energy(t) / before - 1);
  sn_sub3(off, L[1], L[0]);
  return sn_norm3(off) / sn_norm3(L[0]);
}

static double turning_momentum(trial *t) {
  double kinetic;
  return turn_over(t, &kinetic);
}

static double turning_energy(trial *t) {
  double kinetic;
  turn_over(t, &kinetic);
  return kinetic;
}

// The largest error of the norm of a quaternion in 1e5 steps.
static double quaternion_norm(trial *t) {
  static const double w[3] = { 4, 6, -3 };
  double most = 0;
  memcpy(snd_qvel(t->d) + 3, w, sizeof w);
  for (int i = 0; i < 100000 && !t->diverged; i++) {
    step(t);
    const double *q = snd_qpos(t->d) + 3;
    most = fmax(most, fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1));
  }
  return most;
}

// ------------------------------------------------------------------ momentum

// The largest change in 10 s: of the angular momentum, or of the velocity of the center of mass.
static double floating(trial *t, int linear) {
  double first[3], most = 0;
  for (int64_t i = 0; i < snm_nv(t->m); i++) {
    snd_qvel(t->d)[i] = i < 3 ? 0.1 * (double)(i + 1) : sin((double)i);
  }
  for (int k = 0; k < 100 && !t->diverged; k++) {
    sn_forward(t->m, t->d);
    sn_subtree_velocities(t->m, t->d);
    const double *now = (linear ? snd_subtree_linvel(t->d) : snd_subtree_angmom(t->d)) + 3;
    for (int i = 0; i < 3; i++) {
      first[i] = k ? first[i] : now[i];
      most = fmax(most, fabs(now[i] - first[i]));
    }
    for (int64_t u = 0; u < snm_nu(t->m); u++) {
      snd_ctrl(t->d)[u] = sin((1.3 + 0.7 * (double)u) * snd_time(t->d)[0] + (double)u);
    }
    simulate(t, 0.1);
  }
  return most;
}

static double floating_angular(trial *t) {
  return floating(t, 0);
}

static double floating_linear(trial *t) {
  return floating(t, 1);
}

// ------------------------------------------------------------------ energy, springs

// The largest change of energy in this time, in units of m g l.
static double pendulum_energy(trial *t) {
  const double first = energy(t);
  double most = 0;
  for (int i = 0; i < t->parameter && !t->diverged; i++) {
    simulate(t, 1);
    most = fmax(most, fabs(energy(t) - first) / 9.81);
  }
  return most;
}

// x'' + 2 x' + 100 x = 0 from x = 0.1: the error after 1 s.
static double soft_spring(trial *t) {
  const double w = sqrt(99);
  snd_qpos(t->d)[0] = 0.1;
  simulate(t, 1);
  return fabs(snd_qpos(t->d)[0] - 0.1 * exp(-1) * (cos(w) + sin(w) / w));
}

// A spring of 1e6 N/m on 1 kg, critically damped: how far from rest after 0.2 s.
static double stiff_spring(trial *t) {
  snd_qpos(t->d)[0] = 0.1;
  simulate(t, 0.2);
  return fabs(snd_qpos(t->d)[0]);
}

// ------------------------------------------------------------------ tables

static const row motions[] = {
  { .title = "free body, 20 ms, 1 s: angle, rad",
    .model = "free_body",
    .settings = "timestep=.02",
    .measure = free_body },
  { .title = "2.5 ms", .model = "free_body", .settings = "timestep=.0025", .measure = free_body },
  { .title = "heavy top, 1 ms, 1 s: angle, rad",
    .model = "heavy_top",
    .settings = "timestep=.001",
    .measure = heavy_top },
  { .title = "0.1 ms", .model = "heavy_top", .settings = "timestep=.0001", .measure = heavy_top },
  { .title = "top of 150 rad/s, 1 ms, 1 s: energy, relative",
    .model = "heavy_top",
    .settings = "timestep=.001",
    .measure = fast_top },
  { .title = "body that turns over, 10 ms, 1000 s: angular momentum, relative",
    .model = "free_body",
    .settings = "timestep=.01",
    .measure = turning_momentum },
  { .title = "the same: energy, relative",
    .model = "free_body",
    .settings = "timestep=.01",
    .measure = turning_energy },
  { .title = "norm of a quaternion in 1e5 steps of 10 ms",
    .model = "free_body",
    .settings = "timestep=.01",
    .measure = quaternion_norm },
  { .title = "floating body with motors, 5 ms, 10 s: angular momentum, kg m2/s",
    .model = "floating",
    .settings = "timestep=.005",
    .measure = floating_angular },
  { .title = "1 ms",
    .model = "floating",
    .settings = "timestep=.001",
    .measure = floating_angular },
  { .title = "the same, 1 ms: velocity of the center of mass, m/s",
    .model = "floating",
    .settings = "timestep=.001",
    .measure = floating_linear },
  { .title = "double pendulum, 1 ms, 100 s: energy, m g l",
    .model = "double_pendulum",
    .settings = "timestep=.001",
    .measure = pendulum_energy,
    .parameter = 100 },
  { .title = "10 ms, 1000 s",
    .model = "double_pendulum",
    .settings = "timestep=.01",
    .measure = pendulum_energy,
    .parameter = 1000 },
  { .title = "spring of 10 rad/s with damper, 10 ms, 1 s: m",
    .model = "soft_spring",
    .settings = "timestep=.01",
    .measure = soft_spring },
  { .title = "5 ms", .model = "soft_spring", .settings = "timestep=.005", .measure = soft_spring },
  { .title = "spring of 1e6 N/m on 1 kg, 20 ms: m from rest after 0.2 s",
    .model = "stiff",
    .settings = "timestep=.02",
    .measure = stiff_spring },
};

static const column integrators[] = {
  { "`euler`", "integrator=euler" },
  { "`implicit`", "integrator=implicit" },
  { "`implicitfast`", "integrator=implicitfast" },
  { "`backward_euler`", "integrator=backward_euler" },
  { "`momentum`", "integrator=momentum" },
  { "`rk4`", "integrator=rk4" },
};

static const column reference[] = {
  { "`euler`", "profile=mujoco-2.2;integrator=euler" },
  { "`implicit`", "profile=mujoco-2.2;integrator=implicit" },
  { "`rk4`", "profile=mujoco-2.2;integrator=rk4" },
};

static const column rotation_columns[] = {
  { "mujoco-2.2 rk4", "profile=mujoco-2.2;integrator=rk4" },
  { "rk4", "integrator=rk4" },
  { "momentum", "integrator=momentum" },
  { "implicit", "integrator=implicit" },
  { "euler", "integrator=euler" },
};

void motion_section(void) {
  static const double h[] = { 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4 };
  const row top = { .model = "heavy_top", .measure = heavy_top };
  TABLE("motion", motions, integrators);
  TABLE("motion-mujoco", motions, reference);
  write_orders("top", &top, h, sizeof h / sizeof *h, rotation_columns, 5);
}
