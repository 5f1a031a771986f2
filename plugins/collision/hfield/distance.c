// SPDX-License-Identifier: Apache-2.0
//
// The signed distance of a height field and a convex shape: that of the nearest of its prisms, or
// of the prism that the shape is deepest in, by the method of the collider `gjk`.
//
//   1  the cell below, or nearest to, the center of the shape gives a first bound
//   2  all cells whose box is nearer to the box of the shape than the bound are tried, and each of
//      their prisms may lower the bound
//
//            .---.
//            |   |  shape, its box
//      ......'---'......   bound
//      _|___|_-_|-__|__|   prisms

#include "gjk/gjk.h"
#include "hfield.h"

static const double tolerance = 1e-10;   // of the distance, m; the default of `gjk`
static const int64_t iterations = 100;   // limit for a prism; the default of `gjk`

typedef struct search {
  const sn_hfield_view *field;
  convex shape;
  minkowski pair;
  double low[3], high[3];
  double best;
  int found;
  separation at;
} search;

// The distance between the boxes of the shape and of a prism; 0: they overlap.
static double box_distance(const search *s, const double corner[3][3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double low = fmin(corner[0][k], fmin(corner[1][k], corner[2][k]));
    double high = fmax(corner[0][k], fmax(corner[1][k], corner[2][k]));
    double gap = fmax(fmax((k == 2 ? -s->field->extent[3] : low) - s->high[k], s->low[k] - high),
                      0);
    square += gap * gap;
  }
  return sqrt(square);
}

static void try_cell(search *s, int64_t row, int64_t col) {
  for (int half = 0; half < 2; half++) {
    double corner[3][3], point[18];
    separation found;
    hfield_triangle(s->field, row, col, half, corner);
    double apart = box_distance(s, (const double(*)[3])corner);
    if (apart > 0 && apart >= s->best) {
      continue;
    }
    hfield_prism(s->field, (const double(*)[3])corner, point, &s->pair.a);
    s->pair.b = s->shape;
    minkowski_start(&s->pair);
    s->pair.tolerance = fmax(tolerance, minkowski_rounding * s->pair.scale);
    if (minkowski_separation(&s->pair, s->best, &found) && found.dist < s->best) {
      s->best = found.dist;
      s->at = found;
      s->found = 1;
    }
  }
}

static int64_t nearest_cell(double x, double half, int64_t n) {
  return hfield_cell(floor((x / half + 1) * 0.5 * (double)(n - 1)), n - 2);
}

static void try_cells(search *s, const double *center) {
  const sn_hfield_view *f = s->field;
  double low[3], high[3];
  hfield_window window;
  try_cell(s, nearest_cell(center[1], f->extent[1], f->nrow),
           nearest_cell(center[0], f->extent[0], f->ncol));
  for (int k = 0; k < 3; k++) {
    low[k] = s->low[k] - fmax(s->best, 0);
    high[k] = s->high[k] + fmax(s->best, 0);
  }
  hfield_cells(f, low, high, &window);
  for (int64_t r = window.row; r < window.row_end; r++) {
    for (int64_t c = window.col; c < window.col_end; c++) {
      try_cell(s, r, c);
    }
  }
}

static void to_global(const sn_shape *field, const double *local, double *point) {
  sn_mul_mat_vec3(point, field->mat, local);
  sn_add3(point, point, field->pos);
}

sn_status hfield_distance(const void *self, const sn_shape *first, const sn_shape *second,
                          double limit, double *distance, double *point1, double *point2,
                          sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  if (first->type != SN_GEOM_HFIELD || !convex_is(second->type)) {
    return SN_EINVAL;
  }
  search s = { .field = first->hfield, .best = limit, .pair.iterations = iterations };
  hfield_local local;
  *distance = limit;
  sn_zero3(point1);
  sn_zero3(point2);
  hfield_to_local(&local, first, second);
  if (!s.field || s.field->nrow < 2 || s.field->ncol < 2 ||
      !convex_of_shape(&s.shape, &local.shape)) {
    return SN_OK;
  }
  hfield_bounds(&s.shape, 0, s.low, s.high);
  if (!isfinite(local.pos[0]) || !isfinite(local.pos[1])) {
    return SN_EINVAL;   // no cell is nearest
  }
  try_cells(&s, local.pos);
  if (s.found) {
    *distance = s.best;
    to_global(first, s.at.a, point1);
    to_global(first, s.at.b, point2);
  }
  return SN_OK;
}
