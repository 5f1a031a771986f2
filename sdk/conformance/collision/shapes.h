// SPDX-License-Identifier: Apache-2.0
//
// Shapes for testing colliders.

#ifndef SINEW_CONFORMANCE_SHAPES_H
#define SINEW_CONFORMANCE_SHAPES_H

#include "conformance/kit.h"

// Types of shapes: those of geoms, and in place of SN_GEOM_USER several shapes of plugins, which
// colliders know by their support function alone. SHAPE_OWN: of the plugin of the collider.
enum { SHAPE_BALL = SN_GEOM_USER, SHAPE_BRICK, SHAPE_EGG, SHAPE_OWN, SHAPE_NTYPES };

// What a shape refers to.
typedef struct pose {
  double pos[3], mat[9];
  double half[3];       // of shapes of plugins, which read their sizes here
  sn_user_shape user;   // likewise
} pose;

// A posed shape of a type, with sizes from 0.1 to 0.5; meshes and height fields of their own.
void shape_random(kit *k, sn_shape *s, pose *p, int type, int id);
// After its size was changed: makes it valid for a shape of a plugin, which has positive sizes.
void shape_fit(sn_shape *s, pose *p);
const char *shape_name(const sn_shape *s);   // "sphere", "kit.ball"

// own_shapes.c: sets SHAPE_OWN to each shape of the plugin of the collider under test, with the
// attributes as declared, and calls `test`. Returns their number.
int shape_each_own(kit *k, void (*test)(kit *k, void *context), void *context);
// The shape that SHAPE_OWN is, and its half sizes; NULL: none.
void shape_set_own(const sn_user_shape *shape, const double *half);
void shape_rotation(kit *k, double *mat);

double shape_smallest_size(const sn_shape *s);
// The index of a documented name of a type; -1.
int shape_type_of(const char *name);

// out = a b; b and out have `cols` columns.
void shape_multiply(const double *a, const double *b, double *out, int cols);

#endif
