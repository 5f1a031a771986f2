// SPDX-License-Identifier: Apache-2.0
//
// The links of a simulation, from which products with M and M^-1 follow by recursion along the
// bodies (sinew/numerics/articulated.h): in long chains these cost less than the rows of M.
//
// The origin of the links of a body is the anchor of its last joint, so that the axis of a hinge
// has no velocity there, and no moments of distant bodies cancel. Bodies without joints belong to
// the body that moves them.

#include "dynamics/dynamics.h"
#include "sinew/math.h"

// The origin of the links of a body that has joints.
static const double *link_origin(const sn_model *m, const sn_data *d, int32_t body) {
  return d->xanchor + 3 * (m->body_jntadr[body] + m->body_jntnum[body] - 1);
}

static void place_joints(const sn_model *m, sn_data *d, int32_t body) {
  const double *origin = link_origin(m, d, body);
  for (int32_t j = m->body_jntadr[body]; j < m->body_jntadr[body] + m->body_jntnum[body]; j++) {
    si_joint_axes(m, d, j, origin, d->links.axis + 6 * m->jnt_dofadr[j]);
  }
  const int32_t up = m->body_weldid[m->body_parentid[body]];
  if (up > 0) {
    sn_sub3(d->links.shift + 3 * m->body_dofadr[body], origin, link_origin(m, d, up));
  }
}

// Every body comes after the one that moves it.
void si_dyn_articulate(const sn_model *m, sn_data *d) {
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    const int32_t mover = m->body_weldid[b], tip = si_chain_tip(m, b);
    if (tip < 0) {
      continue;
    }
    double r[3], I[10], *to = d->links.inertia + 10 * tip;
    sn_sub3(r, d->xipos + 3 * b, link_origin(m, d, mover));
    if (mover == b) {
      place_joints(m, d, b);
      si_body_inertia(m, d, b, r, to);
      continue;
    }
    si_body_inertia(m, d, b, r, I);
    for (int k = 0; k < 10; k++) {
      to[k] += I[k];
    }
  }
}
