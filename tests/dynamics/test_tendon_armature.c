// SPDX-License-Identifier: Apache-2.0
//
// Armature of tendons: the energy that it stands for, its forces against finite differences, joint
// armature that does the same, another engine, and islands, files and edits of models in which it
// couples branches.

#include "api/binary.h"
#include "dynamics/derivative.h"
#include "dynamics/tendon_armature.h"
#include "dynamics/wrap.h"
#include "model_file.h"
#include "random_state.h"
#include "sinew/defaults.h"
#include "suite.h"

enum { NV = 16 };   // room for the dofs of the models

enum { NTENDON = 6 };

static sn_spec *tendon_paths(void) {
  return good_spec(model_file("dynamics/tendon_paths"));
}

static sn_model *paths_with(const double *armature) {
  sn_spec *spec = tendon_paths();
  for (int32_t i = 0; i < NTENDON; i++) {
    sn_tendon_def tendon;
    sn_default_tendon(&tendon);
    OK(sn_spec_get_tendon(spec, i, &tendon, error));
    tendon.armature = armature[i];
    OK(sn_spec_set_tendon(spec, i, &tendon, error));
  }
  sn_model *m = compiled(spec);
  sn_spec_free(spec);
  return m;
}

static const double none[NTENDON] = { 0 }, all[NTENDON] = { 0.7, 0.3, 0.4, 0.5, 0.2, 0.6 };

// ------------------------------------------------------------------ energy and forces

START_TEST(inertia_is_that_of_the_kinetic_energy) {
  sn_model *m = paths_with(all), *bare = paths_with(none);
  sn_data *d = data_of(m), *b = data_of(bare);
  double M[NV * NV], M0[NV * NV], J[NTENDON * NV], x[NV], y[NV];
  const int64_t nv = m->nv;
  ck_assert_int_le(nv, NV);
  ck_assert_int_gt(m->nM, bare->nM);
  for (uint32_t seed = 1; seed <= 20; seed++) {
    scramble(m, d, seed);
    scramble(bare, b, seed);
    ck_assert_int_ge(sn_forward(m, d), 0);
    ck_assert_int_ge(sn_forward(bare, b), 0);
    sn_full_inertia(m, d, M);
    sn_full_inertia(bare, b, M0);
    sn_full_tendon_jacobian(m, d, J);
    for (int64_t i = 0; i < nv; i++) {
      for (int64_t j = 0; j < nv; j++) {
        double sum = M0[i * nv + j];
        for (int t = 0; t < NTENDON; t++) {
          sum += all[t] * J[t * nv + i] * J[t * nv + j];
        }
        CLOSE(M[i * nv + j], sum, 1e-12);
      }
    }

    // the factor is that of this matrix, and the energy that of the tendons' velocities
    for (int64_t i = 0; i < nv; i++) {
      x[i] = y[i] = d->qvel[i];
    }
    sn_solve_inertia(m, d, x);
    for (int64_t i = 0; i < nv; i++) {
      double sum = 0;
      for (int64_t j = 0; j < nv; j++) {
        sum += M[i * nv + j] * x[j];
      }
      CLOSE(sum, y[i], 1e-9);
    }
    double energy = 0;
    for (int t = 0; t < NTENDON; t++) {
      energy += 0.5 * all[t] * d->ten_velocity[t] * d->ten_velocity[t];
    }
    ck_assert_int_ge(sn_compute_energy(m, d), 0);
    ck_assert_int_ge(sn_compute_energy(bare, b), 0);
    CLOSE(d->energy[1] - b->energy[1], energy, 1e-11);
  }
  done_with(m, d);
  done_with(bare, b);
}
END_TEST

// The velocities of the tendons when the state has moved on for this time with constant qvel.
static void velocities_at(const sn_model *m, sn_data *d, const double *qpos, double h,
                          double *out) {
  memcpy(d->qpos, qpos, (size_t)m->nq * sizeof(double));
  sn_integrate_position(m, d->qpos, d->qvel, h);
  ck_assert_int_ge(sn_forward_position(m, d), 0);
  ck_assert_int_ge(sn_forward_velocity(m, d), 0);
  memcpy(out, d->ten_velocity, NTENDON * sizeof(double));
}

// d(J qvel)/dt with qacc = 0, by differences of order 4.
static void tendon_biases(const sn_model *m, sn_data *d, double *out) {
  static const double at[4] = { -2, -1, 1, 2 }, weight[4] = { 1, -8, 8, -1 };
  const double h = 1e-4;
  double qpos[NV + 4], v[NTENDON];
  memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(double));
  memset(out, 0, NTENDON * sizeof(double));
  for (int k = 0; k < 4; k++) {
    velocities_at(m, d, qpos, at[k] * h, v);
    for (int t = 0; t < NTENDON; t++) {
      out[t] += weight[k] * v[t] / (12 * h);
    }
  }
  velocities_at(m, d, qpos, 0, v);
}

START_TEST(bias_is_the_rate_of_the_jacobian) {
  int wrapped[NTENDON] = { 0 };   // states in which the path touches a geom
  for (int only = 0; only < NTENDON; only++) {
    double armature[NTENDON] = { 0 }, b[NTENDON], J[NTENDON * NV], bias[NV];
    armature[only] = 1;
    sn_model *m = paths_with(armature), *bare = paths_with(none);
    sn_data *d = data_of(m), *d0 = data_of(bare);
    for (uint32_t seed = 1; seed <= 20; seed++) {
      scramble(bare, d0, seed);
      tendon_biases(bare, d0, b);
      wrapped[only] += d0->ten_wrapnum[only] > 2;
      memcpy(bias, d0->qfrc_bias, (size_t)m->nv * sizeof(double));
      sn_full_tendon_jacobian(bare, d0, J);
      scramble(m, d, seed);
      ck_assert_int_ge(sn_forward_position(m, d), 0);
      ck_assert_int_ge(sn_forward_velocity(m, d), 0);
      for (int64_t i = 0; i < m->nv; i++) {
        const double added = d->qfrc_bias[i] - bias[i];
        ck_assert_msg(fabs(added - J[only * m->nv + i] * b[only]) <= 1e-7 * (1 + fabs(b[only])),
                      "tendon %d, seed %u, dof %d: %.12g, not %.12g", only, seed, (int)i, added,
                      J[only * m->nv + i] * b[only]);
      }
    }
    done_with(m, d);
    done_with(bare, d0);
  }
  ck_assert_msg(wrapped[2] > 2 && wrapped[3] > 2 && wrapped[4] > 2, "%d %d %d", wrapped[2],
                wrapped[3], wrapped[4]);
}
END_TEST

// The derivative of the bias for implicit integration, against differences.
START_TEST(derivative_of_the_bias) {
  static const double at[4] = { -2, -1, 1, 2 }, weight[4] = { 1, -8, 8, -1 };
  const double h = 1e-3;
  sn_model *m = paths_with(all);
  sn_data *d = data_of(m);
  const int64_t nv = m->nv;
  double J[NV * NV], low[NV * NV], up[NV * NV];
  for (uint32_t seed = 1; seed <= 10; seed++) {
    scramble(m, d, seed);
    ck_assert_int_ge(sn_forward_position(m, d), 0);
    memset(J, 0, sizeof J);
    for (int64_t j = 0; j < nv; j++) {
      const double v = d->qvel[j];
      for (int k = 0; k < 4; k++) {
        d->qvel[j] = v + at[k] * h;
        ck_assert_int_ge(sn_forward_velocity(m, d), 0);
        for (int64_t i = 0; i < nv; i++) {
          J[i * nv + j] += weight[k] * d->qfrc_bias[i] / (12 * h);
        }
      }
      d->qvel[j] = v;
    }
    ck_assert_int_ge(sn_forward_velocity(m, d), 0);
    memset(low, 0, sizeof low);
    memset(up, 0, sizeof up);
    si_derive_bias(m, d, d->worker, (sn_unsymmetric){ low, up });
    for (int32_t i = 0; i < (int32_t)nv; i++) {
      int32_t k = m->dof_Madr[i];
      for (int32_t j = i; j >= 0; j = m->inertia_parent[j], k++) {
        CLOSE(low[k], -J[i * nv + j], 1e-6);
        CLOSE(up[k], -J[j * nv + i], 1e-6);
        J[i * nv + j] = J[j * nv + i] = 0;
      }
    }
    // what M does not couple, no velocity does
    for (int64_t k = 0; k < nv * nv; k++) {
      CLOSE(J[k], 0, 1e-8);
    }
  }
  done_with(m, d);
}
END_TEST

// Without springs, contacts and friction, energy is kept: Runge-Kutta loses the fifth power of h.
START_TEST(energy_is_conserved) {
  sn_model *m = paths_with(all);
  sn_data *d = data_of(m);
  scramble(m, d, 3);
  ck_assert_int_ge(sn_compute_energy(m, d), 0);
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_ge(sn_compute_energy(m, d), 0);
  const double before = d->energy[0] + d->energy[1], motion = d->energy[1];
  for (int k = 0; k < 400; k++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_ge(sn_compute_energy(m, d), 0);
  ck_assert_double_gt(fabs(d->energy[1] - motion), 1);   // it moves
  CLOSE(d->energy[0] + d->energy[1], before, 2e-6);
  done_with(m, d);
}
END_TEST

START_TEST(inverse_dynamics_agree) {
  sn_model *m = paths_with(all);
  sn_data *d = data_of(m);
  uint32_t seed = 5;
  scramble(m, d, 7);
  for (int64_t i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] = uniform(&seed);
  }
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_ge(sn_inverse(m, d), 0);
  for (int64_t i = 0; i < m->nv; i++) {
    CLOSE(d->qfrc_inverse[i], d->qfrc_applied[i], 1e-9);
  }

  // and so does the recursive algorithm
  double out[NV];
  si_dyn_rne(m, d, d->worker, d->qacc, out);
  for (int64_t i = 0; i < m->nv; i++) {
    CLOSE(out[i], d->qfrc_applied[i], 1e-9);
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ the same by other means

#define CAPSULE "<geom type='capsule' size='.05' fromto='0 0 0 .4 0 0'/>"
#define ARM(joint, tendon)                                                                \
  "<mujoco><worldbody><body><joint name='j' axis='0 1 0' " joint "/>" CAPSULE             \
  "<body pos='.4 0 0'><joint axis='0 1 .2'/>" CAPSULE "</body></body></worldbody><tendon>" \
  "<fixed " tendon "><joint joint='j' coef='-3'/></fixed></tendon></mujoco>"

// A fixed tendon on one joint with coefficient c is an armature of c^2 times its own.
START_TEST(one_joint_has_the_armature_of_its_tendon) {
  sn_model *joint = model_of(ARM("armature='4.5'", "")),
           *tendon = model_of(ARM("", "armature='.5'"));
  sn_data *a = data_of(joint), *b = data_of(tendon);
  CLOSE(joint->dof_M0[0], tendon->dof_M0[0], 1e-15);
  CLOSE(joint->dof_invweight0[1], tendon->dof_invweight0[1], 1e-13);
  CLOSE(joint->stat.meaninertia, tendon->stat.meaninertia, 1e-14);
  a->qvel[0] = b->qvel[0] = 2;
  for (int k = 0; k < 200; k++) {
    ck_assert_int_ge(sn_step(joint, a), 0);
    ck_assert_int_ge(sn_step(tendon, b), 0);
  }
  for (int i = 0; i < 2; i++) {
    CLOSE(b->qpos[i], a->qpos[i], 1e-11);
    CLOSE(b->qvel[i], a->qvel[i], 1e-11);
  }
  done_with(joint, a);
  done_with(tendon, b);
}
END_TEST

// Two equal flywheels on parallel hinges of different trees, coupled by q1 - q2: with inertia I
// each and armature a, a torque on the first gives (I + a) / (I (I + 2 a)) and a / (I (I + 2 a)).
START_TEST(flywheels_of_different_trees) {
  sn_model *m = model_of(
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='p'/><geom size='.1' mass='1'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='2 2 2'/></body><body pos='1 0 0'><freejoint/>"
      "<geom size='.1'/></body><body pos='2 0 0'><joint name='q'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='2 2 2'/></body></worldbody><tendon>"
      "<fixed armature='3'><joint joint='p' coef='1'/><joint joint='q' coef='-1'/></fixed>"
      "</tendon></mujoco>");
  sn_data *d = data_of(m);
  const double I = 2, a = 3;
  d->qfrc_applied[0] = 1;
  ck_assert_int_ge(sn_forward(m, d), 0);
  CLOSE(d->qacc[0], (I + a) / (I * (I + 2 * a)), 1e-14);
  CLOSE(d->qacc[7], a / (I * (I + 2 * a)), 1e-14);
  ck_assert_int_eq(m->inertia_parent[7], 0);
  ck_assert_int_eq(m->nM, 21 + 3);
  done_with(m, d);
}
END_TEST

// What MuJoCo 3.14.0 (the package @mujoco/mujoco of npm) makes of this text at this state:
//
//   d.qpos = [.3, .2, .05]; d.qvel = [1, 2, .3]; mj_forward(m, d); mj_fullM(m, out, d.M);
//
// d.qfrc_bias, d.qacc, and d.qvel after mj_step. 2.2.2 does not know the attribute. Where tendons
// couple different branches, 3.14.0 leaves those entries of M out, and it rejects wrapping.
START_TEST(numbers_of_version_3) {
  sn_model *m = model_of(model_file("dynamics/tendon_armature"));
  static const double qpos[3] = { .3, .2, .05 }, qvel[3] = { 1, 2, .3 };
  static const double M[9] = { 0.338273547798822,   0.1268740422123199,   0.12702092908938228,
                               0.1268740422123199,  0.056003654552752996, 0.030084750103382712,
                               0.12702092908938228, 0.030084750103382712, 1.48620778244315 };
  static const double bias[3] = { -5.226842837337623, -1.423690169680945, -5.224803989141991 };
  static const double qacc[3] = { 37.59537957129611, -60.57054436659220, 1.528489935430446 };
  static const double next[3] = { 1.037595379571296, 1.939429455633408, 0.3015284899354304 };
  sn_data *d = data_of(m);
  double full[9];
  memcpy(d->qpos, qpos, sizeof qpos);
  memcpy(d->qvel, qvel, sizeof qvel);
  ck_assert_int_ge(sn_forward(m, d), 0);
  sn_full_inertia(m, d, full);
  for (int i = 0; i < 9; i++) {
    CLOSE(full[i], M[i], 1e-13);
  }
  for (int i = 0; i < 3; i++) {
    CLOSE(d->qfrc_bias[i], bias[i], 1e-13);
    CLOSE(d->qacc[i], qacc[i], 1e-11);
  }
  CLOSE(m->tendon_invweight0[0], 0.6145268149749885, 1e-12);
  CLOSE(m->dof_invweight0[0], 17.49576309363925, 1e-12);
  ck_assert_int_ge(sn_step(m, d), 0);
  for (int i = 0; i < 3; i++) {
    CLOSE(d->qvel[i], next[i], 1e-13);
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ islands, files, edits

// A limit holds the first of three trees; a tendon couples it with the third, which has no rows of
// its own. The force that holds it accelerates both, whatever solver finds it.
START_TEST(islands_reach_as_far_as_the_inertia) {
  static const char *const solvers[] = { "newton", "cg", "pgs" };
  sn_model *m = model_of(
      "<mujoco><worldbody><body><joint name='p' type='slide' range='-1 0' limited='true'/>"
      "<geom size='.1' mass='1'/></body><body pos='1 0 0'><joint type='slide' range='-1 0' "
      "limited='true'/><geom size='.1' mass='1'/></body><body pos='2 0 0'><joint name='q' "
      "type='slide'/><geom size='.1' mass='1'/></body></worldbody><tendon><fixed armature='3'>"
      "<joint joint='p' coef='1'/><joint joint='q' coef='1'/></fixed></tendon></mujoco>");
  set_option(m, "solver", solvers[_i]);
  sn_data *d = data_of(m);
  double force[3];
  d->qpos[0] = d->qpos[1] = 0.01;
  d->qfrc_applied[2] = -2;
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_eq(d->nisland, 2);
  ck_assert_int_eq(d->island[0].ndof, 2);
  ck_assert_int_eq(d->island[0].dof[1], 2);
  sn_multiply_inertia(m, d, d->qacc, force);
  for (int i = 0; i < 3; i++) {
    CLOSE(force[i], d->qfrc_smooth[i] + d->qfrc_constraint[i], 1e-8);
  }
  ck_assert_double_gt(fabs(d->qacc[2] - d->qacc_smooth[2]), 0.1);
  done_with(m, d);
}
END_TEST

typedef struct bytes {
  uint8_t p[1 << 17];
  int64_t n;
} bytes;

static sn_status keep(sn_sink *sink, const void *more, int64_t count) {
  bytes *b = sink->context;
  ck_assert_int_le(b->n + count, (int64_t)sizeof b->p);
  memcpy(b->p + b->n, more, (size_t)count);
  b->n += count;
  return SN_OK;
}

START_TEST(binary_models_have_the_same_rows) {
  static bytes file;
  sn_model *m = paths_with(all);
  sn_sink sink = { .size = sizeof sink, .context = &file, .write = keep };
  file.n = 0;
  OK(si_model_write(m, &sink, error));
  sn_model *read = si_model_read(engine, file.p, file.n, "paths.bin", error);
  ck_assert_msg(read != NULL, "%s", sn_error_text(error));
  ck_assert_mem_eq(read->inertia_parent, m->inertia_parent, (size_t)m->nv * sizeof(int32_t));
  ck_assert_mem_eq(read->first_tree, m->first_tree, (size_t)m->bound.ntree * sizeof(int32_t));
  sn_model_free(read);

  // rows that hold less than tendons couple
  m->tendon_armature[0] = m->tendon_armature[1] = 0;
  m->tendon_armature[2] = m->tendon_armature[3] = m->tendon_armature[4] = 0;
  file.n = 0;
  OK(si_model_write(m, &sink, error));
  ck_assert_ptr_null(si_model_read(engine, file.p, file.n, "paths.bin", error));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "dof_Madr"));
  sn_model_free(m);
}
END_TEST

// Armature that a compiled model gets has no place in rows that were made without it: a warning
// says so. The spec takes it back, and compiles to rows that have the place.
START_TEST(armature_of_a_compiled_model) {
  sn_spec *spec = tendon_paths();
  sn_model *m = compiled(spec);
  sn_data *d = data_of(m);
  m->tendon_armature[0] = 2;
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_gt(sn_data_warning_count(d, SN_WARN_INERTIA), 0);
  OK(sn_spec_update(spec, m, error));
  sn_model *again = compiled(spec);
  sn_data *e = data_of(again);
  ck_assert_double_eq(again->tendon_armature[0], 2);
  ck_assert_int_gt(again->nM, m->nM);
  ck_assert_int_ge(sn_forward(again, e), 0);
  ck_assert_int_eq(sn_data_warning_count(e, SN_WARN_INERTIA), 0);
  done_with(m, d);
  done_with(again, e);
  sn_spec_free(spec);
}
END_TEST

START_TEST(negative_armature_is_rejected) {
  reject_text(ARM("", "armature='-.5'"), "its armature is -0.5; it cannot be negative");
}
END_TEST

// ------------------------------------------------------------------ all of it

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(inertia_is_that_of_the_kinetic_energy);
  TEST(bias_is_the_rate_of_the_jacobian);
  TEST(derivative_of_the_bias);
  TEST(energy_is_conserved);
  TEST(inverse_dynamics_agree);
  TEST(one_joint_has_the_armature_of_its_tendon);
  TEST(flywheels_of_different_trees);
  TEST(numbers_of_version_3);
  EACH(islands_reach_as_far_as_the_inertia, 0, 3);
  TEST(binary_models_have_the_same_rows);
  TEST(armature_of_a_compiled_model);
  TEST(negative_armature_is_rejected);
}
