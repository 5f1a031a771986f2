// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.mesh/1: reads mesh files and image files, computes convex hulls and convex
// decompositions. All operations are optional. For a file, the host calls the first provider that
// lists its extension; for a convex hull, the first that has the operation; for a convex
// decomposition, the one that is selected.
//
// A triangle consists of three vertex indices, counter-clockwise when seen from outside. Normals
// and texture coordinates belong to vertices: each vertex has one, or none has. The origin of
// texture coordinates is the upper left corner of the image.
//
// The vertex graph of a hull with n vertices and f triangles is 2 + 3 n + 6 f integers:
//
//   n, f
//   start[n]        index in `edge` at which the neighbors of hull vertex i begin
//   vertex[n]       index of hull vertex i among the points
//   edge[n + 3 f]   neighbors of each hull vertex, as indices of hull vertices; each list ends
//                   with -1
//   face[3 f]       triangles, as indices of points

#ifndef SINEW_MESH_H
#define SINEW_MESH_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_MESH "sinew.mesh/1"

// Receives the result of an operation: each call appends to it. The arrays are copied. If a call
// returns a negative status, the operation must return it too.
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
  sn_status (*piece)(sn_mesh_sink *sink);   // starts the next convex piece of a decomposition
  // width x height pixels of `channels` bytes, rows from the top
  sn_status (*pixels)(sn_mesh_sink *sink, int64_t width, int64_t height, int64_t channels,
                      const uint8_t *bytes);
  // To be called before memory is allocated according to sizes that a file specifies. SN_ENOMEM,
  // with the reason: the limit of memory does not allow so many bytes. The function may be NULL or
  // beyond `size`; there is no limit then.
  sn_status (*reserve)(sn_mesh_sink *sink, int64_t bytes, sn_error *error);
};
SN_LAYOUT(sn_mesh_sink, 80);

// The operations of a mesh processor.
typedef struct sn_mesh_ops {
  sn_ops head;
  const char *extensions;   // "stl|obj": the mesh files that decode reads; "": none
  // [load] Reads a mesh file: vertices and faces; normals and texture coordinates if the file has
  // them. A mesh without faces is the convex hull of its vertices. Errors have the position in the
  // file.
  sn_status (*decode)(const void *self, const void *bytes, int64_t count, const char *name,
                      sn_mesh_sink *sink, const sn_host *host, sn_error *error);
  // [load] Computes the convex hull of nvert points (x y z each), which have the coordinates of the
  // file, before reference frame and scale are applied. Writes its faces in one call of the sink
  // and its vertex graph in another. limit: largest number of vertices of the hull, which is then
  // the hull of a subset of the points; 0: no limit. Degenerate input (fewer than four points, or
  // all in a plane) is an error with the reason.
  sn_status (*hull)(const void *self, int64_t nvert, const double *vert, int64_t limit,
                    sn_mesh_sink *sink, const sn_host *host, sn_error *error);
  // [load] Decomposes a triangle mesh into convex pieces. For each piece it calls `piece` of the
  // sink, then `vertices` and `faces`, whose indices start from 0 in each piece. limit: largest
  // number of pieces; 0: no limit. A convex mesh has one piece.
  sn_status (*decompose)(const void *self, int64_t nvert, const double *vert, int64_t nface,
                         const int32_t *face, int64_t limit, sn_mesh_sink *sink,
                         const sn_host *host, sn_error *error);
  const char *images;       // "png": the image files that image reads; "": none
  // [load] Reads an image file in one call of `pixels`; channels: 1 gray, 3 red green blue.
  sn_status (*image)(const void *self, const void *bytes, int64_t count, const char *name,
                     int64_t channels, sn_mesh_sink *sink, const sn_host *host, sn_error *error);
} sn_mesh_ops;
SN_LAYOUT(sn_mesh_ops, 88);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_MESH(name, ops) SN_PROVIDE(SN_KIND_MESH, name, sn_mesh_ops, ops)

SN_END_DECLS

#endif
