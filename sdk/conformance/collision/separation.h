// SPDX-License-Identifier: Apache-2.0
//
// The distance or penetration depth of two shapes by brute force with a guaranteed error bound: the
// reference values for colliders.

#ifndef SINEW_CONFORMANCE_SEPARATION_H
#define SINEW_CONFORMANCE_SEPARATION_H

#include "sinew/collider.h"

// The distance of two shapes, or minus the shortest translation that separates them; at most
// `tolerance` (m) below the true value and never above it. Types: two convex ones, or a plane
// before a convex one, or a height field before a convex one: then the smallest value over its
// prisms. If they are farther apart than `enough` (m), any larger number may be returned. normal:
// 3, a unit direction from the first to the second that has this separation; or NULL. NaN: memory
// or the number of triangles is exhausted (degenerate shapes inside one another).
double separation(const sn_shape *first, const sn_shape *second, double tolerance, double enough,
                  double *normal);

#endif
