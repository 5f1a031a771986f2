// SPDX-License-Identifier: Apache-2.0
//
// Products with an inertia matrix along the kinematic tree; layout in sn_inertia.

#ifndef SOLVERS_INERTIA_H
#define SOLVERS_INERTIA_H

#include "sinew/plugin.h"

// y = M x
static inline void inertia_multiply(const sn_inertia *m, const double *x, double *y) {
  for (int64_t i = 0; i < m->nv; i++) {
    const double *entry = m->M + m->adr[i];
    double sum = *entry++ * x[i];
    for (int32_t j = m->parent[i]; j >= 0; j = m->parent[j], entry++) {
      sum += *entry * x[j];
      y[j] += *entry * x[i];
    }
    y[i] = sum;
  }
}

// x <- M^-1 x, with L'DL = M
static inline void inertia_solve(const sn_inertia *m, double *x) {
  for (int64_t i = m->nv - 1; i >= 0; i--) {
    const double *entry = m->L + m->adr[i] + 1;
    for (int32_t j = m->parent[i]; j >= 0; j = m->parent[j]) {
      x[j] -= *entry++ * x[i];
    }
  }
  for (int64_t i = 0; i < m->nv; i++) {
    const double *entry = m->L + m->adr[i] + 1;
    double sum = x[i] * m->Dinv[i];
    for (int32_t j = m->parent[i]; j >= 0; j = m->parent[j]) {
      sum -= *entry++ * x[j];
    }
    x[i] = sum;
  }
}

#endif
