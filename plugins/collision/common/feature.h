// SPDX-License-Identifier: Apache-2.0
//
// The supporting feature of a shape: what of it is foremost in a direction, up to a few degrees. It
// is a face, an edge or a vertex, as a polygon in a given frame.

#ifndef FEATURE_H
#define FEATURE_H

#include "convex.h"

// Vertices of a feature, at most, and those found before it is simplified.
enum { FEATURE_MAX = 12, FEATURE_FOUND_MAX = 64 };
// Sine of the angle between a side and the plane across the direction below which the side belongs
// to the feature.
static const double feature_tilt = 0.08;
// Part of an area: smaller differences do not decide (manifold.c).
static const double feature_slack = 1e-3;

typedef struct feature {
  int n;
  double at[FEATURE_FOUND_MAX][3];   // vertices, counterclockwise; third: height
  uint32_t id[FEATURE_FOUND_MAX];    // of the vertex on the shape
} feature;

// Whether shapes of a type have edges or faces.
int feature_exists(int32_t type);

// The supporting feature of a shape in a direction, in a frame (rows) at `origin` whose third axis
// is along that direction or opposite to it. Its numbers are those on the shape, times `shapes`,
// plus `which`.
void feature_find(const sn_shape *s, uint32_t shapes, uint32_t which, const double *direction,
                  const double *origin, const double *frame, feature *p);

// The height of a feature of at least two vertices at a point.
double feature_height(const feature *p, const double *point);

// A number of the vertices of the supporting feature in a direction, in whatever order they were
// found; 0: it has none, as its surface is smooth.
uint32_t feature_number(const sn_shape *s, const double *direction);

// A number of two numbers, in whatever order.
uint32_t feature_combine(uint32_t a, uint32_t b);

// Twice the signed area of a triangle: positive when c is left of the line from a to b.
static inline double feature_orient(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static inline int feature_is_before(const double *a, const double *b) {
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

#endif
