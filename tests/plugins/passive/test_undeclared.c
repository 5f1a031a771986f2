// SPDX-License-Identifier: Apache-2.0
//
// A damper between two branches that does not declare that it couples them: the derivative is left
// out of D, and the simulation says so, with the name of the force; so does a spring with an
// integrator that is implicit in positions. With the declaration there is no warning, and the total
// momentum is conserved.

#include <math.h>

#include "data/data.h"
#include "default_engine.h"
#include "sinew/passive.h"
#include "suite.h"
#include "toy_plugin.h"

// A damper and spring between dofs 0 and 1: equal and opposite forces.
static double damping, stiffness;
static int is_declared;
static const int32_t pair[2] = { 0, 1 };

static sn_status couple(const void *self, const void *bound, sn_couplings *couplings) {
  (void)self, (void)bound;
  return is_declared ? couplings->add(couplings, 2, pair) : SN_OK;
}

static sn_status apply(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)state, (void)scratch;
  const sn_data *d = data->data;
  const double force = damping * (d->qvel[1] - d->qvel[0]) + stiffness * (d->qpos[1] - d->qpos[0]);
  qfrc[0] += force;
  qfrc[1] -= force;
  return SN_OK;
}

static void add_pair(const sn_sparse *pattern, double by, double *out) {
  for (int k = 0; k < 2; k++) {
    const int32_t i = pair[k];
    for (int32_t e = pattern->adr[i]; e < pattern->adr[i] + pattern->nnz[i]; e++) {
      out[e] += pattern->col[e] == i ? -by : pattern->col[e] == pair[1 - k] ? by : 0;
    }
  }
}

static sn_status derive(const void *self, const void *bound, const sn_data_view *data,
                        const double *state, const sn_sparse *pattern, double *D,
                        sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)scratch;
  add_pair(pattern, damping, D);
  return SN_OK;
}

static sn_status derive_position(const void *self, const void *bound, const sn_data_view *data,
                                 const double *state, const sn_sparse *pattern, double *K,
                                 sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)scratch;
  add_pair(pattern, stiffness, K);
  return SN_OK;
}

static char logged[1024];

static void keep_log(void *context, int32_t level, const char *topic, const char *message) {
  (void)context, (void)topic;
  if (level == SN_LOG_WARNING) {
    snprintf(logged, sizeof logged, "%s", message);
  }
}

static void open_with_damper(void) {
  sn_passive_ops ops = TOY_FORCE(apply);
  ops.couples = couple;
  ops.derivative = derive;
  ops.stiffness = derive_position;
  damping = 2e4;
  stiffness = 0;
  is_declared = 0;
  logged[0] = '\0';
  open_engine();
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "damper", &ops, error));
}

static const char sliders[] =
    "<mujoco><option gravity='0 0 0'/><worldbody>"
    "<body><joint name='left' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>"
    "<body pos='1 0 0'><joint name='right' type='slide' axis='1 0 0'/>"
    "<geom size='.1' mass='2'/></body></worldbody></mujoco>";

// 20 steps from velocities 1 and 0; returns the total momentum.
static double run(sn_model *m, const char *integrator, sn_data *d) {
  OK(sn_model_parse_option(m, "integrator", integrator, error));
  d->qvel[0] = 1;
  for (int k = 0; k < 20; k++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  return d->qvel[0] + 2 * d->qvel[1];
}

static void prepare(void) {
  sn_engine_set_log(engine, keep_log, NULL);
  logged[0] = '\0';
}

START_TEST(undeclared_damping_is_a_warning) {
  static const char *const integrators[] = { "implicit", "implicitfast" };
  sn_model *m = model_of(sliders);
  sn_data *d = data_of(m);
  prepare();
  ck_assert(fabs(run(m, integrators[_i], d) - 1) > 0.01);   // what the warning is about
  ck_assert_int_gt(sn_data_warning_count(d, SN_WARN_PLUGIN), 0);
  ck_assert_msg(strstr(logged, "'damper' (sinew.passive/1): its operation 'derivative' couples "
                               "qvel[0] of joint 'left' with qvel[1] of joint 'right', which are "
                               "in different branches") != NULL,
                "%s", logged);
  done_with(m, d);
}
END_TEST

START_TEST(declared_damping_conserves_momentum) {
  static const char *const integrators[] = { "implicit", "implicitfast" };
  is_declared = 1;
  sn_model *m = model_of(sliders);
  sn_data *d = data_of(m);
  prepare();
  ck_assert_double_eq_tol(run(m, integrators[_i], d), 1, 1e-12);
  ck_assert_str_eq(logged, "");
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 0);
  done_with(m, d);
}
END_TEST

START_TEST(undeclared_stiffness_is_a_warning) {
  sn_model *m = model_of(sliders);
  sn_data *d = data_of(m);
  damping = 0;
  stiffness = 100;
  prepare();
  run(m, "backward_euler", d);
  ck_assert_msg(strstr(logged, "its operation 'stiffness' couples qvel[0] of joint 'left'") != NULL,
                "%s", logged);
  done_with(m, d);
}
END_TEST

// An integrator that does not use derivatives needs no declaration. A damping that is zero at rest
// is found when it is not zero any more, in the checking mode at once.
START_TEST(damping_is_found_when_there_is_some) {
  sn_model *m = model_of(sliders);
  sn_data *d = data_of(m);
  prepare();
  damping = 10;
  run(m, "euler", d);
  ck_assert_str_eq(logged, "");
  sn_data_free(d);

  OK(sn_engine_set(engine, "check_plugins", _i ? "yes" : "no", error));
  d = data_of(m);
  damping = 0;
  for (int k = 0; k < 5; k++) {
    run(m, "implicit", d);
  }
  ck_assert_str_eq(logged, "");
  damping = 10;
  int steps = 0;
  while (!logged[0] && steps++ < 200) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  ck_assert_int_eq(steps, _i ? 1 : 28);   // 101 or 128 derivatives
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_with_damper, close_engine);
  EACH(undeclared_damping_is_a_warning, 0, 2);
  EACH(declared_damping_conserves_momentum, 0, 2);
  TEST(undeclared_stiffness_is_a_warning);
  EACH(damping_is_found_when_there_is_some, 0, 2);
}
