// SPDX-License-Identifier: Apache-2.0
//
// Positions against their derivatives by finite differences: Jacobians of bodies, moment arms of
// tendons and actuators; and the manifold of positions.

#include "dynamics/random_robots.h"
#include "suite.h"

START_TEST(jacobians) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 1), *a = sn_data_new(m, error), *b = sn_data_new(m, error);
  int64_t nv = m->nv;
  double jacp[3 * NV], jacr[3 * NV], turn[4], w[3];
  for (int32_t body = 1; body < m->nbody; body++) {
    sn_jacobian_com(m, d, jacp, jacr, body);
    for (int64_t i = 0; i < nv; i++) {
      moved(m, d, i, h, a);
      moved(m, d, i, -h, b);
      // rotation from b to a, in global axes
      sn_conj_quat(turn, b->xquat + 4 * body);
      sn_mul_quat(turn, a->xquat + 4 * body, turn);
      sn_quat_vec(w, turn);
      for (int k = 0; k < 3; k++) {
        double v = (a->xipos[3 * body + k] - b->xipos[3 * body + k]) / (2 * h);
        ck_assert_double_le(fabs(v - jacp[k * nv + i]), 1e-9);
        ck_assert_double_le(fabs(w[k] / (2 * h) - jacr[k * nv + i]), 1e-9);
      }
    }
  }
  // the sparse difference is the difference of the dense ones
  int32_t col[NV], n = si_merge_chain(m, 4, 5, col);
  double p[3 * NV], r[3 * NV], jacp5[3 * NV], jacr5[3 * NV];
  si_attachment from = { .body = 4 }, to = { .body = 5 };
  sn_copy3(from.point, d->xpos + 12);
  sn_copy3(to.point, d->xpos + 15);
  si_jacobian_difference(m, d, &from, &to, n, p, r);
  sn_jacobian(m, d, jacp, jacr, d->xpos + 12, 4);
  sn_jacobian(m, d, jacp5, jacr5, d->xpos + 15, 5);
  for (int k = 0; k < 3; k++) {
    for (int32_t i = 0; i < n; i++) {
      int64_t full = k * nv + col[i];
      ck_assert_double_le(fabs(p[k * n + i] - (jacp5[full] - jacp[full])), 1e-14);
      ck_assert_double_le(fabs(r[k * n + i] - (jacr5[full] - jacr[full])), 1e-14);
      jacp[full] = jacp5[full];
    }
  }
  ck_assert_int_eq(n, nv);
  sn_data_free(d);
  sn_data_free(a);
  sn_data_free(b);
  sn_model_free(m);
}
END_TEST

// lengths of tendons and actuators have the moment arms as gradients
START_TEST(moments) {
  sn_model *m = robot(gravity, 1);
  sn_data *a = sn_data_new(m, error), *b = sn_data_new(m, error);
  double ten_J[2 * NV], moment[5 * NV];
  int wrapped = 0;
  for (uint64_t state = 1; state < 40; state++) {
    sn_data *d = random_state(m, state);
    sn_full_tendon_jacobian(m, d, ten_J);
    sn_full_actuator_moment(m, d, moment);
    wrapped += d->ten_wrapnum[0] > 9;   // sites and pulleys
    for (int64_t i = 0; i < m->nv; i++) {
      moved(m, d, i, h, a);
      moved(m, d, i, -h, b);
      if (a->ten_wrapnum[0] != b->ten_wrapnum[0]) {
        continue;   // a kink
      }
      for (int64_t t = 0; t < m->ntendon; t++) {
        double slope = (a->ten_length[t] - b->ten_length[t]) / (2 * h);
        ck_assert_double_le(fabs(slope - ten_J[t * m->nv + i]), 1e-8);
      }
      for (int64_t u = 0; u < m->nu; u++) {
        double slope = (a->actuator_length[u] - b->actuator_length[u]) / (2 * h);
        ck_assert_double_le(fabs(slope - moment[u * m->nv + i]), 1e-8);
      }
    }
    sn_data_free(d);
  }
  ck_assert_int_gt(wrapped, 3);
  sn_data_free(a);
  sn_data_free(b);
  sn_model_free(m);
}
END_TEST

START_TEST(manifold) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 3), *a = sn_data_new(m, error);
  double v[NV];
  memcpy(a->qpos, d->qpos, (size_t)m->nq * sizeof(double));
  sn_integrate_position(m, a->qpos, d->qvel, 0.7);
  sn_differentiate_position(m, v, 0.7, d->qpos, a->qpos);
  for (int64_t i = 0; i < m->nv; i++) {
    ck_assert_double_le(fabs(v[i] - d->qvel[i]), 1e-13);
  }
  sn_data_free(d);
  sn_data_free(a);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(jacobians);
  TEST(moments);
  TEST(manifold);
}
