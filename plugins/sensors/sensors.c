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
  X(subtreecom) X(subtreelinvel) X(subtreeangmom) X(clock) X(user)

#define DECLARE(type) extern const sn_sensor_ops type##_ops;
SENSORS(DECLARE)

#define PROVIDE(type) { SN_KIND_SENSOR, #type, &type##_ops },

static const sn_provide provides[] = {
  SENSORS(PROVIDE)
  { NULL, NULL, NULL },
};
// clang-format on

static const sn_plugin plugin = {
  .magic = SN_PLUGIN_MAGIC,
  .size = sizeof(sn_plugin),
  .abi_major = SN_ABI_MAJOR,
  .abi_minor_needed = 0,
  .real_size = sizeof(double),
  .name = "sensors",
  .version = SN_VERSION,
  .license = "Apache-2.0",
  .summary = "sensors of sites, joints, tendons, actuators, limits, frames and subtrees",
  .provides = provides,
};

SN_PLUGIN_ENTRY {
  return &plugin;
}
