// SPDX-License-Identifier: Apache-2.0
//
// The sink to which plugins of the mesh kind write, see sinew/mesh.h. What a plugin passes is
// bounded by the limits of the engine; a failure is remembered, so that an operation that ignores
// it fails too.

#include "assets/mesh.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "host/limits.h"

static sn_status reject(si_mesh_result *r, sn_status status, const char *format, ...)
    SN_PRINTF(3, 4);
static sn_status reject(si_mesh_result *r, sn_status status, const char *format, ...) {
  va_list list;
  if (r->status >= 0) {
    r->status = status;
    va_start(list, format);
    si_plain_print(r->reason, sizeof r->reason, format, list);
    va_end(list);
  }
  return status;
}

// Bytes of the arrays; each was multiplied before.
static double bytes_of(const si_mesh_result *r) {
  const double reals = 3.0 * (double)(r->nvert + r->nnormal) + 2.0 * (double)r->ntexcoord;
  return 8 * reals + 4 * (3.0 * (double)r->nface + (double)r->ngraph);
}

static sn_status limit(si_mesh_result *r, double bytes, const char *what, sn_error *error) {
  return r->build ? si_limit_memory(r->build->engine, si_build_bytes(r->build) + bytes, NULL, what,
                                    error)
                  : SN_OK;
}

// Appends n items of `bytes` each to an array of *count.
static sn_status append(si_mesh_result *r, const char *what, void **array, int64_t *count,
                        int64_t n, size_t bytes, const void *items) {
  if (n < 0) {
    return reject(r, SN_EINVAL, "it passed %lld %s", (long long)n, what);
  }
  if (n > INT32_MAX / 3 - *count) {
    return reject(r, SN_ENOMEM, "more than %d %s", INT32_MAX / 3, what);
  }
  if (n == 0 && *array) {
    return SN_OK;
  }
  void *grown = NULL;
  sn_error *error = r->build ? r->build->error : NULL;
  const sn_status status = limit(r, bytes_of(r) + (double)n * (double)bytes, what, error);
  if (status < 0) {
    return reject(r, status, "%s", error ? sn_error_message(error) : "too many");
  }
  grown = realloc(*array, (size_t)(*count + n + 1) * bytes);
  if (!grown) {
    return reject(r, SN_ENOMEM, "out of memory for %lld more %s", (long long)n, what);
  }
  *array = grown;
  if (n > 0) {
    memcpy((char *)grown + (size_t)*count * bytes, items, (size_t)n * bytes);
  }
  *count += n;
  return SN_OK;
}

#define SINK(call, type, member, count, cols, what)                                            \
  static sn_status sink_##call(sn_mesh_sink *sink, int64_t n, const type *items) {             \
    si_mesh_result *r = sink->context;                                                         \
    void *array = r->member;                                                                   \
    sn_status status = append(r, what, &array, &r->count, n, (size_t)(cols) * sizeof(type),    \
                              items);                                                          \
    r->member = array;                                                                         \
    return status;                                                                             \
  }
SINK(vertices, double, vert, nvert, 3, "vertices")
SINK(normals, double, normal, nnormal, 3, "normals")
SINK(texcoords, double, texcoord, ntexcoord, 2, "texture coordinates")
SINK(faces, int32_t, face, nface, 3, "triangles")
SINK(graph, int32_t, graph, ngraph, 1, "integers of a vertex graph")

static sn_status sink_piece(sn_mesh_sink *sink) {
  si_mesh_result *r = sink->context;
  const int32_t start = (int32_t)r->nvert;
  void *array = r->piece;
  sn_status status = append(r, "convex pieces", &array, &r->npiece, 1, sizeof start, &start);
  r->piece = array;
  return status;
}

static sn_status sink_pixels(sn_mesh_sink *sink, int64_t width, int64_t height, int64_t channels,
                             const uint8_t *bytes) {
  enum { MOST = 1 << 30 };
  si_mesh_result *r = sink->context;
  if (r->pixels) {
    return reject(r, SN_EINVAL, "it passed pixels twice");
  }
  if (width < 1 || height < 1 || channels < 1 || channels > 4 || width > MOST / height / channels) {
    return reject(r, SN_EINVAL, "it passed an image of %lld x %lld pixels with %lld channels",
                  (long long)width, (long long)height, (long long)channels);
  }
  size_t n = (size_t)(width * height * channels);
  r->pixels = malloc(n);
  if (!r->pixels) {
    return reject(r, SN_ENOMEM, "out of memory for %lld x %lld pixels", (long long)width,
                  (long long)height);
  }
  memcpy(r->pixels, bytes, n);
  r->width = width;
  r->height = height;
  r->channels = channels;
  return SN_OK;
}

static sn_status sink_reserve(sn_mesh_sink *sink, int64_t bytes, sn_error *error) {
  si_mesh_result *r = sink->context;
  if (bytes < 0) {
    return reject(r, SN_EINVAL, "it reserved %lld bytes", (long long)bytes);
  }
  return limit(r, (double)bytes, "its content", error);
}

void si_mesh_result_init(si_mesh_result *result) {
  *result = (si_mesh_result){
    .sink = {
      .size = sizeof(sn_mesh_sink),
      .context = result,
      .vertices = sink_vertices,
      .normals = sink_normals,
      .texcoords = sink_texcoords,
      .faces = sink_faces,
      .graph = sink_graph,
      .piece = sink_piece,
      .pixels = sink_pixels,
      .reserve = sink_reserve,
    },
  };
}

void si_mesh_result_free(si_mesh_result *result) {
  free(result->vert);
  free(result->normal);
  free(result->texcoord);
  free(result->face);
  free(result->graph);
  free(result->pixels);
  free(result->piece);
  *result = (si_mesh_result){ 0 };
}
