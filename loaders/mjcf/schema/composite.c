// SPDX-License-Identifier: Apache-2.0
//
// The schema: composite objects, one of the elements inside of bodies.

#include "mjcf/composite/composite.h"
#include "mjcf/schema/schema.h"

// clang-format off

static const xml_word types[] = {
  { "particle", COMPOSITE_PARTICLE, 0 }, { "grid", COMPOSITE_GRID, 0 },
  { "rope", COMPOSITE_ROPE, 0 }, { "loop", COMPOSITE_LOOP, 0 }, { "cloth", COMPOSITE_CLOTH, 0 },
  { "box", COMPOSITE_BOX, 0 }, { "cylinder", COMPOSITE_CYLINDER, 0 },
  { "ellipsoid", COMPOSITE_ELLIPSOID, 0 }, { "cable", COMPOSITE_CABLE, 0 }, { NULL, 0, 0 }
};
static const xml_word initials[] = {
  { "ball", COMPOSITE_BALL, 0 }, { "free", COMPOSITE_FREE, 0 }, { "none", COMPOSITE_FIXED, 0 },
  { NULL, 0, 0 }
};
static const xml_word joint_kinds[] = {
  { "main", COMPOSITE_MAIN, 0 }, { "twist", COMPOSITE_TWIST, 0 },
  { "stretch", COMPOSITE_STRETCH, 0 }, { NULL, 0, 0 }
};
static const xml_word tendon_kinds[] = {
  { "main", COMPOSITE_MAIN, 0 }, { "shear", COMPOSITE_SHEAR, 0 }, { NULL, 0, 0 }
};

const mjcf_attr mjcf_composite_attrs[] = {
  MJCF_STRING(mjcf_composite, "prefix", prefix),
  { .name = "type", .type = MJCF_WORD, MJCF_AT(mjcf_composite, type), .words = types,
    .required = 1 },
  MJCF_INTN(mjcf_composite, "count", count, 1, 3),
  MJCF_REAL1(mjcf_composite, "spacing", spacing),
  MJCF_REALN(mjcf_composite, "offset", offset, 3, 3),
  MJCF_REAL1(mjcf_composite, "flatinertia", flatinertia),
  MJCF_REALN(mjcf_composite, "solrefsmooth", smooth.solref, 1, 2),
  MJCF_REALN(mjcf_composite, "solimpsmooth", smooth.solimp, 1, 5),
  MJCF_STRING(mjcf_composite, "curve", curve),
  MJCF_REALN(mjcf_composite, "size", size, 1, 3),
  MJCF_LIST(mjcf_composite, "vertex", vertex),
  MJCF_REALN(mjcf_composite, "quat", quat, 4, 4),
  MJCF_ONEOF(mjcf_composite, "initial", initial, initials),
  MJCF_END
};

// what joints and tendons have alike
#define CONSTRAINED(T)                                                                         \
  MJCF_INT1(T, "group", def.group),                                                            \
  MJCF_REAL1(T, "stiffness", def.stiffness),                                                   \
  MJCF_REAL1(T, "damping", def.damping),                                                       \
  MJCF_REALN(T, "solreffix", fix.solref, 1, 2),                                                \
  MJCF_REALN(T, "solimpfix", fix.solimp, 1, 5),                                                \
  MJCF_ONEOF(T, "limited", def.limited, mjcf_limited),                                         \
  MJCF_REALN(T, "range", def.range, 2, 2),                                                     \
  MJCF_REAL1(T, "margin", def.margin),                                                         \
  MJCF_REALN(T, "solreflimit", def.solref_limit, 1, 2),                                        \
  MJCF_REALN(T, "solimplimit", def.solimp_limit, 1, 5),                                        \
  MJCF_REAL1(T, "frictionloss", def.frictionloss),                                             \
  MJCF_REALN(T, "solreffriction", def.solref_friction, 1, 2),                                  \
  MJCF_REALN(T, "solimpfriction", def.solimp_friction, 1, 5)

static const mjcf_attr joint_attrs[] = {
  { .name = "kind", .type = MJCF_WORD, MJCF_AT(composite_joint, kind), .words = joint_kinds,
    .required = 1 },
  CONSTRAINED(composite_joint),
  MJCF_REAL1(composite_joint, "armature", def.armature),
  MJCF_END
};

static const mjcf_attr tendon_attrs[] = {
  { .name = "kind", .type = MJCF_WORD, MJCF_AT(composite_tendon, kind), .words = tendon_kinds,
    .required = 1 },
  CONSTRAINED(composite_tendon),
  MJCF_STRING(composite_tendon, "material", def.material),
  MJCF_REALN(composite_tendon, "rgba", def.rgba, 4, 4),
  MJCF_REAL1(composite_tendon, "width", def.width),
  MJCF_END
};

static const mjcf_attr skin_attrs[] = {
  MJCF_ONEOF(composite_skin, "texcoord", texcoord, mjcf_bool),
  MJCF_STRING(composite_skin, "material", def.material),
  MJCF_INT1(composite_skin, "group", def.group),
  MJCF_REALN(composite_skin, "rgba", def.rgba, 4, 4),
  MJCF_REAL1(composite_skin, "inflate", def.inflate),
  MJCF_INT1(composite_skin, "subgrid", subgrid),
  MJCF_END
};

static const mjcf_attr geom_attrs[] = {
  MJCF_ONEOF(sn_geom_def, "type", type, mjcf_geom_types),
  MJCF_INT1(sn_geom_def, "contype", contype),
  MJCF_INT1(sn_geom_def, "conaffinity", conaffinity),
  MJCF_INT1(sn_geom_def, "condim", condim),
  MJCF_INT1(sn_geom_def, "group", group),
  MJCF_INT1(sn_geom_def, "priority", priority),
  MJCF_REALN(sn_geom_def, "size", size, 1, 3),
  MJCF_STRING(sn_geom_def, "material", material),
  MJCF_REALN(sn_geom_def, "rgba", rgba, 4, 4),
  MJCF_REALN(sn_geom_def, "friction", friction, 1, 3),
  MJCF_REAL1(sn_geom_def, "mass", mass),
  MJCF_REAL1(sn_geom_def, "density", density),
  MJCF_REAL1(sn_geom_def, "solmix", solmix),
  MJCF_REALN(sn_geom_def, "solref", solref, 1, 2),
  MJCF_REALN(sn_geom_def, "solimp", solimp, 1, 5),
  MJCF_REAL1(sn_geom_def, "margin", margin),
  MJCF_REAL1(sn_geom_def, "gap", gap),
  MJCF_REAL1(sn_geom_def, "restitution", restitution),
  MJCF_REAL1(sn_geom_def, "speculative", speculative),
  MJCF_END
};

static const mjcf_attr site_attrs[] = {
  MJCF_INT1(sn_site_def, "group", group),
  MJCF_REALN(sn_site_def, "size", size, 1, 3),
  MJCF_STRING(sn_site_def, "material", material),
  MJCF_REALN(sn_site_def, "rgba", rgba, 4, 4),
  MJCF_END
};

static const mjcf_attr pin_attrs[] = {
  { .name = "coord", .type = MJCF_INT, MJCF_AT(composite_pin, coord), .min = 1, .max = 2,
    .required = 1 },
  MJCF_END
};

typedef struct composite_plugin {
  const char *plugin, *instance;
} composite_plugin;

static const mjcf_attr plugin_attrs[] = {
  MJCF_STRING(composite_plugin, "plugin", plugin),
  MJCF_STRING(composite_plugin, "instance", instance),
  MJCF_END
};

const mjcf_element mjcf_composite_children[] = {
  { .name = "joint", .attrs = { joint_attrs }, .count = '*',
    .read = mjcf_read_composite_joint },
  { .name = "tendon", .attrs = { tendon_attrs }, .count = '*',
    .read = mjcf_read_composite_tendon },
  { .name = "skin", .attrs = { skin_attrs }, .count = '?', .read = mjcf_read_composite_part,
    .target = offsetof(mjcf_composite, skin) },
  { .name = "geom", .attrs = { geom_attrs }, .count = '?', .read = mjcf_read_composite_part,
    .target = offsetof(mjcf_composite, geom) },
  { .name = "site", .attrs = { site_attrs }, .count = '?', .read = mjcf_read_composite_part,
    .target = offsetof(mjcf_composite, site) },
  { .name = "pin", .attrs = { pin_attrs }, .count = '*', .read = mjcf_read_composite_pin },
  { .name = "plugin", .attrs = { plugin_attrs }, .children = mjcf_config_children, .count = '*',
    .read = mjcf_read_composite_plugin },
  MJCF_END
};
