// SPDX-License-Identifier: Apache-2.0
//
// The vertices that a mesh collides with: those of its convex hull, with their neighbors, when it
// has one, otherwise all. The vertex graph of a hull with n vertices is, as integers,
//
//   n, number of faces
//   start[n]     where in `edge` the neighbors of hull vertex i begin
//   vertex[n]    index of hull vertex i in the mesh
//   edge[...]    neighbors, as numbers of hull vertices; each list ends with -1
//   face[3 * number of faces]
//
// The support point in a direction is found by hill climbing from neighbor to neighbor: on a convex
// hull the only local maximum is the global one.

#ifndef MESH_HULL_H
#define MESH_HULL_H

#include "sinew/collider.h"
#include "sinew/math.h"

typedef struct mesh_hull {
  const double *vert;                     // of the mesh
  const int32_t *start, *vertex, *edge;   // NULL: no hull
  int64_t n;
} mesh_hull;

static inline void mesh_hull_read(mesh_hull *hull, const sn_mesh_view *mesh) {
  *hull = (mesh_hull){ .vert = mesh->vert, .n = mesh->nvert };
  if (mesh->ngraph > 2) {
    hull->n = mesh->graph[0];
    hull->start = mesh->graph + 2;
    hull->vertex = hull->start + hull->n;
    hull->edge = hull->vertex + hull->n;
  }
}

static inline const double *mesh_hull_local(const mesh_hull *hull, int64_t i) {
  return hull->vert + 3 * (hull->vertex ? hull->vertex[i] : i);
}

static inline void mesh_hull_point(double *out, const mesh_hull *hull, int64_t i,
                                   const sn_shape *shape) {
  sn_mul_mat_vec3(out, shape->mat, mesh_hull_local(hull, i));
  sn_add3(out, out, shape->pos);
}

static inline int64_t mesh_hull_degree(const mesh_hull *hull, int64_t i) {
  if (!hull->edge) {
    return hull->n;
  }
  int64_t n = 0;
  while (hull->edge[hull->start[i] + n] >= 0) {
    n++;
  }
  return n;
}

static inline int64_t mesh_hull_neighbor(const mesh_hull *hull, int64_t i, int64_t k) {
  return hull->edge ? hull->edge[hull->start[i] + k] : k;
}

// The support vertex in a local direction; hill climbing starts at vertex `best`.
static inline int64_t mesh_hull_support(const mesh_hull *hull, const double *direction,
                                        int64_t best) {
  double top = sn_dot3(direction, mesh_hull_local(hull, best));
  if (!hull->edge) {
    for (int64_t i = 0; i < hull->n; i++) {
      double height = sn_dot3(direction, mesh_hull_local(hull, i));
      if (height > top) {
        top = height;
        best = i;
      }
    }
    return best;
  }
  for (int64_t from = -1; from != best;) {
    from = best;
    for (const int32_t *other = hull->edge + hull->start[from]; *other >= 0; other++) {
      double height = sn_dot3(direction, mesh_hull_local(hull, *other));
      if (height > top) {
        top = height;
        best = *other;
      }
    }
  }
  return best;
}

#endif
