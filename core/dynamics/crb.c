// SPDX-License-Identifier: Apache-2.0
//
// The inertia matrix by the composite rigid body algorithm, Featherstone (2008), chapter 6.
//
//   crb_b  = sum of cinert over the subtree of b
//   M_ij   = cdof_j' crb_body(i) cdof_i,   j an ancestor of i or i itself
//
// and armature is added to the diagonal.
//
// Row i of qM runs along the tree, from i to the root: layout in sn_inertia.

#include "data/share.h"
#include "dynamics/chain.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

SI_TASK sn_status compose_run(const sn_model *m, sn_data *d, si_worker *w, int64_t k,
                              void *context) {
  (void)w, (void)context;
  const int32_t from = d->sleep.run[k].begin.body, to = d->sleep.run[k].end.body;
  memcpy(d->crb + 10 * from, d->cinert + 10 * from, 10 * (size_t)(to - from) * sizeof(double));
  for (int32_t b = to - 1; b >= from; b--) {
    int32_t parent = m->body_parentid[b];
    if (parent > 0) {
      double *up = d->crb + 10 * parent;
      const double *own = d->crb + 10 * b;
      for (int i = 0; i < 10; i++) {
        up[i] += own[i];
      }
    }
  }
  return SN_OK;
}

void si_dyn_composite(const sn_model *m, sn_data *d) {
  si_share_runs(m, d, compose_run, NULL);
}

// Whether a free body stands alone, with its frame along the principal axes at its center of mass:
// then its block of M is diagonal.
static int is_simple(const sn_model *m, int32_t b) {
  const double *ipos = m->body_ipos + 3 * b;
  return m->body_iquat[4 * b] == 1 && ipos[0] == 0 && ipos[1] == 0 && ipos[2] == 0 &&
         m->body_subtreemass[b] == m->body_mass[b];
}

enum { FREE_ROWS = 21 };   // numbers of the six rows of a free joint at the root of M

static void simple_rows(const sn_model *m, int32_t i, double *row) {
  int32_t b = m->dof_bodyid[i];
  const double *armature = m->dof_armature + i, *inertia = m->body_inertia + 3 * b;
  memset(row, 0, FREE_ROWS * sizeof(double));
  row[0] = m->body_mass[b] + armature[0];
  row[1] = m->body_mass[b] + armature[1];
  row[3] = m->body_mass[b] + armature[2];
  row[6] = inertia[0] + armature[3];
  row[10] = inertia[1] + armature[4];
  row[15] = inertia[2] + armature[5];
}

// The rows of a free joint: translations along the global axes, mass times the unit matrix, and
// rotations about the axes of the body.
static void free_rows(const sn_model *m, const sn_data *d, int32_t i, double *row) {
  const double *armature = m->dof_armature + i, *I = d->crb + 10 * m->dof_bodyid[i];
  memset(row, 0, 6 * sizeof(double));
  row[0] = I[9] + armature[0];
  row[1] = I[9] + armature[1];
  row[3] = I[9] + armature[2];
  row += 6;
  for (int k = 3; k < 6; k++) {
    double momentum[6];
    sn_mul_inertia(momentum, I, d->cdof + 6 * (i + k));
    *row++ = sn_dot6(d->cdof + 6 * (i + k), momentum) + armature[k];
    for (int j = k - 1; j >= 3; j--) {
      *row++ = sn_dot6(d->cdof + 6 * (i + j), momentum);
    }
    *row++ = momentum[5];
    *row++ = momentum[4];
    *row++ = momentum[3];
  }
}

// Momentum of the composite body when dof i moves with unit rate.
static inline void unit_momentum(const sn_model *m, const sn_data *d, int32_t i, double *out) {
  const double *I = d->crb + 10 * m->dof_bodyid[i], *cdof = d->cdof + 6 * i;
  if (m->jnt_type[m->dof_jntid[i]] == SN_JOINT_SLIDE) {
    sn_cross(out, I + 6, cdof + 3);
    sn_scale3(out + 3, cdof + 3, I[9]);
  } else {
    sn_mul_inertia(out, I, cdof);
  }
}

// The six rows of a free joint. Where tendons couple it with earlier trees, they go on to those.
static void free_joint(const sn_model *m, const sn_data *d, int32_t i, double *row) {
  const int32_t more = si_row_length(m, i) - 1;
  double block[FREE_ROWS], *to = more ? block : row;
  if (is_simple(m, m->dof_bodyid[i])) {
    simple_rows(m, i, to);
  } else {
    free_rows(m, d, i, to);
  }
  for (int32_t k = 1; k <= 6 && more; k++) {
    memcpy(row, to, (size_t)k * sizeof(double));
    memset(row + k, 0, (size_t)more * sizeof(double));
    row += k + more;
    to += k;
  }
}

void si_dyn_crb_rows(const sn_model *m, sn_data *d, int32_t begin, int32_t end) {
  for (int32_t i = begin; i < end; i++) {
    double *row = d->qM + m->dof_Madr[i], momentum[6];
    if (m->jnt_type[m->dof_jntid[i]] == SN_JOINT_FREE) {
      free_joint(m, d, i, row);
      i += 5;
      continue;
    }
    unit_momentum(m, d, i, momentum);
    *row++ = m->dof_armature[i] + sn_dot6(d->cdof + 6 * i, momentum);
    int32_t mover = m->dof_parentid[i];   // others of the row do not move the body
    for (int32_t j = m->inertia_parent[i]; j >= 0; j = m->inertia_parent[j]) {
      if (j == mover) {
        *row++ = sn_dot6(d->cdof + 6 * j, momentum);
        mover = m->dof_parentid[j];
      } else {
        *row++ = 0;
      }
    }
  }
}

SI_TASK sn_status fill_run(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  compose_run(m, d, w, k, context);
  si_dyn_crb_rows(m, d, d->sleep.run[k].begin.dof, d->sleep.run[k].end.dof);
  return SN_OK;
}

void si_dyn_crb(const sn_model *m, sn_data *d) {
  si_share_runs(m, d, fill_run, NULL);
}
