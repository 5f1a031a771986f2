// SPDX-License-Identifier: Apache-2.0
//
// A Hessian as a change of low rank; see lowrank.h.

#include "lowrank.h"

#include <math.h>
#include <string.h>

sn_status lowrank_make(lowrank *h, const primal *p, const sn_kernels *kernel,
                       const int32_t *cone_at, sn_scratch *mem) {
  const sn_problem *q = p->problem;
  const groups *g = &p->groups;
  *h = (lowrank){ .primal = p, .kernel = kernel, .cone_at = cone_at };
  SN_ALLOC(h->part, mem, g->n);
  int64_t most = 1;
  for (int64_t k = 0; k < g->n; k++) {
    const group *a = &g->at[k];
    if (a->ncol > 1 || cone_at) {
      lowrank_part *part = &h->part[h->npart++];
      *part = (lowrank_part){ .group = a };
      SN_ALLOC(part->B, mem, (int64_t)a->nrow * a->ncol);
      most += a->nrow;
    }
  }
  const int32_t ld = sn_kernel_pad((int32_t)most);
  SN_ALLOC(h->extra, mem, q->nv);
  SN_ALLOC(h->factor, mem, q->inertia->recursion->factor_size(q->inertia));
  SN_ALLOC(h->X, mem, most * q->nv);
  SN_ALLOC(h->K, mem, (int64_t)ld * ld);
  SN_ALLOC(h->Dinv, mem, ld);
  SN_ALLOC(h->gathered, mem, q->nv);
  SN_ALLOC(h->sums, mem, q->nv);
  SN_ALLOC(h->t, mem, ld);
  SN_ALLOC(h->z, mem, ld);
  SN_ALLOC(h->work, mem, SN_KERNEL_LANES * ld);
  return SN_OK;
}

// ------------------------------------------------------------------ the rows of B

// V with V V' = W, of a positive semidefinite W, by columns; columns of pivots that are zero up to
// rounding are 0.
static void take_root(int32_t n, double *W, double *V) {
  static const double rounding = 1e-14;
  double largest = 0;
  memset(V, 0, (size_t)(n * n) * sizeof *V);
  for (int32_t i = 0; i < n; i++) {
    largest = fmax(largest, W[i * n + i]);
  }
  for (int32_t k = 0; k < n; k++) {
    if (!(W[k * n + k] > rounding * largest)) {
      continue;
    }
    const double root = 1 / sqrt(W[k * n + k]);
    for (int32_t i = k; i < n; i++) {
      V[k * n + i] = W[i * n + k] * root;
    }
    for (int32_t i = k + 1; i < n; i++) {
      for (int32_t j = k + 1; j < n; j++) {
        W[i * n + j] -= V[k * n + i] * V[k * n + j];
      }
    }
  }
}

// Adds to a part the row sum_i weight_i J_i, over n rows of its group from row r on.
static void add_row(lowrank_part *a, int32_t r, int32_t n, const double *weight) {
  const int32_t ncol = a->group->ncol;
  double *out = a->B + (int64_t)a->n++ * ncol;
  memset(out, 0, (size_t)ncol * sizeof *out);
  for (int32_t i = 0; i < n; i++) {
    const double *J = a->group->J + (int64_t)(r + i) * ncol;
    for (int32_t k = 0; k < ncol; k++) {
      out[k] += weight[i] * J[k];
    }
  }
}

static void add_cone(const lowrank *h, lowrank_part *a, int32_t r, int32_t cone) {
  const int32_t dim = h->primal->problem->cone[cone].dim;
  double W[36], V[36];
  primal_cone_hessian(h->primal, cone, W);
  take_root(dim, W, V);
  for (int32_t k = 0; k < dim; k++) {
    if (V[k * dim + k] != 0) {
      add_row(a, r, dim, V + k * dim);
    }
  }
}

// The rows of a group that bend the cost and are not on one dof.
static void fill_part(lowrank *h, lowrank_part *a) {
  const primal *p = h->primal;
  const group *g = a->group;
  a->row = h->n;
  a->n = 0;
  for (int32_t r = 0; r < g->nrow; r++) {
    const int32_t row = g->row + r, state = p->state[row];
    if (state == SN_ROWSTATE_QUADRATIC && g->ncol > 1) {
      const double root = sqrt(p->problem->D[row]);
      add_row(a, r, 1, &root);
    } else if (state == SN_ROWSTATE_CONE) {
      add_cone(h, a, r, h->cone_at[row]);
      r += p->problem->cone[h->cone_at[row]].dim - 1;
    }
  }
  h->n += a->n;
}

static void add_diagonal(lowrank *h) {
  const primal *p = h->primal;
  memset(h->extra, 0, (size_t)p->problem->nv * sizeof *h->extra);
  for (int64_t k = 0; k < p->groups.n; k++) {
    const group *g = &p->groups.at[k];
    for (int32_t r = 0; r < g->nrow && g->ncol == 1; r++) {
      if (p->state[g->row + r] == SN_ROWSTATE_QUADRATIC) {
        h->extra[g->col[0]] += p->problem->D[g->row + r] * g->J[r] * g->J[r];
      }
    }
  }
}

// ------------------------------------------------------------------ the factor

// Row `row` of X = B F^-1, from row r of a part.
static void solve_row(lowrank *h, const lowrank_part *a, int32_t r) {
  const sn_problem *q = h->primal->problem;
  const group *g = a->group;
  double *x = h->X + (a->row + r) * q->nv;
  memset(x, 0, (size_t)q->nv * sizeof *x);
  for (int32_t i = 0; i < g->ncol; i++) {
    x[g->col[i]] = a->B[(int64_t)r * g->ncol + i];
  }
  q->inertia->recursion->solve(q->inertia, h->factor, x);
}

// Column j of K = 1 + B X': from row j of X.
static void fill_column(lowrank *h, int32_t j, int32_t ld) {
  const double *x = h->X + j * h->primal->problem->nv;
  double *column = h->K + (int64_t)j * ld;
  for (int64_t k = 0; k < h->npart; k++) {
    const lowrank_part *a = &h->part[k];
    const group *g = a->group;
    if (a->row + a->n <= j) {   // above the diagonal
      continue;
    }
    for (int32_t i = 0; i < g->ncol; i++) {
      h->gathered[i] = x[g->col[i]];
    }
    h->kernel->rows_times(a->n, g->ncol, a->B, h->gathered, column + a->row);
  }
  for (int32_t i = h->n; i < ld; i++) {
    column[i] = 0;
  }
  column[j] += 1;
}

int32_t lowrank_factor(lowrank *h) {
  const sn_inertia *inertia = h->primal->problem->inertia;
  add_diagonal(h);
  inertia->recursion->factor(inertia, h->extra, h->factor);
  h->n = 0;
  for (int64_t k = 0; k < h->npart; k++) {
    lowrank_part *a = &h->part[k];
    fill_part(h, a);
    for (int32_t r = 0; r < a->n; r++) {
      solve_row(h, a, r);
    }
  }
  const int32_t ld = sn_kernel_pad(h->n);
  for (int32_t j = 0; j < h->n; j++) {
    fill_column(h, j, ld);
  }
  return h->n > 0 ? h->kernel->factor(h->n, ld, h->K, h->Dinv, h->work) : 0;
}

void lowrank_solve(const lowrank *h, const double *g, double *out) {
  const sn_problem *q = h->primal->problem;
  const int32_t nv = (int32_t)q->nv, ld = sn_kernel_pad(h->n);
  memcpy(out, g, (size_t)nv * sizeof *out);
  q->inertia->recursion->solve(q->inertia, h->factor, out);
  if (h->n > 0) {
    // t = K^-1 X g
    h->kernel->rows_times(h->n, nv, h->X, g, h->t);
    memset(h->t + h->n, 0, (size_t)(ld - h->n) * sizeof *h->t);
    h->kernel->forward(h->n, ld, h->K, h->Dinv, h->t, h->z);
    memset(h->t, 0, (size_t)ld * sizeof *h->t);
    h->kernel->backward(h->n, ld, h->K, h->Dinv, h->t, h->z);
    h->kernel->times_rows(h->n, nv, h->X, h->t, h->sums);
  }
  for (int32_t i = 0; i < nv; i++) {
    out[i] = -(h->n > 0 ? out[i] - h->sums[i] : out[i]);
  }
}
