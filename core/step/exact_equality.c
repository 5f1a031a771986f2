// SPDX-License-Identifier: Apache-2.0
//
// The main solver, called again until exact equality constraints hold. Their rows have a small
// regularizer R, and J qacc = aref - R f. The method of multipliers (M. R. Hestenes, Journal of
// Optimization Theory and Applications 4, 1969) solves the problem again with aref = target + R f,
// f being the force of the solution before: the error that is left is R / (A + R) of it. Rows that
// are redundant, or contradict each other, do no harm: in directions that J' does not have the
// force only grows, and the iterations end when the error no longer falls.

#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "sinew/numerics/sparse.h"
#include "step/solve.h"

// The rows of exact equality constraints, or none; n: how many.
static const int32_t *exact_rows(const sn_model *m, const sn_problem *p, si_worker *w, int32_t *n) {
  int32_t *row = NULL;
  *n = 0;
  for (int32_t i = 0; i < (int32_t)p->ne; i++) {
    if (si_equality_is_exact(m, p->id[i])) {
      row = row ? row : si_arena_ints(&w->scratch, p->ne);
      row[(*n)++] = i;
    }
  }
  return row;
}

// The largest error of J qacc = target.
static double exact_error(const sn_problem *p, int32_t n, const int32_t *row, const double *qacc,
                          const double *target) {
  double largest = 0;
  for (int32_t k = 0; k < n; k++) {
    const double error = sn_row_dot(sn_sparse_row_at(&p->J, row[k]), qacc) - target[row[k]];
    largest = fmax(largest, fabs(error));
  }
  return largest;
}

sn_status si_solve_exactly(const sn_model *m, si_worker *w, sn_problem *problem,
                           sn_solution *solution) {
  enum { MOST = 10 };
  static const double enough = 1e-11, less = 0.1;   // relative errors
  const double finer = 1e-12;                       // of the improvement, quadratic in the error
  int32_t n;
  const int32_t *row = exact_rows(m, problem, w, &n);
  if (n == 0) {
    return si_call_solver(m->bound.solver, problem, solution, w);
  }
  const double *target = problem->aref;
  double *aref = si_arena_reals(&w->scratch, problem->nefc);
  double *start = si_arena_reals(&w->scratch, problem->nv);
  sn_problem exact = *problem;
  sn_solution part = *solution;
  memcpy(aref, target, (size_t)problem->nefc * sizeof *aref);
  exact.aref = aref;
  exact.tolerance *= finer;
  const double scale = exact_error(problem, n, row, problem->qacc_smooth, target);
  double before = INFINITY, error = INFINITY;
  sn_status status = SN_OK;
  solution->iterations = 0;
  const int32_t most = w->once ? 1 : MOST;
  for (int32_t k = 0; k < most && error > enough * scale && !(error > less * before); k++) {
    sn_status result;
    if (k == 0) {
      result = si_call_solver(m->bound.solver, &exact, &part, w);
    } else {
      for (int32_t i = 0; i < n; i++) {
        aref[row[i]] = target[row[i]] + exact.R[row[i]] * part.force[row[i]];
      }
      memcpy(start, part.qacc, (size_t)problem->nv * sizeof *start);
      exact.qacc_start = start;
      result = si_call_solver_again(m->bound.solver, &exact, &part, w);
    }
    if (result < 0) {
      return k == 0 ? result : status;   // a solution with a larger error is kept
    }
    status = result;
    solution->iterations += part.iterations;
    solution->nsoftened = part.nsoftened;
    part.nsoftened = 0;
    part.iteration = part.iteration && solution->iterations < solution->ncapacity
                         ? solution->iteration + solution->iterations
                         : NULL;
    part.ncapacity = part.iteration ? solution->ncapacity - solution->iterations : 0;
    before = error;
    error = exact_error(problem, n, row, part.qacc, target);
  }
  return status;
}
