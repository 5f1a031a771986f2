// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `assimp`: triangles of the formats that the library assimp reads, such as the
// Collada files of many robot descriptions. Most models have no such file, and the library takes
// longer to load than all plugins together: it is loaded with the first mesh. The work is in
// read.c, the other part.

#include "assimp/extensions.h"
#include "sinew/mesh.h"
#include "sinew/part.h"

#define PART "parts/assimp.so"

static sn_status assimp_decode(const void *self, const void *bytes, int64_t count, const char *name,
                               sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  static const char here;
  const void *found;
  SN_TRY(sn_part_ops(host, &here, PART, SN_KIND_MESH, "assimp", &found, error));
  const sn_mesh_ops *ops = found;
  return ops->decode(self, bytes, count, name, sink, host, error);
}

static const sn_mesh_ops assimp_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "triangles of many formats with assimp" },
  .extensions = EXTENSIONS,
  .decode = assimp_decode,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("assimp", &assimp_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "assimp", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "meshes of many formats with assimp", .provides = provides, .part = PART)
