// SPDX-License-Identifier: Apache-2.0
//
// What solvers tell of their iterations, on the saved problems: what each gained adds up to what
// the cost lost on the way; and where a tolerance of zero lets them stop.

#include "plugins/solvers/saved_problems.h"
#include "suite.h"

// With a tolerance of zero a solver goes on until rounding hides what it gains, and says so: it
// does not stop before, nor wander about until its iterations are used up.
START_TEST(zero_tolerance_is_reached) {
  static const char *const names[] = { "newton", "cg", "pgs", "admm" };
  static const int most[] = { 10000, 10000, 10000, 20000 };
  for (int i = 0; i < nfile; i++) {
    sn_problems *problems = load(file[i]);
    for (int64_t k = 0; k < sn_problems_count(problems); k++) {
      sn_problem p = *sn_problems_at(problems, k);
      p.tolerance = 0;
      p.iterations = 20000;
      result r = solve(names[_i], &p);
      ck_assert_msg(r.solution.iterations < most[_i], "%s, problem %lld: %s takes %d iterations",
                    file[i], (long long)k, names[_i], r.solution.iterations);
      double worst = fmax(r.residual[0], r.residual[1]) / r.scale;
      ck_assert_msg(worst <= 1e-11, "%s, problem %lld: %s leaves a residual of %g", file[i],
                    (long long)k, names[_i], worst);
      done(&r);
    }
    sn_problems_free(problems);
  }
}
END_TEST

static double cost_at(const sn_problem *p, const double *qacc, result *r) {
  memcpy(r->solution.qacc, qacc, (size_t)p->nv * sizeof(double));
  sn_problem_evaluate(p, &r->solution, &r->cost, r->residual);
  return r->cost;
}

// What each iteration says that it gained is what the cost lost on the way.
START_TEST(improvements_add_up) {
  static const char *const names[] = { "newton", "cg" };
  for (int i = 0; i < nfile; i++) {
    sn_problems *problems = load(file[i]);
    for (int64_t k = 0; k < sn_problems_count(problems); k++) {
      sn_problem p = *sn_problems_at(problems, k);
      p.tolerance = 1e-10;
      p.iterations = SN_SOLVER_LOG;
      result r = solve(names[_i], &p);
      double end = r.cost, start = cost_at(&p, p.qacc_start, &r);
      start = fmin(start, cost_at(&p, p.qacc_smooth, &r));
      sn_iteration log[SN_SOLVER_LOG];
      r.solution.iteration = log;
      r.solution.ncapacity = SN_SOLVER_LOG;
      ck_assert_int_ge(sn_problem_solve(engine, names[_i], &p, &r.solution, error), 0);
      double sum = 0;
      for (int32_t n = 0; n < r.solution.iterations; n++) {
        ck_assert(log[n].improvement >= -1e-12 && log[n].gradient >= 0 && log[n].neval > 0);
        ck_assert(log[n].nactive >= p.ne && log[n].nactive <= p.nefc);
        sum += log[n].improvement;
      }
      double want = p.scale * (start - end);
      ck_assert_msg(fabs(sum - want) <= 1e-8 * (1 + want), "%s, problem %lld: %g gained, not %g",
                    file[i], (long long)k, sum, want);
      done(&r);
    }
    sn_problems_free(problems);
  }
}
END_TEST

// A solver from outside tells as much. With it the cost rises now and then, so that only the sum
// says something.
START_TEST(admm_tells_its_iterations) {
  enum { MOST = 100000 };
  sn_iteration *log = calloc(MOST, sizeof *log);
  for (int i = 0; i < nfile; i++) {
    sn_problems *problems = load(file[i]);
    sn_problem p = *sn_problems_at(problems, 0);
    p.tolerance = 1e-12;
    p.iterations = 1000;
    result r = solve("admm", &p);
    double end = r.cost, start = cost_at(&p, p.qacc_start, &r), sum = 0;
    r.solution.iteration = log;
    r.solution.ncapacity = MOST;
    ck_assert_int_ge(sn_problem_solve(engine, "admm", &p, &r.solution, error), 0);
    int32_t n = r.solution.iterations;
    ck_assert(n > 0 && n <= MOST);
    for (int32_t k = 0; k < n; k++) {
      ck_assert(log[k].nactive >= p.ne && log[k].nactive <= p.nefc && log[k].nchange <= p.nefc);
      sum += log[k].improvement;
    }
    double want = p.scale * (start - end);
    ck_assert_msg(fabs(sum - want) <= 1e-8 * (1 + p.scale * fabs(start)), "%s: %g gained, not %g",
                  file[i], sum, want);
    ck_assert_msg(log[n - 1].gradient <= 1e-4 * (1 + log[0].gradient), "%s: gradient %g at the end",
                  file[i], log[n - 1].gradient);
    done(&r);
    sn_problems_free(problems);
  }
  free(log);
}
END_TEST

// The dual cost falls from zero, without forces, to what the primal cost is at the solution, with
// the sign changed: strong duality. A start with absurd forces is the one without any.
START_TEST(dual_improvements_add_up) {
  enum { MOST = 20000 };
  sn_iteration *log = calloc(MOST, sizeof *log);
  for (int i = 0; i < nfile; i++) {
    sn_problems *problems = load(file[i]);
    for (int64_t k = 0; k < sn_problems_count(problems); k++) {
      sn_problem p = *sn_problems_at(problems, k);
      double *absurd = calloc((size_t)p.nv, sizeof *absurd);
      for (int64_t v = 0; v < p.nv; v++) {
        absurd[v] = 1e6 * cos(1.7 * (double)v);
      }
      p.qacc_start = absurd;
      p.tolerance = 0;
      p.iterations = MOST;
      result r = solve("pgs", &p);
      r.solution.iteration = log;
      r.solution.ncapacity = MOST;
      ck_assert_int_eq(sn_problem_solve(engine, "pgs", &p, &r.solution, error), SN_OK);
      double sum = 0;
      for (int32_t n = 0; n < r.solution.iterations; n++) {
        ck_assert_double_ge(log[n].improvement, 0);
        sum += log[n].improvement;
      }
      double want = p.scale * r.cost;
      ck_assert_msg(fabs(sum - want) <= 1e-10 * (1 + want), "%s, problem %lld: %g gained, not %g",
                    file[i], (long long)k, sum, want);
      free(absurd);
      done(&r);
    }
    sn_problems_free(problems);
  }
  free(log);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(zero_tolerance_is_reached, 0, 4);
  EACH(improvements_add_up, 0, 2);
  TEST(admm_tells_its_iterations);
  TEST(dual_improvements_add_up);
}
