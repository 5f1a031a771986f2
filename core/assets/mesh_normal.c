// SPDX-License-Identifier: Apache-2.0
//
// Normals of vertices, from those of their triangles. The cross product of two edges is twice the
// area times the normal, so its sum over the triangles of a vertex is their mean weighted by area.
//
//   smooth       that mean
//   not smooth   the mean of those that are within about 37 degrees of it, so that edges such as
//                those of a cube stay sharp
//
// Where nothing is left, z. Edges are rounded to single precision, as vertices are (mesh.h).

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"
#include "sinew/math.h"

static const double nearest = 0.8;   // cosine

static void area_normal(const si_mesh_result *mesh, int64_t f, double *n) {
  const double *a = mesh->vert + 3 * (int64_t)mesh->face[3 * f];
  const double *b = mesh->vert + 3 * (int64_t)mesh->face[3 * f + 1];
  const double *c = mesh->vert + 3 * (int64_t)mesh->face[3 * f + 2];
  double u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = si_single(b[k] - a[k]);
    v[k] = si_single(c[k] - a[k]);
  }
  sn_cross(n, u, v);
}

// Adds the normals of all triangles to those of their vertices. mean: those that are near it.
static void add_triangles(const si_mesh_result *mesh, const double *mean, double *normal) {
  for (int64_t f = 0; f < mesh->nface; f++) {
    double n[3];
    area_normal(mesh, f, n);
    double length = sn_norm3(n);
    for (int k = 0; k < 3 && length > 0; k++) {
      int64_t i = mesh->face[3 * f + k];
      if (!mean || sn_dot3(n, mean + 3 * i) >= nearest * length) {
        sn_add3(normal + 3 * i, normal + 3 * i, n);
      }
    }
  }
}

static void normalize_all(int64_t n, double *normal) {
  for (int64_t i = 0; i < n; i++) {
    double *v = normal + 3 * i, length = sn_norm3(v);
    if (length > 0) {
      sn_scale3(v, v, 1 / length);
    } else {
      v[0] = v[1] = 0;
      v[2] = 1;
    }
  }
}

sn_status si_mesh_normals(si_mesh_result *mesh, int smooth) {
  size_t bytes = (size_t)(3 * mesh->nvert + 1) * sizeof(double);
  double *normal = calloc(1, bytes), *mean = smooth ? NULL : malloc(bytes);
  if (!normal || (!smooth && !mean)) {
    free(normal);
    free(mean);
    return SN_ENOMEM;
  }
  add_triangles(mesh, NULL, normal);
  normalize_all(mesh->nvert, normal);
  if (!smooth) {
    memcpy(mean, normal, bytes);
    memset(normal, 0, bytes);
    add_triangles(mesh, mean, normal);
    normalize_all(mesh->nvert, normal);
    free(mean);
  }
  free(mesh->normal);
  mesh->normal = normal;
  mesh->nnormal = mesh->nvert;
  return SN_OK;
}
