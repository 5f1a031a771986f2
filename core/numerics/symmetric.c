// SPDX-License-Identifier: Apache-2.0
//
// Eigenvalues and eigenvectors by rotations of Jacobi, plane after plane: Golub, Van Loan, Matrix
// Computations, section 8.5.

#include "sinew/numerics/symmetric.h"

#include <math.h>

// Turns the plane of rows p and q so that entry pq of the symmetric A becomes zero; A = V' A0 V.
static void rotate(double A[3][3], double *V, int p, int q) {
  if (A[p][q] == 0) {
    return;
  }
  const double tau = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
  const double c = 1 / sqrt(1 + t * t), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double x = A[k][p], y = A[k][q], v = V[3 * k + p], w = V[3 * k + q];
    A[k][p] = c * x - s * y;
    A[k][q] = s * x + c * y;
    V[3 * k + p] = c * v - s * w;
    V[3 * k + q] = s * v + c * w;
  }
  for (int k = 0; k < 3; k++) {
    const double x = A[p][k], y = A[q][k];
    A[p][k] = c * x - s * y;
    A[q][k] = s * x + c * y;
  }
  A[p][q] = A[q][p] = 0;
}

void sn_symmetric_axes(const double *full, double *values, double *axes) {
  enum { SWEEPS = 30 };   // convergence is quadratic: fewer than ten are ever needed
  const double *m = full;
  double A[3][3] = { { m[0], m[3], m[4] }, { m[3], m[1], m[5] }, { m[4], m[5], m[2] } };
  for (int i = 0; i < 9; i++) {
    axes[i] = i % 4 == 0;
  }
  for (int k = 0; k < SWEEPS && (A[0][1] != 0 || A[0][2] != 0 || A[1][2] != 0); k++) {
    rotate(A, axes, 0, 1);
    rotate(A, axes, 0, 2);
    rotate(A, axes, 1, 2);
  }
  for (int i = 0; i < 3; i++) {
    values[i] = A[i][i];
  }
}
