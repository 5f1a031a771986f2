// SPDX-License-Identifier: Apache-2.0
//
// Positions as points of a manifold: the sum of a position and a velocity, the difference of two
// positions. Velocities of rotations are in the local frame: q <- q exp(h w / 2).

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
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

// ------------------------------------------------------------------ rates of displacements

// The inverse of the right Jacobian of rotations, applied to v; out may be v. The coefficient is
// expanded where its terms cancel: 1/12 + t^2/720 + t^4/30240 + ... It is regular at half a turn,
// and infinite at a whole one, where there is no inverse.
static void transport_rotation(double *out, const double *u, const double *v) {
  const double t2 = sn_dot3(u, u), t = sqrt(t2);
  if (t >= 2 * SN_PI) {
    memmove(out, v, 3 * sizeof(double));
    return;
  }
  const double c = t < 0.1 ? 1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 / 1209600))
                           : 1 / t2 - 1 / (2 * t * tan(0.5 * t));
  double once[3], twice[3];
  sn_cross(once, u, v);
  sn_cross(twice, u, once);
  for (int i = 0; i < 3; i++) {
    out[i] = v[i] + 0.5 * once[i] + c * twice[i];
  }
}

void si_transport(const sn_model *m, const double *u, const double *v, double *out) {
  for (int64_t j = 0; j < m->njnt; j++) {
    const int32_t type = m->jnt_type[j];
    int32_t i = m->jnt_dofadr[j];
    if (type >= SN_JOINT_SLIDE) {
      out[i] = v[i];
      continue;
    }
    if (type == SN_JOINT_FREE) {
      memmove(out + i, v + i, 3 * sizeof(double));
      i += 3;
    }
    transport_rotation(out + i, u + i, v + i);
  }
}
