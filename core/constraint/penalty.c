// SPDX-License-Identifier: Apache-2.0
//
// The penalty s of the constraint problem, its value and its gradient; and so the analytic
// inverse: the constraint force that belongs to a known acceleration. With the deviation
// z = J qacc - a* ("jar"), f = -grad s(z), row by row and cone by cone:
//
//   equality       f = -D z
//   friction loss  f = -D z, clamped to [-eta, eta]
//   unilateral     f = -D z where z < 0, else 0
//   elliptic       f = sqrt(D) P(-sqrt(D) z), P the projection on |g_t| <= mu g_0
//
// Since the regularizers of a contact are tied, sqrt(R) turns its elliptic friction cone into that
// circular one. With N = g_0 and T = |g_t| before the projection:
//
//   T <= mu N      inside the cone, nothing changes       (bottom, quadratic)
//   N + mu T <= 0  inside the polar cone, the force is 0  (top, satisfied)
//   otherwise      g = (N + mu T) / (1 + mu^2) (1, mu t)  (middle, cone)
//
// The value is R f^2 / 2 for every row but those of friction loss that slide, where it is
// eta (|z| - R eta / 2).
//
// Chapter Computation, "Reduced primal problem".

#include "constraint/constraint.h"

#include <math.h>

// Rows of equality (no bound), friction loss, limits and contacts without a cone. Returns the
// value of the row.
static double scalar_row(const sn_problem *p, int64_t i, double z, double *force, int32_t *state) {
  double eta = p->frictionloss[i], f = -p->D[i] * z;
  *state = SN_ROWSTATE_QUADRATIC;
  *force = f;
  if (i < p->ne) {
    return -0.5 * f * z;
  }
  if (i < p->ne + p->nf) {
    if (fabs(f) < eta) {
      return -0.5 * f * z;
    }
    *force = f > 0 ? eta : -eta;
    *state = f > 0 ? SN_ROWSTATE_LINEARNEG : SN_ROWSTATE_LINEARPOS;
    return eta * (fabs(z) - 0.5 * p->R[i] * eta);
  }
  if (z < 0) {
    return -0.5 * f * z;
  }
  *force = 0;
  *state = SN_ROWSTATE_SATISFIED;
  return 0;
}

static double cone_rows(const sn_problem *p, const sn_cone *cone, const double *jar, double *force,
                        int32_t *states) {
  const double *z = jar + cone->row, *D = p->D + cone->row;
  double *f = force + cone->row, mu = cone->mu, N = -sqrt(D[0]) * z[0], T = 0, value = 0;
  for (int32_t i = 1; i < cone->dim; i++) {
    const double g = -sqrt(D[i]) * z[i];
    T += g * g;
  }
  T = sqrt(T);
  int32_t state = SN_ROWSTATE_CONE;
  const double normal = (N + mu * T) / (1 + mu * mu);
  if (N + mu * T <= 0) {
    state = SN_ROWSTATE_SATISFIED;
  } else if (T <= mu * N) {
    state = SN_ROWSTATE_QUADRATIC;
  }
  for (int32_t i = 0; i < cone->dim; i++) {
    if (state == SN_ROWSTATE_CONE) {
      const double root = sqrt(D[i]);
      f[i] = root * (i ? normal * mu * (-root * z[i]) / T : normal);
    } else {
      f[i] = state == SN_ROWSTATE_QUADRATIC ? -D[i] * z[i] : 0;
    }
    states[cone->row + i] = state;
    value += 0.5 * p->R[cone->row + i] * f[i] * f[i];
  }
  return value;
}

double si_penalty(const sn_problem *p, const double *jar, double *force, int32_t *state) {
  int64_t row = 0;
  double value = 0;
  for (int64_t k = 0; k <= p->ncone; k++) {
    int64_t end = k < p->ncone ? p->cone[k].row : p->nefc;
    for (; row < end; row++) {
      value += scalar_row(p, row, jar[row], &force[row], &state[row]);
    }
    if (k < p->ncone) {
      value += cone_rows(p, &p->cone[k], jar, force, state);
      row += p->cone[k].dim;
    }
  }
  return value;
}

void si_constraint_force(sn_data *d, const double *jar) {
  const sn_problem p = { .nefc = d->nefc,
                         .ne = d->ne,
                         .nf = d->nf,
                         .D = d->efc_D,
                         .R = d->efc_R,
                         .frictionloss = d->efc_frictionloss,
                         .ncone = d->ncone,
                         .cone = d->cone };
  si_penalty(&p, jar, d->efc_force, d->efc_state);
}
