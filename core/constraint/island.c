// SPDX-License-Identifier: Apache-2.0
//
// Islands: the kinematic trees that rows connect, directly or through others. The constraint
// problem falls apart into one problem an island; trees without rows are in none. Disjoint sets
// over the trees (Tarjan 1975, with path halving); numbered by their first dof, so that the order
// depends on nothing but the model and which rows exist. Rows that no dof can change (contacts
// whose chain is empty) are in no island: -1.

#include "constraint/constraint.h"

static int32_t find(int32_t *set, int32_t tree) {
  while (set[tree] != tree) {
    tree = set[tree] = set[set[tree]];
  }
  return tree;
}

// Joins the trees of every block; marks the trees that have rows.
static void join_trees(const sn_model *m, const sn_data *d, int32_t *set, uint8_t *has_rows) {
  for (int64_t b = 0; b < d->nblock; b++) {
    int32_t row = d->block[b].row, n = d->efc_J_rownnz[row];
    const int32_t *col = d->efc_J_colind + d->efc_J_rowadr[row];
    int32_t last = -1;
    for (int32_t k = 0; k < n; k++) {
      int32_t tree = m->dof_treeid[col[k]];
      if (tree == last) {
        continue;
      }
      has_rows[tree] = 1;
      if (last >= 0) {
        int32_t x = find(set, last), y = find(set, tree);
        set[x > y ? x : y] = x < y ? x : y;
      }
      last = tree;
    }
  }
}

// Numbers the islands by their first dof; fills island_of for each tree.
static int64_t number_islands(const sn_model *m, int32_t *set, const uint8_t *has_rows,
                              int32_t *island_of) {
  int64_t n = 0;
  for (int32_t t = 0; t < m->ntree; t++) {
    int32_t root = find(set, t);
    island_of[t] = !has_rows[t] ? -1 : root == t ? (int32_t)n++ : island_of[root];
  }
  return n;
}

// Two counting sorts: dofs and rows, by island.
static void fill_islands(const sn_model *m, sn_data *d, const int32_t *island_of) {
  int32_t *dof = sn_arena_ints(&d->results, m->nv), *row = sn_arena_ints(&d->results, d->nefc);
  for (int64_t i = 0; i < d->nisland; i++) {
    d->island[i] = (sn_island){ 0 };
  }
  for (int64_t i = 0; i < m->nv; i++) {
    int32_t k = island_of[m->dof_treeid[i]];
    if (k >= 0) {
      d->island[k].ndof++;
    }
  }
  for (int64_t b = 0; b < d->nblock; b++) {
    sn_block block = d->block[b];
    const int32_t *col = d->efc_J_colind + d->efc_J_rowadr[block.row];
    int32_t k = d->efc_J_rownnz[block.row] ? island_of[m->dof_treeid[col[0]]] : -1;
    for (int32_t i = block.row; i < block.row + block.nrow; i++) {
      d->efc_island[i] = k;
    }
    if (k >= 0) {
      d->island[k].nrow += block.nrow;
    }
  }
  for (int64_t k = 0; k < d->nisland; k++) {
    sn_island *island = &d->island[k];
    island->dof = dof;
    island->row = row;
    dof += island->ndof;
    row += island->nrow;
    island->ndof = island->nrow = 0;
  }
  for (int32_t i = 0; i < m->nv; i++) {
    int32_t k = island_of[m->dof_treeid[i]];
    if (k >= 0) {
      ((int32_t *)d->island[k].dof)[d->island[k].ndof++] = i;
    }
  }
  for (int32_t i = 0; i < d->nefc; i++) {
    int32_t k = d->efc_island[i];
    if (k >= 0) {
      ((int32_t *)d->island[k].row)[d->island[k].nrow++] = i;
    }
  }
}

void sn_constraint_islands(const sn_model *m, sn_data *d) {
  d->nisland = 0;
  if (d->nefc == 0) {
    return;
  }
  sn_mark mark = sn_arena_mark(&d->scratch);
  int32_t *set = sn_arena_ints(&d->scratch, m->ntree);
  int32_t *island_of = sn_arena_ints(&d->scratch, m->ntree);
  uint8_t *has_rows = sn_arena_take(&d->scratch, m->ntree, 64);
  for (int32_t t = 0; t < m->ntree; t++) {
    set[t] = t;
    has_rows[t] = 0;
  }
  join_trees(m, d, set, has_rows);
  d->nisland = number_islands(m, set, has_rows, island_of);
  if (d->nisland) {
    d->island = sn_arena_take(&d->results, d->nisland * (int64_t)sizeof *d->island, 64);
    fill_islands(m, d, island_of);
  }
  sn_arena_release(&d->scratch, mark);
}
