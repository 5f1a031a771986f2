// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of sensors with one fault each; those of Sinew have none.

#include "conformance.h"
#include "default_engine.h"
#include "german_locale.h"
#include "sinew/sensor.h"

enum {
  WRITES_NEIGHBOR = NKINDFAULTS,
  WRITES_TOO_LITTLE,
  WRITES_BEHIND,
  STATE_BEHIND,
  READS_LATER_STAGE,
  MOVES_JOINTS,
  NOT_A_NUMBER,
  ENDLESS_STATE,
  NOT_A_UNIT,
  COUNTS_EVALUATIONS,
  RESETS_AT_RANDOM,
  TOO_FEW_VALUES,
  CHANGING_SHAPE,
  SILENT_REJECTION,
  WRITES_SOURCE,        // the sensor that it measures
  AVERAGES_EVALUATIONS,
  READS_BEFORE,         // an array of the simulation
  READS_BY_INDEX,       // and the array that the element is an index of
  BINDS_BEFORE,         // keeps what it read
  COMPARES_BEFORE,      // what no number and zero are the same for
  WRITES_BEFORE_ARRAY,  // of the simulation
  WRITES_BEHIND_ARRAY,  // of the model
};

// An axis of a site, and an integral of time as its state: [ integral | time ].
typedef struct toy {
  sn_field xmat, qvel, time, bodyid, mass;
  double kept;
  int n, site[32], adr[32], stateadr[32];
} toy;

static sn_status shape(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                       int32_t *dim, int32_t *nstate, sn_error *e) {
  static int calls;
  (void)self, (void)model, (void)sensor, (void)e;
  *dim = fault == TOO_FEW_VALUES ? 2 : 3;
  *nstate = 2 + (fault == CHANGING_SHAPE ? calls++ % 2 : 0);
  return SN_OK;
}

static sn_status check(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                       sn_error *e) {
  (void)self, (void)model, (void)e;
  return fault == SILENT_REJECTION && sensor->objid == 1 ? SN_EINVAL : SN_OK;
}

static sn_status bind(const void *self, const sn_model_view *model, int64_t n,
                      const sn_sensor *sensors, void **bound, sn_error *e) {
  const sn_host *host = sn_engine_host(sn_model_engine(model->model));
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  toy *t = calloc(1, sizeof *t);
  (void)self;
  *bound = t;
  for (t->n = 0; t->n < n; t->n++) {
    t->site[t->n] = sensors[t->n].objid;
    t->adr[t->n] = sensors[t->n].adr;
    t->stateadr[t->n] = sensors[t->n].stateadr;
  }
  SN_TRY(fields->data_field(model, "time", SN_REAL, &t->time, e));
  SN_TRY(fields->data_field(model, "qvel", SN_REAL, &t->qvel, e));
  SN_TRY(fields->model_field(model, "site_bodyid", SN_INT, &t->bodyid, e));
  SN_TRY(fields->model_field(model, "body_mass", SN_REAL, &t->mass, e));
  t->kept = fault == BINDS_BEFORE ? sn_field_reals(model->fields, t->mass)[-1] : 0;
  return fields->data_field(model, "site_xmat", SN_REAL, &t->xmat, e);
}

static void unbind(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static void advance(double *state, double time) {
  if (time > state[1] || fault == COUNTS_EVALUATIONS) {
    state[0] += 1;
    state[1] = time;
  }
  if (fault == ENDLESS_STATE) {
    state[0] = INFINITY;
  }
}

static sn_status evaluate(const void *self, const void *bound, const sn_data_view *data,
                          double *state, double *sensordata, sn_scratch *scratch) {
  const toy *t = bound;
  const double *xmat = sn_field_reals(data->fields, t->xmat);
  double *qvel = (double *)(uintptr_t)sn_field_reals(data->fields, t->qvel);
  const double wrong = common_fault();
  (void)self, (void)scratch;
  for (int i = 0; i < t->n; i++) {
    double *out = sensordata + t->adr[i];
    advance(state + t->stateadr[i], sn_field_reals(data->fields, t->time)[0]);
    for (int axis = 0; axis < 3 - (fault == WRITES_TOO_LITTLE); axis++) {
      out[axis] = xmat[9 * t->site[i] + 3 * axis];
    }
    out[0] += (fault == READS_LATER_STAGE ? 1e-12 * qvel[0] : 0) + 1e-10 * wrong;
    out[0] += 1e-12 * t->kept;
    out[0] *= fault == NOT_A_UNIT ? 1.001 : 1;
  }
  if (fault == READS_BEFORE) {
    sensordata[t->adr[0]] += 1e-12 * xmat[-9];
  } else if (fault == READS_BY_INDEX) {
    const void *const *model = data->model->fields;
    const int32_t body = sn_field_ints(model, t->bodyid)[-1];
    sensordata[t->adr[0]] += 1e-12 * sn_field_reals(model, t->mass)[body];
  } else if (fault == COMPARES_BEFORE) {
    sensordata[t->adr[0]] += 1e-12 * (sn_field_reals(data->model->fields, t->mass)[-1] > 0.5);
  } else if (fault == WRITES_BEFORE_ARRAY) {
    ((double *)(uintptr_t)xmat)[-1] = 3;
  } else if (fault == WRITES_BEHIND_ARRAY) {
    double *mass = (double *)(uintptr_t)sn_field_reals(data->model->fields, t->mass);
    mass[snm_nbody(data->model->model)] = 3;
  } else if (fault == WRITES_NEIGHBOR) {
    sensordata[t->adr[0] - 1] = 0;
  } else if (fault == WRITES_BEHIND) {
    sensordata[t->adr[t->n - 1] + 6] = 0;
  } else if (fault == STATE_BEHIND) {
    state[t->stateadr[t->n - 1] + 2] = 0;
  } else if (fault == MOVES_JOINTS) {
    qvel[0] += 1;
  } else if (fault == NOT_A_NUMBER) {
    sensordata[t->adr[0]] = NAN;
  }
  return common_status();
}

static sn_status reset(const void *self, const void *bound, const sn_data_view *data,
                       double *state) {
  static int resets;
  (void)self, (void)bound, (void)data;
  state[0] = fault == RESETS_AT_RANDOM ? ++resets : 4;
  return SN_OK;
}

static const sn_sensor_ops ops = {
  .head = { .size = sizeof ops, .summary = "a toy" },
  .stage = SN_STAGE_POSITION,
  .datatype = SN_DATA_AXIS,
  .dim = 3,
  .objects = "site",
  .sizes = shape,
  .bind = bind,
  .unbind = unbind,
  .evaluate = evaluate,
  .check = check,
  .reset = reset,
};

// ------------------------------------------------------------------ sensors of sensors

// The first value of another sensor, averaged over time. State: [ average | time ].
typedef struct follower {
  sn_field time;
  int n, from[72], adr[72], stateadr[72];
} follower;

static const sn_param source_attributes[] = {
  { .name = "source",
    .type = SN_PARAM_REFERENCE,
    .choices = "sensor",
    .default_value = "",
    .summary = "a sensor" },
  { .name = NULL },
};

static sn_status follower_sizes(const void *self, const sn_model_view *model,
                                const sn_sensor *sensor, int32_t *dim, int32_t *nstate,
                                sn_error *e) {
  (void)self, (void)model, (void)sensor, (void)e;
  *dim = 1;
  *nstate = 2;
  return SN_OK;
}

static sn_status follower_bind(const void *self, const sn_model_view *model, int64_t n,
                               const sn_sensor *sensors, void **bound, sn_error *e) {
  const sn_host *host = sn_engine_host(sn_model_engine(model->model));
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  follower *f = calloc(1, sizeof *f);
  (void)self;
  *bound = f;
  for (; f->n < n; f->n++) {
    const sn_sensor *s = &sensors[f->n];
    const int64_t named = s->values ? s->values[0].integer : -1;
    const int is_sensor = s->objtype && strcmp(s->objtype, "sensor") == 0;
    const int64_t from = is_sensor ? s->objid : named;
    f->from[f->n] = from < 0 ? -1 : snm_sensor_adr(model->model)[from];
    f->adr[f->n] = s->adr;
    f->stateadr[f->n] = s->stateadr;
  }
  return fields->data_field(model, "time", SN_REAL, &f->time, e);
}

static sn_status follow(const void *self, const void *bound, const sn_data_view *data,
                        double *state, double *sensordata, sn_scratch *scratch) {
  const follower *f = bound;
  const double time = sn_field_reals(data->fields, f->time)[0];
  (void)self, (void)scratch;
  for (int i = 0; i < f->n; i++) {
    double *at = state + f->stateadr[i];
    const double value = f->from[i] < 0 ? 0 : sensordata[f->from[i]];
    if (at[1] != time || fault == AVERAGES_EVALUATIONS) {
      at[0] = (at[0] + value) / 2;
      at[1] = time;
    }
    sensordata[f->adr[i]] = at[0];
    if (fault == WRITES_SOURCE && f->from[i] >= 0) {
      sensordata[f->from[i]] += 1;
    }
  }
  return SN_OK;
}

// Of an object, or of a sensor that an attribute names.
static const sn_sensor_ops of_sensor = {
  .head = { .size = sizeof of_sensor, .summary = "a toy" },
  .stage = SN_STAGE_VELOCITY,
  .datatype = SN_DATA_REAL,
  .objects = "sensor",
  .sizes = follower_sizes,
  .bind = follower_bind,
  .unbind = unbind,
  .evaluate = follow,
};

static const sn_sensor_ops of_attribute = {
  .head = { .size = sizeof of_attribute, .summary = "a toy" },
  .stage = SN_STAGE_ACCELERATION,
  .datatype = SN_DATA_REAL,
  .objects = "",
  .sizes = follower_sizes,
  .bind = follower_bind,
  .unbind = unbind,
  .evaluate = follow,
  .attributes = source_attributes,
};

// ------------------------------------------------------------------ what is found

#define TOY SN_KIND_SENSOR, &ops
#define OF_SENSOR SN_KIND_SENSOR, &of_sensor
#define OF_ATTRIBUTE SN_KIND_SENSOR, &of_attribute
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, FAILS, "calls", "evaluate returns SN_EINVAL", NULL },
  { TOY, FORGETS_NOTHING, "same bits", "sensordata differs", "|evaluated twice|unit length|" },
  { TOY, COLLIDES, "threads", "sensordata differs", "|evaluated twice|" },
  { TOY, LOCALIZED, "locale", "sensordata differs", NULL },
  { TOY, WRITES_NEIGHBOR, "values", "a value of another sensor", NULL },
  { TOY, WRITES_TOO_LITTLE, "values", "does not write value 2 of a sensor of 3", "|unit length|" },
  { TOY, WRITES_BEHIND, "outputs", "past the end of sensordata", NULL },
  { TOY, STATE_BEHIND, "outputs", "past the end of state", NULL },
  { TOY, READS_LATER_STAGE, "stage", "depends on velocities", NULL },
  { TOY, MOVES_JOINTS, "inputs", "evaluate changes qvel", "|same bits|" },
  { TOY, READS_BEFORE, "reads", "an element that an array does not have", "|finite|unit length|" },
  { TOY, READS_BY_INDEX, "reads", "an element that an array does not have",
    "|finite|unit length|" },
  { TOY, COMPARES_BEFORE, "reads", "an element that an array does not have", NULL },
  { TOY, WRITES_BEFORE_ARRAY, "inputs", "evaluate changes memory before or behind site_xmat",
    NULL },
  { TOY, WRITES_BEHIND_ARRAY, "inputs", "evaluate changes memory before or behind body_mass",
    NULL },
  { TOY, BINDS_BEFORE, "finite", "evaluate writes nan to value", "|unit length|" },
  { TOY, NOT_A_NUMBER, "finite", "evaluate writes nan to value", "|unit length|" },
  { TOY, ENDLESS_STATE, "finite", "evaluate writes inf to state[0]", NULL },
  { TOY, NOT_A_UNIT, "unit length", "SN_DATA_AXIS has 3 values of length", NULL },
  { TOY, COUNTS_EVALUATIONS, "evaluated twice", "with its new state", NULL },
  { TOY, RESETS_AT_RANDOM, "same bits", "reset: state differs", NULL },
  { TOY, TOO_FEW_VALUES, "sizes", "2 values and 2 state variables", NULL },
  { TOY, CHANGING_SHAPE, "sizes", "then 3 and 3", NULL },
  { TOY, SILENT_REJECTION, "rejections", "without a message", NULL },
  { OF_SENSOR, NO_FAULT, NULL, NULL, NULL },
  { OF_SENSOR, AVERAGES_EVALUATIONS, "evaluated twice", "with its new state", NULL },
  { OF_SENSOR, WRITES_SOURCE, "values", "a value of another sensor", "|evaluated twice|" },
  { OF_ATTRIBUTE, NO_FAULT, NULL, NULL, NULL },
  { OF_ATTRIBUTE, AVERAGES_EVALUATIONS, "evaluated twice", "with its new state", NULL },
  { OF_ATTRIBUTE, WRITES_SOURCE, "values", "a value of another sensor", "|evaluated twice|" },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  fault = faults[_i].fault;
  if (fault != LOCALIZED || find_german()) {
    expect_finding(&faults[_i]);
  }
}
END_TEST

START_TEST(sensors_of_sinew_pass) {
  open_engine();
  ck_assert_int_ge(expect_all_pass(engine, SN_KIND_SENSOR), 30);
  close_engine();
}
END_TEST

// The model of the kit has objects of every kind that a sensor can measure.
START_TEST(every_kind_of_object_is_tested) {
  static const char *const kinds[] = {
    "body",     "xbody",  "joint",   "geom",     "site",  "camera",  "light",    "mesh",
    "skin",     "hfield", "texture", "material", "pair",  "exclude", "equality", "tendon",
    "actuator", "sensor", "numeric", "text",     "tuple", "key",
  };
  sn_sensor_ops any = of_sensor;
  any.objects = kinds[_i];
  fault = NO_FAULT;
  expect_finding(&(planted){ .kind = SN_KIND_SENSOR, .ops = &any });
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_SENSOR, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  EACH(every_kind_of_object_is_tested, 0, 22);
  TEST(sensors_of_sinew_pass);
  TEST(each_requirement_has_a_fault);
}
