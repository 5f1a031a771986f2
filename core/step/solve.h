// SPDX-License-Identifier: Apache-2.0
//
// The parts of the stage of the solver, si_solve: calls of the solver, and the problems of islands.

#ifndef SI_STEP_SOLVE_H
#define SI_STEP_SOLVE_H

#include "data/data.h"

// Rows of the largest dual problem: the numbers of its dense matrix are addressed by int32_t.
enum { SI_DUAL_ROWS = 46340 };

// solve.c. The problem of the present state; its arrays are those of the data. start: nv, warm
// start.
sn_problem si_problem_view(const sn_model *m, const sn_data *d, const sn_inertia *inertia,
                           const double *start);

// call_solver.c: SN_OK or SN_NOT_CONVERGED; where the solver fails or returns an invalid solution a
// negative status, after a warning that names it, and the forces are zero.
sn_status si_call_solver(const si_provider *provider, sn_problem *problem, sn_solution *solution,
                         si_worker *w);
// The same with a valid solution, which is kept where the call fails: the post-solver, and repeated
// calls of the main solver.
sn_status si_call_solver_again(const si_provider *provider, sn_problem *problem,
                               sn_solution *solution, si_worker *w);
// The solution without constraint forces.
void si_no_force(const sn_problem *problem, sn_solution *solution);

// exact_equality.c: the main solver, called until exact equality constraints hold.
sn_status si_solve_exactly(const sn_model *m, si_worker *w, sn_problem *problem,
                           sn_solution *solution);

// island_problem.c
// From the numbers of the whole problem to those of the problems of its islands.
typedef struct si_island_map {
  const sn_problem *all;
  int32_t *local_dof;   // nv: number of a dof in its island
  int32_t *local_col;   // nJ: columns of J, in the numbers of the island of their row
  int32_t *block_at;    // nefc: the block, the cone that starts at a row; -1: none
  int32_t *cone_at;
} si_island_map;

si_island_map si_island_map_make(const sn_data *d, const sn_problem *all, si_arena *arena);
// The problem of one island. Islands may be done at the same time, with an arena for each.
sn_problem si_island_problem(const si_island_map *map, const sn_data *d, const si_island *island,
                             si_arena *arena);
// island_inertia.c: M of an island, by its entries, by recursion, or both, as `all` has it.
// local_dof, nv: number of a dof in its island.
const sn_inertia *si_island_inertia(const sn_inertia *all, const si_island *island,
                                    const int32_t *local_dof, si_arena *arena);

#endif
