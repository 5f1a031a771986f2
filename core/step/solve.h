// SPDX-License-Identifier: Apache-2.0
//
// Parts of the solver stage.

#ifndef SI_STEP_SOLVE_H
#define SI_STEP_SOLVE_H

#include "data/data.h"

// exact_equality.c: the main solver, called until exact equality constraints hold.
sn_status si_solve_exactly(const sn_model *m, si_worker *w, sn_problem *problem,
                           sn_solution *solution);

// island_problem.c
// What the problems of the islands share.
typedef struct si_island_places {
  const sn_problem *all;
  int32_t *place;      // nv: place of a dof in its island
  int32_t *col;        // nJ: columns in the numbering of the island
  int32_t *block_at;   // nefc: the block, the cone that starts at a row; -1: none
  int32_t *cone_at;
} si_island_places;

si_island_places si_islands_place(const sn_data *d, const sn_problem *all, si_arena *arena);
// The problem of one island. Islands may be done at the same time, with an arena for each.
sn_problem si_island_problem(const si_island_places *places, const sn_data *d,
                             const si_island *island, si_arena *arena);
// island_inertia.c: M of an island, by its entries, by recursion, or both, as `all` has it. place,
// nv: of a dof in its island.
const sn_inertia *si_island_inertia(const sn_inertia *all, const si_island *island,
                                    const int32_t *place, si_arena *arena);

#endif
