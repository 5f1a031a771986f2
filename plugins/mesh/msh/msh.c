// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `msh`: a binary file of vertices, normals, texture coordinates and triangles,
// little-endian:
//
//   int32   nvertex, nnormal, ntexcoord, nface
//   float   vertices[3 nvertex]
//   float   normals[3 nnormal]        nnormal is 0 or nvertex
//   float   texcoords[2 ntexcoord]    ntexcoord is 0 or nvertex
//   int32   faces[3 nface]            0: the convex hull
//
// Reference: the documentation of MJCF, element mesh.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/mesh.h"

enum { HEAD = 16 };

typedef struct reader {
  const uint8_t *at;
  const sn_host *host;
  sn_error *error;
  const char *name;
} reader;

static sn_status reject(const reader *r, sn_status code, const char *text) {
  return r->host->error(r->host, r->error, code, r->name, 0, 0, text);
}

static int32_t read_int(reader *r) {
  uint32_t u = (uint32_t)r->at[0] | (uint32_t)r->at[1] << 8 | (uint32_t)r->at[2] << 16 |
               (uint32_t)r->at[3] << 24;
  int32_t i;
  memcpy(&i, &u, sizeof i);
  r->at += sizeof u;
  return i;
}

static double read_float(reader *r) {
  int32_t bits = read_int(r);
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

// The next n rows of `cols` floats to one of the sink's calls.
static sn_status move_reals(reader *r, int64_t n, int64_t cols, sn_mesh_sink *sink,
                            sn_status (*give)(sn_mesh_sink *, int64_t, const double *)) {
  if (n == 0) {
    return SN_OK;
  }
  double *numbers = r->host->alloc(r->host, n * cols * (int64_t)sizeof *numbers);
  if (!numbers) {
    return reject(r, SN_ENOMEM, "out of memory for a mesh");
  }
  sn_status status = SN_OK;
  for (int64_t i = 0; i < n * cols && status >= 0; i++) {
    numbers[i] = read_float(r);
    if (!isfinite(numbers[i])) {
      status = reject(r, SN_EPARSE, "a number is not finite");
    }
  }
  status = status < 0 ? status : give(sink, n, numbers);
  r->host->free(r->host, numbers);
  return status;
}

static sn_status move_faces(reader *r, int64_t n, sn_mesh_sink *sink) {
  int32_t *face = r->host->alloc(r->host, 3 * n * (int64_t)sizeof *face);
  if (!face) {
    return reject(r, SN_ENOMEM, "out of memory for a mesh");
  }
  for (int64_t i = 0; i < 3 * n; i++) {
    face[i] = read_int(r);
  }
  sn_status status = n > 0 ? sink->faces(sink, n, face) : SN_OK;
  r->host->free(r->host, face);
  return status;
}

static sn_status msh_decode(const void *self, const void *bytes, int64_t count, const char *name,
                            sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  (void)self;
  reader r = { .at = bytes, .host = host, .error = error, .name = name };
  if (count < HEAD) {
    return reject(&r, SN_EPARSE, "it is too short for a mesh: its four counts alone are 16 bytes");
  }
  int64_t n[4];
  for (int k = 0; k < 4; k++) {
    n[k] = read_int(&r);
    if (n[k] < 0) {
      return reject(&r, SN_EPARSE, "one of its four counts is negative");
    }
  }
  if ((n[1] != 0 && n[1] != n[0]) || (n[2] != 0 && n[2] != n[0])) {
    return reject(&r, SN_EPARSE,
                  "there must be one normal and one texture coordinate for each "
                  "vertex, or none");
  }
  int64_t size = HEAD + 4 * (3 * n[0] + 3 * n[1] + 2 * n[2] + 3 * n[3]);
  if (size != count) {
    char text[128];
    snprintf(text, sizeof text,
             "the counts in its header require a file of %lld bytes, but it has %lld",
             (long long)size, (long long)count);
    return reject(&r, SN_EPARSE, text);
  }
  sn_status status = move_reals(&r, n[0], 3, sink, sink->vertices);
  status = status < 0 ? status : move_reals(&r, n[1], 3, sink, sink->normals);
  status = status < 0 ? status : move_reals(&r, n[2], 2, sink, sink->texcoords);
  return status < 0 ? status : move_faces(&r, n[3], sink);
}

static const sn_mesh_ops msh_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "triangles of binary MSH files" },
  .extensions = "msh",
  .decode = msh_decode,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("msh", &msh_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "msh", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "meshes from MSH files", .provides = provides)
