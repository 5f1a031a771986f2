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

#ifndef SOLVERS_DUAL_H
#define SOLVERS_DUAL_H

#include "groups.h"

typedef struct dual {
  const sn_problem *problem;
  const sn_kernels *kernel;
  groups groups;
  double *force;      // nefc
  double *b;          // nefc
  const double *R;    // nefc: regularizer that counts, or zeros
  double *diagonal;   // nefc; A_ii
  double reach;       // sum of sqrt(A_jj) |f_j| when the sweep began
  int32_t moved;      // whether the sweep gained more than rounding does
} dual;

// force: where the forces are; R: as in dual. SN_EDIVERGED: A has overflowed. SN_ENOMEM
sn_status dual_make(dual *u, const sn_problem *problem, const sn_kernels *kernel, double *force,
                    const double *R, sn_scratch *mem);
double dual_cost(const dual *u);
// Begins a sweep. When nothing moved at its end, no more is to be had, whatever the tolerance says.
void dual_begin(dual *u);
// What rounding may leave of the residual of a row.
double dual_rounding(const dual *u, int64_t row);
// Gradient of the cost with respect to the force of a row.
double dual_residual(const dual *u, int64_t row);
// Entry (row, col) of A.
double dual_entry(const dual *u, int64_t row, int64_t col);
// The square block of A + R on rows row ... row + n - 1.
void dual_block(const dual *u, int64_t row, int32_t n, double *block);
// Sets the force of a row within [low, high]; returns the decrease of the cost.
double dual_update_row(dual *u, int64_t row, double low, double high);
// The same for the friction of an elliptic contact, its normal force being fixed.
double dual_update_friction(dual *u, const sn_cone *cone);
// Notes that a step decreased the cost so much where rounding alone decreases it by `nothing`;
// returns the decrease.
double dual_gain(dual *u, double decrease, double nothing);
// What follows from the forces: acceleration and states.
void dual_finish(dual *u, sn_solution *solution);

// qcqp.c. Minimizes 1/2 x'A x + x'b over sum (x_i / d_i)^2 <= r^2; n <= 5; x gets the solution.
// Returns its multiplier l >= 0: A x + b = -l y / d with y_i = x_i / d_i. Of numbers that are not
// finite nothing but NaN follows.
double qcqp_solve(int32_t n, const double *A, const double *b, const double *d, double r,
                  double *x);

#endif
