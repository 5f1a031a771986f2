// SPDX-License-Identifier: Apache-2.0
//
// Projected Gauss-Seidel on the dual problem (common/dual.h). An elliptic contact is updated in two
// steps that do not get stuck on the surface of its cone: first along the ray from the tip through
// the present force, then on the slice of the cone at that normal force (common/qcqp.c).
//
// Reference: chapter Computation, "Algorithms".

#include <math.h>
#include <string.h>

#include "common/dual.h"
#include "common/instance.h"
#include "common/primal.h"

#define TIP 1e-15   // normal force below which a contact is at the tip of its cone

// Moves the force of a contact along `ray` as far as is best, but not below `least` rays. The
// residual follows.
DUAL_INLINE double move_rows(dual *u, const dual_unit *unit, int32_t n, const double *ray,
                             double least, double *residual) {
  double Aray[DUAL_ROWS], slope = 0, curvature = 0, rounding = 0, *force = u->force + unit->row;
  for (int32_t i = 0; i < n; i++) {
    slope += ray[i] * residual[i];
    Aray[i] = 0;
    for (int32_t j = 0; j < n; j++) {
      Aray[i] += unit->A[i * n + j] * ray[j];
    }
    curvature += ray[i] * Aray[i];
  }
  if (!(curvature > 0)) {
    return 0;
  }
  for (int32_t i = 0; i < n && !u->moved; i++) {
    rounding += fabs(ray[i]) * dual_rounding(u, unit->row + i);
  }
  double step = -slope / curvature;
  step = step > least ? step : least;
  for (int32_t i = 0; i < n; i++) {
    force[i] += step * ray[i];
    residual[i] += step * Aray[i];
  }
  const double decrease = -step * (slope + 0.5 * step * curvature);
  return u->moved ? decrease : dual_gain(u, decrease, rounding * rounding / curvature);
}

static double move(dual *u, const dual_unit *unit, const double *ray, double least,
                   double *residual) {
  return unit->n == 3 ? move_rows(u, unit, 3, ray, least, residual)
                      : move_rows(u, unit, unit->n, ray, least, residual);
}

// From the tip of the cone: along the normal when that descends, else along the ray of the cone
// that descends most.
static double leave_tip(dual *u, const dual_unit *unit, double *residual) {
  const double *friction = unit->cone->friction;
  double ray[DUAL_ROWS] = { 1 }, norm = 0, *force = u->force + unit->row;
  for (int32_t i = 0; i < unit->n; i++) {
    for (int32_t j = 0; j < unit->n; j++) {
      residual[i] -= unit->A[i * unit->n + j] * force[j];
    }
  }
  memset(force, 0, (size_t)unit->n * sizeof *force);
  if (residual[0] >= 0) {
    for (int32_t i = 1; i < unit->n; i++) {
      ray[i] = -friction[i - 1] * residual[i];
      norm += ray[i] * ray[i];
    }
    norm = sqrt(norm);
    if (norm <= residual[0]) {
      return 0;
    }
    for (int32_t i = 1; i < unit->n; i++) {
      ray[i] *= friction[i - 1] / norm;
    }
  }
  return move(u, unit, ray, 0, residual);
}

static double update_unit(dual *u, const dual_unit *unit) {
  const sn_problem *q = u->problem;
  double before[DUAL_ROWS], residual[DUAL_ROWS], *force = u->force + unit->row, decrease = 0;
  memcpy(before, force, (size_t)unit->n * sizeof *before);
  dual_residual(u, unit, residual);
  if (unit->cone) {
    decrease = force[0] < TIP ? leave_tip(u, unit, residual) : move(u, unit, before, -1, residual);
    decrease += dual_update_friction(u, unit, residual);
  } else {
    for (int32_t i = 0; i < unit->n; i++) {
      const int32_t row = unit->row + i;
      double high = row >= q->ne && row < q->ne + q->nf ? q->frictionloss[row] : HUGE_VAL;
      double low = row >= q->ne + q->nf ? 0 : -high;
      decrease += dual_update_row(u, unit, i, low, high, residual);
    }
  }
  dual_changed(u, unit, before);
  return decrease;
}

// Visits every row once; returns the decrease of the cost.
static double sweep(dual *u) {
  double decrease = 0;
  dual_begin(u);
  for (int64_t k = 0; k < u->nunit; k++) {
    decrease += update_unit(u, &u->unit[k]);
  }
  return decrease;
}

// The forces that belong to the warm start; none when they cost more than no force.
static sn_status start(dual *u, sn_solution *solution, sn_scratch *mem) {
  primal p;
  const tasks alone = tasks_with(NULL, NULL);
  SN_TRY(primal_make(&p, u->problem, u->kernel, &alone, solution, mem));
  primal_place(&p, u->problem->qacc_start);
  if (!(dual_cost(u) <= 0)) {
    memset(u->force, 0, (size_t)u->problem->nefc * sizeof *u->force);
  }
  return SN_OK;
}

static sn_status pgs_solve(const void *instance, const sn_problem *problem, sn_solution *solution,
                           sn_scratch *scratch) {
  pool mem = pool_from(scratch);
  const solver_instance *self = instance;
  dual u;
  SN_TRY(dual_make(&u, problem, self->kernel, solution->force, problem->R, &mem.scratch));
  SN_TRY(start(&u, solution, &mem.scratch));
  sn_status status = SN_NOT_CONVERGED;
  solution->iterations = 0;
  while (status != SN_OK && solution->iterations < problem->iterations) {
    double improvement = problem->scale * sweep(&u);
    if (solution->iteration && solution->iterations < solution->ncapacity) {
      solution->iteration[solution->iterations] = (sn_iteration){ .improvement = improvement };
    }
    solution->iterations++;
    if (improvement < problem->tolerance || !u.moved) {
      status = SN_OK;
    }
  }
  dual_finish(&u, solution);
  return status;
}

// ------------------------------------------------------------------ the plugin

static const sn_solver_ops pgs_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .summary = "projected Gauss-Seidel on forces",
            .create = solver_create,
            .destroy = solver_destroy },
  .solve = pgs_solve,
};

static const sn_provide pgs_provides[] = {
  SN_PROVIDE_SOLVER("pgs", &pgs_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "pgs", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "projected Gauss-Seidel solver of the constraint problem",
          .provides = pgs_provides)
