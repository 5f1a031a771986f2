// SPDX-License-Identifier: Apache-2.0
//
// Positions as points of a manifold: the sum of a position and a velocity, the difference of two
// positions. Velocities of rotations are in the local frame: q <- q exp(h w / 2).

#include "model/data.h"
#include "sinew/math.h"

void sn_integrate_position(const sn_model *model, double *qpos, const double *v, double h) {
  for (int64_t j = 0; j < model->njnt; j++) {
    double *q = qpos + model->jnt_qposadr[j];
    const double *w = v + model->jnt_dofadr[j];
    int32_t type = model->jnt_type[j];
    if (type >= SN_JOINT_SLIDE) {
      q[0] += h * w[0];
      continue;
    }
    if (type == SN_JOINT_FREE) {
      sn_addscale3(q, q, h, w);
      q += 3;
      w += 3;
    }
    sn_integrate_quat(q, w, h);
  }
}

void sn_differentiate_position(const sn_model *model, double *v, double h, const double *from,
                               const double *to) {
  for (int64_t j = 0; j < model->njnt; j++) {
    const double *a = from + model->jnt_qposadr[j], *b = to + model->jnt_qposadr[j];
    double *w = v + model->jnt_dofadr[j];
    int32_t type = model->jnt_type[j];
    if (type >= SN_JOINT_SLIDE) {
      w[0] = (b[0] - a[0]) / h;
      continue;
    }
    if (type == SN_JOINT_FREE) {
      sn_sub3(w, b, a);
      sn_scale3(w, w, 1 / h);
      a += 3;
      b += 3;
      w += 3;
    }
    double turn[4];
    sn_conj_quat(turn, a);
    sn_mul_quat(turn, turn, b);
    sn_quat_vec(w, turn);
    sn_scale3(w, w, 1 / h);
  }
}
