// SPDX-License-Identifier: Apache-2.0
//
// Sums over vectors. Element i belongs to part i % 4, and the total is (0 + 1) + (2 + 3): the four
// sums do not wait for each other, and the order is the same on every machine.

#ifndef SOLVERS_DOT_H
#define SOLVERS_DOT_H

#include <stdint.h>

#define SUM_IN_PARTS(n, i, term)           \
  double part[4] = { 0 };                  \
  int64_t whole = 0;                       \
  for (; whole + 4 <= (n); whole += 4) {   \
    for (int64_t k = 0; k < 4; k++) {      \
      const int64_t i = whole + k;         \
      part[k] += (term);                   \
    }                                      \
  }                                        \
  for (int64_t i = whole; i < (n); i++) {  \
    part[i - whole] += (term);             \
  }                                        \
  return (part[0] + part[1]) + (part[2] + part[3])

static inline double dot(int64_t n, const double *a, const double *b) {
  SUM_IN_PARTS(n, i, a[i] * b[i]);
}

// a' (b - c)
static inline double dot_difference(int64_t n, const double *a, const double *b, const double *c) {
  SUM_IN_PARTS(n, i, a[i] * (b[i] - c[i]));
}

// (a - b)' (c - d)
static inline double dot_differences(int64_t n, const double *a, const double *b, const double *c,
                                     const double *d) {
  SUM_IN_PARTS(n, i, (a[i] - b[i]) * (c[i] - d[i]));
}

// The product of the n values of a sparse row, which are those of the columns col, with x
static inline double dot_sparse(int64_t n, const double *value, const int32_t *col,
                                const double *x) {
  SUM_IN_PARTS(n, i, value[i] * x[col[i]]);
}

#undef SUM_IN_PARTS

#endif
