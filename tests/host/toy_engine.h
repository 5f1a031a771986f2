// SPDX-License-Identifier: Apache-2.0
//
// An engine without files for tests of the compiler: a solver and an integrator that do nothing,
// two laws of actuators, two types of sensors, two passive forces.

#ifndef SN_TEST_TOY_ENGINE_H
#define SN_TEST_TOY_ENGINE_H

#include <check.h>

#include "host/engine.h"

static sn_status toy_solve(const void *self, const sn_problem *problem, sn_solution *solution,
                           sn_scratch *scratch) {
  (void)self, (void)problem, (void)solution, (void)scratch;
  return SN_OK;
}

static sn_status toy_step(const void *self, sn_stepper *stepper, sn_scratch *scratch) {
  (void)self, (void)stepper, (void)scratch;
  return SN_OK;
}

static int32_t toy_states(const void *self, const double *prm) {
  (void)self;
  return (int32_t)prm[0];
}

static sn_status toy_rate(const void *self, const sn_actuators *batch, double *act_dot,
                          sn_scratch *scratch) {
  (void)self, (void)batch, (void)act_dot, (void)scratch;
  return SN_OK;
}

static sn_status toy_value(const void *self, const sn_actuators *batch, double *out,
                           sn_scratch *scratch) {
  (void)self, (void)batch, (void)out, (void)scratch;
  return SN_OK;
}

static sn_status toy_check(const void *self, const double *prm, const sn_host *host,
                           sn_error *error) {
  (void)self;
  return prm[0] < 0 ? host->error(host, error, SN_EINVAL, NULL, 0, 0, "gain must not be negative")
                    : SN_OK;
}

static sn_status toy_bind(const void *self, const sn_model_view *model, int64_t n,
                          const sn_sensor *sensors, void **bound, sn_error *error) {
  (void)self, (void)model, (void)n, (void)sensors, (void)error;
  *bound = NULL;
  return SN_OK;
}

static void toy_unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

static sn_status toy_evaluate(const void *self, const void *bound, const sn_data_view *data,
                              double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)sensordata, (void)scratch;
  return SN_OK;
}

static const sn_solver_ops toy_solver = { .head = { .size = sizeof toy_solver },
                                          .solve = toy_solve };
static const sn_integrator_ops toy_integrator = { .head = { .size = sizeof toy_integrator },
                                                  .step = toy_step };
static const sn_dynamics_ops toy_dynamics = { .head = { .size = sizeof toy_dynamics },
                                              .states = toy_states,
                                              .rate = toy_rate };
static const sn_force_ops toy_gain = { .head = { .size = sizeof toy_gain },
                                       .value = toy_value,
                                       .check = toy_check };
static const sn_force_ops toy_long_gain = {
  .head = { .size = sizeof toy_long_gain, .flags = SN_ACTUATOR_LENGTHRANGE }, .value = toy_value
};
static const sn_param toy_attributes[] = {
  { .name = "key", .default_value = "none", .type = SN_PARAM_TEXT, .summary = "any" },
  { .name = "gain", .default_value = "1", .type = SN_PARAM_REAL, .summary = "a number" },
  { .name = NULL },
};
static sn_status toy_shape(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                           int32_t *dim, int32_t *nstate, sn_error *e) {
  (void)self, (void)model, (void)sensor, (void)dim, (void)e;
  *nstate = 2;
  return SN_OK;
}

static const sn_sensor_ops toy_frame = { .head = { .size = sizeof toy_frame },
                                         .stage = SN_STAGE_POSITION,
                                         .datatype = SN_DATA_QUATERNION,
                                         .dim = 4,
                                         .sizes = toy_shape,
                                         .objects = "site|body",
                                         .references = "site",
                                         .needs = "",
                                         .bind = toy_bind,
                                         .unbind = toy_unbind,
                                         .evaluate = toy_evaluate,
                                         .attributes = toy_attributes };
static const sn_sensor_ops toy_open = { .head = { .size = sizeof toy_open },
                                        .stage = SN_STAGE_ACCELERATION,
                                        .objects = "",
                                        .references = "",
                                        .needs = "",
                                        .bind = toy_bind,
                                        .unbind = toy_unbind,
                                        .evaluate = toy_evaluate };

static sn_status toy_force_bind(const void *self, const sn_model_view *model,
                                const sn_value *values, void **bound, sn_error *error) {
  (void)self, (void)model, (void)values, (void)error;
  *bound = NULL;
  return SN_OK;
}

static sn_status toy_apply(const void *self, const void *bound, const sn_data_view *data,
                           const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)qfrc, (void)scratch;
  return SN_OK;
}

static const sn_passive_ops toy_force = {
  .head = { .size = sizeof toy_force },
  .implements = "dof_stiffness|dof_damping|tendon_stiffness|"
                "tendon_damping|body_gravcomp|density|"
                "viscosity|geom_fluid",
  .bind = toy_force_bind,
  .unbind = toy_unbind,
  .apply = toy_apply
};

static sn_engine *toy_engine(sn_error *error) {
  static const struct {
    const char *kind, *name;
    const void *ops;
  } toys[] = {
    { SN_KIND_SOLVER, "newton", &toy_solver },     { SN_KIND_INTEGRATOR, "euler", &toy_integrator },
    { SN_KIND_DYNAMICS, "states", &toy_dynamics }, { SN_KIND_GAIN, "fixed", &toy_gain },
    { SN_KIND_GAIN, "long", &toy_long_gain },      { SN_KIND_SENSOR, "frame", &toy_frame },
    { SN_KIND_SENSOR, "open", &toy_open },         { SN_KIND_PASSIVE, "spring_damper", &toy_force },
    { SN_KIND_PASSIVE, "gravcomp", &toy_force },
  };
  sn_engine *engine = sn_engine_open("", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  for (size_t i = 0; i < sizeof toys / sizeof toys[0]; i++) {
    ck_assert_msg(sn_engine_add(engine, toys[i].kind, toys[i].name, toys[i].ops, error) >= 0, "%s",
                  sn_error_text(error));
  }
  return engine;
}

#endif
