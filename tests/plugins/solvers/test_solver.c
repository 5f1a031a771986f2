// SPDX-License-Identifier: Apache-2.0
//
// The solvers on random problems: each must satisfy the conditions of the problem (problem.h) and
// find the same unique solution as the others; twice the same bits; and survive what is degenerate.
// They are loaded as any plugin, from the build tree.

#include <dlfcn.h>
#include <stdio.h>

#include "plugins/solvers/problem.h"
#include "sinew/numerics/sparse.h"
#include "step/pipeline.h"
#include "suite.h"

enum { NEWTON, CG, PGS, NOSLIP, NSOLVER };
static const char *const solver_name[NSOLVER] = { "newton", "cg", "pgs", "noslip" };
static const sn_solver_ops *solver[NSOLVER];
static void *self[NSOLVER];
static si_arena arena;

static void *host_alloc(const sn_host *h, int64_t bytes) {
  (void)h;
  return calloc(1, (size_t)bytes);
}

static void host_free(const sn_host *h, void *memory) {
  (void)h;
  free(memory);
}

static const void *host_query(const sn_host *h, const char *service) {
  (void)h, (void)service;
  return NULL;
}

static const sn_host host = {
  .size = sizeof host, .query = host_query, .alloc = host_alloc, .free = host_free
};

static void load(void) {
  si_arena_init(&arena, 0);
  for (int k = 0; k < NSOLVER; k++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/plugins/%s.so", SN_TEST_BUILD, solver_name[k]);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    sn_plugin_entry_fn *entry;
    void *symbol = dlsym(library, "sn_plugin_entry");
    ck_assert_ptr_nonnull(symbol);
    memcpy(&entry, &symbol, sizeof entry);
    solver[k] = entry()->provides[0].ops;
    sn_value value[8] = { { 0 } };
    const sn_param *param = solver[k]->head.params;
    for (int i = 0; param && param[i].name; i++) {
      value[i].real = atof(param[i].default_value);
      value[i].integer = atoi(param[i].default_value);
    }
    ck_assert_int_eq(solver[k]->head.create(&host, value, &self[k], NULL), SN_OK);
  }
}

static void unload(void) {
  for (int k = 0; k < NSOLVER; k++) {
    solver[k]->head.destroy(self[k]);
  }
  si_arena_free(&arena);
}

typedef struct result {
  double qacc[PROBLEM_DOFS], force[PROBLEM_ROWS];
  int32_t state[PROBLEM_ROWS];
  int32_t iterations;
  sn_status status;
} result;

static void solve(int which, sn_problem *problem, result *out) {
  si_mark mark = si_arena_mark(&arena);
  sn_solution solution = {
    .size = sizeof solution, .qacc = out->qacc, .force = out->force, .state = out->state
  };
  sn_sparse dual;
  if (solver[which]->head.flags & SN_SOLVER_DUAL) {
    ck_assert_int_eq(sn_delassus(&problem->J, problem->inertia, &arena.scratch, &dual), SN_OK);
    problem->dual = &dual;
  }
  out->status = solver[which]->solve(self[which], problem, &solution, &arena.scratch);
  out->iterations = solution.iterations;
  problem->dual = NULL;
  si_arena_release(&arena, mark);
}

static const test_shape shapes[] = {
  { .seed = 1, .trees = 1, .depth = 1, .limit = 1 },
  { .seed = 2, .trees = 1, .depth = 12, .equality = 4 },
  { .seed = 3, .trees = 2, .depth = 12, .friction = 10 },
  { .seed = 4, .trees = 2, .depth = 20, .limit = 12, .frictionless = 4 },
  { .seed = 5, .trees = 1, .depth = 30, .pyramidal = 10 },
  { .seed = 6, .trees = 1, .depth = 30, .elliptic = 9 },
  { .seed = 7, .trees = 6, .depth = 12, .pyramidal = 20, .across = 1 },
  { .seed = 8, .trees = 6, .depth = 12, .elliptic = 20, .across = 1 },
  { .seed = 9,
    .trees = 5,
    .depth = 20,
    .equality = 4,
    .friction = 9,
    .limit = 9,
    .frictionless = 6,
    .pyramidal = 6,
    .elliptic = 6,
    .across = 1 },
  { .seed = 10,
    .trees = 30,
    .depth = 6,
    .equality = 3,
    .friction = 5,
    .limit = 20,
    .frictionless = 5,
    .pyramidal = 30,
    .across = 1 },
  { .seed = 11, .trees = 30, .depth = 6, .equality = 3, .limit = 20, .elliptic = 40, .across = 1 },
  { .seed = 12, .trees = 3, .depth = 8, .equality = 6, .limit = 5, .across = 1, .softness = 0.1 },
};
enum { NSHAPE = sizeof shapes / sizeof *shapes };

// the seeds of each shape
enum { NSEED = 4 };

static test_problem *make(int shape, int seed) {
  test_shape s = shapes[shape];
  s.seed += 100u * (unsigned)seed;
  return test_problem_new(&s);
}

static double distance(int64_t n, const double *a, const double *b) {
  double worst = 0, scale = 1e-3;
  for (int64_t i = 0; i < n; i++) {
    worst = fmax(worst, fabs(a[i] - b[i]));
    scale = fmax(scale, fabs(a[i]));
  }
  return worst / scale;
}

START_TEST(newton_satisfies_the_conditions) {
  for (int seed = 0; seed < NSEED; seed++) {
    test_problem *t = make(_i, seed);
    result r;
    solve(NEWTON, &t->problem, &r);
    double violation = test_violation(&t->problem, r.qacc, r.force);
    ck_assert_msg(violation < 1e-11, "shape %d seed %d: %g after %d iterations", _i, seed,
                  violation, r.iterations);
    ck_assert_int_eq(r.status, SN_OK);
    free(t);
  }
}
END_TEST

START_TEST(default_tolerance_is_close) {
  for (int seed = 0; seed < NSEED; seed++) {
    test_problem *t = make(_i, seed);
    result exact, usual;
    solve(NEWTON, &t->problem, &exact);
    t->problem.tolerance = 1e-8;
    solve(NEWTON, &t->problem, &usual);
    ck_assert_double_lt(distance(t->problem.nv, exact.qacc, usual.qacc), 1e-4);
    ck_assert_int_le(usual.iterations, exact.iterations);
    free(t);
  }
}
END_TEST

START_TEST(solvers_agree) {
  for (int seed = 0; seed < NSEED; seed++) {
    test_problem *t = make(_i, seed);
    sn_problem *p = &t->problem;
    result newton, other;
    solve(NEWTON, p, &newton);
    p->iterations = 5000;
    p->tolerance = -1;   // no improvement is too small
    for (int k = CG; k <= PGS; k++) {
      solve(k, p, &other);
      double error = distance(p->nefc, newton.force, other.force);
      ck_assert_msg(error < 1e-8, "shape %d seed %d: %s differs by %g after %d iterations", _i,
                    seed, solver_name[k], error, other.iterations);
      ck_assert_double_lt(distance(p->nv, newton.qacc, other.qacc), 1e-8);
    }
    free(t);
  }
}
END_TEST

START_TEST(states_agree_with_forces) {
  test_problem *t = make(_i, 0);
  const sn_problem *p = &t->problem;
  result r;
  solve(NEWTON, &t->problem, &r);
  for (int64_t i = 0; i < p->nefc; i++) {
    double f = r.force[i], eta = p->frictionloss[i];
    if (i < p->ne) {
      ck_assert_int_eq(r.state[i], SN_ROWSTATE_QUADRATIC);
    } else if (i < p->ne + p->nf) {
      ck_assert_int_eq(r.state[i], f == eta    ? SN_ROWSTATE_LINEARNEG
                                   : f == -eta ? SN_ROWSTATE_LINEARPOS
                                               : SN_ROWSTATE_QUADRATIC);
    } else if (p->type[i] != SN_ROW_CONTACT_ELLIPTIC) {
      ck_assert_int_eq(r.state[i], f > 0 ? SN_ROWSTATE_QUADRATIC : SN_ROWSTATE_SATISFIED);
    } else if (r.state[i] == SN_ROWSTATE_SATISFIED) {
      ck_assert_double_eq(f, 0);
    }
  }
  free(t);
}
END_TEST

START_TEST(solvers_repeat_bit_by_bit) {
  test_problem *t = make(_i, 0);
  result a, b;
  for (int k = NEWTON; k <= PGS; k++) {
    memset(&a, 0, sizeof a);
    memset(&b, 0xff, sizeof b);
    solve(k, &t->problem, &a);
    // other garbage in the scratch memory
    si_mark mark = si_arena_mark(&arena);
    memset(si_arena_take(&arena, 1 << 20, 64), 0x7f, 1 << 20);
    si_arena_release(&arena, mark);
    solve(k, &t->problem, &b);
    size_t nv = (size_t)t->problem.nv, nefc = (size_t)t->problem.nefc;
    ck_assert_mem_eq(a.qacc, b.qacc, nv * sizeof(double));
    ck_assert_mem_eq(a.force, b.force, nefc * sizeof(double));
    ck_assert_mem_eq(a.state, b.state, nefc * sizeof(int32_t));
  }
  free(t);
}
END_TEST

START_TEST(dense_and_sparse_agree) {
  for (int seed = 0; seed < NSEED; seed++) {
    test_problem *t = make(_i, seed);
    result sparse, dense;
    t->problem.jacobian = SN_JACOBIAN_SPARSE;
    solve(NEWTON, &t->problem, &sparse);
    t->problem.jacobian = SN_JACOBIAN_DENSE;
    solve(NEWTON, &t->problem, &dense);
    ck_assert_double_lt(distance(t->problem.nefc, sparse.force, dense.force), 1e-10);
    free(t);
  }
}
END_TEST

// The best start is the solution: there is nothing left to do.
START_TEST(warm_start_is_used) {
  test_problem *t = make(_i, 0);
  result cold, warm;
  t->problem.tolerance = 1e-8;
  t->problem.qacc_start = t->problem.qacc_smooth;
  solve(NEWTON, &t->problem, &cold);
  t->problem.qacc_start = cold.qacc;
  solve(NEWTON, &t->problem, &warm);
  ck_assert_int_le(warm.iterations, 1);
  ck_assert_double_lt(distance(t->problem.nv, cold.qacc, warm.qacc), 1e-6);
  free(t);
}
END_TEST

START_TEST(bad_start_is_ignored) {
  test_problem *t = make(8, 0);
  result good, bad;
  solve(NEWTON, &t->problem, &good);
  for (int64_t i = 0; i < t->problem.nv; i++) {
    t->start[i] = NAN;
  }
  solve(NEWTON, &t->problem, &bad);
  ck_assert_double_lt(distance(t->problem.nefc, good.force, bad.force), 1e-10);
  free(t);
}
END_TEST

// Rows without effect, repeated rows, regularizers over 20 orders of magnitude.
START_TEST(degenerate_problems) {
  for (int seed = 0; seed < 8; seed++) {
    test_problem *t = make(8 + seed % 3, seed);
    sn_problem *p = &t->problem;
    for (int64_t i = p->ne + p->nf; i < p->nefc; i++) {
      if (t->type[i] == SN_ROW_CONTACT_FRICTIONLESS || t->type[i] == SN_ROW_LIMIT_JOINT) {
        t->R[i] = i % 2 ? 1e-12 : 1e8;
        t->D[i] = 1 / t->R[i];
        for (int32_t k = 0; i % 3 == 0 && k < t->nnz[i]; k++) {
          t->J[t->adr[i] + k] = 0;
          t->aref[i] = -1;
        }
      }
    }
    result r;
    solve(NEWTON, p, &r);
    double violation = test_violation(p, r.qacc, r.force);
    ck_assert_msg(violation < 1e-7, "seed %d: %g after %d iterations", seed, violation,
                  r.iterations);
    free(t);
  }
}
END_TEST

static void check_rows(const sn_sparse *C, const sn_sparse *J, const sn_sparse *A) {
  for (int64_t i = 0; i < C->nrow; i++) {
    sn_sparse_row row = sn_sparse_row_at(C, i);
    double x[PROBLEM_DOFS] = { 0 };
    for (int32_t k = 0; k < row.n; k++) {
      ck_assert(k == 0 || row.col[k] > row.col[k - 1]);
    }
    sn_row_add(row, 1, x);
    for (int64_t j = 0; j < C->nrow; j++) {
      double expected = A->val[A->adr[i] + j];
      ck_assert_double_eq_tol(sn_row_dot(sn_sparse_row_at(C, j), x), expected,
                              1e-12 * (1 + fabs(expected)));
    }
    if (i > 0 && J->nnz[i] == J->nnz[i - 1] && J->col[J->adr[i]] == J->col[J->adr[i - 1]] &&
        J->col[J->adr[i] + J->nnz[i] - 1] == J->col[J->adr[i - 1] + J->nnz[i] - 1]) {
      ck_assert_int_eq(C->adr[i], C->adr[i - 1] + C->nnz[i - 1]);
      ck_assert_int_eq(C->nnz[i], C->nnz[i - 1]);
    }
  }
}

// C C' = J M^-1 J', also where rows of J leave out columns of their paths.
START_TEST(whitened_jacobian_is_a_root) {
  test_problem *t = make(_i, 0);
  for (int64_t b = 0; b < t->problem.nblock; b += 3) {
    for (int32_t i = 0; i < t->block[b].nrow; i++) {
      int32_t row = t->block[b].row + i, less = t->nnz[row] / 2;
      t->adr[row] += less;
      t->nnz[row] -= less;
    }
  }
  si_mark mark = si_arena_mark(&arena);
  sn_sparse A, C;
  ck_assert_int_eq(sn_delassus(&t->problem.J, &t->inertia, &arena.scratch, &A), SN_OK);
  ck_assert_int_eq(sn_whitened_jacobian(&t->problem.J, &t->inertia, &arena.scratch, &C), SN_OK);
  check_rows(&C, &t->problem.J, &A);
  si_arena_release(&arena, mark);
  free(t);
}
END_TEST

// What noslip promises: friction that is inside its bound leaves no slip at all; normal forces and
// all that is not friction stay.
START_TEST(noslip_removes_slip) {
  for (int seed = 0; seed < NSEED; seed++) {
    test_shape s = { .seed = 77u + (unsigned)seed,
                     .trees = 6,
                     .depth = 12,
                     .friction = 5,
                     .limit = 5,
                     .pyramidal = seed % 2 ? 6 : 0,
                     .elliptic = seed % 2 ? 0 : 6 };
    test_problem *t = test_problem_new(&s);
    sn_problem *p = &t->problem;
    result main, fine;
    solve(NEWTON, p, &main);
    p->force_start = main.force;
    p->noslip_iterations = 100000;
    p->noslip_tolerance = 1e-28;
    solve(NOSLIP, p, &fine);
    double z[PROBLEM_ROWS];
    for (int64_t i = 0; i < p->nefc; i++) {
      z[i] = -p->aref[i];
      for (int32_t k = t->adr[i]; k < t->adr[i] + t->nnz[i]; k++) {
        z[i] += t->J[k] * fine.qacc[t->col[k]];
      }
    }
    for (int64_t i = 0; i < p->nefc; i++) {
      double f = fine.force[i];
      if (i >= p->ne && i < p->ne + p->nf) {
        ck_assert_double_le(fabs(f), t->eta[i]);
        ck_assert(fabs(f) == t->eta[i] || fabs(z[i]) < 1e-6);
      } else if (t->type[i] == SN_ROW_CONTACT_PYRAMIDAL) {
        double sum = f + fine.force[i + 1];
        ck_assert_double_eq_tol(sum, main.force[i] + main.force[i + 1], 1e-10);
        ck_assert(f <= 1e-12 || fine.force[i + 1] <= 1e-12 || fabs(z[i] - z[i + 1]) < 1e-6);
        i++;
      } else if (t->type[i] != SN_ROW_CONTACT_ELLIPTIC) {
        ck_assert_double_eq(f, main.force[i]);
      }
    }
    for (int64_t k = 0; k < p->ncone; k++) {
      const sn_cone *cone = &t->cone[k];
      const double *f = fine.force + cone->row;
      double sum = 0;
      ck_assert_double_eq(f[0], main.force[cone->row]);
      for (int32_t i = 1; i < cone->dim; i++) {
        sum += f[i] * f[i] / (cone->friction[i - 1] * cone->friction[i - 1]);
      }
      ck_assert_double_le(sqrt(sum), f[0] * (1 + 1e-9) + 1e-12);
      for (int32_t i = 1; i < cone->dim && sqrt(sum) < 0.999 * f[0]; i++) {
        ck_assert_double_lt(fabs(z[cone->row + i]), 1e-6);
      }
    }
    free(t);
  }
}
END_TEST

TESTS() {
  FIXTURE(load, unload);
  EACH(newton_satisfies_the_conditions, 0, NSHAPE);
  EACH(default_tolerance_is_close, 0, NSHAPE);
  EACH(solvers_agree, 0, NSHAPE);
  EACH(states_agree_with_forces, 0, NSHAPE);
  EACH(solvers_repeat_bit_by_bit, 0, NSHAPE);
  EACH(dense_and_sparse_agree, 0, NSHAPE);
  EACH(warm_start_is_used, 0, NSHAPE);
  TEST(bad_start_is_ignored);
  TEST(degenerate_problems);
  EACH(whitened_jacobian_is_a_root, 0, NSHAPE);
  TEST(noslip_removes_slip);
}
