// SPDX-License-Identifier: Apache-2.0
//
// The dofs that move a body, and what a force at a point means to them.
//
// Body b is moved by the dofs tip, parent(tip), parent(parent(tip)) ... down to -1, each smaller
// than the one before: the chain of b. Entry i of the Jacobian of a point, along a direction u, is
//
//     u' (v_i + w_i x (p - c)) = [ (p - c) x u ; u ]' cdof_i,    cdof_i = [ w_i ; v_i ] about c
//
// so one wrench, force u at p taken about the origin c of the tree, makes a whole row.

#ifndef SI_DYNAMICS_CHAIN_H
#define SI_DYNAMICS_CHAIN_H

#include "data/data.h"
#include "sinew/math.h"

// The chains of two bodies, walked together towards the root, the larger dof first.
typedef struct si_chains {
  int32_t dof1, dof2;   // the next of each
} si_chains;

enum { SI_MOVES_1 = 1, SI_MOVES_2 = 2 };   // which body a dof moves

static inline si_chains si_chains_of(const sn_model *m, int32_t body1, int32_t body2) {
  return (si_chains){ si_chain_tip(m, body1), si_chain_tip(m, body2) };
}

// The next dof that moves one of the bodies and not the other; -1: there are no more.
static inline int32_t si_chains_apart(const sn_model *m, si_chains *c, int *moves) {
  const int32_t dof1 = c->dof1, dof2 = c->dof2;
  if (dof1 == dof2) {
    return -1;
  }
  if (dof1 > dof2) {
    *moves = SI_MOVES_1;
    c->dof1 = m->dof_parentid[dof1];
    return dof1;
  }
  *moves = SI_MOVES_2;
  c->dof2 = m->dof_parentid[dof2];
  return dof2;
}

// The next dof that moves either body or both; -1: there are no more.
static inline int32_t si_chains_either(const sn_model *m, si_chains *c, int *moves) {
  const int32_t dof = c->dof1 > c->dof2 ? c->dof1 : c->dof2;
  *moves = 0;
  if (dof >= 0 && dof == c->dof1) {
    *moves |= SI_MOVES_1;
    c->dof1 = m->dof_parentid[dof];
  }
  if (dof >= 0 && dof == c->dof2) {
    *moves |= SI_MOVES_2;
    c->dof2 = m->dof_parentid[dof];
  }
  return dof;
}

// Turns round the order of a row that was made along a chain: its columns, and its values unless
// they are NULL.
static inline void si_chain_ascending(int32_t n, int32_t *col, double *val) {
  for (int32_t i = 0, j = n - 1; i < j; i++, j--) {
    const int32_t c = col[i];
    col[i] = col[j];
    col[j] = c;
    if (val) {
      const double v = val[i];
      val[i] = val[j];
      val[j] = v;
    }
  }
}

// The number of entries of a row of qM.
static inline int32_t si_row_length(const sn_model *m, int32_t dof) {
  int32_t end = dof + 1 < (int32_t)m->nv ? m->dof_Madr[dof + 1] : (int32_t)m->nM;
  return end - m->dof_Madr[dof];
}

// The number of dofs of the chain that ends in a dof. Rows of qM are longer than chains only where
// they hold what tendons couple (model/inertia_rows.c).
static inline int32_t si_chain_length(const sn_model *m, int32_t dof) {
  if (dof < 0 || m->inertia_parent == m->dof_parentid) {
    return dof < 0 ? 0 : si_row_length(m, dof);
  }
  int32_t n = 1;
  while ((dof = m->dof_parentid[dof]) >= 0) {
    n++;
  }
  return n;
}

// Origin of the c-quantities of a body.
static inline const double *si_chain_origin(const sn_model *m, const sn_data *d, int32_t body) {
  return d->subtree_com + 3 * m->body_rootid[body];
}

// The wrench [torque; force] about `origin` of a force at a point.
static inline void si_wrench(double *out, const double *origin, const double *point,
                             const double *force) {
  double arm[3];
  sn_sub3(arm, point, origin);
  sn_cross(out, arm, force);
  sn_copy3(out + 3, force);
}

// Adds to the forces of the dofs that move a body what a wrench on it means to them.
static inline void si_chain_apply(const sn_model *m, const sn_data *d, int32_t body,
                                  const double *wrench, double *qfrc) {
  for (int32_t i = si_chain_tip(m, body); i >= 0; i = m->dof_parentid[i]) {
    qfrc[i] += sn_dot6(d->cdof + 6 * i, wrench);
  }
}

#endif
