// SPDX-License-Identifier: Apache-2.0
//
// Plugins that declare absurd numbers of states, values or rows: the model is rejected before any
// memory is allocated, with the name of the plugin and the limit.

#include <stdlib.h>

#include "default_engine.h"
#include "host/engine.h"
#include "suite.h"
#include "toy_plugin.h"

static int64_t declared;   // by the toys below

static int64_t bound_states(const void *self, const void *bound) {
  (void)self, (void)bound;
  return declared;
}

static int64_t integrator_states(const void *self, const sn_model_view *model) {
  (void)self, (void)model;
  return declared;
}

static int32_t activation_states(const void *self, const double *prm) {
  (void)self, (void)prm;
  return (int32_t)declared;
}

static sn_status sensor_states(const void *self, const sn_model_view *model,
                               const sn_sensor *sensor, int32_t *dim, int32_t *nstate,
                               sn_error *e) {
  (void)self, (void)model, (void)sensor, (void)e;
  *dim = 1;
  *nstate = (int32_t)declared;
  return SN_OK;
}

static sn_status sensor_values(const void *self, const sn_model_view *model,
                               const sn_sensor *sensor, int32_t *dim, int32_t *nstate,
                               sn_error *e) {
  (void)self, (void)model, (void)sensor, (void)nstate, (void)e;
  *dim = (int32_t)declared;
  return SN_OK;
}

static sn_status integrate(const void *self, sn_stepper *stepper, sn_scratch *scratch) {
  (void)self, (void)scratch;
  stepper->time[0] += stepper->h;
  return SN_OK;
}

static const sn_passive_ops force = { .head = { .size = sizeof force },
                                      .bind = toy_bind,
                                      .unbind = toy_unbind,
                                      .states = bound_states,
                                      .apply = idle_apply,
                                      .advance = idle_advance };
static const sn_controller_ops controller = { .head = { .size = sizeof controller },
                                              .bind = toy_bind,
                                              .unbind = toy_unbind,
                                              .states = bound_states,
                                              .control = idle_control,
                                              .advance = idle_advance };
static const sn_integrator_ops integrator = { .head = { .size = sizeof integrator },
                                              .step = integrate,
                                              .states = integrator_states };
static const sn_dynamics_ops dynamics = { .head = { .size = sizeof dynamics },
                                          .states = activation_states,
                                          .rate = idle_rate };
#define SENSOR(function)                                                                    \
  {                                                                                         \
    .head = { .size = sizeof(sn_sensor_ops) }, .stage = SN_STAGE_POSITION, .objects = "",   \
    .references = "", .needs = "", .sizes = (function), .bind = toy_bind_sensors,               \
    .unbind = toy_unbind, .evaluate = idle_evaluate                                         \
  }
static const sn_sensor_ops remembering = SENSOR(sensor_states);
static const sn_sensor_ops wide = SENSOR(sensor_values);

// ------------------------------------------------------------------ rejected

static const char model[] =
    "<mujoco><option %s/><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>"
    "<actuator><general joint='j' %s/></actuator><sensor>%s</sensor></mujoco>";

static const struct {
  const char *kind;
  const void *ops;
  const char *option, *actuator, *sensor, *word;
} toys[] = {
  { SN_KIND_PASSIVE, &force, "", "", "", "the passive force 'huge' declares" },
  { SN_KIND_CONTROLLER, &controller, "", "", "", "the controller 'huge' declares" },
  { SN_KIND_INTEGRATOR, &integrator, "integrator='huge'", "", "",
    "the integrator 'huge' declares" },
  { SN_KIND_DYNAMICS, &dynamics, "", "dyntype='huge'", "", "'huge' declares" },
  { SN_KIND_SENSOR, &remembering, "", "", "<plugin type='huge'/>",
    "the sensor type 'huge' declares" },
  { SN_KIND_SENSOR, &wide, "", "", "<plugin type='huge'/>",
    "values (set by the sensor type 'huge')" },
};
enum { NTOYS = sizeof toys / sizeof toys[0] };

static const int64_t absurd[] = { INT32_MAX, 1 << 30, SN_MAX_STATES + 1, -1 };
enum { NABSURD = sizeof absurd / sizeof absurd[0] };

static void text_of(int toy, char *text, size_t capacity) {
  snprintf(text, capacity, model, toys[toy].option, toys[toy].actuator, toys[toy].sensor);
}

START_TEST(absurd_sizes_are_rejected) {
  char text[1024];
  const int toy = _i / NABSURD;
  declared = absurd[_i % NABSURD];
  OK(sn_engine_add(engine, toys[toy].kind, "huge", toys[toy].ops, error));
  text_of(toy, text, sizeof text);
  reject_text(text, toys[toy].word);
  ck_assert_msg(strstr(sn_error_text(error), "16777216") != NULL, "%s", sn_error_text(error));
}
END_TEST

// A size that is possible counts as memory.
START_TEST(sizes_obey_the_memory_limit) {
  char text[1024];
  declared = SN_MAX_STATES;
  OK(sn_engine_add(engine, toys[_i].kind, "huge", toys[_i].ops, error));
  OK(sn_engine_set(engine, "limits.memory", "100M", error));
  text_of(_i, text, sizeof text);
  reject_text(text, "a simulation with the numbers that 'huge' (sinew.");
  ck_assert_ptr_nonnull(
      strstr(sn_error_text(error), "more than limits.memory, 100 MiB for one file"));
  ck_assert_int_eq(sn_error_code(error), SN_ENOMEM);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(absurd_sizes_are_rejected, 0, NTOYS * NABSURD);
  EACH(sizes_obey_the_memory_limit, 0, NTOYS);
}
