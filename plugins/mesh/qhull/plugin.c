// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `qhull`: convex hulls of points. The work is in hull.c, the other part, which is
// loaded with the library that it needs for the first hull.

#include "sinew/mesh.h"
#include "sinew/part.h"

static const char part[] = "parts/qhull.so";

static sn_status qhull_hull(const void *self, int64_t nvert, const double *vert, int64_t limit,
                            sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  const void *found;
  SN_TRY(sn_part_ops(host, part, part, SN_KIND_MESH, "qhull", &found, error));
  const sn_mesh_ops *ops = found;
  return ops->hull(self, nvert, vert, limit, sink, host, error);
}

static const sn_mesh_ops qhull_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "convex hulls by Quickhull" },
  .extensions = "",
  .hull = qhull_hull,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("qhull", &qhull_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "qhull", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "convex hulls of meshes with qhull", .provides = provides, .part = part)
