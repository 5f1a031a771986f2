// SPDX-License-Identifier: Apache-2.0
//
// M by recursion along the bodies, against M as a sum over links, M = armature + sum J' I J, with
// Jacobians and elimination by dense algebra.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/numerics/articulated.h"
#include "sinew/numerics/tree.h"
#include "suite.h"

enum { NMAX = 130 };

typedef struct tree {
  int64_t nv;
  int32_t parent[NMAX];
  double origin[NMAX][3];   // of each link
  double axis[6 * NMAX], shift[3 * NMAX], inertia[10 * NMAX], armature[NMAX];
  double factor[SN_ARTICULATION_FACTOR * NMAX], work[SN_ARTICULATION_WORK * NMAX];
  double M[NMAX * NMAX];
  sn_articulation links;
} tree;

typedef int32_t shape_fn(int32_t i);

static uint64_t seed;

static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return 2 * (double)(seed >> 11) / 9007199254740992.0 - 1;
}

static int32_t chain(int32_t i) {
  return i - 1;
}

static int32_t two_chains(int32_t i) {
  return i == 50 ? -1 : i - 1;
}

static int32_t limbs(int32_t i) {
  return i < 20 || (i - 20) % 15 != 0 ? i - 1 : 5 + (i % 14);
}

static int32_t fork_each_dof(int32_t i) {
  return i == 0 ? -1 : (i - 1) / 2;
}

static int32_t sliders(int32_t i) {
  (void)i;
  return -1;
}

static int32_t random_parent(int32_t i) {
  return i == 0 || uniform() < -0.9
             ? -1
             : (uniform() < 0.6 ? i - 1 : (int32_t)(0.5 * (1 + uniform()) * i));
}

static shape_fn *const shapes[] = {
  chain, two_chains, limbs, fork_each_dof, sliders, random_parent
};
enum { NSHAPES = sizeof shapes / sizeof *shapes };

// A link: a dof of a body that goes on, or the last dof of a body, with an inertia.
static void add_link(tree *t, int32_t i, int last) {
  const int32_t up = t->parent[i];
  const int same = up >= 0 && t->inertia[10 * up + 9] == 0;   // the body of the link above
  for (int k = 0; k < 3; k++) {
    t->origin[i][k] = (up >= 0 ? t->origin[up][k] : 0) + (same ? 0 : 0.3 * uniform());
    t->axis[6 * i + k] = i % 7 == 3 ? 0 : uniform();
    t->axis[6 * i + 3 + k] = i % 7 == 3 ? uniform() : 0.1 * uniform();
    t->shift[3 * i + k] = up >= 0 ? t->origin[i][k] - t->origin[up][k] : NAN;
  }
  t->armature[i] = 0.01 + 0.01 * fabs(uniform());
  double *I = t->inertia + 10 * i;
  memset(I, 0, 10 * sizeof *I);
  if (!last) {
    return;
  }
  // two point masses and a ball
  I[0] = I[1] = I[2] = 0.01;
  for (int n = 0; n < 2; n++) {
    const double m = 0.5 + 0.4 * uniform(), r[3] = { 0.2 * uniform(), 0.2 * uniform(), 0.1 };
    I[0] += m * (r[1] * r[1] + r[2] * r[2]);
    I[1] += m * (r[0] * r[0] + r[2] * r[2]);
    I[2] += m * (r[0] * r[0] + r[1] * r[1]);
    I[3] -= m * r[0] * r[1];
    I[4] -= m * r[0] * r[2];
    I[5] -= m * r[1] * r[2];
    sn_addscale3(I + 6, I + 6, m, r);
    I[9] += m;
  }
}

// The motion of link i when dof j moves with unit rate.
static void column(const tree *t, int32_t i, int32_t j, double *out) {
  double r[3], v[3];
  sn_sub3(r, t->origin[i], t->origin[j]);
  sn_cross(v, t->axis + 6 * j, r);
  sn_copy3(out, t->axis + 6 * j);
  sn_add3(out + 3, t->axis + 6 * j + 3, v);
}

static void fill(tree *t, int64_t nv, shape_fn *shape) {
  *t = (tree){ .nv = nv };
  for (int32_t i = 0; i < nv; i++) {
    t->parent[i] = shape(i);
    add_link(t, i, i % 3 != 1 || shape != chain);
  }
  for (int32_t i = 0; i < nv; i++) {
    t->M[i * nv + i] += t->armature[i];
    for (int32_t j = i; j >= 0; j = t->parent[j]) {
      double J[6], IJ[6];
      column(t, i, j, J);
      sn_mul_inertia(IJ, t->inertia + 10 * i, J);
      for (int32_t k = i; k >= 0; k = t->parent[k]) {
        column(t, i, k, J);
        t->M[j * nv + k] += sn_dot6(J, IJ);
      }
    }
  }
  t->links = (sn_articulation){ .nv = nv,
                                .parent = t->parent,
                                .axis = t->axis,
                                .shift = t->shift,
                                .inertia = t->inertia,
                                .armature = t->armature,
                                .factor = t->factor,
                                .work = t->work };
  sn_articulation_factor(&t->links, NULL, t->factor);
}

// |A x - b| relative to what is summed, A = M + diag(extra)
static double residual(const tree *t, const double *extra, const double *x, const double *b) {
  double worst = 0;
  for (int64_t i = 0; i < t->nv; i++) {
    double sum = -b[i], size = fabs(b[i]);
    for (int64_t j = 0; j < t->nv; j++) {
      const double term = (t->M[i * t->nv + j] + (extra && i == j ? extra[i] : 0)) * x[j];
      sum += term;
      size += fabs(term);
    }
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

START_TEST(against_dense) {
  static const int64_t sizes[] = { 1, 2, 3, 6, 7, 27, 64, NMAX };
  static tree t;
  double x[NMAX], y[NMAX], extra[NMAX];
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
    seed = 11 + n;
    fill(&t, sizes[n], shapes[_i]);
    for (int64_t i = 0; i < t.nv; i++) {
      x[i] = uniform();
      extra[i] = i % 5 == 0 ? 1e4 : 0.3 * fabs(uniform());
    }
    sn_articulation_multiply(&t.links, x, y);
    ck_assert_double_le(residual(&t, NULL, x, y), 1e-14);
    memcpy(y, x, sizeof y);
    sn_articulation_solve(&t.links, t.factor, y);
    ck_assert_double_le(residual(&t, NULL, y, x), 1e-13);
    static double factor[SN_ARTICULATION_FACTOR * NMAX];
    sn_articulation_factor(&t.links, extra, factor);
    memcpy(y, x, sizeof y);
    sn_articulation_solve(&t.links, factor, y);
    ck_assert_double_le(residual(&t, extra, y, x), 1e-13);
  }
}
END_TEST

// sn_tree_solve and sn_tree_multiply of an inertia without M, and the operations that it carries
START_TEST(as_an_inertia) {
  static tree t;
  double x[NMAX], y[NMAX], z[NMAX], factor[SN_ARTICULATION_FACTOR * NMAX];
  seed = 5;
  fill(&t, 90, limbs);
  const sn_inertia inertia = { .size = sizeof inertia,
                               .nv = t.nv,
                               .parent = t.parent,
                               .recursion = &sn_articulation_recursion,
                               .links = &t.links };
  for (int64_t i = 0; i < t.nv; i++) {
    x[i] = uniform();
  }
  sn_tree_multiply(&inertia, x, y);
  sn_articulation_multiply(&t.links, x, z);
  ck_assert_mem_eq(y, z, (size_t)t.nv * sizeof *y);
  sn_tree_solve(&inertia, y);
  sn_tree_solve_plain(&inertia, z);
  ck_assert_mem_eq(y, z, (size_t)t.nv * sizeof *y);
  const int64_t size = inertia.recursion->factor_size(&inertia);
  ck_assert_int_le(size, (int64_t)(sizeof factor / sizeof *factor));
  inertia.recursion->factor(&inertia, NULL, factor);
  ck_assert_mem_eq(factor, t.factor, 7 * (size_t)t.nv * sizeof *factor);   // the rest is scratch
}
END_TEST

// A link of no inertia has the smallest pivot, and nothing overflows.
START_TEST(without_inertia) {
  static tree t;
  double x[4] = { 1, 1, 1, 1 };
  seed = 6;
  fill(&t, 4, chain);
  memset(t.inertia, 0, sizeof t.inertia);
  memset(t.armature, 0, sizeof t.armature);
  sn_articulation_factor(&t.links, NULL, t.factor);
  sn_articulation_solve(&t.links, t.factor, x);
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq(t.factor[i], 1 / SN_TINY);
    ck_assert_double_eq(x[i], 1 / SN_TINY);
  }
}
END_TEST

START_TEST(empty) {
  const sn_articulation none = { 0 };
  sn_articulation_factor(&none, NULL, NULL);
  sn_articulation_solve(&none, NULL, NULL);
  sn_articulation_multiply(&none, NULL, NULL);
}
END_TEST

TESTS() {
  EACH(against_dense, 0, NSHAPES);
  TEST(as_an_inertia);
  TEST(without_inertia);
  TEST(empty);
}
