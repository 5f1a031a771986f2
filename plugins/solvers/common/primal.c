// SPDX-License-Identifier: Apache-2.0
//
// Cost, force and state of the reduced primal problem; see primal.h.

#include "primal.h"

#include <math.h>
#include <string.h>

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
    double eta = q->frictionloss[i], z = p->jar[i], f = -q->D[i] * z;
    if (f >= eta) {
      p->cost += -eta * z - 0.5 * eta * eta * q->R[i];
      f = eta;
      changed += set_state(p, i, SN_ROWSTATE_LINEARNEG);
    } else if (f <= -eta) {
      p->cost += eta * z - 0.5 * eta * eta * q->R[i];
      f = -eta;
      changed += set_state(p, i, SN_ROWSTATE_LINEARPOS);
    } else {
      p->cost -= 0.5 * f * z;
      p->nactive++;
      changed += set_state(p, i, SN_ROWSTATE_QUADRATIC);
    }
    p->force[i] = f;
  }
  return changed;
}

// Rows that are quadratic where z < bound: equality (infinity), unilateral (0).
static int32_t update_quadratic(primal *p, int64_t begin, int64_t end, double bound) {
  const double *D = p->problem->D;
  int32_t changed = 0, active = 0;
  double cost = 0;
  for (int64_t i = begin; i < end; i++) {
    double z = p->jar[i];
    int32_t on = z < bound;
    double f = on ? -D[i] * z : 0;
    p->force[i] = f;
    cost -= f * z;
    active += on;
    changed += set_state(p, i, on ? SN_ROWSTATE_QUADRATIC : SN_ROWSTATE_SATISFIED);
  }
  p->cost += 0.5 * cost;
  p->nactive += active;
  return changed;
}

static int32_t update_cone(primal *p, const sn_cone *cone) {
  const double *z = p->jar + cone->row, *root = p->root_D + cone->row;
  double *f = p->force + cone->row, w[6], TT = 0, mu = cone->mu;
  for (int32_t i = 0; i < cone->dim; i++) {
    w[i] = root[i] * z[i];
    TT += i ? w[i] * w[i] : 0;
  }
  double T = sqrt(TT), N = -w[0], h = N + mu * T;
  int32_t state = SN_ROWSTATE_CONE;
  if (h <= 0) {
    state = SN_ROWSTATE_SATISFIED;
    memset(f, 0, (size_t)cone->dim * sizeof *f);
  } else if (T <= mu * N) {
    state = SN_ROWSTATE_QUADRATIC;
    p->cost += 0.5 * (N * N + TT);
    for (int32_t i = 0; i < cone->dim; i++) {
      f[i] = -root[i] * w[i];
    }
  } else {
    double part = h / (1 + mu * mu), tangent = -mu * part / T;
    p->cost += 0.5 * h * part;
    for (int32_t i = 0; i < cone->dim; i++) {
      f[i] = root[i] * (i ? tangent * w[i] : part);
    }
    p->ncurved++;
  }
  p->nactive += state == SN_ROWSTATE_SATISFIED ? 0 : cone->dim;
  int32_t changed = p->state[cone->row] == state ? 0 : cone->dim;
  for (int32_t i = 0; i < cone->dim; i++) {
    p->state[cone->row + i] = state;
  }
  return changed;
}

int32_t primal_update(primal *p) {
  const sn_problem *q = p->problem;
  double gauss = 0;
  for (int64_t i = 0; i < q->nv; i++) {
    gauss += (p->x[i] - q->qacc_smooth[i]) * (p->Mx[i] - q->qfrc_smooth[i]);
  }
  p->cost = 0.5 * gauss;
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
  const double *z = p->jar + cone->row, *root = p->root_D + cone->row;
  int32_t dim = cone->dim;
  double w[6], TT = 0, mu = cone->mu;
  for (int32_t i = 0; i < dim; i++) {
    w[i] = root[i] * z[i];
    TT += i ? w[i] * w[i] : 0;
  }
  double T = sqrt(TT), h = mu * T - w[0], scale = 1 / (1 + mu * mu);
  double direction[6] = { 1 };   // h = -direction' w
  for (int32_t i = 1; i < dim; i++) {
    direction[i] = -mu * w[i] / T;
  }
  double turn = mu * h / T;   // of the tangential part across its own direction
  for (int32_t i = 0; i < dim; i++) {
    for (int32_t j = 0; j < dim; j++) {
      double a = direction[i] * direction[j];
      if (i && j) {
        a += turn * ((i == j) - w[i] * w[j] / TT);
      }
      W[i * dim + j] = a * scale * root[i] * root[j];
    }
  }
}

// ------------------------------------------------------------------ vectors

double primal_gradient(primal *p) {
  const sn_problem *q = p->problem;
  groups_multiply_transposed(&p->groups, p->force, p->gradient);
  double sum = 0;
  for (int64_t i = 0; i < q->nv; i++) {
    double g = p->Mx[i] - q->qfrc_smooth[i] - p->gradient[i];
    p->gradient[i] = g;
    sum += g * g;
  }
  return sqrt(sum);
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
                      sn_solution *solution, sn_scratch *mem) {
  int64_t nv = problem->nv, nefc = problem->nefc;
  *p = (primal){
    .problem = problem, .x = solution->qacc, .force = solution->force, .state = solution->state
  };
  SN_TRY(groups_make(&p->groups, problem, kernel, mem));
  SN_TAKE(p->Mx, mem, nv);
  SN_TAKE(p->gradient, mem, nv);
  SN_TAKE(p->search, mem, nv);
  SN_TAKE(p->Msearch, mem, nv);
  SN_TAKE(p->jar, mem, nefc);
  SN_TAKE(p->Jsearch, mem, nefc);
  memset(p->state, 0, (size_t)nefc * sizeof *p->state);
  if (problem->ncone) {
    SN_TAKE(p->root_D, mem, nefc);
    SN_TAKE(p->line, mem, problem->ncone);
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
