// SPDX-License-Identifier: Apache-2.0
//
// Solutions that do not depend on the engine: closed forms, and equations of motion in few
// coordinates, integrated by the classical method of Runge and Kutta with steps that are so small
// that their error does not count.

#ifndef SN_BENCH_TRUTH_H
#define SN_BENCH_TRUTH_H

// The Jacobian elliptic functions sn, cn, dn of u with the modulus k, by the arithmetic-geometric
// mean (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964, 16.4).
void jacobi_elliptic(double u, double k, double *sn, double *cn, double *dn);

// The angle from the vertical of a pendulum that is released at rest at `start`, after `time`.
// rate: sqrt(m g l / I).
double pendulum_angle(double start, double rate, double time);

// n parallelograms in a row, of uniform rods of 1 m and 1 kg: the angle of the uprights from the
// vertical after `time`. They start upright, with 1 rad/s.
double parallelogram_angle(int n, double time);

// The governor of tests/models/physics/governor.xml: how far its slider has moved down, `n` times
// every `interval`.
void governor_slider(double interval, int n, double *slider);

// The attitude of a free body after `time`, a quaternion, that starts at the identity with the
// angular velocity w in its axes, which are the principal ones.
void free_rotation(const double inertia[3], const double w[3], double time, double quat[4]);

// Speed after an impact over that before it, of a linear spring and damper that does not pull, with
// the damping ratio z <= 1 (T. Schwager, T. Poeschel, Granular Matter 9, 2007).
double dashpot_restitution(double z);

// The shortest path between two points around a circle of radius r about the origin, in the plane;
// -1: the segment does not cross the circle.
double path_around_circle(double r, const double a[2], const double b[2]);

#endif
