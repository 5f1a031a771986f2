// SPDX-License-Identifier: Apache-2.0
//
// The documented integers of things that Sinew knows by name: laws of actuators, types of
// sensors, kinds of objects. They serve readers of model arrays; nothing in the core decides by
// them.

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
  static const char *const list[] = { "none",   "integrator", "filter",
                                      "muscle", "user",       "filterexact" };
  return POSITION(list, name, 4);
}

int32_t si_gain_number(const char *name) {
  static const char *const list[] = { "fixed", "affine", "muscle", "user" };
  return POSITION(list, name, 3);
}

int32_t si_bias_number(const char *name) {
  static const char *const list[] = { "none", "affine", "muscle", "user" };
  return POSITION(list, name, 3);
}

int si_is_listed(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *p = list; p && *p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL) {
    if (strncmp(p, word, n) == 0 && (p[n] == '|' || p[n] == 0)) {
      return 1;
    }
  }
  return 0;
}

int32_t si_sensor_number(const char *name) {
  static const char *const list[] = { "touch",
                                      "accelerometer",
                                      "velocimeter",
                                      "gyro",
                                      "force",
                                      "torque",
                                      "magnetometer",
                                      "rangefinder",
                                      "jointpos",
                                      "jointvel",
                                      "tendonpos",
                                      "tendonvel",
                                      "actuatorpos",
                                      "actuatorvel",
                                      "actuatorfrc",
                                      "ballquat",
                                      "ballangvel",
                                      "jointlimitpos",
                                      "jointlimitvel",
                                      "jointlimitfrc",
                                      "tendonlimitpos",
                                      "tendonlimitvel",
                                      "tendonlimitfrc",
                                      "framepos",
                                      "framequat",
                                      "framexaxis",
                                      "frameyaxis",
                                      "framezaxis",
                                      "framelinvel",
                                      "frameangvel",
                                      "framelinacc",
                                      "frameangacc",
                                      "subtreecom",
                                      "subtreelinvel",
                                      "subtreeangmom",
                                      "clock",
                                      "user" };
  return POSITION(list, name, 36);
}

static const char *const object_kinds[] = { "unknown", "body",     "xbody",   "joint",    "dof",
                                            "geom",    "site",     "camera",  "light",    "mesh",
                                            "skin",    "hfield",   "texture", "material", "pair",
                                            "exclude", "equality", "tendon",  "actuator", "sensor",
                                            "numeric", "text",     "tuple",   "key" };

int32_t si_object_number(const char *kind) {
  return POSITION(object_kinds, kind, 0);
}

const char *si_object_kind(int32_t number) {
  const int32_t n = (int32_t)(sizeof object_kinds / sizeof object_kinds[0]);
  return number > 0 && number < n ? object_kinds[number] : NULL;
}
