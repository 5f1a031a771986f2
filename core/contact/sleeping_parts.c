// SPDX-License-Identifier: Apache-2.0
//
// The rigid parts of what sleeps, in a tree of boxes that is kept from step to step: what moves
// asks it, and nothing is done for what sleeps. It follows from which roots sleep and where, and is
// made again when that changes.

#include <stdlib.h>

#include "contact/collision.h"
#include "data/sleep.h"

struct si_sleeping_parts {
  int64_t version;      // of what sleeps, that the tree is of
  int32_t capacity;     // parts
  int32_t *part;        // capacity: indices of rigid parts that sleep
  double *box;          // capacity x 6
  si_bvh_room room;
  si_bvh tree;
};

static struct si_sleeping_parts *parts_new(int32_t n) {
  const size_t count = (size_t)n, head = (sizeof(struct si_sleeping_parts) + 15) / 16 * 16;
  const size_t boxes = count * 6 * sizeof(double), keys = count * sizeof(si_sort_key);
  const size_t nodes = count * sizeof(sn_tree_node), ints = count * sizeof(int32_t);
  char *at = calloc(1, head + boxes + 2 * keys + nodes + 3 * ints);
  struct si_sleeping_parts *p = (void *)at;
  if (p) {
    p->version = -1;
    p->capacity = n;
    at += head;
    p->box = (double *)(void *)at;
    at += boxes;
    p->room.key = (si_sort_key *)(void *)at;
    at += keys;
    p->room.work = (si_sort_key *)(void *)at;
    at += keys;
    p->tree.node = (sn_tree_node *)(void *)at;
    at += nodes;
    p->tree.item = (int32_t *)(void *)at;
    at += ints;
    p->room.order = (int32_t *)(void *)at;
    at += ints;
    p->part = (int32_t *)(void *)at;
  }
  return p;
}

static void make_tree(const sn_model *m, const sn_data *d, struct si_sleeping_parts *p) {
  const struct si_broadphase *b = m->bound.broadphase;
  int32_t n = 0;
  for (int32_t i = 0; i < (int32_t)b->nrigid; i++) {
    if (si_part_asleep(d, &b->rigid[i])) {
      double center[3], reach;
      si_part_sphere(m, d, &b->rigid[i], center, &reach);
      for (int k = 0; k < 3; k++) {
        p->box[6 * (int64_t)n + k] = center[k] - reach;
        p->box[6 * (int64_t)n + 3 + k] = center[k] + reach;
      }
      p->part[n++] = i;
    }
  }
  si_bvh_make(&p->tree, n, p->part, p->box, &p->room);
  p->version = d->sleep.version;
}

const si_bvh *si_sleeping_parts(const sn_model *m, sn_data *d) {
  const int32_t n = (int32_t)m->bound.broadphase->nrigid;
  if (d->sleep.parts && d->sleep.parts->capacity < n) {
    free(d->sleep.parts);
    d->sleep.parts = NULL;
  }
  if (!d->sleep.parts && !(d->sleep.parts = parts_new(n))) {
    return NULL;
  }
  if (d->sleep.parts->version != d->sleep.version) {
    make_tree(m, d, d->sleep.parts);
  }
  return &d->sleep.parts->tree;
}
