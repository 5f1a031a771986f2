// SPDX-License-Identifier: Apache-2.0
//
// Principal axes of a symmetric matrix, by Jacobi's method: rotations, each in the plane of the
// largest off-diagonal entry, until it is negligible. The axes are kept as a unit quaternion,
//
//   D = R(q)' A R(q),     q <- q (cos(a/2), -sin(a/2) e),     tan 2a = 2 D_pq / (D_pp - D_qq)
//
// with e normal to the plane (p, q). D is computed from A each time, so that errors do not
// accumulate. The iteration ends when the off-diagonal entries are below `negligible` or the angle
// is below about a microradian, so that rounding does not rotate the axes of a symmetric body. The
// remaining off-diagonal entries matter for the inertia of small bodies: sharpen() removes them.
//
// Where moments are equal, the choice of axes depends on the last bit of the operations above.
// Matches MuJoCo 2.2.2: principal-axes-order
//
// Reference: Golub, Van Loan, Matrix Computations, 8.5; with a quaternion: Melax, Matrix
// diagonalization with quaternions, 2000.

#include "sinew/numerics/principal_axes.h"

#include <math.h>

#include "sinew/math.h"

static const double negligible = 1e-12;    // kg m^2
static const double no_angle = 1e-12;   // 1 - cos a
// of the trace, and radians: see sharpen
static const double rounding = 1e-14, small = 1e-10, small_angle = 1e-5;
// each rotation squares the error, so a few suffice; numbers that are not finite end here
enum { MOST_ROTATIONS = 100 };

static void normalize(double *q) {
  double inverse = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) {
    q[i] *= inverse;
  }
}

// q <- q (w, s about the axis k)
static void turn(double *q, int k, double w, double s) {
  double by[4] = { w, 0, 0, 0 };
  by[k + 1] = s;
  sn_mul_quat(q, q, by);
  normalize(q);
}

// D = R' A R
static void view_from(const double *A, const double *q, double *D) {
  double R[9], T[9];
  sn_quat_mat(R, q);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      T[3 * i + j] = R[i] * A[j] + R[3 + i] * A[3 + j] + R[6 + i] * A[6 + j];
    }
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      D[3 * i + j] = T[3 * i] * R[j] + T[3 * i + 1] * R[3 + j] + T[3 * i + 2] * R[6 + j];
    }
  }
}

// The axis normal to the plane of the largest off-diagonal number; the first at the end of ties.
static int choose_plane(const double *D) {
  double xy = fabs(D[1]), xz = fabs(D[2]), yz = fabs(D[5]);
  if (xy > xz && xy > yz) {
    return 2;
  }
  return xz > yz ? 1 : 0;
}

// The rotation that makes the largest off-diagonal number zero.
typedef struct rotation {
  int axis;
  double off, tangent;
} rotation;

static rotation find_rotation(const double *D) {
  int axis = choose_plane(D), row = axis == 0, col = axis == 2 ? 1 : 2;
  rotation r = { .axis = axis, .off = D[3 * row + col] };
  if (r.off != 0) {
    double theta = (D[4 * col] - D[4 * row]) / (2 * r.off), root = sqrt(1 + theta * theta);
    r.tangent = theta >= 0 ? 1 / (theta + root) : -1 / (root - theta);
  }
  return r;
}

// By the angle a > 0 of which sin(a/2) is `half`; in the plane xz the axis y points the other way.
static void rotate(double *q, const rotation *r, double half) {
  int positive = (r->tangent > 0) == (r->axis == 1);
  double w = sqrt(1 - half * half), inverse = 1 / sqrt(w * w + half * half);   // 1 but for rounding
  turn(q, r->axis, w * inverse, (positive ? half : -half) * inverse);
}

// To the axes of the convention.
static void diagonalize(const double *A, double *q, double *D) {
  for (int i = 0; i < MOST_ROTATIONS; i++) {
    view_from(A, q, D);
    rotation r = find_rotation(D);
    double cosine = 1 / sqrt(1 + r.tangent * r.tangent);
    if (fabs(r.off) < negligible || 1 - cosine < no_angle) {
      return;
    }
    rotate(q, &r, sqrt(0.5 - 0.5 * cosine));
  }
}

// On to the exact ones; but not by large angles for what is small, which is the convention's.
static void sharpen(const double *A, double *q, double *D) {
  const double trace = fabs(A[0]) + fabs(A[4]) + fabs(A[8]);
  for (int i = 0; i < MOST_ROTATIONS; i++) {
    view_from(A, q, D);
    rotation r = find_rotation(D);
    if (!(fabs(r.off) > rounding * trace) ||
        (fabs(r.off) < small * trace && fabs(r.tangent) > small_angle)) {
      return;
    }
    rotate(q, &r, sin(0.5 * atan(fabs(r.tangent))));
  }
}

static void full_matrix(const double *full, double *A) {
  static const int at[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
  for (int k = 0; k < 9; k++) {
    A[k] = full[at[k]];
  }
}

// Descending order of the diagonal, by quarter turns, which keep the frame right-handed. Their
// cosine and sine are the root of 1/2 to the digits that the convention has.
static void sort(const double *D, double *inertia, double *quat) {
  static const int pair[3] = { 0, 1, 0 };
  static const double quarter = 0.707106781186548;
  for (int i = 0; i < 3; i++) {
    inertia[i] = D[4 * i];
  }
  for (int i = 0; i < 3; i++) {
    int k = pair[i];
    if (inertia[k] < inertia[k + 1]) {
      double smaller = inertia[k];
      inertia[k] = inertia[k + 1];
      inertia[k + 1] = smaller;
      turn(quat, (k + 2) % 3, quarter, quarter);
    }
  }
}

void sn_frame_axes(const double *full, double *quat) {
  double A[9], D[9], inertia[3];
  full_matrix(full, A);
  sn_identity_quat(quat);
  diagonalize(A, quat, D);
  sort(D, inertia, quat);
}

void sn_principal_axes(const double *full, double *inertia, double *quat) {
  double A[9], D[9];
  full_matrix(full, A);
  sn_identity_quat(quat);
  diagonalize(A, quat, D);
  sharpen(A, quat, D);
  sort(D, inertia, quat);
}
