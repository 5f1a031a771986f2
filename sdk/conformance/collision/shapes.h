// SPDX-License-Identifier: Apache-2.0
//
// Shapes for testing colliders.

#ifndef SINEW_CONFORMANCE_SHAPES_H
#define SINEW_CONFORMANCE_SHAPES_H

#include "conformance/kit.h"

extern const char *const shape_type_names[SN_NGEOMTYPES];

typedef struct pose {
  double pos[3], mat[9];
} pose;

// A posed shape of a type, with sizes from 0.1 to 0.5; meshes and height fields of their own.
void shape_random(kit *k, sn_shape *s, pose *p, int type, int id);
void shape_rotation(kit *k, double *mat);

double shape_smallest_size(const sn_shape *s);
// The index of a documented name of a type; -1.
int shape_type_of(const char *name);

// out = a b; b and out have `cols` columns.
void shape_multiply(const double *a, const double *b, double *out, int cols);

#endif
