// SPDX-License-Identifier: Apache-2.0
//
// The contact manifold: from the one contact point of two convex shapes to all contact points of a
// flat contact.

#ifndef MANIFOLD_H
#define MANIFOLD_H

#include "convex.h"

enum { MANIFOLD_MAX = 5 };

// Two convex shapes, or a plane and one. contact[0] is the deepest contact point; contact has room
// for MANIFOLD_MAX. whole: if both shapes have an edge or a face there, replaces it by the vertices
// of the overlap of these supporting features, up to the margin. Returns the number of contact
// points, all with their features.
int contact_manifold(const sn_shape *first, const sn_shape *second, double margin, int whole,
                     sn_contact_point *contact);

// Finds the deepest contact point of a pair. Returns 0 when it is farther apart than the margin.
typedef int contact_fn(const void *context, const sn_shape *first, const sn_shape *second,
                       double margin, sn_contact_point *contact);

// The operation `collide` for all pairs of convex types: the contact manifold of each pair or, if
// neither `whole` nor the batch requests it, one contact point.
sn_status manifold_collide(const sn_batch *batch, int whole, contact_fn *find, const void *context,
                           sn_contact_list *out);

// The parameter of a collider that is passed as `whole`.
#define MANIFOLD_PARAM                                                                        \
  {                                                                                           \
    .name = "manifold", .default_value = "true", .type = SN_PARAM_BOOL,                       \
    .summary = "false: one contact point of a flat contact, unless the model sets the flag "  \
               "multiccd, as MuJoCo 2.2.2",                                                   \
  }

#endif
