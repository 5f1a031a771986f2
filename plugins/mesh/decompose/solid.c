// SPDX-License-Identifier: Apache-2.0
//
// Inside and outside of a closed surface, by counting how often a vertical line crosses it. A
// grid of lines, kept with their crossings, gives volumes:
//
//        |     |_____|          volume in a box = sum over lines of
//        |    /|     |\           (what of the line's cell is in the box) x
//        |   | |     | |          (length of the line inside both)
//        |    \|_____|/
//
// The lines stand at odd places of the grid, so that they meet no vertices in meshes with round
// coordinates.

#include <math.h>
#include <stdlib.h>

#include "soup.h"

enum { GRID = 96 };   // lines along the longer side

// Where a vertical line through (x, y) crosses a triangle. 0: nowhere. The half-open rule for edges
// counts a line through an edge once for the two triangles that share it.
static int crossing(const double *a, const double *b, const double *c, double x, double y,
                    double *z) {
  const double *corner[DIM] = { a, b, c };
  int inside = 0;
  for (int k = 0; k < DIM; k++) {
    const double *p = corner[k], *q = corner[(k + 1) % DIM];
    if ((p[1] > y) != (q[1] > y)) {
      inside ^= x < p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
    }
  }
  double nx = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
  double ny = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
  double nz = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  if (!inside || nz == 0) {
    return 0;
  }
  *z = a[2] - (nx * (x - a[0]) + ny * (y - a[1])) / nz;
  return 1;
}

static const double *corner_of(const solid *s, int64_t face, int k) {
  return s->vert + DIM * s->face[DIM * face + k];
}

// Where line i of n is along an axis.
static double coordinate(const solid *s, int axis, int64_t i, int64_t n) {
  const double odd = 0.5 + 0.0123;   // of a cell
  return s->bounds.low[axis] +
         ((double)i + odd) / (double)n * (s->bounds.high[axis] - s->bounds.low[axis]);
}

// The range of lines along an axis that may cross a triangle.
static void line_range(const solid *s, int64_t face, int axis, int64_t n, int64_t *first,
                       int64_t *last) {
  const double *a = corner_of(s, face, 0), *b = corner_of(s, face, 1), *c = corner_of(s, face, 2);
  double width = (s->bounds.high[axis] - s->bounds.low[axis]) / (double)n;
  double low = fmin(a[axis], fmin(b[axis], c[axis]));
  double high = fmax(a[axis], fmax(b[axis], c[axis]));
  *first = (int64_t)fmax(0, floor((low - s->bounds.low[axis]) / width) - 1);
  *last = (int64_t)fmin((double)(n - 1), floor((high - s->bounds.low[axis]) / width) + 1);
}

// Counts the crossings of a triangle with the lines of row j; z not NULL: also writes them.
static void cross_row(const solid *s, int64_t face, int64_t j, int64_t *fill, double *z) {
  const double *a = corner_of(s, face, 0), *b = corner_of(s, face, 1), *c = corner_of(s, face, 2);
  int64_t first, last;
  line_range(s, face, 0, s->nx, &first, &last);
  for (int64_t i = first; i <= last; i++) {
    double height;
    if (!crossing(a, b, c, coordinate(s, 0, i, s->nx), coordinate(s, 1, j, s->ny), &height)) {
      continue;
    }
    int64_t at = fill[j * s->nx + i]++;
    if (z) {
      z[at] = height;
    }
  }
}

static void rasterize(const solid *s, int64_t *fill, double *z) {
  for (int64_t f = 0; f < s->nface; f++) {
    int64_t first, last;
    line_range(s, f, 1, s->ny, &first, &last);
    for (int64_t j = first; j <= last; j++) {
      cross_row(s, f, j, fill, z);
    }
  }
}

static int ascending(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

// The size of the grid; SN_EINVAL when the surface is flat.
static sn_status lay_grid(solid *s) {
  for (int k = 0; k < DIM; k++) {
    s->bounds.low[k] = INFINITY;
    s->bounds.high[k] = -INFINITY;
    for (int64_t i = 0; i < s->nvert; i++) {
      s->bounds.low[k] = fmin(s->bounds.low[k], s->vert[DIM * i + k]);
      s->bounds.high[k] = fmax(s->bounds.high[k], s->vert[DIM * i + k]);
    }
  }
  double wide = s->bounds.high[0] - s->bounds.low[0], deep = s->bounds.high[1] - s->bounds.low[1];
  if (!(wide > 0) || !(deep > 0) || !(s->bounds.high[2] > s->bounds.low[2])) {
    return SN_EINVAL;
  }
  double longer = fmax(wide, deep);
  s->nx = (int64_t)fmax(16, ceil(GRID * wide / longer));
  s->ny = (int64_t)fmax(16, ceil(GRID * deep / longer));
  return SN_OK;
}

sn_status solid_measure(const sn_host *host, solid *s) {
  SN_TRY(lay_grid(s));
  int64_t n = s->nx * s->ny, odd = 0;
  int64_t *fill = host->alloc(host, (n + 1) * (int64_t)sizeof *fill);
  s->start = host->alloc(host, (n + 1) * (int64_t)sizeof *s->start);
  if (fill && s->start) {
    rasterize(s, fill, NULL);
    for (int64_t l = 0; l < n; l++) {
      odd += fill[l] & 1;
      s->start[l + 1] = s->start[l] + fill[l];
      fill[l] = s->start[l];
    }
    s->z = host->alloc(host, (s->start[n] + 1) * (int64_t)sizeof *s->z);
  }
  sn_status status = s->z ? SN_OK : SN_ENOMEM;
  if (status == SN_OK) {
    rasterize(s, fill, s->z);
    for (int64_t l = 0; l < n; l++) {
      qsort(s->z + s->start[l], (size_t)(s->start[l + 1] - s->start[l]), sizeof *s->z, ascending);
    }
    status = 50 * odd > n ? SN_EINVAL : SN_OK;   // more than a few lines that graze an edge
  }
  host->free(host, fill);
  return status;
}

void solid_free(const sn_host *host, solid *s) {
  host->free(host, s->start);
  host->free(host, s->z);
}

// How much of cell i of n along an axis lies between two places.
static double overlap(const solid *s, int axis, int64_t i, int64_t n, const box *in) {
  double width = (s->bounds.high[axis] - s->bounds.low[axis]) / (double)n;
  double low = s->bounds.low[axis] + (double)i * width;
  return fmax(0, fmin(low + width, in->high[axis]) - fmax(low, in->low[axis]));
}

double solid_volume(const solid *s, const box *in) {
  double volume = 0;
  for (int64_t j = 0; j < s->ny; j++) {
    double deep = overlap(s, 1, j, s->ny, in);
    for (int64_t i = 0; i < s->nx && deep > 0; i++) {
      double area = deep * overlap(s, 0, i, s->nx, in), length = 0;
      int64_t line = j * s->nx + i;
      for (int64_t k = s->start[line]; area > 0 && k + 1 < s->start[line + 1]; k += 2) {
        length += fmax(0, fmin(s->z[k + 1], in->high[2]) - fmax(s->z[k], in->low[2]));
      }
      volume += area * length;
    }
  }
  return volume;
}

int solid_has_corner(const solid *s, const box *b, int corner) {
  // inward by a little, not the same along all axes: cuts go through vertices
  static const double inward[DIM] = { 1.3e-6, 1.7e-6, 1.1e-6 };
  double p[DIM], z;
  int above = 0;
  for (int k = 0; k < DIM; k++) {
    double step = inward[k] * (b->high[k] - b->low[k]);
    p[k] = corner >> k & 1 ? b->high[k] - step : b->low[k] + step;
  }
  for (int64_t f = 0; f < s->nface; f++) {
    above += crossing(corner_of(s, f, 0), corner_of(s, f, 1), corner_of(s, f, 2), p[0], p[1], &z) &&
             z > p[2];
  }
  return above & 1;
}
