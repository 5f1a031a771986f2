// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.collider/1: computes the contact points of pairs of shapes. One call gets a batch of
// pairs that all have the same two geom types. A collider is an algorithm of the narrow phase, not
// a shape. It does not depend on an engine: it receives plain data.
//
// Requirements, which `sinew plugins check` tests:
//   - if the two shapes are swapped, the deepest contact point has the opposite normal and the same
//     depth. Exception: two boxes in edge-edge contact may get different contact points;
//   - if both shapes undergo the same rigid motion, the contact points move with them;
//   - the results for a batch are deterministic, bit for bit;
//   - a collider that lists both types by name computes exact distances and exact depths of shallow
//     penetrations, unless one shape is a height field, both are boxes or meshes, or one is
//     defined by a plugin and the other is not a plane;
//   - shapes of plugins are handled, by their support function or by formulas for their type, or
//     declined (SN_EUNSUPPORTED);
//   - the depth of the deepest contact point varies continuously with the poses;
//   - degenerate shapes (of size zero, or one inside the other) never produce NaN.

#ifndef SINEW_COLLIDER_H
#define SINEW_COLLIDER_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_COLLIDER "sinew.collider/1"

// A node of a bounding-volume tree. The root is the first node.
typedef struct sn_tree_node {
  double lo[3], hi[3];   // corners of a box around all items below the node
  int32_t first;         // leaf: its first item; else the first of its two children, which follow
                         // each other in the array of nodes
  int32_t count;         // leaf: number of its items; else 0
} sn_tree_node;
SN_LAYOUT(sn_tree_node, 56);

// A triangle mesh in its own frame. Colliders treat it as the convex hull of its vertices; rays
// are tested against its faces.
typedef struct sn_mesh_view {
  uint32_t size;
  uint32_t reserved;
  int64_t nvert, nface;
  const double *vert;     // nvert x 3
  const int32_t *face;    // nface x 3
  int64_t ngraph;         // 0: no vertex graph of the convex hull was computed
  const int32_t *graph;   // ngraph; vertex graph of the hull, layout in mesh.h
  int64_t nnode;              // 0: there is no tree of the faces
  const sn_tree_node *node;   // nnode; tree of the faces; at most 64 levels
  const int32_t *node_face;   // nface; the items of the tree: indices of faces
} sn_mesh_view;
SN_LAYOUT(sn_mesh_view, 80);

// A height field in its own frame.
typedef struct sn_hfield_view {
  uint32_t size;
  uint32_t reserved;
  int64_t nrow, ncol;
  const double *data;   // nrow x ncol heights in [0, 1], row 0 at the smallest y
  double extent[4];     // half length along x and y; elevation of height 1; depth below height 0
} sn_hfield_view;
SN_LAYOUT(sn_hfield_view, 64);

// A shape that a plugin defines, see shape.h: a convex solid that is given by its support function,
//
//   user->ops->support(user->self, user->data, direction, point)
//
// If it returns a point that is not finite, which is an error of the shape, the host ends the step
// with an error that names the shape, whatever the collider returns.
//
// A collider that computes exact contact points for such a shape identifies the shape by `type`,
// and reads its sizes from `data`.
struct sn_shape_ops;
typedef struct sn_user_shape {
  uint32_t size;
  uint32_t reserved;
  const char *type;                 // name of the provider
  const struct sn_shape_ops *ops;   // support, and ray or NULL; the others are NULL
  const void *self;                 // argument of support and ray
  const void *data;                 // created by sn_shape_ops.make
} sn_user_shape;
SN_LAYOUT(sn_user_shape, 40);

// A geometric shape and its pose. The pose is given by pointers into geom_xpos and geom_xmat, or
// into arrays of the caller, so that the host does not copy poses.
typedef struct sn_shape {
  int32_t type;                   // SN_GEOM_*
  int32_t id;                     // of the geom; -1: it is not one. For messages and caches
  double size[3];                 // see SN_GEOM_* in enums.h
  const double *pos;              // 3, global
  const double *mat;              // 9, row-major, local to global
  const sn_mesh_view *mesh;       // for meshes
  const sn_hfield_view *hfield;   // for height fields
  const sn_user_shape *user;      // for shapes of plugins
} sn_shape;
SN_LAYOUT(sn_shape, 72);

// One point of contact between the shapes of a pair.
typedef struct sn_contact_point {
  int32_t pair;           // index in the batch
  // Identifies the point among the contact points of this pair: the number stays the same from step
  // to step as long as the same vertices, edges and faces touch. Positive, in any encoding; 0: not
  // known.
  int32_t feature;
  double dist;            // signed; negative: penetration. At most the margin of the pair
  double pos[3];          // midway between the surfaces, global
  double normal[3];       // unit, from the first shape to the second
  double tangent[3];      // preferred first tangent, made orthogonal by the host; zeros: none
} sn_contact_point;
SN_LAYOUT(sn_contact_point, 88);

enum {   // sn_batch.flags
  // The model enables multiccd. Colliders of general convex shapes then return several points where
  // faces or edges meet; without the flag they may return one.
  SN_BATCH_MULTICONTACT = 1
};

// Pairs of shapes of the same two types, which one call processes. For shapes defined by plugins,
// the types of the plugins are equal too: first[i].user->type is the same for all i, and so is
// second[i].user->type.
typedef struct sn_batch {
  uint32_t size;
  uint32_t flags;
  int64_t n;                // number of pairs; all have the types of first[0] and second[0]
  const sn_shape *first;    // n
  const sn_shape *second;   // n
  const double *margin;     // n; contact points up to this distance are requested, m
  double tolerance;         // of iterative methods, m
  int64_t iterations;       // limit of iterative methods
} sn_batch;
SN_LAYOUT(sn_batch, 56);

// The output of a batch.
typedef struct sn_contact_list {
  uint32_t size;
  // Written by a collider that limits its number of contact points: the number that it omitted, or
  // a lower bound on it.
  uint32_t dropped;
  int64_t capacity;
  int64_t count;             // written: number of contact points, even if above the capacity
  sn_contact_point *point;   // capacity; written in ascending order of `pair`
} sn_contact_list;
SN_LAYOUT(sn_contact_list, 32);

// For colliders: adds a contact point; if the list is full, only counts it.
static inline void sn_contact_list_add(sn_contact_list *list, const sn_contact_point *point) {
  if (list->count < list->capacity) {
    list->point[list->count] = *point;
  }
  list->count++;
}

// For colliders: the status that `collide` returns at its end.
static inline sn_status sn_contact_list_status(const sn_contact_list *list) {
  return list->count > list->capacity ? SN_MORE : SN_OK;
}

// A pair of geom types that a collider supports, by name ("sphere", "box" ...), with first <=
// second in the order of SN_GEOM_*. "convex" means every convex type from "sphere" to "mesh";
// shapes of plugins are "user". A host ignores pairs with types that it does not know.
typedef struct sn_collider_pair {
  const char *first;
  const char *second;
} sn_collider_pair;
SN_LAYOUT(sn_collider_pair, 16);

// The operations of a collider.
typedef struct sn_collider_ops {
  sn_ops head;
  const sn_collider_pair *pairs;   // ends with { NULL, NULL }
  int32_t max_points;              // largest number of contact points of one pair
  int32_t reserved;
  // [step] Computes the contact points of a batch. Returns SN_OK, or SN_MORE if there are more than
  // the capacity: the host increases it and calls again. SN_EUNSUPPORTED: it declines the batch,
  // such as one with a shape of a plugin that it does not know. The host then calls the next
  // collider that supports the types: first those of the plugins that define the shapes, then those
  // that name both types, then the others. If none is left, the step fails.
  sn_status (*collide)(const void *self, const sn_batch *batch, sn_contact_list *out,
                       sn_scratch *scratch);
  // [any] optional, for sn_geom_distance. Signed distance of one pair, m, and its nearest points (3
  // numbers each, global). If the distance is not below the limit: the limit, and zeros.
  // SN_EUNSUPPORTED: not available for these types.
  sn_status (*distance)(const void *self, const sn_shape *first, const sn_shape *second,
                        double limit, double *distance, double *point1, double *point2,
                        sn_scratch *scratch);
  // [any] optional. Distance along a ray to the surface of the shape, m; from a point inside, to
  // where the ray leaves it. Origin and unit direction are global; *distance is -1 where the ray
  // misses the shape. SN_EUNSUPPORTED: not available for this type.
  sn_status (*ray)(const void *self, const sn_shape *shape, const double *origin,
                   const double *direction, double *distance);
} sn_collider_ops;
SN_LAYOUT(sn_collider_ops, 80);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_COLLIDER(name, ops) SN_PROVIDE(SN_KIND_COLLIDER, name, sn_collider_ops, ops)

SN_END_DECLS

#endif
