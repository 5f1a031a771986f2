// SPDX-License-Identifier: Apache-2.0
//
// A template for solvers: accelerated projected gradients on the dual problem (sinew/solver.h).
// The unknowns are the scaled forces y = sqrt(R) f. With S = diag(sqrt(D)) and A = J M^-1 J',
//
//   minimize   1/2 y' (I + S A S) y + y' S (J a0 - aref)   such that every row is in its set:
//
//   equality            any number            limit, pyramid edge    y >= 0
//   friction loss       |y| <= eta sqrt(R)    elliptic contact       |(y_1, y_2, ...)| <= mu y_0
//
// The acceleration is a0 + M^-1 J' f. Replace the method by your own.
//
// References: Beck and Teboulle, A fast iterative shrinkage-thresholding algorithm, 2009; the
// restart: O'Donoghue and Candes, Adaptive restart for accelerated gradient schemes, 2015.

#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/solver.h"

static const double rounding = 4 * DBL_EPSILON;   // relative error of a scaled force

// The instance: one for all models, constant while simulations run.
typedef struct solver {
  const sn_host *host;
  const sn_inertia_service *inertia;
  int64_t factor;
} solver;

// ------------------------------------------------------------------ products

static void multiply(const sn_sparse *J, const double *x, double *out) {
  for (int64_t i = 0; i < J->nrow; i++) {
    out[i] = 0;
    for (int32_t k = 0; k < J->nnz[i]; k++) {
      out[i] += J->val[J->adr[i] + k] * x[J->col[J->adr[i] + k]];
    }
  }
}

static void multiply_transposed(const sn_sparse *J, const double *x, double *out) {
  memset(out, 0, (size_t)J->ncol * sizeof(double));
  for (int64_t i = 0; i < J->nrow; i++) {
    for (int32_t k = 0; k < J->nnz[i]; k++) {
      out[J->col[J->adr[i] + k]] += J->val[J->adr[i] + k] * x[i];
    }
  }
}

// ------------------------------------------------------------------ the sets

static int32_t project_row(const sn_problem *p, int64_t row, double *y) {
  if (row < p->ne) {
    return SN_ROWSTATE_QUADRATIC;
  }
  if (row < p->ne + p->nf) {
    const double bound = p->frictionloss[row] * sqrt(p->R[row]);
    const int32_t state = *y > bound    ? SN_ROWSTATE_LINEARNEG
                          : *y < -bound ? SN_ROWSTATE_LINEARPOS
                                        : SN_ROWSTATE_QUADRATIC;
    *y = fmin(fmax(*y, -bound), bound);
    return state;
  }
  *y = fmax(*y, 0);
  return *y > 0 ? SN_ROWSTATE_QUADRATIC : SN_ROWSTATE_SATISFIED;
}

// The nearest point of the circular cone.
static int32_t project_cone(const sn_cone *cone, double *y) {
  double sliding = 0;
  for (int32_t i = 1; i < cone->dim; i++) {
    sliding += y[i] * y[i];
  }
  sliding = sqrt(sliding);
  const double along = y[0] + cone->mu * sliding;
  if (along <= 0) {
    memset(y, 0, (size_t)cone->dim * sizeof(double));
    return SN_ROWSTATE_SATISFIED;
  }
  if (sliding <= cone->mu * y[0]) {
    return SN_ROWSTATE_QUADRATIC;
  }
  y[0] = along / (1 + cone->mu * cone->mu);
  for (int32_t i = 1; i < cone->dim; i++) {
    y[i] *= cone->mu * y[0] / sliding;
  }
  return SN_ROWSTATE_CONE;
}

static void project(const sn_problem *p, double *y, int32_t *state) {
  int64_t row = 0;
  for (int64_t c = 0; c <= p->ncone; c++) {
    const int64_t end = c < p->ncone ? p->cone[c].row : p->nefc;
    for (; row < end; row++) {
      state[row] = project_row(p, row, &y[row]);
    }
    if (c < p->ncone) {
      const int32_t zone = project_cone(&p->cone[c], y + row);
      for (int32_t i = 0; i < p->cone[c].dim; i++) {
        state[row++] = zone;
      }
    }
  }
}

// ------------------------------------------------------------------ the method

typedef struct work {
  double *s, *b;              // sqrt(D); S (J a0 - aref)
  double *y, *next, *z, *g;   // scaled forces, of the next iteration, extrapolated; gradient
  double curvature;           // a bound of the largest eigenvalue of I + S A S
} work;

static sn_status take_work(const sn_problem *p, work *w, sn_scratch *scratch) {
  SN_ALLOC(w->s, scratch, p->nefc);
  SN_ALLOC(w->b, scratch, p->nefc);
  SN_ALLOC(w->y, scratch, p->nefc);
  SN_ALLOC(w->next, scratch, p->nefc);
  SN_ALLOC(w->z, scratch, p->nefc);
  SN_ALLOC(w->g, scratch, p->nefc);
  return SN_OK;
}

// Starts with the forces that belong to the acceleration of the previous step.
static void start(const sn_problem *p, work *w, int32_t *state) {
  const sn_sparse *A = p->dual;
  multiply(&p->J, p->qacc_smooth, w->b);
  multiply(&p->J, p->qacc_start, w->y);
  w->curvature = 1;
  for (int64_t i = 0; i < p->nefc; i++) {
    w->s[i] = sqrt(p->D[i]);
    w->b[i] = w->s[i] * (w->b[i] - p->aref[i]);
    w->y[i] = -w->s[i] * (w->y[i] - p->aref[i]);
  }
  for (int64_t i = 0; i < p->nefc; i++) {
    double sum = 1;   // Gershgorin's circle
    for (int32_t k = 0; k < A->nnz[i]; k++) {
      sum += w->s[i] * fabs(A->val[A->adr[i] + k]) * w->s[A->col[A->adr[i] + k]];
    }
    w->curvature = fmax(w->curvature, sum);
  }
  project(p, w->y, state);
  memcpy(w->z, w->y, (size_t)p->nefc * sizeof(double));
}

// One projected gradient step from z. Returns the squared length of the step.
static double descend(const sn_problem *p, work *w, int32_t *state) {
  double moved = 0;
  for (int64_t i = 0; i < p->nefc; i++) {
    w->next[i] = w->s[i] * w->z[i];
  }
  multiply(p->dual, w->next, w->g);
  for (int64_t i = 0; i < p->nefc; i++) {
    w->g[i] = w->z[i] + w->s[i] * w->g[i] + w->b[i];
    w->next[i] = w->z[i] - w->g[i] / w->curvature;
  }
  project(p, w->next, state);
  for (int64_t i = 0; i < p->nefc; i++) {
    moved += (w->next[i] - w->z[i]) * (w->next[i] - w->z[i]);
  }
  return moved;
}

// Extrapolates, or starts anew where that leads uphill. Returns the squared length of y.
static double extrapolate(int64_t n, work *w, double *t) {
  double uphill = 0, size = 0;
  for (int64_t i = 0; i < n; i++) {
    uphill += (w->z[i] - w->next[i]) * (w->next[i] - w->y[i]);
    size += w->next[i] * w->next[i];
  }
  const double t_next = 0.5 * (1 + sqrt(1 + 4 * *t * *t));
  const double momentum = uphill > 0 ? 0 : (*t - 1) / t_next;
  *t = uphill > 0 ? 1 : t_next;
  for (int64_t i = 0; i < n; i++) {
    w->z[i] = w->next[i] + momentum * (w->next[i] - w->y[i]);
    w->y[i] = w->next[i];
  }
  return size;
}

static sn_status solve(const void *self, const sn_problem *p, sn_solution *out,
                       sn_scratch *scratch) {
  const solver *s = (const solver *)self;
  const int64_t limit = s->factor * p->iterations;
  work w;
  SN_TRY(take_work(p, &w, scratch));
  start(p, &w, out->state);
  sn_status status = SN_NOT_CONVERGED;
  double t = 1;
  int32_t k = 0;
  for (; k < limit && status == SN_NOT_CONVERGED; k++) {
    const double moved = descend(p, &w, out->state);
    const double size = extrapolate(p->nefc, &w, &t);
    const double gradient = p->scale * w.curvature * sqrt(moved);
    if (out->iteration && k < out->ncapacity) {
      out->iteration[k] = (sn_iteration){ .gradient = gradient };
    }
    if (gradient < p->tolerance || moved <= rounding * rounding * size) {
      status = SN_OK;
    }
  }
  out->iterations = k;

  // the forces of the scaled ones, and the acceleration of the forces
  for (int64_t i = 0; i < p->nefc; i++) {
    out->force[i] = w.s[i] * w.y[i];
  }
  multiply_transposed(&p->J, out->force, out->qacc);
  s->inertia->solve(p->inertia, out->qacc);
  for (int64_t i = 0; i < p->nv; i++) {
    out->qacc[i] += p->qacc_smooth[i];
  }
  return status;
}

// ------------------------------------------------------------------ the instance

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  solver *s = (solver *)sn_host_alloc(host, sizeof *s, error);
  if (!s) {
    return SN_ENOMEM;
  }
  *s = (solver){ .host = host,
                 .inertia = (const sn_inertia_service *)host->query(host, SN_SERVICE_INERTIA),
                 .factor = values[0].integer };   // in the order of params
  if (!s->inertia) {
    host->free(host, s);
    return sn_host_fail(host, error, SN_EUNSUPPORTED,
                        "this engine lacks the service " SN_SERVICE_INERTIA);
  }
  *self = s;
  return SN_OK;
}

static void destroy(void *self) {
  const sn_host *host = ((solver *)self)->host;
  host->free(host, self);
}

// ------------------------------------------------------------------ the plugin

static const sn_param params[] = {
  { .name = "factor",
    .default_value = "200",
    .summary = "iterations of this solver for each that the option `iterations` allows",
    .min = 1,
    .max = 1e6,
    .type = SN_PARAM_INT },
  { .name = NULL },
};

static const sn_solver_ops ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .flags = SN_SOLVER_DUAL,
            .summary = "accelerated projected gradients on the forces",
            .params = params,
            .create = create,
            .destroy = destroy },
  .solve = solve,
};

static const sn_provide provides[] = {
  SN_PROVIDE_SOLVER("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a solver", .provides = provides)
