// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.mesh/1: file bytes to triangles, points to convex hull, triangles to convex pieces.
// Each operation is optional; the host asks the first provider that has it.

#ifndef SINEW_MESH_H
#define SINEW_MESH_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_MESH "sinew.mesh/1"

// A result grows by these calls; its memory is the host's. Each returns 0 or SN_ENOMEM.
typedef struct sn_mesh_sink sn_mesh_sink;
struct sn_mesh_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  sn_status (*vertices)(sn_mesh_sink *sink, int64_t n, const double *xyz);
  sn_status (*normals)(sn_mesh_sink *sink, int64_t n, const double *xyz);
  sn_status (*texcoords)(sn_mesh_sink *sink, int64_t n, const double *uv);
  sn_status (*faces)(sn_mesh_sink *sink, int64_t n, const int32_t *vertex);
  sn_status (*graph)(sn_mesh_sink *sink, int64_t n, const int32_t *graph);
  sn_status (*piece)(sn_mesh_sink *sink);   // what follows belongs to the next convex piece
};
SN_LAYOUT(sn_mesh_sink, 64);

typedef struct sn_mesh_ops {
  sn_ops head;
  const char *extensions;   // "stl|obj"; what decode reads; "" none
  // [load] Triangles of a file. Errors say where in the bytes.
  sn_status (*decode)(const void *self, const void *bytes, int64_t count, const char *name,
                      sn_mesh_sink *sink, const sn_host *host, sn_error *error);
  // [load] Convex hull: vertices used, faces, and the vertex graph. limit: vertices, 0 none.
  // Degenerate input is refused with a reason.
  sn_status (*hull)(const void *self, int64_t nvert, const double *vert, int64_t limit,
                    sn_mesh_sink *sink, const sn_host *host, sn_error *error);
  // [load] Convex pieces of a triangle mesh.
  sn_status (*pieces)(const void *self, int64_t nvert, const double *vert,
                      int64_t nface, const int32_t *face, int64_t limit, sn_mesh_sink *sink,
                      const sn_host *host, sn_error *error);
} sn_mesh_ops;
SN_LAYOUT(sn_mesh_ops, 72);

SN_END_DECLS

#endif
