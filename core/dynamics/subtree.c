// SPDX-License-Identifier: Apache-2.0
//
// Momenta of the subtrees: velocity of the center of mass, and angular momentum about it.
//
// A body has velocity v at its own center of mass and angular momentum L there. With p = mass v,
// summed over the subtree towards the root, and r the offset of a center from a reference point,
//
//   angular momentum about the point = sum of (L + r x p)
//
// The sums are made about the origin of the tree and moved to the subtree's center at the end.

#include "dynamics/chain.h"
#include "dynamics/dynamics.h"

void si_dyn_subtree(const sn_model *m, sn_data *d) {
  int32_t nbody = (int32_t)m->nbody;
  double *momentum = d->subtree_linvel, *angular = d->subtree_angmom;

  // momentum of each body about the subtree's own center: I v about c, moved there
  for (int32_t b = 0; b < nbody; b++) {
    double I_v[6], arm[3], moved[3];
    sn_mul_inertia(I_v, d->cinert + 10 * b, d->cvel + 6 * b);
    sn_sub3(arm, si_chain_origin(m, d, b), d->subtree_com + 3 * b);
    sn_cross(moved, arm, I_v + 3);
    sn_add3(angular + 3 * b, I_v, moved);
    sn_copy3(momentum + 3 * b, I_v + 3);
  }
  // to the parent's center, towards the root
  for (int32_t b = nbody - 1; b > 0; b--) {
    int32_t up = m->body_parentid[b];
    double arm[3], moved[3];
    sn_sub3(arm, d->subtree_com + 3 * b, d->subtree_com + 3 * up);
    sn_cross(moved, arm, momentum + 3 * b);
    sn_add3(angular + 3 * up, angular + 3 * up, moved);
    sn_add3(angular + 3 * up, angular + 3 * up, angular + 3 * b);
    sn_add3(momentum + 3 * up, momentum + 3 * up, momentum + 3 * b);
  }
  // from momentum to velocity
  for (int32_t b = 0; b < nbody; b++) {
    double mass = m->body_subtreemass[b];
    sn_scale3(momentum + 3 * b, momentum + 3 * b, mass < SN_TINY ? 0 : 1 / mass);
  }
}
