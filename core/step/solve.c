// SPDX-License-Identifier: Apache-2.0
//
// The constraint problem, handed to the solver: one call an island, with compact rows and
// columns. What no constraint touches keeps its smooth acceleration.
//
//   all rows, all dofs --> islands --> problem with own numbering --> solver --> scatter back
//
// The columns of all rows are renumbered (a dof has one place in one island), so the rows of an
// island point into the same arrays as before. A problem that is one island of all dofs is
// passed to the solver without a copy.

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "constraint/constraint.h"
#include "data/share.h"
#include "dynamics/dynamics.h"
#include "sinew/numerics/sparse.h"
#include "step/pipeline.h"

// What the islands share.
typedef struct shared {
  const sn_problem *all;
  int32_t *place;      // nv: place of a dof in its island
  int32_t *col;        // nJ: columns in the island's numbering
  int32_t *block_at;   // nefc: the block, the cone that starts at a row; -1: none
  int32_t *cone_at;
} shared;

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

// A tolerance of 0 ends the iterations when they no longer improve the result, far below this limit
// where a solver converges at all.
enum { EXACT_ITERATIONS = 10000 };

// ------------------------------------------------------------------ one island

static double *gather_reals(si_arena *arena, const double *from, const int32_t *index, int32_t n) {
  double *out = si_arena_reals(arena, n);
  for (int32_t i = 0; i < n; i++) {
    out[i] = from[index[i]];
  }
  return out;
}

static int32_t *gather_ints(si_arena *arena, const int32_t *from, const int32_t *index, int32_t n) {
  int32_t *out = si_arena_ints(arena, n);
  for (int32_t i = 0; i < n; i++) {
    out[i] = from[index[i]];
  }
  return out;
}

// The island's blocks and cones, with the island's numbers of rows.
static void island_blocks(const sn_data *d, const si_island *island, const shared *s, sn_problem *p,
                          si_arena *arena) {
  sn_block *block = si_arena_take(arena, island->nrow * (int64_t)sizeof(sn_block), 8);
  sn_cone *cone = si_arena_take(arena, island->nrow * (int64_t)sizeof(sn_cone), 8);
  p->nblock = p->ncone = 0;
  for (int32_t i = 0; i < island->nrow; i++) {
    int32_t row = island->row[i];
    if (s->block_at[row] >= 0) {
      block[p->nblock] = d->block[s->block_at[row]];
      block[p->nblock++].row = i;
    }
    if (s->cone_at[row] >= 0) {
      cone[p->ncone] = d->cone[s->cone_at[row]];
      cone[p->ncone++].row = i;
    }
  }
  p->block = block;
  p->cone = cone;
}

// The places of the island's dofs, and the columns of its rows.
static void renumber(const sn_sparse *J, const si_island *island, const shared *s) {
  for (int32_t i = 0; i < island->ndof; i++) {
    s->place[island->dof[i]] = i;
  }
  for (int32_t i = 0; i < island->nrow; i++) {
    const int64_t first = J->adr[island->row[i]], end = first + J->nnz[island->row[i]];
    for (int64_t k = first; k < end; k++) {
      s->col[k] = s->place[J->col[k]];
    }
  }
}

static sn_problem island_problem(const sn_problem *all, const sn_data *d, si_worker *w,
                                 int32_t index, const shared *s) {
  const si_island *island = &d->island[index];
  si_arena *arena = &w->scratch;
  const int32_t *row = island->row, *dof = island->dof;
  sn_problem p = *all;
  renumber(&all->J, island, s);
  p.nv = island->ndof;
  p.nefc = island->nrow;
  p.qacc_smooth = gather_reals(arena, all->qacc_smooth, dof, island->ndof);
  p.qfrc_smooth = gather_reals(arena, all->qfrc_smooth, dof, island->ndof);
  p.qacc_start = gather_reals(arena, all->qacc_start, dof, island->ndof);
  p.inertia = si_island_inertia(all->inertia, island, s->place, arena);
  p.J = (sn_sparse){ .nnz = gather_ints(arena, all->J.nnz, row, island->nrow),
                     .adr = gather_ints(arena, all->J.adr, row, island->nrow),
                     .col = s->col,
                     .val = all->J.val,
                     .nrow = island->nrow,
                     .ncol = island->ndof };
  p.type = gather_ints(arena, all->type, row, island->nrow);
  p.id = gather_ints(arena, all->id, row, island->nrow);
  p.D = gather_reals(arena, all->D, row, island->nrow);
  p.R = gather_reals(arena, all->R, row, island->nrow);
  p.aref = gather_reals(arena, all->aref, row, island->nrow);
  p.frictionloss = gather_reals(arena, all->frictionloss, row, island->nrow);
  p.ne = p.nf = 0;
  for (int32_t i = 0; i < island->nrow; i++) {
    p.ne += row[i] < all->ne;
    p.nf += row[i] >= all->ne && row[i] < all->ne + all->nf;
  }
  island_blocks(d, island, s, &p, arena);
  return p;
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

// ------------------------------------------------------------------ the post-solver

// The post-solver starts from the result of the main solver, which is kept when the post-solver
// fails.
static void post_solve(const sn_model *m, si_worker *w, sn_problem *problem,
                       sn_solution *solution) {
  size_t nqacc = (size_t)problem->nv * sizeof(double);
  size_t nforce = (size_t)problem->nefc * sizeof(double);
  size_t nstate = (size_t)problem->nefc * sizeof(int32_t);
  double *qacc = si_arena_reals(&w->scratch, problem->nv);
  double *force = si_arena_reals(&w->scratch, problem->nefc);
  int32_t *state = si_arena_ints(&w->scratch, problem->nefc);
  memcpy(qacc, solution->qacc, nqacc);
  memcpy(force, solution->force, nforce);
  memcpy(state, solution->state, nstate);
  problem->force_start = force;
  if (si_call_solver(m->bound.post_solver, problem, solution, w) < 0) {
    memcpy(solution->qacc, qacc, nqacc);
    memcpy(solution->force, force, nforce);
    memcpy(solution->state, state, nstate);
  }
}

// ------------------------------------------------------------------ exact equality

// The rows of exact equality constraints, or none; n: how many.
static const int32_t *exact_rows(const sn_model *m, const sn_problem *p, si_worker *w, int32_t *n) {
  int32_t *row = NULL;
  *n = 0;
  for (int32_t i = 0; i < (int32_t)p->ne; i++) {
    if (si_equality_is_exact(m, p->id[i])) {
      row = row ? row : si_arena_ints(&w->scratch, p->ne);
      row[(*n)++] = i;
    }
  }
  return row;
}

// The largest error of J qacc = target.
static double exact_error(const sn_problem *p, int32_t n, const int32_t *row, const double *qacc,
                          const double *target) {
  double largest = 0;
  for (int32_t k = 0; k < n; k++) {
    const double error = sn_row_dot(sn_sparse_row_at(&p->J, row[k]), qacc) - target[row[k]];
    largest = fmax(largest, fabs(error));
  }
  return largest;
}

// The main solver. Exact rows have a small regularizer R, and J qacc = aref - R f. The method of
// multipliers (M. R. Hestenes, Journal of Optimization Theory and Applications 4, 1969) solves the
// problem again with aref = target + R f, f being the force of the solution before: the error that
// is left is R / (A + R) of it. Rows that are redundant, or contradict each other, do no harm: in
// directions that J' does not have the force only grows, and the iterations end when the error no
// longer falls.
static sn_status solve_main(const sn_model *m, si_worker *w, sn_problem *problem,
                            sn_solution *solution) {
  enum { MOST = 10 };
  static const double enough = 1e-11, less = 0.1;   // relative errors
  const double finer = 1e-12;                       // of the improvement, quadratic in the error
  int32_t n;
  const int32_t *row = exact_rows(m, problem, w, &n);
  if (n == 0) {
    return si_call_solver(m->bound.solver, problem, solution, w);
  }
  const double *target = problem->aref;
  double *aref = si_arena_reals(&w->scratch, problem->nefc);
  double *start = si_arena_reals(&w->scratch, problem->nv);
  sn_problem exact = *problem;
  sn_solution part = *solution;
  memcpy(aref, target, (size_t)problem->nefc * sizeof *aref);
  exact.aref = aref;
  exact.tolerance *= finer;
  const double scale = exact_error(problem, n, row, problem->qacc_smooth, target);
  double before = INFINITY, error = INFINITY;
  sn_status status = SN_OK;
  solution->iterations = 0;
  const int32_t most = w->once ? 1 : MOST;
  for (int32_t k = 0; k < most && error > enough * scale && !(error > less * before); k++) {
    if (k > 0) {
      for (int32_t i = 0; i < n; i++) {
        aref[row[i]] = target[row[i]] + exact.R[row[i]] * part.force[row[i]];
      }
      memcpy(start, part.qacc, (size_t)problem->nv * sizeof *start);
      exact.qacc_start = start;
    }
    status = si_call_solver(m->bound.solver, &exact, &part, w);
    if (status < 0) {
      break;
    }
    solution->iterations += part.iterations;
    solution->nsoftened = part.nsoftened;
    part.nsoftened = 0;
    part.iteration = part.iteration && solution->iterations < solution->ncapacity
                         ? solution->iteration + solution->iterations
                         : NULL;
    part.ncapacity = part.iteration ? solution->ncapacity - solution->iterations : 0;
    before = error;
    error = exact_error(problem, n, row, part.qacc, target);
  }
  return status;
}

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
  w->solver.nunconverged += solve_main(m, w, problem, &solution) == SN_NOT_CONVERGED;
  w->solver.nsoftened += solution.nsoftened;
  record(&w->solver, island, solution.iterations);
  solution.iteration = NULL;
  solution.ncapacity = 0;
  if (m->bound.post_solver) {
    SI_TIMED(w, postsolve, post_solve(m, w, problem, &solution));
  }
}

SI_TASK sn_status solve_island(const sn_model *m, sn_data *d, si_worker *w, int64_t task,
                               void *context) {
  const shared *s = context;
  const int32_t index = (int32_t)task;
  const si_island *island = &d->island[index];
  si_mark mark = si_arena_mark(&w->scratch);
  sn_problem p = island_problem(s->all, d, w, index, s);
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
      sn_row_add(sn_sparse_row_at(&s->all->J, island->row[i]), force[i], d->qfrc_constraint);
    }
  }
  si_arena_release(&w->scratch, mark);
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

static void solve_islands(const sn_model *m, sn_data *d, si_worker *w, const sn_problem *all) {
  shared s = { .all = all,
               .place = si_arena_ints(&w->scratch, m->nv),
               .col = si_arena_ints(&w->scratch, d->nJ),
               .block_at = si_arena_ints(&w->scratch, d->nefc),
               .cone_at = si_arena_ints(&w->scratch, d->nefc) };
  for (int64_t i = 0; i < d->nefc; i++) {
    s.block_at[i] = s.cone_at[i] = -1;
  }
  for (int32_t k = 0; k < d->nblock; k++) {
    s.block_at[d->block[k].row] = k;
  }
  for (int32_t k = 0; k < d->ncone; k++) {
    s.cone_at[d->cone[k].row] = k;
  }
  if (some_unmoved(d)) {
    unmoved_force(d, w);
  }
  if (can_share(m, d)) {
    si_share(m, d, d->nisland, solve_island, &s);
  } else {
    for (int64_t k = 0; k < d->nisland; k++) {
      solve_island(m, d, w, k, &s);
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
      si_worker_warn(w, SN_WARN_PYRAMID,
                     "the solver '%s' has Coulomb friction only in elliptic contacts; with "
                     "pyramidal cones friction creeps, sliding bodies hop, and friction is up to "
                     "29 %% weaker between the two tangents; set the option cone to elliptic",
                     solver->name);
      return;
    }
  }
}

static void warn_softened(const sn_model *m, const sn_data *d, si_worker *w) {
  if (d->nsoftened > 0) {
    si_worker_warn(w, SN_WARN_SOFTENED,
                   "the solver '%s' found no solution with the stiffness that its parameters say, "
                   "and made %lld of %lld contacts softer; while this lasts they creep and sink "
                   "more, as the count nsoftened tells; reduce the time step, or let the "
                   "parameters of the solver make contacts softer",
                   m->bound.solver->name, (long long)d->nsoftened, (long long)d->ncon);
  }
}

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
