// SPDX-License-Identifier: Apache-2.0
//
// The reference acceleration, a* = -b (J v - u) - k d(r) (r - margin), and products with J. The
// reference velocity u is zero but where a constraint of a plugin sets it, and in rows of friction
// where contact modifiers set the velocity of a surface.

#include "constraint/constraint.h"

#include <string.h>

#include "data/share.h"
#include "sinew/math.h"
#include "sinew/numerics/sparse.h"

sn_sparse si_constraint_jacobian(const sn_data *d, int64_t nv) {
  return (sn_sparse){ .nnz = d->efc_J_rownnz,
                      .adr = d->efc_J_rowadr,
                      .col = d->efc_J_colind,
                      .val = d->efc_J,
                      .nrow = d->nefc,
                      .ncol = nv };
}

// Some rows of y = J x.
static inline void multiply_rows(const sn_data *d, si_range rows, const double *x, double *y) {
  const sn_sparse J = si_constraint_jacobian(d, 0);   // the number of columns is not read
  for (int64_t i = rows.begin; i < rows.end; i++) {
    y[i] = sn_row_dot_paired(sn_sparse_row_at(&J, i), x);
  }
}

void si_constraint_multiply(const sn_data *d, const double *x, double *y) {
  multiply_rows(d, (si_range){ 0, d->nefc }, x, y);
}

void si_constraint_multiply_transposed(const sn_data *d, int64_t nv, const double *x, double *y) {
  const sn_sparse J = si_constraint_jacobian(d, nv);
  memset(y, 0, (size_t)nv * sizeof *y);
  sn_sparse_add_transposed(&J, x, y);
}

// A friction row that moves along direction i with the sign s has the reference velocity s u_i: an
// elliptic row with s = 1, an edge of a pyramid with s = mu_i and -mu_i.
static void add_surface_velocity(sn_data *d, int64_t contact, int pyramid) {
  const double *u = d->contact_velocity + 5 * contact, *mu = d->contact_friction + 5 * contact;
  for (int64_t k = 0, row = d->contact_efc_address[contact]; k < d->contact_dim[contact] - 1; k++) {
    if (pyramid) {
      const double *plus = d->efc_KBIP + 4 * (row + 2 * k), *minus = plus + 4;
      d->efc_aref[row + 2 * k] += plus[1] * mu[k] * u[k];
      d->efc_aref[row + 2 * k + 1] -= minus[1] * mu[k] * u[k];
    } else {
      d->efc_aref[row + 1 + k] += d->efc_KBIP[4 * (row + 1 + k) + 1] * u[k];
    }
  }
}

static const double inactive = -1e10;   // below every acceleration

si_approach si_contact_approach(const sn_model *m, const sn_data *d, int64_t contact) {
  const int32_t row = d->contact_efc_address[contact], dim = d->contact_dim[contact];
  const int pyramid = dim > 1 && m->opt.cone == SN_CONE_PYRAMIDAL;
  const double *vel = d->efc_vel + row;
  return (si_approach){ .row = row,
                        .dim = dim,
                        .pyramid = pyramid,
                        .end = row + (pyramid ? 2 * (dim - 1) : 1),
                        .speed = pyramid ? (vel[0] + vel[1]) / 2 : vel[0] };
}

// A contact has no force while impacts (step/impact.c) determine its velocity: that of geoms that
// are still apart, and one with restitution that closes, or parts after its impact. The soft
// contact would push it by its depth, and where it slides, as the convex problem does.
static int is_left_to_impacts(const sn_model *m, const sn_data *d, int64_t contact,
                              const si_approach *a) {
  return d->contact_dist[contact] > d->contact_includemargin[contact] ||
         (d->contact_restitution[contact] > 0 && fabs(a->speed) > m->opt.bouncespeed);
}

static void leave_to_impacts(const sn_model *m, sn_data *d, int64_t contact) {
  const si_approach a = si_contact_approach(m, d, contact);
  for (int32_t i = a.row; i < a.end && is_left_to_impacts(m, d, contact, &a); i++) {
    d->efc_aref[i] = inactive;
  }
}

SI_TASK sn_status refer_part(const sn_model *m, sn_data *d, si_worker *w, int64_t k,
                             void *context) {
  (void)m, (void)w;
  const si_range part = si_part(context, k);
  multiply_rows(d, part, d->qvel, d->efc_vel);
  for (int64_t i = part.begin; i < part.end; i++) {
    const double *KBIP = d->efc_KBIP + 4 * i;
    d->efc_aref[i] = -KBIP[1] * (d->efc_vel[i] - d->efc_velref[i]) -
                     KBIP[0] * KBIP[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
  return SN_OK;
}

// b = J a0 - aref; the forces stay zero if there is no solution.
SI_TASK sn_status rest_part(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  (void)m, (void)w;
  const si_range part = si_part(context, k);
  multiply_rows(d, part, d->qacc_smooth, d->efc_b);
  for (int64_t i = part.begin; i < part.end; i++) {
    d->efc_b[i] -= d->efc_aref[i];
    d->efc_force[i] = 0;
    d->efc_state[i] = SN_ROWSTATE_SATISFIED;
  }
  return SN_OK;
}

enum { ROWS = 64 };   // of a task

void si_constraint_rest(const sn_model *m, sn_data *d) {
  si_parts parts = si_parts_of(d, d->nefc, ROWS);
  si_share(m, d, parts.n, rest_part, &parts);
}

void si_constraint_reference(const sn_model *m, sn_data *d, si_worker *w) {
  si_parts parts = si_parts_of(d, d->nefc, ROWS);
  si_share(m, d, parts.n, refer_part, &parts);
  si_exact_reference(m, d, w);
  for (int64_t i = 0; i < d->ncon; i++) {
    if (d->contact_efc_address[i] < 0) {
      continue;
    }
    if (m->bound.contact.n > 0) {
      add_surface_velocity(d, i, m->opt.cone == SN_CONE_PYRAMIDAL);
    }
    leave_to_impacts(m, d, i);
  }
}

void sn_full_constraint_jacobian(const sn_model *model, const sn_data *data, double *out) {
  const sn_sparse J = si_constraint_jacobian(data, model->nv);
  sn_sparse_full(&J, out);
}
