// SPDX-License-Identifier: Apache-2.0
//
// Velocities of tendons and actuators: their Jacobians times qvel.

#include "dynamics/dynamics.h"

static void multiply_rows(int64_t n, const int32_t *nnz, const int32_t *adr, const int32_t *col,
                          const double *val, const double *x, double *y) {
  for (int64_t i = 0; i < n; i++) {
    double sum = 0;
    for (int32_t k = adr[i]; k < adr[i] + nnz[i]; k++) {
      sum += val[k] * x[col[k]];
    }
    y[i] = sum;
  }
}

void si_dyn_velocity(const sn_model *m, sn_data *d) {
  multiply_rows(m->ntendon, d->ten_J_rownnz, d->ten_J_rowadr, d->ten_J_colind, d->ten_J, d->qvel,
                d->ten_velocity);
  multiply_rows(m->nu, d->actuator_moment_rownnz, d->actuator_moment_rowadr,
                d->actuator_moment_colind, d->actuator_moment, d->qvel, d->actuator_velocity);
}
