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

#include "primal.h"

typedef struct slope {
  double first, second;   // derivatives
} slope;

// Terms that stay quadratic: derivatives at step 0.
static slope constant_terms(const primal *p) {
  const sn_problem *q = p->problem;
  slope s = { 0, 0 };
  for (int64_t i = 0; i < q->nv; i++) {
    s.first += p->search[i] * (p->Mx[i] - q->qfrc_smooth[i]);
    s.second += p->search[i] * p->Msearch[i];
  }
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
    const double *root = p->root_D + cone->row, *z = p->jar + cone->row;
    const double *dz = p->Jsearch + cone->row;
    cone_line line = { .w0 = root[0] * z[0], .v0 = root[0] * dz[0] };
    for (int32_t i = 1; i < cone->dim; i++) {
      double w = root[i] * z[i], v = root[i] * dz[i];
      line.tt += w * w;
      line.tv += w * v;
      line.vv += v * v;
    }
    p->line[k] = line;
  }
}

static void add_friction(const primal *p, double step, slope *s) {
  const sn_problem *q = p->problem;
  for (int64_t i = q->ne; i < q->ne + q->nf; i++) {
    double v = p->Jsearch[i], f = -q->D[i] * (p->jar[i] + step * v), eta = q->frictionloss[i];
    if (f >= eta) {
      s->first -= eta * v;
    } else if (f <= -eta) {
      s->first += eta * v;
    } else {
      s->first -= f * v;
      s->second += q->D[i] * v * v;
    }
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

static void add_cone(const cone_line *line, double mu, double step, slope *s) {
  double N = -(line->w0 + step * line->v0);
  double TT = line->tt + step * (2 * line->tv + step * line->vv);
  double T = TT > 0 ? sqrt(TT) : 0, h = N + mu * T;
  if (h <= 0) {
    return;
  }
  double tv = line->tv + step * line->vv;
  if (T <= mu * N) {
    s->first += tv - N * line->v0;
    s->second += line->vv + line->v0 * line->v0;
    return;
  }
  double dT = tv / T, dh = mu * dT - line->v0, scale = 1 / (1 + mu * mu);
  s->first += scale * h * dh;
  s->second += scale * (dh * dh + mu * h * fmax(0, line->vv - dT * dT) / T);
}

static slope evaluate(line_search *ls, const primal *p, slope constant, double step) {
  const sn_problem *q = p->problem;
  slope s = { constant.first + step * constant.second, constant.second };
  add_friction(p, step, &s);
  int64_t row = q->ne + q->nf;
  for (int64_t k = 0; k < q->ncone; k++) {
    add_unilateral(p, row, q->cone[k].row, step, &s);
    add_cone(&p->line[k], q->cone[k].mu, step, &s);
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
  double length = 0;
  for (int64_t i = 0; i < q->nv; i++) {
    length += p->search[i] * p->search[i];
  }
  return fmax(ls->tolerance * q->tolerance * sqrt(length) / q->scale, -1e-12 * first);
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
