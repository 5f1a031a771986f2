// SPDX-License-Identifier: Apache-2.0
//
// Vectors of the second-order cone; see lorentz.h.

#include "lorentz.h"

#include <float.h>
#include <math.h>

double lorentz_dot(int32_t n, const double *x, const double *y) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

double lorentz_norm(int32_t n, const double *x) {
  return sqrt(lorentz_dot(n - 1, x + 1, x + 1));
}

// x'J x, not as a difference of squares.
static double determinant(int32_t n, const double *x) {
  const double length = lorentz_norm(n, x);
  return (x[0] - length) * (x[0] + length);
}

scaling lorentz_scaling(int32_t n, const double *x, const double *v) {
  const double dx = sqrt(fmax(determinant(n, x), DBL_MIN));
  const double dv = sqrt(fmax(determinant(n, v), DBL_MIN));
  const double half = sqrt(fmax(0.5 * (1 + lorentz_dot(n, x, v) / (dx * dv)), 1));
  scaling w = { .root = sqrt(dv / dx) };
  double sum = 0;
  for (int32_t i = 1; i < n; i++) {
    w.p[i] = (v[i] / dv - x[i] / dx) / (2 * half);
    sum += w.p[i] * w.p[i];
  }
  w.p[0] = sqrt(1 + sum);
  return w;
}

static void apply(int32_t n, const scaling *w, double root, double sign, const double *x,
                  double *out) {
  double along = 0;
  for (int32_t i = 1; i < n; i++) {
    along += w->p[i] * x[i];
  }
  const double first = w->p[0] * x[0] + sign * along;
  const double part = sign * x[0] + along / (1 + w->p[0]);
  for (int32_t i = 1; i < n; i++) {
    out[i] = root * (x[i] + part * w->p[i]);
  }
  out[0] = root * first;
}

void lorentz_scale(int32_t n, const scaling *w, const double *x, double *out) {
  apply(n, w, w->root, 1, x, out);
}

void lorentz_unscale(int32_t n, const scaling *w, const double *x, double *out) {
  apply(n, w, 1 / w->root, -1, x, out);
}

void lorentz_square(int32_t n, const scaling *w, double *out) {
  const double square = w->root * w->root;
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      const double identity = i != j ? 0 : i ? -1 : 1;
      out[i * n + j] = square * (2 * w->p[i] * w->p[j] - identity);
    }
  }
}

void lorentz_divide(int32_t n, const double *l, const double *r, double *y) {
  const double across = lorentz_dot(n - 1, l + 1, r + 1);
  const double first = (l[0] * r[0] - across) / fmax(determinant(n, l), DBL_MIN);
  for (int32_t i = 1; i < n; i++) {
    y[i] = (r[i] - first * l[i]) / l[0];
  }
  y[0] = first;
}

// The smallest positive root of (x + step dx)'J (x + step dx) = 0.
double lorentz_step(int32_t n, const double *x, const double *dx) {
  double step = dx[0] < 0 ? -x[0] / dx[0] : 1e30;
  if (n > 1) {
    const double a = dx[0] * dx[0] - lorentz_dot(n - 1, dx + 1, dx + 1), c = determinant(n, x);
    const double b = x[0] * dx[0] - lorentz_dot(n - 1, x + 1, dx + 1), d = b * b - a * c;
    if (d >= 0) {
      const double q = -(b + copysign(sqrt(d), b));
      const double roots[] = { a != 0 ? q / a : 0, q != 0 ? c / q : 0 };
      for (int i = 0; i < 2; i++) {
        step = roots[i] > 0 && roots[i] < step ? roots[i] : step;
      }
    }
  }
  return fmin(step, 1e30);
}

// Gauss and Jordan.
int32_t lorentz_invert(int32_t n, double *A) {
  int32_t negative = 0;
  for (int32_t k = 0; k < n; k++) {
    const double pivot = fabs(A[k * n + k]) > DBL_MIN ? A[k * n + k] : DBL_MIN;
    negative += pivot < 0;
    A[k * n + k] = 1;
    for (int32_t j = 0; j < n; j++) {
      A[k * n + j] /= pivot;
    }
    for (int32_t i = 0; i < n; i++) {
      const double factor = A[i * n + k];
      if (i != k) {
        A[i * n + k] = 0;
        for (int32_t j = 0; j < n; j++) {
          A[i * n + j] -= factor * A[k * n + j];
        }
      }
    }
  }
  return negative;
}
