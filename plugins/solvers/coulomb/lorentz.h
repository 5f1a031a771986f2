// SPDX-License-Identifier: Apache-2.0
//
// Vectors x = (x_0, x') of the second-order cone K = { x : x_0 >= |x'| }, n = 1 to 6 numbers; with
// n = 1 it is the half-line x >= 0. For two vectors inside of K, x and v, the scaling of Nesterov
// and Todd is the symmetric matrix W with
//
//   W x = W^-1 v = l        W = root (2 p p' - J)^(1/2), J = diag(1, -1, ...), p'J p = 1
//
// Products are those of Jordan's algebra, x o v = (x'v, x_0 v' + v_0 x'). References: Andersen,
// Dahl, Liu, Vandenberghe, Interior-point methods for large-scale cone programming (2011).

#ifndef COULOMB_LORENTZ_H
#define COULOMB_LORENTZ_H

#include <stdint.h>

enum { LORENTZ_MOST = 6 };

typedef struct scaling {
  double root;
  double p[LORENTZ_MOST];
} scaling;

double lorentz_dot(int32_t n, const double *x, const double *y);
// |x'|
double lorentz_norm(int32_t n, const double *x);
scaling lorentz_scaling(int32_t n, const double *x, const double *v);
// out = W x, or W^-1 x
void lorentz_scale(int32_t n, const scaling *w, const double *x, double *out);
void lorentz_unscale(int32_t n, const scaling *w, const double *x, double *out);
// W^2, n x n
void lorentz_square(int32_t n, const scaling *w, double *out);
// The y with l o y = r.
void lorentz_divide(int32_t n, const double *l, const double *r, double *y);
// The largest step, at most 1e30, with which x + step dx stays in K.
double lorentz_step(int32_t n, const double *x, const double *dx);
// A = A^-1, n x n, without pivoting. Returns the number of negative pivots.
int32_t lorentz_invert(int32_t n, double *A);

#endif
