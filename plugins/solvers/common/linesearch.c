// SPDX-License-Identifier: Apache-2.0
//
// Exact line search: the root of the slope of a convex, piecewise smooth function, by Newton's
// method in one dimension with analytic second derivatives, inside a bracket. Where a Newton step
// leaves the bracket, or does not shrink it by half in two steps, the middle takes its place
// (Press et al., Numerical Recipes, section 9.4).
//
// Everything that is quadratic along the whole line, the Gauss term and equality rows, is summed
// up once; friction loss, unilateral rows and cones are evaluated at each step.

#include <math.h>

#include "dot.h"
#include "primal.h"
#include "sinew/math.h"

typedef sn_penalty_slope slope;

// Terms that stay quadratic: derivatives at step 0.
static slope constant_terms(const primal *p) {
  const sn_problem *q = p->problem;
  slope s = { .first = dot_difference(q->nv, p->search, p->Mx, q->qfrc_smooth),
              .second = dot(q->nv, p->search, p->Msearch) };
  for (int64_t i = 0; i < q->ne; i++) {
    double Dv = q->D[i] * p->Jsearch[i];
    s.first += Dv * p->jar[i];
    s.second += Dv * p->Jsearch[i];
  }
  return s;
}

static void prepare_cones(primal *p) {
  for (int64_t k = 0; k < p->problem->ncone; k++) {
    const sn_cone *cone = &p->problem->cone[k];
    p->line[k] = sn_penalty_cone_line(cone->dim, p->root_D + cone->row, p->jar + cone->row,
                                      p->Jsearch + cone->row);
  }
}

static void add_friction(const primal *p, double step, slope *s) {
  const sn_problem *q = p->problem;
  for (int64_t i = q->ne; i < q->ne + q->nf; i++) {
    sn_penalty_friction_slope(q->D[i], q->frictionloss[i], p->jar[i], p->Jsearch[i], step, s);
  }
}

static void add_unilateral(const primal *p, int64_t begin, int64_t end, double step, slope *s) {
  const double *D = p->problem->D;
  double first = 0, second = 0;
  for (int64_t i = begin; i < end; i++) {
    double v = p->Jsearch[i], z = p->jar[i] + step * v;
    double Dv = z < 0 ? D[i] * v : 0;
    first += Dv * z;
    second += Dv * v;
  }
  s->first += first;
  s->second += second;
}

static slope evaluate(line_search *ls, const primal *p, slope constant, double step) {
  const sn_problem *q = p->problem;
  slope s = { constant.first + step * constant.second, constant.second };
  add_friction(p, step, &s);
  int64_t row = q->ne + q->nf;
  for (int64_t k = 0; k < q->ncone; k++) {
    add_unilateral(p, row, q->cone[k].row, step, &s);
    sn_penalty_cone_slope(&p->line[k], q->cone[k].mu, step, &s);
    row = q->cone[k].row + q->cone[k].dim;
  }
  add_unilateral(p, row, q->nefc, step, &s);
  ls->neval++;
  return s;
}

// The slope that counts for nothing among gradients that are within the solver's tolerance; of the
// first one, the least part that rounding leaves.
static double enough_slope(const line_search *ls, const primal *p, double first) {
  const sn_problem *q = p->problem;
  const double length = sqrt(dot(q->nv, p->search, p->search));
  return sn_max(ls->tolerance * q->tolerance * length / q->scale, -1e-12 * first);
}

// The root of the slope, which is s at step 0; 0 when none was found.
static double find_root(line_search *ls, const primal *p, slope constant, slope s) {
  // low: where the slope is still negative; high: where it is not
  double enough = enough_slope(ls, p, s.first), low = 0, high = HUGE_VAL;
  double step = ls->first > 0 ? ls->first : -s.first / s.second;
  double before = HUGE_VAL, width = HUGE_VAL;
  while (ls->neval < ls->iterations) {
    s = evaluate(ls, p, constant, step);
    ls->slope = s.first;
    if (fabs(s.first) <= enough) {
      return step;
    }
    if (s.first < 0) {
      low = step;
    } else {
      high = step;
    }
    double next = step - s.first / s.second;
    if (high < HUGE_VAL && (!(next > low && next < high) || high - low > 0.5 * before)) {
      next = 0.5 * (low + high);
    }
    before = width;
    width = high - low;
    if (next == step) {
      return step;
    }
    step = next;
  }
  return low;
}

double line_search_run(line_search *ls, primal *p) {
  ls->neval = 0;
  ls->decrease = 0;
  slope constant = constant_terms(p);
  prepare_cones(p);
  slope s = evaluate(ls, p, constant, 0);
  ls->slope = s.first;
  if (!isfinite(s.first) || !isfinite(s.second)) {
    return NAN;
  }
  if (!(s.first < 0) || !(s.second > 0)) {
    return 0;
  }
  double step = find_root(ls, p, constant, s);
  ls->decrease = -0.5 * step * (s.first + ls->slope);
  return step;
}
