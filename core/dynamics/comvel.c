// SPDX-License-Identifier: Apache-2.0
//
// Velocities of the bodies and rates of the motion axes, in one pass from the root:
//
//   cvel_b      = cvel_parent + sum over its dofs of cdof qvel
//   cdof_dot_i  = vel x cdof_i, vel the velocity of the frame that carries axis i
//
// A joint's axis is carried by what moves it: the parent and the joints of the body before it. The
// three axes of a ball are carried by the ball too, which adds nothing to sum(cdof_dot qvel) since
// w x w = 0; it is left out. The translations of a free joint are along axes that never turn.

#include "data/share.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

// Joints that turn: n axes that are carried together.
static inline void turn(double *vel, double *cdof_dot, const double *cdof, const double *qvel,
                        int n) {
  for (int k = 0; k < n; k++) {
    sn_cross_motion(cdof_dot + 6 * k, vel, cdof + 6 * k);
  }
  for (int k = 0; k < n; k++) {
    sn_addscale6(vel, vel, qvel[k], cdof + 6 * k);
  }
}

static inline void slide(double *vel, double *cdof_dot, const double *cdof, double qvel) {
  sn_zero3(cdof_dot);
  sn_cross(cdof_dot + 3, vel, cdof + 3);
  sn_addscale3(vel + 3, vel + 3, qvel, cdof + 3);
}

// Adds joint j to the velocity of its body.
static void move_by_joint(const sn_model *m, sn_data *d, int32_t j, double *vel) {
  int32_t type = m->jnt_type[j], i = m->jnt_dofadr[j];
  double *cdof_dot = d->cdof_dot + 6 * i;
  const double *cdof = d->cdof + 6 * i, *qvel = d->qvel + i;

  if (type == SN_JOINT_HINGE) {
    turn(vel, cdof_dot, cdof, qvel, 1);
  } else if (type == SN_JOINT_SLIDE) {
    slide(vel, cdof_dot, cdof, qvel[0]);
  } else if (type == SN_JOINT_BALL) {
    turn(vel, cdof_dot, cdof, qvel, 3);
  } else {
    memset(cdof_dot, 0, 18 * sizeof(double));
    sn_add3(vel + 3, vel + 3, qvel);
    turn(vel, cdof_dot + 18, cdof + 18, qvel + 3, 3);
  }
}

SI_TASK sn_status move_run(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  (void)w, (void)context;
  for (int32_t b = d->sleep.run[k].begin.body; b < d->sleep.run[k].end.body; b++) {
    double *vel = d->cvel + 6 * b;
    memcpy(vel, d->cvel + 6 * m->body_parentid[b], 6 * sizeof(double));
    int32_t begin = m->body_jntadr[b], end = begin + m->body_jntnum[b];
    for (int32_t j = begin; j < end; j++) {
      move_by_joint(m, d, j, vel);
    }
  }
  return SN_OK;
}

void si_dyn_comvel(const sn_model *m, sn_data *d) {
  memset(d->cvel, 0, 6 * sizeof(double));
  si_share_runs(m, d, move_run, NULL);
}
