// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `decompose`: its parameters. The work is in decompose.c, the other part, which is
// loaded with the library that it needs for the first mesh.

#include "parameters.h"
#include "sinew/part.h"

#define PART "parts/decompose.so"

enum { TOLERANCE, MAX_PIECES };

static const sn_param decompose_params[] = {
  { .name = "tolerance",
    .default_value = "0.03",
    .summary = "volume outside of the mesh that the pieces may enclose, as a fraction of its "
               "volume",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1 },
  { .name = "max_pieces",
    .default_value = "64",
    .summary = "largest number of pieces of a mesh",
    .type = SN_PARAM_INT,
    .min = 1,
    .max = PIECES_MOST },
  { .name = NULL },
};

static sn_status decompose_create(const sn_host *host, const sn_value *values, void **self,
                                  sn_error *error) {
  decompose *d = host->alloc(host, (int64_t)sizeof *d);
  if (!d) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for decompose");
  }
  d->host = host;
  d->tolerance = values[TOLERANCE].real;
  d->max_pieces = values[MAX_PIECES].integer;
  *self = d;
  return SN_OK;
}

static void decompose_destroy(void *self) {
  decompose *d = self;
  d->host->free(d->host, d);
}

static sn_status find_part(const sn_host *host, const sn_mesh_ops **ops, sn_error *error) {
  static const char here;
  const void *found = NULL;
  SN_TRY(sn_part_ops(host, &here, PART, SN_KIND_MESH, "decompose", &found, error));
  *ops = found;
  return SN_OK;
}

static sn_status decompose_mesh(const void *self, int64_t nvert, const double *vert, int64_t nface,
                                const int32_t *face, int64_t limit, sn_mesh_sink *sink,
                                const sn_host *host, sn_error *error) {
  const sn_mesh_ops *ops;
  SN_TRY(find_part(host, &ops, error));
  return ops->decompose(self, nvert, vert, nface, face, limit, sink, host, error);
}

static const sn_mesh_ops decompose_ops = {
  .head = {
    .size = sizeof(sn_mesh_ops),
    .summary = "convex pieces of concave meshes",
    .params = decompose_params,
    .create = decompose_create,
    .destroy = decompose_destroy,
  },
  .extensions = "",
  .decompose = decompose_mesh,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("decompose", &decompose_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "decompose", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "convex pieces of concave meshes", .provides = provides, .part = PART)
