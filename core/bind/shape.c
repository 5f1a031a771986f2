// SPDX-License-Identifier: Apache-2.0
//
// Shapes of plugins: their data, for colliders and rays.

#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "contact/guarded_shape.h"
#include "sinew/math.h"
#include "spec/spec.h"

static sn_status make(sn_model *m, int64_t g, si_guarded_shape *out, sn_error *error) {
  const char *type = m->names + m->geom_shapename[g], *lines = m->names + m->geom_attradr[g];
  const si_provider *p = si_engine_find(m->engine, SN_KIND_SHAPE, type, error);
  sn_shape_info info;
  void *data = NULL;
  if (!p) {
    return SN_ENOTFOUND;
  }
  SN_TRY(si_shape_make(p, lines, &info, &data, error));
  si_guarded_shape_init(out, p, data, g);
  return memcmp(info.half, m->geom_size + 3 * g, sizeof info.half) == 0
             ? SN_OK
             : si_fail(
                   error, SN_EINVAL,
                   "geom %lld was compiled with other bounds than those of the shape '%s' that is "
                   "loaded now; compile the model again",
                   (long long)g, p->name);
}

sn_status si_bind_shapes(sn_model *m, sn_error *error) {
  for (int64_t g = 0; g < m->ngeom; g++) {
    if (m->geom_type[g] != SN_GEOM_USER) {
      continue;
    }
    if (!m->bound.user_shape) {
      m->bound.user_shape = calloc((size_t)m->ngeom, sizeof *m->bound.user_shape);
    }
    const sn_status status = m->bound.user_shape
                                 ? make(m, g, &m->bound.user_shape[g], error)
                                 : si_fail(error, SN_ENOMEM, "out of memory while binding a model");
    if (status < 0) {
      return si_bind_blame(m, SI_ELEMENT_geom, (int32_t)g, status);
    }
  }
  return SN_OK;
}

void si_unbind_shapes(sn_model *m) {
  for (int64_t g = 0; m->bound.user_shape && g < m->ngeom; g++) {
    const si_guarded_shape *shape = &m->bound.user_shape[g];
    if (shape->provider) {
      si_shape_drop(shape->provider, (void *)(uintptr_t)shape->face.data);
    }
  }
  free(m->bound.user_shape);
  m->bound.user_shape = NULL;
}
