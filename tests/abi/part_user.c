// SPDX-License-Identifier: Apache-2.0
//
// A mesh processor that uses the part that its file names: "FILE KIND NAME"; its descriptor names
// parts/late.so. The mesh is a
// tetrahedron.

#include <stdio.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/mesh.h"
#include "sinew/part.h"

static sn_status part_user_decode(const void *self, const void *bytes, int64_t count,
                                  const char *name, sn_mesh_sink *sink, const sn_host *host,
                                  sn_error *error) {
  static const double xyz[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  static const int32_t face[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
  (void)self;
  (void)name;
  char text[256], file[80], kind[80], provider[80];
  snprintf(text, sizeof text, "%.*s", (int)count, (const char *)bytes);
  if (sscanf(text, "%79s %79s %79s", file, kind, provider) != 3) {
    return SN_EPARSE;
  }
  const void *first, *again;
  SN_TRY(sn_part_ops(host, xyz, file, kind, provider, &first, error));
  SN_TRY(sn_part_ops(host, xyz, file, kind, provider, &again, error));
  if (!first || first != again) {
    return sn_host_fail(host, error, SN_EPLUGIN, "the part was loaded twice");
  }
  SN_TRY(sink->vertices(sink, 4, xyz));
  return sink->faces(sink, 4, face);
}

static const sn_mesh_ops part_user_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "a mesh of a part" },
  .extensions = "part_user",
  .decode = part_user_decode,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("part_user", &part_user_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.part_user", .version = "1.0", .license = "Apache-2.0",
          .provides = provides, .part = "parts/late.so")
