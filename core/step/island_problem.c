// SPDX-License-Identifier: Apache-2.0
//
// The constraint problem of one island, with compact rows and columns. The columns of all rows are
// renumbered (a dof has one place in one island), so the rows of an island point into the same
// arrays as before.

#include "step/solve.h"

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
static void island_blocks(const sn_data *d, const si_island *island, const si_island_map *map,
                          sn_problem *p, si_arena *arena) {
  sn_block *block = si_arena_take(arena, island->nrow * (int64_t)sizeof(sn_block), 8);
  sn_cone *cone = si_arena_take(arena, island->nrow * (int64_t)sizeof(sn_cone), 8);
  p->nblock = p->ncone = 0;
  for (int32_t i = 0; i < island->nrow; i++) {
    int32_t row = island->row[i];
    if (map->block_at[row] >= 0) {
      block[p->nblock] = d->block[map->block_at[row]];
      block[p->nblock++].row = i;
    }
    if (map->cone_at[row] >= 0) {
      cone[p->ncone] = d->cone[map->cone_at[row]];
      cone[p->ncone++].row = i;
    }
  }
  p->block = block;
  p->cone = cone;
}

// Numbers the island's dofs, and the columns of its rows.
static void renumber(const sn_sparse *J, const si_island *island, const si_island_map *map) {
  for (int32_t i = 0; i < island->ndof; i++) {
    map->local_dof[island->dof[i]] = i;
  }
  for (int32_t i = 0; i < island->nrow; i++) {
    const int64_t first = J->adr[island->row[i]], end = first + J->nnz[island->row[i]];
    for (int64_t k = first; k < end; k++) {
      map->local_col[k] = map->local_dof[J->col[k]];
    }
  }
}

sn_problem si_island_problem(const si_island_map *map, const sn_data *d, const si_island *island,
                             si_arena *arena) {
  const sn_problem *all = map->all;
  const int32_t *row = island->row, *dof = island->dof;
  sn_problem p = *all;
  renumber(&all->J, island, map);
  p.nv = island->ndof;
  p.nefc = island->nrow;
  p.qacc_smooth = gather_reals(arena, all->qacc_smooth, dof, island->ndof);
  p.qfrc_smooth = gather_reals(arena, all->qfrc_smooth, dof, island->ndof);
  p.qacc_start = gather_reals(arena, all->qacc_start, dof, island->ndof);
  p.inertia = si_island_inertia(all->inertia, island, map->local_dof, arena);
  p.J = (sn_sparse){ .nnz = gather_ints(arena, all->J.nnz, row, island->nrow),
                     .adr = gather_ints(arena, all->J.adr, row, island->nrow),
                     .col = map->local_col,
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
  island_blocks(d, island, map, &p, arena);
  return p;
}

si_island_map si_island_map_make(const sn_data *d, const sn_problem *all, si_arena *arena) {
  const si_island_map map = { .all = all,
                              .local_dof = si_arena_ints(arena, all->nv),
                              .local_col = si_arena_ints(arena, d->nJ),
                              .block_at = si_arena_ints(arena, d->nefc),
                              .cone_at = si_arena_ints(arena, d->nefc) };
  for (int64_t i = 0; i < d->nefc; i++) {
    map.block_at[i] = map.cone_at[i] = -1;
  }
  for (int32_t k = 0; k < d->nblock; k++) {
    map.block_at[d->block[k].row] = k;
  }
  for (int32_t k = 0; k < d->ncone; k++) {
    map.cone_at[d->cone[k].row] = k;
  }
  return map;
}
