// SPDX-License-Identifier: Apache-2.0
//
// What the files of this collider share: the grid, in the frame of the field.
//
//   y                 x of column c: (2 c / (ncol - 1) - 1) half x; y of row r likewise
//   |   +----+        each cell is two prisms, divided along the diagonal from its corner at the
//   | r | .' |        lowest row and column: first the upper left triangle, then the lower right
//   |   +----+        a prism reaches from the heights of its corners down to -base
//   +-----c------ x

#ifndef HFIELD_H
#define HFIELD_H

#include "convex.h"

// A shape in the frame of the field. It refers to its own pose: it must not be copied.
typedef struct hfield_local {
  sn_shape shape;
  double pos[3], mat[9];
} hfield_local;

// Cells [row, row_end) x [col, col_end).
typedef struct hfield_window {
  int64_t row, row_end, col, col_end;
} hfield_window;

static inline double hfield_x(const sn_hfield_view *f, int64_t col) {
  return 2 * f->extent[0] / (double)(f->ncol - 1) * (double)col - f->extent[0];
}

static inline double hfield_y(const sn_hfield_view *f, int64_t row) {
  return 2 * f->extent[1] / (double)(f->nrow - 1) * (double)row - f->extent[1];
}

static inline double hfield_z(const sn_hfield_view *f, int64_t row, int64_t col) {
  return f->data[row * f->ncol + col] * f->extent[2];
}

// The three corners of half a cell at their heights.
static inline void hfield_triangle(const sn_hfield_view *f, int64_t row, int64_t col, int half,
                                   double corner[3][3]) {
  static const int offset[2][3][2] = { { { 1, 0 }, { 0, 0 }, { 1, 1 } },
                                       { { 0, 0 }, { 1, 1 }, { 0, 1 } } };
  for (int i = 0; i < 3; i++) {
    int64_t r = row + offset[half][i][0], c = col + offset[half][i][1];
    corner[i][0] = hfield_x(f, c);
    corner[i][1] = hfield_y(f, r);
    corner[i][2] = hfield_z(f, r, c);
  }
}

// The index of a cell from a coordinate along an axis, in cells; NaN gives 0.
static inline int64_t hfield_cell(double x, int64_t last) {
  if (!(x > 0)) {
    return 0;
  }
  return x < (double)last ? (int64_t)x : last;
}

// The cells that overlap a rectangle.
void hfield_cells(const sn_hfield_view *f, const double *low, const double *high,
                  hfield_window *out);

void hfield_to_local(hfield_local *l, const sn_shape *field, const sn_shape *shape);

// The bounds of a local shape, widened by the margin.
void hfield_bounds(const convex *c, double margin, double *low, double *high);

// The prism below a triangle. point: 6 x 3, set to its corners, the top first; the operand refers
// to them.
void hfield_prism(const sn_hfield_view *f, const double corner[3][3], double *point, convex *out);

// distance.c: the operation `distance` of collider.h.
sn_status hfield_distance(const void *self, const sn_shape *first, const sn_shape *second,
                          double limit, double *distance, double *point1, double *point2,
                          sn_scratch *scratch);

// ray.c: the operation `ray` of collider.h, for height fields.
sn_status hfield_ray(const void *self, const sn_shape *shape, const double *origin,
                     const double *direction, double *distance);

#endif
