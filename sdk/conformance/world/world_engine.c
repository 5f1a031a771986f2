// SPDX-License-Identifier: Apache-2.0
//
// The engine of the kit's world: with the smallest providers that its models need, and no plugin.

#include <string.h>

#include "sinew/actuator.h"
#include "sinew/instance.h"
#include "sinew/sensor.h"
#include "world.h"

// ------------------------------------------------------------------ actuators

static sn_status fixed_gain(const void *self, const sn_actuators *batch, double *out,
                            sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    out[i] = 1;
  }
  return SN_OK;
}

static const sn_force_ops gain_ops = {
  .head = { .size = sizeof(sn_force_ops), .summary = "1" },
  .value = fixed_gain,
};

static int32_t one_state(const void *self, const double *prm) {
  (void)self;
  (void)prm;
  return 1;
}

static sn_status decay(const void *self, const sn_actuators *batch, double *act_dot,
                       sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < batch->n; i++) {
    act_dot[i] = -batch->act[i];
  }
  return SN_OK;
}

static const sn_dynamics_ops decay_ops = {
  .head = { .size = sizeof(sn_dynamics_ops), .summary = "a decaying activation" },
  .states = one_state,
  .rate = decay,
};

// ------------------------------------------------------------------ steps

// Semi-implicit Euler, with v' in place of v + h v'.
static sn_status euler_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] += s->h * s->qacc[i];
  }
  s->advance_position(s, s->qvel, s->h);
  *s->time += s->h;
  return SN_OK;
}

static const sn_integrator_ops euler_ops = {
  .head = { .size = sizeof(sn_integrator_ops), .summary = "semi-implicit Euler" },
  .order = 1,
  .evaluations = 1,
  .step = euler_step,
};

// Never called: the model has no constraint rows.
static sn_status solve_nothing(const void *self, const sn_problem *problem, sn_solution *solution,
                               sn_scratch *scratch) {
  (void)self;
  (void)problem;
  (void)solution;
  (void)scratch;
  return SN_EUNSUPPORTED;
}

static const sn_solver_ops solver_ops = {
  .head = { .size = sizeof(sn_solver_ops), .summary = "none" },
  .solve = solve_nothing,
};

// ------------------------------------------------------------------ sensors

// The sensors of the model: its first positions, velocities or accelerations, as many as a sensor
// has values.
typedef struct readings {
  sn_field source;
  int64_t n;
  sn_sensor at[];
} readings;

static sn_status bind_readings(const void *self, const sn_model_view *model, int64_t n,
                               const sn_sensor *sensors, void **bound, sn_error *error) {
  static const char *const source[] = {
    [SN_STAGE_POSITION] = "qpos", [SN_STAGE_VELOCITY] = "qvel", [SN_STAGE_ACCELERATION] = "qacc"
  };
  const int32_t stage = snm_sensor_needstage(model->model)[sensors[0].id];
  sn_lookup l = sn_lookup_start(self, model, error);
  const sn_field field = sn_lookup_data(&l, source[stage]);
  SN_TRY(l.status);
  readings *r = sn_instance_alloc(self, sizeof *r + (size_t)n * sizeof r->at[0], error);
  if (!r) {
    return SN_ENOMEM;
  }
  r->source = field;
  r->n = n;
  memcpy(r->at, sensors, (size_t)n * sizeof r->at[0]);
  *bound = r;
  return SN_OK;
}

static sn_status read_readings(const void *self, const void *bound, const sn_data_view *data,
                               double *state, double *sensordata, sn_scratch *scratch) {
  const readings *r = bound;
  (void)self;
  (void)state;
  (void)scratch;
  for (int64_t i = 0; i < r->n; i++) {
    memcpy(sensordata + r->at[i].adr, sn_field_reals(data->fields, r->source),
           (size_t)r->at[i].dim * sizeof(double));
  }
  return SN_OK;
}

static const sn_sensor_ops sensor_ops = {
  .head = { .size = sizeof(sn_sensor_ops),
            .summary = "the first positions, velocities or accelerations",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .stage = SN_STAGE_ACCELERATION,
  .objects = "",
  .bind = bind_readings,
  .unbind = sn_instance_unbind,
  .evaluate = read_readings,
};

// ------------------------------------------------------------------ the engine

sn_engine *kit_world_engine(const kit *k, int with_provider, sn_error *error) {
  const sn_provider_info needed[] = {
    { .kind = SN_KIND_GAIN, .name = "fixed", .ops = &gain_ops },
    { .kind = SN_KIND_DYNAMICS, .name = "decay", .ops = &decay_ops },
    { .kind = SN_KIND_INTEGRATOR, .name = "Euler", .ops = &euler_ops },
    { .kind = SN_KIND_SOLVER, .name = "none", .ops = &solver_ops },
    { .kind = SN_KIND_SENSOR, .name = "reading", .ops = &sensor_ops },
    *k->provider,
  };
  const int n = (int)(sizeof needed / sizeof needed[0]) - !with_provider;
  sn_engine *engine = sn_engine_open("", error);
  sn_status status = engine ? SN_OK : SN_ENOMEM;
  for (int i = 0; i < n && status >= 0; i++) {
    status = sn_engine_add(engine, needed[i].kind, needed[i].name, needed[i].ops, error);
  }
  if (engine && status < 0) {
    sn_engine_close(engine);
  } else if (engine) {
    kit_tasks_begin(engine);
  }
  return status < 0 ? NULL : engine;
}
