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

static double update_pair(dual *u, int64_t row) {
  double *f = u->force + row, sum = 0.5 * (f[0] + f[1]);
  double slope = dual_residual(u, row) - dual_residual(u, row + 1);
  double curvature = u->diagonal[row] + u->diagonal[row + 1] - 2 * dual_entry(u, row, row + 1);
  double before = 0.5 * (f[0] - f[1]);
  if (!(curvature > SN_TINY)) {
    return 0;
  }
  double after = fmin(sum, fmax(-sum, before - slope / curvature)), step = after - before;
  f[0] = sum + after;
  f[1] = sum - after;
  double rounding = dual_rounding(u, row) + dual_rounding(u, row + 1);
  return dual_gain(u, -step * (slope + 0.5 * step * curvature), rounding * rounding / curvature);
}

static double sweep(dual *u) {
  const sn_problem *q = u->problem;
  double decrease = 0;
  dual_begin(u);
  for (int64_t i = q->ne; i < q->ne + q->nf; i++) {
    decrease += dual_update_row(u, i, -q->frictionloss[i], q->frictionloss[i]);
  }
  for (int64_t i = q->ne + q->nf; i < q->nefc; i++) {
    if (q->type[i] == SN_ROW_CONTACT_PYRAMIDAL) {
      decrease += update_pair(u, i);
      i++;
    }
  }
  for (int64_t k = 0; k < q->ncone; k++) {
    decrease += dual_update_friction(u, &q->cone[k]);
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
            .flags = SN_SOLVER_DUAL | SN_SOLVER_POST,
            .summary = "suppresses slip after the main solver",
            .create = solver_create,
            .destroy = solver_destroy },
  .solve = noslip_solve,
};

static const sn_provide noslip_provides[] = {
  { SN_KIND_SOLVER, "noslip", &noslip_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "noslip", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "suppresses slip of frictional contacts", .provides = noslip_provides)
