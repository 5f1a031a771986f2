// SPDX-License-Identifier: Apache-2.0
//
// 4 x 4 matrices by columns, as OpenGL takes them.

#include <math.h>
#include <string.h>

#include "gl.h"

void matrix_multiply(float *out, const float *a, const float *b) {
  float result[16];
  for (int col = 0; col < 4; col++) {
    for (int row = 0; row < 4; row++) {
      float sum = 0;
      for (int k = 0; k < 4; k++) {
        sum += a[4 * k + row] * b[4 * col + k];
      }
      result[4 * col + row] = sum;
    }
  }
  memcpy(out, result, sizeof result);
}

// fovy in degrees.
void matrix_perspective(float *out, float fovy, float aspect, float near, float far) {
  const float f = 1 / tanf(fovy * (float)M_PI / 360);
  memset(out, 0, 16 * sizeof *out);
  out[0] = f / aspect;
  out[5] = f;
  out[10] = -(far + near) / (far - near);
  out[11] = -1;
  out[14] = -2 * far * near / (far - near);
}

// A square of half width `half`.
void matrix_orthographic(float *out, float half, float near, float far) {
  memset(out, 0, 16 * sizeof *out);
  out[0] = 1 / half;
  out[5] = 1 / half;
  out[10] = -2 / (far - near);
  out[14] = -(far + near) / (far - near);
  out[15] = 1;
}

// Householder: x - 2 (n . x + d) n.
void matrix_reflect(float *out, const float *plane) {
  memset(out, 0, 16 * sizeof *out);
  for (int col = 0; col < 4; col++) {
    for (int row = 0; row < 3; row++) {
      out[4 * col + row] = (float)(row == col) - 2 * plane[row] * plane[col];
    }
  }
  out[15] = 1;
}

void matrix_look(float *out, const float *pos, const float *forward, const float *up) {
  const float right[3] = { forward[1] * up[2] - forward[2] * up[1],
                           forward[2] * up[0] - forward[0] * up[2],
                           forward[0] * up[1] - forward[1] * up[0] };
  for (int k = 0; k < 3; k++) {
    out[4 * k] = right[k];
    out[4 * k + 1] = up[k];
    out[4 * k + 2] = -forward[k];
    out[4 * k + 3] = 0;
  }
  const float *rows[3] = { right, up, forward };
  for (int k = 0; k < 3; k++) {
    const float *r = rows[k];
    const float along = r[0] * pos[0] + r[1] * pos[1] + r[2] * pos[2];
    out[12 + k] = k == 2 ? along : -along;
  }
  out[15] = 1;
}
