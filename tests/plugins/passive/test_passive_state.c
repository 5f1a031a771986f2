// SPDX-License-Identifier: Apache-2.0
//
// Passive forces with a state, and couplings between branches of the tree: the sample strut against
// closed forms, conservation of momentum and dense algebra.

#include "dynamics/derivative.h"
#include "random_state.h"
#include "suite.h"
#include "toy_plugin.h"

static void open_with_strut(void) {
  open_engine();
  OK(sn_engine_load_plugin(engine, "strut", SN_TEST_BUILD "/samples/strut.so", error));
}

// ------------------------------------------------------------------ Maxwell element

#define SERIES(stiffness, damping)                                      \
  "<extension><force type='strut'><config key='site1' value='a'/>"      \
  "<config key='site2' value='b'/><config key='series_stiffness' value='" stiffness \
  "'/><config key='series_damping' value='" damping "'/></force></extension>"
#define CART(h, integrator, force)                                                         \
  "<mujoco><option gravity='0 0 0' timestep='" h "' integrator='" integrator               \
  "'/><worldbody><site name='a'/><body pos='1 0 0'><joint name='x' type='slide' axis='1 0 0'/>" \
  "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/><site name='b'/></body></worldbody>" force \
  "</mujoco>"

// A mass m on a Maxwell element (k1, c1), pushed with velocity 1: m v' = -F, F' = k1 v - F k1 / c1,
// so v'' + (k1 / c1) v' + (k1 / m) v = 0 with v(0) = 1, v'(0) = 0. Velocity and force after one
// second, as errors.
static void maxwell_errors(const char *xml, double *error_v, double *error_F) {
  const double k = 40, c = 12, mass = 2, t = 1;
  const double a = k / c / 2, w = sqrt(k / mass - a * a);   // under-damped
  const double v = exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
  const double F = mass * exp(-a * t) * (a * a + w * w) / w * sin(w * t);   // -m v'
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  ck_assert_int_eq(m->nforcestate, 1);
  d->qvel[0] = 1;
  while (d->time[0] < t - m->opt.timestep / 2) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  *error_v = fabs(d->qvel[0] - v);
  *error_F = fabs(d->force_state[0] - F);
  done_with(m, d);
}

// The state of the force goes to another model that has it, so that the motion continues.
START_TEST(state_is_transferred) {
  const char *xml = CART("1e-3", "Euler", SERIES("40", "12"));
  sn_model *m = model_of(xml), *other = model_of(xml);
  sn_data *d = data_of(m);
  d->qvel[0] = 1;
  for (int i = 0; i < 100; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert(fabs(d->force_state[0]) > 0.1);
  sn_data *to = sn_data_transfer(other, m, d, error);
  ck_assert_ptr_nonnull(to);
  for (int i = 0; i < 100; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
    ck_assert_int_ge(sn_step(other, to), 0);
  }
  ck_assert(to->qpos[0] == d->qpos[0] && to->force_state[0] == d->force_state[0]);
  done_with(other, to);
  done_with(m, d);
}
END_TEST

START_TEST(maxwell_element_has_its_closed_form) {
  static const char *const texts[][2] = {
    { CART("1e-3", "Euler", SERIES("40", "12")), CART("1e-4", "Euler", SERIES("40", "12")) },
    { CART("1e-3", "implicit", SERIES("40", "12")), CART("1e-4", "implicit", SERIES("40", "12")) },
    { CART("1e-3", "RK4", SERIES("40", "12")), CART("1e-4", "RK4", SERIES("40", "12")) },
  };
  for (int i = 0; i < 3; i++) {
    double coarse[2], fine[2];
    maxwell_errors(texts[i][0], &coarse[0], &coarse[1]);
    maxwell_errors(texts[i][1], &fine[0], &fine[1]);
    ck_assert_msg(fine[0] < 1e-3 && fine[1] < 5e-3, "%d: %g %g", i, fine[0], fine[1]);
    ck_assert_msg(coarse[0] / fine[0] > 9 && coarse[1] / fine[1] > 9,
                  "%d: at least of first order: %g to %g, %g to %g", i, coarse[0], fine[0],
                  coarse[1], fine[1]);
  }
}
END_TEST

// Without relaxation it is a spring, whose energy stays bounded over many periods.
START_TEST(elastic_state_keeps_its_energy) {
  sn_model *m = model_of(CART("0.01", "Euler", SERIES("40", "1e12")));
  sn_data *d = data_of(m);
  d->qvel[0] = 0.2;
  const double E0 = 0.5 * 2 * 0.04;
  for (int i = 0; i < 20000; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
    const double F = d->force_state[0], E = 0.5 * 2 * d->qvel[0] * d->qvel[0] + F * F / (2 * 40);
    ck_assert_msg(fabs(E / E0 - 1) < 0.05, "step %d: energy %g, at first %g", i, E, E0);
  }
  done_with(m, d);
}
END_TEST

// The number of states follows from the attributes; a reset clears them; evaluations leave them.
START_TEST(states_depend_on_attributes) {
  sn_model *m = model_of(CART("0.01", "Euler", SERIES("40", "0")));
  ck_assert_int_eq(m->nforcestate, 0);
  ck_assert_int_eq(sn_state_size(m, SN_STATE_PLUGIN), 0);
  sn_model_free(m);
  m = model_of(CART("0.01", "RK4", SERIES("40", "2")));
  ck_assert_int_eq(sn_state_size(m, SN_STATE_PLUGIN), 1);
  sn_data *d = data_of(m);
  d->qvel[0] = 1;
  ck_assert_int_ge(sn_step(m, d), 0);
  const double kept = d->force_state[0];
  ck_assert_msg(kept != 0, "the state did not advance");
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_ge(sn_forward(m, d), 0);
  CLOSE(d->force_state[0], kept, 0);
  set_option(m, "passive", "disable");
  ck_assert_int_ge(sn_step(m, d), 0);
  CLOSE(d->force_state[0], kept, 0);
  sn_reset(m, d);
  CLOSE(d->force_state[0], 0, 0);
  done_with(m, d);
}
END_TEST

#define LINK(stiffness, damping, series_stiffness, series_damping)                          \
  "<extension><force type='strut'><config key='site1' value='a'/>"                          \
  "<config key='site2' value='b'/><config key='length' value='.3'/>"                        \
  "<config key='stiffness' value='" stiffness "'/><config key='damping' value='" damping    \
  "'/><config key='series_stiffness' value='" series_stiffness                              \
  "'/><config key='series_damping' value='" series_damping "'/></force></extension>"
#define PAIR(h, integrator, force)                                                       \
  "<mujoco><option gravity='0 0 0' timestep='" h "' integrator='" integrator             \
  "'><flag contact='disable'/></option><worldbody><body><freejoint/>"                    \
  "<geom type='box' size='.05 .1 .1' mass='1'/>"                                         \
  "<site name='a' pos='.05 .01 0'/></body><body pos='.5 0 .02'><freejoint/>"             \
  "<geom type='box' size='.05 .1 .2' mass='2'/><site name='b' pos='-.05 0 .03'/></body>" \
  "</worldbody>" force "</mujoco>"

// Saved, restored, copied, differentiated: the same bits afterwards.
START_TEST(force_state_is_part_of_the_simulation) {
  sn_model *m = model_of(PAIR("0.002", "implicit", LINK("50", "3", "400", "30")));
  sn_data *d = data_of(m), *copy = data_of(m);
  int64_t n = sn_state_size(m, SN_STATE_INTEGRATION);
  double *saved = malloc((size_t)n * sizeof *saved), A[24 * 24];
  scramble(m, d, 3);
  for (int i = 0; i < 50; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  sn_state_get(m, d, SN_STATE_INTEGRATION, saved);
  ck_assert_msg(sn_transition_fd(m, d, 1e-6, 1, A, NULL, NULL, NULL) >= 0, "%s",
                sn_error_text(sn_data_error(d)));
  ck_assert_int_ge(sn_data_copy(m, copy, d), 0);
  for (int i = 0; i < 300; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
    ck_assert_int_ge(sn_step(m, copy), 0);
  }
  const uint64_t hash = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  const double state = d->force_state[0];
  ck_assert_msg(state != 0, "no state");
  ck_assert(sn_state_hash(m, copy, SN_STATE_INTEGRATION) == hash);

  sn_reset(m, d);
  sn_state_set(m, d, SN_STATE_INTEGRATION, saved);
  for (int i = 0; i < 300; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert(sn_state_hash(m, d, SN_STATE_INTEGRATION) == hash);
  ck_assert(d->force_state[0] == state);

  // without its state it goes elsewhere: the state is what makes the difference
  sn_state_set(m, d, SN_STATE_INTEGRATION, saved);
  d->force_state[0] = 0;
  for (int i = 0; i < 300; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert(sn_state_hash(m, d, SN_STATE_FULLPHYSICS & ~(uint32_t)SN_STATE_PLUGIN) !=
            sn_state_hash(m, copy, SN_STATE_FULLPHYSICS & ~(uint32_t)SN_STATE_PLUGIN));
  free(saved);
  sn_data_free(copy);
  done_with(m, d);
}
END_TEST

START_TEST(rollouts_carry_the_force_state) {
  sn_model *m = model_of(PAIR("0.002", "Euler", LINK("50", "3", "400", "30")));
  sn_data *d = data_of(m);
  enum { STEPS = 40, N = 2 };
  int64_t n = sn_state_size(m, SN_STATE_INTEGRATION), np = sn_state_size(m, SN_STATE_FULLPHYSICS);
  double *start = malloc((size_t)(N * n) * sizeof *start);
  double *states = malloc((size_t)(N * STEPS * np) * sizeof *states);
  double *last = malloc((size_t)np * sizeof *last);
  scramble(m, d, 4);
  for (int task = 0; task < N; task++) {
    for (int i = 0; i < 25; i++) {
      ck_assert_int_ge(sn_step(m, d), 0);
    }
    sn_state_get(m, d, SN_STATE_INTEGRATION, start + task * n);
  }
  sn_rollout_request request = { .size = sizeof request,
                                 .initial_mask = SN_STATE_INTEGRATION,
                                 .result_mask = SN_STATE_FULLPHYSICS,
                                 .n = N,
                                 .nstep = STEPS,
                                 .initial = start,
                                 .states = states };
  OK(sn_rollout(m, &request, error));
  ck_assert_int_eq(request.failed, 0);
  for (int task = 0; task < N; task++) {
    sn_reset(m, d);
    sn_state_set(m, d, SN_STATE_INTEGRATION, start + task * n);
    for (int i = 0; i < STEPS; i++) {
      ck_assert_int_ge(sn_step(m, d), 0);
    }
    sn_state_get(m, d, SN_STATE_FULLPHYSICS, last);
    ck_assert_int_eq(
        memcmp(last, states + (task * STEPS + STEPS - 1) * np, (size_t)np * sizeof *last), 0);
  }
  free(start);
  free(states);
  free(last);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ couplings

static void momentum(const sn_model *m, sn_data *d, double *out) {
  ck_assert_int_ge(sn_forward(m, d), 0);
  memset(out, 0, 3 * sizeof *out);
  for (int b = 1; b <= 2; b++) {
    for (int i = 0; i < 3; i++) {
      out[i] += m->body_mass[b] * d->qvel[6 * (b - 1) + i];   // both have their mass at the origin
    }
  }
}

// The damper stops the relative motion within one step, and the momentum stays.
START_TEST(strong_dampers_between_bodies_keep_momentum) {
  static const char *const texts[] = {
    PAIR("0.002", "implicit", LINK("0", "2e4", "0", "0")),
    PAIR("0.002", "implicitfast", LINK("0", "2e4", "0", "0")),
  };
  for (int k = 0; k < 2; k++) {
    sn_model *m = model_of(texts[k]);
    sn_data *d = data_of(m);
    ck_assert_ptr_nonnull(m->bound.coupled.parent);
    double before[3], after[3];
    d->qvel[0] = 2;
    d->qvel[7] = 0.4;
    momentum(m, d, before);
    for (int i = 0; i < 500; i++) {
      ck_assert_int_ge(sn_step(m, d), 0);
    }
    momentum(m, d, after);
    for (int i = 0; i < 3; i++) {
      CLOSE(after[i], before[i], 1e-12);
    }
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_BADQACC), 0);
    done_with(m, d);
  }
}
END_TEST

// A forest with couplings between its branches, by forces and by what `tendons` adds: steps of
// implicit integrators against dense elimination.
#define FOREST(integrator, tendons)                                                               \
  "<mujoco><option integrator='" integrator "' timestep='.01'><flag contact='disable'/></option>" \
  "<worldbody><site name='w'/>"                                                                   \
  "<body pos='0 0 1'><joint type='ball' damping='.1'/><geom size='.1' pos='.2 0 0'/>"             \
  "<body pos='.4 0 0'><joint name='h' axis='0 1 0'/><geom size='.1' pos='.2 0 0'/><site name='a' " \
  "pos='.3 0 0'/></body><body pos='0 .4 0'><joint axis='1 0 0'/><joint axis='0 0 1'/>"            \
  "<geom size='.1' pos='0 .2 0'/><site name='b' pos='0 .3 .1'/></body></body>"                    \
  "<body pos='0 0 2'><freejoint/><geom type='box' size='.1 .2 .3'/><site name='c' pos='.1 0 0'/>" \
  "</body><body pos='2 0 0'><joint name='s' type='slide' axis='1 0 0'/><geom size='.1'/></body>"  \
  "</worldbody>" tendons "<extension>" STRUT("a", "b", "30") STRUT("b", "c", "50") STRUT("a", "w", "5")      \
  "</extension></mujoco>"
#define STRUT(from, to, c)                                                                      \
  "<force type='strut'><config key='site1' value='" from "'/><config key='site2' value='" to    \
  "'/><config key='damping' value='" c "'/></force>"
enum { NV = 13 };

// x = A^-1 x, by elimination with partial pivoting.
static void dense_solve(double A[NV][NV], double *x) {
  for (int k = 0; k < NV; k++) {
    int best = k;
    for (int i = k + 1; i < NV; i++) {
      best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
    }
    for (int j = 0; j < NV; j++) {
      const double t = A[k][j];
      A[k][j] = A[best][j];
      A[best][j] = t;
    }
    const double t = x[k];
    x[k] = x[best];
    x[best] = t;
    for (int i = k + 1; i < NV; i++) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < NV; j++) {
        A[i][j] -= f * A[k][j];
      }
      x[i] -= f * x[k];
    }
  }
  for (int k = NV - 1; k >= 0; k--) {
    for (int j = k + 1; j < NV; j++) {
      x[k] -= A[k][j] * x[j];
    }
    x[k] /= A[k][k];
  }
}

// M - h D by columns: products with M, and differences of the smooth force by velocity.
static void dense_matrix(const sn_model *m, sn_data *d, double h, int symmetric, double A[NV][NV]) {
  const double e = 1e-5;
  double D[NV][NV], force[2][NV], unit[NV];
  for (int k = 0; k < NV; k++) {
    const double at = d->qvel[k];
    for (int side = 0; side < 2; side++) {
      d->qvel[k] = at + (side ? e : -e);
      ck_assert_int_ge(sn_forward(m, d), 0);
      for (int i = 0; i < NV; i++) {
        force[side][i] = d->qfrc_passive[i] - (symmetric ? 0 : d->qfrc_bias[i]);
      }
    }
    d->qvel[k] = at;
    for (int i = 0; i < NV; i++) {
      D[i][k] = (force[1][i] - force[0][i]) / (2 * e);
    }
  }
  ck_assert_int_ge(sn_forward(m, d), 0);
  for (int k = 0; k < NV; k++) {
    double column[NV];
    memset(unit, 0, sizeof unit);
    unit[k] = 1;
    const sn_inertia M = si_inertia_view(m, d);
    sn_tree_multiply(&M, unit, column);
    for (int i = 0; i < NV; i++) {
      A[i][k] = column[i] - h * (symmetric ? (D[i][k] + D[k][i]) / 2 : D[i][k]);
    }
  }
}

// Armature couples other branches than the forces, and some of the same.
#define TENDONS                                                                                 \
  "<tendon><fixed armature='.7'><joint joint='h' coef='1'/><joint joint='s' coef='-2'/></fixed>" \
  "<spatial armature='.4'><site site='b'/><site site='c'/></spatial></tendon>"

START_TEST(coupled_steps_are_those_of_dense_algebra) {
  static const char *const models[4] = { FOREST("implicit", ""), FOREST("implicitfast", ""),
                                         FOREST("implicit", TENDONS),
                                         FOREST("implicitfast", TENDONS) };
  for (int k = 0; k < 4; k++) {
    const int symmetric = k % 2;
    sn_model *m = model_of(models[k]);
    sn_data *d = data_of(m);
    ck_assert_int_eq(m->nv, NV);
    for (uint32_t seed = 1; seed <= 5; seed++) {
      double A[NV][NV], x[NV], before[NV];
      scramble(m, d, seed);
      memcpy(before, d->qvel, sizeof before);
      dense_matrix(m, d, 0.01, symmetric, A);
      for (int i = 0; i < NV; i++) {
        x[i] = d->qfrc_smooth[i];
      }
      dense_solve(A, x);
      ck_assert_int_ge(sn_step(m, d), 0);
      for (int i = 0; i < NV; i++) {
        CLOSE((d->qvel[i] - before[i]) / 0.01, x[i], 1e-6);
      }
    }
    done_with(m, d);
  }
}
END_TEST

// What is not coupled costs nothing: without crossing dofs the tree of the model is used.
START_TEST(couplings_along_the_tree_need_no_other_tree) {
  sn_model *m = model_of(CART("0.01", "implicit", LINK("1", "1", "0", "0")));
  ck_assert_ptr_null(m->bound.coupled.parent);
  sn_model_free(m);
}
END_TEST

static int is_warned(const sn_model *m, const char *part) {
  for (int64_t i = 0; sn_model_warning(m, i); i++) {
    if (strstr(sn_model_warning(m, i), part)) {
      return 1;
    }
  }
  return 0;
}

// Without couplings tendons are damped along the tree only; a model in which that matters gets a
// warning.
START_TEST(omitted_couplings_are_a_warning) {
#define TENDON(integrator, damping)                                                           \
  "<mujoco><option integrator='" integrator "'/><worldbody><body><joint name='a'/>"           \
  "<geom size='.1' pos='.1 .1 0'/></body><body><joint name='b'/><geom size='.1' pos='.1 .1 "  \
  "0'/></body></worldbody><tendon><fixed damping='" damping "'><joint joint='a' coef='1'/>"   \
  "<joint joint='b' coef='1'/></fixed></tendon></mujoco>"
  static const char omitted[] = "between branches of the kinematic tree";
  sn_model *coupled = model_of(TENDON("implicit", "1"));
  ck_assert(!is_warned(coupled, omitted));
  sn_model_free(coupled);
  close_engine();
  open_engine();
  OK(sn_engine_set(engine, "plugin.implicit.couplings", "false", error));
  OK(sn_engine_set(engine, "plugin.implicitfast.couplings", "false", error));
  sn_model *m = model_of(TENDON("implicit", "1"));
  ck_assert(is_warned(m, omitted) && is_warned(m, "'spring_damper'"));
  sn_model_free(m);
  m = model_of(TENDON("implicit", "0"));
  ck_assert(!is_warned(m, omitted));
  sn_model_free(m);
  m = model_of(TENDON("Euler", "1"));
  ck_assert(!is_warned(m, omitted));
  set_option(m, "integrator", "implicitfast");
  ck_assert(is_warned(m, omitted));
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ plugins with faults

static int64_t count;            // states that the toy declares
static const char *toy_number;   // that it implements
static int32_t toy_dof;          // that it couples
static double bad;               // what it makes of its state

static int64_t toy_states(const void *self, const void *bound) {
  (void)self, (void)bound;
  return count;
}

static sn_status toy_reset(const void *self, const void *bound, const sn_data_view *data,
                           double *state) {
  (void)self, (void)bound, (void)data;
  state[count - 1] = 0.75;
  return SN_OK;
}

static sn_status toy_couples(const void *self, const void *bound, sn_couplings *couplings) {
  (void)self, (void)bound;
  const int32_t dof[2] = { toy_dof, 0 };
  return couplings->add(couplings, 2, dof);
}

static sn_status toy_apply(const void *self, const void *bound, const sn_data_view *data,
                           const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)qfrc, (void)scratch;
  return SN_OK;
}

static sn_status toy_advance(const void *self, const void *bound, const sn_data_view *data,
                             double h, double *state, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)h, (void)scratch;
  state[0] = bad;
  return SN_OK;
}

static sn_passive_ops toy(void) {
  return (sn_passive_ops){ .head = { .size = sizeof(sn_passive_ops) },
                           .implements = toy_number,
                           .bind = toy_bind,
                           .unbind = toy_unbind,
                           .states = toy_states,
                           .reset = toy_reset,
                           .couples = toy_couples,
                           .apply = toy_apply,
                           .advance = toy_advance };
}

#define PLAIN \
  "<mujoco><worldbody><body><joint damping='1'/><geom size='1'/></body></worldbody></mujoco>"

static const char *message_of_toy(sn_passive_ops ops) {
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "toy", &ops, error));
  ck_assert_ptr_null(try_text(PLAIN));
  return sn_error_text(error);
}

#define SAYS(text, part) ck_assert_msg(strstr(text, part) != NULL, "%s", text)

START_TEST(absurd_state_is_rejected) {
  static const int64_t absurd[] = { INT32_MAX, -1, INT64_MAX };
  count = absurd[_i];
  toy_number = NULL;
  toy_dof = 0;
  SAYS(message_of_toy(toy()), "'toy' declares");
}
END_TEST

START_TEST(mistakes_of_declarations_name_the_force) {
  count = 1;
  toy_dof = _i == 0 ? 7 : 0;
  toy_number = _i == 1 ? "dof_dampin" : "dof_damping";
  sn_passive_ops ops = toy();
  ops.advance = _i == 2 ? NULL : ops.advance;
  static const char *const parts[] = { "'toy' couples dof 7", "'toy' implements 'dof_dampin'",
                                       "'toy' declares states, but has no operation 'advance'" };
  SAYS(message_of_toy(ops), parts[_i]);
}
END_TEST

// A declaration that fails is not lost if the force goes on.
static sn_status ignoring_couples(const void *self, const void *bound, sn_couplings *couplings) {
  (void)self, (void)bound;
  const int32_t good[2] = { 0, 0 }, wrong[2] = { 0, 7 };
  (toy_dof & 1 ? couplings->add_stiff : couplings->add)(couplings, toy_dof < 2 ? 2 : -1, wrong);
  couplings->add(couplings, 2, good);
  return SN_OK;
}

START_TEST(ignored_failure_of_a_coupling_names_the_force) {
  count = 1;
  toy_dof = _i;
  toy_number = NULL;
  sn_passive_ops ops = toy();
  ops.couples = ignoring_couples;
  SAYS(message_of_toy(ops), _i < 2 ? "'toy' couples dof 7" : "'toy' couples -1 dofs");
  ck_assert_int_eq(sn_error_code(error), SN_EPLUGIN);
}
END_TEST

static sn_status silent_bind(const void *self, const sn_model_view *model, const sn_value *values,
                             void **bound, sn_error *e) {
  (void)self, (void)model, (void)values, (void)bound, (void)e;
  return SN_EINVAL;
}

START_TEST(failure_without_a_message_names_the_operation) {
  count = 1;
  toy_dof = 0;
  toy_number = NULL;
  sn_passive_ops ops = toy();
  ops.bind = silent_bind;
  SAYS(message_of_toy(ops),
       "'toy' (sinew.passive/1): its operation 'bind' failed without a message "
       "(SN_EINVAL)");
}
END_TEST

// One number, two forces: the model says so. A state that is not finite is not taken.
START_TEST(number_with_two_forces_is_a_warning) {
  count = 2;
  toy_dof = 0;
  toy_number = "dof_damping";
  bad = NAN;
  const sn_passive_ops ops = toy();
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "toy", &ops, error));
  sn_model *m = model_of(PLAIN);
  ck_assert(is_warned(m, "dof_damping acts twice"));
  sn_data *d = data_of(m);
  CLOSE(d->force_state[1], 0.75, 0);
  ck_assert_int_ge(sn_step(m, d), 0);
  CLOSE(d->force_state[0], 0, 0);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 1);
  bad = 5;
  ck_assert_int_ge(sn_step(m, d), 0);
  CLOSE(d->force_state[0], 5, 0);
  CLOSE(d->force_state[1], 0.75, 0);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_with_strut, close_engine);
  TEST(maxwell_element_has_its_closed_form);
  TEST(state_is_transferred);
  TEST(elastic_state_keeps_its_energy);
  TEST(states_depend_on_attributes);
  TEST(force_state_is_part_of_the_simulation);
  TEST(rollouts_carry_the_force_state);
  TEST(strong_dampers_between_bodies_keep_momentum);
  TEST(coupled_steps_are_those_of_dense_algebra);
  TEST(couplings_along_the_tree_need_no_other_tree);
  TEST(omitted_couplings_are_a_warning);
  EACH(absurd_state_is_rejected, 0, 3);
  EACH(ignored_failure_of_a_coupling_names_the_force, 0, 4);
  EACH(mistakes_of_declarations_name_the_force, 0, 3);
  TEST(failure_without_a_message_names_the_operation);
  TEST(number_with_two_forces_is_a_warning);
}
