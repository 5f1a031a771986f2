// SPDX-License-Identifier: Apache-2.0
//
// Infinite planes are fine grids, of which an image shows a small part: only its quads are drawn.
//
// A vertex x, y of the grid, -1 to 1, is at a + b x + c y in clip space, and so is each side of the
// view, as -w <= x, a linear function of x and y. In a row of quads, from y0 to y1, the part
// inside one side is a half line of x; the columns of all sides together are an interval.

#include <math.h>

#include "gl.h"

enum { SIDES = 5 };   // left, right, lower, upper, near

// a + b x + c y of each side: positive inside.
static void find_sides(const viewpoint *p, const instance *one, float (*side)[3]) {
  float clip[4][3];
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      const int column = k == 0 ? 3 : k - 1;   // position, x axis, y axis
      clip[i][k] = k == 0 ? p->view[12 + i] : 0;
      for (int j = 0; j < 3; j++) {
        clip[i][k] += p->view[4 * j + i] * one->row[j][column] * (k == 0 ? 1 : one->scale[k - 1]);
      }
    }
  }
  for (int s = 0; s < SIDES; s++) {
    for (int k = 0; k < 3; k++) {
      side[s][k] = clip[3][k] + (s % 2 ? -1.0F : 1.0F) * clip[s / 2][k];
    }
  }
}

static float line_at(int k) {
  return 2 * (float)k / ENDLESS_QUADS - 1;
}

// The columns of a row that are inside all sides; false: none.
static int find_columns(float (*side)[3], int row, int *first, int *end) {
  float from = -1, to = 1;
  for (int s = 0; s < SIDES; s++) {
    const float *f = side[s];
    const float best = f[0] + fmaxf(f[2] * line_at(row), f[2] * line_at(row + 1));
    if (f[1] > 0) {
      from = fmaxf(from, -best / f[1]);
    } else if (f[1] < 0) {
      to = fminf(to, -best / f[1]);
    } else if (best < 0) {
      return 0;
    }
  }
  if (!(from <= to)) {
    return 0;
  }
  // a column more on each side, for rounding
  const int left = (int)((from + 1) / 2 * ENDLESS_QUADS) - 1;
  const int right = (int)((to + 1) / 2 * ENDLESS_QUADS) + 2;
  *first = left > 0 ? left : 0;
  *end = right < ENDLESS_QUADS ? right : ENDLESS_QUADS;
  return 1;
}

void infinite_plane_draw(const viewpoint *p, const instance *one) {
  enum { INDICES = 6 };   // of a quad
  float side[SIDES][3];
  GLsizei count[ENDLESS_QUADS], n = 0;
  const void *offset[ENDLESS_QUADS];
  find_sides(p, one, side);
  for (int row = 0; row < ENDLESS_QUADS; row++) {
    int first, end;
    if (find_columns(side, row, &first, &end)) {
      const size_t at = (size_t)(row * ENDLESS_QUADS + first) * INDICES * sizeof(uint32_t);
      count[n] = (end - first) * INDICES;
      offset[n++] = (const void *)at;
    }
  }
  glMultiDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, offset, n);
}
