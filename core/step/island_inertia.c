// SPDX-License-Identifier: Apache-2.0
//
// The inertia of one island, with the island's numbering of dofs. An island consists of whole
// trees: rows of M, and links, have all of their ancestors in it.

#include <string.h>

#include "sinew/numerics/articulated.h"
#include "step/solve.h"

// `width` numbers of each dof of the island.
static double *gather(const double *from, int64_t width, const si_island *island, si_arena *arena) {
  double *out = si_arena_reals(arena, width * island->ndof);
  for (int64_t i = 0; i < island->ndof; i++) {
    memcpy(out + width * i, from + width * island->dof[i], (size_t)width * sizeof *out);
  }
  return out;
}

static void add_entries(sn_inertia *to, const sn_inertia *all, const si_island *island,
                        const int32_t *adr, si_arena *arena) {
  double *M = si_arena_reals(arena, to->nM), *L = si_arena_reals(arena, to->nM);
  for (int32_t i = 0; i < island->ndof; i++) {
    int32_t dof = island->dof[i];
    int64_t length = (i + 1 < island->ndof ? adr[i + 1] : to->nM) - adr[i];
    memcpy(M + adr[i], all->M + all->adr[dof], (size_t)length * sizeof(double));
    memcpy(L + adr[i], all->L + all->adr[dof], (size_t)length * sizeof(double));
  }
  to->M = M;
  to->L = L;
  to->Dinv = gather(all->Dinv, 1, island, arena);
}

static void add_links(sn_inertia *to, const sn_inertia *all, const si_island *island,
                      si_arena *arena) {
  const sn_articulation *a = all->links;
  double *factor = si_arena_reals(arena, SN_ARTICULATION_FACTOR * to->nv);
  sn_articulation *out = si_arena_take(arena, (int64_t)sizeof *out, 8);
  *out = (sn_articulation){ .nv = to->nv,
                            .parent = to->parent,
                            .axis = gather(a->axis, 6, island, arena),
                            .shift = gather(a->shift, 3, island, arena),
                            .inertia = gather(a->inertia, 10, island, arena),
                            .armature = gather(a->armature, 1, island, arena),
                            .factor = factor,
                            .work = si_arena_reals(arena, SN_ARTICULATION_WORK * to->nv) };
  sn_articulation_factor(out, NULL, factor);
  to->recursion = all->recursion;
  to->links = out;
}

const sn_inertia *si_island_inertia(const sn_inertia *all, const si_island *island,
                                    const int32_t *local_dof, si_arena *arena) {
  int32_t n = island->ndof;
  int32_t *parent = si_arena_ints(arena, n), *adr = si_arena_ints(arena, n);
  int64_t nM = 0;
  for (int32_t i = 0; i < n; i++) {
    int32_t dof = island->dof[i], up = all->parent[dof];
    int64_t end = dof + 1 < all->nv ? all->adr[dof + 1] : all->nM;
    parent[i] = up < 0 ? -1 : local_dof[up];
    adr[i] = (int32_t)nM;
    nM += end - all->adr[dof];
  }
  sn_inertia *out = si_arena_take(arena, (int64_t)sizeof *out, 8);
  *out = (sn_inertia){ .size = sizeof *out, .nv = n, .nM = nM, .parent = parent, .adr = adr };
  if (all->M) {
    add_entries(out, all, island, adr, arena);
  }
  if (all->recursion) {
    add_links(out, all, island, arena);
  }
  return out;
}
