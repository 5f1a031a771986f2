// SPDX-License-Identifier: Apache-2.0
//
// The operation `reset` of every kind that keeps numbers in a simulation: it reads a simulation at
// qpos0, what it writes is the state after a reset, and a failure rejects the model by name.

#include "sinew/actuator.h"
#include "sinew/controller.h"
#include "sinew/instance.h"

#include "random_state.h"
#include "suite.h"
#include "toy_plugin.h"

// A site whose position at qpos0 is that of no frame of the model: the joint is at 90 degrees.
static const char model[] =
    "<mujoco><worldbody><body pos='1 2 3'><joint name='j' axis='0 0 1' ref='90'/>"
    "<geom size='.1'/><body pos='0 4 0' euler='90 0 0'><joint name='k' axis='0 1 0' range='-9 9'/>"
    "<geom size='.1'/><site name='s' pos='0 0 5'/></body></body></worldbody>"
    "<tendon><spatial name='t'><site site='s'/><site site='o'/></spatial></tendon>"
    "<worldbody><site name='o' pos='1 2 0'/></worldbody>"
    "<actuator><general tendon='t' %s/></actuator><sensor>%s</sensor></mujoco>";

enum { FORCE, CONTROLLER, SENSOR, DYNAMICS, NKIND };

static sn_field site_xpos, ten_length, actuator_length, qvel;
static sn_status answer;   // of `reset`

static sn_status find_fields(const void *self, const sn_model_view *view, sn_error *e) {
  sn_lookup l = sn_lookup_start(self, view, e);
  site_xpos = sn_lookup_data(&l, "site_xpos");
  ten_length = sn_lookup_data(&l, "ten_length");
  actuator_length = sn_lookup_data(&l, "actuator_length");
  qvel = sn_lookup_data(&l, "qvel");
  return l.status;
}

enum { NSTATE = 6 };

static sn_status write_start(const sn_data_view *data, double *state) {
  memcpy(state, sn_field_reals(data->fields, site_xpos) + 3, 3 * sizeof *state);   // of s
  state[3] = sn_field_reals(data->fields, ten_length)[0];
  state[4] = sn_field_reals(data->fields, actuator_length)[0];
  state[5] = 1 + sn_field_reals(data->fields, qvel)[0];
  return answer;
}

static sn_status bind(const void *self, const sn_model_view *view, const sn_value *values,
                      void **bound, sn_error *e) {
  OK(find_fields(self, view, e));
  return toy_bind(self, view, values, bound, e);
}

static sn_status bind_sensors(const void *self, const sn_model_view *view, int64_t n,
                              const sn_sensor *sensors, void **bound, sn_error *e) {
  OK(find_fields(self, view, e));
  return toy_bind_sensors(self, view, n, sensors, bound, e);
}

static sn_status bind_actuators(const void *self, const sn_model_view *view, int64_t n,
                                const sn_actuator *actuators, void **bound, sn_error *e) {
  (void)n, (void)actuators, (void)bound;
  return find_fields(self, view, e);
}

static int64_t states(const void *self, const void *bound) {
  (void)self, (void)bound;
  return NSTATE;
}

static int32_t activations(const void *self, const double *prm) {
  (void)self, (void)prm;
  return NSTATE;
}

static sn_status sizes(const void *self, const sn_model_view *view, const sn_sensor *sensor,
                       int32_t *dim, int32_t *nstate, sn_error *e) {
  (void)self, (void)view, (void)sensor, (void)e;
  *dim = 1;
  *nstate = NSTATE;
  return SN_OK;
}

static sn_status reset(const void *self, const void *bound, const sn_data_view *data,
                       double *state) {
  (void)self, (void)bound;
  return write_start(data, state);
}

static sn_status reset_activations(const void *self, const sn_actuators *batch, double *act) {
  (void)self;
  ck_assert(batch->length[0] == sn_field_reals(batch->data->fields, actuator_length)[0]);
  return write_start(batch->data, act);
}

#define TOY_HEAD(table) \
  { .size = sizeof(table), .create = sn_instance_create, .destroy = sn_instance_destroy }

static const sn_passive_ops force = { .head = TOY_HEAD(force),
                                      .bind = bind,
                                      .unbind = toy_unbind,
                                      .states = states,
                                      .reset = reset,
                                      .apply = idle_apply,
                                      .advance = idle_advance };
static const sn_controller_ops controller = { .head = TOY_HEAD(controller),
                                              .bind = bind,
                                              .unbind = toy_unbind,
                                              .states = states,
                                              .reset = reset,
                                              .control = idle_control,
                                              .advance = idle_advance };
static const sn_sensor_ops sensor = { .head = TOY_HEAD(sensor),
                                      .stage = SN_STAGE_POSITION,
                                      .sizes = sizes,
                                      .bind = bind_sensors,
                                      .unbind = toy_unbind,
                                      .reset = reset,
                                      .evaluate = idle_evaluate };
static const sn_dynamics_ops dynamics = { .head = TOY_HEAD(dynamics),
                                          .states = activations,
                                          .rate = idle_rate,
                                          .reset = reset_activations,
                                          .bind = bind_actuators,
                                          .unbind = toy_unbind };

static const struct {
  const char *kind;
  const void *ops;
  const char *message;
} toys[NKIND] = {
  [FORCE] = { SN_KIND_PASSIVE, &force, "'toy' (sinew.passive/1): its operation 'reset' failed" },
  [CONTROLLER] = { SN_KIND_CONTROLLER, &controller,
                   "'toy' (sinew.controller/draft): its operation 'reset' failed" },
  [SENSOR] = { SN_KIND_SENSOR, &sensor, "'toy' (sinew.sensor/1): its operation 'reset' failed" },
  [DYNAMICS] = { SN_KIND_DYNAMICS, &dynamics,
                 "'toy' (sinew.dynamics/1): its operation 'reset' failed" },
};

static void text_with_toy(int kind, char *text, size_t capacity) {
  OK(sn_engine_add(engine, toys[kind].kind, "toy", toys[kind].ops, error));
  snprintf(text, capacity, model, kind == DYNAMICS ? "dyntype='toy'" : "",
           kind == SENSOR ? "<plugin type='toy'/>" : "");
}

static const double *states_of(const sn_data *d, int kind) {
  return kind == DYNAMICS ? d->act : kind == SENSOR ? d->sensor_state : d->force_state;
}

// The site is at p + R_z(0) (0 4 0) + R_x(90) (0 0 5), since qpos0 is the pose of the model.
START_TEST(reset_reads_a_simulation_at_qpos0) {
  static const double start[NSTATE] = { 1, 1, 3, 0, 0, 1 };
  char text[2048];
  answer = SN_OK;
  text_with_toy(_i, text, sizeof text);
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  const double length = sqrt(1 + 9);   // from (1 1 3) to (1 2 0)
  for (int i = 0; i < 3; i++) {
    CLOSE(states_of(d, _i)[i], start[i], 1e-14);
  }
  CLOSE(states_of(d, _i)[3], length, 1e-14);
  CLOSE(states_of(d, _i)[4], length, 1e-14);
  CLOSE(states_of(d, _i)[5], 1, 0);

  // after a motion, a reset sets the same
  d->qvel[0] = 3;
  ck_assert_int_ge(sn_step(m, d), 0);
  memset((void *)(uintptr_t)states_of(d, _i), 0, sizeof start);
  sn_reset(m, d);
  CLOSE(states_of(d, _i)[1], start[1], 1e-14);
  CLOSE(states_of(d, _i)[3], length, 1e-14);
  done_with(m, d);
}
END_TEST

START_TEST(failed_reset_rejects_the_model) {
  char text[2048];
  answer = SN_EINVAL;
  text_with_toy(_i, text, sizeof text);
  reject_text(text, toys[_i].message);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(reset_reads_a_simulation_at_qpos0, 0, NKIND);
  EACH(failed_reset_rejects_the_model, 0, NKIND);
}
