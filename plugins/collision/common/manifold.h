// SPDX-License-Identifier: Apache-2.0
//
// From the one touch of two convex shapes to all that a flat contact needs.

#ifndef MANIFOLD_H
#define MANIFOLD_H

#include "convex.h"

enum { MANIFOLD_MAX = 5 };

// touch[0] is the deepest touch; touch has room for MANIFOLD_MAX. When the shapes show each other
// flat sides there, replaces it by the corners of what these share, up to the margin. Returns the
// number of touches.
int manifold(const sn_shape *first, const sn_shape *second, double margin, sn_contact_point *touch);

#endif
