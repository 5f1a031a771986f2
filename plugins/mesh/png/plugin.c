// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `png`: pixels of PNG files. The work is in pixels.c, the other part, which is
// loaded with the library that it needs when the first such file is read.

#include "sinew/mesh.h"
#include "sinew/part.h"

static const char part[] = "parts/png.so";

static sn_status png_image(const void *self, const void *bytes, int64_t count, const char *name,
                           int64_t channels, sn_mesh_sink *sink, const sn_host *host,
                           sn_error *error) {
  const void *found;
  SN_TRY(sn_part_ops(host, part, part, SN_KIND_MESH, "png", &found, error));
  const sn_mesh_ops *ops = found;
  return ops->image(self, bytes, count, name, channels, sink, host, error);
}

static const sn_mesh_ops png_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "pixels of PNG files" },
  .extensions = "",
  .images = "png",
  .image = png_image,
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("png", &png_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "png", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "images from PNG files", .provides = provides, .part = part)
