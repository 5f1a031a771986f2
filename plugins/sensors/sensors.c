// SPDX-License-Identifier: Apache-2.0
//
// The sensors of MJCF engines.

#include "common.h"

// clang-format off
#define SENSORS(X)                                                                          \
  X(touch)                                                                                  \
  X(accelerometer) X(velocimeter) X(gyro) X(force) X(torque) X(magnetometer) X(rangefinder) \
  X(jointpos) X(jointvel) X(ballquat) X(ballangvel) X(tendonpos) X(tendonvel)               \
  X(actuatorpos) X(actuatorvel) X(actuatorfrc) X(jointactuatorfrc) X(tendonactuatorfrc)     \
  X(jointlimitpos) X(jointlimitvel) X(jointlimitfrc)                                        \
  X(tendonlimitpos) X(tendonlimitvel) X(tendonlimitfrc)                                     \
  X(framepos) X(framequat) X(framexaxis) X(frameyaxis) X(framezaxis)                        \
  X(framelinvel) X(frameangvel) X(framelinacc) X(frameangacc)                               \
  X(subtreecom) X(subtreelinvel) X(subtreeangmom) X(clock) X(camera) X(user)

#define DECLARE(type) extern const sn_sensor_ops type##_ops;
SENSORS(DECLARE)

#define PROVIDE(type) SN_PROVIDE_SENSOR(#type, &type##_ops),

static const sn_provide provides[] = {
  SENSORS(PROVIDE)
  { NULL, NULL, NULL },
};
// clang-format on

SN_PLUGIN(.name = "sensors", .version = SN_VERSION, .license = "Apache-2.0",
          .summary =
              "sensors of sites, joints, tendons, actuators, limits, frames, subtrees and cameras",
          .provides = provides)
