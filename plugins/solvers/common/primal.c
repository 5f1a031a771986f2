// SPDX-License-Identifier: Apache-2.0
//
// Cost, force and state of the reduced primal problem; see primal.h.

#include "primal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "dot.h"

// ------------------------------------------------------------------ rows

static inline int32_t set_state(primal *p, int64_t row, int32_t state) {
  int32_t changed = p->state[row] != state;
  p->state[row] = state;
  return changed;
}

// Friction loss: the Huber function.
static int32_t update_friction(primal *p) {
  const sn_problem *q = p->problem;
  int32_t changed = 0;
  for (int64_t i = q->ne; i < q->ne + q->nf; i++) {
    int32_t state;
    p->cost += sn_penalty_friction(q->D[i], q->R[i], q->frictionloss[i], p->jar[i], &p->force[i],
                                   &state);
    p->nactive += state == SN_ROWSTATE_QUADRATIC;
    changed += set_state(p, i, state);
  }
  return changed;
}

// Rows that are quadratic where z < bound: equality (infinity), unilateral (0).
static int32_t update_quadratic(primal *p, int64_t begin, int64_t end, double bound) {
  const double *D = p->problem->D;
  int32_t changed = 0, active = 0;
  double cost = 0;
  for (int64_t i = begin; i < end; i++) {
    int32_t state;
    double force;
    cost += sn_penalty_quadratic(D[i], bound, p->jar[i], &force, &state);
    p->force[i] = force;
    active += state == SN_ROWSTATE_QUADRATIC;
    changed += set_state(p, i, state);
  }
  p->cost += cost;
  p->nactive += active;
  return changed;
}

static int32_t update_cone(primal *p, const sn_cone *cone) {
  const int64_t row = cone->row;
  int32_t state;
  p->cost += sn_penalty_cone(cone->dim, cone->mu, p->root_D + row, p->jar + row, p->force + row,
                             &state);
  p->ncurved += state == SN_ROWSTATE_CONE;
  p->nactive += state == SN_ROWSTATE_SATISFIED ? 0 : cone->dim;
  int32_t changed = p->state[row] == state ? 0 : cone->dim;
  for (int32_t i = 0; i < cone->dim; i++) {
    p->state[row + i] = state;
  }
  return changed;
}

int32_t primal_update(primal *p) {
  const sn_problem *q = p->problem;
  p->cost = 0.5 * dot_differences(q->nv, p->x, q->qacc_smooth, p->Mx, q->qfrc_smooth);
  p->nactive = p->ncurved = 0;
  int32_t changed = update_quadratic(p, 0, q->ne, HUGE_VAL) + update_friction(p);
  int64_t row = q->ne + q->nf;
  for (int64_t k = 0; k < q->ncone; k++) {
    changed += update_quadratic(p, row, q->cone[k].row, 0) + update_cone(p, &q->cone[k]);
    row = q->cone[k].row + q->cone[k].dim;
  }
  return changed + update_quadratic(p, row, q->nefc, 0);
}

void primal_cone_hessian(const primal *p, int64_t k, double *W) {
  const sn_cone *cone = &p->problem->cone[k];
  sn_penalty_cone_hessian(cone->dim, cone->mu, p->root_D + cone->row, p->jar + cone->row, W);
}

// ------------------------------------------------------------------ vectors

double primal_gradient(primal *p) {
  const sn_problem *q = p->problem;
  groups_multiply_transposed(&p->groups, p->force, p->gradient);
  for (int64_t i = 0; i < q->nv; i++) {
    p->gradient[i] = p->Mx[i] - q->qfrc_smooth[i] - p->gradient[i];
  }
  return sqrt(dot(q->nv, p->gradient, p->gradient));
}

double primal_rounding(const primal *p) {
  const sn_problem *q = p->problem;
  double sum = 0;
  for (int64_t i = 0; i < q->nv; i++) {
    const double constraint = p->Mx[i] - q->qfrc_smooth[i] - p->gradient[i];
    const double size = fabs(p->Mx[i]) + fabs(q->qfrc_smooth[i]) + fabs(constraint);
    sum += size * size;
  }
  return DBL_EPSILON * sqrt(sum);
}

void primal_direction(primal *p) {
  sn_tree_multiply(p->problem->inertia, p->search, p->Msearch);
  groups_multiply(&p->groups, p->search, p->Jsearch);
}

void primal_move(primal *p, double step) {
  for (int64_t i = 0; i < p->problem->nv; i++) {
    p->x[i] += step * p->search[i];
    p->Mx[i] += step * p->Msearch[i];
  }
  for (int64_t i = 0; i < p->problem->nefc; i++) {
    p->jar[i] += step * p->Jsearch[i];
  }
}

// ------------------------------------------------------------------ start

double primal_place(primal *p, const double *x) {
  const sn_problem *q = p->problem;
  size_t bytes = (size_t)q->nv * sizeof(double);
  memcpy(p->x, x, bytes);
  if (x == q->qacc_smooth) {
    memcpy(p->Mx, q->qfrc_smooth, bytes);
  } else {
    sn_tree_multiply(p->problem->inertia, x, p->Mx);
  }
  groups_multiply(&p->groups, x, p->jar);
  for (int64_t i = 0; i < q->nefc; i++) {
    p->jar[i] -= q->aref[i];
  }
  primal_update(p);
  return p->cost;
}

sn_status primal_make(primal *p, const sn_problem *problem, const sn_kernels *kernel,
                      const tasks *threads, sn_solution *solution, sn_scratch *mem) {
  int64_t nv = problem->nv, nefc = problem->nefc;
  *p = (primal){
    .problem = problem, .x = solution->qacc, .force = solution->force, .state = solution->state
  };
  SN_TRY(groups_make(&p->groups, problem, kernel, threads, mem));
  SN_ALLOC(p->Mx, mem, nv);
  SN_ALLOC(p->gradient, mem, nv);
  SN_ALLOC(p->search, mem, nv);
  SN_ALLOC(p->Msearch, mem, nv);
  SN_ALLOC(p->jar, mem, nefc);
  SN_ALLOC(p->Jsearch, mem, nefc);
  memset(p->state, 0, (size_t)nefc * sizeof *p->state);
  if (problem->ncone) {
    SN_ALLOC(p->root_D, mem, nefc);
    SN_ALLOC(p->line, mem, problem->ncone);
    for (int64_t k = 0; k < problem->ncone; k++) {
      for (int32_t i = problem->cone[k].row; i < problem->cone[k].row + problem->cone[k].dim; i++) {
        p->root_D[i] = sqrt(problem->D[i]);
      }
    }
  }
  return SN_OK;
}

// The smooth acceleration when it costs less than the warm start, or that is not finite.
void primal_start(primal *p) {
  const sn_problem *problem = p->problem;
  double smooth = primal_place(p, problem->qacc_smooth);
  if (memcmp(problem->qacc_start, problem->qacc_smooth, (size_t)problem->nv * sizeof(double)) !=
      0) {
    double warm = primal_place(p, problem->qacc_start);
    if (!(warm < smooth)) {
      primal_place(p, problem->qacc_smooth);
    }
  }
}
