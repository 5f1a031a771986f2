// SPDX-License-Identifier: Apache-2.0
//
// The dual problem and the steps of a sweep; see dual.h.

#include "dual.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/math.h"

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

sn_status dual_make(dual *u, const sn_problem *problem, const sn_kernels *kernel, double *force,
                    const double *R, sn_scratch *mem) {
  *u = (dual){ .problem = problem, .kernel = kernel, .force = force, .R = R };
  SN_TRY(groups_make(&u->groups, problem, kernel, mem));
  SN_ALLOC(u->b, mem, problem->nefc);
  SN_ALLOC(u->diagonal, mem, problem->nefc);
  groups_multiply(&u->groups, problem->qacc_smooth, u->b);
  double sum = 0;
  for (int64_t i = 0; i < problem->nefc; i++) {
    u->b[i] -= problem->aref[i];
    u->diagonal[i] = dual_entry(u, i, i);
    sum += u->diagonal[i];
  }
  return isfinite(sum) ? SN_OK : SN_EDIVERGED;
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

// |A_ij| <= sqrt(A_ii A_jj), for A has no negative eigenvalue.
void dual_begin(dual *u) {
  u->moved = 0;
  u->reach = 0;
  for (int64_t i = 0; i < u->problem->nefc; i++) {
    u->reach += sqrt(u->diagonal[i]) * fabs(u->force[i]);
  }
}

double dual_rounding(const dual *u, int64_t row) {
  return DBL_EPSILON *
         (sqrt(u->diagonal[row]) * u->reach + u->R[row] * fabs(u->force[row]) + fabs(u->b[row]));
}

double dual_gain(dual *u, double decrease, double nothing) {
  u->moved |= decrease > nothing;
  return decrease;
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
  double curvature = fmax(SN_TINY, u->diagonal[row] + u->R[row]);
  double residual = dual_residual(u, row), before = u->force[row];
  double after = fmin(high, fmax(low, before - residual / curvature)), step = after - before;
  double rounding = dual_rounding(u, row);
  u->force[row] = after;
  return dual_gain(u, -step * (residual + 0.5 * step * curvature), rounding * rounding / curvature);
}

// The decrease of the cost when friction f goes to its best value on the slice of the cone. Summed
// up from the residual, -step'(residual + A step / 2), it would be a small difference of large
// numbers on the surface of the cone, where the residual does not vanish. With y_i = f_i / mu_i and
// the multiplier l, residual + A step = -l y_after there (qcqp.c), and so, without a sign to lose:
//
//   decrease = 1/2 step'A step + 1/2 l |y_step|^2 + 1/2 l (|y_after|^2 - |y_before|^2)
static double friction_decrease(int32_t n, const double *A, const double *mu, double l,
                                const double *before, const double *after) {
  const double rounding = 16 * DBL_EPSILON;   // of the length of a force on the surface
  double Astep = 0, moved = 0, length_before = 0, length_after = 0;
  for (int32_t i = 0; i < n; i++) {
    double step = after[i] - before[i], y = before[i] / mu[i], z = after[i] / mu[i];
    for (int32_t j = 0; j < n; j++) {
      Astep += step * A[i * n + j] * (after[j] - before[j]);
    }
    moved += (z - y) * (z - y);
    length_before += y * y;
    length_after += z * z;
  }
  double longer = length_after - length_before;
  longer = longer > rounding * length_after ? longer : 0;
  return 0.5 * Astep + 0.5 * l * (moved + longer);
}

double dual_update_friction(dual *u, const sn_cone *cone) {
  int32_t n = cone->dim - 1;
  int64_t row = cone->row + 1;
  double A[25] = { 0 }, b[5] = { 0 }, after[5] = { 0 };
  double *f = u->force + row, normal = u->force[cone->row], decrease = 0, nothing = 0;
  dual_block(u, row, n, A);
  for (int32_t i = 0; i < n; i++) {
    double residual = dual_residual(u, row + i), rounding = dual_rounding(u, row + i), Af = 0;
    nothing += rounding * rounding / fmax(SN_TINY, A[i * n + i]);
    for (int32_t j = 0; j < n; j++) {
      Af += A[i * n + j] * f[j];
    }
    b[i] = residual - Af;
    decrease += f[i] * (residual - 0.5 * Af);   // to the axis of the cone
  }
  if (normal > 0) {
    double l = qcqp_solve(n, A, b, cone->friction, normal, after);
    decrease = friction_decrease(n, A, cone->friction, l, f, after);
  }
  memcpy(f, after, (size_t)n * sizeof *f);
  return dual_gain(u, decrease, nothing);
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
  sn_tree_solve_plain(u->problem->inertia, solution->qacc);
  for (int64_t i = 0; i < q->nv; i++) {
    solution->qacc[i] += q->qacc_smooth[i];
  }
}
