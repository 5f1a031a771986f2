// SPDX-License-Identifier: Apache-2.0
//
// Smooth dynamics against what it must obey: inertia as a sum over bodies, the Lagrange equations,
// Newton's second law for the whole, conservation of energy and momentum, quantities at qpos0.

#include "dynamics/random_robots.h"
#include "suite.h"

// ------------------------------------------------------------------ inertia

// M = armature + sum over bodies of m Jp' Jp + Jr' I Jr
START_TEST(inertia) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 2);
  int64_t nv = m->nv;
  double expected[NV * NV] = { 0 }, full[NV * NV], jacp[3 * NV], jacr[3 * NV];
  for (int64_t i = 0; i < nv; i++) {
    expected[i * nv + i] = m->dof_armature[i];
  }
  for (int32_t body = 1; body < m->nbody; body++) {
    sn_jacobian_com(m, d, jacp, jacr, body);
    for (int64_t i = 0; i < nv * nv; i++) {
      double wi[3], wj[3];
      const double Ji[3] = { jacr[i / nv], jacr[nv + i / nv], jacr[2 * nv + i / nv] };
      const double Jj[3] = { jacr[i % nv], jacr[nv + i % nv], jacr[2 * nv + i % nv] };
      sn_mul_matT_vec3(wi, d->ximat + 9 * body, Ji);
      sn_mul_matT_vec3(wj, d->ximat + 9 * body, Jj);
      for (int k = 0; k < 3; k++) {
        expected[i] += m->body_mass[body] * jacp[k * nv + i / nv] * jacp[k * nv + i % nv];
        expected[i] += m->body_inertia[3 * body + k] * wi[k] * wj[k];
      }
    }
  }
  sn_full_inertia(m, d, full);
  for (int64_t i = 0; i < nv * nv; i++) {
    ck_assert_double_le(fabs(full[i] - expected[i]), 1e-11);
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

START_TEST(inverse_weights) {
  sn_model *m = robot(gravity, 1);
  sn_data *d = sn_data_new(m, error);
  int64_t nv = m->nv;
  double inverse[NV * NV], jacp[3 * NV], jacr[3 * NV], x[NV];
  stages(m, d);
  for (int64_t i = 0; i < nv; i++) {
    memset(x, 0, sizeof x);
    x[i] = 1;
    sn_solve_inertia(m, d, x);
    memcpy(inverse + i * nv, x, (size_t)nv * sizeof(double));
  }
  for (int64_t j = 0; j < m->njnt; j++) {
    int32_t i = m->jnt_dofadr[j], n = m->jnt_type[j] < SN_JOINT_SLIDE ? 3 : 1;
    double mean = 0;
    for (int32_t k = 0; k < n; k++) {
      mean += inverse[(i + k) * (nv + 1)] / n;
    }
    ck_assert_double_le(fabs(m->dof_invweight0[i] - mean), 1e-10 * mean);
  }
  for (int32_t body = 1; body < m->nbody; body++) {
    double weight[2] = { 0, 0 };
    sn_jacobian_com(m, d, jacp, jacr, body);
    for (int64_t e = 0; e < 3 * nv * nv; e++) {
      int64_t k = e / (nv * nv), i = e / nv % nv, j = e % nv;
      weight[0] += jacp[k * nv + i] * inverse[i * nv + j] * jacp[k * nv + j] / 3;
      weight[1] += jacr[k * nv + i] * inverse[i * nv + j] * jacr[k * nv + j] / 3;
    }
    ck_assert_double_le(fabs(m->body_invweight0[2 * body] - weight[0]), 1e-10 * weight[0]);
    ck_assert_double_le(fabs(m->body_invweight0[2 * body + 1] - weight[1]), 1e-10 * weight[1]);
  }
  double ten_J[2 * NV];
  sn_full_tendon_jacobian(m, d, ten_J);
  for (int64_t t = 0; t < m->ntendon; t++) {
    double weight = 0;
    for (int64_t e = 0; e < nv * nv; e++) {
      weight += ten_J[t * nv + e / nv] * inverse[e] * ten_J[t * nv + e % nv];
    }
    ck_assert_double_le(fabs(m->tendon_invweight0[t] - weight), 1e-10 * weight);
    ck_assert_double_eq(m->tendon_length0[t], d->ten_length[t]);
  }
  ck_assert_double_eq(m->body_invweight0[0], 0);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ velocity

// M a + c by both algorithms
START_TEST(inverse_dynamics) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 4);
  double a[NV], tau[NV], Ma[NV];
  for (int64_t i = 0; i < m->nv; i++) {
    a[i] = 10 * uniform();
  }
  si_dyn_rne(m, d, d->worker, a, tau);
  sn_multiply_inertia(m, d, a, Ma);
  for (int64_t i = 0; i < m->nv; i++) {
    ck_assert_double_le(fabs(tau[i] - Ma[i] - d->qfrc_bias[i]), 1e-10);
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// c_i = sum (dM_ij/dq_k - 1/2 dM_jk/dq_i) v_j v_k + dV/dq_i
START_TEST(lagrange) {
  sn_model *m = mechanism(gravity);
  sn_data *d = random_state(m, 5), *a = sn_data_new(m, error), *b = sn_data_new(m, error);
  int64_t nv = m->nv;
  double Ma[NV * NV], Mb[NV * NV], c[NV] = { 0 };
  const double *v = d->qvel;
  for (int64_t k = 0; k < nv; k++) {
    moved(m, d, k, h, a);
    moved(m, d, k, -h, b);
    sn_full_inertia(m, a, Ma);
    sn_full_inertia(m, b, Mb);
    for (int64_t i = 0; i < nv; i++) {
      for (int64_t j = 0; j < nv; j++) {
        double slope = (Ma[i * nv + j] - Mb[i * nv + j]) / (2 * h);
        c[i] += slope * v[j] * v[k];
        c[k] -= 0.5 * slope * v[i] * v[j];
      }
    }
    si_dyn_energy_position(m, a);
    si_dyn_energy_position(m, b);
    c[k] += (a->energy[0] - b->energy[0]) / (2 * h);
  }
  for (int64_t i = 0; i < nv; i++) {
    ck_assert_double_le(fabs(c[i] - d->qfrc_bias[i]), 1e-7);
  }
  sn_data_free(d);
  sn_data_free(a);
  sn_data_free(b);
  sn_model_free(m);
}
END_TEST

// the force that a joint transmits, along its axis, is what inverse dynamics asks for
START_TEST(body_forces) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 6);
  double tau[NV], external[NV] = { 0 };
  for (int64_t i = 0; i < m->nv; i++) {
    d->qacc[i] = uniform();
  }
  for (int64_t i = 6; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = uniform();
  }
  si_dyn_rne(m, d, d->worker, d->qacc, tau);
  si_dyn_add_xfrc(m, d, external);
  si_dyn_rne_post(m, d);
  for (int64_t i = 0; i < m->nv; i++) {
    double along = sn_dot6(d->cdof + 6 * i, d->cfrc_int + 6 * m->dof_bodyid[i]);
    ck_assert_double_le(fabs(along + m->dof_armature[i] * d->qacc[i] - tau[i] + external[i]),
                        1e-10);
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// momentum of the whole is the generalized momentum of the free joint's translations
START_TEST(momentum_of_the_whole) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 7);
  double momentum[NV], kinetic = 0;
  sn_multiply_inertia(m, d, d->qvel, momentum);
  si_dyn_subtree(m, d);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_le(fabs(momentum[k] - m->body_subtreemass[1] * d->subtree_linvel[3 + k]),
                        1e-11);
  }
  for (int64_t i = 0; i < m->nv; i++) {
    kinetic += 0.5 * momentum[i] * d->qvel[i];
  }
  si_dyn_energy_velocity(m, d, d->worker);
  ck_assert_double_le(fabs(kinetic - d->energy[1]), 1e-12);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ motion

START_TEST(conservation) {
  sn_model *m = robot(none, 0);
  m->opt.timestep = 2e-4;
  sn_data *d = random_state(m, 8);
  for (int64_t i = 0; i < m->nv; i++) {
    m->dof_armature[i] = 0;   // a rotor that is not in space keeps no momentum
  }
  double energy = 0, linear[3], angular[3], com[3];
  for (int step = 0; step <= 500; step++) {
    OK(sn_forward(m, d));
    OK(sn_compute_energy(m, d));
    OK(sn_subtree_velocities(m, d));
    if (step == 0) {
      energy = d->energy[1];
      sn_copy3(linear, d->subtree_linvel + 3);
      sn_copy3(angular, d->subtree_angmom + 3);
      sn_copy3(com, d->subtree_com + 3);
    }
    OK(sn_step(m, d));
  }
  ck_assert_double_le(fabs(d->energy[1] - energy), 1e-8 * energy);
  ck_assert_double_le(sn_dist3(d->subtree_linvel + 3, linear), 1e-8);
  ck_assert_double_le(sn_dist3(d->subtree_angmom + 3, angular), 1e-8 * sn_norm3(angular));

  // the center of mass moves on a line
  si_dyn_kinematics(m, d);
  si_dyn_com(m, d);
  sn_addscale3(com, com, d->time[0], linear);
  ck_assert_double_le(sn_dist3(d->subtree_com + 3, com), 1e-8);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// with gravity: potential and kinetic energy together
START_TEST(energy_with_gravity) {
  sn_model *m = mechanism(gravity);
  m->opt.timestep = 5e-4;
  sn_data *d = random_state(m, 9);
  OK(sn_forward(m, d));
  OK(sn_compute_energy(m, d));
  double before = d->energy[0] + d->energy[1], kinetic = d->energy[1];
  for (int step = 0; step < 1000; step++) {
    OK(sn_step(m, d));
  }
  OK(sn_forward(m, d));
  OK(sn_compute_energy(m, d));
  ck_assert_double_gt(fabs(d->energy[1] - kinetic), 1);
  ck_assert_double_le(fabs(d->energy[0] + d->energy[1] - before), 1e-6);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(inertia);
  TEST(inverse_weights);
  TEST(inverse_dynamics);
  TEST(lagrange);
  TEST(body_forces);
  TEST(momentum_of_the_whole);
  TEST(conservation);
  TEST(energy_with_gravity);
}
