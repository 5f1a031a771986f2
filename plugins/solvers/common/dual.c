// SPDX-License-Identifier: Apache-2.0
//
// The dual problem and the steps of a sweep; see dual.h.

#include "dual.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/numerics/sparse.h"

static double dot(int64_t n, const double *x, const double *y) {
  double even = 0, odd = 0;
  int64_t k = 0;
  for (; k + 1 < n; k += 2) {
    even += x[k] * y[k];
    odd += x[k + 1] * y[k + 1];
  }
  return k < n ? even + odd + x[k] * y[k] : even + odd;
}

static void make_units(dual *u) {
  const sn_problem *q = u->problem;
  int64_t k = 0;
  for (int64_t i = 0; i < q->nblock; i++) {
    int32_t row = q->block[i].row, end = row + q->block[i].nrow;
    while (row < end) {
      const sn_cone *cone = k < q->ncone && q->cone[k].row == row ? &q->cone[k++] : NULL;
      int32_t n = cone ? cone->dim : end - row < DUAL_ROWS ? end - row : DUAL_ROWS;
      u->unit[u->nunit++] = (dual_unit){ .row = row, .n = n, .cone = cone };
      row += n;
    }
  }
}

// The part of A of a unit; returns the sum of its diagonal.
static double fill_unit(dual *u, dual_unit *unit) {
  const double *C = u->C.val + u->C.adr[unit->row];
  const int32_t n = unit->n, ncol = u->C.nnz[unit->row];
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j <= i; j++) {
      unit->A[i * n + j] = unit->A[j * n + i] = dot(ncol, C + i * ncol, C + j * ncol);
    }
    sum += unit->A[i * n + i];
    u->root[unit->row + i] = sqrt(unit->A[i * n + i]);
    unit->A[i * n + i] += u->R[unit->row + i];
    u->inverse[unit->row + i] = 1 / sn_max(unit->A[i * n + i], SN_TINY);
  }
  return sum;
}

sn_status dual_make(dual *u, const sn_problem *problem, const sn_kernels *kernel, double *force,
                    const double *R, sn_scratch *mem) {
  *u = (dual){ .problem = problem, .kernel = kernel, .force = force, .R = R };
  const tasks alone = tasks_with(NULL, NULL);
  SN_TRY(groups_make(&u->groups, problem, kernel, &alone, mem));
  SN_TRY(sn_whitened_jacobian(&problem->J, problem->inertia, mem, &u->C));
  SN_ALLOC(u->b, mem, problem->nefc);
  SN_ALLOC(u->root, mem, problem->nefc);
  SN_ALLOC(u->inverse, mem, problem->nefc);
  SN_ALLOC(u->unit, mem, problem->nefc);
  SN_ALLOC(u->w, mem, problem->nv);
  SN_ALLOC(u->gathered, mem, problem->nv);
  groups_multiply(&u->groups, problem->qacc_smooth, u->b);
  for (int64_t i = 0; i < problem->nefc; i++) {
    u->b[i] -= problem->aref[i];
  }
  double sum = 0;
  make_units(u);
  for (int64_t k = 0; k < u->nunit; k++) {
    dual_unit *unit = &u->unit[k];
    const int32_t n = unit->n;
    SN_ALLOC(unit->A, mem, n * n);
    sum += fill_unit(u, unit);
    if (unit->cone) {
      SN_ALLOC(unit->slice, mem, 2 * (n - 1) * (n - 1));
      qcqp_make(n - 1, unit->A + n + 1, n, unit->cone->friction, unit->slice);
    }
  }
  return isfinite(sum) ? SN_OK : SN_EDIVERGED;
}

void dual_residual(const dual *u, const dual_unit *unit, double *residual) {
  const int32_t row = unit->row, ncol = u->C.nnz[row], *col = u->C.col + u->C.adr[row];
  const double *w = u->w, *R = u->R + row, *force = u->force + row, *b = u->b + row;
  double *gathered = u->gathered;
  for (int32_t k = 0; k < ncol; k++) {
    gathered[k] = w[col[k]];
  }
  u->kernel->rows_times(unit->n, ncol, u->C.val + u->C.adr[row], gathered, residual);
  for (int32_t i = 0; i < unit->n; i++) {
    residual[i] += R[i] * force[i] + b[i];
  }
}

// w += C'f of a unit.
static void add_to_w(dual *u, const dual_unit *unit, const double *force) {
  const int32_t row = unit->row, ncol = u->C.nnz[row], *col = u->C.col + u->C.adr[row];
  double *w = u->w, *gathered = u->gathered;
  u->kernel->times_rows(unit->n, ncol, u->C.val + u->C.adr[row], force, gathered);
  for (int32_t k = 0; k < ncol; k++) {
    w[col[k]] += gathered[k];
  }
}

void dual_changed(dual *u, const dual_unit *unit, const double *before) {
  double step[DUAL_ROWS];
  int moved = 0;
  for (int32_t i = 0; i < unit->n; i++) {
    step[i] = u->force[unit->row + i] - before[i];
    moved |= step[i] != 0;
  }
  if (moved) {
    add_to_w(u, unit, step);
  }
}

static void sum_forces(dual *u) {
  memset(u->w, 0, (size_t)u->problem->nv * sizeof *u->w);
  for (int64_t k = 0; k < u->nunit; k++) {
    const double *force = u->force + u->unit[k].row;
    int acts = 0;
    for (int32_t i = 0; i < u->unit[k].n; i++) {
      acts |= force[i] != 0;
    }
    if (acts) {
      add_to_w(u, &u->unit[k], force);
    }
  }
}

void dual_restart(dual *u) {
  u->age = 0;
}

// w is summed up anew now and then, so that rounding errors do not add up over many sweeps.
// |A_ij| <= sqrt(A_ii A_jj), for A has no negative eigenvalue.
void dual_begin(dual *u) {
  enum { OLD = 8 };
  if (u->age == 0) {
    sum_forces(u);
  }
  u->age = (u->age + 1) % OLD;
  u->moved = 0;
  u->reach = 0;
  for (int64_t i = 0; i < u->problem->nefc; i++) {
    u->reach += u->root[i] * fabs(u->force[i]);
  }
}

double dual_cost(dual *u) {
  sum_forces(u);
  double sum = 0.5 * dot(u->problem->nv, u->w, u->w);
  for (int64_t i = 0; i < u->problem->nefc; i++) {
    sum += u->force[i] * (0.5 * u->R[i] * u->force[i] + u->b[i]);
  }
  return sum;
}

double dual_rounding(const dual *u, int64_t row) {
  return DBL_EPSILON *
         (u->root[row] * u->reach + u->R[row] * fabs(u->force[row]) + fabs(u->b[row]));
}

double dual_gain(dual *u, double decrease, double nothing) {
  u->moved |= decrease > nothing;
  return decrease;
}

static double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

double dual_update_row(dual *u, const dual_unit *unit, int32_t i, double low, double high,
                       double *residual) {
  const int32_t n = unit->n;
  double *force = u->force + unit->row + i;
  const double inverse = u->inverse[unit->row + i], curvature = sn_max(unit->A[i * n + i], SN_TINY);
  double after = clamp(*force - residual[i] * inverse, low, high), step = after - *force;
  double decrease = -step * (residual[i] + 0.5 * step * curvature);
  if (!u->moved) {
    double rounding = dual_rounding(u, unit->row + i);
    dual_gain(u, decrease, rounding * rounding * inverse);
  }
  if (step != 0) {
    *force = after;
    for (int32_t j = 0; j < n; j++) {
      residual[j] += unit->A[i * n + j] * step;
    }
  }
  return decrease;
}

// The decrease of the cost when friction f goes to its best value on the slice of the cone. Summed
// up from the residual, -step'(residual + A step / 2), it would be a small difference of large
// numbers on the surface of the cone, where the residual does not vanish. With y_i = f_i / mu_i and
// the multiplier l, residual + A step = -l y_after there (qcqp.c), and so, without a sign to lose:
//
//   decrease = 1/2 step'A step + 1/2 l |y_step|^2 + 1/2 l (|y_after|^2 - |y_before|^2)
DUAL_INLINE double friction_decrease(int32_t n, const double *A, const double *mu, double l,
                                     const double *before, const double *after) {
  const double rounding = 16 * DBL_EPSILON;   // of the length of a force on the surface
  double Astep = 0, moved = 0, length_before = 0, length_after = 0;
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      Astep += (after[i] - before[i]) * A[i * (n + 1) + j] * (after[j] - before[j]);
    }
  }
  for (int32_t i = 0; i < n && l != 0; i++) {
    double y = before[i] / mu[i], z = after[i] / mu[i];
    moved += (z - y) * (z - y);
    length_before += y * y;
    length_after += z * z;
  }
  double longer = length_after - length_before;
  longer = longer > rounding * length_after ? longer : 0;
  return 0.5 * Astep + 0.5 * l * (moved + longer);
}

// n: rows of friction
DUAL_INLINE double update_friction(dual *u, const dual_unit *unit, int32_t n,
                                   const double *residual) {
  const double *A = unit->A + n + 2;   // of these rows, n + 1 apart
  const int64_t row = unit->row + 1;
  double b[5], after[5] = { 0 };
  double *f = u->force + row, normal = f[-1], decrease = 0, nothing = 0;
  for (int32_t i = 0; i < n && !u->moved; i++) {
    double rounding = dual_rounding(u, row + i);
    nothing += rounding * rounding / sn_max(A[i * (n + 2)], SN_TINY);
  }
  for (int32_t i = 0; i < n; i++) {
    double Af = 0;
    for (int32_t j = 0; j < n; j++) {
      Af += A[i * (n + 1) + j] * f[j];
    }
    b[i] = residual[i + 1] - Af;
    decrease += f[i] * (residual[i + 1] - 0.5 * Af);   // to the axis of the cone
  }
  if (normal > 0) {
    double l = qcqp_solve(n, unit->slice, b, unit->cone->friction, normal, after);
    decrease = friction_decrease(n, A, unit->cone->friction, l, f, after);
  }
  memcpy(f, after, (size_t)n * sizeof *f);
  return dual_gain(u, decrease, nothing);
}

double dual_update_friction(dual *u, const dual_unit *unit, const double *residual) {
  return unit->n == 3 ? update_friction(u, unit, 2, residual)
                      : update_friction(u, unit, unit->n - 1, residual);
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
