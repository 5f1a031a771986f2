// SPDX-License-Identifier: Apache-2.0
//
// Plugins that misbehave while a simulation runs: the floating-point environment changed in a
// step or while loading, a value of a sensor, a derivative or a state that is not a number. Each is
// reported by name.

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

#include "default_engine.h"
#include "sinew/integrator.h"
#include "suite.h"
#include "toy_plugin.h"

static int rounds, probes;   // switches of the toys

// ------------------------------------------------------------------ toys

static sn_status apply(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)state, (void)bound, (void)data, (void)qfrc, (void)scratch;
  if (rounds) {
    fesetround(FE_UPWARD);
  }
  return SN_OK;
}

static const sn_passive_ops rounding_force = TOY_FORCE(apply);

static sn_status damage(const void *self, const void *bound, const sn_data_view *data,
                        const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)state, (void)bound, (void)data, (void)qfrc;
  scratch->alloc = NULL;
  return SN_OK;
}

static const sn_passive_ops damaging_force = TOY_FORCE(damage);

static int64_t one_state(const void *self, const void *bound) {
  (void)self, (void)bound;
  return 1;
}

static sn_status keep_state(const void *self, const void *bound, const sn_data_view *data, double h,
                            double *state, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)h, (void)state, (void)scratch;
  return SN_OK;
}

static sn_status reset(const void *self, const void *bound, const sn_data_view *data,
                       double *state) {
  (void)self, (void)bound, (void)data, (void)state;
  fesetround(FE_UPWARD);
  return SN_OK;
}

static sn_status bind_sensor(const void *self, const sn_model_view *model, int64_t n,
                             const sn_sensor *sensors, void **bound, sn_error *e) {
  (void)self, (void)model, (void)n, (void)e;
  *bound = calloc(1, sizeof(int32_t));
  memcpy(*bound, &sensors[0].adr, sizeof(int32_t));
  return SN_OK;
}

static void unbind_sensor(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static sn_status evaluate(const void *self, const void *bound, const sn_data_view *data,
                          double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)data, (void)state, (void)scratch;
  sensordata[*(const int32_t *)bound] = NAN;
  sensordata[*(const int32_t *)bound + 1] = 7;
  return SN_OK;
}

static const sn_sensor_ops lost_sensor = {
  .head = { .size = sizeof(sn_sensor_ops) },
  .stage = SN_STAGE_POSITION,
  .dim = 2,
  .objects = "",
  .references = "",
  .needs = "",
  .bind = bind_sensor,
  .unbind = unbind_sensor,
  .evaluate = evaluate,
};

// Writes a number that is none where its derivative belongs, into the last entry, or fails after
// it wrote one.
static double entry;
static sn_status derived;

static sn_status derive(const void *self, const void *bound, const sn_data_view *data,
                        const double *state, const sn_sparse *pattern, double *D,
                        sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)scratch;
  const int64_t last = pattern->nrow - 1;
  D[pattern->adr[last] + pattern->nnz[last] - 1] += entry;
  return derived;
}

static sn_status apply_oddly(const void *self, const void *bound, const sn_data_view *data,
                             const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)qfrc, (void)scratch;
  return derived;
}

// An integrator that writes `entry` into qpos, qvel or act.
static int written;
static sn_status write_entry(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self, (void)scratch;
  *s->time += s->h;
  (written == 0 ? s->qpos : written == 1 ? s->qvel : s->act)[0] = entry;
  return SN_OK;
}

static const sn_integrator_ops writing_integrator = {
  .head = { .size = sizeof(sn_integrator_ops) }, .order = 1, .evaluations = 1, .step = write_entry
};

static int32_t probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self, (void)bytes, (void)count, (void)name;
  if (probes == 1) {
    fesetround(FE_DOWNWARD);
  }
  return probes == 2 ? 1000 : 0;
}

static sn_status load_nothing(const void *self, sn_source *source, const sn_builder *builder,
                              sn_error *e) {
  (void)self, (void)source, (void)builder, (void)e;
  return SN_OK;
}

static const sn_loader_ops rounding_loader = {
  .head = { .size = sizeof(sn_loader_ops) }, .extensions = "", .probe = probe, .load = load_nothing
};

static void setup(void) {
  rounds = probes = 0;
  open_engine();
}

// ------------------------------------------------------------------ what is reported

static const char hinge[] = "<mujoco><worldbody><body><joint axis='0 1 0' damping='1'/>"
                            "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>";

START_TEST(rounding_in_a_step) {
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_PASSIVE, "rounder", &rounding_force, error),
                   SN_OK);
  sn_model *m = model_of(hinge);
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  rounds = 1;
  ck_assert_int_eq(sn_step(m, d), SN_EPLUGIN);
  ck_assert_ptr_nonnull(strstr(sn_error_message(sn_data_error(d)), "'rounder'"));
  ck_assert_int_eq(fegetround(), FE_TONEAREST);
  ck_assert_int_eq(sn_forward(m, d), SN_EPLUGIN);
  rounds = 0;
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  done_with(m, d);
}
END_TEST

// The plugins after it get the struct as it was.
START_TEST(damaged_scratch) {
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "damager", &damaging_force, error));
  sn_model *m = model_of("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'>"
                         "<freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_int_eq(snd_ncon(d), 1);
  done_with(m, d);
}
END_TEST

START_TEST(rounding_in_reset) {
  sn_passive_ops ops = rounding_force;
  ops.states = one_state;
  ops.advance = keep_state;
  ops.reset = reset;
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "rounder", &ops, error));
  ck_assert_ptr_null(try_text(hinge));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error),
                               "'rounder' (sinew.passive/1): its operation "
                               "'reset' changed the rounding mode"));
  ck_assert_int_eq(fegetround(), FE_TONEAREST);
}
END_TEST

START_TEST(rounding_while_loading) {
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_LOADER, "rounder", &rounding_loader, error),
                   SN_OK);
  probes = 1;
  ck_assert_ptr_null(try_text(hinge));
  ck_assert_int_eq(sn_error_code(error), SN_EPLUGIN);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "'rounder'"));
  ck_assert_int_eq(fegetround(), FE_TONEAREST);
}
END_TEST

// The loader that knows the format reads the file.
START_TEST(absurd_confidence_is_ignored) {
  OK(sn_engine_add(engine, SN_KIND_LOADER, "rounder", &rounding_loader, error));
  probes = 2;
  hear_warnings();
  sn_model *m = model_of(hinge);
  ck_assert_int_eq(snm_njnt(m), 1);
  ck_assert_ptr_nonnull(strstr(heard(), "'rounder' (sinew.loader/1): its operation 'probe' "
                                        "returned 1000, which is not in 0 to 100"));
  sn_model_free(m);
}
END_TEST

// What it leaves unwritten would be the numbers of the step before.
static sn_status solve_nothing(const void *self, const sn_problem *problem, sn_solution *solution,
                               sn_scratch *scratch) {
  (void)self, (void)problem, (void)solution, (void)scratch;
  return SN_OK;
}

static const sn_solver_ops idle_solver = { .head = { .size = sizeof(sn_solver_ops) },
                                           .solve = solve_nothing };

START_TEST(idle_solver_is_found_in_the_checking_mode) {
  OK(sn_engine_add(engine, SN_KIND_SOLVER, "idle", &idle_solver, error));
  OK(sn_select(engine, "solver", "idle", error));
  OK(sn_engine_set(engine, "check_plugins", _i ? "yes" : "no", error));
  hear_warnings();
  sn_model *m = model_of("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'>"
                         "<freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), _i);
  ck_assert_int_eq(strstr(heard(), "its operation 'solve' wrote nan to qacc;") != NULL, _i);
  done_with(m, d);
}
END_TEST

START_TEST(sensor_without_a_number) {
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SENSOR, "lost", &lost_sensor, error), SN_OK);
  hear_warnings();
  sn_model *m = model_of("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody>"
                         "<sensor><plugin type='lost'/></sensor></mujoco>");
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_double_eq(snd_sensordata(d)[0], 0);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 1);
  ck_assert_ptr_nonnull(strstr(heard(), "'lost'"));
  done_with(m, d);
}
END_TEST

static void step_with(const sn_model *m, sn_data *d, double written_entry, sn_status status) {
  entry = written_entry;
  derived = status;
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

// The force is left out of D as a whole; the others and the state are as without it.
START_TEST(derivative_without_a_number) {
  static const struct {
    const char *integrator, *words;
    double entry;
    sn_status status;
  } cases[] = {
    { "implicitfast", "'derivative' wrote nan to D in the row of qvel[1] of joint 'b';", NAN,
      SN_OK },
    { "implicit", "'derivative' wrote inf to D in the row of qvel[1] of joint 'b';", HUGE_VAL,
      SN_OK },
    { "implicit", "'derivative' returned SN_EINVAL;", -1e3, SN_EINVAL },
    { "backward_euler", "'stiffness' wrote nan to K in the row of qvel[1] of joint 'b';", NAN,
      SN_OK },
  };
  char text[512];
  snprintf(text, sizeof text,
           "<mujoco><option integrator='%s'/><worldbody><body><joint name='a' axis='0 1 0' "
           "damping='1'/><geom size='.1' pos='.1 0 0'/><body pos='.2 0 0'><joint name='b' "
           "axis='0 1 0' damping='1'/><geom size='.1' pos='.1 0 0'/></body></body></worldbody>"
           "</mujoco>",
           cases[_i].integrator);
  sn_passive_ops ops = TOY_FORCE(idle_apply);
  *(strstr(cases[_i].words, "'derivative'") ? &ops.derivative : &ops.stiffness) = derive;
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "blunder", &ops, error));
  hear_warnings();
  sn_model *m = model_of(text);
  sn_data *d = data_of(m), *expected = data_of(m);
  step_with(m, expected, 0, SN_OK);
  step_with(m, d, cases[_i].entry, cases[_i].status);
  ck_assert_int_eq(sn_data_warning_count(expected, SN_WARN_PLUGIN), 0);
  ck_assert_int_ge(sn_data_warning_count(d, SN_WARN_PLUGIN), 3);
  ck_assert_msg(strstr(heard(), cases[_i].words) != NULL, "%s", heard());
  ck_assert_msg(strstr(heard(), "its derivative is left out") != NULL, "%s", heard());
  ck_assert_double_eq(snd_qpos(d)[0], snd_qpos(expected)[0]);
  ck_assert_double_eq(snd_qpos(d)[1], snd_qpos(expected)[1]);
  sn_data_free(expected);
  done_with(m, d);
}
END_TEST

// The warning says the status that the plugin returned, as the error does.
START_TEST(unknown_status_in_a_step) {
  const sn_passive_ops ops = TOY_FORCE(apply_oddly);
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "odd", &ops, error));
  derived = SN_OK;
  hear_warnings();
  sn_model *m = model_of(hinge);
  sn_data *d = data_of(m);
  derived = 4242;
  ck_assert_int_eq(sn_step(m, d), SN_EPLUGIN);
  ck_assert_ptr_nonnull(strstr(sn_error_message(sn_data_error(d)), "the status 4242"));
  ck_assert_msg(strstr(heard(), "returned the status 4242, which is unknown;") != NULL, "%s",
                heard());
  derived = SN_OK;
  done_with(m, d);
}
END_TEST

START_TEST(state_without_a_number) {
  static const char *const words[] = {
    "'blunder' (sinew.integrator/1): its operation 'step' wrote nan to qpos[0] of joint 'h'",
    "'blunder' (sinew.integrator/1): its operation 'step' wrote nan to qvel[0] of joint 'h'",
    "'blunder' (sinew.integrator/1): its operation 'step' wrote nan to act[0]",
  };
  OK(sn_engine_add(engine, SN_KIND_INTEGRATOR, "blunder", &writing_integrator, error));
  written = _i;
  entry = NAN;
  hear_warnings();
  sn_model *m = model_of(
      "<mujoco><option integrator='blunder'/><worldbody><body><joint name='h'/><geom size='.1' "
      "pos='.1 0 0'/></body></worldbody><actuator><general joint='h' dyntype='filter' "
      "dynprm='.05'/></actuator></mujoco>");
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 1);
  ck_assert_msg(strstr(heard(), words[_i]) != NULL, "%s", heard());
  done_with(m, d);
}
END_TEST

// Of a model that diverges the integrator is not accused.
START_TEST(divergence_is_no_fault_of_the_integrator) {
  static const char *const integrators[] = { "euler", "implicit", "implicitfast", "rk4" };
  char text[512];
  snprintf(text, sizeof text,
           "<mujoco><option integrator='%s' timestep='.5'/><worldbody><body><joint axis='0 1 0' "
           "stiffness='1e9'/><geom size='.1' pos='.1 0 0'/><body pos='.2 0 0'><joint "
           "axis='0 1 0' stiffness='-1e9'/><geom size='.1' pos='.1 0 0'/></body></body>"
           "</worldbody></mujoco>",
           integrators[_i]);
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  int resets = 0;
  for (int k = 0; k < 100; k++) {
    resets += sn_step(m, d) == SN_EDIVERGED;
  }
  ck_assert_int_gt(resets, 0);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 0);
  done_with(m, d);
}
END_TEST

// A table is rejected when it contains a word that does not exist; the nearest one is named.
START_TEST(unknown_words_are_rejected) {
  static const char *const reasons[] = {
    "its 'needs' contains 'subtree_val', which is unknown; did you mean 'subtree_vel'?",
    "its 'objects' contains 'sitee', which is unknown; did you mean 'site'?",
    "its 'references' contains '', which is unknown",
  };
  sn_sensor_ops ops = lost_sensor;
  ops.needs = _i == 0 ? "cacc|subtree_val" : "";
  ops.objects = _i == 1 ? "joint|sitee" : "";
  ops.references = _i == 2 ? "body||site" : "";
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SENSOR, "lost", &ops, error), SN_EINVAL);
  ck_assert_msg(strstr(sn_error_message(error), reasons[_i]) != NULL, "%s",
                sn_error_message(error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "sensor 'lost'"));
}
END_TEST

// ------------------------------------------------------------------ failures are not repeated

// Operations that fail and report it themselves.
static int failures;

static sn_status fail_force(const void *self, const void *bound, const sn_data_view *data,
                            const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)qfrc, (void)scratch;
  failures++;
  return SN_EPLUGIN;
}

static sn_status fail_control(const void *self, const void *bound, const sn_data_view *data,
                              const double *state, sn_controls *controls, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)controls, (void)scratch;
  failures++;
  return SN_EPLUGIN;
}

static sn_status fail_evaluate(const void *self, const void *bound, const sn_data_view *data,
                               double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)sensordata, (void)scratch;
  failures++;
  return SN_EPLUGIN;
}

static int32_t one_activation(const void *self, const double *prm) {
  (void)self, (void)prm;
  return 1;
}

static sn_status fail_rate(const void *self, const sn_actuators *batch, double *act_dot,
                           sn_scratch *scratch) {
  (void)self, (void)batch, (void)act_dot, (void)scratch;
  failures++;
  return SN_EPLUGIN;
}

static const sn_passive_ops failing_force = TOY_FORCE(fail_force);
static const sn_controller_ops failing_controller = { .head = { .size = sizeof(sn_controller_ops) },
                                                      .bind = toy_bind,
                                                      .unbind = toy_unbind,
                                                      .control = fail_control };
static const sn_sensor_ops failing_sensor = { .head = { .size = sizeof(sn_sensor_ops) },
                                              .stage = SN_STAGE_POSITION,
                                              .dim = 1,
                                              .objects = "",
                                              .references = "",
                                              .needs = "",
                                              .bind = toy_bind_sensors,
                                              .unbind = toy_unbind,
                                              .evaluate = fail_evaluate };
static const sn_dynamics_ops failing_dynamics = { .head = { .size = sizeof(sn_dynamics_ops) },
                                                  .states = one_activation,
                                                  .rate = fail_rate };

START_TEST(a_failure_is_not_repeated) {
  static const struct {
    const char *kind;
    const void *ops;
  } toys[] = { { SN_KIND_PASSIVE, &failing_force },
               { SN_KIND_CONTROLLER, &failing_controller },
               { SN_KIND_SENSOR, &failing_sensor },
               { SN_KIND_DYNAMICS, &failing_dynamics } };
  static const char *const uses[] = {
    "", "", "<sensor><plugin type='failing'/></sensor>",
    "<actuator><general joint='j' dyntype='failing'/></actuator>"
  };
  OK(sn_engine_add(engine, toys[_i].kind, "failing", toys[_i].ops, error));
  char text[400];
  snprintf(text, sizeof text,
           "<mujoco><worldbody><body><joint name='j' axis='0 1 0' damping='1'/>"
           "<geom size='.1' pos='.1 0 0'/></body></worldbody>%s</mujoco>",
           uses[_i]);
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  failures = 0;
  for (int i = 1; i <= 3; i++) {
    OK(sn_step(m, d));
    ck_assert_int_eq(failures, i);
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), i);
  }
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(rounding_in_a_step);
  TEST(damaged_scratch);
  TEST(rounding_in_reset);
  TEST(rounding_while_loading);
  TEST(absurd_confidence_is_ignored);
  EACH(idle_solver_is_found_in_the_checking_mode, 0, 2);
  TEST(sensor_without_a_number);
  EACH(derivative_without_a_number, 0, 4);
  TEST(unknown_status_in_a_step);
  EACH(state_without_a_number, 0, 3);
  EACH(divergence_is_no_fault_of_the_integrator, 0, 4);
  EACH(unknown_words_are_rejected, 0, 3);
  EACH(a_failure_is_not_repeated, 0, 4);
}
