// SPDX-License-Identifier: Apache-2.0
//
// Nonlinear conjugate gradients on the reduced primal problem (common/primal.h), preconditioned
// with the inertia, exact line search. With g the gradient and p the direction:
//
//   p <- -M^-1 g + beta p,   beta = max(0, g'M^-1 (g - g_before) / (g_before' M^-1 g_before))
//
// which is the formula of Polak and Ribiere (1969), kept positive (Gilbert and Nocedal, 1992). M p
// follows without a product, M p <- -g + beta M p.

#include <float.h>
#include <math.h>
#include <string.h>

#include "common/dot.h"
#include "common/instance.h"
#include "common/primal.h"
#include "sinew/math.h"

// What one iteration leaves to the next.
typedef struct history {
  double *gradient;   // nv; of the iteration before
  double *solved;     // nv; M^-1 gradient
  double *Jsolved;    // nefc
  double product;     // gradient' solved; 0: start with steepest descent
} history;

// The next direction, with its products with M and J.
static void choose_direction(primal *p, history *m) {
  int64_t nv = p->problem->nv, nefc = p->problem->nefc;
  memcpy(m->solved, p->gradient, (size_t)nv * sizeof(double));
  sn_tree_solve_plain(p->problem->inertia, m->solved);
  groups_multiply(&p->groups, m->solved, m->Jsolved);
  double product = dot(nv, p->gradient, m->solved), beta = 0;
  if (m->product > 0) {
    beta = sn_max(0, (product - dot(nv, m->gradient, m->solved)) / m->product);
  }
  // a direction that hardly descends is made of rounding: back to steepest descent
  if (beta * dot(nv, p->gradient, p->search) > 0.5 * product) {
    beta = 0;
  }
  for (int64_t i = 0; i < nv; i++) {
    p->search[i] = beta * p->search[i] - m->solved[i];
    p->Msearch[i] = beta * p->Msearch[i] - p->gradient[i];
  }
  for (int64_t i = 0; i < nefc; i++) {
    p->Jsearch[i] = beta * p->Jsearch[i] - m->Jsolved[i];
  }
  memcpy(m->gradient, p->gradient, (size_t)nv * sizeof(double));
  m->product = product;
}

// By how much the cost fell: where the difference drowns in rounding, by the slopes at both ends.
static double decrease(const line_search *ls, double before, double after) {
  return before - after > 1e-9 * fabs(before) ? before - after : ls->decrease;
}

static void report(sn_solution *s, const primal *p, const line_search *ls, double improvement,
                   double gradient, int32_t changed) {
  if (s->iteration && s->iterations < s->ncapacity) {
    s->iteration[s->iterations] = (sn_iteration){ .improvement = improvement,
                                                  .gradient = gradient,
                                                  .lineslope = p->problem->scale * ls->slope,
                                                  .nactive = p->nactive,
                                                  .nchange = changed,
                                                  .neval = ls->neval };
  }
  s->iterations++;
}

// Where neither the cost nor the gradient shows what is gained, iterations would go on without end.
static int is_rounding(const primal *p, double improvement, double norm) {
  return improvement <= DBL_EPSILON * p->problem->scale * fabs(p->cost) &&
         norm <= primal_rounding(p);
}

static sn_status take_history(history *m, const primal *p, sn_scratch *mem) {
  int64_t nv = p->problem->nv, nefc = p->problem->nefc;
  *m = (history){ .product = 0 };
  SN_ALLOC(m->gradient, mem, nv);
  SN_ALLOC(m->solved, mem, nv);
  SN_ALLOC(m->Jsolved, mem, nefc);
  memset(p->search, 0, (size_t)nv * sizeof(double));
  memset(p->Msearch, 0, (size_t)nv * sizeof(double));
  memset(p->Jsearch, 0, (size_t)nefc * sizeof(double));
  return SN_OK;
}

static sn_status cg_solve(const void *instance, const sn_problem *problem, sn_solution *solution,
                          sn_scratch *scratch) {
  pool mem = pool_from(scratch);
  const solver_instance *self = instance;
  primal p;
  history m;
  const tasks threads = tasks_with(self->tasks, scratch);
  SN_TRY(primal_make(&p, problem, self->kernel, &threads, solution, &mem.scratch));
  primal_start(&p);
  solution->iterations = 0;
  // Even a good start is improved once: to keep what is within the tolerance would let errors grow
  // from step to step until they leave it.
  double norm = primal_gradient(&p), scale = problem->scale;
  if (norm == 0) {
    return SN_OK;
  }

  SN_TRY(take_history(&m, &p, &mem.scratch));
  while (solution->iterations < problem->iterations) {
    choose_direction(&p, &m);
    line_search ls = { .iterations = self->linesearch_iterations,
                       .tolerance = self->linesearch_tolerance };
    double step = line_search_run(&ls, &p);
    if (!(step > 0)) {
      return step == 0 ? SN_OK : SN_EDIVERGED;
    }
    double before = p.cost;
    primal_move(&p, step);
    int32_t changed = primal_update(&p);
    norm = primal_gradient(&p);
    double improvement = scale * decrease(&ls, before, p.cost);
    report(solution, &p, &ls, improvement, scale * norm, changed);
    if (improvement < problem->tolerance || scale * norm < problem->tolerance ||
        is_rounding(&p, improvement, norm)) {
      return SN_OK;
    }
  }
  return SN_NOT_CONVERGED;
}

// ------------------------------------------------------------------ the plugin

static const sn_solver_ops cg_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .flags = SN_SOLVER_RECURSIVE,
            .summary = "conjugate gradients on accelerations, exact line search",
            .params = linesearch_params,
            .create = linesearch_create,
            .destroy = solver_destroy },
  .solve = cg_solve,
};

static const sn_provide cg_provides[] = {
  SN_PROVIDE_SOLVER("cg", &cg_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "cg", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "conjugate gradient solver of the constraint problem", .provides = cg_provides)
