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

// Around a call of a collider with shapes of plugins, in the thread that makes it: the first fault
// of a shape since `start` is an error that names the shape, its plugin and the geom.
void si_guarded_shapes_start(void);
sn_status si_guarded_shapes_end(const sn_model *m, sn_error *error);

#endif
