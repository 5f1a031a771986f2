// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `obj`: triangles of Wavefront OBJ files. The work is in triangles.c, the other
// part, which is loaded with the library that it needs when the first such file is read.

#include "sinew/mesh.h"
#include "sinew/part.h"

static const char part[] = "parts/obj.so";

static sn_status obj_decode(const void *self, const void *bytes, int64_t count, const char *name,
                            sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  const void *found;
  SN_TRY(sn_part_ops(host, part, part, SN_KIND_MESH, "obj", &found, error));
  const sn_mesh_ops *ops = found;
  return ops->decode(self, bytes, count, name, sink, host, error);
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
          .summary = "meshes from OBJ files with tinyobjloader", .provides = provides, .part = part)
