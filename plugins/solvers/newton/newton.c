// SPDX-License-Identifier: Apache-2.0
//
// Newton's method on the reduced primal problem (common/primal.h), with exact second derivatives
// and an exact line search. Start from here:
//
//   newton_solve    the iteration
//   pattern.c       which numbers of the Hessian are not zero, and in which order to eliminate
//   hessian.c       H = M + J' C J
//   factor.c        H = L D L', by panels
//
// The cost is convex and smooth once; without curved cones it is quadratic piece by piece. So when
// a full step changes the state of no row and no cone is curved, the new point is the minimum of
// its piece and therefore of all, and the iteration ends without another look at the gradient.
//
// With tolerance 0 the iteration goes on until rounding stops it: until neither cost nor gradient
// falls any more, or the gradient is what is left of terms that cancel.
//
// Reference: chapter Computation, "Reduced primal problem" and "Algorithms".

#include <float.h>
#include <math.h>
#include <string.h>

#include "common/instance.h"
#include "hessian.h"

// The iterations of one call.
typedef struct progress {
  double scale, tolerance;
  double norm;   // of the gradient, not scaled
  sn_solution *solution;
} progress;

static void report(progress *g, const primal *p, const line_search *ls, double improvement,
                   int32_t changed) {
  sn_solution *s = g->solution;
  if (s->iteration && s->iterations < s->ncapacity) {
    s->iteration[s->iterations] = (sn_iteration){ .improvement = improvement,
                                                  .gradient = g->scale * g->norm,
                                                  .lineslope = g->scale * ls->slope,
                                                  .nactive = p->nactive,
                                                  .nchange = changed,
                                                  .neval = ls->neval };
  }
  s->iterations++;
}

// What rounding leaves of the gradient, M x - qfrc_smooth - J' f.
static double rounding(const primal *p) {
  double sum = 0;
  for (int64_t i = 0; i < p->problem->nv; i++) {
    double inertial = p->Mx[i], smooth = p->problem->qfrc_smooth[i];
    double constraint = inertial - smooth - p->gradient[i];
    sum += inertial * inertial + smooth * smooth + constraint * constraint;
  }
  return DBL_EPSILON * sqrt(sum);
}

static double length(const primal *p) {
  double sum = 0;
  for (int64_t i = 0; i < p->problem->nv; i++) {
    sum += p->search[i] * p->search[i];
  }
  return sqrt(sum);
}

// One step. SN_OK: there is nothing more to gain.
static sn_status iterate(const solver_instance *self, primal *p, hessian *h, progress *g,
                         int32_t *stale) {
  if (*stale) {
    hessian_assemble(h);
    hessian_factor(h);
  }
  hessian_solve(h, p->gradient, p->search);
  primal_direction(p);
  line_search ls = { .iterations = self->linesearch_iterations,
                     .tolerance = self->linesearch_tolerance,
                     .first = 1 };
  double step = line_search_run(&ls, p), cost = p->cost, norm = g->norm;
  if (!(step > 0)) {
    return step == 0 ? SN_OK : SN_EDIVERGED;
  }
  int32_t curved = p->ncurved;
  primal_move(p, step);
  int32_t changed = primal_update(p);
  *stale = changed || p->ncurved;

  // a full step inside one piece ends at its minimum
  double improvement = g->scale * (cost - p->cost);
  int exact = step == 1 && !changed && !curved;
  g->norm = exact && g->tolerance > 0 ? 0 : primal_gradient(p);
  report(g, p, &ls, improvement, changed);
  int done = exact || improvement < g->tolerance || g->scale * g->norm < g->tolerance;
  if (g->tolerance == 0) {
    double noise = rounding(p);
    done = g->norm <= noise || (ls.decrease <= step * length(p) * noise && !(g->norm < 0.5 * norm));
  }
  return done ? SN_OK : SN_NOT_CONVERGED;
}

static sn_status newton_solve(const void *instance, const sn_problem *problem,
                              sn_solution *solution, sn_scratch *scratch) {
  pool mem = pool_from(scratch);
  const solver_instance *self = instance;
  primal p;
  hessian h;
  SN_TRY(primal_make(&p, problem, self->kernel, solution, &mem.scratch));
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
    sn_status status = iterate(self, &p, &h, &g, &stale);
    if (status != SN_NOT_CONVERGED) {
      return status;
    }
  }
  return SN_NOT_CONVERGED;
}

// ------------------------------------------------------------------ the plugin

static const sn_solver_ops newton_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .summary = "Newton's method on accelerations, exact line search",
            .params = linesearch_params,
            .create = linesearch_create,
            .destroy = solver_destroy },
  .solve = newton_solve,
};

static const sn_provide newton_provides[] = {
  { SN_KIND_SOLVER, "newton", &newton_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "newton", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "Newton solver of the constraint problem", .provides = newton_provides)
