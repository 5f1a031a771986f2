// SPDX-License-Identifier: Apache-2.0
//
// The sink of the kit, and its examples of mesh files: a tetrahedron in several formats.

#include "mesh_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"

// ------------------------------------------------------------------ the sink

// Counts a call; it is to fail if that was asked for, or its arguments are wrong.
static sn_status start_call(mesh_result *r, int64_t n, const void *items, size_t bytes) {
  r->calls++;
  if (r->calls == r->fail_at || n < 0 || (n > 0 && !items)) {
    return SN_ENOMEM;
  }
  r->hash = hash_bytes(r->hash, &n, sizeof n);
  r->hash = hash_bytes(r->hash, items, (size_t)n * bytes);
  return SN_OK;
}

static sn_status append(void **array, int64_t count, int64_t n, size_t bytes, const void *items) {
  void *grown = realloc(*array, (size_t)(count + n + 1) * bytes);
  if (!grown) {
    return SN_ENOMEM;
  }
  *array = grown;
  if (n > 0) {
    memcpy((char *)grown + (size_t)count * bytes, items, (size_t)n * bytes);
  }
  return SN_OK;
}

static sn_status take_vertices(sn_mesh_sink *sink, int64_t n, const double *xyz) {
  mesh_result *r = sink->context;
  void *array = r->vert;
  SN_TRY(start_call(r, n, xyz, 3 * sizeof *xyz));
  SN_TRY(append(&array, r->nvert, n, 3 * sizeof *xyz, xyz));
  r->vert = array;
  r->nvert += n;
  r->not_finite |= !kit_finite(xyz, 3 * n);
  return SN_OK;
}

static sn_status take_normals(sn_mesh_sink *sink, int64_t n, const double *xyz) {
  mesh_result *r = sink->context;
  SN_TRY(start_call(r, n, xyz, 3 * sizeof *xyz));
  r->nnormal += n;
  r->not_finite |= !kit_finite(xyz, 3 * n);
  return SN_OK;
}

static sn_status take_texcoords(sn_mesh_sink *sink, int64_t n, const double *uv) {
  mesh_result *r = sink->context;
  SN_TRY(start_call(r, n, uv, 2 * sizeof *uv));
  r->ntexcoord += n;
  r->not_finite |= !kit_finite(uv, 2 * n);
  return SN_OK;
}

static sn_status take_faces(sn_mesh_sink *sink, int64_t n, const int32_t *vertex) {
  mesh_result *r = sink->context;
  void *array = r->face;
  SN_TRY(start_call(r, n, vertex, 3 * sizeof *vertex));
  SN_TRY(append(&array, r->nface, n, 3 * sizeof *vertex, vertex));
  r->face = array;
  r->nface += n;
  return SN_OK;
}

static sn_status take_graph(sn_mesh_sink *sink, int64_t n, const int32_t *graph) {
  mesh_result *r = sink->context;
  void *array = r->graph;
  SN_TRY(start_call(r, n, graph, sizeof *graph));
  SN_TRY(append(&array, r->ngraph, n, sizeof *graph, graph));
  r->graph = array;
  r->ngraph += n;
  return SN_OK;
}

static sn_status take_piece(sn_mesh_sink *sink) {
  mesh_result *r = sink->context;
  SN_TRY(start_call(r, 0, NULL, 1));
  if (r->npiece == KIT_MOST_PIECES) {
    return SN_ENOMEM;
  }
  r->first_vert[r->npiece] = r->nvert;
  r->first_face[r->npiece] = r->nface;
  r->npiece++;
  return SN_OK;
}

static sn_status take_pixels(sn_mesh_sink *sink, int64_t width, int64_t height, int64_t channels,
                             const uint8_t *bytes) {
  mesh_result *r = sink->context;
  const int64_t n = width * height * channels, most = (int64_t)sizeof r->pixels;
  SN_TRY(start_call(r, n, bytes, 1));
  r->width = width;
  r->height = height;
  r->channels = channels;
  r->image_calls++;
  memcpy(r->pixels, bytes, (size_t)(n < most ? n : most));
  return SN_OK;
}

static sn_status reserve(sn_mesh_sink *sink, int64_t bytes, sn_error *error) {
  const int64_t limit = (int64_t)1 << 28;
  const mesh_result *r = sink->context;
  (void)r;
  (void)error;
  return bytes < 0 || bytes > limit ? SN_ENOMEM : SN_OK;
}

void mesh_result_init(mesh_result *r, int64_t fail_at) {
  *r = (mesh_result){ .fail_at = fail_at,
                      .hash = HASH_START,
                      .sink = { .size = sizeof r->sink,
                                .context = r,
                                .vertices = take_vertices,
                                .normals = take_normals,
                                .texcoords = take_texcoords,
                                .faces = take_faces,
                                .graph = take_graph,
                                .piece = take_piece,
                                .pixels = take_pixels,
                                .reserve = reserve } };
}

void mesh_result_free(mesh_result *r) {
  free(r->vert);
  free(r->face);
  free(r->graph);
}

// ------------------------------------------------------------------ examples

static const char stl[] =
    "solid t\n"
    "facet normal 0 0 -1\nouter loop\nvertex 0.25 0 0\nvertex 0.25 1.5 0\nvertex 1.25 0 0\n"
    "endloop\nendfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 0.25 0 0\nvertex 1.25 0 0\nvertex 0.25 0 1\n"
    "endloop\nendfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 0.25 0 0\nvertex 0.25 0 1\nvertex 0.25 1.5 0\n"
    "endloop\nendfacet\n"
    "facet normal 3 2 3\nouter loop\nvertex 1.25 0 0\nvertex 0.25 1.5 0\nvertex 0.25 0 1\n"
    "endloop\nendfacet\nendsolid t\n";

static const char obj[] = "# t\nv 0.25 0 0\nv 1.25 0 0\nv 0.25 1.5 0\nv 0.25 0 1\nvt 0 0.5\n"
                          "vn 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
                          "property float y\nproperty float z\nelement face 4\n"
                          "property list uchar int vertex_indices\nend_header\n0.25 0 0\n1.25 0 0\n"
                          "0.25 1.5 0\n0.25 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

static const char off[] = "OFF\n4 4 0\n0.25 0 0\n1.25 0 0\n0.25 1.5 0\n0.25 0 1\n3 0 2 1\n"
                          "3 0 1 3\n3 0 3 2\n3 1 2 3\n";

// 4, 0, 0 and 4 rows: vertices, normals, texture coordinates, triangles
static const struct {
  int32_t count[4];
  float vert[12];
  int32_t face[12];
} msh = { { 4, 0, 0, 4 },
          { 0.25F, 0, 0, 1.25F, 0, 0, 0.25F, 1.5F, 0, 0.25F, 0, 1 },
          { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 } };

// 3 x 2 pixels of 8 bits, red green blue, not compressed
static const uint8_t png[] = {
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
  0x52, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0x12,
  0x16, 0xf1, 0x4d, 0x00, 0x00, 0x00, 0x1f, 0x49, 0x44, 0x41, 0x54, 0x78, 0x01, 0x01, 0x14,
  0x00, 0xeb, 0xff, 0x00, 0x0a, 0x14, 0x1e, 0x32, 0x14, 0x1e, 0x5a, 0x14, 0x1e, 0x00, 0x0a,
  0x78, 0x1e, 0x32, 0x78, 0x23, 0x5a, 0x78, 0x28, 0x1c, 0x16, 0x03, 0x94, 0x06, 0x66, 0x38,
  0x15, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

uint8_t *mesh_example(const char *extension, int64_t *count) {
  static const struct {
    const char *extension;
    const void *bytes;
    size_t n;
  } examples[] = {
    { "stl", stl, sizeof stl - 1 }, { "obj", obj, sizeof obj - 1 }, { "ply", ply, sizeof ply - 1 },
    { "off", off, sizeof off - 1 }, { "msh", &msh, sizeof msh },    { "png", png, sizeof png },
  };
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    if (strcmp(extension, examples[i].extension) == 0) {
      uint8_t *bytes = malloc(examples[i].n);
      *count = (int64_t)examples[i].n;
      return bytes ? memcpy(bytes, examples[i].bytes, examples[i].n) : NULL;
    }
  }
  return NULL;
}
