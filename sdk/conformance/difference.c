// SPDX-License-Identifier: Apache-2.0
//
// Derivatives by differences, with the range of those that agree.

#include "difference.h"

#include <math.h>

static const double step = 1e-6;         // relative to 1 + |x|
static const double tolerance = 1e-6;    // relative to the derivative
static const double rounding = 1e-9;     // relative to the value: 4 eps / step

// low ... high: the derivative of value i by a step h and by h / 2. Their difference is an estimate
// of the error where the function is smooth; the two sides differ where it has a kink.
static void make_range(const double *at, const double *y, double h, int64_t n, int64_t i,
                       kit_slopes *out) {
  const double left = (at[i] - y[i]) / h, right = (y[3 * n + i] - at[i]) / h;
  const double coarse = (left + right) / 2, fine = (y[2 * n + i] - y[n + i]) / h;
  const double size = fmax(fabs(left), fabs(right));
  const double capacity = 4 * fabs(coarse - fine) + tolerance * size + rounding * (1 + fabs(at[i]));
  out->value[i] = fine;
  out->low[i] = fmin(left, fmin(right, fine)) - capacity;
  out->high[i] = fmax(left, fmax(right, fine)) + capacity;
}

int kit_difference(kit_function *f, void *context, double x, int64_t n, kit_slopes *out) {
  static const double place[] = { -1, -0.5, 0.5, 1 };
  double at[KIT_MOST_VALUES], y[4 * KIT_MOST_VALUES];
  const double h = step * (1 + fabs(x));
  if (n > KIT_MOST_VALUES || !f(context, x, at)) {
    return 0;
  }
  for (int p = 0; p < 4; p++) {
    if (!f(context, x + place[p] * h, y + p * n)) {
      return 0;
    }
  }
  for (int64_t i = 0; i < n; i++) {
    make_range(at, y, h, n, i, out);
  }
  return f(context, x, at);
}
