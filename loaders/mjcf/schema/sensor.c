// SPDX-License-Identifier: Apache-2.0
//
// The schema: sensors. The element's name is the sensor's type; `detail` is the kind of the object
// that it is attached to, when the name of the attribute says that.

#include "sinew/sensor.h"
#include "mjcf/read/read.h"
#include "mjcf/schema/schema.h"

// clang-format off

#define S sn_sensor_def

static const xml_word frames[] = { { "body", 0, 0 }, { "xbody", 0, 0 }, { "geom", 0, 0 },
                                   { "site", 0, 0 }, { "camera", 0, 0 }, { NULL, 0, 0 } };
static const xml_word datatypes[] = { { "real", SN_DATA_REAL, 0 },
                                      { "positive", SN_DATA_POSITIVE, 0 },
                                      { "axis", SN_DATA_AXIS, 0 },
                                      { "quaternion", SN_DATA_QUATERNION, 0 }, { NULL, 0, 0 } };
static const xml_word stages[] = { { "none", SN_STAGE_NONE, 0 }, { "pos", SN_STAGE_POSITION, 0 },
                                   { "vel", SN_STAGE_VELOCITY, 0 },
                                   { "acc", SN_STAGE_ACCELERATION, 0 }, { NULL, 0, 0 } };

static const mjcf_attr common[] = {
  MJCF_STRING(S, "name", name),
  MJCF_REAL1(S, "cutoff", cutoff),
  MJCF_REAL1(S, "noise", noise),
  MJCF_LIST(S, "user", user),
  MJCF_END
};

static const mjcf_attr at_site[] = { MJCF_NAMED(S, "site", object), MJCF_END };
static const mjcf_attr at_joint[] = { MJCF_NAMED(S, "joint", object), MJCF_END };
static const mjcf_attr at_tendon[] = { MJCF_NAMED(S, "tendon", object), MJCF_END };
static const mjcf_attr at_actuator[] = { MJCF_NAMED(S, "actuator", object), MJCF_END };
static const mjcf_attr at_body[] = { MJCF_NAMED(S, "body", object), MJCF_END };

static const mjcf_attr at_frame[] = {
  { .name = "objtype", .type = MJCF_TEXT, MJCF_AT(S, objtype), .words = frames, .required = 1 },
  MJCF_NAMED(S, "objname", object),
  MJCF_END
};

static const mjcf_attr relative[] = {
  { .name = "reftype", .type = MJCF_TEXT, MJCF_AT(S, reftype), .words = frames },
  MJCF_STRING(S, "refname", refobject),
  MJCF_END
};

static const mjcf_attr user[] = {
  MJCF_NAMED(S, "objtype", objtype),
  MJCF_NAMED(S, "objname", object),
  { .name = "datatype", .type = MJCF_WORD, MJCF_AT(S, datatype), .words = datatypes,
    .required = 1 },
  { .name = "needstage", .type = MJCF_WORD, MJCF_AT(S, stage), .words = stages, .required = 1 },
  { .name = "dim", .type = MJCF_INT, MJCF_AT(S, dim), .min = 1, .max = 1, .required = 1 },
  MJCF_END
};

// of any plugin; what goes with its type is the compiler's to check
static const mjcf_attr plugin[] = {
  MJCF_NAMED(S, "type", type),
  MJCF_STRING(S, "objtype", objtype),
  MJCF_STRING(S, "objname", object),
  MJCF_STRING(S, "reftype", reftype),
  MJCF_STRING(S, "refname", refobject),
  MJCF_ONEOF(S, "datatype", datatype, datatypes),
  MJCF_ONEOF(S, "needstage", stage, stages),
  MJCF_INT1(S, "dim", dim),
  MJCF_END
};

#define SENSOR(n, kind, ...)                                                                   \
  { .name = n, .attrs = { common, __VA_ARGS__ }, .count = '*', .read = mjcf_read_sensor,       \
    .detail = kind }

const mjcf_element mjcf_sensor_children[] = {
  SENSOR("touch", "site", at_site),
  SENSOR("accelerometer", "site", at_site),
  SENSOR("velocimeter", "site", at_site),
  SENSOR("gyro", "site", at_site),
  SENSOR("force", "site", at_site),
  SENSOR("torque", "site", at_site),
  SENSOR("magnetometer", "site", at_site),
  SENSOR("rangefinder", "site", at_site),
  SENSOR("jointpos", "joint", at_joint),
  SENSOR("jointvel", "joint", at_joint),
  SENSOR("tendonpos", "tendon", at_tendon),
  SENSOR("tendonvel", "tendon", at_tendon),
  SENSOR("actuatorpos", "actuator", at_actuator),
  SENSOR("actuatorvel", "actuator", at_actuator),
  SENSOR("actuatorfrc", "actuator", at_actuator),
  SENSOR("jointactuatorfrc", "joint", at_joint),
  SENSOR("tendonactuatorfrc", "tendon", at_tendon),
  SENSOR("ballquat", "joint", at_joint),
  SENSOR("ballangvel", "joint", at_joint),
  SENSOR("jointlimitpos", "joint", at_joint),
  SENSOR("jointlimitvel", "joint", at_joint),
  SENSOR("jointlimitfrc", "joint", at_joint),
  SENSOR("tendonlimitpos", "tendon", at_tendon),
  SENSOR("tendonlimitvel", "tendon", at_tendon),
  SENSOR("tendonlimitfrc", "tendon", at_tendon),
  SENSOR("framepos", NULL, at_frame, relative),
  SENSOR("framequat", NULL, at_frame, relative),
  SENSOR("framexaxis", NULL, at_frame, relative),
  SENSOR("frameyaxis", NULL, at_frame, relative),
  SENSOR("framezaxis", NULL, at_frame, relative),
  SENSOR("framelinvel", NULL, at_frame, relative),
  SENSOR("frameangvel", NULL, at_frame, relative),
  SENSOR("framelinacc", NULL, at_frame),
  SENSOR("frameangacc", NULL, at_frame),
  SENSOR("subtreecom", "body", at_body),
  SENSOR("subtreelinvel", "body", at_body),
  SENSOR("subtreeangmom", "body", at_body),
  SENSOR("clock", NULL, NULL),
  SENSOR("user", NULL, user),
  { .name = "plugin", .attrs = { common, plugin }, .children = mjcf_config_children, .count = '*',
    .read = mjcf_read_sensor },
  MJCF_END
};
