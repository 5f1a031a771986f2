// SPDX-License-Identifier: Apache-2.0
//
// Newton's method on the reduced primal problem (common/primal.h), with exact second derivatives
// and an exact line search. Start from here:
//
//   newton_solve    the loop
//   iterate.c       one iteration
//   pattern.c       which numbers of the Hessian are not zero, and in which order to eliminate
//   hessian.c       H = M + J' C J
//   factor.c        H = L D L', by panels
//   lowrank.c       H^-1 where M is not known by its entries
//
// The cost is convex and smooth once; without curved cones it is quadratic piece by piece. So when
// a full step changes the state of no row and no cone is curved, the new point is the minimum of
// its piece and therefore of all, and the iteration ends without another look at the gradient.
//
// With tolerance 0 the iteration goes on until rounding stops it: until neither cost nor gradient
// falls any more, or the gradient is what is left of terms that cancel.
//
// Reference: chapter Computation, "Reduced primal problem" and "Algorithms".

#include "iterate.h"

static sn_status newton_solve(const void *instance, const sn_problem *problem,
                              sn_solution *solution, sn_scratch *scratch) {
  pool mem = pool_from(scratch);
  const solver_instance *self = instance;
  primal p;
  hessian h;
  const tasks threads = tasks_with(self->tasks, scratch);
  SN_TRY(primal_make(&p, problem, self->kernel, &threads, solution, &mem.scratch));
  primal_start(&p);
  progress g = { .scale = problem->scale, .tolerance = problem->tolerance, .solution = solution };
  solution->iterations = 0;
  g.norm = primal_gradient(&p);
  if (g.norm == 0 || g.scale * g.norm < g.tolerance) {
    return SN_OK;
  }

  int32_t stale = 1;
  const int dense = problem->jacobian == SN_JACOBIAN_DENSE;
  SN_TRY(hessian_make(&h, &p, self->kernel, dense, &mem.scratch));
  while (solution->iterations < problem->iterations) {
    sn_status status = newton_iterate(self, &p, &h, &g, &stale);
    if (status != SN_NOT_CONVERGED) {
      return status;
    }
  }
  return SN_NOT_CONVERGED;
}

// ------------------------------------------------------------------ the plugin

static const sn_solver_ops newton_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .flags = SN_SOLVER_RECURSIVE,
            .summary = "Newton's method on accelerations, exact line search",
            .params = linesearch_params,
            .create = linesearch_create,
            .destroy = solver_destroy },
  .solve = newton_solve,
};

static const sn_provide newton_provides[] = {
  SN_PROVIDE_SOLVER("newton", &newton_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "newton", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "Newton solver of the constraint problem", .provides = newton_provides)
