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

// Moves the force of a contact along `ray` as far as is best, but not below `least` rays.
static double move(dual *u, const sn_cone *cone, const double *ray, double least) {
  double A[36] = { 0 }, slope = 0, curvature = 0, rounding = 0;
  int32_t n = cone->dim;
  dual_block(u, cone->row, n, A);
  for (int32_t i = 0; i < n; i++) {
    slope += ray[i] * dual_residual(u, cone->row + i);
    rounding += fabs(ray[i]) * dual_rounding(u, cone->row + i);
    for (int32_t j = 0; j < n; j++) {
      curvature += ray[i] * A[i * n + j] * ray[j];
    }
  }
  if (!(curvature > 0)) {
    return 0;
  }
  double step = fmax(least, -slope / curvature);
  for (int32_t i = 0; i < n; i++) {
    u->force[cone->row + i] += step * ray[i];
  }
  return dual_gain(u, -step * (slope + 0.5 * step * curvature), rounding * rounding / curvature);
}

// From the tip of the cone: along the normal when that descends, else along the ray of the cone
// that descends most.
static double leave_tip(dual *u, const sn_cone *cone) {
  double ray[6] = { 1 }, norm = 0, normal = dual_residual(u, cone->row);
  memset(u->force + cone->row, 0, (size_t)cone->dim * sizeof(double));
  if (normal >= 0) {
    for (int32_t i = 1; i < cone->dim; i++) {
      ray[i] = -cone->friction[i - 1] * dual_residual(u, cone->row + i);
      norm += ray[i] * ray[i];
    }
    norm = sqrt(norm);
    if (norm <= normal) {
      return 0;
    }
    for (int32_t i = 1; i < cone->dim; i++) {
      ray[i] *= cone->friction[i - 1] / norm;
    }
  }
  return move(u, cone, ray, 0);
}

static double update_ray(dual *u, const sn_cone *cone) {
  double ray[6];
  memcpy(ray, u->force + cone->row, (size_t)cone->dim * sizeof *ray);
  return ray[0] < TIP ? leave_tip(u, cone) : move(u, cone, ray, -1);
}

// Visits every row once; returns the decrease of the cost.
static double sweep(dual *u) {
  const sn_problem *q = u->problem;
  double decrease = 0;
  int64_t k = 0;
  dual_begin(u);
  for (int64_t i = 0; i < q->nefc;) {
    if (i < q->ne) {
      decrease += dual_update_row(u, i++, -HUGE_VAL, HUGE_VAL);
    } else if (i < q->ne + q->nf) {
      decrease += dual_update_row(u, i, -q->frictionloss[i], q->frictionloss[i]);
      i++;
    } else if (k < q->ncone && q->cone[k].row == i) {
      decrease += update_ray(u, &q->cone[k]);
      decrease += dual_update_friction(u, &q->cone[k]);
      i += q->cone[k++].dim;
    } else {
      decrease += dual_update_row(u, i++, 0, HUGE_VAL);
    }
  }
  return decrease;
}

// The forces that belong to the warm start; none when they cost more than no force.
static sn_status start(dual *u, sn_solution *solution, sn_scratch *mem) {
  primal p;
  SN_TRY(primal_make(&p, u->problem, u->kernel, solution, mem));
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
            .flags = SN_SOLVER_DUAL,
            .summary = "projected Gauss-Seidel on forces",
            .create = solver_create,
            .destroy = solver_destroy },
  .solve = pgs_solve,
};

static const sn_provide pgs_provides[] = {
  { SN_KIND_SOLVER, "pgs", &pgs_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "pgs", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "projected Gauss-Seidel solver of the constraint problem",
          .provides = pgs_provides)
