// SPDX-License-Identifier: Apache-2.0
//
// Solver "descent": the quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno on the
// primal problem of solver.h. Plain, dense and slow; it needs no second derivative, so it shares
// nothing with the solvers of plugins/, and what it agrees with is right for another reason.
//
//   gradient   g = M (a - a0) - J' f(J a - aref)
//   direction  p = -H g, H the estimate of the inverse Hessian, M^-1 at first
//   step       the zero of d cost(a + x p) / dx, which grows with x, by regula falsi (Illinois)
//   update     H <- (I - r s y') H (I - r y s') + r s s',  r = 1 / y's, s the step, y = new g - g
//
// The force of a cone is a projection: with w = -sqrt(D) z, f = sqrt(D) P(w), P the nearest point
// of the circular cone |w_t| <= mu w_0. Reference: Nocedal and Wright, Numerical Optimization
// (2006), chapters 3 and 6.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sinew/solver.h"

typedef struct descent {
  const sn_host *host;
  const sn_inertia_service *inertia;
  int64_t iterations;
  double tolerance;
} descent;

typedef struct point {
  double *a;   // nv
  double *g;   // nv; gradient at a
  double *z;   // nefc; J a - aref
} point;

static double dot(int64_t n, const double *x, const double *y) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

// ------------------------------------------------------------------ forces

static void row_force(const sn_problem *p, int64_t i, double z, double *f, int32_t *state) {
  const double eta = p->frictionloss[i];
  *f = -p->D[i] * z;
  *state = SN_ROWSTATE_QUADRATIC;
  if (i >= p->ne && i < p->ne + p->nf) {
    if (fabs(*f) >= eta) {
      *state = *f > 0 ? SN_ROWSTATE_LINEARNEG : SN_ROWSTATE_LINEARPOS;
      *f = *f > 0 ? eta : -eta;
    }
  } else if (i >= p->ne && z >= 0) {
    *state = SN_ROWSTATE_SATISFIED;
    *f = 0;
  }
}

static void cone_force(const sn_problem *p, const sn_cone *c, const double *z, double *f,
                       int32_t *state) {
  double w[6], t = 0;
  for (int32_t i = 0; i < c->dim; i++) {
    w[i] = -sqrt(p->D[c->row + i]) * z[c->row + i];
    t += i ? w[i] * w[i] : 0;
  }
  t = sqrt(t);

  // inside the cone; inside the polar cone; else on the boundary
  const double along = (w[0] + c->mu * t) / (1 + c->mu * c->mu);
  const int inside = t <= c->mu * w[0], polar = along <= 0;
  for (int32_t i = 0; i < c->dim; i++) {
    const double bound = i ? along * c->mu * w[i] / t : along;
    f[c->row + i] = sqrt(p->D[c->row + i]) * (polar ? 0 : inside ? w[i] : bound);
    state[c->row + i] = polar    ? SN_ROWSTATE_SATISFIED
                        : inside ? SN_ROWSTATE_QUADRATIC
                                 : SN_ROWSTATE_CONE;
  }
}

static void forces(const sn_problem *p, const double *z, double *f, int32_t *state) {
  int64_t cone = 0;
  for (int64_t i = 0; i < p->nefc; i++) {
    if (cone < p->ncone && p->cone[cone].row == i) {
      cone_force(p, &p->cone[cone], z, f, state);
      i += p->cone[cone].dim - 1;
      cone++;
    } else {
      row_force(p, i, z[i], &f[i], &state[i]);
    }
  }
}

// ------------------------------------------------------------------ products

static void multiply_rows(const sn_sparse *J, const double *x, double *y) {
  for (int64_t i = 0; i < J->nrow; i++) {
    y[i] = 0;
    for (int32_t k = 0; k < J->nnz[i]; k++) {
      y[i] += J->val[J->adr[i] + k] * x[J->col[J->adr[i] + k]];
    }
  }
}

static void subtract_columns(const sn_sparse *J, const double *f, double *g) {
  for (int64_t i = 0; i < J->nrow; i++) {
    for (int32_t k = 0; k < J->nnz[i]; k++) {
      g[J->col[J->adr[i] + k]] -= J->val[J->adr[i] + k] * f[i];
    }
  }
}

// Sets at->z and at->g for at->a; f and state as by forces().
static void evaluate(const descent *self, const sn_problem *p, point *at, double *f, int32_t *state,
                     double *work) {
  multiply_rows(&p->J, at->a, at->z);
  for (int64_t i = 0; i < p->nefc; i++) {
    at->z[i] -= p->aref[i];
  }
  forces(p, at->z, f, state);
  for (int64_t i = 0; i < p->nv; i++) {
    work[i] = at->a[i] - p->qacc_smooth[i];
  }
  self->inertia->multiply(p->inertia, work, at->g);
  subtract_columns(&p->J, f, at->g);
}

// ------------------------------------------------------------------ one step

typedef struct line {
  const double *z, *Jp;       // nefc
  double linear, quadratic;   // of the cost without constraints: slope and curvature
  double *zx, *f;             // nefc, work
  int32_t *state;
} line;

static double slope_at(const sn_problem *p, const line *l, double x) {
  for (int64_t i = 0; i < p->nefc; i++) {
    l->zx[i] = l->z[i] + x * l->Jp[i];
  }
  forces(p, l->zx, l->f, l->state);
  return l->linear + x * l->quadratic - dot(p->nefc, l->f, l->Jp);
}

static double search(const sn_problem *p, const line *l) {
  double low = 0, high = 1, slope_low = slope_at(p, l, 0), slope_high = slope_at(p, l, 1);
  const double enough = 1e-12 * fabs(slope_low);
  for (int i = 0; i < 40 && slope_high < 0; i++) {
    low = high;
    slope_low = slope_high;
    high *= 4;
    slope_high = slope_at(p, l, high);
  }
  double x = high;
  for (int i = 0, side = 0; i < 100 && fabs(slope_high - slope_low) > 0; i++) {
    x = (low * slope_high - high * slope_low) / (slope_high - slope_low);
    const double slope = slope_at(p, l, x);
    if (fabs(slope) <= enough) {
      break;
    }
    if (slope > 0) {
      high = x;
      slope_high = slope;
      slope_low *= side == 1 ? 0.5 : 1;
      side = 1;
    } else {
      low = x;
      slope_low = slope;
      slope_high *= side == -1 ? 0.5 : 1;
      side = -1;
    }
  }
  return x;
}

static void start_estimate(const descent *self, const sn_problem *p, double *H) {
  memset(H, 0, (size_t)(p->nv * p->nv) * sizeof(double));
  for (int64_t i = 0; i < p->nv; i++) {
    H[i * p->nv + i] = 1;
    self->inertia->solve(p->inertia, H + i * p->nv);
  }
}

static void update_estimate(int64_t n, double *H, const double *s, const double *y, double *Hy) {
  const double ys = dot(n, y, s);
  if (!(ys > 1e-14 * sqrt(dot(n, y, y) * dot(n, s, s)))) {
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    Hy[i] = dot(n, H + i * n, y);
  }
  const double r = 1 / ys, square = r * (1 + r * dot(n, y, Hy));
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < n; j++) {
      H[i * n + j] += square * s[i] * s[j] - r * (Hy[i] * s[j] + s[i] * Hy[j]);
    }
  }
}

// ------------------------------------------------------------------ the solver

static sn_status descent_solve(const void *instance, const sn_problem *p, sn_solution *out,
                               sn_scratch *scratch) {
  const descent *self = instance;
  const int64_t n = p->nv, m = p->nefc;
  point now = { .a = out->qacc };
  double *H, *step, *change, *work, *Jp, *zx;
  SN_ALLOC(now.g, scratch, n);
  SN_ALLOC(now.z, scratch, m);
  SN_ALLOC(H, scratch, n * n);
  SN_ALLOC(step, scratch, n);
  SN_ALLOC(change, scratch, n);
  SN_ALLOC(work, scratch, n);
  SN_ALLOC(Jp, scratch, m);
  SN_ALLOC(zx, scratch, m);
  line l = { .z = now.z, .Jp = Jp, .zx = zx, .f = out->force, .state = out->state };

  memcpy(now.a, p->qacc_start, (size_t)n * sizeof(double));
  start_estimate(self, p, H);
  evaluate(self, p, &now, out->force, out->state, work);
  const double enough = self->tolerance * (1 + p->scale * sqrt(dot(n, now.g, now.g)));
  sn_status status = SN_NOT_CONVERGED;
  out->iterations = 0;
  for (int64_t k = 0; k < self->iterations; k++) {
    if (p->scale * sqrt(dot(n, now.g, now.g)) < enough) {
      status = SN_OK;
      break;
    }
    // direction; one that does not descend says that the estimate is worn out
    for (int64_t i = 0; i < n; i++) {
      step[i] = -dot(n, H + i * n, now.g);
    }
    if (!(dot(n, step, now.g) < 0)) {
      start_estimate(self, p, H);
      memcpy(step, now.g, (size_t)n * sizeof(double));
      self->inertia->solve(p->inertia, step);
      for (int64_t i = 0; i < n; i++) {
        step[i] = -step[i];
      }
    }

    // line search: J' f is in the gradient already, so the linear part is that of M alone
    multiply_rows(&p->J, step, Jp);
    self->inertia->multiply(p->inertia, step, work);
    l.quadratic = dot(n, step, work);
    l.linear = 0;
    for (int64_t i = 0; i < n; i++) {
      l.linear += work[i] * (now.a[i] - p->qacc_smooth[i]);
    }
    const double x = search(p, &l);

    memcpy(change, now.g, (size_t)n * sizeof(double));
    for (int64_t i = 0; i < n; i++) {
      step[i] *= x;
      now.a[i] += step[i];
    }
    evaluate(self, p, &now, out->force, out->state, work);
    for (int64_t i = 0; i < n; i++) {
      change[i] = now.g[i] - change[i];
    }
    update_estimate(n, H, step, change, work);
    out->iterations++;
  }
  return status;
}

static sn_status descent_create(const sn_host *host, const sn_value *values, void **instance,
                                sn_error *error) {
  descent *self = host->alloc(host, sizeof *self);
  if (!self) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for the solver");
  }
  *self = (descent){ host, host->query(host, SN_SERVICE_INERTIA), values[0].integer,
                     values[1].real };
  if (!self->inertia) {
    host->free(host, self);
    return host->error(host, error, SN_EUNSUPPORTED, NULL, 0, 0,
                       "this host has no service " SN_SERVICE_INERTIA);
  }
  *instance = self;
  return SN_OK;
}

static void descent_destroy(void *instance) {
  descent *self = instance;
  self->host->free(self->host, self);
}

static const sn_param descent_params[] = {
  { .name = "iterations",
    .default_value = "2000",
    .summary = "limit of iterations a problem",
    .min = 1,
    .max = 1e6,
    .type = SN_PARAM_INT },
  { .name = "tolerance",
    .default_value = "1e-12",
    .summary = "stop when the scaled gradient falls below, also relative to the first",
    .min = 0,
    .max = 1,
    .type = SN_PARAM_REAL },
  { .name = NULL },
};

static const sn_solver_ops descent_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .summary = "quasi-Newton (BFGS), dense and slow",
            .params = descent_params,
            .create = descent_create,
            .destroy = descent_destroy },
  .solve = descent_solve,
};

static const sn_provide provides[] = {
  SN_PROVIDE_SOLVER("descent", &descent_ops),
  { NULL, NULL, NULL },
};

static const sn_plugin plugin = {
  .magic = SN_PLUGIN_MAGIC,
  .size = sizeof(sn_plugin),
  .abi_major = SN_ABI_MAJOR,
  .abi_minor_needed = 0,
  .real_size = sizeof(double),
  .name = "sinew.test.descent",
  .version = SN_VERSION,
  .license = "Apache-2.0",
  .summary = "a solver to compare others with",
  .provides = provides,
};

SN_PLUGIN_ENTRY {
  return &plugin;
}
