// SPDX-License-Identifier: Apache-2.0
//
// Smooth dynamics against what they must obey: derivatives by finite differences, the Lagrange
// equations, conservation of energy and momentum, Newton's second law for the whole.

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dynamics/dynamics.h"
#include "sinew/math.h"

enum { NV = 32 };   // room for the dofs of the models

static sn_engine *engine;
static sn_error *error;

#define OK(call)                                           \
  do {                                                     \
    if ((call) < 0) {                                      \
      ck_abort_msg("%s: %s", #call, sn_error_text(error)); \
    }                                                      \
  } while (0)

// ------------------------------------------------------------------ models

static int32_t add_body(sn_spec *spec, int32_t parent, double x, double y, double z) {
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  body.parent = parent;
  SN_SET(body.pos, x, y, z);
  SN_SET(body.orient.quat, 0.9, 0.1 * x, -0.3, 0.2);
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  return id;
}

static void add_joint(sn_spec *spec, const char *name, int32_t body, int32_t type, double x,
                      double y, double z) {
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.name = name;
  joint.body = body;
  joint.type = type;
  SN_SET(joint.axis, x, y, z);
  if (type != SN_JOINT_FREE) {
    SN_SET(joint.pos, 0.05, -0.1, 0.02);
    joint.armature = 0.03;
  }
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
}

static void add_box(sn_spec *spec, int32_t body, double x, double y, double z) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.body = body;
  geom.type = SN_GEOM_BOX;
  geom.contype = geom.conaffinity = 0;
  SN_SET(geom.size, 0.1, 0.15, 0.2);
  SN_SET(geom.pos, x, y, z);
  SN_SET(geom.orient.quat, 0.8, 0.3, 0.1, 0.2);
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
}

static void add_site(sn_spec *spec, const char *name, int32_t body, double x, double y, double z) {
  sn_site_def site;
  sn_default_site(&site);
  site.name = name;
  site.body = body;
  SN_SET(site.pos, x, y, z);
  OK(sn_spec_add_site(spec, &site, NULL, NULL, error));
}

static void add_wrapped(sn_spec *spec, const char *name, int32_t body, int32_t type) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.name = name;
  geom.body = body;
  geom.type = type;
  geom.contype = geom.conaffinity = 0;
  geom.mass = 0.1;
  SN_SET(geom.size, 0.25, 0.3, 0);
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
}

static void add_tendon(sn_spec *spec, const char *name, const sn_wrap_def *wrap, int64_t n) {
  sn_tendon_def tendon;
  sn_default_tendon(&tendon);
  tendon.name = name;
  tendon.wrap = wrap;
  tendon.nwrap = n;
  OK(sn_spec_add_tendon(spec, &tendon, NULL, NULL, error));
}

static void add_actuator(sn_spec *spec, int32_t type, const char *target, const char *ref) {
  sn_actuator_def actuator;
  sn_default_actuator(&actuator);
  actuator.trntype = type;
  actuator.target = target;
  actuator.refsite = ref;
  actuator.cranklength = 3;
  SN_SET(actuator.gear, 1.5, -0.5, 0.7, 0, 0, 0);
  OK(sn_spec_add_actuator(spec, &actuator, NULL, NULL, error));
}

static sn_model *compile(sn_spec *spec, const double *gravity) {
  sn_option option;
  sn_default_option(&option);
  sn_copy3(option.gravity, gravity);
  strcpy(option.integrator, "rk4");
  OK(sn_spec_set_option(spec, &option, error));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_spec_free(spec);
  ck_assert_int_le(m->nv, NV);
  return m;
}

// Every joint, a branch, a body between without joints; tendons and transmissions if asked for.
static sn_model *robot(const double *gravity, int strings) {
  sn_spec *spec = sn_spec_new(engine, error);
  int32_t base = add_body(spec, 0, 0.3, 0.2, 1);
  add_joint(spec, "free", base, SN_JOINT_FREE, 0, 0, 1);
  add_box(spec, base, 0.1, 0.05, 0);
  int32_t arm = add_body(spec, base, 0.4, 0.1, 0.1);
  add_joint(spec, "hinge", arm, SN_JOINT_HINGE, 0.3, 1, 0.2);
  add_joint(spec, "slide", arm, SN_JOINT_SLIDE, 1, 0.2, -0.4);
  add_box(spec, arm, 0.2, 0, 0.1);
  int32_t plate = add_body(spec, arm, 0.2, 0.2, 0);
  add_box(spec, plate, 0, 0.1, 0);
  int32_t hand = add_body(spec, plate, 0.3, 0, 0.1);
  add_joint(spec, "ball", hand, SN_JOINT_BALL, 0, 0, 1);
  add_box(spec, hand, 0.2, 0.1, 0.1);
  int32_t tail = add_body(spec, base, -0.5, 0, 0);
  add_joint(spec, "tail", tail, SN_JOINT_HINGE, 0, 1, 0);
  add_box(spec, tail, -0.2, 0, 0);
  if (strings) {
    add_site(spec, "b", base, 0.1, 0.4, 0.2);
    add_site(spec, "h", hand, 0.5, 0.2, 0.3);
    add_site(spec, "t", tail, -0.4, 0.3, 0.1);
    add_site(spec, "w", 0, 1, 1, 0);
    add_wrapped(spec, "ball", arm, SN_GEOM_SPHERE);
    add_wrapped(spec, "drum", tail, SN_GEOM_CYLINDER);
    const sn_wrap_def path[] = {
      { .type = SN_WRAP_SITE, .object = "b" }, { .type = SN_WRAP_SPHERE, .object = "ball" },
      { .type = SN_WRAP_SITE, .object = "h" }, { .type = SN_WRAP_PULLEY, .prm = 2 },
      { .type = SN_WRAP_SITE, .object = "h" }, { .type = SN_WRAP_SITE, .object = "w" },
      { .type = SN_WRAP_SITE, .object = "t" }, { .type = SN_WRAP_PULLEY, .prm = 3 },
      { .type = SN_WRAP_SITE, .object = "b" }, { .type = SN_WRAP_SPHERE, .object = "drum" },
      { .type = SN_WRAP_SITE, .object = "t" },
    };
    const sn_wrap_def sum[] = {
      { .type = SN_WRAP_JOINT, .object = "tail", .prm = 2 },
      { .type = SN_WRAP_JOINT, .object = "hinge", .prm = -0.5 },
    };
    add_tendon(spec, "string", path, sizeof path / sizeof *path);
    add_tendon(spec, "sum", sum, sizeof sum / sizeof *sum);
    add_actuator(spec, SN_TRN_JOINT, "hinge", NULL);
    add_actuator(spec, SN_TRN_TENDON, "string", NULL);
    add_actuator(spec, SN_TRN_TENDON, "sum", NULL);
    add_actuator(spec, SN_TRN_SLIDERCRANK, "h", "t");
    add_actuator(spec, SN_TRN_SITE, "h", "w");
  }
  return compile(spec, gravity);
}

// Hinges and slides only: coordinates in which the Lagrange equations can be written down.
static sn_model *mechanism(const double *gravity) {
  sn_spec *spec = sn_spec_new(engine, error);
  int32_t body = 0;
  for (int i = 0; i < 5; i++) {
    body = add_body(spec, i == 3 ? 1 : body, 0.3, 0.1 * i, 0.2);
    add_joint(spec, NULL, body, i == 1 ? SN_JOINT_SLIDE : SN_JOINT_HINGE, 1, 0.5 * i, -0.3);
    if (i == 2) {
      add_joint(spec, NULL, body, SN_JOINT_HINGE, 0, 1, 0.3);
    }
    add_box(spec, body, 0.1, 0.1 * i, -0.1);
  }
  return compile(spec, gravity);
}

// ------------------------------------------------------------------ states

static const double none[3] = { 0, 0, 0 };
static const double gravity[3] = { 0.5, -1, -9.81 };

static uint64_t seed;

static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return 2 * (double)(seed >> 11) / 9007199254740992.0 - 1;
}

static void stages(const sn_model *m, sn_data *d) {
  sn_dyn_kinematics(m, d);
  sn_dyn_com(m, d);
  sn_dyn_tendon(m, d);
  sn_dyn_crb(m, d);
  sn_dyn_factor(m, d);
  sn_dyn_transmission(m, d);
  sn_dyn_velocity(m, d);
  sn_dyn_comvel(m, d);
  sn_dyn_rne(m, d, NULL, d->qfrc_bias);
}

static sn_data *random_state(const sn_model *m, uint64_t number) {
  sn_data *d = sn_data_new(m, error);
  double step[NV];
  seed = number;
  for (int64_t i = 0; i < m->nv; i++) {
    step[i] = uniform();
    d->qvel[i] = uniform();
  }
  sn_integrate_position(m, d->qpos, step, 1);
  stages(m, d);
  return d;
}

// The same state with dof i moved by h.
static void moved(const sn_model *m, const sn_data *from, int64_t i, double h, sn_data *to) {
  double v[NV] = { 0 };
  v[i] = 1;
  memcpy(to->qpos, from->qpos, (size_t)m->nq * sizeof(double));
  memcpy(to->qvel, from->qvel, (size_t)m->nv * sizeof(double));
  sn_integrate_position(m, to->qpos, v, h);
  stages(m, to);
}

static const double h = 1e-5;

// ------------------------------------------------------------------ position

START_TEST(test_jacobians) {
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
  int32_t col[NV], n = sn_merge_chain(m, 4, 5, col);
  double p[3 * NV], r[3 * NV], jacp5[3 * NV], jacr5[3 * NV];
  sn_jacobian_difference(m, d, n, col, d->xpos + 12, 4, d->xpos + 15, 5, p, r);
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

// M = armature + sum over bodies of m Jp' Jp + Jr' I Jr
START_TEST(test_inertia) {
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

// lengths of tendons and actuators have the moment arms as gradients
START_TEST(test_moments) {
  sn_model *m = robot(gravity, 1);
  sn_data *a = sn_data_new(m, error), *b = sn_data_new(m, error);
  double ten_J[2 * NV], moment[5 * NV];
  int wrapped = 0;
  for (uint64_t state = 1; state < 40; state++) {
    sn_data *d = random_state(m, state);
    sn_full_tendon_jacobian(m, d, ten_J);
    sn_full_moment(m, d, moment);
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

START_TEST(test_manifold) {
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

// ------------------------------------------------------------------ velocity

// M a + c by both algorithms
START_TEST(test_inverse) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 4);
  double a[NV], tau[NV], Ma[NV];
  for (int64_t i = 0; i < m->nv; i++) {
    a[i] = 10 * uniform();
  }
  sn_dyn_rne(m, d, a, tau);
  sn_multiply_inertia(m, d, a, Ma);
  for (int64_t i = 0; i < m->nv; i++) {
    ck_assert_double_le(fabs(tau[i] - Ma[i] - d->qfrc_bias[i]), 1e-10);
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// c_i = sum (dM_ij/dq_k - 1/2 dM_jk/dq_i) v_j v_k + dV/dq_i
START_TEST(test_lagrange) {
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
    sn_dyn_energy_position(m, a);
    sn_dyn_energy_position(m, b);
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
START_TEST(test_body_forces) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 6);
  double tau[NV], external[NV] = { 0 };
  for (int64_t i = 0; i < m->nv; i++) {
    d->qacc[i] = uniform();
  }
  for (int64_t i = 6; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = uniform();
  }
  sn_dyn_rne(m, d, d->qacc, tau);
  sn_dyn_add_xfrc(m, d, external);
  sn_dyn_rne_post(m, d);
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
START_TEST(test_momentum) {
  sn_model *m = robot(gravity, 0);
  sn_data *d = random_state(m, 7);
  double momentum[NV], kinetic = 0;
  sn_multiply_inertia(m, d, d->qvel, momentum);
  sn_dyn_subtree(m, d);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_le(fabs(momentum[k] - m->body_subtreemass[1] * d->subtree_linvel[3 + k]),
                        1e-11);
  }
  for (int64_t i = 0; i < m->nv; i++) {
    kinetic += 0.5 * momentum[i] * d->qvel[i];
  }
  sn_dyn_energy_velocity(m, d);
  ck_assert_double_le(fabs(kinetic - d->energy[1]), 1e-12);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ motion

START_TEST(test_conservation) {
  sn_model *m = robot(none, 0);
  m->opt.timestep[0] = 2e-4;
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

  // the centre of mass moves on a line
  sn_dyn_kinematics(m, d);
  sn_dyn_com(m, d);
  sn_addscale3(com, com, d->time[0], linear);
  ck_assert_double_le(sn_dist3(d->subtree_com + 3, com), 1e-8);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// with gravity: potential and kinetic energy together
START_TEST(test_energy) {
  sn_model *m = mechanism(gravity);
  m->opt.timestep[0] = 5e-4;
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

// ------------------------------------------------------------------ quantities at qpos0

START_TEST(test_inverse_weights) {
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

static void open_engine(void) {
  static const char *const plugins[] = { "newton", "rk4", "passive", "actuators" };
  error = sn_error_new();
  engine = sn_engine_open("", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++) {
    char path[1024];
    snprintf(path, sizeof path, SN_TEST_BUILD "/plugins/%s.so", plugins[i]);
    OK(sn_engine_load_plugin(engine, plugins[i], path, error));
  }
}

static void close_engine(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

int main(void) {
  Suite *suite = suite_create("dynamics");
  TCase *tests = tcase_create("dynamics");
  suite_add_tcase(suite, tests);
  tcase_add_checked_fixture(tests, open_engine, close_engine);
  tcase_add_test(tests, test_jacobians);
  tcase_add_test(tests, test_inertia);
  tcase_add_test(tests, test_moments);
  tcase_add_test(tests, test_manifold);
  tcase_add_test(tests, test_inverse);
  tcase_add_test(tests, test_lagrange);
  tcase_add_test(tests, test_body_forces);
  tcase_add_test(tests, test_momentum);
  tcase_add_test(tests, test_conservation);
  tcase_add_test(tests, test_energy);
  tcase_add_test(tests, test_inverse_weights);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
