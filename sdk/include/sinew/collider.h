// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.collider/1: contact points between pairs of shapes, a batch of one pair of types at
// a time. No engine needed: shapes are numbers.
//
// Laws:
//   - swapping the two shapes flips the normal of the deepest contact point and keeps its depth,
//     except for boxes that meet with their edges, where the contact points may be other corners;
//   - a rigid motion of both shapes moves the contact points with them;
//   - the same batch gives the same bits;
//   - a collider that names both types gives exact distances and exact shallow depths, unless one
//     is a height field or both are boxes or meshes;
//   - the deepest contact point varies continuously with the poses;
//   - degenerate shapes (without extent, or inside one another) never produce NaN.

#ifndef SINEW_COLLIDER_H
#define SINEW_COLLIDER_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_COLLIDER "sinew.collider/1"

// A triangle mesh in its own frame. Colliders treat it as the convex hull of its vertices.
typedef struct sn_mesh_view {
  int64_t nvert, nface;
  const double *vert;     // nvert x 3
  const int32_t *face;    // nface x 3
  int64_t ngraph;         // 0: no hull was made
  const int32_t *graph;   // vertex graph of the hull, layout in mesh.h
} sn_mesh_view;
SN_LAYOUT(sn_mesh_view, 48);

// A height field: nrow x ncol heights in [0, 1], row 0 at -y; size: half x, half y, top, base.
typedef struct sn_hfield_view {
  int64_t nrow, ncol;
  const double *data;
  double size[4];
} sn_hfield_view;
SN_LAYOUT(sn_hfield_view, 56);

typedef struct sn_shape {
  int32_t type;                   // SN_GEOM_*
  int32_t id;                     // stable between calls; for messages and caches
  double size[3];
  const double *pos;              // 3, global
  const double *mat;              // 9, row-major, local to global
  const sn_mesh_view *mesh;       // for meshes
  const sn_hfield_view *hfield;   // for height fields
} sn_shape;
SN_LAYOUT(sn_shape, 64);

// One point of contact between the shapes of a pair.
typedef struct sn_contact_point {
  int32_t pair;           // index in the batch
  int32_t reserved;
  double dist;            // signed; negative: penetration. At most the margin of the pair
  double pos[3];          // half way between the surfaces, global
  double normal[3];       // unit, from the first shape to the second
  double tangent[3];      // second axis of the contact frame, the core makes it orthogonal; 0: any
} sn_contact_point;
SN_LAYOUT(sn_contact_point, 88);

enum {                   // sn_batch.flags
  SN_BATCH_MULTI = 1     // general convex pairs: all contact points of a flat contact, not one
};

typedef struct sn_batch {
  uint32_t size;
  uint32_t flags;
  int64_t n;                // pairs; all have the types (first[0].type, second[0].type)
  const sn_shape *first;    // n
  const sn_shape *second;   // n
  const double *margin;     // n; contact points up to this distance are wanted
  double tolerance;         // of iterative methods, length
  int64_t iterations;       // limit of iterative methods
  double *cache;            // n x cache_reals of the operations, kept between calls; NULL: none is.
                            // The host of ABI 1 always passes NULL: a step depends on nothing but
                            // the state
} sn_batch;
SN_LAYOUT(sn_batch, 64);

// The output of a batch.
typedef struct sn_contact_list {
  uint32_t size;
  uint32_t dropped;   // written by a collider with a limit of its own: it left out at least
                      // so many contact points
  int64_t capacity;
  int64_t count;             // written; above capacity: how many are needed
  sn_contact_point *point;   // capacity; ordered by pair
} sn_contact_list;
SN_LAYOUT(sn_contact_list, 32);

// For colliders: adds a contact point, or only counts it when the capacity is exhausted.
static inline void sn_contact_list_add(sn_contact_list *list, const sn_contact_point *point) {
  if (list->count < list->capacity) {
    list->point[list->count] = *point;
  }
  list->count++;
}

// For colliders: what `collide` returns at its end.
static inline sn_status sn_contact_list_status(const sn_contact_list *list) {
  return list->count > list->capacity ? SN_MORE : SN_OK;
}

// A pair of types that a collider serves: documented type names, first <= second in the order of
// SN_GEOM_*; "convex" stands for every convex type.
typedef struct sn_collider_pair {
  const char *first;
  const char *second;
} sn_collider_pair;
SN_LAYOUT(sn_collider_pair, 16);

typedef struct sn_collider_ops {
  sn_ops head;
  const sn_collider_pair *pairs;   // ends with { NULL, NULL }
  int32_t max_points;              // a pair
  int32_t cache_reals;             // numbers a pair in sn_batch.cache; no host of ABI 1 keeps any
  // [step] SN_OK, or SN_MORE when the contact points exceed the capacity: the host increases it
  // and calls again.
  sn_status (*collide)(const void *self, const sn_batch *batch, sn_contact_list *out,
                       sn_scratch *scratch);
  // [any] optional, for sn_geom_distance. Signed distance of one pair, with the nearest points (3
  // each, global); `limit` and zeros when it is not below the limit. SN_EUNSUPPORTED: not of these
  // types.
  sn_status (*distance)(const void *self, const sn_shape *first, const sn_shape *second,
                        double limit, double *distance, double *point1, double *point2,
                        sn_scratch *scratch);
  // [any] optional. Distance along a ray of unit direction to the shape; -1: no hit, as for all
  // rays to a type that it has none for.
  double (*ray)(const void *self, const sn_shape *shape, const double *origin,
                const double *direction);
} sn_collider_ops;
SN_LAYOUT(sn_collider_ops, 80);

SN_END_DECLS

#endif
