// SPDX-License-Identifier: Apache-2.0
//
// Sensors that read other sensors are evaluated after them, wherever they are in the model; what
// cannot be evaluated in any order is rejected.

#include "sinew/instance.h"

#include "default_engine.h"
#include "sinew/sensor.h"
#include "suite.h"

static int batches;   // that were bound

enum { MOST = 8 };
typedef struct sums {
  int64_t n;
  int32_t adr[MOST], source[MOST], other[MOST];   // other: -1: none
} sums;

static int32_t address(const sn_model_view *model, int64_t sensor) {
  return sensor < 0 ? -1 : snm_sensor_adr(model->model)[sensor];
}

static sn_status bind(const void *self, const sn_model_view *model, int64_t n,
                      const sn_sensor *sensors, void **bound, sn_error *e) {
  sums *s = sn_instance_alloc(self, sizeof *s, e);
  *bound = s;
  batches++;
  for (s->n = 0; s->n < n; s->n++) {
    const sn_sensor *at = &sensors[s->n];
    s->adr[s->n] = at->adr;
    s->source[s->n] = address(model, at->objid);
    s->other[s->n] = address(model, at->values[0].text[0] ? at->values[0].integer : at->refid);
  }
  return SN_OK;
}

// 1 + source + 10 other
static sn_status evaluate(const void *self, const void *bound, const sn_data_view *data,
                          double *state, double *sensordata, sn_scratch *scratch) {
  const sums *s = bound;
  (void)self, (void)data, (void)state, (void)scratch;
  for (int64_t i = 0; i < s->n; i++) {
    const double other = s->other[i] < 0 ? 0 : sensordata[s->other[i]];
    sensordata[s->adr[i]] = 1 + sensordata[s->source[i]] + 10 * other;
  }
  return SN_OK;
}

static const sn_param attributes[] = {
  { .name = "other",
    .type = SN_PARAM_REFERENCE,
    .choices = "site|sensor",
    .default_value = "",
    .summary = "another sensor" },
  { .name = NULL },
};

#define SUM(in_stage)                                                         \
  {                                                                           \
    .head = { .size = sizeof(sn_sensor_ops),                                  \
              .summary = "a sum",                                             \
              .create = sn_instance_create,                                   \
              .destroy = sn_instance_destroy },                               \
    .stage = (in_stage), .datatype = SN_DATA_REAL, .dim = 1,                  \
    .objects = "sensor", .references = "sensor", .bind = bind,                \
    .unbind = sn_instance_unbind, .evaluate = evaluate,                       \
    .attributes = attributes                                                  \
  }
static const sn_sensor_ops sum = SUM(SN_STAGE_POSITION), sum2 = SUM(SN_STAGE_POSITION);
static const sn_sensor_ops late = SUM(SN_STAGE_ACCELERATION);

static void text_of(const char *sensors, char *text, size_t capacity) {
  OK(sn_engine_add(engine, SN_KIND_SENSOR, "sum", &sum, error));
  OK(sn_engine_add(engine, SN_KIND_SENSOR, "sum2", &sum2, error));
  OK(sn_engine_add(engine, SN_KIND_SENSOR, "late", &late, error));
  batches = 0;
  snprintf(text, capacity,
           "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='.1'/><site "
           "name='s'/></body>"
           "</worldbody><sensor>%s</sensor></mujoco>",
           sensors);
}

#define OF(name, type, source) \
  "<plugin name='" name "' type='" type "' objtype='sensor' objname='" source "'/>"

// Values of sensors in the order of the model, at position 0.25, and the batches they take.
static const struct {
  const char *sensors;
  int batches;
  double value[4];
} orders[] = {
  // those of one type together, in the order of the model
  { "<jointpos name='q' joint='j'/>" OF("a", "sum", "q") OF("b", "sum", "q"),
    1,
    { 0.25, 1.25, 1.25 } },
  // a chain of one type against the order of the model
  { OF("c", "sum", "b") OF("b", "sum", "a") OF("a", "sum", "q") "<jointpos name='q' joint='j'/>",
    3,
    { 3.25, 2.25, 1.25, 0.25 } },
  // two types, of which only one must be split
  { OF("c", "sum", "b") OF("b", "sum2", "a") OF("a", "sum", "q") "<jointpos name='q' joint='j'/>",
    3,
    { 3.25, 2.25, 1.25, 0.25 } },
  { OF("c", "sum", "b") OF("b", "sum2", "q") OF("a", "sum", "q") "<jointpos name='q' joint='j'/>",
    2,
    { 2.25, 1.25, 1.25, 0.25 } },
  // a stage before
  { OF("b", "late", "a") OF("a", "sum", "q") "<jointpos name='q' joint='j'/>",
    2,
    { 2.25, 1.25, 0.25 } },
  // the cutoff of the source is in it
  { OF("a", "sum", "q") "<jointpos name='q' joint='j' cutoff='0.125'/>", 1, { 1.125, 0.125 } },
  // by its reference, and by an attribute
  { "<plugin name='c' type='sum' objtype='sensor' objname='q' reftype='sensor' refname='a'/>" OF(
        "a", "sum", "q") "<jointpos name='q' joint='j'/>",
    2,
    { 13.75, 1.25, 0.25 } },
  { "<plugin name='c' type='sum' objtype='sensor' objname='q'><config key='other' value='a'/>"
    "</plugin>" OF("a", "sum", "q") "<jointpos name='q' joint='j'/>",
    2,
    { 13.75, 1.25, 0.25 } },
};
enum { NORDERS = sizeof orders / sizeof orders[0] };

START_TEST(sources_are_evaluated_first) {
  char text[1024];
  text_of(orders[_i].sensors, text, sizeof text);
  sn_model *m = model_of(text);
  sn_data *d = sn_data_new(m, error);
  snd_qpos(d)[0] = 0.25;
  sn_forward(m, d);
  for (int64_t i = 0; i < snm_nsensordata(m); i++) {
    ck_assert_double_eq(snd_sensordata(d)[i], orders[_i].value[i]);
  }
  ck_assert_int_eq(batches, orders[_i].batches);
  done_with(m, d);
}
END_TEST

static const char *const impossible[][2] = {
  { OF("a", "sum", "a"), "it reads its own values, sensor 'a'" },
  { OF("a", "sum", "b") OF("b", "sum2", "a"), "it reads sensor 'b', which in turn reads this one" },
  { OF("d", "sum", "a") OF("a", "sum", "b") OF("b", "sum2", "c") OF("c", "sum", "a"),
    "which in turn reads this one, directly or through others" },
  { "<accelerometer name='x' site='s'/>" OF("a", "sum", "x"),
    "it reads sensor 'x', whose values are computed later in a step" },
};
enum { NIMPOSSIBLE = sizeof impossible / sizeof impossible[0] };

START_TEST(circles_and_later_stages_are_rejected) {
  char text[1024];
  text_of(impossible[_i][0], text, sizeof text);
  reject_text(text, impossible[_i][1]);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(sources_are_evaluated_first, 0, NORDERS);
  EACH(circles_and_later_stages_are_rejected, 0, NIMPOSSIBLE);
}
