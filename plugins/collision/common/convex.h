// SPDX-License-Identifier: Apache-2.0
//
// A convex operand: a shape, or a prism, as the methods for general convex shapes see it. It has a
// support function, and outward normals where the surface is smooth. An operand refers to the shape
// that it was made of and must not outlive it.

#ifndef CONVEX_H
#define CONVEX_H

#include "mesh_hull.h"
#include "sinew/collider.h"
#include "sinew/math.h"
#include "sinew/shape.h"

typedef struct convex convex;

// The support point: the farthest point in a direction, both in the frame of the operand. Round
// shapes assume a direction of unit length.
typedef void convex_support_fn(const convex *c, const double *direction, double *point);

struct convex {
  convex_support_fn *support;
  int32_t type;              // SN_GEOM_*; -1: a prism
  const double *size;        // of the shape
  const double *pos, *mat;   // the frame
  double center[3];          // a point inside, local
  double inflation;          // convex_support: the shape grows by this distance on all sides
  double zero_sign;          // where a direction is perpendicular to a face or an edge, the support
                             // point is 0: its middle, 1: one of its vertices
  const double *point;   // of prisms: 6 x 3, local
  mesh_hull hull;        // of meshes
  const sn_user_shape *user;   // of shapes of plugins
  int64_t *hint;         // of meshes: where hill climbing starts, and ended; NULL: at the first
};

// The operand of a shape. Returns 0 for types that are not convex and meshes without vertices.
int convex_of_shape(convex *c, const sn_shape *shape);

// The operand of a prism in the frame of a shape: three corners at the top, then the three below
// them. center: a point inside.
void convex_of_prism(convex *c, const double *point, const double *center, const sn_shape *frame);

// Reduces a sphere to its center and a capsule to its segment. Returns the radius around that core;
// other operands are their own core, and the radius is 0.
double convex_core(convex *c);

// Whether shapes of a type are convex operands.
int convex_is(int32_t type);

// The support point of the inflated operand, global. direction: global, unit.
void convex_support(const convex *c, const double *direction, double *point);

// The outward unit normal, global, of the surface nearest to a global point; guess: a unit vector
// near it. Returns 0 where the shape has an edge or a flat face: its normal does not follow from
// the point there.
int convex_normal(const convex *c, const double *point, const double *guess, double *normal);

#endif
