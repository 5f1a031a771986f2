// SPDX-License-Identifier: Apache-2.0
//
// The reference acceleration, a* = -b (J v) - k d(r) (r - margin), and products with J.

#include "constraint/constraint.h"

#include <string.h>

// The product of one row; two sums, so that they overlap.
static inline double row_times(int32_t n, const int32_t *col, const double *J, const double *x) {
  double even = 0, odd = 0;
  int32_t k = 0;
  for (; k + 1 < n; k += 2) {
    even += J[k] * x[col[k]];
    odd += J[k + 1] * x[col[k + 1]];
  }
  return k < n ? even + odd + J[k] * x[col[k]] : even + odd;
}

void si_constraint_multiply(const sn_data *d, const double *x, double *y) {
  for (int64_t i = 0; i < d->nefc; i++) {
    int32_t adr = d->efc_J_rowadr[i];
    y[i] = row_times(d->efc_J_rownnz[i], d->efc_J_colind + adr, d->efc_J + adr, x);
  }
}

void si_constraint_multiply_transposed(const sn_data *d, int64_t nv, const double *x, double *y) {
  memset(y, 0, (size_t)nv * sizeof *y);
  for (int64_t i = 0; i < d->nefc; i++) {
    const int32_t *col = d->efc_J_colind + d->efc_J_rowadr[i];
    const double *J = d->efc_J + d->efc_J_rowadr[i];
    if (x[i] == 0) {
      continue;
    }
    for (int32_t k = 0; k < d->efc_J_rownnz[i]; k++) {
      y[col[k]] += x[i] * J[k];
    }
  }
}

void si_constraint_reference(const sn_model *m, sn_data *d) {
  (void)m;
  si_constraint_multiply(d, d->qvel, d->efc_vel);
  for (int64_t i = 0; i < d->nefc; i++) {
    const double *KBIP = d->efc_KBIP + 4 * i;
    d->efc_aref[i] = -KBIP[1] * d->efc_vel[i] -
                     KBIP[0] * KBIP[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
}

void sn_full_constraint_jacobian(const sn_model *model, const sn_data *data, double *out) {
  memset(out, 0, (size_t)(data->nefc * model->nv) * sizeof *out);
  for (int64_t i = 0; i < data->nefc; i++) {
    const int32_t *col = data->efc_J_colind + data->efc_J_rowadr[i];
    const double *J = data->efc_J + data->efc_J_rowadr[i];
    for (int32_t k = 0; k < data->efc_J_rownnz[i]; k++) {
      out[i * model->nv + col[k]] = J[k];
    }
  }
}
