// SPDX-License-Identifier: Apache-2.0
//
// A ray against a height field: its surface, and the walls and the bottom of the block below. The
// ray is clipped to the box of the field; then all cells that it passes are tried, row by row.

#include "hfield.h"

#include "triangle.h"

static const double miss = -1;
// Part of the half size: rays along the border between cells must not miss both, by rounding. It is
// far above the rounding of coordinates and far below a cell.
static const double widening = 1e-9;

static double nearer(double a, double b) {
  return a < 0 ? b : (b < 0 || a < b ? a : b);
}

// Clips the part [*enter, *leave] of the ray to that between two planes. Returns 0 when none is
// left.
static int clip(double o, double v, double low, double high, double *enter, double *leave) {
  if (fabs(v) < SN_TINY) {
    return o >= low && o <= high;
  }
  double a = (low - o) / v, b = (high - o) / v;
  *enter = fmax(*enter, fmin(a, b));
  *leave = fmin(*leave, fmax(a, b));
  return *enter <= *leave;
}

static double ray_bottom(const sn_hfield_view *f, const double *o, const double *v) {
  double x = (-f->extent[3] - o[2]) / v[2];
  return fabs(v[2]) > SN_TINY && x >= 0 && fabs(o[0] + x * v[0]) <= f->extent[0] &&
                 fabs(o[1] + x * v[1]) <= f->extent[1]
             ? x
             : miss;
}

// The height of the border of the field at coordinate `at` along a wall. axis 0: a wall at an end
// of x, along the rows; axis 1: a wall at an end of y.
static double border_height(const sn_hfield_view *f, int axis, int side, double at) {
  int64_t n = axis ? f->ncol : f->nrow;
  double cell = (at / f->extent[axis ? 0 : 1] + 1) * 0.5 * (double)(n - 1);
  int64_t i = hfield_cell(floor(cell), n - 2);
  int64_t last = (axis ? f->nrow : f->ncol) - 1, other = side > 0 ? last : 0;
  double low = axis ? hfield_z(f, other, i) : hfield_z(f, i, other);
  double high = axis ? hfield_z(f, other, i + 1) : hfield_z(f, i + 1, other);
  return low + (cell - (double)i) * (high - low);
}

static double ray_walls(const sn_hfield_view *f, const double *o, const double *v) {
  double best = miss;
  for (int k = 0; k < 2; k++) {
    for (int side = -1; side <= 1 && fabs(v[k]) > SN_TINY; side += 2) {
      double x = (side * f->extent[k] - o[k]) / v[k];
      double at = o[1 - k] + x * v[1 - k], z = o[2] + x * v[2];
      if (x >= 0 && fabs(at) <= f->extent[1 - k] && z >= -f->extent[3] &&
          z <= border_height(f, k, side, at)) {
        best = nearer(best, x);
      }
    }
  }
  return best;
}

// The nearest hit in a row of cells, of the part [enter, leave] of the ray.
static double ray_row(const sn_hfield_view *f, const double *o, const double *v, int64_t r,
                      double enter, double leave) {
  double wide_x = widening * f->extent[0], wide_y = widening * f->extent[1], best = miss;
  hfield_window row;
  if (!clip(o[1], v[1], hfield_y(f, r) - wide_y, hfield_y(f, r + 1) + wide_y, &enter, &leave)) {
    return miss;
  }
  // the columns that the ray passes above this row
  double a = o[0] + enter * v[0], b = o[0] + leave * v[0];
  double low[2] = { fmin(a, b) - wide_x, hfield_y(f, r) };
  double high[2] = { fmax(a, b) + wide_x, hfield_y(f, r) };
  hfield_cells(f, low, high, &row);
  for (int64_t c = row.col; c < row.col_end; c++) {
    for (int half = 0; half < 2; half++) {
      double corner[3][3];
      hfield_triangle(f, r, c, half, corner);
      best = nearer(best, ray_triangle(corner[0], corner[1], corner[2], o, v));
    }
  }
  return best;
}

static double ray_surface(const sn_hfield_view *f, const double *o, const double *v) {
  double enter = 0, leave = INFINITY, low[3], high[3], best = miss;
  hfield_window all;
  if (!clip(o[0], v[0], -f->extent[0], f->extent[0], &enter, &leave) ||
      !clip(o[1], v[1], -f->extent[1], f->extent[1], &enter, &leave) ||
      !clip(o[2], v[2], 0, f->extent[2], &enter, &leave) || !isfinite(leave)) {
    return miss;
  }
  for (int k = 0; k < 2; k++) {
    double a = o[k] + enter * v[k], b = o[k] + leave * v[k], wide = widening * f->extent[k];
    low[k] = fmin(a, b) - wide;
    high[k] = fmax(a, b) + wide;
  }
  hfield_cells(f, low, high, &all);
  for (int64_t r = all.row; r < all.row_end; r++) {
    best = nearer(best, ray_row(f, o, v, r, enter, leave));
  }
  return best;
}

sn_status hfield_ray(const void *self, const sn_shape *shape, const double *origin,
                     const double *direction, double *distance) {
  (void)self;
  const sn_hfield_view *f = shape->hfield;
  double to[3], o[3], v[3];
  *distance = miss;
  if (shape->type != SN_GEOM_HFIELD) {
    return SN_EUNSUPPORTED;
  }
  if (!f || f->nrow < 2 || f->ncol < 2) {
    return SN_OK;
  }
  sn_sub3(to, origin, shape->pos);
  sn_mul_matT_vec3(o, shape->mat, to);
  sn_mul_matT_vec3(v, shape->mat, direction);
  *distance = nearer(ray_surface(f, o, v), nearer(ray_bottom(f, o, v), ray_walls(f, o, v)));
  return SN_OK;
}
