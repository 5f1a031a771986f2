// SPDX-License-Identifier: Apache-2.0
//
// The documented integers of names: functions of actuators, types of sensors, kinds of objects.
// They are for readers of the arrays of a model; the core makes no decisions by them.

#include <string.h>

#include "model/model.h"

static int32_t position(const char *const *list, int32_t n, const char *name, int32_t otherwise) {
  for (int32_t i = 0; i < n; i++) {
    if (strcmp(list[i], name) == 0) {
      return i;
    }
  }
  return otherwise;
}

#define POSITION(list, name, otherwise) \
  position(list, (int32_t)(sizeof(list) / sizeof(list)[0]), name, otherwise)

int32_t si_dynamics_number(const char *name) {
  static const char *const list[SN_NDYNTYPES] = {
    [SN_DYN_NONE] = "none",     [SN_DYN_INTEGRATOR] = "integrator",
    [SN_DYN_FILTER] = "filter", [SN_DYN_MUSCLE] = "muscle",
    [SN_DYN_USER] = "user",     [SN_DYN_FILTEREXACT] = "filterexact",
  };
  return POSITION(list, name, SN_DYN_USER);
}

int32_t si_gain_number(const char *name) {
  static const char *const list[SN_NGAINTYPES] = {
    [SN_GAIN_FIXED] = "fixed",
    [SN_GAIN_AFFINE] = "affine",
    [SN_GAIN_MUSCLE] = "muscle",
    [SN_GAIN_USER] = "user",
  };
  return POSITION(list, name, SN_GAIN_USER);
}

int32_t si_bias_number(const char *name) {
  static const char *const list[SN_NBIASTYPES] = {
    [SN_BIAS_NONE] = "none",
    [SN_BIAS_AFFINE] = "affine",
    [SN_BIAS_MUSCLE] = "muscle",
    [SN_BIAS_USER] = "user",
  };
  return POSITION(list, name, SN_BIAS_USER);
}

int32_t si_sensor_number(const char *name) {
  static const char *const list[SN_NSENSORTYPES] = {
    [SN_SENSOR_TOUCH] = "touch",
    [SN_SENSOR_ACCELEROMETER] = "accelerometer",
    [SN_SENSOR_VELOCIMETER] = "velocimeter",
    [SN_SENSOR_GYRO] = "gyro",
    [SN_SENSOR_FORCE] = "force",
    [SN_SENSOR_TORQUE] = "torque",
    [SN_SENSOR_MAGNETOMETER] = "magnetometer",
    [SN_SENSOR_RANGEFINDER] = "rangefinder",
    [SN_SENSOR_JOINTPOS] = "jointpos",
    [SN_SENSOR_JOINTVEL] = "jointvel",
    [SN_SENSOR_TENDONPOS] = "tendonpos",
    [SN_SENSOR_TENDONVEL] = "tendonvel",
    [SN_SENSOR_ACTUATORPOS] = "actuatorpos",
    [SN_SENSOR_ACTUATORVEL] = "actuatorvel",
    [SN_SENSOR_ACTUATORFRC] = "actuatorfrc",
    [SN_SENSOR_BALLQUAT] = "ballquat",
    [SN_SENSOR_BALLANGVEL] = "ballangvel",
    [SN_SENSOR_JOINTLIMITPOS] = "jointlimitpos",
    [SN_SENSOR_JOINTLIMITVEL] = "jointlimitvel",
    [SN_SENSOR_JOINTLIMITFRC] = "jointlimitfrc",
    [SN_SENSOR_TENDONLIMITPOS] = "tendonlimitpos",
    [SN_SENSOR_TENDONLIMITVEL] = "tendonlimitvel",
    [SN_SENSOR_TENDONLIMITFRC] = "tendonlimitfrc",
    [SN_SENSOR_FRAMEPOS] = "framepos",
    [SN_SENSOR_FRAMEQUAT] = "framequat",
    [SN_SENSOR_FRAMEXAXIS] = "framexaxis",
    [SN_SENSOR_FRAMEYAXIS] = "frameyaxis",
    [SN_SENSOR_FRAMEZAXIS] = "framezaxis",
    [SN_SENSOR_FRAMELINVEL] = "framelinvel",
    [SN_SENSOR_FRAMEANGVEL] = "frameangvel",
    [SN_SENSOR_FRAMELINACC] = "framelinacc",
    [SN_SENSOR_FRAMEANGACC] = "frameangacc",
    [SN_SENSOR_SUBTREECOM] = "subtreecom",
    [SN_SENSOR_SUBTREELINVEL] = "subtreelinvel",
    [SN_SENSOR_SUBTREEANGMOM] = "subtreeangmom",
    [SN_SENSOR_CLOCK] = "clock",
    [SN_SENSOR_USER] = "user",
  };
  return POSITION(list, name, SN_SENSOR_USER);
}

static const char *const object_kinds[SN_NOBJECTKINDS] = {
  [SN_OBJECT_UNKNOWN] = "unknown",   [SN_OBJECT_BODY] = "body",
  [SN_OBJECT_XBODY] = "xbody",       [SN_OBJECT_JOINT] = "joint",
  [SN_OBJECT_DOF] = "dof",           [SN_OBJECT_GEOM] = "geom",
  [SN_OBJECT_SITE] = "site",         [SN_OBJECT_CAMERA] = "camera",
  [SN_OBJECT_LIGHT] = "light",       [SN_OBJECT_MESH] = "mesh",
  [SN_OBJECT_SKIN] = "skin",         [SN_OBJECT_HFIELD] = "hfield",
  [SN_OBJECT_TEXTURE] = "texture",   [SN_OBJECT_MATERIAL] = "material",
  [SN_OBJECT_PAIR] = "pair",         [SN_OBJECT_EXCLUDE] = "exclude",
  [SN_OBJECT_EQUALITY] = "equality", [SN_OBJECT_TENDON] = "tendon",
  [SN_OBJECT_ACTUATOR] = "actuator", [SN_OBJECT_SENSOR] = "sensor",
  [SN_OBJECT_NUMERIC] = "numeric",   [SN_OBJECT_TEXT] = "text",
  [SN_OBJECT_TUPLE] = "tuple",       [SN_OBJECT_KEY] = "key",
};

int32_t si_object_number(const char *kind) {
  return POSITION(object_kinds, kind, SN_OBJECT_UNKNOWN);
}

const char *si_object_kind(int32_t number) {
  return number > SN_OBJECT_UNKNOWN && number < SN_NOBJECTKINDS ? object_kinds[number] : NULL;
}
