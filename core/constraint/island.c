// SPDX-License-Identifier: Apache-2.0
//
// Islands: the kinematic trees that rows connect, directly or through others, or that M couples.
// The constraint problem falls apart into one problem an island; trees without rows are in none,
// unless M couples them with one that has some. Disjoint sets over the trees (Tarjan 1975, with
// path halving); numbered by their first dof, so that the order depends on nothing but the model
// and which rows exist. Rows without dofs are in no island: -1.

#include "constraint/constraint.h"

static int32_t find(int32_t *set, int32_t tree) {
  while (set[tree] != tree) {
    tree = set[tree] = set[set[tree]];
  }
  return tree;
}

// Joins the trees of every block; marks the trees that have rows. Dofs of a tree are consecutive,
// so a block whose ends are in one tree is in no other.
static void join_trees(const sn_model *m, const sn_data *d, int32_t *set, uint8_t *has_rows) {
  for (int64_t b = 0; b < d->nblock; b++) {
    int32_t row = d->block[b].row, n = d->efc_J_rownnz[row];
    const int32_t *col = d->efc_J_colind + d->efc_J_rowadr[row];
    if (n == 0) {
      continue;
    }
    int32_t tree = m->dof_treeid[col[0]], last = m->dof_treeid[col[n - 1]];
    has_rows[tree] = 1;
    for (int32_t k = 1; k < n && tree != last; k++) {
      int32_t next = m->dof_treeid[col[k]];
      if (next != tree) {
        has_rows[next] = 1;
        int32_t x = find(set, tree), y = find(set, next);
        set[x > y ? x : y] = x < y ? x : y;
        tree = next;
      }
    }
  }
}

// Numbers the islands by their first dof; fills island_of for each tree.
static int64_t number_islands(const sn_model *m, int32_t *set, uint8_t *has_rows,
                              int32_t *island_of) {
  int64_t n = 0;
  for (int32_t t = 0; t < m->bound.ntree; t++) {
    has_rows[find(set, t)] |= has_rows[t];
  }
  for (int32_t t = 0; t < m->bound.ntree; t++) {
    int32_t root = find(set, t);
    island_of[t] = !has_rows[root] ? -1 : root == t ? (int32_t)n++ : island_of[root];
  }
  return n;
}

// The island of every row; counts dofs and rows of the islands.
static void count_islands(const sn_model *m, sn_data *d, const int32_t *island_of) {
  for (int64_t i = 0; i < d->nisland; i++) {
    d->island[i] = (si_island){ 0 };
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
}

// Lists dofs and rows by island. next: nisland, scratch.
static void list_islands(const sn_model *m, sn_data *d, const int32_t *island_of, int32_t *next) {
  int32_t *dof = si_arena_ints(&d->results, m->nv), *row = si_arena_ints(&d->results, d->nefc);
  int32_t ndof = 0, nrow = 0;
  for (int64_t k = 0; k < d->nisland; k++) {
    d->island[k].dof = dof + ndof;
    d->island[k].row = row + nrow;
    next[k] = ndof;
    ndof += d->island[k].ndof;
    nrow += d->island[k].nrow;
  }
  for (int32_t i = 0; i < m->nv; i++) {
    int32_t k = island_of[m->dof_treeid[i]];
    if (k >= 0) {
      dof[next[k]++] = i;
    }
  }
  for (int64_t k = 0; k < d->nisland; k++) {
    next[k] = (int32_t)(d->island[k].row - row);
  }
  for (int32_t i = 0; i < d->nefc; i++) {
    int32_t k = d->efc_island[i];
    if (k >= 0) {
      row[next[k]++] = i;
    }
  }
}

void si_constraint_islands(const sn_model *m, sn_data *d, si_worker *w) {
  d->nisland = 0;
  if (d->nefc == 0) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  int32_t *set = si_arena_ints(&w->scratch, m->bound.ntree);
  int32_t *island_of = si_arena_ints(&w->scratch, m->bound.ntree);
  uint8_t *has_rows = si_arena_take(&w->scratch, m->bound.ntree, 64);
  for (int32_t t = 0; t < m->bound.ntree; t++) {
    set[t] = m->first_tree ? m->first_tree[t] : t;
    has_rows[t] = 0;
  }
  join_trees(m, d, set, has_rows);
  d->nisland = number_islands(m, set, has_rows, island_of);
  if (d->nisland) {
    d->island = si_arena_take(&d->results, d->nisland * (int64_t)sizeof *d->island, 64);
    count_islands(m, d, island_of);
    list_islands(m, d, island_of, set);
  }
  si_arena_release(&w->scratch, mark);
}
