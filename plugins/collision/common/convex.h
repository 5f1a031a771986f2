// SPDX-License-Identifier: Apache-2.0
//
// A convex operand: what the methods for general convex shapes ask of a shape, or of a few points.
// It is the farthest point in a direction, and the outward normal near a point where the surface is
// smooth. An operand refers to the shape that it was made of and lives no longer.

#ifndef CONVEX_H
#define CONVEX_H

#include "mesh_hull.h"
#include "sinew/collider.h"
#include "sinew/math.h"

typedef struct convex convex;

// The farthest point in a direction, both in the frame of the operand. Round shapes take the
// direction to be of unit length.
typedef void convex_support_fn(const convex *c, const double *direction, double *point);

struct convex {
  convex_support_fn *support;
  int32_t type;              // SN_GEOM_*; -1: a prism
  const double *size;        // of the shape
  const double *pos, *mat;   // the frame
  double center[3];          // a point inside, local
  double layer;              // convex_support: the shape grows by so much
  double flat;           // 0: of a side at right angles to the direction the middle; 1: a corner
  const double *point;   // of prisms: 6 x 3, local
  mesh_hull hull;   // of meshes
  int64_t *start;   // of meshes: where climbing starts, and ended; NULL: at the first
};

// The operand of a shape. 0: of a type that is not convex, or a mesh without vertices.
int convex_of_shape(convex *c, const sn_shape *shape);

// The operand of a prism in the frame of a shape: three corners on top, then the three below them.
// center: a point inside.
void convex_of_prism(convex *c, const double *point, const double *center, const sn_shape *frame);

// Reduces a sphere to its center and a capsule to its segment. Returns the radius around that core;
// other operands are their own core, with none.
double convex_core(convex *c);

// Whether a type has operands.
int convex_is(int32_t type);

// The support point of the operand grown by its layer, global. direction: global, unit.
void convex_support(const convex *c, const double *direction, double *point);

// The outward unit normal, global, of the surface nearest to a global point; guess: a unit vector
// near it. 0: the shape has an edge or a flat there, and the normal is better had from elsewhere.
int convex_normal(const convex *c, const double *point, const double *guess, double *normal);

#endif
