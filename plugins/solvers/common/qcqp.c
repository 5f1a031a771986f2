// SPDX-License-Identifier: Apache-2.0
//
// A quadratic cost over an ellipsoid. With y_i = x_i / d_i the ellipsoid is a ball, and
//
//   minimize 1/2 y'H y + y'g  over |y| <= r:   (H + l I) y = -g,  l >= 0,  l (|y| - r) = 0
//
// When the free minimum lies outside, l is the root of the secular equation 1/|y(l)| = 1/r, which
// is almost linear: Newton's method from l = 0 converges from below (More and Sorensen, 1983).

#include <math.h>

#include "dual.h"
#include "sinew/math.h"

enum { MAX = 5, ITERATIONS = 30 };
#define PRECISION 1e-14

// Cholesky of H + l I, with the inverse of the diagonal of L in its place; 0 when it is not
// positive definite.
DUAL_INLINE int cholesky(int32_t n, const double *H, double l, double *L) {
  for (int32_t j = 0; j < n; j++) {
    double s = H[j * n + j] + l;
    for (int32_t k = 0; k < j; k++) {
      s -= L[j * n + k] * L[j * n + k];
    }
    if (!(s > 0)) {
      return 0;
    }
    L[j * n + j] = 1 / sqrt(s);
    for (int32_t i = j + 1; i < n; i++) {
      double t = H[i * n + j];
      for (int32_t k = 0; k < j; k++) {
        t -= L[i * n + k] * L[j * n + k];
      }
      L[i * n + j] = t * L[j * n + j];
    }
  }
  return 1;
}

// w = L^-1 x
DUAL_INLINE void forward(int32_t n, const double *L, const double *x, double *w) {
  for (int32_t i = 0; i < n; i++) {
    double s = x[i];
    for (int32_t k = 0; k < i; k++) {
      s -= L[i * n + k] * w[k];
    }
    w[i] = s * L[i * n + i];
  }
}

// x = L'^-1 w
DUAL_INLINE void backward(int32_t n, const double *L, const double *w, double *x) {
  for (int32_t i = n - 1; i >= 0; i--) {
    double s = w[i];
    for (int32_t k = i + 1; k < n; k++) {
      s -= L[k * n + i] * x[k];
    }
    x[i] = s * L[i * n + i];
  }
}

DUAL_INLINE double square(int32_t n, const double *x) {
  double s = 0;
  for (int32_t i = 0; i < n; i++) {
    s += x[i] * x[i];
  }
  return s;
}

void qcqp_make(int32_t n, const double *A, int32_t stride, const double *d, double *q) {
  double size = 0;
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      q[i * n + j] = A[i * stride + j] * d[i] * d[j];
      size += fabs(q[i * n + j]);
    }
  }
  q[0] = isfinite(size) ? q[0] : NAN;
  if (!cholesky(n, q, 0, q + n * n)) {
    q[n * n] = 0;
  }
}

// L of H + l I, where l grows if need be.
DUAL_INLINE void factor_shifted(int32_t n, const double *H, double *l, double *L) {
  // a direction without inertia gets the least one that can be divided by
  double least = 1e-300;
  for (int32_t i = 0; i < n; i++) {
    least += PRECISION * fabs(H[i * n + i]);
  }
  while (!cholesky(n, H, *l, L)) {
    *l = sn_max(2 * *l, least);
  }
}

DUAL_INLINE double minimize(int32_t n, const double *q, const double *b, const double *d, double r,
                            double *x) {
  const double *H = q, *L = q + n * n;
  double shifted[MAX * MAX], g[MAX], w[MAX], y[MAX], size = fabs(H[0]), l = 0, length;
  for (int32_t i = 0; i < n; i++) {
    g[i] = -b[i] * d[i];
    size += fabs(g[i]);
  }
  if (!isfinite(size)) {   // no multiplier would do
    for (int32_t i = 0; i < n; i++) {
      x[i] = NAN;
    }
    return NAN;
  }
  for (int32_t k = 0;; k++) {
    if (k > 0 || L[0] == 0) {
      factor_shifted(n, H, &l, shifted);
      L = shifted;
    }
    forward(n, L, g, w);
    backward(n, L, w, y);
    length = sqrt(square(n, y));
    if (length <= r * (1 + PRECISION) || k == ITERATIONS) {
      break;
    }
    // d|y|/dl = -|L^-1 y|^2 / |y|
    forward(n, L, y, w);
    l += length * length / square(n, w) * (length - r) / sn_max(r, 1e-300);
  }
  const double scale = length > r ? r / length : 1;
  for (int32_t i = 0; i < n; i++) {
    x[i] = scale * y[i] * d[i];
  }
  return l;
}

double qcqp_solve(int32_t n, const double *q, const double *b, const double *d, double r,
                  double *x) {
  return n == 2 ? minimize(2, q, b, d, r, x) : minimize(n, q, b, d, r, x);
}
