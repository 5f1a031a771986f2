// SPDX-License-Identifier: Apache-2.0
//
// One iteration of Newton's method; see iterate.h.

#include "iterate.h"

#include <float.h>
#include <math.h>

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

double newton_rounding(const primal *p) {
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

sn_status newton_iterate(const solver_instance *self, primal *p, hessian *h, progress *g,
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
    double noise = newton_rounding(p);
    done = g->norm <= noise || (ls.decrease <= step * length(p) * noise && !(g->norm < 0.5 * norm));
  }
  return done ? SN_OK : SN_NOT_CONVERGED;
}
