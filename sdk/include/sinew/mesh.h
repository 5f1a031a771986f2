// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.mesh/1: file bytes to triangles, file bytes to pixels, points to convex hull,
// triangles to convex pieces. All operations are optional. The host calls the first provider
// that has the operation; for files, that declares the extension; for convex decomposition, the
// selected one.
//
// Triangles are three numbers of vertices each, counter-clockwise when seen from outside. Normals
// and texture coordinates belong to vertices: none, or one a vertex. Texture coordinates have their
// origin in the upper left corner of the image.
//
// The vertex graph of a hull with n vertices and f triangles is 2 + 3 n + 6 f integers:
//
//   n, f
//   start[n]        of the neighbors of hull vertex i in `edge`
//   vertex[n]       number of hull vertex i among the points
//   edge[n + 3 f]   neighbors, as numbers of hull vertices, each list ended by -1
//   face[3 f]       triangles, as numbers of points

#ifndef SINEW_MESH_H
#define SINEW_MESH_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_MESH "sinew.mesh/1"

// A result grows by these calls; its memory is the host's, which copies what it is given. Each
// returns 0, or a negative status that the operation returns in turn.
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
  // width x height pixels of `channels` bytes, rows from the top
  sn_status (*pixels)(sn_mesh_sink *sink, int64_t width, int64_t height, int64_t channels,
                      const uint8_t *bytes);
  // before so many bytes are taken for what a file claims: SN_ENOMEM, with the reason, where the
  // limit of memory forbids it. NULL, or beyond `size`: not asked
  sn_status (*reserve)(sn_mesh_sink *sink, int64_t bytes, sn_error *error);
};
SN_LAYOUT(sn_mesh_sink, 80);

typedef struct sn_mesh_ops {
  sn_ops head;
  const char *extensions;   // "stl|obj"; what decode reads; "" none
  // [load] Triangles of a file: vertices and faces, normals and texcoords where the file has them.
  // No face: the mesh is the convex hull of its vertices. Errors say where in the bytes.
  sn_status (*decode)(const void *self, const void *bytes, int64_t count, const char *name,
                      sn_mesh_sink *sink, const sn_host *host, sn_error *error);
  // [load] Convex hull of points: its faces, and its vertex graph, in one call each. limit: most
  // vertices that it may have, a hull of fewer of the points; 0 none. The points are as they were
  // read, before reference frame and scale. Degenerate input (less than four points, points in a
  // plane) is refused with a reason.
  sn_status (*hull)(const void *self, int64_t nvert, const double *vert, int64_t limit,
                    sn_mesh_sink *sink, const sn_host *host, sn_error *error);
  // [load] Convex pieces of a triangle mesh, each with its own vertices and faces, which its calls
  // of the sink follow one of `piece`. limit: most pieces; 0 none. One piece: the mesh is convex.
  sn_status (*decompose)(const void *self, int64_t nvert, const double *vert, int64_t nface,
                         const int32_t *face, int64_t limit, sn_mesh_sink *sink,
                         const sn_host *host, sn_error *error);
  const char *images;       // "png"; what image reads; "" none
  // [load] Pixels of a file, one sink call; channels: 1 gray, 3 red green blue.
  sn_status (*image)(const void *self, const void *bytes, int64_t count, const char *name,
                     int64_t channels, sn_mesh_sink *sink, const sn_host *host, sn_error *error);
} sn_mesh_ops;
SN_LAYOUT(sn_mesh_ops, 88);

SN_END_DECLS

#endif
