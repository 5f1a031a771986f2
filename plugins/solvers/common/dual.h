// SPDX-License-Identifier: Apache-2.0
//
// The dual problem, shared by the solvers that work on forces:
//
//   minimize over f in Omega   1/2 f'(A + R) f + f' b,   A = J M^-1 J',  b = J a0 - aref
//
// Omega: equality forces are free, |f| <= eta for friction loss, f >= 0 for unilateral rows, and
// elliptic contacts lie in the cone f_0 >= 0, sum (f_i / mu_i)^2 <= f_0^2.
//
// A sweep visits the rows in order and sets each force, or all forces of a contact, to where the
// cost is least while the others stay (projected Gauss-Seidel).
//
// A itself is not formed. With C C' = A (sn_whitened_jacobian) a sweep keeps w = C'f up to date: a
// contact costs its columns in C twice, however many others touch the same bodies. Rows of one
// contact, or of one other constraint, have the same columns and form a unit, whose part of A is
// stored: the residuals of all its rows are computed together, and follow each step within it.

#ifndef SOLVERS_DUAL_H
#define SOLVERS_DUAL_H

#include "groups.h"

// Most contacts have three rows. Where the number of rows is known, the compiler unrolls all loops.
#define DUAL_INLINE __attribute__((always_inline)) static inline

enum { DUAL_ROWS = 10 };   // largest number of rows of a unit: a pyramidal contact has 10 at most

typedef struct dual_unit {
  int32_t row, n;        // its rows are row ... row + n - 1
  const sn_cone *cone;   // of an elliptic contact, or NULL
  double *A;             // n x n; A + R on these rows
  double *slice;         // of an elliptic contact with friction: its slices (qcqp_make)
} dual_unit;

typedef struct dual {
  const sn_problem *problem;
  const sn_kernels *kernel;
  groups groups;
  sn_sparse C;          // nefc x nv
  double *force;        // nefc
  double *w;            // nv; C'f
  double *b;            // nefc
  const double *R;      // nefc: regularizer that counts, or zeros
  double *root;         // nefc; sqrt(A_ii)
  double *inverse;      // nefc; 1 / (A_ii + R_i)
  double *gathered;     // nv, scratch
  dual_unit *unit;      // nunit, in the order of their rows
  int64_t nunit;
  double reach;         // sum of sqrt(A_jj) |f_j| when the sweep began
  int32_t moved;        // whether a step of the sweep gained more than rounding does
  int32_t age;          // sweeps since w was summed up; 0: it is not
} dual;

// force: where the forces are, which may be set until the first sweep begins, and after
// dual_restart; R: as in dual.
// SN_EDIVERGED: A has overflowed. SN_ENOMEM
sn_status dual_make(dual *u, const sn_problem *problem, const sn_kernels *kernel, double *force,
                    const double *R, sn_scratch *mem);
void dual_restart(dual *u);
// Begins a sweep. When nothing moved at its end, no more is to be had, whatever the tolerance says.
void dual_begin(dual *u);
double dual_cost(dual *u);   // before the first sweep
// What rounding may leave of the residual of a row.
double dual_rounding(const dual *u, int64_t row);
// Gradient of the cost with respect to the forces of a unit.
void dual_residual(const dual *u, const dual_unit *unit, double *residual);
// Notes that the forces of a unit have changed from `before`.
void dual_changed(dual *u, const dual_unit *unit, const double *before);
// Sets the force of row i of a unit within [low, high]; returns the decrease of the cost. The
// residual of the unit follows.
double dual_update_row(dual *u, const dual_unit *unit, int32_t i, double low, double high,
                       double *residual);
// The same for the friction of an elliptic contact, its normal force being fixed. The residual does
// not follow.
double dual_update_friction(dual *u, const dual_unit *unit, const double *residual);
// Notes that a step decreased the cost so much where rounding alone decreases it by `nothing`;
// returns the decrease. Once the sweep has moved `nothing` may be 0.
double dual_gain(dual *u, double decrease, double nothing);
// What follows from the forces: acceleration and states.
void dual_finish(dual *u, sn_solution *solution);

// qcqp.c. Minimizes 1/2 x'A x + x'b over sum (x_i / d_i)^2 <= r^2; n <= 5; x gets the solution.
// Returns its multiplier l >= 0: A x + b = -l y / d with y_i = x_i / d_i. Of numbers that are not
// finite nothing but NaN follows. q: what qcqp_make computes from A, whose rows are `stride` apart,
// and d: H = D A D and its Cholesky factor with an inverse diagonal, n x n each. The first number
// of the factor is 0 when H has none.
void qcqp_make(int32_t n, const double *A, int32_t stride, const double *d, double *q);
double qcqp_solve(int32_t n, const double *q, const double *b, const double *d, double r,
                  double *x);

#endif
