// SPDX-License-Identifier: Apache-2.0
//
// Colors of textures: the nearest texel. The faces of a cube are those of OpenGL's cube maps
// (OpenGL 3.3 core specification, table 3.19).

#include <math.h>

#include "svg.h"

static void texel(const sn_scene_texture *t, int64_t first_row, int32_t side, float s, float r,
                  float *rgb) {
  const int32_t x = (int32_t)fminf(fmaxf(s * (float)t->width, 0), (float)(t->width - 1));
  const int32_t y = (int32_t)fminf(fmaxf(r * (float)side, 0), (float)(side - 1));
  const uint8_t *p = t->rgb + 3 * ((first_row + y) * t->width + x);
  for (int k = 0; k < 3; k++) {
    rgb[k] = (float)p[k] / 255;
  }
}

void texture_flat(const sn_scene_texture *t, float u, float v, float *rgb) {
  texel(t, 0, t->height, u - floorf(u), v - floorf(v), rgb);
}

void texture_cube(const sn_scene_texture *t, const float *d, float *rgb) {
  // for each side: the axis across and the axis down, from 1, with their signs
  static const int across[6] = { -3, 3, 1, 1, 1, -1 }, down[6] = { -2, -2, 3, -3, -2, -2 };
  int axis = fabsf(d[1]) > fabsf(d[0]) ? 1 : 0;
  axis = fabsf(d[2]) > fabsf(d[axis]) ? 2 : axis;
  const int side = 2 * axis + (d[axis] < 0);
  const float most = fmaxf(fabsf(d[axis]), 1e-12F);
  float at[2];
  for (int k = 0; k < 2; k++) {
    const int which = k ? down[side] : across[side];
    at[k] = (which < 0 ? -d[-which - 1] : d[which - 1]) / most / 2 + 0.5F;
  }
  const int is_whole = t->height >= 6 * t->width;   // else one square, which is repeated
  texel(t, is_whole ? (int64_t)side * t->width : 0, t->width, at[0], at[1], rgb);
}
