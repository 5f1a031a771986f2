// SPDX-License-Identifier: Apache-2.0
//
// A binary tree of boxes over things that do not move against each other, made once: split at the
// median of the longest side, so its depth is at most the logarithm of their number.

#include <stdlib.h>

#include "contact/bvh.h"
#include "contact/collision.h"

enum { BVH_DEPTH = 64 };

typedef struct bvh_build {
  si_bvh *bvh;
  int32_t leaf;        // most items of one
  const double *box;   // n x 6
  int32_t *order;      // n: indices of boxes, permuted
  si_sort_key *key, *work;
} bvh_build;

static void box_join(double *lo, double *hi, const double *box) {
  for (int k = 0; k < 3; k++) {
    lo[k] = sn_min(box[k], lo[k]);
    hi[k] = sn_max(box[3 + k], hi[k]);
  }
}

// Puts that half of order[first, first + n) first whose centers are lower along the longest side of
// the node.
static void split_node(bvh_build *build, const sn_tree_node *node, int32_t first, int32_t n) {
  int axis = 0;
  for (int k = 1; k < 3; k++) {
    if (node->hi[k] - node->lo[k] > node->hi[axis] - node->lo[axis]) {
      axis = k;
    }
  }
  for (int32_t i = 0; i < n; i++) {
    int32_t item = build->order[first + i];
    const double *box = build->box + 6 * (int64_t)item;
    build->key[i] = (si_sort_key){ si_sort_bits(box[axis] + box[3 + axis]), (uint64_t)item, item };
  }
  si_select_keys(build->key, build->work, n, n / 2);
  for (int32_t i = 0; i < n; i++) {
    build->order[first + i] = (int32_t)build->key[i].index;
  }
}

static void build_node(bvh_build *build, int32_t index, int32_t first, int32_t n) {
  sn_tree_node *node = &build->bvh->node[index];
  for (int k = 0; k < 3; k++) {
    node->lo[k] = INFINITY;
    node->hi[k] = -INFINITY;
  }
  for (int32_t i = 0; i < n; i++) {
    box_join(node->lo, node->hi, build->box + 6 * (int64_t)build->order[first + i]);
  }
  if (n <= build->leaf) {
    node->first = first;
    node->count = n;
    return;
  }
  split_node(build, node, first, n);
  node->first = build->bvh->nnode;
  node->count = 0;
  build->bvh->nnode += 2;
  build_node(build, node->first, first, n / 2);
  build_node(build, node->first + 1, first + n / 2, n - n / 2);
}

// Nodes over n items.
static size_t node_count(int32_t n, int32_t leaf) {
  return n <= leaf ? 1 : 1 + node_count(n / 2, leaf) + node_count(n - n / 2, leaf);
}

static void make(si_bvh *bvh, int32_t n, const int32_t *item, const double *box, int32_t leaf,
                 const si_bvh_room *room) {
  bvh_build build = {
    .bvh = bvh, .leaf = leaf, .box = box, .order = room->order, .key = room->key, .work = room->work
  };
  bvh->nitem = bvh->nnode = 0;
  if (n <= 0) {
    return;
  }
  for (int32_t i = 0; i < n; i++) {
    build.order[i] = i;
  }
  bvh->nitem = n;
  bvh->nnode = 1;
  build_node(&build, 0, 0, n);
  for (int32_t i = 0; i < n; i++) {
    bvh->item[i] = item[build.order[i]];
  }
}

sn_status si_bvh_new(si_bvh *bvh, int32_t n, const int32_t *item, const double *box, int32_t leaf,
                     sn_error *error) {
  *bvh = (si_bvh){ 0 };
  if (n <= 0) {
    return SN_OK;
  }
  size_t count = (size_t)n;
  bvh->node = calloc(node_count(n, leaf), sizeof *bvh->node);
  bvh->item = calloc(count, sizeof *bvh->item);
  const si_bvh_room room = { calloc(count, sizeof *room.order), calloc(count, sizeof *room.key),
                             calloc(count, sizeof *room.work) };
  sn_status status = SN_OK;
  if (!bvh->node || !bvh->item || !room.order || !room.key || !room.work) {
    status = si_fail(error, SN_ENOMEM, "out of memory for the bounding-volume tree of %d items",
                     (int)n);
  } else {
    make(bvh, n, item, box, leaf, &room);
  }
  free(room.order);
  free(room.key);
  free(room.work);
  return status;
}

void si_bvh_make(si_bvh *bvh, int32_t n, const int32_t *item, const double *box,
                 const si_bvh_room *room) {
  make(bvh, n, item, box, SI_BVH_GEOMS, room);
}

void si_bvh_free(si_bvh *bvh) {
  free(bvh->node);
  free(bvh->item);
  *bvh = (si_bvh){ 0 };
}

static inline int boxes_meet(const sn_tree_node *node, const double *lo, const double *hi) {
  return node->lo[0] <= hi[0] && lo[0] <= node->hi[0] && node->lo[1] <= hi[1] &&
         lo[1] <= node->hi[1] && node->lo[2] <= hi[2] && lo[2] <= node->hi[2];
}

void si_bvh_query(const si_bvh *bvh, const double *lo, const double *hi,
                  void (*visit)(void *context, int32_t item), void *context) {
  int32_t stack[BVH_DEPTH];
  int depth = 0;
  if (bvh->nnode) {
    stack[depth++] = 0;
  }
  while (depth > 0) {
    const sn_tree_node *node = &bvh->node[stack[--depth]];
    if (!boxes_meet(node, lo, hi)) {
      continue;
    }
    if (node->count == 0) {
      stack[depth++] = node->first + 1;
      stack[depth++] = node->first;
      continue;
    }
    for (int32_t i = 0; i < node->count; i++) {
      visit(context, bvh->item[node->first + i]);
    }
  }
}
