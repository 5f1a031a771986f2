// SPDX-License-Identifier: Apache-2.0
//
// L'DL along trees of many shapes, against dense algebra: factors, solutions, products.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/numerics/tree.h"
#include "suite.h"

enum { NMAX = 150 };

// A tree, a positive definite matrix with its pattern, and the same matrix in full.
typedef struct tree {
  int64_t nv, nM;
  int32_t parent[NMAX], adr[NMAX];
  double M[NMAX * NMAX], L[NMAX * NMAX], Dinv[NMAX], full[NMAX * NMAX];
} tree;

typedef int32_t shape_fn(int32_t i);

static uint64_t seed;

static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}

static int32_t chain(int32_t i) {
  return i - 1;
}

static int32_t free_bodies(int32_t i) {
  return i % 6 == 0 ? -1 : i - 1;
}

static int32_t sliders(int32_t i) {
  (void)i;
  return -1;
}

// a trunk of 9 dofs with limbs of 3 + 2 + 1
static int32_t limbs(int32_t i) {
  return i < 9 || (i - 9) % 6 != 0 ? i - 1 : 5 + (i % 4);
}

static int32_t fork_each_dof(int32_t i) {
  return i == 0 ? -1 : (i - 1) / 2;
}

static int32_t random_parent(int32_t i) {
  return i == 0 || uniform() < 0.05 ? -1 : (uniform() < 0.6 ? i - 1 : (int32_t)(uniform() * i));
}

// M = sum over dofs of w w', w on the path of the dof; plus a diagonal.
static void fill(tree *t, int64_t nv, shape_fn *shape, int diagonal) {
  t->nv = nv;
  t->nM = 0;
  memset(t->full, 0, sizeof t->full);
  for (int32_t i = 0; i < nv; i++) {
    t->parent[i] = shape(i);
    t->adr[i] = (int32_t)t->nM;
    double w[NMAX] = { 0 };
    for (int32_t j = i; j >= 0; j = t->parent[j]) {
      w[j] = diagonal ? 0 : uniform() - 0.5;
      t->nM++;
    }
    for (int32_t j = i; j >= 0; j = t->parent[j]) {
      for (int32_t k = i; k >= 0; k = t->parent[k]) {
        t->full[j * nv + k] += w[j] * w[k];
      }
    }
    t->full[i * nv + i] += 0.1 + uniform();
  }
  for (int32_t i = 0; i < nv; i++) {
    double *row = t->M + t->adr[i];
    for (int32_t j = i; j >= 0; j = t->parent[j]) {
      *row++ = t->full[i * nv + j];
    }
  }
}

static sn_inertia view(const tree *t) {
  return (sn_inertia){ .size = sizeof(sn_inertia),
                       .nv = t->nv,
                       .nM = t->nM,
                       .parent = t->parent,
                       .adr = t->adr,
                       .M = t->M,
                       .L = t->L,
                       .Dinv = t->Dinv };
}

// L'DL in full
static double factor_error(const tree *t) {
  int64_t nv = t->nv;
  double worst = 0;
  for (int64_t i = 0; i < nv; i++) {
    for (int64_t j = 0; j <= i; j++) {
      double sum = 0;
      for (int64_t k = i; k < nv; k++) {
        double Li = 0, Lj = 0;
        const double *row = t->L + t->adr[k];
        for (int32_t a = (int32_t)k, q = 0; a >= 0; a = t->parent[a], q++) {
          Li = a == i ? (q == 0 ? 1 : row[q]) : Li;
          Lj = a == j ? (q == 0 ? 1 : row[q]) : Lj;
        }
        sum += Li * Lj / t->Dinv[k];
      }
      worst = fmax(worst, fabs(sum - t->full[i * nv + j]));
    }
  }
  return worst;
}

static void check_tree(int64_t nv, shape_fn *shape, int diagonal) {
  static tree t;
  double x[NMAX], y[NMAX], z[NMAX];
  seed = (uint64_t)nv;
  fill(&t, nv, shape, diagonal);
  sn_tree_factor(nv, t.parent, t.adr, t.M, t.L, t.Dinv);
  ck_assert_double_le(factor_error(&t), 1e-12);

  // y = M x by both
  sn_inertia inertia = view(&t);
  for (int64_t i = 0; i < nv; i++) {
    x[i] = uniform() - 0.5;
  }
  sn_tree_multiply(&inertia, x, y);
  for (int64_t i = 0; i < nv; i++) {
    double sum = 0;
    for (int64_t j = 0; j < nv; j++) {
      sum += t.full[i * nv + j] * x[j];
    }
    ck_assert_double_le(fabs(sum - y[i]), 1e-12);
  }

  // and back, in either order
  memcpy(z, y, sizeof z);
  sn_tree_solve(&inertia, z);
  sn_tree_solve_plain(&inertia, y);
  for (int64_t i = 0; i < nv; i++) {
    ck_assert_double_le(fabs(z[i] - x[i]), 1e-10);
    ck_assert_double_le(fabs(y[i] - x[i]), 1e-10);
  }
}

static const struct {
  shape_fn *shape;
  int diagonal;
} shapes[] = {
  { chain, 0 }, { free_bodies, 0 },   { free_bodies, 1 },   { sliders, 0 },       { limbs, 0 },
  { limbs, 1 }, { fork_each_dof, 0 }, { random_parent, 0 }, { random_parent, 1 },
};

START_TEST(against_dense) {
  static const int64_t sizes[] = { 1, 2, 3, 6, 7, 12, 27, 64, 65, 130, NMAX };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_tree(sizes[i], shapes[_i].shape, shapes[_i].diagonal);
  }
}
END_TEST

// factoring in place of a copy leaves M alone, and twice gives the same bits
START_TEST(repeats) {
  static tree t, u;
  seed = 5;
  fill(&t, 90, random_parent, 0);
  u = t;
  sn_tree_factor(t.nv, t.parent, t.adr, t.M, t.L, t.Dinv);
  ck_assert_mem_eq(t.M, u.M, sizeof t.M);
  sn_tree_factor(u.nv, u.parent, u.adr, u.M, u.L, u.Dinv);
  ck_assert_mem_eq(t.L, u.L, (size_t)t.nM * sizeof(double));
  ck_assert_mem_eq(t.Dinv, u.Dinv, (size_t)t.nv * sizeof(double));
}
END_TEST

// A x, with A = M plus an unsymmetric part on the same pattern, and the solution of it.
START_TEST(unsymmetric_matrices_are_solved) {
  static tree t;
  static double lower[NMAX * NMAX], upper[NMAX * NMAX];
  double x[NMAX], y[NMAX] = { 0 };
  seed = 7 + (uint64_t)_i;
  fill(&t, 130, shapes[_i].shape, shapes[_i].diagonal);
  for (int64_t i = 0; i < t.nv; i++) {
    x[i] = uniform() - 0.5;
  }
  for (int32_t i = 0; i < t.nv; i++) {
    int32_t at = t.adr[i];
    for (int32_t a = i; a >= 0; a = t.parent[a], at++) {
      lower[at] = t.M[at] + 0.1 * t.full[i * t.nv + i] * (a == i ? 1 : uniform());
      upper[at] = a == i ? lower[at] : t.M[at] - 0.1 * t.full[i * t.nv + i] * uniform();
      y[i] += lower[at] * x[a];
      y[a] += a == i ? 0 : upper[at] * x[i];
    }
  }
  sn_unsymmetric_solve(t.nv, t.parent, t.adr, (sn_unsymmetric){ lower, upper }, y);
  for (int64_t i = 0; i < t.nv; i++) {
    ck_assert_double_le(fabs(y[i] - x[i]), 1e-9);
  }
}
END_TEST

START_TEST(empty) {
  sn_tree_factor(0, NULL, NULL, NULL, NULL, NULL);
  sn_unsymmetric_solve(0, NULL, NULL, (sn_unsymmetric){ NULL, NULL }, NULL);
  sn_inertia none = { 0 };
  sn_tree_solve(&none, NULL);
  sn_tree_multiply(&none, NULL, NULL);
}
END_TEST

TESTS() {
  EACH(against_dense, 0, (int)(sizeof shapes / sizeof *shapes));
  TEST(repeats);
  EACH(unsymmetric_matrices_are_solved, 0, (int)(sizeof shapes / sizeof *shapes));
  TEST(empty);
}
