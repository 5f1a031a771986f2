// SPDX-License-Identifier: Apache-2.0
//
// Eigenvalues and eigenvectors of symmetric 3x3 matrices: A = R diag(values) R' with a rotation R,
// to rounding, for matrices of every size, with equal and with negative values.

#include <math.h>

#include "sinew/math.h"
#include "sinew/numerics/symmetric.h"
#include "suite.h"

static const double values[][3] = { { 3, 2, 1 },
                                    { 1, 2, 3 },
                                    { 2, 2, 1 },
                                    { 1, 1, 1 },
                                    { 1, 1e-9, 0 },
                                    { -2, 5, -2.5 },
                                    { 4e-14, 3e-14, 1e-14 },
                                    { 1e20, 2e20, 3e20 } };
enum { NVALUES = sizeof values / sizeof values[0], NTURNS = 40 };

static const int row[6] = { 0, 1, 2, 0, 0, 1 }, column[6] = { 0, 1, 2, 1, 2, 2 };

static void compose(const double *R, const double *diagonal, double *full) {
  for (int k = 0; k < 6; k++) {
    full[k] = 0;
    for (int j = 0; j < 3; j++) {
      full[k] += R[3 * row[k] + j] * diagonal[j] * R[3 * column[k] + j];
    }
  }
}

static void check_rotation(const double *R) {
  double T[9];
  sn_mul_matT_mat3(T, R, R);
  for (int k = 0; k < 9; k++) {
    ck_assert_double_eq_tol(T[k], k % 4 == 0, 1e-14);
  }
  double z[3], x[3] = { R[0], R[3], R[6] }, y[3] = { R[1], R[4], R[7] };
  sn_cross(z, x, y);
  ck_assert_double_eq_tol(z[0] * R[2] + z[1] * R[5] + z[2] * R[8], 1, 1e-14);
}

START_TEST(matrix_is_that_of_its_axes) {
  const double size = fabs(values[_i][0]) + fabs(values[_i][1]) + fabs(values[_i][2]);
  for (int turn = 0; turn < NTURNS; turn++) {
    const double axis[3] = { sin(1 + turn), cos(2 * turn), sin(0.3 * turn * turn) };
    double quat[4], R[9], full[6], found[3], axes[9], again[6];
    sn_axisangle_quat(quat, axis, 0.1 * turn * turn);
    sn_normalize4(quat);
    sn_quat_mat(R, quat);
    compose(R, values[_i], full);
    sn_symmetric_axes(full, found, axes);
    check_rotation(axes);
    compose(axes, found, again);
    for (int k = 0; k < 6; k++) {
      ck_assert_double_eq_tol(again[k], full[k], 1e-15 * 8 * size);
    }
    // the same values, in some order
    for (int k = 0; k < 3; k++) {
      double nearest = HUGE_VAL;
      for (int j = 0; j < 3; j++) {
        nearest = fmin(nearest, fabs(found[j] - values[_i][k]));
      }
      ck_assert_double_le(nearest, 1e-15 * 8 * size);
    }
  }
}
END_TEST

START_TEST(diagonal_matrix_is_kept) {
  const double full[6] = { 3, 1, 2, 0, 0, 0 };
  double found[3], axes[9];
  sn_symmetric_axes(full, found, axes);
  for (int i = 0; i < 9; i++) {
    ck_assert_double_eq(axes[i], i % 4 == 0);
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq(found[i], full[i]);
  }
}
END_TEST

// Numbers that are not finite end too.
START_TEST(no_number_ends) {
  const double full[6] = { NAN, 1, INFINITY, 1, NAN, 2 };
  double found[3], axes[9];
  sn_symmetric_axes(full, found, axes);
  ck_assert(!isfinite(found[0] + found[1] + found[2]));
}
END_TEST

TESTS() {
  EACH(matrix_is_that_of_its_axes, 0, NVALUES);
  TEST(diagonal_matrix_is_kept);
  TEST(no_number_ends);
}
