// SPDX-License-Identifier: Apache-2.0
//
// The penalty s(z) of the constraint problem (solver.h), row by row and cone by cone: its value,
// the force f = -grad s(z), the zone that z is in, and its derivatives along a line.
// z = J qacc - aref, the deviation from the reference acceleration.
//
//   equality        s = D z^2 / 2                                     f = -D z
//   friction loss   the same where |D z| < eta, else
//                   s = eta |z| - R eta^2 / 2                         f = -eta sign(z)
//   unilateral      as equality where z < 0, else s = 0               f = 0
//   elliptic cone   with w = sqrt(D) z, N = -w_0, T = |w_t|, h = N + mu T:
//     bottom        T <= mu N    s = w'w / 2                          f = -D z
//     top           h <= 0       s = 0                                f = 0
//     middle        s = h^2 / (2 (1 + mu^2))      f = sqrt(D) h / (1 + mu^2) (1, -mu w_t / T)
//
// The regularizers of a contact are related so that sqrt(R) turns its elliptic friction cone into
// the circular one |w_t| <= mu N: s is half the squared distance of -w to its polar cone.
//
// Functions return the value s. root: square roots of D, of the rows of the cone. dim: 1 to 6.
// [any]

#ifndef SINEW_NUMERICS_PENALTY_H
#define SINEW_NUMERICS_PENALTY_H

#include <math.h>

#include "sinew/math.h"
#include "sinew/solver.h"

SN_BEGIN_DECLS

// Quadratic where z < bound: equality (infinity), unilateral (0).
static inline double sn_penalty_quadratic(double D, double bound, double z, double *force,
                                          int32_t *state) {
  const int32_t on = z < bound;
  const double f = on ? -D * z : 0;
  *force = f;
  *state = on ? SN_ROWSTATE_QUADRATIC : SN_ROWSTATE_SATISFIED;
  return -0.5 * f * z;
}

// Cost, force and state of a friction-loss row with residual z.
static inline double sn_penalty_friction(double D, double R, double eta, double z, double *force,
                                         int32_t *state) {
  const double f = -D * z;
  if (f >= eta) {
    *force = eta;
    *state = SN_ROWSTATE_LINEARNEG;
    return -eta * z - 0.5 * eta * eta * R;
  }
  if (f <= -eta) {
    *force = -eta;
    *state = SN_ROWSTATE_LINEARPOS;
    return eta * z - 0.5 * eta * eta * R;
  }
  *force = f;
  *state = SN_ROWSTATE_QUADRATIC;
  return -0.5 * f * z;
}

// force: dim numbers; state: of all rows of the cone.
static inline double sn_penalty_cone(int32_t dim, double mu, const double *root, const double *z,
                                     double *force, int32_t *state) {
  double w[6] = { 0 }, TT = 0;
  for (int32_t i = 0; i < dim; i++) {
    w[i] = root[i] * z[i];
    TT += i ? w[i] * w[i] : 0;
  }
  const double T = sqrt(TT), N = -w[0], h = N + mu * T;
  if (h <= 0) {
    for (int32_t i = 0; i < dim; i++) {
      force[i] = 0;
    }
    *state = SN_ROWSTATE_SATISFIED;
    return 0;
  }
  if (T <= mu * N) {
    for (int32_t i = 0; i < dim; i++) {
      force[i] = -root[i] * w[i];
    }
    *state = SN_ROWSTATE_QUADRATIC;
    return 0.5 * (N * N + TT);
  }
  const double part = h / (1 + mu * mu), tangent = -mu * part / T;
  for (int32_t i = 0; i < dim; i++) {
    force[i] = root[i] * (i ? tangent * w[i] : part);
  }
  *state = SN_ROWSTATE_CONE;
  return 0.5 * h * part;
}

// d^2 s / dz^2, dim x dim, in the middle zone of a cone.
static inline void sn_penalty_cone_hessian(int32_t dim, double mu, const double *root,
                                           const double *z, double *W) {
  double w[6] = { 0 }, TT = 0;
  for (int32_t i = 0; i < dim; i++) {
    w[i] = root[i] * z[i];
    TT += i ? w[i] * w[i] : 0;
  }
  const double T = sqrt(TT), h = mu * T - w[0], scale = 1 / (1 + mu * mu);
  double direction[6] = { 1 };   // h = -direction' w
  for (int32_t i = 1; i < dim; i++) {
    direction[i] = -mu * w[i] / T;
  }
  const double turn = mu * h / T;   // of the tangential part across its own direction
  for (int32_t i = 0; i < dim; i++) {
    for (int32_t j = 0; j < dim; j++) {
      double a = direction[i] * direction[j];
      if (i && j) {
        a += turn * ((i == j) - w[i] * w[j] / TT);
      }
      W[i * dim + j] = a * scale * root[i] * root[j];
    }
  }
}

// ------------------------------------------------------------------ along a line z + step dz

// Sums of the first and the second derivatives with respect to the step.
typedef struct sn_penalty_slope {
  double first, second;
} sn_penalty_slope;

// Adds the slopes of the cost of a friction-loss row at z + step dz.
static inline void sn_penalty_friction_slope(double D, double eta, double z, double dz, double step,
                                             sn_penalty_slope *s) {
  const double f = -D * (z + step * dz);
  if (f >= eta) {
    s->first -= eta * dz;
  } else if (f <= -eta) {
    s->first += eta * dz;
  } else {
    s->first -= f * dz;
    s->second += D * dz * dz;
  }
}

// What the derivatives of a cone along a line depend on, with w = sqrt(D) z and v = sqrt(D) dz.
typedef struct sn_penalty_line {
  double w0, v0;       // normal
  double tt, tv, vv;   // tangential: w_t'w_t, w_t'v_t, v_t'v_t
} sn_penalty_line;

// An elliptic contact along the line z + step dz.
static inline sn_penalty_line sn_penalty_cone_line(int32_t dim, const double *root, const double *z,
                                                   const double *dz) {
  sn_penalty_line line = { root[0] * z[0], root[0] * dz[0], 0, 0, 0 };
  for (int32_t i = 1; i < dim; i++) {
    const double w = root[i] * z[i], v = root[i] * dz[i];
    line.tt += w * w;
    line.tv += w * v;
    line.vv += v * v;
  }
  return line;
}

// Adds the slopes of the cost of an elliptic contact on a line.
static inline void sn_penalty_cone_slope(const sn_penalty_line *line, double mu, double step,
                                         sn_penalty_slope *s) {
  const double N = -(line->w0 + step * line->v0);
  const double TT = line->tt + step * (2 * line->tv + step * line->vv);
  const double T = TT > 0 ? sqrt(TT) : 0, h = N + mu * T;
  if (h <= 0) {
    return;
  }
  const double tv = line->tv + step * line->vv;
  if (T <= mu * N) {
    s->first += tv - N * line->v0;
    s->second += line->vv + line->v0 * line->v0;
    return;
  }
  const double dT = tv / T, dh = mu * dT - line->v0, scale = 1 / (1 + mu * mu);
  s->first += scale * h * dh;
  s->second += scale * (dh * dh + mu * h * sn_max(0, line->vv - dT * dT) / T);
}

SN_END_DECLS

#endif
