// SPDX-License-Identifier: Apache-2.0
//
// The schema: actuators. All are one definition; the shortcuts add parameters of their own and
// leave out some of the common ones.

#include "mjcf/read/read.h"
#include "mjcf/schema/schema.h"

// clang-format off

#define A mjcf_actuator

static const mjcf_attr names[] = { MJCF_STRING(A, "name", def.name), MJCF_IN_CLASS, MJCF_END };

const mjcf_attr mjcf_act_base[] = {
  MJCF_INT1(A, "group", def.group),
  MJCF_ONEOF(A, "forcelimited", def.forcelimited, mjcf_limited),
  MJCF_REALN(A, "forcerange", def.forcerange, 2, 2),
  MJCF_LIST(A, "user", def.user),
  MJCF_END
};

const mjcf_attr mjcf_act_range[] = { MJCF_REALN(A, "ctrlrange", def.ctrlrange, 2, 2), MJCF_END };

const mjcf_attr mjcf_act_own_range[] = {
  { .name = "ctrlrange", .type = MJCF_REAL, MJCF_AT(A, def.ctrlrange), .min = 2, .max = 2,
    .required = 1 },
  MJCF_END
};

const mjcf_attr mjcf_act_limited[] = {
  MJCF_ONEOF(A, "ctrllimited", def.ctrllimited, mjcf_limited),
  MJCF_END
};

const mjcf_attr mjcf_act_gear[] = {
  MJCF_REALN(A, "gear", def.gear, 1, 6),
  MJCF_REAL1(A, "cranklength", def.cranklength),
  MJCF_END
};

static const mjcf_attr targets[] = {
  MJCF_REALN(A, "lengthrange", def.lengthrange, 2, 2),
  MJCF_STRING(A, "joint", joint),
  MJCF_STRING(A, "jointinparent", jointinparent),
  MJCF_STRING(A, "tendon", tendon),
  MJCF_STRING(A, "slidersite", slidersite),
  MJCF_STRING(A, "cranksite", cranksite),
  MJCF_END
};

static const mjcf_attr sites[] = { MJCF_STRING(A, "site", site), MJCF_STRING(A, "refsite", refsite),
                                   MJCF_END };
static const mjcf_attr body[] = { MJCF_STRING(A, "body", body), MJCF_END };

const mjcf_attr mjcf_act_actrange[] = { MJCF_REALN(A, "actrange", def.actrange, 2, 2), MJCF_END };

const mjcf_attr mjcf_act_law[] = {
  MJCF_ONEOF(A, "actlimited", def.actlimited, mjcf_limited),
  MJCF_STRING(A, "dyntype", def.dyntype),
  MJCF_STRING(A, "gaintype", def.gaintype),
  MJCF_STRING(A, "biastype", def.biastype),
  MJCF_REALN(A, "dynprm", def.dynprm, 1, 10),
  MJCF_REALN(A, "gainprm", def.gainprm, 1, 10),
  MJCF_REALN(A, "biasprm", def.biasprm, 1, 10),
  MJCF_ONEOF(A, "actearly", def.actearly, mjcf_bool),
  MJCF_INT1(A, "actdim", def.actdim),
  MJCF_END
};

const mjcf_attr mjcf_act_kv[] = { MJCF_REAL1(A, "kv", kv), MJCF_END };
const mjcf_attr mjcf_act_servo[] = {
  MJCF_REAL1(A, "kp", kp),
  MJCF_REAL1(A, "kv", kv),
  MJCF_REAL1(A, "dampratio", def.dampratio),
  MJCF_REAL1(A, "inheritrange", inheritrange),
  MJCF_END
};
const mjcf_attr mjcf_act_timeconst[] = { MJCF_REALN(A, "timeconst", timeconst, 1, 1), MJCF_END };
const mjcf_attr mjcf_act_gain[] = { MJCF_REAL1(A, "gain", gain), MJCF_END };

const mjcf_attr mjcf_act_cylinder[] = {
  MJCF_REALN(A, "timeconst", timeconst, 1, 1),
  MJCF_REAL1(A, "area", area),
  MJCF_REAL1(A, "diameter", diameter),
  MJCF_REALN(A, "bias", bias, 3, 3),
  MJCF_END
};

const mjcf_attr mjcf_act_muscle[] = {
  MJCF_REALN(A, "timeconst", timeconst, 2, 2),
  MJCF_REALN(A, "range", range, 2, 2),
  MJCF_REAL1(A, "force", force),
  MJCF_REAL1(A, "scale", scale),
  MJCF_REAL1(A, "lmin", lmin),
  MJCF_REAL1(A, "lmax", lmax),
  MJCF_REAL1(A, "vmax", vmax),
  MJCF_REAL1(A, "fpmax", fpmax),
  MJCF_REAL1(A, "fvmax", fvmax),
  MJCF_END
};

#define ACTUATOR(n, shortcut, ...)                                                             \
  { .name = n, .attrs = { names, mjcf_act_base, __VA_ARGS__ }, .count = '*',                   \
    .read = mjcf_read_actuator, .detail = shortcut }

const mjcf_element mjcf_actuator_children[] = {
  { .name = "general", .attrs = { names, mjcf_act_base, mjcf_act_range, mjcf_act_limited,
    mjcf_act_gear, targets, sites, body, mjcf_act_actrange, mjcf_act_law }, .count = '*',
    .children = mjcf_config_children, .read = mjcf_read_actuator },
  ACTUATOR("motor", &mjcf_motor, mjcf_act_range, mjcf_act_limited, mjcf_act_gear, targets, sites),
  ACTUATOR("position", &mjcf_position, mjcf_act_range, mjcf_act_limited, mjcf_act_gear, targets,
           sites, mjcf_act_servo, mjcf_act_timeconst),
  ACTUATOR("velocity", &mjcf_velocity, mjcf_act_range, mjcf_act_limited, mjcf_act_gear, targets,
           sites, mjcf_act_kv),
  ACTUATOR("intvelocity", &mjcf_intvelocity, mjcf_act_range, mjcf_act_limited, mjcf_act_gear,
           targets, sites, mjcf_act_actrange, mjcf_act_servo),
  ACTUATOR("damper", &mjcf_damper, mjcf_act_own_range, mjcf_act_gear, targets, sites, mjcf_act_kv),
  ACTUATOR("cylinder", &mjcf_cylinder, mjcf_act_range, mjcf_act_limited, mjcf_act_gear, targets,
           sites, mjcf_act_cylinder),
  ACTUATOR("muscle", &mjcf_muscle, mjcf_act_range, mjcf_act_limited, mjcf_act_gear, targets,
           mjcf_act_muscle),
  ACTUATOR("adhesion", &mjcf_adhesion, mjcf_act_own_range, body, mjcf_act_gain),
  MJCF_END
};
