// SPDX-License-Identifier: Apache-2.0
//
// Constraint problems on their own: captured from a simulation, solved by any solver, judged by
// the conditions of optimality.

#include "api/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "constraint/constraint.h"
#include "dynamics/dynamics.h"
#include "host/calling.h"
#include "sinew/numerics/sparse.h"
#include "sinew/numerics/tree.h"
#include "step/solve.h"

// ------------------------------------------------------------------ memory

int64_t si_problem_nJ(const sn_problem *p) {
  int64_t n = 0;
  for (int64_t i = 0; i < p->nefc; i++) {
    int64_t end = (int64_t)p->J.adr[i] + p->J.nnz[i];
    n = end > n ? end : n;
  }
  return n;
}

static int64_t padded(int64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

sn_problem *si_problem_alloc(const sn_problem *p, int64_t nJ) {
  int64_t bytes = padded(sizeof *p) + padded(sizeof *p->inertia);
#define SN_X(type, owner, member, count) bytes += padded((count) * (int64_t)sizeof(type));
  SI_PROBLEM_ARRAYS(SN_X)
#undef SN_X
  char *block = aligned_alloc(64, (size_t)bytes);
  if (!block) {
    return NULL;
  }
  memset(block, 0, (size_t)bytes);
  sn_problem *whole = (sn_problem *)block;
  sn_inertia *tree = (sn_inertia *)(block + padded(sizeof *p));
  *whole = *p;
  *tree = *p->inertia;
  tree->recursion = NULL;   // of a simulation
  tree->links = NULL;
  whole->inertia = tree;
  int64_t offset = padded(sizeof *p) + padded(sizeof *tree);
#define SN_X(type, owner, member, count)    \
  owner->member = (type *)(block + offset); \
  offset += padded((count) * (int64_t)sizeof(type));
  SI_PROBLEM_ARRAYS(SN_X)
#undef SN_X
  whole->dual = NULL;
  whole->force_start = NULL;
  if (!p->id) {   // not known
    whole->id = whole->geom1 = whole->geom2 = whole->feature = NULL;
    whole->ncontact = 0;
  }
  return whole;
}

sn_problems *sn_problems_new(sn_error *error) {
  sn_problems *problems = calloc(1, sizeof *problems);
  if (!problems) {
    si_fail(error, SN_ENOMEM, "out of memory for a set of problems");
  }
  return problems;
}

void sn_problems_free(sn_problems *problems) {
  for (int64_t i = 0; problems && i < problems->n; i++) {
    free(problems->at[i]);
  }
  if (problems) {
    free(problems->at);
    free(problems);
  }
}

sn_status si_problems_append(sn_problems *problems, sn_problem *problem, sn_error *error) {
  sn_problem **at = si_more(problems->at, problems->n, sizeof *at);
  if (!at || !problem) {
    problems->at = at ? at : problems->at;
    free(problem);
    return si_fail(error, SN_ENOMEM, "out of memory for a problem");
  }
  problems->at = at;
  problems->at[problems->n++] = problem;
  return SN_OK;
}

int64_t sn_problems_count(const sn_problems *problems) {
  return problems->n;
}

const sn_problem *sn_problems_at(const sn_problems *problems, int64_t index) {
  return index >= 0 && index < problems->n ? problems->at[index] : NULL;
}

sn_status sn_problems_add(sn_problems *problems, const sn_model *model, sn_data *data,
                          sn_error *error) {
  if (data->model != model) {
    return si_fail(error, SN_EINVAL, "this data belongs to another model");
  }
  if (data->nefc == 0) {
    return SN_OK;
  }
  si_dyn_need_inertia(model, data);
  const sn_inertia inertia = si_inertia_view(model, data);
  const sn_problem view = si_problem_view(model, data, &inertia, data->qacc_warmstart), *p = &view;
  int64_t nJ = si_problem_nJ(p);
  sn_problem *copy = si_problem_alloc(p, nJ);
  if (copy) {
    const sn_problem *whole = copy;
    const sn_inertia *tree = copy->inertia;
    const struct {
      const sn_problem *whole;
      const sn_inertia *tree;
    } from = { p, &inertia };
#define SN_X(type, owner, member, count)                                                          \
  if ((count) > 0) {                                                                              \
    memcpy((void *)(uintptr_t)owner->member, from.owner->member, (size_t)(count) * sizeof(type)); \
  }
    SI_PROBLEM_ARRAYS(SN_X)
#undef SN_X
  }
  return si_problems_append(problems, copy, error);
}

// ------------------------------------------------------------------ solving

static sn_status solve(const si_provider *solver, sn_problem *p, sn_solution *solution,
                       si_arena *arena, sn_error *error) {
  const sn_solver_ops *ops = solver->ops;
  if ((ops->head.flags & SN_SOLVER_DUAL) && p->nefc > SI_DUAL_ROWS) {
    return si_fail(
        error, SN_EUNSUPPORTED,
        "the problem has %lld constraint rows; dual solvers support at most %d; select a primal "
        "solver, which works on accelerations",
        (long long)p->nefc, SI_DUAL_ROWS);
  }
  sn_status status = SN_OK;
  sn_sparse dual;
  if (ops->head.flags & SN_SOLVER_DUAL) {
    status = sn_delassus(&p->J, p->inertia, &arena->scratch, &dual);
    // cppcheck-suppress autoVariables ; this copy of the problem ends with this call's caller
    p->dual = &dual;
  }
  if (status >= 0) {
    const si_call call = si_call_enter(solver, "solve");
    status = ops->solve(solver->self, p, solution, &arena->scratch);
    si_call_end(&call);
    if (!si_status_is_known(status)) {
      return si_fail_unknown_status(&call.now, status, error);
    }
  }
  if (arena->failed) {
    return si_fail(error, SN_ENOMEM, "out of memory while solving a problem of %lld rows",
                   (long long)p->nefc);
  }
  return status < 0 ? si_fail(error, status, "the solver failed") : status;
}

sn_status sn_problem_solve(sn_engine *engine, const char *solver, const sn_problem *problem,
                           sn_solution *solution, sn_error *error) {
  SN_TRY(si_engine_freeze(engine, error));
  const si_provider *provider = si_engine_find(engine, SN_KIND_SOLVER, solver, error);
  if (!provider) {
    return SN_ENOTFOUND;
  }
  const sn_solver_ops *ops = provider->ops;
  if ((ops->head.flags & SN_SOLVER_POST) && !problem->force_start) {
    return si_fail(error, SN_EINVAL,
                   "'%s' is a post-solver, which starts from the result of another "
                   "solver; this problem has none",
                   solver);
  }
  sn_problem p = { 0 };   // the caller's may be of an older version, and shorter
  memcpy(&p, problem, problem->size < sizeof p ? problem->size : sizeof p);
  if (SN_HAS(solution, nsoftened)) {
    solution->nsoftened = 0;
  }
  si_arena arena;
  si_arena_init(&arena, 0);
  sn_status status = solve(provider, &p, solution, &arena, error);
  si_arena_free(&arena);
  return status;
}

// ------------------------------------------------------------------ judging

// What is not a number stays.
static double larger(double a, double b) {
  return isnan(a) || a >= b ? a : b;
}

// What follows from a solution: z = J a - aref, M (a - a0), and space for forces.
typedef struct judged {
  double *z, *f, *dx, *Mdx;
  int32_t *state;
} judged;

static void judged_free(judged *j) {
  free(j->z);
  free(j->f);
  free(j->dx);
  free(j->Mdx);
  free(j->state);
}

// Whether there was memory.
static int judged_make(judged *j, const sn_problem *p, const double *qacc) {
  *j = (judged){ .z = malloc((size_t)p->nefc * sizeof(double)),
                 .f = malloc((size_t)p->nefc * sizeof(double)),
                 .dx = malloc((size_t)p->nv * sizeof(double)),
                 .Mdx = malloc((size_t)p->nv * sizeof(double)),
                 .state = malloc((size_t)p->nefc * sizeof(int32_t)) };
  if (!j->z || !j->f || !j->dx || !j->Mdx || !j->state) {
    return 0;
  }
  for (int64_t i = 0; i < p->nv; i++) {
    j->dx[i] = qacc[i] - p->qacc_smooth[i];
  }
  for (int64_t i = 0; i < p->nefc; i++) {
    j->z[i] = sn_row_dot(sn_sparse_row_at(&p->J, i), qacc) - p->aref[i];
  }
  sn_tree_multiply(p->inertia, j->dx, j->Mdx);
  return 1;
}

// The largest element of |M (a - a0) - J' f|; Mdx is used up.
static double dynamics_residual(judged *j, const sn_problem *p, const double *force) {
  double worst = 0;
  for (int64_t i = 0; i < p->nefc; i++) {
    sn_row_add(sn_sparse_row_at(&p->J, i), -force[i], j->Mdx);
  }
  for (int64_t i = 0; i < p->nv; i++) {
    worst = larger(worst, fabs(j->Mdx[i]));
  }
  return worst;
}

void sn_problem_evaluate(const sn_problem *p, const sn_solution *solution, double *cost,
                         double residual[2]) {
  judged j;
  *cost = residual[0] = residual[1] = NAN;
  if (judged_make(&j, p, solution->qacc)) {
    *cost = si_penalty(p, j.z, j.f, j.state);
    for (int64_t i = 0; i < p->nv; i++) {
      *cost += 0.5 * j.dx[i] * j.Mdx[i];
    }
    residual[1] = 0;
    for (int64_t i = 0; i < p->nefc; i++) {
      residual[1] = larger(residual[1], fabs(solution->force[i] - j.f[i]));
    }
    residual[0] = dynamics_residual(&j, p, solution->force);
  }
  judged_free(&j);
}

void sn_problem_evaluate_coulomb(const sn_problem *p, const sn_solution *solution,
                                 double residual[2]) {
  judged j;
  residual[0] = residual[1] = NAN;
  if (judged_make(&j, p, solution->qacc)) {
    residual[1] = si_coulomb_residual(p, j.z, solution->force);
    residual[0] = dynamics_residual(&j, p, solution->force);
  }
  judged_free(&j);
}
