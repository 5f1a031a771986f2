// SPDX-License-Identifier: Apache-2.0
//
// Camera sensors: the values of a sensor of type `camera` are the image of a camera of the model.
//
//   <sensor>
//     <plugin type="camera" name="eye" objtype="camera" objname="front">
//       <config key="resolution" value="64 48"/>
//       <config key="output" value="rgb"/>
//     </plugin>
//   </sensor>
//
// The image is stored in sensordata, like the values of every sensor, but steps do not render it. A
// program does so when it needs the image, with the renderer that the configuration selects.
//
//   sn_camera_sensors *cameras = sn_camera_sensors_new(model, error);
//   sn_forward(model, data);
//   sn_camera_sensors_draw(cameras, model, data, -1, error);   // now sensordata has the images
//   sn_camera_sensors_free(cameras);
//
// Images are recorded in rollouts by the function before_sample:
//
//   sn_rollout_record record[] = { { .name = "sensordata:eye" } };
//   request.before_sample = sn_camera_sensors_sample;   // if sn_camera_sensors_recorded() is 1
//   request.sample_context = cameras;
//
// The functions are in the static library sinew_scene. This interface is a draft: it may change in
// every minor version.

#ifndef SINEW_CAMERA_SENSOR_H
#define SINEW_CAMERA_SENSOR_H

#include "sinew/renderer.h"

SN_BEGIN_DECLS

// What draws the camera sensors of a model: a renderer, its canvases and scenes, one of each for
// every thread that draws at the same time.
typedef struct sn_camera_sensors sn_camera_sensors;

// NULL: the renderer cannot be used here; the error says why. The model must outlive it. [load]
sn_camera_sensors *sn_camera_sensors_new(const sn_model *model, sn_error *error);
void sn_camera_sensors_free(sn_camera_sensors *cameras);   // [load]
// The next camera sensor of the model after the sensor `after`, -1: the first; -1: there is none.
// [any]
int32_t sn_camera_sensor_next(const sn_model *model, int32_t after);
// The shape of the image of a sensor: height x width x channels values in sensordata. SN_EINVAL:
// `sensor` is not a camera sensor. [any]
sn_status sn_camera_sensor_shape(const sn_model *model, int32_t sensor, int32_t *height,
                                 int32_t *width, int32_t *channels);
// Renders the image of one sensor, or of all sensors if sensor is -1, into sensordata, limited by
// the cutoff of the sensor. It shows the state as the latest sn_step or sn_forward has computed it.
// model: that of sn_camera_sensors_new, or a variation of it in a rollout. SN_EINVAL:
// `sensor` is not a camera sensor. Several threads may draw at the same time, each with its own
// data. [step]
sn_status sn_camera_sensors_draw(sn_camera_sensors *cameras, const sn_model *model, sn_data *data,
                                 int32_t sensor, sn_error *error);
// The same for all sensors, as sn_rollout_request.before_sample; its context is an
// sn_camera_sensors. If the rollouts have variations, create another one for each call of
// sn_rollout: it keeps what it built for each variation, by the address of the model, and a
// variation of a later call may have the same address. [step]
sn_status sn_camera_sensors_sample(void *cameras, const sn_model *model, sn_data *data,
                                   int64_t rollout, int64_t step);
// Whether a quantity that a request records contains values of a camera sensor, so that rollouts
// need sn_camera_sensors_sample. For an ambiguous name the result may be 1. [any]
int32_t sn_camera_sensors_recorded(const sn_model *model, const sn_rollout_request *request);

SN_END_DECLS

#endif
