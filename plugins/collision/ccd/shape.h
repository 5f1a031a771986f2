// SPDX-License-Identifier: Apache-2.0
//
// What the collider asks of a convex shape: the farthest point in a direction, and the outward
// normal near a point where the surface is smooth.

#ifndef CCD_SHAPE_H
#define CCD_SHAPE_H

#include "sinew/collider.h"
#include "sinew/math.h"

// A shape grown by a layer, as an operand of the library.
typedef struct grown_shape {
  const sn_shape *shape;
  double layer;
} grown_shape;

// The support point, global. direction: global, of any length but zero; taken to be of unit length
// by round shapes and the layer.
void shape_support(const grown_shape *grown, const double *direction, double *point);

// The outward unit normal, global, of the surface nearest to a global point. 0: the shape has an
// edge or a flat there, and the normal is better had from elsewhere.
int shape_normal(const sn_shape *shape, const double *point, double *normal);

// Whether the type is one that shape_support knows.
int shape_is_convex(int32_t type);

#endif
