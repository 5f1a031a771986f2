// SPDX-License-Identifier: Apache-2.0
//
// Sizes of sensors that depend on the model and on the sensor: a delay line of the velocities,
// whose length is an attribute, with a state that starts at a value of its own.

#include "random_state.h"
#include "suite.h"

// ------------------------------------------------------------------ a delay line

// state: `steps` rows of nv numbers, the oldest first. Each evaluation gives out the oldest and
// stores the present velocities.
typedef struct line {
  int32_t nv, adr, steps, stateadr;
} line;

typedef struct lines {
  int64_t n;
  sn_field qvel;
  line at[8];
} lines;

static const sn_fields_service *fields;
static int32_t absurd_dim, absurd_states;

static sn_status delay_sizes(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                             int32_t *dim, int32_t *nstate, sn_error *e) {
  (void)self, (void)e;
  *dim = (int32_t)fields->size_of(model, "nv");
  *nstate = *dim * (int32_t)sensor->values[0].integer;
  *dim = absurd_dim ? absurd_dim : *dim;
  *nstate = absurd_states ? absurd_states : *nstate;
  return SN_OK;
}

static sn_status delay_bind(const void *self, const sn_model_view *model, int64_t n,
                            const sn_sensor *sensors, void **bound, sn_error *e) {
  (void)self;
  lines *l = calloc(1, sizeof *l);
  l->n = n;
  ck_assert_int_ge(fields->data_field(model, "qvel", SN_REAL, &l->qvel, e), 0);
  for (int64_t i = 0; i < n; i++) {
    ck_assert_int_eq(sensors[i].nstate, sensors[i].dim * (int32_t)sensors[i].values[0].integer);
    l->at[i] = (line){ sensors[i].dim, sensors[i].adr, (int32_t)sensors[i].values[0].integer,
                       sensors[i].stateadr };
  }
  *bound = l;
  return SN_OK;
}

static void delay_unbind(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static sn_status delay_evaluate(const void *self, const void *bound, const sn_data_view *data,
                                double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)scratch;
  const lines *l = bound;
  const double *qvel = sn_field_reals(data->fields, l->qvel);
  for (int64_t i = 0; i < l->n; i++) {
    const line *at = &l->at[i];
    double *rows = state + at->stateadr;
    const size_t row = (size_t)at->nv * sizeof(double);
    memcpy(sensordata + at->adr, rows, row);
    memmove(rows, rows + at->nv, row * (size_t)(at->steps - 1));
    memcpy(rows + at->nv * (at->steps - 1), qvel, row);
  }
  return SN_OK;
}

static sn_status delay_reset(const void *self, const void *bound, const sn_data_view *data,
                             double *state) {
  (void)self, (void)data;
  const lines *l = bound;
  for (int64_t i = 0; i < l->n; i++) {
    for (int32_t k = 0; k < l->at[i].nv * l->at[i].steps; k++) {
      state[l->at[i].stateadr + k] = -(double)l->at[i].steps;
    }
  }
  return SN_OK;
}

static const sn_param delay_attributes[] = {
  { .name = "steps",
    .default_value = "1",
    .type = SN_PARAM_INT,
    .min = 1,
    .max = 1000,
    .summary = "delay, in evaluations" },
  { .name = NULL },
};

static const sn_sensor_ops delay_ops = { .head = { .size = sizeof(sn_sensor_ops) },
                                         .stage = SN_STAGE_VELOCITY,
                                         .sizes = delay_sizes,
                                         .bind = delay_bind,
                                         .unbind = delay_unbind,
                                         .evaluate = delay_evaluate,
                                         .attributes = delay_attributes,
                                         .reset = delay_reset };

static void open_with_delay(void) {
  open_engine();
  fields = sn_engine_host(engine)->query(sn_engine_host(engine), SN_SERVICE_FIELDS);
  absurd_dim = absurd_states = 0;
  OK(sn_engine_add(engine, SN_KIND_SENSOR, "delay", &delay_ops, error));
}

#define BODIES                                                                              \
  "<mujoco><option timestep='.01'/><worldbody><body><joint name='j' axis='0 1 0'/>"         \
  "<geom size='.1' pos='.3 0 0'/><body pos='.4 0 0'><joint type='ball'/><geom size='.1' "   \
  "pos='.2 .1 0'/></body></body></worldbody><sensor>"
#define DELAY(steps) "<plugin type='delay'><config key='steps' value='" steps "'/></plugin>"
enum { NV = 4 };

START_TEST(sizes_follow_model_and_attributes) {
  sn_model *m = model_of(BODIES DELAY("3") "<jointpos joint='j'/>" DELAY("7") "</sensor></mujoco>");
  ck_assert_int_eq(m->nv, NV);
  ck_assert_int_eq(m->nsensordata, NV + 1 + NV);
  ck_assert_int_eq(m->nsensorstate, NV * (3 + 7));
  ck_assert_int_eq(sn_state_size(m, SN_STATE_PLUGIN), NV * (3 + 7));
  sn_data *d = data_of(m);
  scramble(m, d, 2);
  double past[64][NV];
  for (int step = 0; step < 40; step++) {
    memcpy(past[step], d->qvel, sizeof past[step]);
    ck_assert_int_ge(sn_step(m, d), 0);
    for (int i = 0; i < NV; i++) {
      CLOSE(d->sensordata[i], step < 3 ? -3 : past[step - 3][i], 0);
      CLOSE(d->sensordata[NV + 1 + i], step < 7 ? -7 : past[step - 7][i], 0);
    }
  }
  done_with(m, d);
}
END_TEST

// Saved and restored, and read from a binary file: the same bits.
START_TEST(delay_lines_are_part_of_the_state) {
  sn_model *m = model_of(BODIES DELAY("3") "<jointpos joint='j'/>" DELAY("7") "</sensor></mujoco>");
  sn_data *d = data_of(m);
  const int64_t n = sn_state_size(m, SN_STATE_INTEGRATION);
  double *saved = malloc((size_t)n * sizeof *saved);
  scramble(m, d, 2);
  for (int step = 0; step < 20; step++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  sn_state_get(m, d, SN_STATE_INTEGRATION, saved);
  for (int step = 0; step < 20; step++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  double values[2 * NV + 1];
  memcpy(values, d->sensordata, sizeof values);
  sn_reset(m, d);
  sn_state_set(m, d, SN_STATE_INTEGRATION, saved);
  for (int step = 0; step < 20; step++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert_int_eq(memcmp(values, d->sensordata, sizeof values), 0);
  free(saved);
  done_with(m, d);
}
END_TEST

START_TEST(absurd_sizes_name_the_type) {
  static const int32_t sizes[][2] = { { 1 << 30, 0 }, { 0, INT32_MAX }, { 0, -5 }, { -1, 0 } };
  absurd_dim = sizes[_i][0];
  absurd_states = sizes[_i][1];
  ck_assert_ptr_null(try_text(BODIES "<plugin name='s' type='delay'/></sensor></mujoco>"));
  ck_assert_msg(strstr(sn_error_text(error), "'delay'") && strstr(sn_error_text(error), "'s'"),
                "%s", sn_error_text(error));
}
END_TEST

START_TEST(declared_dim_stays) {
  sn_sensor_ops fixed = delay_ops;
  fixed.dim = 1;
  absurd_dim = 2;
  OK(SN_ENGINE_ADD(engine, SN_PROVIDE_SENSOR("fixed", &fixed), error));
  ck_assert_ptr_null(try_text(BODIES "<plugin name='s' type='fixed'/></sensor></mujoco>"));
  ck_assert_msg(strstr(sn_error_text(error), "the sensor type 'fixed' declares dim 1, and its "
                                             "operation 'sizes' changed it to 2"),
                "%s", sn_error_text(error));
}
END_TEST

TESTS() {
  FIXTURE(open_with_delay, close_engine);
  TEST(sizes_follow_model_and_attributes);
  TEST(delay_lines_are_part_of_the_state);
  EACH(absurd_sizes_name_the_type, 0, 4);
  TEST(declared_dim_stays);
}
