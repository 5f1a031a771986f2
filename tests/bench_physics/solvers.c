// SPDX-License-Identifier: Apache-2.0
//
// Solvers on the sets of problems: how near they come to the conditions of optimality, how fast.
//
// The residual is relative: the larger one of |M (a - a0) - J' f| and the error of forces, each
// over the largest element of J' f and f at the solution of the convex problem. The error of forces
// is |f + grad s|, and for solvers of Coulomb's law that of the law (sn_problem_evaluate_coulomb).
// Each solver is run with limits of iterations that grow, so its time to a residual is the least of
// those runs that reach it. No solver knows the measure.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_physics.h"
#include "problem_set.h"
#include "profile.h"

typedef void evaluate_fn(const sn_problem *p, const sn_solution *solution, double residual[2]);

static void evaluate_convex(const sn_problem *p, const sn_solution *solution, double residual[2]) {
  double cost;
  sn_problem_evaluate(p, solution, &cost, residual);
}

// A solver with the parameters of a profile, and its residuals.
typedef struct contestant {
  const char *title, *profile, *solver;
  evaluate_fn *evaluate;
} contestant;

static const contestant contestants[] = {
  { "newton", "none", "newton", evaluate_convex },
  { "cg", "none", "cg", evaluate_convex },
  { "pgs", "none", "pgs", evaluate_convex },
  { "coulomb", "none", "coulomb", sn_problem_evaluate_coulomb },
  { "robust", "robust", "coulomb", sn_problem_evaluate_coulomb },
};
static const int limits[] = { 1, 2, 3, 5, 8, 12, 20, 50, 100, 200, 500, 1000 };
static const double targets[] = { 1e-3, 1e-6, 1e-9 };
enum {
  NEWTON = 0,   // indices of contestants; from COULOMB on those of Coulomb's law
  COULOMB = 3,
  SOLVERS = sizeof contestants / sizeof *contestants,
  LIMITS = sizeof limits / sizeof *limits,
  TARGETS = sizeof targets / sizeof *targets,
  REPEATS = 3
};
static const double longest = 0.3;   // of a run after which no longer one is tried, s

// Space for solutions of one problem.
typedef struct bench {
  sn_engine *const *engine;   // of each contestant
  sn_error *error;
  const sn_problem *p;
  double *qacc, *force;
  int32_t *state;
  double scale[2];   // the largest elements of J' f and of f
  sn_status status;
  int iterations;
  int64_t softened;   // contacts
  double seconds;
} bench;

static void *allocate(int64_t n, size_t size) {
  void *p = calloc((size_t)(n > 0 ? n : 1), size);
  if (!p) {
    abort();
  }
  return p;
}

// Solves with this tolerance and limit of iterations; returns the relative residual.
static double solve(bench *b, int solver, double tolerance, int iterations) {
  sn_problem p = *b->p;
  sn_solution solution = {
    .size = sizeof solution, .qacc = b->qacc, .force = b->force, .state = b->state
  };
  double residual[2];
  p.tolerance = tolerance;
  p.iterations = iterations;
  const double begin = cpu_clock();
  b->status = sn_problem_solve(b->engine[solver], contestants[solver].solver, &p, &solution,
                               b->error);
  b->seconds = cpu_clock() - begin;
  if (b->status < 0) {
    return INFINITY;
  }
  b->iterations = solution.iterations;
  b->softened = solution.nsoftened;
  contestants[solver].evaluate(&p, &solution, residual);
  return fmax(residual[0] / b->scale[0], residual[1] / b->scale[1]);
}

// The largest elements of f and of J' f of a solution of the convex problem to rounding.
static void find_scale(bench *b) {
  b->scale[0] = b->scale[1] = 1;
  solve(b, NEWTON, 0, 1000);
  double *sum = allocate(b->p->nv, sizeof *sum);
  b->scale[0] = b->scale[1] = 0;
  for (int64_t i = 0; i < b->p->nefc; i++) {
    const sn_sparse *J = &b->p->J;
    for (int32_t k = 0; k < J->nnz[i]; k++) {
      sum[J->col[J->adr[i] + k]] += J->val[J->adr[i] + k] * b->force[i];
    }
    b->scale[1] = fmax(b->scale[1], fabs(b->force[i]));
  }
  for (int64_t i = 0; i < b->p->nv; i++) {
    b->scale[0] = fmax(b->scale[0], fabs(sum[i]));
  }
  for (int i = 0; i < 2; i++) {   // nothing touches: absolute
    b->scale[i] = b->scale[i] > 0 ? b->scale[i] : 1;
  }
  free(sum);
}

static bench open_bench(sn_engine *const *engine, sn_error *error, const sn_problem *p) {
  bench b = { .engine = engine,
              .error = error,
              .p = p,
              .qacc = allocate(p->nv, sizeof(double)),
              .force = allocate(p->nefc, sizeof(double)),
              .state = allocate(p->nefc, sizeof(int32_t)) };
  find_scale(&b);
  return b;
}

static void close_bench(bench *b) {
  free(b->qacc);
  free(b->force);
  free(b->state);
}

// ------------------------------------------------------------------ time to a residual

// time: TARGETS, written: INFINITY where the solver does not reach it.
static void race(bench *b, int solver, double *time) {
  for (int i = 0; i < TARGETS; i++) {
    time[i] = INFINITY;
  }
  for (int k = 0; k < LIMITS; k++) {
    double seconds = INFINITY, residual = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
      residual = solve(b, solver, 0, limits[k]);
      seconds = fmin(seconds, b->seconds);
    }
    for (int i = 0; i < TARGETS; i++) {
      time[i] = residual <= targets[i] ? fmin(time[i], seconds) : time[i];
    }
    if (residual <= targets[TARGETS - 1] || seconds > longest || b->iterations < limits[k]) {
      return;
    }
  }
}

static void write_profile(const char *set, int target, const double *time, int n) {
  enum { FACTORS = 121 };
  double factor[FACTORS], share[FACTORS * SOLVERS];
  char name[32];
  snprintf(name, sizeof name, "%s%d", set, target);
  char head[128] = "factor";
  for (int k = 0; k < SOLVERS; k++) {
    const size_t length = strlen(head);
    snprintf(head + length, sizeof head - length, ",%s", contestants[k].title);
  }
  FILE *file = open_data(name, head);
  if (!file) {
    return;
  }
  for (int i = 0; i < FACTORS; i++) {
    factor[i] = pow(10, 3.0 * i / (FACTORS - 1));
  }
  performance_profile(time, n, SOLVERS, factor, FACTORS, share);
  for (int i = 0; i < FACTORS; i++) {
    fprintf(file, "%.6g", factor[i]);
    for (int k = 0; k < SOLVERS; k++) {
      fprintf(file, ",%.6g", share[i * SOLVERS + k]);
    }
    fprintf(file, "\n");
  }
  fclose(file);
}

static void print_race(const char *name, const double *time, int n) {
  static const column columns[] = {
    { "solved to 1e-3", NULL },  { "to 1e-6", NULL },         { "to 1e-9", NULL },
    { "fastest to 1e-6", NULL }, { "within 10 times", NULL },
  };
  static const double factor[2] = { 1, 10 };
  double share[2 * SOLVERS];
  performance_profile(time + (size_t)n * SOLVERS, n, SOLVERS, factor, 2, share);
  begin_table(name, "share of problems", columns, 5);
  for (int k = 0; k < SOLVERS; k++) {
    char cell[32];
    printf("| `%s` |", contestants[k].title);
    for (int i = 0; i < TARGETS + 2; i++) {
      double x = i < TARGETS ? 0 : share[(i - TARGETS) * SOLVERS + k];
      for (int p = 0; i < TARGETS && p < n; p++) {
        x += isfinite(time[((size_t)i * (size_t)n + (size_t)p) * SOLVERS + (size_t)k]) / (double)n;
      }
      snprintf(cell, sizeof cell, "%.0f %%", 100 * x);
      print_text(cell);
    }
    end_row();
  }
}

// ------------------------------------------------------------------ default settings

// What a family needs and reaches: rows, iterations of newton to 1e-9, and the residuals of all
// solvers with the default tolerance and limit.
typedef struct summary {
  int problems, iterations;
  int64_t rows;
  double residual[SOLVERS];   // the largest
  int open[SOLVERS];          // not converged
  int soft[SOLVERS];          // with softer contacts
} summary;

static void judge(bench *b, summary *s) {
  s->problems++;
  s->rows = b->p->nefc > s->rows ? b->p->nefc : s->rows;
  for (int k = 0; k < LIMITS; k++) {
    if (solve(b, NEWTON, 0, limits[k]) < 1e-9) {
      s->iterations = limits[k] > s->iterations ? limits[k] : s->iterations;
      break;
    }
  }
  for (int k = 0; k < SOLVERS; k++) {
    s->residual[k] = fmax(s->residual[k], solve(b, k, 1e-8, 100));
    s->open[k] += b->status != SN_OK;
    s->soft[k] += b->softened > 0;
  }
}

static void print_summaries(const char *name, const summary *s) {
  static const column columns[] = {
    { "problems", NULL },
    { "rows, at most", NULL },
    { "`newton`, iterations to 1e-9", NULL },
    { "`newton`", NULL },
    { "`cg`", NULL },
    { "`pgs`", NULL },
    { "`coulomb`", NULL },
    { "`robust`", NULL },
    { "`coulomb` with softer contacts", NULL },
    { "`robust` with softer contacts", NULL },
  };
  begin_table(name, "largest relative residual", columns, (int)(sizeof columns / sizeof *columns));
  for (int i = 0; i < PROBLEM_FAMILIES; i++) {
    char cell[64];
    printf("| %s | %d | %lld | %d |", problem_families[i], s[i].problems, (long long)s[i].rows,
           s[i].iterations);
    for (int k = 0; k < SOLVERS; k++) {
      snprintf(cell, sizeof cell, s[i].open[k] ? "%.1g, %d not converged" : "%.1g",
               s[i].residual[k], s[i].open[k]);
      print_text(cell);
    }
    for (int k = COULOMB; k < SOLVERS; k++) {
      snprintf(cell, sizeof cell, "%d", s[i].soft[k]);
      print_text(cell);
    }
    end_row();
  }
}

static sn_engine *open_engine(const char *profile, sn_error *error) {
  const sn_engine_request request = { .size = sizeof request,
                                      .config = SN_TEST_BUILD "/sinew.ini",
                                      .profile = profile };
  sn_engine *engine = sn_engine_open_with(&request, error);
  if (!engine) {
    quit(error);
  }
  return engine;
}

static void compare_solvers(int is_held_out, sn_engine *const *engine, sn_error *error) {
  summary families[PROBLEM_FAMILIES] = { { .problems = 0 } };
  problem_set set = make_problem_set(is_held_out, 1);
  const int n = (int)sn_problems_count(set.problems);
  double *time = allocate((int64_t)TARGETS * n * SOLVERS, sizeof *time);
  for (int p = 0; p < n; p++) {
    bench b = open_bench(engine, error, sn_problems_at(set.problems, p));
    judge(&b, &families[set.family[p]]);
    for (int k = 0; k < SOLVERS; k++) {
      double reached[TARGETS];
      race(&b, k, reached);
      for (int i = 0; i < TARGETS; i++) {
        time[((size_t)i * (size_t)n + (size_t)p) * SOLVERS + (size_t)k] = reached[i];
      }
    }
    close_bench(&b);
  }
  print_summaries(is_held_out ? "held-out-residuals" : "solver-residuals", families);
  print_race(is_held_out ? "held-out-times" : "solver-times", time, n);
  for (int i = 0; i < TARGETS; i++) {
    write_profile(is_held_out ? "held_out" : "profile", i, time + (size_t)i * (size_t)n * SOLVERS,
                  n);
  }
  free(time);
  free_problem_set(&set);
}

void solvers_section(void) {
  sn_error *error = sn_error_new();
  sn_engine *engine[SOLVERS];
  for (int k = 0; k < SOLVERS; k++) {
    engine[k] = open_engine(contestants[k].profile, error);
  }
  compare_solvers(0, engine, error);
  compare_solvers(1, engine, error);
  for (int k = 0; k < SOLVERS; k++) {
    sn_engine_close(engine[k]);
  }
  sn_error_free(error);
}
