// SPDX-License-Identifier: Apache-2.0
//
// The axis of least overlap of two boxes, of the six face normals and the nine products of edges
// (Gottschalk, Lin, Manocha, OBBTree, 1996).

#include "box.h"

static void relate(const sn_shape *a, const sn_shape *b, box_pose *r) {
  double to[3];
  sn_sub3(to, b->pos, a->pos);
  sn_mul_matT_vec3(r->pos, a->mat, to);
  sn_mul_matT_vec3(r->pos_b, b->mat, to);
  sn_mul_matT_mat3(r->mat, a->mat, b->mat);
  for (int k = 0; k < 9; k++) {
    r->cosine[k] = fabs(r->mat[k]);
  }
}

// Each returns 0 when the boxes are farther apart than the margin along one of its axes. Of equal
// ones the first is taken: axis 0 of the first box, of the second, axis 1 of the first ...
static int try_faces(const sn_shape *a, const sn_shape *b, const box_pose *r, double margin,
                     box_axis *best) {
  const double *C = r->cosine;
  for (int k = 0; k < 6; k++) {
    int i = k / 2, owner = k % 2;
    const double *own = owner ? b->size : a->size, *other = owner ? a->size : b->size;
    double distance = owner ? r->pos_b[i] : r->pos[i];
    double reach = owner ? C[i] * other[0] + C[3 + i] * other[1] + C[6 + i] * other[2]
                         : C[3 * i] * other[0] + C[3 * i + 1] * other[1] + C[3 * i + 2] * other[2];
    double separation = fabs(distance) - own[i] - reach;
    if (separation > margin) {
      return 0;
    }
    if (separation > best->separation) {
      *best = (box_axis){ .separation = separation, .owner = owner };
      for (int j = 0; j < 3; j++) {
        double axis = owner ? r->mat[3 * j + i] : i == j;
        best->local[j] = distance < 0 ? -axis : axis;
      }
    }
  }
  return 1;
}

static int try_edges(const sn_shape *a, const sn_shape *b, const box_pose *r, double margin,
                     box_axis *best) {
  const double parallel = 1e-12;   // of the squared sine between two edges
  const double better = 1e-12;     // part by which an overlap must be less to be taken instead
  const double *C = r->cosine;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      // the product of axis i of the first and axis j of the second
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      double x1 = -r->mat[3 * i2 + j], x2 = r->mat[3 * i1 + j], square = x1 * x1 + x2 * x2;
      if (square < parallel) {
        continue;
      }
      double length = sqrt(square), distance = (x1 * r->pos[i1] + x2 * r->pos[i2]) / length;
      double reach = a->size[i1] * C[3 * i2 + j] + a->size[i2] * C[3 * i1 + j] +
                     b->size[j1] * C[3 * i + j2] + b->size[j2] * C[3 * i + j1];
      double separation = fabs(distance) - reach / length;
      if (separation > margin) {
        return 0;
      }
      if (separation > best->separation * (1 - better)) {
        *best = (box_axis){ .separation = separation, .owner = -1, .edge = { i, j } };
        best->local[i1] = (distance < 0 ? -x1 : x1) / length;
        best->local[i2] = (distance < 0 ? -x2 : x2) / length;
      }
    }
  }
  return 1;
}

int box_axis_find(const sn_shape *a, const sn_shape *b, double margin, box_pose *r,
                  box_axis *best) {
  *best = (box_axis){ .separation = -INFINITY };
  relate(a, b, r);
  return try_faces(a, b, r, margin, best) && try_edges(a, b, r, margin, best);
}
