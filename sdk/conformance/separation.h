// SPDX-License-Identifier: Apache-2.0
//
// The truth about two shapes, by brute force with a proof: what colliders are judged by.

#ifndef SINEW_CONFORMANCE_SEPARATION_H
#define SINEW_CONFORMANCE_SEPARATION_H

#include "sinew/collider.h"

// The distance of two shapes, or minus the least translation that parts them; at most `tolerance`
// (m) below the true value and never above it. Types: two convex ones, or a plane before a convex
// one, or a height field before a convex one: then the smallest value over its prisms.
// What is farther apart than `enough` (m) may be told by any number above it.
// normal: 3, a unit direction from the first to the second that has this separation; or NULL.
// NaN: it ran out of memory, or of cells (shapes without extent that lie in one another).
double separation(const sn_shape *first, const sn_shape *second, double tolerance, double enough,
                  double *normal);

#endif
