// SPDX-License-Identifier: Apache-2.0
//
// Are the faces of a mesh all counter-clockwise when seen from the same side?
//
//      c ---- d
//      | \   1 |      0: a b c      has the edge b c
//      |  \    |      1: b d c      has the edge c b: the other direction
//      | 0  \  |
//      a ---- b
//
// So the two faces of an edge run through it in both directions. An edge is opposed when at least
// two more faces run through it in one direction than in the other: then one of them is turned
// inside out. Where more than two faces meet, as where two bodies touch, and at the rim of an open
// mesh, a difference of one is not significant.
//
// Vertices count by where they are, for a file may have one for each corner. Edges are put together
// by the lesser of their ends; then it takes one balance a vertex to count directions.

#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"
#include "base/hash.h"

typedef struct edges {
  int64_t n;          // of vertices
  int32_t *same;      // the first of the vertices at that place
  int64_t *begin;     // n + 1: the first edge of a lesser end
  int64_t *edge;      // 3 nface: 3 face + corner, in the order of faces
  int64_t *fill;      // n: where the next edge goes
  int32_t *balance;   // n: by greater end
} edges;

static int is_at(const double *a, const double *b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Multiplication carries low bits up, the shift high bits down.
static uint64_t hash_of(const double *place) {
  uint64_t hash = SI_HASH_START;
  for (int k = 0; k < 3; k++) {
    const double x = place[k] == 0 ? 0 : place[k];   // -0 is 0
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    hash = si_hash_one(hash, bits);
    hash ^= hash >> 32;
  }
  return hash;
}

// Finds vertices that lie at one place: a table with open addressing holds the first of each.
static sn_status join_vertices(const si_mesh_faces *mesh, edges *e) {
  const double *vert = mesh->vert;
  size_t size = 4;
  while (size < 2 * (size_t)e->n) {
    size *= 2;
  }
  int32_t *table = malloc(size * sizeof *table);
  if (!table) {
    return SN_ENOMEM;
  }
  memset(table, -1, size * sizeof *table);
  for (int32_t v = 0; v < e->n; v++) {
    const double *place = vert + 3 * (int64_t)v;
    size_t i = hash_of(place) & (size - 1);
    while (table[i] >= 0 && !is_at(vert + 3 * (int64_t)table[i], place)) {
      i = (i + 1) & (size - 1);
    }
    table[i] = table[i] < 0 ? v : table[i];
    e->same[v] = table[i];
  }
  free(table);
  return SN_OK;
}

static void ends_of(const si_mesh_faces *mesh, const edges *e, int64_t i, int32_t *a, int32_t *b) {
  *a = e->same[mesh->face[i]];
  *b = e->same[mesh->face[i % 3 == 2 ? i - 2 : i + 1]];
}

static void sort_edges(const si_mesh_faces *mesh, edges *e) {
  const int64_t n = 3 * mesh->nface;
  int32_t a, b;
  for (int64_t i = 0; i < n; i++) {
    ends_of(mesh, e, i, &a, &b);
    e->begin[(a < b ? a : b) + 1]++;
  }
  for (int64_t v = 0; v < e->n; v++) {
    e->begin[v + 1] += e->begin[v];
    e->fill[v] = e->begin[v];
  }
  for (int64_t i = 0; i < n; i++) {
    ends_of(mesh, e, i, &a, &b);
    e->edge[e->fill[a < b ? a : b]++] = i;
  }
}

// The first face of the edges of v that runs from or to `end` in the direction that is too many,
// other than `but`.
static int64_t face_of(const si_mesh_faces *mesh, const edges *e, int64_t v, int32_t end,
                       int forward, int64_t but) {
  int32_t a, b;
  for (int64_t k = e->begin[v]; k < e->begin[v + 1]; k++) {
    ends_of(mesh, e, e->edge[k], &a, &b);
    if ((forward ? b : a) == end && (forward ? a : b) == v && e->edge[k] / 3 != but) {
      return e->edge[k] / 3;
    }
  }
  return -1;
}

static void count_opposed(const si_mesh_faces *mesh, const edges *e, si_mesh_opposed *out) {
  int32_t a, b;
  for (int64_t v = 0; v < e->n; v++) {
    for (int64_t k = e->begin[v]; k < e->begin[v + 1]; k++) {
      ends_of(mesh, e, e->edge[k], &a, &b);
      e->balance[a < b ? b : a] += a == b ? 0 : a < b ? 1 : -1;
    }
    for (int64_t k = e->begin[v]; k < e->begin[v + 1]; k++) {
      ends_of(mesh, e, e->edge[k], &a, &b);
      const int32_t end = a < b ? b : a, sum = e->balance[end];
      e->balance[end] = 0;
      if (sum < 2 && sum > -2) {
        continue;
      }
      if (out->edges++ == 0) {
        out->face[0] = face_of(mesh, e, v, end, sum > 0, -1);
        out->face[1] = face_of(mesh, e, v, end, sum > 0, out->face[0]);
      }
    }
  }
}

sn_status si_mesh_find_opposed(const si_mesh_faces *mesh, si_mesh_opposed *out) {
  *out = (si_mesh_opposed){ .face = { -1, -1 } };
  const size_t n = (size_t)mesh->nvert;
  edges e = { .n = mesh->nvert,
              .same = calloc(n + 1, sizeof *e.same),
              .begin = calloc(n + 1, sizeof *e.begin),
              .edge = calloc((size_t)(3 * mesh->nface) + 1, sizeof *e.edge),
              .fill = calloc(n + 1, sizeof *e.fill),
              .balance = calloc(n + 1, sizeof *e.balance) };
  sn_status status = e.same && e.begin && e.edge && e.fill && e.balance ? join_vertices(mesh, &e)
                                                                        : SN_ENOMEM;
  if (status >= 0) {
    sort_edges(mesh, &e);
    count_opposed(mesh, &e, out);
  }
  free(e.same);
  free(e.begin);
  free(e.edge);
  free(e.fill);
  free(e.balance);
  return status;
}
