// SPDX-License-Identifier: Apache-2.0
//
// The part of mesh processor `obj` that reads a Wavefront OBJ file: its triangles. Every corner of
// every triangle is a vertex of its own, for corners of one place may differ in normal and texture
// coordinates. The file's texture coordinates have their origin in the lower left corner, so the
// second one is turned about. A file without faces gives its vertices.
//
// Reference: Wavefront Technologies, Advanced Visualizer Manual, appendix B1, 1991.

#include <string.h>

#include "reader.h"
#include "sinew/mesh.h"

static sn_status reject(const sn_host *host, sn_error *error, sn_status code, const char *name,
                        char *reason) {
  reason[strcspn(reason, "\n")] = '\0';
  return host->error(host, error, code, name, 0, 0, reason);
}

static sn_status give(obj_corners *c, const char *name, sn_mesh_sink *sink, const sn_host *host,
                      sn_error *error) {
  if (c->n == 0) {
    return reject(host, error, SN_EPARSE, name, (char[]){ "it has no vertices" });
  }
  if (!c->faces) {   // the caller makes the convex hull
    return sink->vertices(sink, c->n, c->position);
  }
  int32_t *face = host->alloc(host, c->n * (int64_t)sizeof *face);
  if (!face) {
    return reject(host, error, SN_ENOMEM, name, (char[]){ "out of memory for a mesh" });
  }
  for (int64_t i = 0; i < c->n; i++) {
    face[i] = (int32_t)i;
    if (c->texcoord) {
      c->texcoord[2 * i + 1] = 1 - c->texcoord[2 * i + 1];
    }
  }
  sn_status status = sink->vertices(sink, c->n, c->position);
  if (status >= 0 && c->normal) {
    status = sink->normals(sink, c->n, c->normal);
  }
  if (status >= 0 && c->texcoord) {
    status = sink->texcoords(sink, c->n, c->texcoord);
  }
  status = status < 0 ? status : sink->faces(sink, c->n / 3, face);
  host->free(host, face);
  return status;
}

static sn_status obj_decode(const void *self, const void *bytes, int64_t count, const char *name,
                            sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  (void)self;
  obj_ready();
  char reason[256] = "";
  obj_corners corners;
  sn_status status = obj_read(bytes, count, &corners, reason, (int64_t)sizeof reason)
                         ? reject(host, error, SN_EPARSE, name, reason)
                         : give(&corners, name, sink, host, error);
  obj_free(&corners);
  return status;
}

static const sn_mesh_ops obj_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "triangles of OBJ files" },
  .extensions = "obj",
  .decode = obj_decode,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("obj", &obj_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "obj", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "meshes from OBJ files with tinyobjloader", .provides = provides)
