// SPDX-License-Identifier: Apache-2.0
//
// Random constraint problems for tests of solvers: a forest of dofs with an inertia that has its
// sparsity, and rows of every kind on paths of the forest. Also the conditions that a solution
// must satisfy, checked without knowing how it was found:
//
//   M (a - a0) = J' f, and with z = J a - aref and y = z + R f
//     equality       y = 0
//     friction loss  |f| <= eta, and y = 0 or f pushes against y with eta
//     unilateral     f >= 0, y >= 0, f y = 0
//     elliptic       f in K, y in K*, f'y = 0;   K* = { y_0 >= sqrt(sum (mu_i y_i)^2) }

#ifndef TEST_PROBLEM_H
#define TEST_PROBLEM_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sinew/numerics/tree.h"
#include "sinew/solver.h"

enum { PROBLEM_DOFS = 400, PROBLEM_ROWS = 1200, PROBLEM_NUMBERS = 200000 };

typedef struct test_problem {
  sn_problem problem;
  sn_inertia inertia;
  uint64_t random;
  int32_t parent[PROBLEM_DOFS], Madr[PROBLEM_DOFS];
  double M[PROBLEM_NUMBERS], L[PROBLEM_NUMBERS], Dinv[PROBLEM_DOFS];
  double smooth[PROBLEM_DOFS], force_smooth[PROBLEM_DOFS], start[PROBLEM_DOFS];
  int32_t nnz[PROBLEM_ROWS], adr[PROBLEM_ROWS], type[PROBLEM_ROWS];
  int32_t col[PROBLEM_NUMBERS];
  double J[PROBLEM_NUMBERS];
  double D[PROBLEM_ROWS], R[PROBLEM_ROWS], aref[PROBLEM_ROWS], eta[PROBLEM_ROWS];
  sn_block block[PROBLEM_ROWS];
  sn_cone cone[PROBLEM_ROWS];
  int64_t nJ;
} test_problem;

// What to make.
typedef struct test_shape {
  uint64_t seed;
  int32_t trees, depth;   // depth: dofs a tree, at most
  int32_t equality, friction, limit, frictionless, pyramidal, elliptic;
  int32_t across;    // rows couple two paths, perhaps of two trees
  double softness;   // scale of R; 0: 1
} test_shape;

static inline double test_random(test_problem *t) {   // uniform in [-1, 1)
  t->random ^= t->random << 13;
  t->random ^= t->random >> 7;
  t->random ^= t->random << 17;
  return (double)(t->random >> 11) * 0x1p-52 - 1;
}

static inline int32_t test_pick(test_problem *t, int64_t n) {
  return (int32_t)((test_random(t) + 1) * 0.5 * (double)n);
}

// A forest with branches, and M = L'DL of a random L along it.
static inline void test_forest(test_problem *t, const test_shape *shape) {
  int32_t n = 0, nM = 0;
  for (int32_t k = 0; k < shape->trees; k++) {
    int32_t root = n, dofs = 1 + test_pick(t, shape->depth);
    for (int32_t i = 0; i < dofs; i++, n++) {
      t->parent[n] = n == root ? -1 : test_random(t) < 0.4 ? n - 1 : root + test_pick(t, n - root);
    }
  }
  for (int32_t i = 0; i < n; i++) {
    t->Madr[i] = nM;
    for (int32_t j = i; j >= 0; j = t->parent[j]) {
      t->M[nM++] = 0;
    }
  }
  // M = sum over k of D_k l_k l_k', l_k = 1 at k and random at its ancestors
  for (int32_t k = 0; k < n; k++) {
    double l[PROBLEM_DOFS], D = 0.2 + fabs(test_random(t));
    for (int32_t i = k; i >= 0; i = t->parent[i]) {
      l[i] = i == k ? 1 : 0.5 * test_random(t);
    }
    for (int32_t i = k; i >= 0; i = t->parent[i]) {
      double *entry = t->M + t->Madr[i];
      for (int32_t j = i; j >= 0; j = t->parent[j]) {
        *entry++ += D * l[i] * l[j];
      }
    }
  }
  sn_tree_factor(n, t->parent, t->Madr, t->M, t->L, t->Dinv);
  t->problem.nv = n;
  t->problem.inertia = &t->inertia;
  t->inertia = (sn_inertia){ .size = sizeof t->inertia,
                             .nv = n,
                             .nM = nM,
                             .parent = t->parent,
                             .adr = t->Madr,
                             .M = t->M,
                             .L = t->L,
                             .Dinv = t->Dinv };
}

// The columns of a block: a path to the root, or two.
static inline int32_t test_columns(test_problem *t, int32_t across, int32_t *col) {
  int32_t n = 0, i = test_pick(t, t->problem.nv);
  int32_t j = across ? test_pick(t, t->problem.nv) : -1;
  while (i >= 0 || j >= 0) {
    int32_t dof = i > j ? i : j;
    i = i == dof ? t->parent[i] : i;
    j = j == dof ? t->parent[j] : j;
    col[n++] = dof;
  }
  for (int32_t a = 0, b = n - 1; a < b; a++, b--) {
    int32_t swap = col[a];
    col[a] = col[b];
    col[b] = swap;
  }
  return n;
}

static inline void test_block(test_problem *t, const test_shape *shape, int32_t type, int32_t nrow,
                              int32_t ncol, const int32_t *col) {
  sn_problem *p = &t->problem;
  double soft = shape->softness > 0 ? shape->softness : 1;
  t->block[p->nblock++] = (sn_block){ .row = (int32_t)p->nefc, .nrow = nrow };
  for (int32_t r = 0; r < nrow; r++, p->nefc++) {
    t->type[p->nefc] = type;
    t->nnz[p->nefc] = ncol;
    t->adr[p->nefc] = (int32_t)t->nJ;
    t->R[p->nefc] = soft * (0.05 + fabs(test_random(t)));
    t->D[p->nefc] = 1 / t->R[p->nefc];
    t->aref[p->nefc] = 3 * test_random(t);
    t->eta[p->nefc] = 0;
    for (int32_t k = 0; k < ncol; k++, t->nJ++) {
      t->col[t->nJ] = col[k];
      t->J[t->nJ] = test_random(t);
    }
  }
}

// Edges n + mu t, n - mu t of a contact with two directions, one regularizer.
static inline void test_pyramid(test_problem *t, const test_shape *shape, int32_t ncol,
                                const int32_t *col) {
  test_block(t, shape, SN_ROW_CONTACT_PYRAMIDAL, 4, ncol, col);
  int64_t row = t->problem.nefc - 4;
  double *J = t->J + t->adr[row], mu = 0.6;
  for (int32_t k = 0; k < ncol; k++) {
    double n = J[k], a = mu * J[ncol + k], b = mu * J[2 * ncol + k];
    J[k] = n + a;
    J[ncol + k] = n - a;
    J[2 * ncol + k] = n + b;
    J[3 * ncol + k] = n - b;
  }
  for (int64_t i = row + 1; i < row + 4; i++) {
    t->R[i] = t->R[row];
    t->D[i] = t->D[row];
  }
}

static inline void test_cone(test_problem *t, const test_shape *shape, int32_t ncol,
                             const int32_t *col) {
  static const int32_t dims[3] = { 3, 4, 6 };
  sn_problem *p = &t->problem;
  int32_t dim = dims[p->ncone % 3];
  test_block(t, shape, SN_ROW_CONTACT_ELLIPTIC, dim, ncol, col);
  int64_t row = p->nefc - dim;
  sn_cone *cone = &t->cone[p->ncone++];
  *cone = (sn_cone){ .row = (int32_t)row, .dim = dim };
  double R1 = t->R[row] / 2;   // impratio 2
  for (int32_t i = 1; i < dim; i++) {
    double mu = cone->friction[i - 1] = 0.3 + 0.25 * (test_random(t) + 1);
    t->R[row + i] = R1 * cone->friction[0] * cone->friction[0] / (mu * mu);
    t->D[row + i] = 1 / t->R[row + i];
  }
  cone->mu = cone->friction[0] * sqrt(0.5);
}

static inline void test_rows(test_problem *t, const test_shape *shape) {
  int32_t col[PROBLEM_DOFS];
  sn_problem *p = &t->problem;
  for (int32_t i = 0; i < shape->equality; i++) {
    int32_t n = test_columns(t, shape->across, col);
    test_block(t, shape, SN_ROW_EQUALITY, 1 + i % 3, n, col);
  }
  p->ne = p->nefc;
  for (int32_t i = 0; i < shape->friction; i++) {
    col[0] = test_pick(t, p->nv);
    test_block(t, shape, SN_ROW_FRICTION_DOF, 1, 1, col);
    t->J[t->nJ - 1] = 1;
    t->eta[p->nefc - 1] = 0.1 + fabs(test_random(t));
  }
  p->nf = p->nefc - p->ne;
  for (int32_t i = 0; i < shape->limit; i++) {
    col[0] = test_pick(t, p->nv);
    test_block(t, shape, SN_ROW_LIMIT_JOINT, 1, 1, col);
    t->J[t->nJ - 1] = i & 1 ? -1 : 1;
  }
  int32_t most = shape->frictionless > shape->pyramidal ? shape->frictionless : shape->pyramidal;
  most = most > shape->elliptic ? most : shape->elliptic;
  for (int32_t i = 0; i < most; i++) {
    int32_t n = test_columns(t, shape->across, col);
    if (i < shape->frictionless) {
      test_block(t, shape, SN_ROW_CONTACT_FRICTIONLESS, 1, n, col);
    }
    if (i < shape->pyramidal) {
      test_pyramid(t, shape, n, col);
    }
    if (i < shape->elliptic) {
      test_cone(t, shape, n, col);
    }
  }
}

// To be freed with free().
static inline test_problem *test_problem_new(const test_shape *shape) {
  test_problem *t = calloc(1, sizeof *t);
  t->random = 0x9e3779b97f4a7c15u ^ (shape->seed * 0xd1342543de82ef95u);
  for (int i = 0; i < 10; i++) {
    test_random(t);
  }
  test_forest(t, shape);
  test_rows(t, shape);
  sn_problem *p = &t->problem;
  for (int64_t i = 0; i < p->nv; i++) {
    t->smooth[i] = 4 * test_random(t);
    t->start[i] = 4 * test_random(t);
  }
  sn_tree_multiply(p->inertia, t->smooth, t->force_smooth);
  p->size = sizeof *p;
  p->jacobian = SN_JACOBIAN_AUTO;
  p->qacc_smooth = t->smooth;
  p->qfrc_smooth = t->force_smooth;
  p->qacc_start = t->start;
  p->J = (sn_sparse){
    .nnz = t->nnz, .adr = t->adr, .col = t->col, .val = t->J, .nrow = p->nefc, .ncol = p->nv
  };
  p->block = t->block;
  p->type = t->type;
  p->D = t->D;
  p->R = t->R;
  p->aref = t->aref;
  p->frictionloss = t->eta;
  p->cone = t->cone;
  p->scale = 1;
  p->iterations = 100;
  return t;
}

// ------------------------------------------------------------------ conditions

// The largest violation of the conditions at the head of this file, relative to the forces and
// accelerations of the problem.
static inline double test_violation(const sn_problem *p, const double *qacc, const double *force) {
  static double r[PROBLEM_DOFS], d[PROBLEM_DOFS], y[PROBLEM_ROWS];
  double worst = 0, big_force = 1e-3, big_row = 1e-3;
  for (int64_t i = 0; i < p->nv; i++) {
    d[i] = qacc[i] - p->qacc_smooth[i];
  }
  sn_tree_multiply(p->inertia, d, r);
  for (int64_t i = 0; i < p->nefc; i++) {
    double z = -p->aref[i];
    for (int32_t k = p->J.adr[i]; k < p->J.adr[i] + p->J.nnz[i]; k++) {
      r[p->J.col[k]] -= p->J.val[k] * force[i];
      z += p->J.val[k] * qacc[p->J.col[k]];
    }
    y[i] = z + p->R[i] * force[i];
    big_force = fmax(big_force, fabs(force[i]));
    big_row = fmax(big_row, fabs(z) + fabs(p->aref[i]));
  }
  for (int64_t i = 0; i < p->nv; i++) {
    worst = fmax(worst, fabs(r[i]) / (big_force + fabs(p->qfrc_smooth[i])));
  }
  int64_t cone = 0;
  for (int64_t i = 0; i < p->nefc; i++) {
    double f = force[i] / big_force, v = y[i] / big_row, eta = p->frictionloss[i] / big_force;
    if (cone < p->ncone && p->cone[cone].row == i) {
      double ft = 0, yt = 0, fy = 0;
      for (int32_t k = 0; k < p->cone[cone].dim; k++) {
        double mu = k ? p->cone[cone].friction[k - 1] : 1;
        double a = force[i + k] / big_force, b = y[i + k] / big_row;
        ft += k ? a * a / (mu * mu) : 0;
        yt += k ? b * b * mu * mu : 0;
        fy += a * b;
      }
      worst = fmax(worst, fmax(sqrt(ft) - f, fmax(sqrt(yt) - v, fabs(fy))));
      i += p->cone[cone++].dim - 1;
    } else if (i < p->ne) {
      worst = fmax(worst, fabs(v));
    } else if (i < p->ne + p->nf) {
      worst = fmax(worst, fabs(f) - eta);
      worst = fmax(worst, fmin(fabs(v), fabs(f + (v > 0 ? eta : -eta))));
    } else {
      worst = fmax(worst, fmax(-f, fmax(-v, fabs(f * v))));
    }
  }
  return isfinite(worst) ? worst : HUGE_VAL;
}

#endif
