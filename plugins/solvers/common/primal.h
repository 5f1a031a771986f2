// SPDX-License-Identifier: Apache-2.0
//
// The reduced primal problem, shared by the solvers that work on accelerations:
//
//   minimize over x   1/2 (x - a0)' M (x - a0) + s(J x - aref)
//
// A primal holds the point x with everything that follows from it, and one search direction. Rows
// are of three kinds: friction loss [ne, ne + nf), elliptic cones, and the rest, where equality
// rows [0, ne) are always quadratic and others are where z < 0.
// z = J x - aref is "jar", and f = -grad s: sinew/numerics/penalty.h.

#ifndef SOLVERS_PRIMAL_H
#define SOLVERS_PRIMAL_H

#include "groups.h"
#include "sinew/numerics/penalty.h"

typedef struct primal {
  const sn_problem *problem;
  groups groups;
  double *x, *Mx, *jar;       // the point; M x
  double *force;              // nefc
  int32_t *state;             // nefc
  double *gradient;           // nv
  double *search, *Msearch;   // nv
  double *Jsearch;            // nefc
  double *root_D;             // nefc; sqrt(D), of rows in cones
  sn_penalty_line *line;      // ncone
  double cost;
  int32_t nactive;   // rows in the quadratic or cone state
  int32_t ncurved;   // cones in the middle zone
} primal;

// Memory, or SN_ENOMEM. The point is nowhere yet.
sn_status primal_make(primal *p, const sn_problem *problem, const sn_kernels *kernel,
                      const tasks *threads, sn_solution *solution, sn_scratch *mem);
// Puts the point at x, with force, state and cost; returns the cost.
double primal_place(primal *p, const double *x);
// Puts the point at the better of the two starts.
void primal_start(primal *p);
// Force, state and cost at the point; returns the number of rows that changed their state.
int32_t primal_update(primal *p);
// gradient = M x - qfrc_smooth - J' force; returns its norm.
double primal_gradient(primal *p);
// The norm of what rounding leaves in the gradient: of the terms that cancel in it.
double primal_rounding(const primal *p);
// Products of the search direction with M and J.
void primal_direction(primal *p);
// x += step * search, with M x and jar.
void primal_move(primal *p, double step);

// The curvature of a cone: d^2 s / dz^2 (dim x dim) in the middle zone.
void primal_cone_hessian(const primal *p, int64_t cone, double *W);

// linesearch.c
typedef struct line_search {
  int32_t iterations;   // limit of evaluations
  int32_t neval;        // written: evaluations
  double tolerance;     // stop at a slope, along a direction of unit length, of this part of the
                        // solver's tolerance
  double first;         // step that is tried first; 0: that of Newton's method
  double slope;         // written: slope at the end
  double decrease;      // written: of the cost, by the slopes at both ends
} line_search;

// The step that minimizes the cost along the search direction; 0 when it does not descend, NaN when
// numbers have overflowed.
double line_search_run(line_search *ls, primal *p);

#endif
