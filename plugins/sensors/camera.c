// SPDX-License-Identifier: Apache-2.0
//
// Camera sensors: room in sensordata for the image of a camera, row by row from the top. A step
// leaves it as it is: the program that wants the image draws it (camera_sensor.h). So this plugin
// needs no graphics, and a step with camera sensors costs as much as one without.

#include <math.h>
#include <string.h>

#include "common.h"

enum { RESOLUTION, OUTPUT };   // attributes

static sn_status camera_sizes(const void *self, const sn_model_view *model, const sn_sensor *at,
                              int32_t *dim, int32_t *nstate, sn_error *error) {
  (void)model, (void)nstate;
  const double *size = at->values[RESOLUTION].reals;
  if (size[0] != floor(size[0]) || size[1] != floor(size[1])) {
    return sn_instance_fail(self, error, SN_ECOMPILE,
                            "resolution must be the whole numbers width and height, in pixels");
  }
  const double n = size[0] * size[1] * (strcmp(at->values[OUTPUT].text, "rgb") == 0 ? 3 : 1);
  if (n > SN_MAX_STATES) {
    return sn_instance_fail(self, error, SN_ECOMPILE,
                            "resolution is too high: an image may have 16777216 values");
  }
  *dim = (int32_t)n;
  return SN_OK;
}

static sn_status camera_evaluate(const void *self, const void *bound, const sn_data_view *data,
                                 double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)sensordata, (void)scratch;
  return SN_OK;
}

static const sn_param attributes[] = {
  { .name = "resolution",
    .default_value = "64 48",
    .type = SN_PARAM_REALS,
    .nmin = 2,
    .nmax = 2,
    .min = 1,
    .max = 16384,
    .summary = "width and height, pixels" },
  { .name = "output",
    .default_value = "rgb",
    .type = SN_PARAM_TEXT,
    .choices = "rgb|depth|segmentation",
    .summary = "rgb: red, green and blue of each pixel, 0 to 1; depth: m along the viewing axis; "
               "segmentation: ids of geoms, -1 where there is none, -2 for what is not a geom" },
  { .name = NULL },
};

const sn_sensor_ops camera_ops = {
  .head = { .size = sizeof(sn_sensor_ops),
            .flags = SN_OPS_WEAK,
            .summary = "image of a camera, drawn on request (camera_sensor.h); pixels from the "
                       "upper left one on, row by row",
            .create = sensors_create,
            .destroy = sn_instance_destroy },
  .stage = SN_STAGE_POSITION,
  .datatype = SN_DATA_REAL,
  .objects = "camera",
  .sizes = camera_sizes,
  .bind = sensors_bind,
  .unbind = sn_instance_unbind,
  .evaluate = camera_evaluate,
  .attributes = attributes,
};
