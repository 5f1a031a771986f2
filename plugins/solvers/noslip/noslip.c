// SPDX-License-Identifier: Apache-2.0
//
// Suppresses slip after the main solver: the friction forces alone are solved again, by projected
// Gauss-Seidel on the dual problem (common/dual.h) without regularizer, while normal forces and
// all others stay.
//
//   friction loss        one row within [-eta, eta]
//   elliptic contact     its friction on the slice of the cone at the normal force
//   pyramidal contact    each pair of opposing edges: their sum, the normal force, stays; the
//                        difference is solved. f = (s + y, s - y), |y| <= s
//
// Reference: chapter Modeling, "Noslip solver".

#include <math.h>
#include <string.h>

#include "common/dual.h"
#include "common/instance.h"
#include "sinew/math.h"

// Rows i and i + 1 of a unit. The residual follows.
static double update_pair(dual *u, const dual_unit *unit, int32_t i, double *residual) {
  const int32_t n = unit->n;
  const double *A = unit->A + i * n, *B = A + n;   // these rows of A
  double *f = u->force + unit->row + i, sum = 0.5 * (f[0] + f[1]), before = 0.5 * (f[0] - f[1]);
  double slope = residual[i] - residual[i + 1];
  double curvature = A[i] + B[i + 1] - 2 * A[i + 1];
  if (!(curvature > SN_TINY)) {
    return 0;
  }
  double after = before - slope / curvature;
  after = after > sum ? sum : after < -sum ? -sum : after;
  double step = after - before;
  f[0] = sum + after;
  f[1] = sum - after;
  for (int32_t j = 0; j < n; j++) {
    residual[j] += step * (A[j] - B[j]);
  }
  double rounding = dual_rounding(u, unit->row + i) + dual_rounding(u, unit->row + i + 1);
  return dual_gain(u, -step * (slope + 0.5 * step * curvature), rounding * rounding / curvature);
}

static double update_unit(dual *u, const dual_unit *unit) {
  const sn_problem *q = u->problem;
  double before[DUAL_ROWS], residual[DUAL_ROWS], decrease = 0;
  const int32_t row = unit->row;
  int pyramid = !unit->cone && q->type[row] == SN_ROW_CONTACT_PYRAMIDAL;
  int friction = row >= q->ne && row < q->ne + q->nf;
  if (!unit->cone && !pyramid && !friction) {
    return 0;
  }
  memcpy(before, u->force + row, (size_t)unit->n * sizeof *before);
  dual_residual(u, unit, residual);
  if (unit->cone) {
    decrease = dual_update_friction(u, unit, residual);
  }
  for (int32_t i = 0; pyramid && i + 1 < unit->n; i += 2) {
    decrease += update_pair(u, unit, i, residual);
  }
  for (int32_t i = 0; friction && i < unit->n; i++) {
    double eta = q->frictionloss[row + i];
    decrease += dual_update_row(u, unit, i, -eta, eta, residual);
  }
  dual_changed(u, unit, before);
  return decrease;
}

static double sweep(dual *u) {
  double decrease = 0;
  dual_begin(u);
  for (int64_t k = 0; k < u->nunit; k++) {
    decrease += update_unit(u, &u->unit[k]);
  }
  return decrease;
}

static sn_status noslip_solve(const void *instance, const sn_problem *problem,
                              sn_solution *solution, sn_scratch *scratch) {
  pool mem = pool_from(scratch);
  const solver_instance *self = instance;
  double *none;
  SN_ALLOC(none, &mem.scratch, problem->nefc);
  memset(none, 0, (size_t)problem->nefc * sizeof *none);
  memcpy(solution->force, problem->force_start, (size_t)problem->nefc * sizeof(double));
  dual u;
  SN_TRY(dual_make(&u, problem, self->kernel, solution->force, none, &mem.scratch));
  sn_status status = SN_NOT_CONVERGED;
  solution->iterations = 0;
  while (status != SN_OK && solution->iterations < problem->noslip_iterations) {
    double improvement = problem->scale * sweep(&u);
    solution->iterations++;
    if (improvement < problem->noslip_tolerance || !u.moved) {
      status = SN_OK;
    }
  }
  dual_finish(&u, solution);
  return status;
}

// ------------------------------------------------------------------ the plugin

static const sn_solver_ops noslip_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .flags = SN_SOLVER_POST,
            .summary = "suppresses slip after the main solver",
            .create = solver_create,
            .destroy = solver_destroy },
  .solve = noslip_solve,
};

static const sn_provide noslip_provides[] = {
  SN_PROVIDE_SOLVER("noslip", &noslip_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "noslip", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "suppresses slip of frictional contacts", .provides = noslip_provides)
