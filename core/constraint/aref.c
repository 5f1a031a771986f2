// SPDX-License-Identifier: Apache-2.0
//
// The reference acceleration, a* = -b (J v) - k d(r) (r - margin), and products with J.

#include "constraint/constraint.h"

#include <string.h>

#include "sinew/numerics/sparse.h"

sn_sparse si_constraint_jacobian(const sn_data *d, int64_t nv) {
  return (sn_sparse){ .nnz = d->efc_J_rownnz,
                      .adr = d->efc_J_rowadr,
                      .col = d->efc_J_colind,
                      .val = d->efc_J,
                      .nrow = d->nefc,
                      .ncol = nv };
}

void si_constraint_multiply(const sn_data *d, const double *x, double *y) {
  const sn_sparse J = si_constraint_jacobian(d, 0);   // the number of columns is not read
  sn_sparse_multiply_paired(&J, x, y);
}

void si_constraint_multiply_transposed(const sn_data *d, int64_t nv, const double *x, double *y) {
  const sn_sparse J = si_constraint_jacobian(d, nv);
  memset(y, 0, (size_t)nv * sizeof *y);
  sn_sparse_add_transposed(&J, x, y);
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
  const sn_sparse J = si_constraint_jacobian(data, model->nv);
  sn_sparse_full(&J, out);
}
