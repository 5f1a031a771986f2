// SPDX-License-Identifier: Apache-2.0
//
// Solutions that do not depend on the engine; their sources are in the header.

#include "truth.h"

#include <math.h>
#include <string.h>

#include "sinew/math.h"

static const double gravity = 9.81;

// ------------------------------------------------------------------ Runge-Kutta

enum { MOST_STATES = 8 };
typedef void rate_fn(const void *system, const double *x, double *rate);

static void move(int n, double *to, const double *x, double h, const double *rate) {
  for (int i = 0; i < n; i++) {
    to[i] = x[i] + h * rate[i];
  }
}

static void rk4_step(rate_fn *f, const void *system, int n, double h, double *x) {
  double k[4][MOST_STATES], at[MOST_STATES];
  f(system, x, k[0]);
  move(n, at, x, 0.5 * h, k[0]);
  f(system, at, k[1]);
  move(n, at, x, 0.5 * h, k[1]);
  f(system, at, k[2]);
  move(n, at, x, h, k[2]);
  f(system, at, k[3]);
  for (int i = 0; i < n; i++) {
    x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

// ------------------------------------------------------------------ pendulum

void jacobi_elliptic(double u, double k, double *sn, double *cn, double *dn) {
  enum { LEVELS = 16 };
  double a[LEVELS], c[LEVELS], b = sqrt(1 - k * k);
  int n = 0;
  a[0] = 1;
  c[0] = k;
  while (n < LEVELS - 1 && fabs(c[n]) > 1e-17) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = sqrt(a[n] * b);
    n++;
  }
  double phi = ldexp(a[n] * u, n);
  for (; n > 0; n--) {
    phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
  }
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1 - k * k * *sn * *sn);
}

// sin(angle / 2) = k cd(rate t), k = sin(start / 2).
double pendulum_angle(double start, double rate, double time) {
  const double k = sin(0.5 * start);
  double sn, cn, dn;
  jacobi_elliptic(rate * time, k, &sn, &cn, &dn);
  return 2 * asin(k * cn / dn);
}

// ------------------------------------------------------------------ parallelograms

static void parallelogram_rate(const void *system, const double *x, double *rate) {
  rate[0] = x[1];
  rate[1] = *(const double *)system * sin(x[0]);
}

// n + 1 uprights turn and n rods move along: ((n + 1) / 3 + n) a'' = g ((n + 1) / 2 + n) sin(a).
double parallelogram_angle(int n, double time) {
  const double k = gravity * (0.5 * (n + 1) + n) / ((n + 1) / 3.0 + n), h = 1e-4;
  double x[2] = { 0, 1 };
  for (long i = lround(time / h); i > 0; i--) {
    rk4_step(parallelogram_rate, &k, 2, h, x);
  }
  return x[0];
}

// ------------------------------------------------------------------ governor

// By symmetry: the angle b of the rods from the vertical, the distance s of the slider from the
// top, and the angular momentum H about the shaft, which no torque changes. A rod has the mass m at
// the distance l, and at the top the moments of inertia I and, about itself, J. Its middle is at
// distance c from the top.
static const struct {
  double m, l, I, J, c, carriage, around, stiffness, damping, rest;
} rods = { 5.3, 0.971698, 0.0957547 + 5.3 * 0.971698 * 0.971698, 5e-6, 0.5, 3, 5e-6 + 0.005, 8e5,
           4e4, 0.5 };

static void governor_rate(const void *system, const double *x, double *rate) {
  const double H = *(const double *)system, b = x[0], s = x[1], db = x[2], ds = x[3];
  const double sine = sin(b), cosine = cos(b);
  const double about = rods.around + 2 * (rods.I * sine * sine + rods.J * cosine * cosine);
  const double spin = H / about;
  // the strut between the middle of a rod and the slider
  const double d = sqrt(rods.c * rods.c + s * s - 2 * rods.c * s * cosine);
  const double d_s = (s - rods.c * cosine) / d, d_b = rods.c * s * sine / d;
  const double push = rods.stiffness * (rods.rest - d) - rods.damping * (d_s * ds + d_b * db);
  rate[0] = db;
  rate[1] = ds;
  rate[2] = ((rods.I - rods.J) * sine * cosine * spin * spin - rods.m * gravity * rods.l * sine +
             push * d_b) /
            rods.I;
  rate[3] = gravity + 2 * push * d_s / rods.carriage;
}

void governor_slider(double interval, int n, double *slider) {
  const double start = SN_PI / 3, h = 1e-5, spin = 6.283185307179586;
  const double sine = sin(start), cosine = cos(start);
  const double H = spin * (rods.around + 2 * (rods.I * sine * sine + rods.J * cosine * cosine));
  double x[4] = { start, 0.5, 0, 0 };
  for (int i = 0; i < n; i++) {
    for (long k = lround(interval / h); k > 0; k--) {
      rk4_step(governor_rate, &H, 4, h, x);
    }
    slider[i] = x[1] - 0.5;
  }
}

// ------------------------------------------------------------------ free rotation

// q' = q (0, w) / 2, and Euler's equations.
static void rotation_rate(const void *system, const double *x, double *rate) {
  const double *I = system, *q = x, *w = x + 4, spin[4] = { 0, w[0], w[1], w[2] };
  sn_mul_quat(rate, q, spin);
  for (int i = 0; i < 4; i++) {
    rate[i] *= 0.5;
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    rate[4 + i] = (I[j] - I[k]) / I[i] * w[j] * w[k];
  }
}

void free_rotation(const double inertia[3], const double w[3], double time, double quat[4]) {
  const double h = 1e-5;
  double x[7] = { 1, 0, 0, 0, w[0], w[1], w[2] };
  for (long i = lround(time / h); i > 0; i--) {
    rk4_step(rotation_rate, inertia, 7, h, x);
  }
  memcpy(quat, x, 4 * sizeof *quat);
}

// ------------------------------------------------------------------ impact, path

// x'' + 2 z x' + x = 0 from x = 0, x' = 1, until x'' = 0.
double dashpot_restitution(double z) {
  const double w = sqrt(1 - z * z);
  if (w < 1e-6) {
    return exp(-2);
  }
  return exp(-z / w * (SN_PI - atan2(2 * z * w, 1 - 2 * z * z)));
}

double path_around_circle(double r, const double a[2], const double b[2]) {
  const double la = hypot(a[0], a[1]), lb = hypot(b[0], b[1]);
  const double angle = acos((a[0] * b[0] + a[1] * b[1]) / (la * lb));
  const double around = angle - acos(r / la) - acos(r / lb);
  return around <= 0 ? -1 : sqrt(la * la - r * r) + sqrt(lb * lb - r * r) + r * around;
}
