// SPDX-License-Identifier: Apache-2.0
//
// The contact manifold: from the one contact point of two convex shapes to all contact points of a
// flat contact.

#ifndef MANIFOLD_H
#define MANIFOLD_H

#include "convex.h"

enum { MANIFOLD_MAX = 5 };

// contact[0] is the deepest contact point; contact has room for MANIFOLD_MAX. If both shapes have
// an edge or a face there, replaces it by the vertices of the overlap of these supporting features,
// up to the margin. Returns the number of contact points.
int contact_manifold(const sn_shape *first, const sn_shape *second, double margin,
                     sn_contact_point *contact);

// Finds the deepest contact point of a pair. Returns 0 when it is farther apart than the margin.
typedef int contact_fn(const void *context, const sn_shape *first, const sn_shape *second,
                       double margin, sn_contact_point *contact);

// The operation `collide` for all pairs of convex types: one contact point a pair, or, when the
// batch requests it, the contact manifold.
sn_status manifold_collide(const sn_batch *batch, contact_fn *find, const void *context,
                           sn_contact_list *out);

#endif
