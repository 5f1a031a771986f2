// SPDX-License-Identifier: Apache-2.0
//
// The semismooth Newton method of active.h. Start from here:
//
//   active_solve   the loop
//   measure        states, and the error of the law
//   linearize      push and C
//   find_step      the step

#include "active.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/numerics/sparse.h"

typedef active_unit unit;

// ------------------------------------------------------------------ memory

// About the acceleration of a row by a unit force, and the length of the row.
static double compliance(active *s, int64_t row) {
  const sn_problem *q = s->problem;
  const sn_inertia *m = q->inertia;
  double sum = 0, square = 0;
  for (int32_t k = q->J.adr[row]; k < q->J.adr[row] + q->J.nnz[row]; k++) {
    const double entry = s->S[row] * q->J.val[k];
    square += entry * entry;
    sum += entry * entry / m->M[m->adr[q->J.col[k]]];
  }
  s->size[row] = sqrt(square);
  return fmax(sum, DBL_MIN);
}

static void find_units(active *s) {
  const sn_problem *q = s->problem;
  int32_t cone = 0;
  for (int32_t row = 0; row < q->nefc;) {
    unit *k = &s->unit[s->nunit++];
    const double eta = q->frictionloss[row];
    const int is_equality = row < q->ne, is_loss = !is_equality && row < q->ne + q->nf;
    *k = (unit){ .row = row, .n = 1, .cone = -1 };
    k->low = is_equality ? -HUGE_VAL : is_loss ? -eta : 0;
    k->high = is_loss ? eta : HUGE_VAL;
    s->S[row] = 1;
    k->rho[0] = 1 / compliance(s, row);
    if (cone < q->ncone && q->cone[cone].row == row) {
      double most = 0;
      k->cone = cone;
      k->n = q->cone[cone].dim;
      for (int32_t i = 1; i < k->n; i++) {
        s->S[row + i] = q->cone[cone].friction[i - 1];
        most = fmax(most, compliance(s, row + i));
      }
      k->rho[1] = 1 / most;
      cone++;
    }
    row += k->n;
  }
}

static void regularize(active *s, double level) {
  const sn_problem *q = s->problem;
  for (int64_t i = 0; i < q->nefc; i++) {
    s->R[i] = s->S[i] * s->S[i] * fmax(q->R[i], level / s->D[i]);
  }
}

sn_status active_make(active *s, const primal *p, hessian *h, const double *D, sn_scratch *mem) {
  const sn_problem *q = p->problem;
  *s = (active){ .problem = q, .primal = p, .h = h, .D = D };
  double **rows[] = { &s->S,    &s->R,    &s->size,   &s->x,     &s->y,
                      &s->push, &s->rest, &s->weight, &s->scaled };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SN_ALLOC(*rows[i], mem, q->nefc);
    memset(*rows[i], 0, (size_t)q->nefc * sizeof(double));
  }
  SN_ALLOC(s->a, mem, q->nv);
  SN_ALLOC(s->da, mem, q->nv);
  SN_ALLOC(s->sum, mem, q->nv);
  SN_ALLOC(s->block, mem, 36 * q->ncone);
  SN_ALLOC(s->unit, mem, q->nefc);
  find_units(s);
  regularize(s, 0);
  return SN_OK;
}

// ------------------------------------------------------------------ products with J

// y = S J a
static void multiply(const active *s, const double *a, double *y) {
  groups_multiply(&s->primal->groups, a, y);
  for (int64_t i = 0; i < s->problem->nefc; i++) {
    y[i] *= s->S[i];
  }
}

// y = J' S x
static void multiply_transposed(const active *s, const double *x, double *y) {
  for (int64_t i = 0; i < s->problem->nefc; i++) {
    s->scaled[i] = s->S[i] * x[i];
  }
  groups_multiply_transposed(&s->primal->groups, s->scaled, y);
}

static void locate(active *s, const double *a) {
  multiply(s, a, s->y);
  for (int64_t i = 0; i < s->problem->nefc; i++) {
    s->y[i] -= s->S[i] * s->problem->aref[i];
  }
}

// The forces that belong to y by the law.
static void find_forces(const active *s, double *x) {
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    const int32_t row = t->row;
    const double *y = s->y + row, *R = s->R + row, slip = lorentz_norm(t->n, y);
    x[row] = fmin(fmax(-y[0] / R[0], t->low), t->high);
    for (int32_t i = 1; i < t->n; i++) {
      x[row + i] = slip > 0 ? -fmin(x[row], slip / R[1]) * y[i] / slip : 0;
    }
  }
}

void active_forces(active *s, const double *a, double *x) {
  locate(s, a);
  find_forces(s, x);
}

// ------------------------------------------------------------------ states

static int32_t measure_row(active *s, unit *t) {
  const int32_t row = t->row;
  const double x = s->x[row], p = x - t->rho[0] * (s->y[row] + s->R[row] * x);
  s->rest[row] = x - fmin(fmax(p, t->low), t->high);
  return p < t->low    ? t->low == 0 ? SN_ROWSTATE_SATISFIED : SN_ROWSTATE_LINEARPOS
         : p > t->high ? SN_ROWSTATE_LINEARNEG
                       : SN_ROWSTATE_QUADRATIC;
}

static int32_t measure_cone(active *s, unit *t) {
  const int32_t n = t->n;
  const double *x = s->x + t->row, *y = s->y + t->row, *R = s->R + t->row;
  double *rest = s->rest + t->row;
  t->p = x[0] - t->rho[0] * (y[0] + R[0] * x[0]);
  if (t->p <= 0) {
    memcpy(rest, x, (size_t)n * sizeof *x);
    return SN_ROWSTATE_SATISFIED;
  }
  for (int32_t i = 1; i < n; i++) {
    t->q[i] = x[i] - t->rho[1] * (y[i] + R[i] * x[i]);
  }
  const double length = lorentz_norm(n, t->q), share = length > t->p ? t->p / length : 1;
  rest[0] = x[0] - t->p;
  for (int32_t i = 1; i < n; i++) {
    rest[i] = x[i] - share * t->q[i];
  }
  const int slides = s->is_projected ? share < 1 : lorentz_norm(n, y) > R[1] * t->p;
  return slides ? SN_ROWSTATE_CONE : SN_ROWSTATE_QUADRATIC;
}

static void find_states(active *s) {
  for (int64_t k = 0; k < s->nunit; k++) {
    unit *t = &s->unit[k];
    t->state = t->cone < 0 ? measure_row(s, t) : measure_cone(s, t);
  }
}

// States and the error at the point.
static void judge(active *s) {
  const sn_problem *q = s->problem;
  find_states(s);
  multiply_transposed(s, s->rest, s->sum);
  double square = 0, noise = 0;
  for (int64_t i = 0; i < q->nv; i++) {
    square += s->sum[i] * s->sum[i];
  }
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    for (int32_t i = t->row; i < t->row + t->n; i++) {
      const double rate = fabs(s->y[i]) + s->S[i] * fabs(q->aref[i]);
      const double sum = s->size[i] * (fabs(s->x[i]) + t->rho[i > t->row] * rate);
      noise += sum * sum;
    }
  }
  s->error = sqrt(square);
  s->terms = sqrt(noise);
  s->rounding = DBL_EPSILON * s->terms;
}

static void measure(active *s) {
  locate(s, s->a);
  judge(s);
}

// ------------------------------------------------------------------ Newton's method

// A contact that slides, |y_t| x_t = -p_0 y_t, where p_0 is x_0 after the step.
static void linearize_slip(const active *s, const unit *t, double *push, double *C) {
  const int32_t n = t->n, row = t->row;
  const double *x = s->x + row, *y = s->y + row, *S = s->S + row, *R = s->R + row;
  const double slip = lorentz_norm(n, y), bend = t->p / slip;
  const double size = fmax(t->p, lorentz_norm(n, x));
  for (int32_t i = 1; i < n; i++) {
    const double u = y[i] / slip, v = x[i] / size;
    push[i] = -x[i] - u * (x[0] + push[0]);
    C[i * n] = -S[i] * u / R[0];
    for (int32_t j = 1; j < n; j++) {
      const double both = 0.5 * (v * y[j] / slip + u * x[j] / size);
      C[i * n + j] = S[i] * S[j] * bend * ((i == j) + both);
    }
  }
}

// The same by the projection: with d = q / |q|, x_t = d x_0 + p_0 / |q| (1 - d d') q.
static void linearize_projection(const active *s, const unit *t, double *push, double *C) {
  const int32_t n = t->n, row = t->row;
  const double *x = s->x + row, *S = s->S + row, *R = s->R + row;
  const double length = lorentz_norm(n, t->q), part = t->p / length;
  const double rest = 1 - part * (1 - t->rho[1] * R[1]), bend = part * t->rho[1] / rest;
  double along = 0, d[LORENTZ_MOST];
  for (int32_t i = 1; i < n; i++) {
    d[i] = t->q[i] / length;
    along += d[i] * x[i];
  }
  for (int32_t i = 1; i < n; i++) {
    push[i] = d[i] * (x[0] + push[0] - along) - (x[i] - along * d[i]) / rest;
    C[i * n] = S[i] * d[i] / R[0];
    for (int32_t j = 1; j < n; j++) {
      C[i * n + j] = S[i] * S[j] * bend * ((i == j) - d[i] * d[j]);
    }
  }
}

static void linearize_cone(const active *s, const unit *t) {
  const int32_t n = t->n, row = t->row;
  const double *x = s->x + row, *y = s->y + row, *R = s->R + row, *S = s->S + row;
  double *C = s->block + 36 * (int64_t)t->cone, *push = s->push + row;
  memset(C, 0, (size_t)(n * n) * sizeof *C);
  if (t->state == SN_ROWSTATE_SATISFIED) {
    for (int32_t i = 0; i < n; i++) {
      push[i] = -x[i];
    }
    return;
  }
  for (int32_t i = 0; i < n; i++) {
    push[i] = -(x[i] + y[i] / R[i]);
    C[i * n + i] = S[i] * S[i] / R[i];
  }
  if (t->state == SN_ROWSTATE_CONE && s->is_projected) {
    linearize_projection(s, t, push, C);
  } else if (t->state == SN_ROWSTATE_CONE) {
    linearize_slip(s, t, push, C);
  }
}

static void linearize(active *s) {
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    const int32_t row = t->row;
    if (t->cone >= 0) {
      linearize_cone(s, t);
    } else if (t->state == SN_ROWSTATE_QUADRATIC) {
      s->weight[row] = 1 / s->R[row];
      s->push[row] = -(s->x[row] + s->y[row] / s->R[row]);
    } else {
      s->weight[row] = 0;
      s->push[row] = (t->state == SN_ROWSTATE_LINEARNEG ? t->high : t->low) - s->x[row];
    }
  }
}

static int some_slip(const active *s) {
  int64_t k = 0;
  while (k < s->nunit && s->unit[k].state != SN_ROWSTATE_CONE) {
    k++;
  }
  return k < s->nunit;
}

// da = -H^-1 sum. H is symmetric where nothing slides.
static void solve(active *s) {
  hessian *h = s->h;
  double *upper = h->upper;
  h->weight = s->weight;
  h->block = s->block;
  h->upper = some_slip(s) ? upper : NULL;
  hessian_assemble(h);
  if (h->upper) {
    lu_factor(h);
  } else {
    hessian_factor(h);
  }
  hessian_solve(h, s->sum, s->da);
  h->upper = upper;
  h->weight = h->block = NULL;
}

// push becomes dx = push - C dy, with J da.
static void follow(const active *s, const unit *t, const double *Jda) {
  const int32_t row = t->row, n = t->n;
  if (t->cone < 0) {
    s->push[row] -= s->weight[row] * Jda[row];
    return;
  }
  const double *C = s->block + 36 * (int64_t)t->cone;
  for (int32_t i = 0; i < n; i++) {
    s->push[row + i] -= lorentz_dot(n, C + i * n, Jda + row) / s->S[row + i];
  }
}

// The step, in da and push. Returns whether numbers are finite.
static int find_step(active *s) {
  const sn_problem *q = s->problem;
  for (int64_t i = 0; i < q->nefc; i++) {
    s->rest[i] = s->x[i] + s->push[i];
  }
  multiply_transposed(s, s->rest, s->sum);
  sn_tree_multiply(q->inertia, s->a, s->da);
  for (int64_t i = 0; i < q->nv; i++) {
    s->sum[i] = s->da[i] - q->qfrc_smooth[i] - s->sum[i];
  }
  solve(s);
  groups_multiply(&s->primal->groups, s->da, s->scaled);
  for (int64_t k = 0; k < s->nunit; k++) {
    follow(s, &s->unit[k], s->scaled);
  }
  double sum = 0;
  for (int64_t i = 0; i < q->nv; i++) {
    sum += s->a[i] + s->da[i];
  }
  for (int64_t i = 0; i < q->nefc; i++) {
    sum += s->x[i] + s->push[i];
  }
  return isfinite(sum);
}

static void move(active *s, double length) {
  const sn_problem *q = s->problem;
  for (int64_t i = 0; i < q->nv; i++) {
    s->a[i] += length * s->da[i];
  }
  for (int64_t i = 0; i < q->nefc; i++) {
    s->x[i] += length * s->push[i];
  }
  measure(s);
}

static int32_t count_changes(const active *s) {
  int32_t n = 0;
  for (int64_t k = 0; k < s->nunit; k++) {
    n += s->unit[k].state != s->unit[k].before;
  }
  return n;
}

// Makes the step, or such a part of it that half of the states that would change do.
static void advance(active *s) {
  static const double shortest = 0.05;
  for (int64_t k = 0; k < s->nunit; k++) {
    s->unit[k].before = s->unit[k].state;
  }
  s->length = 1;
  move(s, 1);
  const int32_t all = s->is_careful ? count_changes(s) : 0;
  for (int32_t n = all; n > 1 && n > all / 2 && s->length > shortest; n = count_changes(s)) {
    s->length *= 0.5;
    move(s, -s->length);
  }
}

// ------------------------------------------------------------------ the loop

static void finish(const active *s, sn_solution *solution) {
  memcpy(solution->qacc, s->a, (size_t)s->problem->nv * sizeof *s->a);
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    for (int32_t i = t->row; i < t->row + t->n; i++) {
      solution->state[i] = t->state;
      solution->force[i] = t->state == SN_ROWSTATE_SATISFIED ? 0 : s->S[i] * s->x[i];
    }
  }
}

static void report(const active *s, sn_solution *solution) {
  if (solution->iteration && solution->iterations < solution->ncapacity) {
    solution->iteration[solution->iterations] = (sn_iteration){ .gradient = s->problem->scale *
                                                                            s->error };
  }
  solution->iterations++;
}

void active_place(active *s, const double *a, const double *x) {
  memcpy(s->a, a, (size_t)s->problem->nv * sizeof *a);
  memcpy(s->x, x, (size_t)s->problem->nefc * sizeof *x);
  measure(s);
}

void active_soften(active *s, double level) {
  regularize(s, level);
  judge(s);
}

// Forces x of the level at which those that belong to a by the law are nearest to balance; returns
// the level. Where bodies rest, it is that of the last step.
static double find_level(active *s) {
  static const double smaller = 0.1;
  const sn_problem *q = s->problem;
  double lowest = 1, least = HUGE_VAL, best = 1;
  for (int64_t i = 0; i < q->nefc; i++) {
    lowest = fmin(lowest, q->R[i] * s->D[i]);
  }
  locate(s, s->a);
  sn_tree_multiply(q->inertia, s->a, s->da);
  for (double level = 1; level > smaller * lowest; level *= smaller) {
    regularize(s, level);
    find_forces(s, s->x);
    multiply_transposed(s, s->x, s->sum);
    double square = 0;
    for (int64_t i = 0; i < q->nv; i++) {
      const double off = s->da[i] - q->qfrc_smooth[i] - s->sum[i];
      square += off * off;
    }
    if (square < least) {
      least = square;
      best = level;
    }
  }
  best = best > lowest ? best : 0;
  regularize(s, best);
  find_forces(s, s->x);
  judge(s);
  return best;
}

double active_start(active *s, const sn_solution *solution, double imbalance) {
  static const double small = 0.1;   // part of the terms of the dynamics
  for (int64_t i = 0; i < s->problem->nefc; i++) {
    s->push[i] = solution->force[i] / s->S[i];
  }
  active_place(s, solution->qacc, s->push);
  if (imbalance <= small * s->terms) {
    return 0;
  }
  memcpy(s->a, s->problem->qacc_start, (size_t)s->problem->nv * sizeof *s->a);
  return find_level(s);
}

int active_step(active *s, sn_solution *solution) {
  linearize(s);
  const int is_finite = find_step(s);
  if (is_finite) {
    advance(s);
    report(s, solution);
  }
  return is_finite;
}

// |M (a - a0) - J'f|: what the rounding of a step leaves, much where it was large.
static double imbalance(active *s) {
  double square = 0;
  multiply_transposed(s, s->x, s->sum);
  sn_tree_multiply(s->problem->inertia, s->a, s->da);
  for (int64_t i = 0; i < s->problem->nv; i++) {
    const double off = s->da[i] - s->problem->qfrc_smooth[i] - s->sum[i];
    square += off * off;
  }
  return sqrt(square);
}

// What the rounding of J a leaves in the error, where much of it cancels.
static double product_rounding(const active *s) {
  const sn_problem *q = s->problem;
  double square = 0;
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    for (int32_t i = t->row; i < t->row + t->n; i++) {
      const sn_sparse_row J = sn_sparse_row_at(&q->J, i);
      double rate = 0;
      for (int32_t j = 0; j < J.n; j++) {
        rate += fabs(J.val[j] * s->a[J.col[j]]);
      }
      const double term = s->size[i] * t->rho[i > t->row] * s->S[i] * rate;
      square += term * term;
    }
  }
  return DBL_EPSILON * sqrt(square);
}

sn_status active_solve(active *s, int32_t most, int32_t some, sn_solution *solution) {
  enum { STALE = 2 };   // iterations without progress after which rounding may be the cause
  const sn_problem *q = s->problem;
  sn_status status = SN_NOT_CONVERGED;
  double least = HUGE_VAL, rounding = 0;
  int32_t idle = 0;
  for (int32_t k = 0; k < most && solution->iterations < q->iterations; k++) {
    if (!active_step(s, solution)) {
      break;
    }
    const double enough = fmax(q->tolerance / q->scale, fmax(s->rounding, rounding));
    const int is_near = s->error <= enough && rounding == 0;
    const double error = is_near ? fmax(s->error, imbalance(s)) : s->error;
    idle = error > 0.5 * least ? idle + 1 : 0;
    rounding = idle == STALE ? product_rounding(s) : rounding;
    if (s->length == 1 && error <= enough && (status != SN_OK || error < least)) {
      finish(s, solution);
      status = SN_OK;
    }
    least = fmin(least, error);
    if (least <= fmax(COULOMB_FINE * enough, s->rounding) || idle > (status == SN_OK ? 0 : some)) {
      break;
    }
  }
  return status;
}
