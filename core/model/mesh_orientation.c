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
// So each edge, with its direction, occurs in one face. The edges are put together by the vertex
// where they begin; then it takes one mark a vertex to see one twice. Vertices count by their
// number, not by where they are.

#include <stdlib.h>

#include "model/mesh.h"

typedef struct edges {
  int64_t *begin;   // nvert + 1: the first edge that begins at a vertex
  int64_t *edge;    // 3 nface: 3 face + corner, by vertex, in the order of faces
  int64_t *seen;    // nvert: 1 + the edge that last ended here
} edges;

static void sort_edges(const sn_mesh_result *mesh, edges *e) {
  const int64_t n = 3 * mesh->nface;
  for (int64_t i = 0; i < n; i++) {
    e->begin[mesh->face[i] + 1]++;
  }
  for (int64_t v = 0; v < mesh->nvert; v++) {
    e->begin[v + 1] += e->begin[v];
    e->seen[v] = e->begin[v];
  }
  for (int64_t i = 0; i < n; i++) {
    e->edge[e->seen[mesh->face[i]]++] = i;
  }
  for (int64_t v = 0; v < mesh->nvert; v++) {
    e->seen[v] = 0;
  }
}

static void find_twice(const sn_mesh_result *mesh, const edges *e, int64_t face[2]) {
  for (int64_t v = 0; v < mesh->nvert; v++) {
    for (int64_t k = e->begin[v]; k < e->begin[v + 1]; k++) {
      const int64_t i = e->edge[k], next = i % 3 == 2 ? i - 2 : i + 1;
      const int32_t end = mesh->face[next];
      const int64_t before = e->seen[end] - 1;
      if (before >= 0 && end != v && mesh->face[before] == v && before / 3 != i / 3) {
        face[0] = before / 3;
        face[1] = i / 3;
        return;
      }
      e->seen[end] = i + 1;
    }
  }
}

sn_status sn_mesh_opposed(const sn_mesh_result *mesh, int64_t face[2]) {
  face[0] = face[1] = -1;
  edges e = { .begin = calloc((size_t)mesh->nvert + 1, sizeof *e.begin),
              .edge = calloc((size_t)(3 * mesh->nface) + 1, sizeof *e.edge),
              .seen = calloc((size_t)mesh->nvert + 1, sizeof *e.seen) };
  const int room = e.begin && e.edge && e.seen;
  if (room) {
    sort_edges(mesh, &e);
    find_twice(mesh, &e, face);
  }
  free(e.begin);
  free(e.edge);
  free(e.seen);
  return room ? SN_OK : SN_ENOMEM;
}
