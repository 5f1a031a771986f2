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

// Cholesky of H + l I; 0 when it is not positive definite.
static inline int cholesky(int32_t n, const double *H, double l, double *L) {
  for (int32_t j = 0; j < n; j++) {
    double s = H[j * n + j] + l;
    for (int32_t k = 0; k < j; k++) {
      s -= L[j * MAX + k] * L[j * MAX + k];
    }
    if (!(s > 0)) {
      return 0;
    }
    L[j * MAX + j] = sqrt(s);
    for (int32_t i = j + 1; i < n; i++) {
      double t = H[i * n + j];
      for (int32_t k = 0; k < j; k++) {
        t -= L[i * MAX + k] * L[j * MAX + k];
      }
      L[i * MAX + j] = t / L[j * MAX + j];
    }
  }
  return 1;
}

// w = L^-1 x
static inline void forward(int32_t n, const double *L, const double *x, double *w) {
  for (int32_t i = 0; i < n; i++) {
    double s = x[i];
    for (int32_t k = 0; k < i; k++) {
      s -= L[i * MAX + k] * w[k];
    }
    w[i] = s / L[i * MAX + i];
  }
}

// x = L'^-1 w
static inline void backward(int32_t n, const double *L, const double *w, double *x) {
  for (int32_t i = n - 1; i >= 0; i--) {
    double s = w[i];
    for (int32_t k = i + 1; k < n; k++) {
      s -= L[k * MAX + i] * x[k];
    }
    x[i] = s / L[i * MAX + i];
  }
}

static inline double square(int32_t n, const double *x) {
  double s = 0;
  for (int32_t i = 0; i < n; i++) {
    s += x[i] * x[i];
  }
  return s;
}

static inline double minimize(int32_t n, const double *A, const double *b, const double *d,
                              double r, double *x) {
  double H[MAX * MAX], g[MAX], L[MAX * MAX], w[MAX], y[MAX] = { 0 }, trace = 0, size = 0;
  for (int32_t i = 0; i < n; i++) {
    g[i] = -b[i] * d[i];
    size += fabs(g[i]);
    for (int32_t j = 0; j < n; j++) {
      H[i * n + j] = A[i * n + j] * d[i] * d[j];
      size += fabs(H[i * n + j]);
    }
    trace += fabs(H[i * n + i]);
  }
  if (!isfinite(size)) {   // no multiplier would do
    for (int32_t i = 0; i < n; i++) {
      x[i] = NAN;
    }
    return NAN;
  }
  // a direction without inertia gets the least one that can be divided by
  double l = 0, least = PRECISION * trace + 1e-300;
  for (int32_t k = 0;; k++) {
    while (!cholesky(n, H, l, L)) {
      l = sn_max(2 * l, least);
    }
    forward(n, L, g, w);
    backward(n, L, w, y);
    double length = sqrt(square(n, y));
    if (length <= r * (1 + PRECISION) || k == ITERATIONS) {
      break;
    }
    // d|y|/dl = -|L^-1 y|^2 / |y|
    forward(n, L, y, w);
    l += length * length / square(n, w) * (length - r) / sn_max(r, 1e-300);
  }
  double length = sqrt(square(n, y)), scale = length > r ? r / length : 1;
  for (int32_t i = 0; i < n; i++) {
    x[i] = scale * y[i] * d[i];
  }
  return l;
}

// Most contacts have two rows of friction; with n known the compiler unrolls every loop.
double qcqp_solve(int32_t n, const double *A, const double *b, const double *d, double r,
                  double *x) {
  return n == 2 ? minimize(2, A, b, d, r, x) : minimize(n, A, b, d, r, x);
}
