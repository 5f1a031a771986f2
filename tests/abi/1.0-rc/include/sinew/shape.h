// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.shape/draft: convex shapes of geoms. A shape is described by its support function, so
// that every collider for general convex shapes can handle it, against planes and height fields
// too.
//
// This kind is a draft: it may change in every minor version. A plugin that uses it must be
// compiled for the version of Sinew that loads it.
//
// A model names the shape of a geom and sets its attributes, in MJCF:
//
//   <geom type="user" shape="superquadric">
//     <config key="radii" value="0.1 0.2 0.3"/>
//   </geom>
//
//   compiling    make(values)  bounds, volume, inertia -> geom_size, geom_rbound, mass; drop
//   binding      make(values)  data, which colliders and rays get as sn_user_shape.data
//   a step       support(data, direction), called by colliders
//
// The origin of the frame of a shape is its center of mass, and the axes of the frame are its
// principal axes.

#ifndef SINEW_SHAPE_H
#define SINEW_SHAPE_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_SHAPE "sinew.shape/draft"

// Properties of one shape, in its own frame.
typedef struct sn_shape_info {
  uint32_t size;
  uint32_t reserved;
  double half[3];      // half sizes of a box around the shape, centered at the origin; positive, m
  double volume;       // positive, m^3
  double inertia[3];   // principal moments of a solid of mass 1 and uniform density, m^2
} sn_shape_info;
SN_LAYOUT(sn_shape_info, 64);

// The operations of a shape.
typedef struct sn_shape_ops {
  sn_ops head;
  // optional. The attributes that a model may set; ends with a NULL name. The host checks them and
  // passes them to make in this order. References to elements are not possible.
  const sn_param *attributes;
  // [load] Fills `info` and allocates *data, or rejects the values, with the reason; strings and
  // arrays are valid during the call. The same values give bitwise identical data. *data may be
  // NULL.
  sn_status (*make)(const void *self, const sn_value *values, sn_shape_info *info, void **data,
                    sn_error *error);
  void (*drop)(const void *self, void *data);   // [load] frees *data, if it is not NULL
  // [any] The point of the shape that is farthest in a direction of unit length; both in the frame
  // of the shape. Where several points are equally far, any of them.
  void (*support)(const void *self, const void *data, const double *direction, double *point);
  // [any] optional; NULL: rays pass through. The distance to the surface of the shape along a ray
  // with a direction of unit length, in the frame of the shape; -1: the ray misses it. If the
  // origin is inside, the distance to the point at which the ray leaves the shape.
  double (*ray)(const void *self, const void *data, const double *origin, const double *direction);
} sn_shape_ops;
SN_LAYOUT(sn_shape_ops, 80);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_SHAPE(name, ops) SN_PROVIDE(SN_KIND_SHAPE, name, sn_shape_ops, ops)

SN_END_DECLS

#endif
