// SPDX-License-Identifier: Apache-2.0
//
// A gyroscope that drifts: the angular velocity of a site in its frame, plus a bias that walks at
// random, as that of a cheap inertial measurement unit does:
//
//   bias(t + dt) = bias(t) + walk sqrt(dt) n,    n normal      so  E |bias_k(t)|^2 = walk^2 t
//
// The bias is state of the simulation, not of the plugin: copies, saved states and rollouts have
// it. Random numbers come from the host; they depend on the seed, the sensor and the number of
// steps that the walk has made, so a resumed run goes on as it would have.
//
//   state of a sensor   [ bias 3 | time of the last step | steps ]

#include <math.h>
#include <stddef.h>

#include "sinew/math.h"
#include "sinew/sensor.h"

enum { WALK, SEED };   // attributes
enum { BIAS = 0, TIME = 3, STEPS = 4, STATES = 5 };

typedef struct imu {
  const sn_host *host;
  const sn_fields_service *fields;
  const sn_random_service *random;
} imu;

typedef struct bound_sensor {
  int32_t id, site, body, adr;
  double walk;
  uint64_t seed;
} bound_sensor;

typedef struct bound_sensors {
  int64_t n;
  sn_field time, site_xmat, cvel;
  bound_sensor at[];
} bound_sensors;

static sn_status imu_create(const sn_host *host, const sn_value *values, void **self,
                            sn_error *error) {
  (void)values;
  imu *made = host->alloc(host, sizeof *made);
  if (!made) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "no memory for imu_drift");
  }
  *made = (imu){ .host = host,
                 .fields = host->query(host, SN_SERVICE_FIELDS),
                 .random = host->query(host, SN_SERVICE_RANDOM) };
  *self = made;
  return SN_OK;
}

static void imu_destroy(void *self) {
  const sn_host *host = ((imu *)self)->host;
  host->free(host, self);
}

static sn_status imu_bind(const void *self, const sn_model_view *model, int64_t n,
                          const sn_sensor *sensors, void **bound, sn_error *error) {
  const imu *s = self;
  sn_field time, xmat, cvel, bodyid;
  if (s->fields->data_field(model, "time", &time, error) < 0 ||
      s->fields->data_field(model, "site_xmat", &xmat, error) < 0 ||
      s->fields->data_field(model, "cvel", &cvel, error) < 0 ||
      s->fields->model_field(model, "site_bodyid", &bodyid, error) < 0) {
    return SN_ENOTFOUND;
  }
  bound_sensors *b = s->host->alloc(s->host, (int64_t)(sizeof *b + (size_t)n * sizeof b->at[0]));
  if (!b) {
    return s->host->error(s->host, error, SN_ENOMEM, NULL, 0, 0, "no memory for imu_drift");
  }
  b->n = n;
  b->time = time;
  b->site_xmat = xmat;
  b->cvel = cvel;
  for (int64_t i = 0; i < n; i++) {
    b->at[i] = (bound_sensor){ .id = sensors[i].id,
                               .site = sensors[i].objid,
                               .body = sn_field_ints(model->fields, bodyid)[sensors[i].objid],
                               .adr = sensors[i].adr,
                               .walk = sensors[i].values[WALK].real,
                               .seed = (uint64_t)sensors[i].values[SEED].integer };
  }
  *bound = b;
  return SN_OK;
}

static void imu_unbind(const void *self, void *bound) {
  const imu *s = self;
  s->host->free(s->host, bound);
}

// The bias at a time; nothing when the time did not go on, as when a state is evaluated twice.
static void walk(const imu *s, const bound_sensor *at, double time, double *state) {
  double step[3], dt = time - state[TIME];
  if (!(dt > 0)) {
    return;
  }
  s->random->normal(at->seed, (uint64_t)at->id, 3 * (uint64_t)state[STEPS], 3, step);
  sn_addscale3(state + BIAS, state + BIAS, at->walk * sqrt(dt), step);
  state[TIME] = time;
  state[STEPS] += 1;
}

static sn_status imu_evaluate(const void *self, const void *bound, const sn_data_view *data,
                              double *state, double *sensordata, sn_scratch *scratch) {
  const bound_sensors *b = bound;
  (void)scratch;
  double time = sn_field_reals(data->fields, b->time)[0];
  for (int64_t i = 0; i < b->n; i++) {
    const bound_sensor *at = &b->at[i];
    const double *xmat = sn_field_reals(data->fields, b->site_xmat) + 9 * at->site;
    const double *cvel = sn_field_reals(data->fields, b->cvel) + 6 * at->body;
    walk(self, at, time, state + i * STATES);
    sn_mul_matT_vec3(sensordata + at->adr, xmat, cvel);
    sn_add3(sensordata + at->adr, sensordata + at->adr, state + i * STATES + BIAS);
  }
  return SN_OK;
}

static const sn_param attributes[] = {
  { .name = "walk",
    .fallback = "0.001",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e6,
    .summary = "bias after one second, rad / s, rms of an axis" },
  { .name = "seed",
    .fallback = "0",
    .type = SN_PARAM_INT,
    .summary = "seed of the walk; sensors of one seed differ" },
  { .name = NULL },
};

static const sn_sensor_ops ops = {
  .head = { .size = sizeof(sn_sensor_ops),
            .summary = "gyroscope with a bias that walks at random",
            .create = imu_create,
            .destroy = imu_destroy },
  .stage = SN_STAGE_VELOCITY,
  .datatype = SN_DATA_REAL,
  .dim = 3,
  .nstate = STATES,
  .objects = "site",
  .bind = imu_bind,
  .unbind = imu_unbind,
  .evaluate = imu_evaluate,
  .attributes = attributes,
};

static const sn_provide provides[] = {
  { SN_KIND_SENSOR, "imu_drift", &ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.imu_drift", .version = "1.0", .license = "Apache-2.0",
          .summary = "a gyroscope that drifts", .provides = provides)
