// SPDX-License-Identifier: Apache-2.0
//
// Integrators: orders of convergence, the implicit update against dense algebra, derivatives
// against finite differences, energy, stability.

#include "dynamics/derivative.h"
#include "model_file.h"
#include "random_state.h"
#include "step/stepper.h"
#include "suite.h"

#define ZOO model_file("plugins/integrators/all_forces")

enum { NV = 24 };   // room for the dofs of the models

// ------------------------------------------------------------------ derivatives

typedef const double *force_fn(const sn_model *m, sn_data *d);

static const double *passive_force(const sn_model *m, sn_data *d) {
  ck_assert_int_ge(sn_forward_velocity(m, d), 0);
  return d->qfrc_passive;
}

static const double *bias_force(const sn_model *m, sn_data *d) {
  ck_assert_int_ge(sn_forward_velocity(m, d), 0);
  return d->qfrc_bias;
}

static const double *actuator_force(const sn_model *m, sn_data *d) {
  ck_assert_int_ge(sn_forward_velocity(m, d), 0);
  ck_assert_int_ge(si_dyn_actuation(m, d, d->worker), 0);
  return d->qfrc_actuator;
}

// J = d force / d qvel, central differences of order 4, nv x nv.
static void differences(const sn_model *m, sn_data *d, force_fn *force, double *J) {
  static const double at[4] = { -2, -1, 1, 2 }, weight[4] = { 1, -8, 8, -1 };
  int64_t nv = m->nv;
  const double eps = 1e-3;
  memset(J, 0, (size_t)(nv * nv) * sizeof(double));
  for (int64_t j = 0; j < nv; j++) {
    double v = d->qvel[j];
    for (int k = 0; k < 4; k++) {
      d->qvel[j] = v + at[k] * eps;
      const double *f = force(m, d);
      for (int64_t i = 0; i < nv; i++) {
        J[i * nv + j] += weight[k] * f[i] / (12 * eps);
      }
    }
    d->qvel[j] = v;
  }
  force(m, d);
}

typedef void derive_fn(const sn_model *m, sn_data *d, si_worker *w, sn_unsymmetric D);

static sn_unsymmetric cleared(const sn_model *m, double *low, double *up) {
  memset(low, 0, (size_t)m->nM * sizeof(double));
  memset(up, 0, (size_t)m->nM * sizeof(double));
  return (sn_unsymmetric){ low, up };
}

static void check_derivative(const char *xml, force_fn *force, derive_fn *derive, double sign) {
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  double J[NV * NV], low[NV * NV], up[NV * NV];
  ck_assert_int_le(m->nv, NV);
  for (uint32_t seed = 1; seed <= 10; seed++) {
    scramble(m, d, seed);
    ck_assert_int_ge(sn_forward_position(m, d), 0);
    differences(m, d, force, J);
    sn_unsymmetric D = cleared(m, low, up);
    derive(m, d, d->worker, D);
    for (int32_t i = 0; i < (int32_t)m->nv; i++) {
      int32_t k = m->dof_Madr[i];
      for (int32_t j = i; j >= 0; j = m->dof_parentid[j], k++) {
        CLOSE(low[k], sign * J[i * m->nv + j], 1e-6);
        CLOSE(up[k], sign * J[j * m->nv + i], 1e-6);
      }
    }
  }
  done_with(m, d);
}

START_TEST(bias_derivative_is_right) {
  check_derivative(ZOO, bias_force, si_derive_bias, -1);
}
END_TEST

static void derive_passive(const sn_model *m, sn_data *d, si_worker *w, sn_unsymmetric D) {
  const si_elimination own = si_elimination_tree(m);
  si_derive_passive(m, d, w, &own, SI_BY_VELOCITY, D);
}

START_TEST(passive_derivative_is_right) {
  check_derivative(ZOO, passive_force, derive_passive, 1);
}
END_TEST

static void derive_actuation(const sn_model *m, sn_data *d, si_worker *w, sn_unsymmetric D) {
  const si_elimination own = si_elimination_tree(m);
  si_derive_actuation(m, d, w, &own, SI_BY_VELOCITY, D);
}

START_TEST(actuator_derivative_is_right) {
  check_derivative(ZOO, actuator_force, derive_actuation, 1);
}
END_TEST

// ------------------------------------------------------------------ the implicit update

// x = A^-1 x by Gaussian elimination with row exchanges.
static void dense_solve(double *A, double *x, int64_t n) {
  for (int64_t k = 0; k < n; k++) {
    int64_t best = k;
    for (int64_t i = k; i < n; i++) {
      best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
    }
    for (int64_t j = 0; j < n; j++) {
      double swap = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = swap;
    }
    double swap = x[k];
    x[k] = x[best];
    x[best] = swap;
    for (int64_t i = k + 1; i < n; i++) {
      double factor = A[i * n + k] / A[k * n + k];
      for (int64_t j = k; j < n; j++) {
        A[i * n + j] -= factor * A[k * n + j];
      }
      x[i] -= factor * x[k];
    }
  }
  for (int64_t k = n - 1; k >= 0; k--) {
    for (int64_t j = k + 1; j < n; j++) {
      x[k] -= A[k * n + j] * x[j];
    }
    x[k] /= A[k * n + k];
  }
}

// D of these derivatives by finite differences.
static void dense_derivative(const sn_model *m, sn_data *d, uint32_t which, double *D) {
  double J[NV * NV];
  int64_t nv = m->nv;
  memset(D, 0, (size_t)(nv * nv) * sizeof(double));
  const struct {
    uint32_t flag;
    force_fn *force;
    double sign;
  } parts[] = { { SN_DERIV_PASSIVE, passive_force, 1 },
                { SN_DERIV_ACTUATOR, actuator_force, 1 },
                { SN_DERIV_BIAS, bias_force, -1 } };
  for (int p = 0; p < 3; p++) {
    if (which & parts[p].flag) {
      differences(m, d, parts[p].force, J);
      for (int64_t i = 0; i < nv * nv; i++) {
        D[i] += parts[p].sign * J[i];
      }
    }
  }
  if (which & SN_DERIV_DAMPING) {
    for (int64_t i = 0; i < nv; i++) {
      D[i * nv + i] -= m->dof_damping[i];
    }
  }
}

// What M has entries for.
static void keep_tree(const sn_model *m, double *D) {
  int64_t nv = m->nv;
  double kept[NV * NV] = { 0 };
  for (int32_t i = 0; i < (int32_t)nv; i++) {
    for (int32_t j = i; j >= 0; j = m->dof_parentid[j]) {
      kept[i * nv + j] = D[i * nv + j];
      kept[j * nv + i] = D[j * nv + i];
    }
  }
  memcpy(D, kept, (size_t)(nv * nv) * sizeof(double));
}

static void make_symmetric(const sn_model *m, double *D) {
  int64_t nv = m->nv;
  for (int64_t i = 0; i < nv; i++) {
    for (int64_t j = 0; j < i; j++) {
      D[i * nv + j] = D[j * nv + i] = 0.5 * (D[i * nv + j] + D[j * nv + i]);
    }
  }
}

static void check_implicit(uint32_t which) {
  sn_model *m = model_of(ZOO);
  sn_data *d = data_of(m);
  int64_t nv = m->nv;
  double D[NV * NV], M[NV * NV], want[NV], got[NV], h = 0.01;
  for (uint32_t seed = 1; seed <= 5; seed++) {
    scramble(m, d, seed);
    ck_assert_int_ge(sn_forward(m, d), 0);
    dense_derivative(m, d, which, D);
    if (which & SN_DERIV_TREE) {
      keep_tree(m, D);
    }
    if (which & SN_DERIV_SYMMETRIC) {
      make_symmetric(m, D);
    }
    ck_assert_int_ge(sn_forward(m, d), 0);
    sn_full_inertia(m, d, M);
    for (int64_t i = 0; i < nv * nv; i++) {
      M[i] -= h * D[i];
    }
    sn_multiply_inertia(m, d, d->qacc, want);
    dense_solve(M, want, nv);

    sn_stepper s;
    si_stepper_init(m, d, d->worker, &s);
    ck_assert_int_ge(s.implicit(&s, which, h, got), 0);
    for (int64_t i = 0; i < nv; i++) {
      CLOSE(got[i], want[i], 1e-7);
    }
  }
  done_with(m, d);
}

START_TEST(implicit_update_is_that_of_dense_algebra) {
  check_implicit(SN_DERIV_DAMPING);
  check_implicit(SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_BIAS);
  check_implicit(SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_SYMMETRIC);
  check_implicit(SN_DERIV_BIAS);
  check_implicit(SN_DERIV_ACTUATOR | SN_DERIV_DAMPING);
  check_implicit(SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_BIAS | SN_DERIV_TREE);
  check_implicit(SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_SYMMETRIC | SN_DERIV_TREE);
}
END_TEST

// ------------------------------------------------------------------ orders

// The state after half a second, in steps of h.
static void run(const sn_model *m, sn_data *d, double *out) {
  scramble(m, d, 3);
  d->ctrl[0] = 0.7;
  int n = (int)lround(0.5 / m->opt.timestep);
  for (int i = 0; i < n; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  ck_assert_double_eq_tol(d->time[0], 0.5, 1e-12);
  sn_state_get(m, d, SN_STATE_QPOS | SN_STATE_QVEL | SN_STATE_ACT, out);
}

static double error_of(sn_model *m, sn_data *d, const char *integrator, double h,
                       const double *truth) {
  double state[32], sum = 0;
  int64_t n = sn_state_size(m, SN_STATE_QPOS | SN_STATE_QVEL | SN_STATE_ACT);
  set_option(m, "integrator", integrator);
  m->opt.timestep = h;
  run(m, d, state);
  for (int64_t i = 0; i < n; i++) {
    sum += (state[i] - truth[i]) * (state[i] - truth[i]);
  }
  return sqrt(sum);
}

START_TEST(integrators_have_their_order) {
  static const struct {
    const char *name;
    double order, h;
  } list[] = { { "euler", 1, 1e-3 },          { "implicit", 1, 1e-3 }, { "implicitfast", 1, 1e-3 },
               { "backward_euler", 1, 1e-3 }, { "rk4", 4, 5e-3 },      { "momentum", 2, 1e-3 } };
  sn_model *m = model_of(model_file("plugins/integrators/swing"));
  sn_data *d = data_of(m);
  double truth[32];
  set_option(m, "integrator", "rk4");
  m->opt.timestep = 1e-3;
  run(m, d, truth);
  for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
    double coarse = error_of(m, d, list[k].name, list[k].h, truth);
    double fine = error_of(m, d, list[k].name, list[k].h / 2, truth);
    double order = log2(coarse / fine);
    ck_assert_msg(fabs(order - list[k].order) < 0.3, "%s has order %g", list[k].name, order);
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ physics

START_TEST(rk4_keeps_energy) {
  sn_model *m = model_of(
      "<mujoco><option integrator='RK4' timestep='0.002'/><worldbody><body>"
      "<joint axis='0 1 0'/><geom size='.1' pos='.5 0 0'/><body pos='.5 0 0'>"
      "<joint axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_ge(sn_compute_energy(m, d), 0);
  double before = d->energy[0] + d->energy[1];
  for (int i = 0; i < 1000; i++) {
    sn_step(m, d);
  }
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_ge(sn_compute_energy(m, d), 0);
  ck_assert_double_gt(d->energy[1], 0.1);
  CLOSE(d->energy[0] + d->energy[1], before, 1e-6);
  done_with(m, d);
}
END_TEST

// h damping / inertia = 1000: explicit damping would blow up in two steps
START_TEST(stiff_damping_is_stable) {
  static const char *const list[] = { "euler", "implicit", "implicitfast" };
  for (int k = 0; k < 3; k++) {
    sn_model *m = model_of(
        "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body>"
        "<joint type='slide' axis='1 0 0' damping='1e5'/><geom size='.1' mass='1'/></body>"
        "</worldbody></mujoco>");
    sn_data *d = data_of(m);
    set_option(m, "integrator", list[k]);
    d->qvel[0] = 1;
    sn_step(m, d);
    CLOSE(d->qvel[0], 1 / (1 + 0.01 * 1e5), 1e-12);
    done_with(m, d);
  }
}
END_TEST

START_TEST(optional_computations_are_made_once) {
  sn_model *m = model_of(
      "<mujoco><option integrator='RK4' timestep='0.1'/><worldbody><body>"
      "<joint name='j' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>"
      "<sensor><clock/><jointpos joint='j'/></sensor></mujoco>");
  sn_data *d = data_of(m);
  d->qvel[0] = 1;
  sn_step(m, d);
  sn_step(m, d);
  // of the state at the start of the second step
  CLOSE(d->sensordata[0], 0.1, 1e-15);
  CLOSE(d->sensordata[1], 0.1, 1e-15);
  CLOSE(d->qpos[0], 0.2, 1e-15);
  CLOSE(d->time[0], 0.2, 1e-15);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(bias_derivative_is_right);
  TEST(passive_derivative_is_right);
  TEST(actuator_derivative_is_right);
  TEST(implicit_update_is_that_of_dense_algebra);
  TEST(integrators_have_their_order);
  TEST(rk4_keeps_energy);
  TEST(stiff_damping_is_stable);
  TEST(optional_computations_are_made_once);
}
