// SPDX-License-Identifier: Apache-2.0
//
// The schema: classes. A dummy takes what elements of its kind take, without names and targets.

#include "mjcf/read/read.h"
#include "mjcf/schema/schema.h"

// clang-format off

static const mjcf_attr class_attrs[] = { MJCF_IN_CLASS, MJCF_END };

#define DUMMY(n, member, ...)                                                                  \
  { .name = n, .attrs = { __VA_ARGS__ }, .count = '?', .read = mjcf_read_dummy,                \
    .target = offsetof(mjcf_class, member) }
#define FRAME(n, member, ...)                                                                  \
  { .name = n, .attrs = { __VA_ARGS__ }, .count = '?', .read = mjcf_read_dummy,                \
    .target = offsetof(mjcf_class, member), .orient = offsetof(sn_##member##_def, orient) }
#define ACTUATOR(n, shortcut, ...)                                                             \
  { .name = n, .attrs = { __VA_ARGS__ }, .count = '?', .read = mjcf_read_dummy_actuator,       \
    .detail = shortcut }

const mjcf_element mjcf_default_children[] = {
  DUMMY("mesh", mesh, mjcf_mesh_class_attrs),
  DUMMY("material", material, mjcf_material_attrs),
  DUMMY("joint", joint, mjcf_joint_attrs),
  FRAME("geom", geom, mjcf_geom_attrs),
  FRAME("site", site, mjcf_site_attrs),
  { .name = "camera", .attrs = { mjcf_camera_attrs }, .count = '?', .read = mjcf_read_dummy,
    .target = offsetof(mjcf_class, camera), .orient = offsetof(mjcf_camera, def.orient) },
  DUMMY("light", light, mjcf_light_attrs),
  DUMMY("pair", pair, mjcf_pair_attrs),
  DUMMY("equality", equality, mjcf_equality_attrs),
  DUMMY("tendon", tendon, mjcf_tendon_attrs, mjcf_tendon_look_attrs),
  ACTUATOR("general", NULL, mjcf_act_base, mjcf_act_range, mjcf_act_limited, mjcf_act_gear,
           mjcf_act_actrange, mjcf_act_law),
  ACTUATOR("motor", &mjcf_motor, mjcf_act_base, mjcf_act_range, mjcf_act_limited, mjcf_act_gear),
  ACTUATOR("position", &mjcf_position, mjcf_act_base, mjcf_act_range, mjcf_act_limited,
           mjcf_act_gear, mjcf_act_servo, mjcf_act_timeconst),
  ACTUATOR("velocity", &mjcf_velocity, mjcf_act_base, mjcf_act_range, mjcf_act_limited,
           mjcf_act_gear, mjcf_act_kv),
  ACTUATOR("intvelocity", &mjcf_intvelocity, mjcf_act_base, mjcf_act_range, mjcf_act_limited,
           mjcf_act_gear, mjcf_act_actrange, mjcf_act_servo),
  ACTUATOR("damper", &mjcf_damper, mjcf_act_base, mjcf_act_own_range, mjcf_act_gear, mjcf_act_kv),
  ACTUATOR("cylinder", &mjcf_cylinder, mjcf_act_base, mjcf_act_range, mjcf_act_limited,
           mjcf_act_gear, mjcf_act_cylinder),
  ACTUATOR("muscle", &mjcf_muscle, mjcf_act_base, mjcf_act_range, mjcf_act_limited, mjcf_act_gear,
           mjcf_act_muscle),
  { .name = "adhesion", .attrs = { mjcf_act_base, mjcf_act_range, mjcf_act_gain }, .count = '?',
    .read = mjcf_read_dummy_adhesion },
  { .name = "default", .attrs = { class_attrs }, .children = mjcf_default_children, .count = 'R',
    .read = mjcf_read_default },
  MJCF_END
};
