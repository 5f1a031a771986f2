// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of solvers and integrators with one fault each.

#include <fenv.h>

#include "conformance.h"
#include "default_engine.h"
#include "german_locale.h"
#include "sinew/integrator.h"
#include "sinew/numerics/sparse.h"
#include "sinew/numerics/tree.h"
#include "sinew/solver.h"

enum {
  WRITES_BEHIND = NKINDFAULTS,
  CHANGES_INPUTS,
  NOT_OPTIMAL,
  KEEPS_START,
  NOT_A_NUMBER,
  KEEPS_ACCELERATION,   // of before
  PULLS,                // a contact
  WRONG_ORDER,
  EVALUATES_TWICE,
  FAILS_LATER,      // with the time step of repeated calls
  CHANGING_STATES,
  FORGETS_STATE,
  LATE,             // the time is wrong
  WRONG_STATE,      // no state of a row
  CONE_OF_EQUALITY,
  HAS_FORCE,        // a row in the state SATISFIED
  HAS_NO_FORCE,     // a row in the state QUADRATIC
  WITHIN_CONE,      // forces in the state CONE
  NEGATIVE_COUNT,   // of iterations
  WRITES_STATISTICS_BEHIND,
  WRITES_SCRATCH_BEHIND,
  INVALID_REQUEST,  // of scratch memory
  SETS_INPUTS,      // to the same value in each call
  CHANGES_PROBLEM,  // its struct
  ROUNDS_UP,
  LEAVES_RANGE,     // of an activation
  IS_IMPLICIT,      // in derivatives that it does not declare
  IS_EXPLICIT,      // though it calls `implicit`
  BIND_FAILS,
  BIND_WRITES,      // to the model
  REPLACES_OUTPUT,  // by memory of its own
  RESIZES           // the state
};

// ------------------------------------------------------------------ a solver

// Rows in one state are said to be in another.
static void rename_states(const sn_problem *problem, sn_solution *solution, int32_t from,
                          int32_t to, int64_t first) {
  for (int64_t i = first; i < problem->nefc; i++) {
    solution->state[i] = solution->state[i] == from ? to : solution->state[i];
  }
}

static void break_rules(const sn_problem *problem, sn_solution *solution, sn_scratch *scratch) {
  switch (fault) {
    case WRITES_BEHIND: solution->force[problem->nefc] = 0; break;
    case CHANGES_INPUTS: ((double *)(uintptr_t)problem->aref)[0] += 1e-12; break;
    case SETS_INPUTS: ((double *)(uintptr_t)problem->aref)[0] = 1; break;
    case CHANGES_PROBLEM: ((sn_problem *)(uintptr_t)problem)->tolerance = 1; break;
    case WRONG_STATE: solution->state[0] = SN_NROWSTATES; break;
    case CONE_OF_EQUALITY: solution->state[0] = SN_ROWSTATE_CONE; break;
    case HAS_FORCE: solution->state[0] = SN_ROWSTATE_SATISFIED; break;
    case HAS_NO_FORCE:
      rename_states(problem, solution, SN_ROWSTATE_SATISFIED, SN_ROWSTATE_QUADRATIC, 0);
      break;
    case WITHIN_CONE:
      rename_states(problem, solution, SN_ROWSTATE_QUADRATIC, SN_ROWSTATE_CONE,
                    problem->cone[0].row);
      break;
    case NEGATIVE_COUNT: solution->iterations = -1; break;
    case WRITES_STATISTICS_BEHIND:
      solution->iteration[solution->ncapacity] = (sn_iteration){ .nactive = 1 };
      break;
    case WRITES_SCRATCH_BEHIND: ((double *)scratch->alloc(scratch, 24, 8))[3] = 1; break;
    case INVALID_REQUEST: scratch->alloc(scratch, -5, 8); break;
    case REPLACES_OUTPUT: solution->iteration = NULL; break;
    case ROUNDS_UP: fesetround(FE_UPWARD); break;
    default: break;
  }
}

static sn_status solve(const void *self, const sn_problem *problem, sn_solution *solution,
                       sn_scratch *scratch) {
  const sn_status status = sn_problem_solve(engine, "newton", problem, solution, NULL);
  (void)self;
  solution->qacc[0] += 1e-9 * common_fault() + (fault == NOT_OPTIMAL ? 1e-2 : 0);
  solution->qacc[0] += fault == KEEPS_START ? 1e-2 * problem->qacc_start[0] : 0;
  solution->qacc[0] = fault == NOT_A_NUMBER ? NAN : solution->qacc[0];
  break_rules(problem, solution, scratch);
  return fault == FAILS ? SN_EINVAL : status;
}

static const sn_solver_ops solver = {
  .head = { .size = sizeof solver, .summary = "a toy" },
  .solve = solve,
};

// Solves the convex problem, and claims to solve the other one.
static const sn_solver_ops convex = {
  .head = { .size = sizeof convex, .flags = SN_SOLVER_COULOMB, .summary = "a toy" },
  .solve = solve,
};

// A post-solver that halves the forces of friction and limits, and of contacts.
static sn_status halve(const void *self, const sn_problem *problem, sn_solution *solution,
                       sn_scratch *scratch) {
  double *change = scratch->alloc(scratch, problem->nv * 8, 8);
  (void)self;
  for (int64_t i = 0; i < problem->nv; i++) {
    change[i] = common_fault();
  }
  for (int64_t i = 0; i < problem->nefc; i++) {
    const double before = solution->force[i], factor = fault == PULLS ? -0.5 : 0.5;
    solution->force[i] *= i < problem->ne ? 1 : factor;
    sn_row_add(sn_sparse_row_at(&problem->J, i), solution->force[i] - before, change);
  }
  sn_tree_solve(problem->inertia, change);
  for (int64_t i = 0; i < problem->nv; i++) {
    solution->qacc[i] += fault == KEEPS_ACCELERATION ? 0 : change[i];
  }
  return common_status();
}

static const sn_solver_ops post = {
  .head = { .size = sizeof post, .flags = SN_SOLVER_POST, .summary = "a toy" },
  .solve = halve,
};

// ------------------------------------------------------------------ an integrator

// Semi-implicit Euler. The rates of activations are its own array, of which none is read without
// activations.
static sn_status step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  if (fault == EVALUATES_TWICE) {
    SN_TRY(s->evaluate(s));
  }
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] += s->h * s->qacc[i] + 1e-12 * common_fault();
  }
  if (fault == IS_IMPLICIT) {
    SN_TRY(s->implicit(s, SN_DERIV_BIAS, s->h, scratch->alloc(scratch, s->nv * 8, 8)));
  }
  const double rate[] = { s->na > 0 ? s->act_dot[0] : 1 };
  s->advance_position(s, s->qvel, s->h);
  s->advance_activation(s, rate, s->h);
  *s->time += s->h * (fault == LATE ? 0.99 : 1);
  if (fault == WRITES_BEHIND) {
    s->qvel[s->nv] = 0;
  } else if (fault == NOT_A_NUMBER) {
    s->qvel[0] = NAN;
  } else if (fault == RESIZES) {
    s->nq++;
  }
  return fault == FAILS_LATER && s->h == 0.01 ? SN_EINVAL : common_status();
}

static const sn_integrator_ops euler = {
  .head = { .size = sizeof euler, .summary = "a toy" },
  .order = 1,
  .evaluations = 1,
  .step = step,
};

// Semi-implicit Euler with implicit damping.
static sn_status step_damped(const void *self, sn_stepper *s, sn_scratch *scratch) {
  double *a = scratch->alloc(scratch, s->nv * 8, 8);
  (void)self;
  SN_TRY(s->implicit(s, SN_DERIV_DAMPING, s->h, a));
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] += s->h * (fault == IS_EXPLICIT ? s->qacc[i] : a[i]);
  }
  s->advance_position(s, s->qvel, s->h);
  s->advance_activation(s, s->act_dot, s->h);
  *s->time += s->h;
  return SN_OK;
}

static const sn_integrator_ops damped = {
  .head = { .size = sizeof damped, .summary = "a toy" },
  .order = 1,
  .evaluations = 1,
  .derivatives = SN_DERIV_DAMPING,
  .step = step_damped,
};

static const sn_integrator_ops second = {
  .head = { .size = sizeof second, .summary = "a toy" },
  .order = 2,
  .evaluations = 1,
  .step = step,
};

// The method of Adams and Bashforth of order 2. States: whether there was a step, and the rates of
// that step.
static int64_t earlier(const void *self, const sn_model_view *model) {
  static int calls;
  (void)self;
  return fault == CHANGING_STATES ? ++calls : 2 + 2 * snm_nv(model->model) + snm_na(model->model);
}

static sn_status step_again(const void *self, sn_stepper *s, sn_scratch *scratch) {
  double *before = s->state + 1, *v = scratch->alloc(scratch, s->nv * 8, 8);
  const double now = s->state[0] != 0 ? 1.5 : 1, then = 1 - now;
  (void)self;
  for (int64_t i = 0; i < s->nv; i++) {
    v[i] = now * s->qvel[i] + then * before[i];
    before[i] = s->qvel[i];
    s->qvel[i] += s->h * (now * s->qacc[i] + then * before[s->nv + i]);
    before[s->nv + i] = s->qacc[i];
  }
  s->advance_position(s, v, s->h);
  for (int64_t i = 0; i < s->na; i++) {
    const double rate = now * s->act_dot[i] + then * before[2 * s->nv + i];
    before[2 * s->nv + i] = s->act_dot[i];
    s->act[i] += s->h * rate;
  }
  if (fault != LEAVES_RANGE) {
    s->clamp_activation(s);
  }
  *s->time += s->h;
  s->state[0] = fault != FORGETS_STATE;
  if (fault == WRITES_BEHIND) {
    s->state[s->nstate] = 0;
  }
  return SN_OK;
}

static const sn_integrator_ops multistep = {
  .head = { .size = sizeof multistep, .summary = "a toy" },
  .order = 2,
  .rotation_order = 1,
  .evaluations = 1,
  .step = step_again,
  .states = earlier,
};

static const sn_integrator_ops turning = {
  .head = { .size = sizeof turning, .summary = "a toy" },
  .order = 1,
  .rotation_order = 2,
  .evaluations = 1,
  .step = step,
};

// Semi-implicit Euler that counts its dofs before.
static sn_status count_dofs(const void *self, const sn_model_view *model, void **bound,
                            sn_error *e) {
  static int64_t kept;
  (void)self, (void)e;
  if (fault == BIND_WRITES) {
    *(double *)(uintptr_t)&snm_body_mass(model->model)[1] += 1;
  }
  kept = snm_nv(model->model);
  *bound = &kept;
  return fault == BIND_FAILS ? SN_EINVAL : SN_OK;
}

static void forget_dofs(const void *self, void *bound) {
  (void)self, (void)bound;
}

static sn_status step_bound(const void *self, sn_stepper *s, sn_scratch *scratch) {
  return s->bound ? step(self, s, scratch) : SN_EINVAL;
}

static sn_integrator_ops bound_euler = {
  .head = { .size = sizeof bound_euler, .summary = "a toy" },
  .order = 1,
  .evaluations = 1,
  .step = step_bound,
  .bind = count_dofs,
  .unbind = forget_dofs,
};

// ------------------------------------------------------------------ what is found

#define SOLVER SN_KIND_SOLVER, &solver
#define CONVEX SN_KIND_SOLVER, &convex
#define POST SN_KIND_SOLVER, &post
#define EULER SN_KIND_INTEGRATOR, &euler
#define MULTISTEP SN_KIND_INTEGRATOR, &multistep
#define BOUND SN_KIND_INTEGRATOR, &bound_euler
static const planted faults[] = {
  { SOLVER, NO_FAULT, NULL, NULL, NULL },
  { SOLVER, FAILS, "calls", "solve returns SN_EINVAL", NULL },
  { SOLVER, FORGETS_NOTHING, "same bits", "qacc differs", NULL },
  { SOLVER, COLLIDES, "threads", "qacc differs", NULL },
  { SOLVER, LOCALIZED, "locale", "qacc differs", NULL },
  { SOLVER, WRITES_BEHIND, "outputs", "past the end of force", NULL },
  { SOLVER, CHANGES_INPUTS, "inputs", "solve changes aref", "|same bits|" },
  { SOLVER, SETS_INPUTS, "inputs", "solve changes aref", "|same bits|optimal|any start|rows|" },
  { SOLVER, CHANGES_PROBLEM, "inputs", "solve changes the problem", "|same bits|any start|rows|" },
  { SOLVER, WRONG_STATE, "rows", "has state 5", NULL },
  { SOLVER, CONE_OF_EQUALITY, "rows", "row 0, of type 0", NULL },
  { SOLVER, HAS_FORCE, "rows", "has state 0", NULL },
  { SOLVER, HAS_NO_FORCE, "rows", "has state 1", NULL },
  { SOLVER, WITHIN_CONE, "rows", "has state 4", NULL },
  { SOLVER, NEGATIVE_COUNT, "rows", "iterations is -1", NULL },
  { SOLVER, WRITES_STATISTICS_BEHIND, "outputs", "past the end of iteration", NULL },
  { SOLVER, WRITES_SCRATCH_BEHIND, "outputs", "past the scratch memory", NULL },
  { SOLVER, INVALID_REQUEST, "outputs", "requests -5 bytes", NULL },
  { SOLVER, ROUNDS_UP, "outputs", "changes the floating-point environment", NULL },
  { SOLVER, REPLACES_OUTPUT, "inputs", "solve changes a struct of its arguments", NULL },
  { SOLVER, CHANGES_UMASK, "process", "solve changed the umask", NULL },
  { SOLVER, CLOSES_OUTPUT, "process", "solve closed or replaced standard output", NULL },
  { SOLVER, LEAVES_THREADS, "process", "each call of solve leaves a thread behind", NULL },
  { SOLVER, NOT_OPTIMAL, "optimal", "; 1e-05 is allowed", NULL },
  { SOLVER, NOT_A_NUMBER, "optimal", "inf", "|any start|" },
  { SOLVER, KEEPS_START, "any start", "solutions from two starts differ by", "|optimal|" },
  { CONVEX, NO_FAULT, "Coulomb's law", "violation of the dynamics and of Coulomb's law", NULL },
  { POST, NO_FAULT, NULL, NULL, NULL },
  { POST, FAILS, "calls", "SN_EINVAL", NULL },
  { POST, FORGETS_NOTHING, "same bits", "qacc differs", "|dynamics|" },
  { POST, KEEPS_ACCELERATION, "dynamics", "M qacc differs", NULL },
  { POST, PULLS, "feasible", "outside of what the constraints allow", NULL },
  { EULER, NO_FAULT, NULL, NULL, NULL },
  { EULER, EVALUATES_TWICE, "evaluations", "declared 1, counted 2", NULL },
  { EULER, IS_IMPLICIT, "derivatives",
    "declares are 0x0 (SN_DERIV_*); those passed to implicit are 0x8", NULL },
  { EULER, LATE, "time", "after one second, time is 0.99", NULL },
  { MULTISTEP, NO_FAULT, NULL, NULL, NULL },
  { MULTISTEP, CHANGING_STATES, "states", "states returns 1, then 2; the same number", NULL },
  { MULTISTEP, LEAVES_RANGE, "activation range", "from 0.9, a step makes 0.7", NULL },
  { MULTISTEP, FORGETS_STATE, "order", "declared 2, measured 1", NULL },
  { MULTISTEP, WRITES_BEHIND, "outputs", "past the end of state", NULL },
  { SN_KIND_INTEGRATOR, &turning, NO_FAULT, "order on a ball joint", "declared 2, measured 1",
    NULL },
  { EULER, NOT_A_NUMBER, "finite", "activations of pendulums after one second are not finite",
    NULL },
  { EULER, FAILS, "steps", "step returned SN_EINVAL", NULL },
  { EULER, RESIZES, "inputs", "changes a number or a pointer of the struct sn_stepper", NULL },
  { EULER, FAILS_LATER, "calls", "step returns SN_EINVAL", NULL },
  { EULER, FORGETS_NOTHING, "same bits", "qpos differs", NULL },
  { EULER, COLLIDES, "threads", "differs", NULL },
  { EULER, LOCALIZED, "locale", "differs", NULL },
  { EULER, WRITES_BEHIND, "outputs", "past the end of qvel", NULL },
  { SN_KIND_INTEGRATOR, &second, WRONG_ORDER, "order", "declared 2, measured 1",
    "|order on a ball joint|" },
  { SN_KIND_INTEGRATOR, &damped, NO_FAULT, NULL, NULL, NULL },
  { SN_KIND_INTEGRATOR, &damped, IS_EXPLICIT, "stability", "with strong damping, a velocity of 1",
    NULL },
  { BOUND, NO_FAULT, NULL, NULL, NULL },
  { BOUND, BIND_FAILS, "bind", "bind returns SN_EINVAL", NULL },
  { BOUND, BIND_WRITES, "bind", "bind changes body_mass of the model", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  const planted *p = &faults[_i];
  open_engine();
  fault = p->fault;
  if (fault != LOCALIZED || find_german()) {
    expect_finding(p);
  }
  close_engine();
}
END_TEST

START_TEST(steps_of_sinew_pass) {
  open_engine();
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_INTEGRATOR), 6);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_SOLVER, faults, NFAULTS, sizeof faults[0]);
  expect_covered(engine, SN_KIND_INTEGRATOR, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(steps_of_sinew_pass);
  TEST(each_requirement_has_a_fault);
}
