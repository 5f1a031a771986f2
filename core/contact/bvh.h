// SPDX-License-Identifier: Apache-2.0
//
// Bounding-volume trees over things that do not move against each other: the geoms of a rigid part,
// the faces of a mesh.

#ifndef SI_CONTACT_BVH_H
#define SI_CONTACT_BVH_H

#include "sinew/collider.h"
#include "sinew/sinew.h"

typedef struct si_bvh {
  int32_t nnode, nitem;
  sn_tree_node *node;   // nnode; none when there are no items
  int32_t *item;        // nitem, those of a leaf in a row
} si_bvh;

// Most items of a leaf: geoms, which are more expensive than boxes; faces of a mesh, of which there
// are many, so that boxes of few would take more memory than the mesh.
enum { SI_BVH_GEOMS = 4, SI_BVH_FACES = 8 };

// box: n x 6, the lower and the upper corner of each item; item: n numbers that stand for them.
sn_status si_bvh_new(si_bvh *bvh, int32_t n, const int32_t *item, const double *box, int32_t leaf,
                     sn_error *error);
void si_bvh_free(si_bvh *bvh);
// The same in memory of the caller: the nodes (n) and items (n) of bvh, and room for n items.
typedef struct si_bvh_room {
  int32_t *order;
  struct si_sort_key *key, *work;
} si_bvh_room;
void si_bvh_make(si_bvh *bvh, int32_t n, const int32_t *item, const double *box,
                 const si_bvh_room *room);
// Calls visit for each item whose leaf meets the box.
void si_bvh_query(const si_bvh *bvh, const double *lo, const double *hi,
                  void (*visit)(void *context, int32_t item), void *context);

#endif
