// SPDX-License-Identifier: Apache-2.0
//
// The prisms of a height field, and shapes in its frame.

#include "hfield.h"

static const double origin[3] = { 0, 0, 0 };
static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
static const sn_shape local_frame = { .type = SN_GEOM_HFIELD, .pos = origin, .mat = identity };

void hfield_to_local(hfield_local *l, const sn_shape *field, const sn_shape *shape) {
  double to[3];
  l->shape = *shape;
  l->shape.pos = l->pos;
  l->shape.mat = l->mat;
  sn_sub3(to, shape->pos, field->pos);
  sn_mul_matT_vec3(l->pos, field->mat, to);
  sn_mul_matT_mat3(l->mat, field->mat, shape->mat);
}

void hfield_bounds(const convex *c, double margin, double *low, double *high) {
  for (int k = 0; k < 3; k++) {
    for (int side = -1; side <= 1; side += 2) {
      double axis[3] = { 0 }, point[3];
      axis[k] = side;
      convex_support(c, axis, point);
      *(side < 0 ? &low[k] : &high[k]) = point[k] + side * margin;
    }
  }
}

// ------------------------------------------------------------------ cells

// The first cell that overlaps an interval along an axis, and the one after the last. An interval
// that ends at the border of a cell does not overlap it.
static int64_t first_cell(double low, double half, int64_t n) {
  return hfield_cell(floor((low + half) / (2 * half) * (double)(n - 1)), n - 2);
}

static int64_t end_cell(double high, double half, int64_t n) {
  return hfield_cell(ceil((high + half) / (2 * half) * (double)(n - 1)), n - 1);
}

void hfield_cells(const sn_hfield_view *f, const double *low, const double *high,
                  hfield_window *out) {
  *out = (hfield_window){ 0 };
  if (f->nrow < 2 || f->ncol < 2 || !(low[0] <= f->extent[0] && high[0] >= -f->extent[0]) ||
      !(low[1] <= f->extent[1] && high[1] >= -f->extent[1])) {
    return;
  }
  out->col = first_cell(low[0], f->extent[0], f->ncol);
  out->col_end = end_cell(high[0], f->extent[0], f->ncol);
  out->row = first_cell(low[1], f->extent[1], f->nrow);
  out->row_end = end_cell(high[1], f->extent[1], f->nrow);
}

void hfield_prism(const sn_hfield_view *f, const double corner[3][3], double *point, convex *out) {
  double center[3] = { 0 };
  for (int i = 0; i < 3; i++) {
    double *top = point + 3 * i, *bottom = point + 9 + 3 * i;
    sn_copy3(top, corner[i]);
    sn_copy3(bottom, corner[i]);
    bottom[2] = -f->extent[3];
    sn_add3(center, center, bottom);
  }
  for (int i = 0; i < 3; i++) {
    sn_add3(center, center, corner[i]);
  }
  sn_scale3(center, center, 1.0 / 6);
  convex_of_prism(out, point, center, &local_frame);
}
