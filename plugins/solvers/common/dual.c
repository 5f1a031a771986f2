// SPDX-License-Identifier: Apache-2.0
//
// The dual problem and the steps of a sweep; see dual.h.

#include "dual.h"

#include <math.h>
#include <string.h>

#define MIN_DIAGONAL 1e-15

double dual_entry(const dual *u, int64_t row, int64_t col) {
  const sn_sparse *A = u->problem->dual;
  const int32_t *cols = A->col + A->adr[row];
  int32_t low = 0, high = A->nnz[row] - 1;
  while (low < high) {
    int32_t middle = (low + high) / 2;
    if (cols[middle] < col) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return high >= 0 && cols[low] == col ? A->val[A->adr[row] + low] : 0;
}

void dual_make(dual *u, const sn_problem *problem, const kernels *kernel, double *force,
               const double *R, pool *mem) {
  *u = (dual){ .problem = problem, .kernel = kernel, .force = force, .R = R };
  groups_make(&u->groups, problem, kernel, mem);
  u->inertia = inertia_make(&problem->inertia, mem);
  u->b = take_reals(mem, problem->nefc);
  u->diagonal = take_reals(mem, problem->nefc);
  groups_multiply(&u->groups, problem->qacc_smooth, u->b);
  for (int64_t i = 0; i < problem->nefc; i++) {
    u->b[i] -= problem->aref[i];
    u->diagonal[i] = dual_entry(u, i, i);
  }
}

// Row of A times the forces.
static double row_times_force(const dual *u, int64_t row) {
  const sn_sparse *A = u->problem->dual;
  const double *val = A->val + A->adr[row];
  double sum = 0;
  if (A->nnz[row] == u->problem->nefc) {
    u->kernel->rows_times(1, A->nnz[row], val, u->force, &sum);
    return sum;
  }
  const int32_t *col = A->col + A->adr[row];
  for (int32_t k = 0; k < A->nnz[row]; k++) {
    sum += val[k] * u->force[col[k]];
  }
  return sum;
}

double dual_residual(const dual *u, int64_t row) {
  return row_times_force(u, row) + u->R[row] * u->force[row] + u->b[row];
}

double dual_cost(const dual *u) {
  double sum = 0;
  for (int64_t i = 0; i < u->problem->nefc; i++) {
    if (u->force[i] != 0) {
      sum += 0.5 * u->force[i] * (dual_residual(u, i) + u->b[i]);
    }
  }
  return sum;
}

void dual_block(const dual *u, int64_t row, int32_t n, double *block) {
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      block[i * n + j] = dual_entry(u, row + i, row + j);
    }
    block[i * n + i] += u->R[row + i];
  }
}

double dual_update_row(dual *u, int64_t row, double low, double high) {
  double curvature = fmax(MIN_DIAGONAL, u->diagonal[row] + u->R[row]);
  double residual = dual_residual(u, row), before = u->force[row];
  double after = fmin(high, fmax(low, before - residual / curvature)), step = after - before;
  u->force[row] = after;
  return -step * (residual + 0.5 * step * curvature);
}

double dual_update_friction(dual *u, const sn_cone *cone) {
  int32_t n = cone->dim - 1;
  int64_t row = cone->row + 1;
  double A[25] = { 0 }, b[5] = { 0 }, residual[5], after[5] = { 0 };
  double *f = u->force + row, decrease = 0;
  double normal = u->force[cone->row];
  dual_block(u, row, n, A);
  for (int32_t i = 0; i < n; i++) {
    residual[i] = dual_residual(u, row + i);
    b[i] = residual[i];
    for (int32_t j = 0; j < n; j++) {
      b[i] -= A[i * n + j] * f[j];
    }
  }
  if (normal > 0) {
    qcqp_solve(n, A, b, cone->friction, normal, after);
  }
  for (int32_t i = 0; i < n; i++) {
    double Astep = 0;
    for (int32_t j = 0; j < n; j++) {
      Astep += A[i * n + j] * (after[j] - f[j]);
    }
    decrease -= (after[i] - f[i]) * (residual[i] + 0.5 * Astep);
  }
  memcpy(f, after, (size_t)n * sizeof *f);
  return decrease;
}

// ------------------------------------------------------------------ what follows

static int32_t cone_state(const sn_cone *cone, const double *f) {
  double sum = 0;
  if (f[0] <= 0) {
    return SN_ROWSTATE_SATISFIED;
  }
  for (int32_t i = 1; i < cone->dim; i++) {
    double x = f[i] / cone->friction[i - 1];
    sum += x * x;
  }
  return sqrt(sum) < f[0] * (1 - 1e-12) ? SN_ROWSTATE_QUADRATIC : SN_ROWSTATE_CONE;
}

void dual_finish(dual *u, sn_solution *solution) {
  const sn_problem *q = u->problem;
  for (int64_t i = 0; i < q->nefc; i++) {
    double f = u->force[i], eta = q->frictionloss[i];
    int32_t state = f > 0 || i < q->ne ? SN_ROWSTATE_QUADRATIC : SN_ROWSTATE_SATISFIED;
    if (i >= q->ne && i < q->ne + q->nf) {
      state = f >= eta    ? SN_ROWSTATE_LINEARNEG
              : f <= -eta ? SN_ROWSTATE_LINEARPOS
                          : SN_ROWSTATE_QUADRATIC;
    }
    solution->state[i] = state;
  }
  for (int64_t k = 0; k < q->ncone; k++) {
    const sn_cone *cone = &q->cone[k];
    int32_t state = cone_state(cone, u->force + cone->row);
    for (int32_t i = 0; i < cone->dim; i++) {
      solution->state[cone->row + i] = state;
    }
  }
  groups_multiply_transposed(&u->groups, u->force, solution->qacc);
  inertia_solve(&u->inertia, solution->qacc);
  for (int64_t i = 0; i < q->nv; i++) {
    solution->qacc[i] += q->qacc_smooth[i];
  }
}
