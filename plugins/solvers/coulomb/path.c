// SPDX-License-Identifier: Apache-2.0
//
// Following the path of interior points; see path.h. Start from here:
//
//   path_solve   the loop
//   linearize    scaling, C = S (B^-1 W^2 + R)^-1 S, and H
//   respond      the derivative by mu, and the correction: two solutions with H
//   advance      the step along both

#include "path.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "active.h"

enum { EQUALITY, LOSS, CONE };   // kinds of units

// A row, or the rows of an elliptic contact.
typedef struct unit {
  int32_t row, n, kind;
  int32_t cone;     // index of the cone, -1: none
  scaling w;
  double *K;        // n x n; (W^2 + B R)^-1, of cones
} unit;

// What a change does: to accelerations, to forces, to what complements them.
typedef struct direction {
  double *a, *x, *v, *u;
} direction;

typedef struct path {
  const sn_problem *problem;
  primal *primal;
  hessian *h;
  unit *unit;
  int64_t nunit, npair;
  double *S, *R;            // nefc; scale of rows, regularizers of scaled rows
  double *a, *Ma;           // nv
  double *x, *v, *u;        // nefc; u: second multiplier of friction loss
  double *y, *rest;         // nefc; rest: y + R x + (s, 0) - v
  double *slope;            // nefc; (w + e g) / s
  double *lambda;           // nefc; W x = W^-1 v
  double *weight, *block;   // C, see hessian.h
  double *push, *move;      // nefc, scratch
  double *dynamics;         // nv; M (a - a0) - J'f
  double *sum;              // nv, scratch
  direction tangent, newton;
  double mu, gap, error, imbalance;
  double noise, rounding;   // what rounding leaves of gap and error, and of imbalance
  int32_t sign;
  int32_t reserved;
} path;

// ------------------------------------------------------------------ memory

static sn_status direction_make(direction *d, const sn_problem *q, sn_scratch *mem) {
  SN_ALLOC(d->a, mem, q->nv);
  SN_ALLOC(d->x, mem, q->nefc);
  SN_ALLOC(d->v, mem, q->nefc);
  SN_ALLOC(d->u, mem, q->nefc);
  memset(d->u, 0, (size_t)q->nefc * sizeof *d->u);
  return SN_OK;
}

static sn_status find_units(path *s, sn_scratch *mem) {
  const sn_problem *q = s->problem;
  int32_t cone = 0;
  SN_ALLOC(s->unit, mem, q->nefc);
  for (int32_t row = 0; row < q->nefc;) {
    unit *k = &s->unit[s->nunit++];
    *k = (unit){ .row = row, .n = 1, .cone = -1 };
    k->kind = row < q->ne ? EQUALITY : row < q->ne + q->nf ? LOSS : CONE;
    s->npair += k->kind == CONE ? 1 : k->kind == LOSS ? 2 : 0;
    s->S[row] = 1;
    s->R[row] = q->R[row];
    if (cone < q->ncone && q->cone[cone].row == row) {
      k->cone = cone;
      k->n = q->cone[cone].dim;
      SN_ALLOC(k->K, mem, k->n * k->n);
      for (int32_t i = 1; i < k->n; i++) {
        s->S[row + i] = q->cone[cone].friction[i - 1];
        s->R[row + i] = q->R[row + i] * s->S[row + i] * s->S[row + i];
      }
      cone++;
    }
    row += k->n;
  }
  return SN_OK;
}

static sn_status path_make(path *s, primal *p, hessian *h, sn_scratch *mem) {
  const sn_problem *q = p->problem;
  *s = (path){ .problem = q, .primal = p, .h = h, .a = p->x };
  double **rows[] = { &s->S,     &s->R,      &s->x,      &s->v,    &s->u,   &s->y,
                      &s->slope, &s->lambda, &s->weight, &s->push, &s->move, &s->rest };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    SN_ALLOC(*rows[i], mem, q->nefc);
    memset(*rows[i], 0, (size_t)q->nefc * sizeof(double));
  }
  SN_ALLOC(s->Ma, mem, q->nv);
  SN_ALLOC(s->dynamics, mem, q->nv);
  SN_ALLOC(s->sum, mem, q->nv);
  SN_ALLOC(s->block, mem, 36 * q->ncone);
  SN_TRY(direction_make(&s->tangent, q, mem));
  SN_TRY(direction_make(&s->newton, q, mem));
  return find_units(s, mem);
}

// ------------------------------------------------------------------ products with J

// y = S J a
static void multiply(const path *s, const double *a, double *y) {
  groups_multiply(&s->primal->groups, a, y);
  for (int64_t i = 0; i < s->problem->nefc; i++) {
    y[i] *= s->S[i];
  }
}

// y = J' S x
static void multiply_transposed(const path *s, const double *x, double *y) {
  for (int64_t i = 0; i < s->problem->nefc; i++) {
    s->move[i] = s->S[i] * x[i];
  }
  groups_multiply_transposed(&s->primal->groups, s->move, y);
}

// ------------------------------------------------------------------ the point

static void locate(path *s) {
  multiply(s, s->a, s->y);
  for (int64_t i = 0; i < s->problem->nefc; i++) {
    s->y[i] -= s->S[i] * s->problem->aref[i];
  }
}

// A point inside of all cones, with accelerations as they are and forces of about their size.
static void start(path *s, const double *force, double inside) {
  const sn_problem *q = s->problem;
  locate(s);
  double rate = DBL_MIN, normal = DBL_MIN;
  for (int64_t k = 0; k < s->nunit; k++) {
    rate += inside * fabs(s->y[s->unit[k].row]) / (double)s->nunit;
    normal += inside * fabs(force[s->unit[k].row]) / (double)s->nunit;
  }
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    const int32_t row = t->row;
    double *x = s->x + row, *v = s->v + row, *y = s->y + row;
    if (t->kind == EQUALITY) {
      x[0] = force[row];
    } else if (t->kind == LOSS) {
      const double eta = q->frictionloss[row];
      x[0] = fmax(-0.5 * eta, fmin(0.5 * eta, force[row]));
      v[0] = rate + fmax(0, -y[0]);
      s->u[row] = rate + fmax(0, y[0]);
    } else {
      for (int32_t i = 0; i < t->n; i++) {
        x[i] = force[row + i] / s->S[row + i];
        v[i] = y[i] + s->R[row + i] * x[i];
      }
      const double slip = lorentz_norm(t->n, v);
      x[0] = fmax(x[0], lorentz_norm(t->n, x)) + normal;
      v[0] = fmax(v[0], 0) + slip + rate;
    }
  }
}

// Residuals, mu, and what rounding leaves of them.
static void measure(path *s) {
  static const double rounding = 100 * DBL_EPSILON;   // of the sums in rest
  const sn_problem *q = s->problem;
  s->gap = s->error = s->noise = 0;
  locate(s);
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    const int32_t row = t->row, n = t->n;
    double *rest = s->rest + row;
    const double *x = s->x + row, *v = s->v + row;
    for (int32_t i = 0; i < n; i++) {
      rest[i] = s->y[row + i] + s->R[row + i] * x[i];
    }
    if (t->cone >= 0) {
      const double slip = lorentz_norm(n, rest);
      for (int32_t i = 1; i < n; i++) {
        s->slope[row + i] = slip > 0 ? rest[i] / slip : 0;
      }
      rest[0] += slip;
    }
    double size = 0;
    for (int32_t i = 0; i < n; i++) {
      size += fabs(s->y[row + i]) + s->S[row + i] * fabs(q->aref[row + i]);
      rest[i] += s->u[row] * -(t->kind == LOSS) - v[i] * (t->kind == CONE) +
                 v[i] * (t->kind == LOSS);
      s->error += fabs(rest[i] * x[0]);
    }
    s->noise += rounding * fabs(x[0]) * size;
    const double eta = q->frictionloss[row];
    s->gap += t->kind == CONE   ? lorentz_dot(n, x, v)
              : t->kind == LOSS ? (eta - x[0]) * v[0] + (eta + x[0]) * s->u[row]
                                : 0;
  }
  s->mu = s->npair ? s->gap / (double)s->npair : 0;
  multiply_transposed(s, s->x, s->sum);
  sn_tree_multiply(q->inertia, s->a, s->Ma);
  double square = 0, terms = 0;
  for (int64_t i = 0; i < q->nv; i++) {
    const double inertial = s->Ma[i], smooth = q->qfrc_smooth[i], constraint = s->sum[i];
    s->dynamics[i] = inertial - smooth - constraint;
    square += s->dynamics[i] * s->dynamics[i];
    terms += inertial * inertial + smooth * smooth + constraint * constraint;
  }
  s->imbalance = sqrt(square);
  s->rounding = DBL_EPSILON * sqrt(terms);
}

// ------------------------------------------------------------------ Newton's method

// K = (W^2 + B R)^-1 and C = S K B S of a contact, where B adds slope' of the friction rows to the
// first row. Returns the number of negative pivots.
static int32_t linearize_cone(path *s, unit *t) {
  const int32_t n = t->n, row = t->row;
  const double *slope = s->slope + row, *R = s->R + row, *S = s->S + row;
  double *C = s->block + 36 * (int64_t)t->cone;
  lorentz_square(n, &t->w, t->K);
  for (int32_t i = 0; i < n; i++) {
    t->K[i * n + i] += R[i];
    t->K[i] += i ? slope[i] * R[i] : 0;
  }
  const int32_t negative = lorentz_invert(n, t->K);
  for (int32_t i = 0; i < n; i++) {
    const double *K = t->K + i * n;
    for (int32_t j = 0; j < n; j++) {
      C[i * n + j] = S[i] * S[j] * (K[j] + (j ? K[0] * slope[j] : 0));
    }
  }
  return negative;
}

static void linearize(path *s) {
  int32_t negative = 0;
  for (int64_t k = 0; k < s->nunit; k++) {
    unit *t = &s->unit[k];
    const int32_t row = t->row;
    const double *x = s->x + row, *v = s->v + row, eta = s->problem->frictionloss[row];
    if (t->kind == EQUALITY) {
      s->weight[row] = 1 / s->R[row];
    } else if (t->kind == LOSS) {
      const double stiff = v[0] / (eta - x[0]) + s->u[row] / (eta + x[0]);
      s->weight[row] = 1 / (s->R[row] + stiff);
    } else if (t->cone < 0) {
      t->w = (scaling){ .root = sqrt(v[0] / x[0]), .p = { 1 } };
      s->lambda[row] = sqrt(x[0] * v[0]);
      s->weight[row] = 1 / (s->R[row] + v[0] / x[0]);
    } else {
      t->w = lorentz_scaling(t->n, x, v);
      lorentz_scale(t->n, &t->w, x, s->lambda + row);
      negative += linearize_cone(s, t);
    }
  }
  s->h->weight = s->weight;
  s->h->block = s->block;
  hessian_assemble(s->h);
  s->sign = lu_factor(s->h) * (negative % 2 ? -1 : 1);
}

// What a unit of friction loss would do if its acceleration did not change: its two pairs are
// brought to `target`; with_rest: from where they are, else by a change of that size.
static void push_loss(path *s, const unit *t, direction *d, int with_rest) {
  const int32_t row = t->row;
  const double eta = s->problem->frictionloss[row], x = s->x[row];
  const double above = eta - x, below = eta + x;
  d->v[row] = (s->mu - with_rest * above * s->v[row]) / above;
  d->u[row] = (s->mu - with_rest * below * s->u[row]) / below;
  s->push[row] = s->weight[row] * (d->u[row] - d->v[row] - with_rest * s->rest[row]);
}

// The same of a cone.
static void push_cone(path *s, const unit *t, int with_rest) {
  const int32_t row = t->row, n = t->n;
  double r[LORENTZ_MOST] = { s->mu }, q[LORENTZ_MOST], w[LORENTZ_MOST];
  const double *l = s->lambda + row;
  if (with_rest) {
    r[0] -= lorentz_dot(n, l, l);
    for (int32_t i = 1; i < n; i++) {
      r[i] = -2 * l[0] * l[i];
    }
  }
  lorentz_divide(n, l, r, q);
  lorentz_scale(n, &t->w, q, w);
  for (int32_t i = 0; i < n; i++) {
    w[i] -= with_rest * s->rest[row + i];
  }
  for (int32_t i = 0; i < n; i++) {
    s->push[row + i] = t->cone < 0 ? s->weight[row] * w[0] : lorentz_dot(n, t->K + i * n, w);
  }
}

// The changes of x and v that follow from those of y, in s->move.
static void follow(path *s, const unit *t, direction *d, int with_rest) {
  const int32_t row = t->row, n = t->n;
  const double *b = s->move + row, *R = s->R + row;
  double *x = d->x + row, *v = d->v + row;
  if (t->cone < 0) {
    x[0] = s->push[row] - s->weight[row] * b[0];
    if (t->kind == LOSS) {
      const double eta = s->problem->frictionloss[row];
      v[0] += s->v[row] / (eta - s->x[row]) * x[0];
      d->u[row] -= s->u[row] / (eta + s->x[row]) * x[0];
    } else {
      v[0] = b[0] + R[0] * x[0] + with_rest * s->rest[row];
    }
    return;
  }
  const double *slope = s->slope + row;
  double shifted[LORENTZ_MOST] = { b[0] + lorentz_dot(n - 1, slope + 1, b + 1) };
  memcpy(shifted + 1, b + 1, (size_t)(n - 1) * sizeof *b);
  for (int32_t i = 0; i < n; i++) {
    x[i] = s->push[row + i] - lorentz_dot(n, t->K + i * n, shifted);
  }
  for (int32_t i = 0; i < n; i++) {
    v[i] = b[i] + R[i] * x[i] + with_rest * s->rest[row + i];
  }
  for (int32_t i = 1; i < n; i++) {
    v[0] += slope[i] * (b[i] + R[i] * x[i]);
  }
}

// The derivative by the logarithm of mu, or, with_rest, the correction at the same mu.
static void respond(path *s, direction *d, int with_rest) {
  const sn_problem *q = s->problem;
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    if (t->kind == EQUALITY) {
      s->push[t->row] = -with_rest * s->rest[t->row] / s->R[t->row];
    } else if (t->kind == LOSS) {
      push_loss(s, t, d, with_rest);
    } else {
      push_cone(s, t, with_rest);
    }
  }
  multiply_transposed(s, s->push, s->sum);
  for (int64_t i = 0; i < q->nv; i++) {
    s->sum[i] = with_rest * s->dynamics[i] - s->sum[i];
  }
  hessian_solve(s->h, s->sum, d->a);
  multiply(s, d->a, s->move);
  for (int64_t k = 0; k < s->nunit; k++) {
    follow(s, &s->unit[k], d, with_rest);
  }
}

// ------------------------------------------------------------------ the step

// Squares of the tangent in the scaled metric, of all pairs and of the longest, and its product
// with the correction.
typedef struct lengths {
  double square, longest, product;
} lengths;

static void add_lengths(lengths *l, double square, double product) {
  l->square += square;
  l->longest = fmax(l->longest, square);
  l->product += product;
}

static lengths find_lengths(const path *s) {
  lengths l = { 0, 0, 0 };
  const direction *d = &s->tangent, *e = &s->newton;
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    const int32_t row = t->row;
    if (t->kind == LOSS) {
      const double eta = s->problem->frictionloss[row];
      const double above = s->v[row] / (eta - s->x[row]), below = s->u[row] / (eta + s->x[row]);
      const double dx = d->x[row], ex = e->x[row], dv = d->v[row], du = d->u[row];
      add_lengths(&l, (above * dx * dx + dv * dv / above) / s->mu,
                  (above * dx * ex + dv * e->v[row] / above) / s->mu);
      add_lengths(&l, (below * dx * dx + du * du / below) / s->mu,
                  (below * dx * ex + du * e->u[row] / below) / s->mu);
    } else if (t->kind == CONE) {
      double a[LORENTZ_MOST], b[LORENTZ_MOST];
      lorentz_scale(t->n, &t->w, d->x + row, a);
      lorentz_scale(t->n, &t->w, e->x + row, b);
      const double xx = lorentz_dot(t->n, a, a), xe = lorentz_dot(t->n, a, b);
      lorentz_unscale(t->n, &t->w, d->v + row, a);
      lorentz_unscale(t->n, &t->w, e->v + row, b);
      add_lengths(&l, (xx + lorentz_dot(t->n, a, a)) / s->mu,
                  (xe + lorentz_dot(t->n, a, b)) / s->mu);
    }
  }
  return l;
}

// The relative change of mu. It falls, unless the path has turned; where the tangent is long it
// changes little, and the correction loses its part along the tangent.
static double change_of_mu(const path *s) {
  static const double most = 0.8, longest = 3, largest = 2;
  const lengths l = find_lengths(s);
  const double length = sqrt(l.longest);
  const double change = -s->sign * fmin(most, 1 / fmax(length, DBL_MIN));
  if (length <= longest && s->sign > 0) {
    return change;
  }
  return fmin(fmax(change - l.product / (l.square + 1), -most), largest);
}

// How far a direction may be followed.
static double largest_step(const path *s, const direction *d) {
  double step = 1e30;
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    const int32_t row = t->row;
    const double *x = s->x + row, *v = s->v + row;
    if (t->kind == LOSS) {
      const double eta = s->problem->frictionloss[row], dx = d->x[row];
      const double room[] = { eta - x[0], eta + x[0], v[0], s->u[row] };
      const double rate[] = { -dx, dx, d->v[row], d->u[row] };
      for (int i = 0; i < 4; i++) {
        step = fmin(step, lorentz_step(1, &room[i], &rate[i]));
      }
    } else if (t->kind == CONE) {
      step = fmin(step, lorentz_step(t->n, x, d->x + row));
      step = fmin(step, lorentz_step(t->n, v, d->v + row));
    }
  }
  return step;
}

static void add(int64_t n, double step, const double *d, double *x) {
  for (int64_t i = 0; i < n; i++) {
    x[i] += step * d[i];
  }
}

// Returns whether there was a step; there is none when numbers have overflowed.
static int advance(path *s) {
  static const double inside = 0.8;   // of the way to the boundary
  const sn_problem *q = s->problem;
  direction *d = &s->newton;
  const double change = change_of_mu(s);
  add(q->nv, change, s->tangent.a, d->a);
  add(q->nefc, change, s->tangent.x, d->x);
  add(q->nefc, change, s->tangent.v, d->v);
  add(q->nefc, change, s->tangent.u, d->u);
  const double step = fmin(1, inside * largest_step(s, d));
  if (!isfinite(lorentz_dot((int32_t)q->nv, d->a, d->a)) || !(step > 0)) {
    return 0;
  }
  add(q->nv, step, d->a, s->a);
  add(q->nefc, step, d->x, s->x);
  add(q->nefc, step, d->v, s->v);
  add(q->nefc, step, d->u, s->u);
  return 1;
}

// ------------------------------------------------------------------ the end

// Of each pair of eigenvalues of x and v, which belong to the same direction, one is nearly 0.
static int32_t state_of(const path *s, const unit *t, const double *D) {
  const int32_t row = t->row;
  const double *x = s->x + row, *v = s->v + row;
  if (t->kind == EQUALITY) {
    return SN_ROWSTATE_QUADRATIC;
  }
  if (t->kind == LOSS) {
    const double eta = s->problem->frictionloss[row], part = 1e-6 * eta;
    return eta - x[0] < part   ? SN_ROWSTATE_LINEARNEG
           : eta + x[0] < part ? SN_ROWSTATE_LINEARPOS
                               : SN_ROWSTATE_QUADRATIC;
  }
  const double across = lorentz_norm(t->n, x), along = lorentz_norm(t->n, v);
  if (x[0] + across < D[row] * (v[0] - along)) {
    return SN_ROWSTATE_SATISFIED;
  }
  return x[0] - across < D[row] * (v[0] + along) && t->cone >= 0 ? SN_ROWSTATE_CONE
                                                                 : SN_ROWSTATE_QUADRATIC;
}

static void finish(const path *s, const double *D, sn_solution *solution) {
  for (int64_t k = 0; k < s->nunit; k++) {
    const unit *t = &s->unit[k];
    const int32_t state = state_of(s, t, D);
    for (int32_t i = t->row; i < t->row + t->n; i++) {
      solution->state[i] = state;
      solution->force[i] = state == SN_ROWSTATE_SATISFIED ? 0 : s->S[i] * s->x[i];
    }
  }
}

static void report(const path *s, sn_solution *solution) {
  const double scale = s->problem->scale;
  if (solution->iteration && solution->iterations < solution->ncapacity) {
    solution->iteration[solution->iterations] = (sn_iteration){
      .improvement = scale * s->gap, .gradient = scale * fmax(s->imbalance, s->error)
    };
  }
  solution->iterations++;
}

sn_status path_solve(primal *p, hessian *h, active *end, double inside, sn_solution *solution,
                     sn_scratch *mem) {
  enum { IDLE = 6 };   // iterations in which the residuals do not fall to half
  path s;
  SN_TRY(path_make(&s, p, h, mem));
  const double scale = p->problem->scale, tolerance = p->problem->tolerance;
  sn_status status = SN_NOT_CONVERGED;
  double least = HUGE_VAL;
  start(&s, solution->force, inside);

  for (int32_t idle = 0; idle <= IDLE;) {
    measure(&s);
    if (s.gap + s.error <= fmax(tolerance / scale, s.noise) &&
        s.imbalance <= fmax(tolerance / scale, s.rounding)) {
      active_place(end, s.a, s.x);
      status = active_solve(end, ACTIVE_FEW, ACTIVE_IDLE, solution);
      if (status == SN_NOT_CONVERGED) {
        finish(&s, end->D, solution);
        status = SN_OK;
      }
      break;
    }
    idle++;
    if (s.gap + s.error < 0.5 * least) {
      idle = 0;
      least = s.gap + s.error;
    }
    if (solution->iterations >= p->problem->iterations) {
      break;
    }
    linearize(&s);
    respond(&s, &s.tangent, 0);
    respond(&s, &s.newton, 1);
    report(&s, solution);
    if (!advance(&s)) {
      break;
    }
  }
  h->weight = h->block = NULL;
  return status;
}
