// SPDX-License-Identifier: Apache-2.0
//
// Shapes of plugins as colliders get them: a collider calls the operations of a shape through
// functions of the host. So what a shape does wrong is not attributed to the collider that called
// it, and a support point that is not finite does not pass for "no contact". Models without shapes
// of plugins do not come here.

#ifndef SI_CONTACT_GUARDED_SHAPE_H
#define SI_CONTACT_GUARDED_SHAPE_H

#include "model/model.h"
#include "sinew/shape.h"

typedef struct si_guarded_shape {
  sn_user_shape face;           // for colliders: its `self` is this struct, `ops` are those below
  sn_shape_ops guarded;         // support and ray of the host
  const si_provider *provider;  // NULL: the geom has no shape of a plugin
  int64_t geom;
} si_guarded_shape;

// data: of the shape.
void si_guarded_shape_init(si_guarded_shape *shape, const si_provider *provider, const void *data,
                           int64_t geom);

// The provider of the shape of a geom; NULL: the geom has no shape of a plugin.
static inline const si_provider *si_geom_provider(const sn_model *m, int64_t geom) {
  return m->geom_type[geom] == SN_GEOM_USER ? m->bound.user_shape[geom].provider : NULL;
}

// The colliders for two geoms, the one with the lower type first.
static inline si_collider_line si_collider_line_of(const sn_model *m, int64_t geom1,
                                                   int64_t geom2) {
  const int32_t type1 = m->geom_type[geom1], type2 = m->geom_type[geom2];
  return (si_collider_line){ m->bound.collider[type1][type2],
                             { si_geom_provider(m, geom1), si_geom_provider(m, geom2) },
                             type1,
                             type2 };
}

// Around a call of a collider with shapes of plugins, in the thread that makes it: the first fault
// of a shape since `start` is an error that names the shape, its plugin and the geom.
void si_guarded_shapes_start(void);
sn_status si_guarded_shapes_end(const sn_model *m, sn_error *error);

#endif
