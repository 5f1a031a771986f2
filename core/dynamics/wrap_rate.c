// SPDX-License-Identifier: Apache-2.0
//
// The second derivative in time of the length of a path around a sphere or a cylinder, or
// reflected inside of it, while its ends move. In the plane of the path (wrap.c), with d the
// distance of an end from the center, s = sqrt(d^2 - r^2) and psi its direction,
//
//   around      L = s0 + s1 + r (phi - acos(r / d0) - acos(r / d1)),   phi = +-(psi1 - psi0)
//               dL/dd = s / d,   d2L/dd2 = r^2 / (d^2 s),   dL/dphi = r
//   reflected   L = |q0 P| + |q1 P|, stationary in P: with e the place of P on the surface,
//               d2L/dt2 = L_qq + L_q q'' - (L_eq q')^2 / L_ee
//
// Ends of a path around a sphere also leave the plane, at rates n0, n1 of their directions. The
// angle between two directions is a distance on the unit sphere, so this adds to phi''
//
//   (n0^2 + n1^2) cot phi - 2 n0 n1 / sin phi
//
// Around a cylinder the path is unrolled: L^2 = (length in the plane)^2 + (z1 - z0)^2.

#include <math.h>

#include "dynamics/wrap.h"
#include "sinew/math.h"
#include "sinew/spec.h"

// A length with its first and second derivative.
typedef struct moving_length {
  double value, rate, acceleration;
} moving_length;

// One end: place, velocity and acceleration; the first two or three numbers count.
typedef struct end {
  const double *q, *v, *a;
} end;

static double dot(const double *a, const double *b, int n) {
  return a[0] * b[0] + a[1] * b[1] + (n == 3 ? a[2] * b[2] : 0);
}

// The straight part from an end to where it touches; the rates of its angles are added to those of
// phi, with this sign.
static void add_tangent(moving_length *L, double *phi, double *phi_acceleration, const end *e,
                        double r, double sign, int n) {
  const double d = sqrt(dot(e->q, e->q, n)), s = sqrt(fmax(d * d - r * r, 0));
  const double rate = dot(e->q, e->v, n) / d;
  const double acceleration = (dot(e->v, e->v, n) + dot(e->q, e->a, n) - rate * rate) / d;
  L->value += s;
  L->rate += s / d * rate;
  L->acceleration += s / d * acceleration;
  L->acceleration += s > SN_TINY ? r * r / (d * d * s) * rate * rate : 0;

  const double square = dot(e->q, e->q, 2);
  const double turn = (e->q[0] * e->v[1] - e->q[1] * e->v[0]) / square;
  L->rate += r * sign * turn;
  *phi += acos(fmin(r / d, 1));
  *phi_acceleration += sign * ((e->q[0] * e->a[1] - e->q[1] * e->a[0]) / square -
                               2 * turn * dot(e->q, e->v, 2) / square);
}

static moving_length around(const si_plane_path *p, double r, const end *e, int n) {
  moving_length L = { p->arc.length, 0, 0 };
  double phi = p->arc.length / r, bend = 0;
  add_tangent(&L, &phi, &bend, &e[0], r, -p->arc.turn, n);
  add_tangent(&L, &phi, &bend, &e[1], r, p->arc.turn, n);
  if (n == 3 && fabs(sin(phi)) > SN_TINY) {
    const double n0 = e[0].v[2] / sqrt(dot(e[0].q, e[0].q, 3));
    const double n1 = e[1].v[2] / sqrt(dot(e[1].q, e[1].q, 3));
    bend += ((n0 * n0 + n1 * n1) * cos(phi) - 2 * n0 * n1) / sin(phi);
  }
  L.acceleration += r * bend;
  return L;
}

static moving_length reflected(const si_plane_path *p, double r, const end *e, int n) {
  moving_length L = { 0, 0, 0 };
  const double P[3] = { p->arc.first[0], p->arc.first[1], 0 }, along[3] = { -P[1], P[0], 0 };
  double pull = 0, stiff = 0, pull_out = 0, stiff_out = 0;   // along the circle; out of the plane
  for (int i = 0; i < 2; i++) {
    double u[3];
    sn_sub3(u, e[i].q, P);
    u[2] = 0;
    const double length = sn_normalize3(u), rate = dot(u, e[i].v, n);
    const double slope = dot(u, along, 2), height = dot(u, P, 2);
    L.value += length;
    L.rate += rate;
    L.acceleration += dot(u, e[i].a, n) + (dot(e[i].v, e[i].v, n) - rate * rate) / length;
    pull += (rate * slope - dot(e[i].v, along, 2)) / length;
    stiff += (r * r - slope * slope) / length + height;
    pull_out -= r * e[i].v[2] / length;
    stiff_out += r * r / length + height;
  }
  L.acceleration -= stiff > SN_TINY ? pull * pull / stiff : 0;
  L.acceleration -= n == 3 && stiff_out > SN_TINY ? pull_out * pull_out / stiff_out : 0;
  return L;
}

double si_wrap_acceleration(int32_t type, const si_plane_path *path, double r, const double *v0,
                            const double *a0, const double *v1, const double *a1) {
  const int n = type == SN_WRAP_CYLINDER ? 2 : 3;
  const end ends[2] = { { path->q0, v0, a0 }, { path->q1, v1, a1 } };
  const moving_length L = path->arc.turn != 0 ? around(path, r, ends, n)
                                              : reflected(path, r, ends, n);
  if (n == 3) {
    return L.acceleration;
  }
  const double z = path->q1[2] - path->q0[2], z_rate = v1[2] - v0[2];
  const double length = sqrt(L.value * L.value + z * z);
  const double rate = (L.value * L.rate + z * z_rate) / length;
  return (L.rate * L.rate + L.value * L.acceleration + z_rate * z_rate + z * (a1[2] - a0[2]) -
          rate * rate) /
         length;
}
