// SPDX-License-Identifier: Apache-2.0
//
// H = L D^-1 U by panels, as newton/factor.c: the diagonals of L and U are D, and a panel keeps the
// columns of L and the rows of U. What earlier columns of a panel take from the next four, and what
// a panel takes from later ones, is computed densely.

#include "lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

// to -= factor from, for rows begin ... end - 1; both are multiples of SN_KERNEL_LANES.
static inline void take(int32_t begin, int32_t end, const double *restrict from, double factor,
                        double *restrict to) {
  for (int32_t i = begin; i < end; i += SN_KERNEL_LANES) {
    for (int32_t k = i; k < i + SN_KERNEL_LANES; k++) {
      to[k] -= factor * from[k];
    }
  }
}

// What earlier columns take from `count` columns of a panel from column j on; P of their triangle,
// Q of the other one.
static void update(const hessian *h, const node *a, const double *Q, const double *Dinv, int32_t j,
                   int32_t count, double *P) {
  double *column = P + (int64_t)j * a->ld, *out = h->work.columns;
  h->kernel->eliminate(j, a->ld, P, Q, Dinv, j, count, h->work.coefficients, out);
  for (int32_t q = 0; q < count; q++, column += a->ld, out += a->ld) {
    take(j, a->ld, out, 1, column);
  }
}

// One panel: columns of L, rows of U. Returns the number of negative pivots.
static int32_t factor_panel(const hessian *h, const node *a, double *L, double *U, double *Dinv) {
  int32_t negative = 0;
  for (int32_t j = 0; j < a->size; j++) {
    const int32_t first = j - j % SN_KERNEL_LANES, left = a->size - first;
    const int32_t end = left < SN_KERNEL_LANES ? a->size : first + SN_KERNEL_LANES;
    if (j == first && j > 0) {
      update(h, a, U, Dinv, j, end - j, L);
      update(h, a, L, Dinv, j, end - j, U);
    }
    const double *l = L + (int64_t)j * a->ld, *u = U + (int64_t)j * a->ld;
    const double pivot = fabs(l[j]) > DBL_MIN ? l[j] : DBL_MIN;
    negative += pivot < 0;
    Dinv[j] = 1 / pivot;
    for (int32_t c = j + 1; c < end; c++) {
      take(first, a->ld, l, u[c] * Dinv[j], L + (int64_t)c * a->ld);
      take(first, a->ld, u, l[c] * Dinv[j], U + (int64_t)c * a->ld);
    }
  }
  return negative;
}

static void subtract(double *column, const double *from, int32_t n, const piece *pieces,
                     int32_t skip) {
  for (int32_t q = 0; q < n; q++) {
    for (int32_t r = q ? 0 : skip; r < pieces[q].length; r++) {
      column[pieces[q].row + r] -= from[pieces[q].begin + r];
    }
  }
}

// What the elimination of a node takes from one triangle: P of that triangle, Q of the other.
static void eliminate(const hessian *h, const node *a, const double *P, const double *Q,
                      double *value) {
  const pattern *p = &h->pattern;
  for (int32_t i = 0; i < a->nbelow; i++) {
    const interval *to = &a->below[i];
    const node *target = &p->at[to->node];
    double *column = value + target->panel + (int64_t)(to->place - target->place) * target->ld;
    const int32_t n = hessian_pieces(h, a, i, h->work.pieces);
    for (int32_t j = 0; j < to->length; j += SN_KERNEL_LANES) {
      const int32_t left = to->length - j, count = left < SN_KERNEL_LANES ? left : SN_KERNEL_LANES;
      h->kernel->eliminate(a->size, a->ld, P, Q, h->Dinv + a->place, to->row + j, count,
                           h->work.coefficients, h->work.columns);
      for (int32_t q = 0; q < count; q++, column += target->ld) {
        subtract(column, h->work.columns + (int64_t)q * a->ld, n, h->work.pieces, j + q);
      }
    }
  }
}

int32_t lu_factor(hessian *h) {
  int32_t negative = 0;
  for (int64_t k = 0; k < h->pattern.nnode; k++) {
    const node *a = &h->pattern.at[k];
    double *L = h->value + a->panel, *U = h->upper + a->panel;
    negative += factor_panel(h, a, L, U, h->Dinv + a->place);
    eliminate(h, a, L, U, h->value);
    eliminate(h, a, U, L, h->upper);
  }
  return negative % 2 ? -1 : 1;
}
