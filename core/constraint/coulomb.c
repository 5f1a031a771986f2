// SPDX-License-Identifier: Apache-2.0
//
// How far forces are from Coulomb's law, whatever regularizers a solver has chosen (solver.h). For
// an elliptic contact, with x = (f_0, g), g_i = f_i / friction_i, w_i = friction_i z_i, De Saxce's
// form of the law is a complementarity in the second-order cone K,
//
//   x in K,  v in K,  x'v = 0,   v = (z_0 + r f_0 + |w + e g|, w + e g)
//
// and that is x = P(x - D_0 v), with P the projection onto K: the difference of both sides, the
// natural map, is zero at solutions and a measure of the error elsewhere. It is a force, and D_0
// (1 / R_0 of the problem) makes its two parts comparable, as in f + grad s, the residual of the
// convex problem. r and e are those of [0, R_0] and [0, R_1 friction_1^2] that suit the forces
// best: -z_0 / f_0 and -w'g / g'g, clamped. A contact without friction has n = 1.
//
// References: De Saxce, Feng, The bipotential method, Math. Comput. Modelling 28 (1998) 225-245.
// Acary, Bremond, Huber, On solving contact problems with Coulomb friction: formulations and
// numerical comparisons, in: Advanced Topics in Nonsmooth Dynamics (2018). Fukushima, Luo, Tseng,
// Smoothing functions for second-order-cone complementarity problems, SIAM J. Optim. 12 (2001)
// 436-460, on the natural map.

#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "sinew/numerics/penalty.h"

enum { MOST = 6 };   // rows of a contact

static double norm(int32_t n, const double *x) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += x[i] * x[i];
  }
  return sqrt(sum);
}

// What is not a number stays.
static double larger(double a, double b) {
  return isnan(a) || a >= b ? a : b;
}

static double clamp(double x, double most) {
  return fmin(fmax(x, 0), most);
}

// The nearest point of the second-order cone, in place.
static void project(int32_t n, double *x) {
  const double across = norm(n - 1, x + 1);
  if (across <= x[0]) {
    return;
  }
  if (across <= -x[0]) {
    memset(x, 0, (size_t)n * sizeof *x);
    return;
  }
  x[0] = 0.5 * (x[0] + across);
  for (int32_t i = 1; i < n; i++) {
    x[i] *= x[0] / across;
  }
}

// The law of one contact; friction: of its rows, 1 for the first.
static double contact_residual(const sn_problem *p, int64_t row, int32_t n, const double *friction,
                               const double *z, const double *f) {
  const double R = p->R[row], E = n > 1 ? p->R[row + 1] * friction[1] * friction[1] : 0;
  double x[MOST] = { 0 }, y[MOST] = { 0 }, moved[MOST] = { 0 }, gg = 0, wg = 0;
  for (int32_t i = 0; i < n; i++) {
    x[i] = f[row + i] / friction[i];
    y[i] = z[row + i] * friction[i];
  }
  for (int32_t i = 1; i < n; i++) {
    gg += x[i] * x[i];
    wg += y[i] * x[i];
  }
  const double r = x[0] > 0 ? clamp(-y[0] / x[0], R) : 0, e = gg > 0 ? clamp(-wg / gg, E) : 0;
  for (int32_t i = 1; i < n; i++) {
    y[i] += e * x[i];
  }
  y[0] += r * x[0] + norm(n - 1, y + 1);
  for (int32_t i = 0; i < n; i++) {
    moved[i] = x[i] - p->D[row] * y[i];
  }
  project(n, moved);
  double worst = 0;
  for (int32_t i = 0; i < n; i++) {
    worst = larger(worst, fabs(x[i] - moved[i]) * friction[i]);
  }
  return worst;
}

double si_coulomb_residual(const sn_problem *p, const double *z, const double *f) {
  double worst = 0;
  int64_t cone = 0;
  for (int64_t row = 0; row < p->nefc;) {
    double friction[MOST] = { 1 }, force, off;
    int32_t n = 1, state;
    if (cone < p->ncone && p->cone[cone].row == row) {
      n = p->cone[cone].dim;
      memcpy(friction + 1, p->cone[cone].friction, (size_t)(n - 1) * sizeof *friction);
      cone++;
    }
    if (n > 1 || p->type[row] == SN_ROW_CONTACT_FRICTIONLESS) {
      off = contact_residual(p, row, n, friction, z, f);
    } else {
      si_penalty_row(p, row, z[row], &force, &state);
      off = fabs(f[row] - force);
    }
    worst = larger(worst, off);
    row += n;
  }
  return worst;
}
