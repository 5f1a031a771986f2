// SPDX-License-Identifier: Apache-2.0
//
// What the files about two boxes share: the axis along which they overlap least.

#ifndef BOX_H
#define BOX_H

#include "primitive.h"

// The second box in the frame of the first: where it is, how it is turned (columns: its axes).
typedef struct box_pose {
  double pos[3], mat[9];
  double pos_b[3];    // of the second minus the first, in the frame of the second
  double cosine[9];   // absolute values of mat
} box_pose;

typedef struct box_axis {
  double local[3];     // in the frame of the first box, from the first to the second
  double separation;   // negative: they overlap
  int owner;           // 0, 1: a face of the first or second; -1: two edges
  int edge[2];         // of two edges: the axes of the first and second box along them
} box_axis;

// Returns 0 when the boxes are farther apart than the margin along some axis.
int box_axis_find(const sn_shape *a, const sn_shape *b, double margin, box_pose *r, box_axis *best);

#endif
