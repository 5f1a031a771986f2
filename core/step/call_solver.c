// SPDX-License-Identifier: Apache-2.0
//
// One call of the operation of a solver: what it needs beside the problem, and what takes the place
// of a solution that is invalid.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/finite.h"
#include "sinew/numerics/sparse.h"
#include "step/solve.h"

void si_no_force(const sn_problem *problem, sn_solution *solution) {
  memcpy(solution->qacc, problem->qacc_smooth, (size_t)problem->nv * sizeof(double));
  memset(solution->force, 0, (size_t)problem->nefc * sizeof(double));
  memset(solution->state, 0, (size_t)problem->nefc * sizeof(int32_t));
}

static int makes_sense(const sn_problem *problem, const sn_solution *solution) {
  int good = solution->iterations >= 0 && solution->nsoftened >= 0 &&
             solution->nsoftened <= problem->nefc && si_all_finite(solution->qacc, problem->nv) &&
             si_all_finite(solution->force, problem->nefc);
  for (int64_t i = 0; i < problem->nefc; i++) {
    good &= solution->state[i] >= 0 && solution->state[i] < SN_NROWSTATES;
  }
  return good;
}

// In the checking mode, numbers that the solver does not write are found.
static void spoil(const sn_problem *problem, sn_solution *solution) {
  for (int64_t i = 0; i < problem->nv; i++) {
    solution->qacc[i] = NAN;
  }
  for (int64_t i = 0; i < problem->nefc; i++) {
    solution->force[i] = NAN;
    solution->state[i] = -1;
  }
}

static void name_inputs(const sn_problem *p, si_worker *w) {
  const int64_t real = sizeof(double);
  const int64_t nM = p->inertia->M ? p->inertia->nM : 0;
  si_checker_input(w, "M", p->inertia->M, nM * real);
  si_checker_input(w, "L", p->inertia->L, nM * real);
  si_checker_input(w, "qacc_smooth", p->qacc_smooth, p->nv * real);
  si_checker_input(w, "qfrc_smooth", p->qfrc_smooth, p->nv * real);
  si_checker_input(w, "type", p->type, p->nefc * (int64_t)sizeof *p->type);
  si_checker_input(w, "D", p->D, p->nefc * real);
  si_checker_input(w, "R", p->R, p->nefc * real);
  si_checker_input(w, "aref", p->aref, p->nefc * real);
  si_checker_input(w, "frictionloss", p->frictionloss, p->nefc * real);
}

static void warn_solution(const si_provider *provider, const sn_problem *problem,
                          const sn_solution *solution, si_worker *w, sn_status status,
                          const char *instead) {
  const double *qacc = si_first_not_finite(solution->qacc, problem->nv);
  const double *force = si_first_not_finite(solution->force, problem->nefc);
  si_worker_warn_result(w, provider, "solve", status,
                        qacc    ? "qacc"
                        : force ? "force"
                                : "iterations, nsoftened or state",
                        qacc ? qacc : force, instead);
}

static sn_status solve(const si_provider *provider, const sn_problem *problem,
                       sn_solution *solution, si_worker *w) {
  const sn_solver_ops *ops = provider->ops;
  const int64_t real = sizeof(double), nqacc = problem->nv * real, nforce = problem->nefc * real;
  const int64_t nstate = problem->nefc * (int64_t)sizeof(int32_t);
  if (w->checker) {
    name_inputs(problem, w);
  }
  if (w->checker && !(ops->head.flags & SN_SOLVER_POST)) {
    spoil(problem, solution);
  }
  sn_solution lent = *solution;
  lent.qacc = si_worker_output_apart(w, "qacc", solution->qacc, nqacc);
  lent.force = si_worker_output_apart(w, "force", solution->force, nforce);
  lent.state = si_worker_output_apart(w, "state", solution->state, nstate);
  sn_solution given = lent;
  si_worker_struct(w, "sn_solution", &given.size, sizeof given.size);
  si_worker_struct(w, "sn_solution", &given.qacc,
                   (int64_t)(offsetof(sn_solution, nsoftened) - offsetof(sn_solution, qacc)));
  const si_call call = si_worker_enter(w, provider, "solve");
  sn_status status = ops->solve(provider->self, problem, &given, si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  solution->iterations = given.iterations;
  solution->nsoftened = given.nsoftened;
  si_worker_take_back(solution->qacc, lent.qacc, nqacc);
  si_worker_take_back(solution->force, lent.force, nforce);
  si_worker_take_back(solution->state, lent.state, nstate);
  return status;
}

// A negative status, after a warning that ends with `instead`: the solution is not valid.
static sn_status call(const si_provider *provider, sn_problem *problem, sn_solution *solution,
                      si_worker *w, const char *instead) {
  const sn_solver_ops *ops = provider->ops;
  sn_sparse dual;
  if (ops->head.flags & SN_SOLVER_DUAL) {
    if (problem->nefc > SI_DUAL_ROWS) {
      si_worker_warn(
          w, SN_WARN_PLUGIN,
          "the problem has %lld constraint rows, and the dual solver '%s' supports at most "
          "%d; select a primal solver, which works on accelerations",
          (long long)problem->nefc, provider->name, SI_DUAL_ROWS);
      return SN_EUNSUPPORTED;
    }
    const si_call operation = si_worker_enter(w, provider, "solve");
    const sn_status status = sn_delassus(&problem->J, problem->inertia, si_worker_lend(w), &dual);
    SN_TRY(si_worker_leave(w, &operation, status));
    problem->dual = &dual;
  }
  const sn_status status = solve(provider, problem, solution, w);
  problem->dual = NULL;
  if (status < 0 || !makes_sense(problem, solution)) {
    warn_solution(provider, problem, solution, w, status, instead);
    return status < 0 ? status : SN_EPLUGIN;
  }
  return status;
}

sn_status si_call_solver(const si_provider *provider, sn_problem *problem, sn_solution *solution,
                         si_worker *w) {
  const sn_status status = call(provider, problem, solution, w, "the constraint forces are zero");
  if (status < 0) {
    si_no_force(problem, solution);
    solution->iterations = 0;
    solution->nsoftened = 0;
  }
  return status;
}

sn_status si_call_solver_again(const si_provider *provider, sn_problem *problem,
                               sn_solution *solution, si_worker *w) {
  const int is_post = (((const sn_solver_ops *)provider->ops)->head.flags & SN_SOLVER_POST) != 0;
  const size_t nqacc = (size_t)problem->nv * sizeof(double);
  const size_t nforce = (size_t)problem->nefc * sizeof(double);
  const size_t nstate = (size_t)problem->nefc * sizeof(int32_t);
  const si_mark mark = si_arena_mark(&w->scratch);
  double *qacc = si_arena_reals(&w->scratch, problem->nv);
  double *force = si_arena_reals(&w->scratch, problem->nefc);
  int32_t *state = si_arena_ints(&w->scratch, problem->nefc);
  memcpy(qacc, solution->qacc, nqacc);
  memcpy(force, solution->force, nforce);
  memcpy(state, solution->state, nstate);
  problem->force_start = is_post ? force : NULL;
  const sn_status status = call(provider, problem, solution, w,
                                is_post ? "the solution of the main solver is kept"
                                        : "the solution of its previous call is kept");
  problem->force_start = NULL;
  if (status < 0) {
    memcpy(solution->qacc, qacc, nqacc);
    memcpy(solution->force, force, nforce);
    memcpy(solution->state, state, nstate);
    solution->iterations = 0;
    solution->nsoftened = 0;
  }
  si_arena_release(&w->scratch, mark);
  return status;
}
