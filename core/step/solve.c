// SPDX-License-Identifier: Apache-2.0
//
// The constraint problem, handed to the solver: one call an island, with compact rows and
// columns. What no constraint touches keeps its smooth acceleration.
//
//   all rows, all dofs --> islands --> problem with own numbering --> solver --> scatter back
//
// A problem that is one island of all dofs is passed to the solver without a copy.

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "constraint/constraint.h"
#include "data/share.h"
#include "dynamics/dynamics.h"
#include "sinew/numerics/sparse.h"
#include "step/pipeline.h"
#include "step/solve.h"

// ------------------------------------------------------------------ the whole problem

sn_problem si_problem_view(const sn_model *m, const sn_data *d, const sn_inertia *inertia,
                           const double *start) {
  return (sn_problem){
    .size = sizeof(sn_problem),
    .jacobian = (int32_t)m->opt.jacobian,
    .nv = m->nv,
    .nefc = d->nefc,
    .ne = d->ne,
    .nf = d->nf,
    .qacc_smooth = d->qacc_smooth,
    .qfrc_smooth = d->qfrc_smooth,
    .qacc_start = start,
    .inertia = inertia,
    .J = si_constraint_jacobian(d, m->nv),
    .nblock = d->nblock,
    .block = d->block,
    .type = d->efc_type,
    .D = d->efc_D,
    .R = d->efc_R,
    .aref = d->efc_aref,
    .frictionloss = d->efc_frictionloss,
    .ncone = d->ncone,
    .cone = d->cone,
    .tolerance = m->opt.tolerance,
    .scale = 1 / (m->stat.meaninertia * (double)(m->nv > 1 ? m->nv : 1)),
    .noslip_tolerance = m->opt.noslip_tolerance,
    .iterations = (int32_t)m->opt.iterations,
    .noslip_iterations = (int32_t)m->opt.noslip_iterations,
    .id = d->efc_id,
    .ncontact = d->ncon,
    .geom1 = d->contact_geom1,
    .geom2 = d->contact_geom2,
    .feature = d->contact_feature,
  };
}

// ------------------------------------------------------------------ statistics

static void start_logs(sn_data *d) {
  for (int32_t k = 0; k < d->nworker; k++) {
    si_solver_log *log = &d->worker[k].solver;
    log->iterations = log->island = log->nunconverged = 0;
    log->nsoftened = 0;
    memset(log->present, 0, sizeof log->present);
  }
}

// Keeps the statistics of the problem that took the most iterations, of equal ones the first, and
// clears them for the next.
static void record(si_solver_log *log, int32_t island, int32_t iterations) {
  const size_t n = (size_t)(iterations < SN_SOLVER_LOG ? iterations : SN_SOLVER_LOG);
  if (iterations > log->iterations || (iterations == log->iterations && island < log->island)) {
    log->iterations = iterations;
    log->island = island;
    memcpy(log->most, log->present, n * sizeof(sn_iteration));
  }
  memset(log->present, 0, n * sizeof(sn_iteration));
}

// ------------------------------------------------------------------ islands

// The main solver, and then the post-solver, if any.
static void run(const sn_model *m, si_worker *w, sn_problem *problem, int32_t island, double *qacc,
                double *force, int32_t *state) {
  sn_solution solution = { .size = sizeof solution,
                           .qacc = qacc,
                           .force = force,
                           .state = state,
                           .iteration = w->solver.present,
                           .ncapacity = SN_SOLVER_LOG };
  si_no_force(problem, &solution);
  w->solver.nunconverged += si_solve_exactly(m, w, problem, &solution) == SN_NOT_CONVERGED;
  w->solver.nsoftened += solution.nsoftened;
  record(&w->solver, island, solution.iterations);
  solution.iteration = NULL;
  solution.ncapacity = 0;
  solution.nsoftened = 0;
  if (m->bound.post_solver) {
    SI_TIMED(w, postsolve, si_call_solver_again(m->bound.post_solver, problem, &solution, w));
  }
}

static void solve_island(const sn_model *m, sn_data *d, si_worker *w, int32_t index,
                         const si_island_map *map) {
  const si_island *island = &d->island[index];
  si_mark mark = si_arena_mark(&w->scratch);
  sn_problem p = si_island_problem(map, d, island, &w->scratch);
  double *qacc = si_arena_reals(&w->scratch, p.nv);
  double *force = si_arena_reals(&w->scratch, p.nefc);
  int32_t *state = si_arena_ints(&w->scratch, p.nefc);
  run(m, w, &p, index, qacc, force, state);

  for (int32_t i = 0; i < island->ndof; i++) {
    d->qacc[island->dof[i]] = qacc[i];
  }
  for (int32_t i = 0; i < island->nrow; i++) {
    d->efc_force[island->row[i]] = force[i];
    d->efc_state[island->row[i]] = state[i];
    if (force[i] != 0) {
      sn_row_add(sn_sparse_row_at(&map->all->J, island->row[i]), force[i], d->qfrc_constraint);
    }
  }
  si_arena_release(&w->scratch, mark);
}

typedef struct islands {
  const si_island_map *map;
  int32_t alone;   // the one that is solved already; -1: none
} islands;

SI_TASK sn_status solve_task(const sn_model *m, sn_data *d, si_worker *w, int64_t task,
                             void *context) {
  const islands *s = context;
  if (task != s->alone) {
    solve_island(m, d, w, (int32_t)task, s->map);
  }
  return SN_OK;
}

// The force of rows that no dof moves, J qacc = 0 for them; of the others something to overwrite.
static void unmoved_force(sn_data *d, si_worker *w) {
  si_mark mark = si_arena_mark(&w->scratch);
  double *jar = si_arena_reals(&w->scratch, d->nefc);
  for (int64_t i = 0; i < d->nefc; i++) {
    jar[i] = -d->efc_aref[i];
  }
  si_constraint_force(d, jar);
  si_arena_release(&w->scratch, mark);
}

static int some_unmoved(const sn_data *d) {
  for (int64_t i = 0; i < d->nefc; i++) {
    if (d->efc_island[i] < 0) {
      return 1;
    }
  }
  return 0;
}

static int runs_serially(const si_provider *solver) {
  return solver && ((const sn_ops *)solver->ops)->flags & SN_OPS_SERIAL;
}

// A few small islands take less time than to share them.
static int can_share(const sn_model *m, const sn_data *d) {
  enum { ROWS = 100 };
  return d->nefc >= ROWS && !runs_serially(m->bound.solver) && !runs_serially(m->bound.post_solver);
}

// An island with most of the rows is no task beside small ones: its solver can share its work with
// the other threads (sinew.tasks/1), which a task cannot. -1: there is none.
static int32_t find_dominant(const sn_data *d) {
  int32_t nrow = 0, largest = -1;
  for (int32_t k = 0; k < d->nisland; k++) {
    nrow += d->island[k].nrow;
    largest = largest < 0 || d->island[k].nrow > d->island[largest].nrow ? k : largest;
  }
  return largest >= 0 && d->island[largest].nrow > nrow - nrow / 4 ? largest : -1;
}

static void solve_islands(const sn_model *m, sn_data *d, si_worker *w, const sn_problem *all) {
  si_island_map map = si_island_map_make(d, all, &w->scratch);
  if (some_unmoved(d)) {
    unmoved_force(d, w);
  }
  if (can_share(m, d)) {
    islands shared = { &map, si_shares(d) ? find_dominant(d) : -1 };
    if (shared.alone >= 0) {
      solve_island(m, d, w, shared.alone, &map);
    }
    si_share(m, d, d->nisland, solve_task, &shared);
  } else {
    for (int64_t k = 0; k < d->nisland; k++) {
      solve_island(m, d, w, (int32_t)k, &map);
    }
  }
}

// ------------------------------------------------------------------ the inertia

static int works_recursively(const si_provider *solver) {
  return !solver || ((const sn_solver_ops *)solver->ops)->head.flags & SN_SOLVER_RECURSIVE;
}

// Solvers that work with M by recursion do so where few rows couple several dofs: with many, a
// Hessian by its entries costs less. See SN_SOLVER_RECURSIVE.
static int needs_entries(const sn_model *m, const sn_data *d) {
  int64_t coupling = 0;
  for (int64_t i = 0; i < d->nefc; i++) {
    coupling += d->efc_J_rownnz[i] > 1;
  }
  return 2 * coupling > m->nv || !works_recursively(m->bound.solver) ||
         !works_recursively(m->bound.post_solver);
}

// The result does not depend on whether somebody else needed the entries.
static sn_inertia solver_inertia(const sn_model *m, sn_data *d) {
  if (!(d->computed & SI_HAS_LINKS)) {
    return si_inertia_view(m, d);
  }
  const int entries = needs_entries(m, d);
  if (entries) {
    si_dyn_need_inertia(m, d);
  }
  sn_inertia inertia = si_inertia_view(m, d);
  if (!entries) {
    inertia.M = inertia.L = inertia.Dinv = NULL;
  }
  return inertia;
}

// ------------------------------------------------------------------ the stage

// A number of J or aref that is not finite shows in b = J a0 - aref.
static int rows_finite(const sn_data *d) {
  return si_all_finite(d->efc_b, d->nefc) && si_all_finite(d->efc_D, d->nefc) &&
         si_all_finite(d->efc_R, d->nefc);
}

// To a solver the edges of a pyramid are rows like limits, to which Coulomb's law does not apply.
static void warn_pyramids(const sn_model *m, const sn_data *d, si_worker *w) {
  const si_provider *solver = m->bound.solver;
  const uint32_t flags = ((const sn_solver_ops *)solver->ops)->head.flags;
  if (!(flags & SN_SOLVER_COULOMB) || m->opt.cone != SN_CONE_PYRAMIDAL) {
    return;
  }
  for (int64_t i = 0; i < d->ncon; i++) {
    if (d->contact_dim[i] > 1 && d->contact_efc_address[i] >= 0) {
      si_worker_warn(
          w, SN_WARN_PYRAMID,
          "the solver '%s' obeys Coulomb's law only in elliptic contacts; with pyramidal cones, "
          "resting bodies creep and sliding bodies hop; set the option cone to elliptic",
          solver->name);
      return;
    }
  }
}

static void warn_softened(const sn_model *m, const sn_data *d, si_worker *w) {
  if (d->nsoftened > 0) {
    si_worker_warn(w, SN_WARN_SOFTENED,
                   "the solver '%s' found no solution with the stiffness that its parameters "
                   "specify, and made %lld of %lld contacts softer; softer contacts creep and sink "
                   "more (the count nsoftened has their number in each step); a shorter time step "
                   "does not help; set parameters of the solver for softer contacts",
                   m->bound.solver->name, (long long)d->nsoftened, (long long)d->ncon);
  }
}

// A tolerance of 0 ends the iterations when they no longer improve the result, far below this limit
// where a solver converges at all.
enum { EXACT_ITERATIONS = 10000 };

sn_status si_solve(const sn_model *m, sn_data *d, si_worker *w) {
  size_t bytes = (size_t)m->nv * sizeof(double);
  memcpy(d->qacc, d->qacc_smooth, bytes);
  d->solver_iter = d->nunconverged = d->nsoftened = 0;
  d->niteration = 0;
  if (d->nefc == 0) {
    memset(d->qfrc_constraint, 0, bytes);
    return SN_OK;
  }

  si_constraint_rest(m, d);
  // the solver is called only if smooth acceleration and rows are finite
  int finite = si_all_finite(d->qacc_smooth, m->nv);
  if (!finite || !rows_finite(d)) {
    for (int64_t i = 0; finite && i < m->nv; i++) {
      d->qacc[i] = NAN;
    }
    memset(d->qfrc_constraint, 0, bytes);
    return SN_OK;
  }

  si_mark mark = si_arena_mark(&w->scratch);
  const sn_solver_ops *ops = m->bound.solver->ops;
  int warm = !(m->opt.disableflags & SN_DISABLE_WARMSTART);
  const sn_inertia inertia = solver_inertia(m, d);
  sn_problem all = si_problem_view(m, d, &inertia, warm ? d->qacc_warmstart : d->qacc_smooth);
  if (w->is_impact) {   // the cost has the unit of velocities squared
    all.tolerance *= m->opt.timestep * m->opt.timestep;
    all.noslip_tolerance *= m->opt.timestep * m->opt.timestep;
  }
  if (w->exact) {
    all.tolerance = all.noslip_tolerance = 0;
    all.iterations = all.iterations > EXACT_ITERATIONS ? all.iterations : EXACT_ITERATIONS;
  }
  warn_pyramids(m, d, w);
  start_logs(d);
  const int one = d->nisland == 1 && d->island[0].ndof == m->nv && d->island[0].nrow == d->nefc;
  if (one || ops->head.flags & SN_SOLVER_NO_ISLANDS) {
    run(m, w, &all, 0, d->qacc, d->efc_force, d->efc_state);
    si_constraint_multiply_transposed(d, m->nv, d->efc_force, d->qfrc_constraint);
  } else {
    memset(d->qfrc_constraint, 0, bytes);
    solve_islands(m, d, w, &all);
  }
  si_data_merge_solver_logs(d);
  warn_softened(m, d, w);
  si_arena_release(&w->scratch, mark);
  return SN_OK;
}
