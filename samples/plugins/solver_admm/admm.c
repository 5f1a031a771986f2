// SPDX-License-Identifier: Apache-2.0
//
// A sample solver plugin: the alternating direction method of multipliers (ADMM). It is meant as an
// example; the solver newton is faster.
//
// The problem (sinew/solver.h) is split by a copy z of the constraint space,
//
//   minimize   1/2 (x - a0)' M (x - a0) + s(z)    such that   J x - aref = z
//
// and each of the two is easy to minimize. In the scaled space w = -sqrt(D) z every term of s is
// half the squared distance to a cone, 1/2 |P(w)|^2: P keeps everything for an equality row, the
// positive part for a limit, the circular cone for an elliptic contact, and for friction loss it
// clamps, which makes s a Huber function. With the penalty sigma D:
//
//   x <- (M + sigma J'DJ)^-1 (M a0 + sigma J'D (z + aref - u))      one factorization, kept
//   z <- prox of s at J x - aref + u:   w - P(w) / (1 + sigma)
//   u <- u + J x - aref - z                                         and the force is -sigma D u
//
// Reference: Boyd, Parikh, Chu, Peleato, Eckstein, Distributed optimization and statistical
// learning via the alternating direction method of multipliers, 2011, chapter 3.

#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/numerics/sparse.h"
#include "sinew/solver.h"

static const double rounding = 16 * DBL_EPSILON;   // relative rounding error of a row of J x

typedef struct admm {
  const sn_host *host;
  const sn_inertia_service *inertia;
  double sigma;
  int64_t factor;   // limit of iterations / that of the problem: they are cheap
} admm;

// ------------------------------------------------------------------ dense Cholesky, row by row

static void factorize(double *A, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j <= i; j++) {
      double sum = A[i * n + j];
      for (int64_t k = 0; k < j; k++) {
        sum -= A[i * n + k] * A[j * n + k];
      }
      A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
    }
  }
}

static void substitute(const double *L, int64_t n, double *x) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t k = 0; k < i; k++) {
      x[i] -= L[i * n + k] * x[k];
    }
    x[i] /= L[i * n + i];
  }
  for (int64_t i = n - 1; i >= 0; i--) {
    x[i] /= L[i * n + i];
    for (int64_t k = 0; k < i; k++) {
      x[k] -= L[i * n + k] * x[i];
    }
  }
}

// ------------------------------------------------------------------ the matrix H

// H = M + sigma J'DJ, lower triangle.
static void assemble(const sn_problem *p, double sigma, double *H) {
  int64_t n = p->nv;
  memset(H, 0, (size_t)(n * n) * sizeof(double));
  for (int64_t i = 0; i < n; i++) {
    int64_t adr = p->inertia->adr[i];
    for (int64_t j = i; j >= 0; j = p->inertia->parent[j]) {
      H[i * n + j] = p->inertia->M[adr++];
    }
  }
  for (int64_t r = 0; r < p->nefc; r++) {
    const sn_sparse_row J = sn_sparse_row_at(&p->J, r);
    for (int32_t a = 0; a < J.n; a++) {
      for (int32_t b = 0; b <= a; b++) {
        H[J.col[a] * n + J.col[b]] += sigma * p->D[r] * J.val[a] * J.val[b];
      }
    }
  }
}

// ------------------------------------------------------------------ the projections P

static int32_t project_cone(const sn_cone *cone, const double *w, double *out) {
  double tangential = 0;
  for (int32_t i = 1; i < cone->dim; i++) {
    tangential += w[i] * w[i];
  }
  tangential = sqrt(tangential);
  double reach = w[0] + cone->mu * tangential;
  if (reach <= 0) {
    memset(out, 0, (size_t)cone->dim * sizeof(double));
    return SN_ROWSTATE_SATISFIED;
  }
  memcpy(out, w, (size_t)cone->dim * sizeof(double));
  if (tangential <= cone->mu * w[0]) {
    return SN_ROWSTATE_QUADRATIC;
  }
  out[0] = reach / (1 + cone->mu * cone->mu);
  for (int32_t i = 1; i < cone->dim; i++) {
    out[i] = cone->mu * out[0] * w[i] / tangential;
  }
  return SN_ROWSTATE_CONE;
}

// bound: the maximum of |P(w)| for friction loss.
static int32_t project_row(const sn_problem *p, int64_t row, double w, double bound, double *out) {
  *out = w;
  if (row < p->ne) {
    return SN_ROWSTATE_QUADRATIC;
  }
  if (row < p->ne + p->nf) {
    *out = fmin(fmax(w, -bound), bound);
    return w > bound    ? SN_ROWSTATE_LINEARNEG
           : w < -bound ? SN_ROWSTATE_LINEARPOS
                        : SN_ROWSTATE_QUADRATIC;
  }
  *out = fmax(w, 0);
  return w > 0 ? SN_ROWSTATE_QUADRATIC : SN_ROWSTATE_SATISFIED;
}

// out = P(w) in the scaled space. widen: a factor on the bounds of friction loss, 1 for the force,
// (1 + sigma) / sigma for the proximal step.
static void project(const sn_problem *p, const double *w, double widen, double *out,
                    int32_t *state) {
  int64_t row = 0;
  for (int64_t c = 0; c <= p->ncone; c++) {
    int64_t end = c < p->ncone ? p->cone[c].row : p->nefc;
    for (; row < end; row++) {
      double bound = widen * p->frictionloss[row] * sqrt(p->R[row]);
      state[row] = project_row(p, row, w[row], bound, out + row);
    }
    if (c < p->ncone) {
      int32_t zone = project_cone(&p->cone[c], w + row, out + row);
      for (int32_t i = 0; i < p->cone[c].dim; i++) {
        state[row + i] = zone;
      }
      row += p->cone[c].dim;
    }
  }
}

// ------------------------------------------------------------------ statistics

// The values of sn_iteration describe the problem, not the method: the cost of the problem and its
// gradient at x, with the forces that result from x. An iteration may increase the cost.
typedef struct statistics {
  double cost, gradient;   // scaled; the gradient's Euclidean norm
  int32_t nactive;
  int32_t *state, *before;                 // nefc; of this iteration, and of the one before
  double *z, *force, *deviation, *gauss;   // nefc, nefc, nv, nv
} statistics;

static sn_status take_statistics(const sn_problem *p, statistics *s, sn_scratch *scratch) {
  SN_ALLOC(s->state, scratch, p->nefc);
  SN_ALLOC(s->before, scratch, p->nefc);
  SN_ALLOC(s->z, scratch, p->nefc);
  SN_ALLOC(s->force, scratch, p->nefc);
  SN_ALLOC(s->deviation, scratch, p->nv);
  SN_ALLOC(s->gauss, scratch, p->nv);
  return SN_OK;
}

// With w = -sqrt(D) (J x - aref): s = P(w)'(w - P(w) / 2), in every case, and f = sqrt(D) P(w).
static void measure(const admm *a, const sn_problem *p, const double *x, statistics *s) {
  double cost = 0, norm = 0;
  sn_sparse_multiply(&p->J, x, s->z);
  for (int64_t i = 0; i < p->nefc; i++) {
    s->z[i] = -sqrt(p->D[i]) * (s->z[i] - p->aref[i]);
  }
  project(p, s->z, 1, s->force, s->state);
  s->nactive = 0;
  for (int64_t i = 0; i < p->nefc; i++) {
    cost += s->force[i] * (s->z[i] - 0.5 * s->force[i]);
    s->force[i] *= -sqrt(p->D[i]);   // from here on: -f
    s->nactive += s->state[i] == SN_ROWSTATE_QUADRATIC || s->state[i] == SN_ROWSTATE_CONE;
  }
  for (int64_t i = 0; i < p->nv; i++) {
    s->deviation[i] = x[i] - p->qacc_smooth[i];
  }
  a->inertia->multiply(p->inertia, s->deviation, s->gauss);
  for (int64_t i = 0; i < p->nv; i++) {
    cost += 0.5 * s->deviation[i] * s->gauss[i];
  }
  sn_sparse_add_transposed(&p->J, s->force, s->gauss);
  for (int64_t i = 0; i < p->nv; i++) {
    norm += s->gauss[i] * s->gauss[i];
  }
  s->cost = p->scale * cost;
  s->gradient = p->scale * sqrt(norm);
}

static void report(const admm *a, const sn_problem *p, const double *x, statistics *s,
                   sn_iteration *out) {
  double cost = s->cost;
  int32_t changed = 0;
  memcpy(s->before, s->state, (size_t)p->nefc * sizeof(int32_t));
  measure(a, p, x, s);
  for (int64_t i = 0; i < p->nefc; i++) {
    changed += s->state[i] != s->before[i];
  }
  *out = (sn_iteration){ .improvement = cost - s->cost,
                         .gradient = s->gradient,
                         .nactive = s->nactive,
                         .nchange = changed };
}

// ------------------------------------------------------------------ the method

typedef struct work {
  double *H;              // nv x nv: the factor of M + sigma J'DJ
  double *Ma0, *Jx;       // nv, n
  double *z, *u, *w, *Pw;   // n
} work;

static sn_status start_work(const admm *a, const sn_problem *p, work *k, sn_scratch *scratch) {
  int64_t nv = p->nv, n = p->nefc;
  SN_ALLOC(k->H, scratch, nv * nv);
  SN_ALLOC(k->Ma0, scratch, nv);
  SN_ALLOC(k->Jx, scratch, n);
  SN_ALLOC(k->z, scratch, n);
  SN_ALLOC(k->u, scratch, n);
  SN_ALLOC(k->w, scratch, n);
  SN_ALLOC(k->Pw, scratch, n);
  assemble(p, a->sigma, k->H);
  factorize(k->H, nv);
  a->inertia->multiply(p->inertia, p->qacc_smooth, k->Ma0);
  return SN_OK;
}

// x of the previous step, and the z and u that result from it.
static void warm_start(const admm *a, const sn_problem *p, work *k, sn_solution *out) {
  int64_t n = p->nefc;
  memcpy(out->qacc, p->qacc_start, (size_t)p->nv * sizeof(double));
  sn_sparse_multiply(&p->J, out->qacc, k->Jx);
  for (int64_t i = 0; i < n; i++) {
    k->z[i] = k->Jx[i] - p->aref[i];
    k->w[i] = -sqrt(p->D[i]) * k->z[i];
  }
  project(p, k->w, 1, k->Pw, out->state);
  for (int64_t i = 0; i < n; i++) {
    k->u[i] = -sqrt(p->R[i]) * k->Pw[i] / a->sigma;
  }
}

// x <- (M + sigma J'DJ)^-1 (M a0 + sigma J'D (z + aref - u))
static void update_x(const admm *a, const sn_problem *p, work *k, double *x) {
  memcpy(x, k->Ma0, (size_t)p->nv * sizeof(double));
  for (int64_t i = 0; i < p->nefc; i++) {
    k->w[i] = a->sigma * p->D[i] * (k->z[i] + p->aref[i] - k->u[i]);
  }
  sn_sparse_add_transposed(&p->J, k->w, x);
  substitute(k->H, p->nv, x);
  sn_sparse_multiply(&p->J, x, k->Jx);
}

// Updates z and u. Returns whether the two copies, J x - aref and z, agree to the tolerance, or as
// well as the rounding of numbers of this size allows.
static int update_z_and_u(const admm *a, const sn_problem *p, work *k, int32_t *state) {
  double apart = 0, moved = 0, size = 0;
  for (int64_t i = 0; i < p->nefc; i++) {
    k->w[i] = -sqrt(p->D[i]) * (k->Jx[i] - p->aref[i] + k->u[i]);
  }
  project(p, k->w, (1 + a->sigma) / a->sigma, k->Pw, state);
  for (int64_t i = 0; i < p->nefc; i++) {
    double znew = -sqrt(p->R[i]) * (k->w[i] - k->Pw[i] / (1 + a->sigma));
    double gap = k->Jx[i] - p->aref[i] - znew;
    apart += p->D[i] * gap * gap;
    moved += p->D[i] * (znew - k->z[i]) * (znew - k->z[i]);
    size += p->D[i] * (k->Jx[i] * k->Jx[i] + p->aref[i] * p->aref[i]);
    k->u[i] += gap;
    k->z[i] = znew;
  }
  double nearest = size * rounding * rounding, wanted = p->tolerance * p->tolerance / p->scale;
  return fmax(apart, moved) <= fmax(wanted, nearest);
}

static sn_status admm_solve(const void *self, const sn_problem *p, sn_solution *out,
                            sn_scratch *scratch) {
  const admm *a = self;
  const int64_t limit = a->factor * p->iterations;
  double *x = out->qacc;
  work k;
  SN_TRY(start_work(a, p, &k, scratch));
  warm_start(a, p, &k, out);

  // statistics, if requested
  statistics s = { 0 };
  if (out->iteration) {
    SN_TRY(take_statistics(p, &s, scratch));
    measure(a, p, x, &s);
  }

  sn_status status = SN_NOT_CONVERGED;
  out->iterations = 0;
  while (status == SN_NOT_CONVERGED && out->iterations < limit) {
    update_x(a, p, &k, x);
    status = update_z_and_u(a, p, &k, out->state) ? SN_OK : SN_NOT_CONVERGED;
    if (out->iteration && out->iterations < out->ncapacity) {
      report(a, p, x, &s, &out->iteration[out->iterations]);
    }
    out->iterations++;
  }
  for (int64_t i = 0; i < p->nefc; i++) {
    out->force[i] = -a->sigma * p->D[i] * k.u[i];
  }
  return status;
}

// ------------------------------------------------------------------ the plugin

static sn_status admm_create(const sn_host *host, const sn_value *values, void **self,
                             sn_error *error) {
  admm *a = sn_host_alloc(host, sizeof *a, error);
  if (!a) {
    return SN_ENOMEM;
  }
  a->host = host;
  a->inertia = host->query(host, SN_SERVICE_INERTIA);
  a->sigma = values[0].real;
  a->factor = values[1].integer;
  *self = a;
  return SN_OK;
}

static void admm_destroy(void *self) {
  admm *a = self;
  a->host->free(a->host, a);
}

static const sn_param admm_params[] = {
  { .name = "sigma",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .min = 1e-6,
    .max = 1e6,
    .summary = "penalty, in units of the stiffness D of the constraints" },
  { .name = "factor",
    .default_value = "100",
    .type = SN_PARAM_INT,
    .min = 1,
    .max = 1e6,
    .summary = "iterations of this solver per iteration that the option `iterations` allows" },
  { .name = NULL },
};

static const sn_solver_ops admm_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .summary = "alternating direction method of multipliers",
            .params = admm_params,
            .create = admm_create,
            .destroy = admm_destroy },
  .solve = admm_solve,
};

static const sn_provide provides[] = {
  SN_PROVIDE_SOLVER("admm", &admm_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.admm", .version = "1.0.0", .license = "Apache-2.0",
          .summary = "a sample solver", .provides = provides)
