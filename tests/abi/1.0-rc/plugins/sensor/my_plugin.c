// SPDX-License-Identifier: Apache-2.0
//
// A template for sensors: the distance of a site from another site. Replace the names and the
// mathematics by your own.

#include <stddef.h>

#include "sinew/instance.h"
#include "sinew/math.h"
#include "sinew/sensor.h"

// The sensors of this type in one model.
typedef struct bound_sensor {
  int32_t site, other;   // ids
  int32_t adr;           // of the value, in sensordata
} bound_sensor;

typedef struct bound_sensors {
  int64_t n;
  sn_field site_xpos;
  bound_sensor at[];
} bound_sensors;

static sn_status bind(const void *self, const sn_model_view *model, int64_t n,
                      const sn_sensor *sensors, void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const sn_field site_xpos = sn_lookup_data(&l, "site_xpos");
  SN_TRY(l.status);
  bound_sensors *b = (bound_sensors *)sn_instance_alloc(
      self, sizeof *b + (size_t)n * sizeof b->at[0], error);
  if (!b) {
    return SN_ENOMEM;
  }
  b->n = n;
  b->site_xpos = site_xpos;
  for (int64_t i = 0; i < n; i++) {
    b->at[i] = (bound_sensor){ sensors[i].objid, sensors[i].refid, sensors[i].adr };
  }
  *bound = b;
  return SN_OK;
}

static sn_status check(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                       sn_error *error) {
  (void)model;
  return sensor->refid >= 0 ? SN_OK
                            : sn_instance_fail(self, error, SN_EINVAL,
                                               "it measures the distance of two sites; name the "
                                               "second with reftype=\"site\" and refname");
}

static sn_status evaluate(const void *self, const void *bound, const sn_data_view *data,
                          double *state, double *sensordata, sn_scratch *scratch) {
  const bound_sensors *b = (const bound_sensors *)bound;
  const double *xpos = sn_field_reals(data->fields, b->site_xpos);
  (void)self;
  (void)state;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const bound_sensor *at = &b->at[i];
    sensordata[at->adr] = sn_dist3(xpos + 3 * at->site, xpos + 3 * at->other);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_sensor_ops ops = {
  .head = { .size = sizeof(sn_sensor_ops),
            .summary = "distance of two sites, m",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .stage = SN_STAGE_POSITION,
  .datatype = SN_DATA_POSITIVE,
  .dim = 1,
  .objects = "site",
  .references = "site",
  .bind = bind,
  .unbind = sn_instance_unbind,
  .evaluate = evaluate,
  .check = check,
};

static const sn_provide provides[] = {
  SN_PROVIDE_SENSOR("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a sensor", .provides = provides)
