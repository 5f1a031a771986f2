// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of this folder: the builder of constraint rows and the softness of a row.
//
// A constraint is a block: one or more rows on the same columns. Its numbers lie one row after the
// other, so that the block is a dense matrix:
//
//   efc_J        [ row 0: ncol numbers | row 1: ncol numbers | ... ]
//   efc_J_colind [ the columns         | the same columns    | ... ]

#ifndef SI_CONSTRAINT_ROWS_H
#define SI_CONSTRAINT_ROWS_H

#include "constraint/constraint.h"
#include "sinew/math.h"
#include "sinew/numerics/sparse.h"

typedef struct si_rows {
  const sn_model *m;
  sn_data *d;
  si_worker *w;
  int64_t capacity;    // for rows
  int64_t capacityJ;   // for numbers of J
  int32_t
      *left_out;   // neq: constraints of plugins whose equations failed, which are not evaluated
                   // again for their limits; NULL: no such constraint has limits
} si_rows;

// What makes a residual soft.
typedef struct si_softness {
  const double *solref, *solimp;
  double distance;   // residual minus margin; for a residual of several rows, its norm
  double weight;     // approximate diagonal of J M^-1 J'
  int exact;         // not soft at all, see constraint.h
} si_softness;

// rows.c
// Room for `nrow` rows in all: every step field of the rows, and their blocks.
void si_rows_open(si_rows *rows, int64_t nrow);
// A block of rows on the columns `col` (ascending). Returns its numbers (nrow x ncol), to be
// filled; its rows are the last of d->nefc, with zero residual, margin and friction loss.
double *si_rows_block(si_rows *rows, int32_t type, int32_t id, int32_t nrow, int32_t ncol,
                      const int32_t *col);
// The same in two steps, of which another worker may do the second: si_rows_reserve makes room for
// a block and returns its first row; si_rows_begin sets its columns and returns its numbers.
int64_t si_rows_reserve(si_rows *rows, int32_t nrow, int32_t ncol);
double *si_rows_begin(sn_data *d, int64_t first, int32_t nrow, int32_t type, int32_t id,
                      const int32_t *col);
// A block of one row, scale times `row`.
double *si_rows_add(si_rows *rows, int32_t type, int32_t id, double scale, sn_sparse_row row);
// Takes the last block back.
void si_rows_undo(si_rows *rows);
// Takes the last block back when its numbers, from J on, are all zero: it moves nothing. True: it
// is gone.
int si_rows_drop_idle(si_rows *rows, const double *J);
// Stiffness, damping, impedance, R and D of one row.
void si_rows_soften(si_rows *rows, int64_t row, const si_softness *softness);
// Sets R of a row, and what follows from R.
void si_rows_regularize(si_rows *rows, int64_t row, double R);

// impedance.c
// Impedance at a residual x, and its derivative.
double si_impedance(const double *solimp, double x, double *slope);
// Stiffness and damping of the reference acceleration.
void si_impedance_spring(const sn_model *m, const double *solref, const double *solimp,
                         double *stiffness, double *damping);

// How many rows a kind has at most, and the rows.
int64_t si_equality_count(const sn_model *m, const sn_data *d);
int64_t si_friction_count(const sn_model *m, const sn_data *d);
int64_t si_limit_count(const sn_model *m, const sn_data *d);
int64_t si_cone_count(const sn_model *m, const sn_data *d);
void si_equality_rows(si_rows *rows);
void si_equality_row(si_rows *rows, int32_t eq);   // those of one constraint
int64_t si_equality_row_count(const sn_model *m, int64_t eq);
void si_friction_rows(si_rows *rows);
void si_limit_rows(si_rows *rows);
void si_cone_rows(si_rows *rows);

// equality.c
enum { SI_NEQDATA = 11 };   // columns of eq_data
// A polynomial with five coefficients, and its derivatives.
typedef struct si_polynomial_value {
  double value, slope, curvature;
} si_polynomial_value;
si_polynomial_value si_polynomial(const double *coefficients, double x);
// (q2 f)* and q1 rel f of a weld, whose product is the error of its rotation.
void si_weld_frames(const sn_model *m, const sn_data *d, int64_t eq, double *q2_inverse,
                    double *q1_rel);

// plugin_rows.c
// The number of equations of an equality constraint of a plugin, and at most how many limits all of
// these constraints have.
int64_t si_plugin_equations(const sn_model *m, int64_t eq);
int64_t si_plugin_limit_count(const sn_model *m, const sn_data *d);
void si_plugin_equation_rows(si_rows *rows, int32_t eq);   // of one constraint
void si_plugin_limit_rows(si_rows *rows);                  // of all

#endif
