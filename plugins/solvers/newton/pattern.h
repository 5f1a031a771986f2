// SPDX-License-Identifier: Apache-2.0
//
// Where the numbers of the Hessian H = M + J' C J and of its factor stand.
//
// Dofs come in stretches: unbranched parts of the kinematic tree, on which M is dense anyway and
// which are eliminated as a whole (order.c). `place` numbers the dofs in the order of elimination,
// in a stretch from the last dof to the first, so that column i of H along the tree is row i of M
// as it is stored. Stretches whose columns have (almost) the same rows are joined in a node
// (pattern.c). The panel of a node holds its columns of the factor: first its own rows, then those
// of later nodes that it is coupled with, as intervals of places, each within one node:
//
//             columns of node k
//           +-----------+
//     k     | \         |     size
//           +-----------+
//  below[0] |           |     length of the first interval below
//  below[1] |           |     ...
//           +-----------+     rows m, padded to ld; stored by columns

#ifndef NEWTON_PATTERN_H
#define NEWTON_PATTERN_H

#include "common/groups.h"

typedef struct interval {
  int32_t place, length;
  int32_t row;    // of its first place, in the panel
  int32_t node;   // that its places are of
} interval;

typedef struct node {
  int32_t place, size;   // places place ... place + size - 1
  int32_t m, ld;         // rows of the panel, padded
  int32_t nbelow;
  int32_t reserved;
  const interval *below;   // ascending
  int64_t panel;           // offset of the panel
} node;

typedef struct pattern {
  int64_t nv, nnode;
  int64_t size;      // numbers of all panels
  int32_t tallest;   // padded rows of the tallest panel
  int32_t widest;    // columns of the widest panel
  int32_t most;      // most intervals below a node
  int32_t reserved;
  node *at;           // nnode, in the order of elimination
  int32_t *node_of;   // nv, by dof
  int32_t *place;     // nv, by dof
  int32_t *stretch;   // nv, by dof: the first dof of its stretch
} pattern;

// dense: one node of all dofs. SN_ENOMEM, like all that takes memory here.
sn_status pattern_make(pattern *p, const sn_inertia *tree, const groups *g, int dense,
                       sn_scratch *mem);

// The row of a place in the panel of node k: of the node itself, or below it.
int32_t pattern_row(const pattern *p, int32_t k, int32_t place);

// ------------------------------------------------------------------ order.c

typedef struct stretches {
  int32_t n;
  int32_t reserved;
  int32_t *first, *size;   // n, by first dof
  int32_t *parent;         // n; -1 at a root
  int32_t *of;             // nv
} stretches;

// The order in which stretches are eliminated, and what each is coupled with then.
typedef struct elimination {
  int32_t *order;    // n
  int32_t *nbelow;   // n, by stretch
  int32_t **below;   // n, by stretch: stretches, in any order
} elimination;

sn_status find_stretches(const sn_inertia *tree, stretches *t, sn_scratch *mem);
sn_status find_order(const stretches *t, const groups *g, elimination *e, sn_scratch *mem);

#endif
