// SPDX-License-Identifier: Apache-2.0
//
// A gyroscope that drifts: the angular velocity of a site in its frame, plus a bias that follows a
// random walk, as in a cheap inertial measurement unit:
//
//   bias(t + dt) = bias(t) + walk sqrt(dt) n,    n normal      so  E |bias_k(t)|^2 = walk^2 t
//
// The bias is part of the state of the simulation, not of the plugin: copies, saved states and
// rollouts contain it. Random numbers come from the host and depend only on the seed, the sensor
// and the number of steps of the walk, so a resumed run continues as the original would have.
//
//   state of a sensor   [ bias 3 | time of the last step | steps ]

#include <math.h>
#include <stddef.h>

#include "sinew/instance.h"
#include "sinew/math.h"
#include "sinew/sensor.h"

enum { WALK, SEED };   // attributes
enum { BIAS = 0, TIME = 3, STEPS = 4, STATES = 5 };

typedef struct imu {
  sn_instance base;
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
  SN_TRY(sn_instance_new(host, sizeof(imu), self, error));
  ((imu *)*self)->random = host->query(host, SN_SERVICE_RANDOM);
  return SN_OK;
}

static sn_status imu_sizes(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                           int32_t *dim, int32_t *nstate, sn_error *error) {
  (void)self, (void)model, (void)sensor, (void)dim, (void)error;
  *nstate = STATES;
  return SN_OK;
}

static sn_status imu_bind(const void *self, const sn_model_view *model, int64_t n,
                          const sn_sensor *sensors, void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const int32_t *site_bodyid = sn_lookup_ints(&l, "site_bodyid");
  const bound_sensors found = { .n = n,
                                .time = sn_lookup_data(&l, "time"),
                                .site_xmat = sn_lookup_data(&l, "site_xmat"),
                                .cvel = sn_lookup_data(&l, "cvel") };
  SN_TRY(l.status);
  bound_sensors *b = sn_instance_alloc(self, sizeof *b + (size_t)n * sizeof b->at[0], error);
  if (!b) {
    return SN_ENOMEM;
  }
  *b = found;
  for (int64_t i = 0; i < n; i++) {
    b->at[i] = (bound_sensor){ .id = sensors[i].id,
                               .site = sensors[i].objid,
                               .body = site_bodyid[sensors[i].objid],
                               .adr = sensors[i].adr,
                               .walk = sensors[i].values[WALK].real,
                               .seed = (uint64_t)sensors[i].values[SEED].integer };
  }
  *bound = b;
  return SN_OK;
}

// Advances the bias to a time, unless it was advanced already, as when a state is evaluated twice.
static void advance(const imu *s, const bound_sensor *at, double time, double *state) {
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
    advance(self, at, time, state + i * STATES);
    sn_mul_matT_vec3(sensordata + at->adr, xmat, cvel);
    sn_add3(sensordata + at->adr, sensordata + at->adr, state + i * STATES + BIAS);
  }
  return SN_OK;
}

static const sn_param attributes[] = {
  { .name = "walk",
    .default_value = "0.001",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e6,
    .summary = "standard deviation of the bias of an axis after one second, rad / s" },
  { .name = "seed",
    .default_value = "0",
    .type = SN_PARAM_INT,
    .summary = "seed of the random walk; sensors with the same seed still differ" },
  { .name = NULL },
};

static const sn_sensor_ops ops = {
  .head = { .size = sizeof(sn_sensor_ops),
            .summary = "gyroscope whose bias follows a random walk",
            .create = imu_create,
            .destroy = sn_instance_destroy },
  .stage = SN_STAGE_VELOCITY,
  .datatype = SN_DATA_REAL,
  .dim = 3,
  .objects = "site",
  .sizes = imu_sizes,
  .bind = imu_bind,
  .unbind = sn_instance_unbind,
  .evaluate = imu_evaluate,
  .attributes = attributes,
};

static const sn_provide provides[] = {
  SN_PROVIDE_SENSOR("imu_drift", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.imu_drift", .version = "1.0", .license = "Apache-2.0",
          .summary = "a gyroscope that drifts", .provides = provides)
