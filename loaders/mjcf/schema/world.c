// SPDX-License-Identifier: Apache-2.0
//
// The schema: what is inside of bodies.

#include "mjcf/composite/composite.h"
#include "mjcf/schema/schema.h"

// clang-format off

const xml_word mjcf_geom_types[] = {
  { "plane", SN_GEOM_PLANE, 0 }, { "hfield", SN_GEOM_HFIELD, 0 }, { "sphere", SN_GEOM_SPHERE, 0 },
  { "capsule", SN_GEOM_CAPSULE, 0 }, { "ellipsoid", SN_GEOM_ELLIPSOID, 0 },
  { "cylinder", SN_GEOM_CYLINDER, 0 }, { "box", SN_GEOM_BOX, 0 }, { "mesh", SN_GEOM_MESH, 0 },
  { "user", SN_GEOM_USER, 0 }, { NULL, 0, 0 }
};
static const xml_word joint_types[] = {
  { "free", SN_JOINT_FREE, 0 }, { "ball", SN_JOINT_BALL, 0 }, { "slide", SN_JOINT_SLIDE, 0 },
  { "hinge", SN_JOINT_HINGE, 0 }, { NULL, 0, 0 }
};
static const xml_word tracking[] = {
  { "fixed", SN_TRACK_FIXED, 0 }, { "track", SN_TRACK_TRACK, 0 },
  { "trackcom", SN_TRACK_TRACKCOM, 0 }, { "targetbody", SN_TRACK_TARGETBODY, 0 },
  { "targetbodycom", SN_TRACK_TARGETBODYCOM, 0 }, { NULL, 0, 0 }
};
static const xml_word sleep_policies[] = {
  { "auto", SN_SLEEP_AUTO, 0 }, { "never", SN_SLEEP_NEVER, 0 },
  { "allowed", SN_SLEEP_ALLOWED, 0 }, { "init", SN_SLEEP_INIT, 0 }, { NULL, 0, 0 }
};
static const xml_word fluid_shapes[] = { { "none", 0, 0 }, { "ellipsoid", 1, 0 }, { NULL, 0, 0 } };

// ------------------------------------------------------------------ bodies

static const mjcf_attr body_attrs[] = {
  MJCF_STRING(mjcf_body, "name", def.name),
  MJCF_STRING(mjcf_body, "childclass", childclass),
  MJCF_REALN(mjcf_body, "pos", def.pos, 3, 3),
  MJCF_ORIENT(mjcf_body, def.orient),
  MJCF_ONEOF(mjcf_body, "mocap", def.mocap, mjcf_bool),
  MJCF_REAL1(mjcf_body, "gravcomp", def.gravcomp),
  MJCF_ONEOF(mjcf_body, "sleep", def.sleep, sleep_policies),
  MJCF_LIST(mjcf_body, "user", def.user),
  MJCF_END
};

static const mjcf_attr inertial_attrs[] = {
  { .name = "pos", .type = MJCF_REAL, MJCF_AT(sn_body_def, ipos), .min = 3, .max = 3,
    .required = 1 },
  MJCF_ORIENT(sn_body_def, iorient),
  { .name = "mass", .type = MJCF_REAL, MJCF_AT(sn_body_def, mass), .min = 1, .max = 1,
    .required = 1 },
  MJCF_REALN(sn_body_def, "diaginertia", diaginertia, 3, 3),
  MJCF_REALN(sn_body_def, "fullinertia", fullinertia, 6, 6),
  MJCF_END
};

// ------------------------------------------------------------------ joints

static const mjcf_attr joint_names[] = {
  MJCF_STRING(sn_joint_def, "name", name),
  MJCF_IN_CLASS,
  MJCF_END
};

const mjcf_attr mjcf_joint_attrs[] = {
  MJCF_ONEOF(sn_joint_def, "type", type, joint_types),
  MJCF_INT1(sn_joint_def, "group", group),
  MJCF_REALN(sn_joint_def, "pos", pos, 3, 3),
  MJCF_REALN(sn_joint_def, "axis", axis, 3, 3),
  MJCF_REALN(sn_joint_def, "springdamper", springdamper, 2, 2),
  MJCF_ONEOF(sn_joint_def, "limited", limited, mjcf_limited),
  MJCF_REALN(sn_joint_def, "solreflimit", solref_limit, 1, 2),
  MJCF_REALN(sn_joint_def, "solimplimit", solimp_limit, 1, 5),
  MJCF_REALN(sn_joint_def, "solreffriction", solref_friction, 1, 2),
  MJCF_REALN(sn_joint_def, "solimpfriction", solimp_friction, 1, 5),
  MJCF_REAL1(sn_joint_def, "stiffness", stiffness),
  MJCF_REALN(sn_joint_def, "range", range, 2, 2),
  MJCF_ONEOF(sn_joint_def, "actuatorfrclimited", actfrclimited, mjcf_limited),
  MJCF_REALN(sn_joint_def, "actuatorfrcrange", actfrcrange, 2, 2),
  MJCF_ONEOF(sn_joint_def, "actuatorgravcomp", actgravcomp, mjcf_bool),
  MJCF_REAL1(sn_joint_def, "margin", margin),
  MJCF_REAL1(sn_joint_def, "ref", ref),
  MJCF_REAL1(sn_joint_def, "springref", springref),
  MJCF_REAL1(sn_joint_def, "armature", armature),
  MJCF_REAL1(sn_joint_def, "damping", damping),
  MJCF_REAL1(sn_joint_def, "frictionloss", frictionloss),
  MJCF_LIST(sn_joint_def, "user", user),
  // Sinew's own: a number for each degree of freedom
  MJCF_REALN(sn_joint_def, "dof_stiffness", dof_stiffness, 1, 6),
  MJCF_REALN(sn_joint_def, "dof_damping", dof_damping, 1, 6),
  MJCF_REALN(sn_joint_def, "dof_armature", dof_armature, 1, 6),
  MJCF_REALN(sn_joint_def, "dof_frictionloss", dof_frictionloss, 1, 6),
  MJCF_REALN(sn_joint_def, "springquat", springquat, 4, 4),
  MJCF_END
};

static const mjcf_attr freejoint_attrs[] = {
  MJCF_STRING(sn_joint_def, "name", name),
  MJCF_INT1(sn_joint_def, "group", group),
  MJCF_END
};

// ------------------------------------------------------------------ geoms, sites

static const mjcf_attr geom_names[] = {
  MJCF_STRING(sn_geom_def, "name", name),
  MJCF_IN_CLASS,
  MJCF_END
};

const mjcf_attr mjcf_geom_attrs[] = {
  MJCF_ONEOF(sn_geom_def, "type", type, mjcf_geom_types),
  MJCF_REALN(sn_geom_def, "pos", pos, 3, 3),
  MJCF_ORIENT(sn_geom_def, orient),
  MJCF_INT1(sn_geom_def, "contype", contype),
  MJCF_INT1(sn_geom_def, "conaffinity", conaffinity),
  MJCF_INT1(sn_geom_def, "condim", condim),
  MJCF_INT1(sn_geom_def, "group", group),
  MJCF_INT1(sn_geom_def, "priority", priority),
  MJCF_REALN(sn_geom_def, "size", size, 1, 3),
  MJCF_STRING(sn_geom_def, "material", material),
  MJCF_REALN(sn_geom_def, "friction", friction, 1, 3),
  MJCF_REAL1(sn_geom_def, "mass", mass),
  MJCF_REAL1(sn_geom_def, "density", density),
  MJCF_ONEOF(sn_geom_def, "shellinertia", shellinertia, mjcf_bool),
  MJCF_REAL1(sn_geom_def, "solmix", solmix),
  MJCF_REALN(sn_geom_def, "solref", solref, 1, 2),
  MJCF_REALN(sn_geom_def, "solimp", solimp, 1, 5),
  MJCF_REAL1(sn_geom_def, "margin", margin),
  MJCF_REAL1(sn_geom_def, "gap", gap),
  MJCF_REAL1(sn_geom_def, "restitution", restitution),
  MJCF_REAL1(sn_geom_def, "speculative", speculative),
  MJCF_REALN(sn_geom_def, "fromto", fromto, 6, 6),
  MJCF_STRING(sn_geom_def, "hfield", hfield),
  MJCF_STRING(sn_geom_def, "mesh", mesh),
  MJCF_REAL1(sn_geom_def, "fitscale", fitscale),
  MJCF_REALN(sn_geom_def, "rgba", rgba, 4, 4),
  MJCF_ONEOF(sn_geom_def, "fluidshape", fluid, fluid_shapes),
  MJCF_REALN(sn_geom_def, "fluidcoef", fluidcoef, 1, 5),
  MJCF_LIST(sn_geom_def, "user", user),
  // Sinew's own: a shape of a plugin, with type="user"
  MJCF_STRING(sn_geom_def, "shape", shape),
  MJCF_END
};

static const mjcf_attr site_names[] = {
  MJCF_STRING(sn_site_def, "name", name),
  MJCF_IN_CLASS,
  MJCF_END
};

const mjcf_attr mjcf_site_attrs[] = {
  MJCF_ONEOF(sn_site_def, "type", type, mjcf_geom_types),
  MJCF_INT1(sn_site_def, "group", group),
  MJCF_REALN(sn_site_def, "pos", pos, 3, 3),
  MJCF_ORIENT(sn_site_def, orient),
  MJCF_STRING(sn_site_def, "material", material),
  MJCF_REALN(sn_site_def, "size", size, 1, 3),
  MJCF_REALN(sn_site_def, "fromto", fromto, 6, 6),
  MJCF_REALN(sn_site_def, "rgba", rgba, 4, 4),
  MJCF_LIST(sn_site_def, "user", user),
  MJCF_END
};

// ------------------------------------------------------------------ cameras, lights

#define LENS "it only affects viewers; cameras have a pose, a vertical field of view and ipd"
static const mjcf_attr camera_names[] = {
  MJCF_STRING(mjcf_camera, "name", def.name),
  MJCF_IN_CLASS,
  MJCF_STRING(mjcf_camera, "target", def.target),
  MJCF_END
};

const mjcf_attr mjcf_camera_attrs[] = {
  MJCF_REAL1(mjcf_camera, "fovy", def.fovy),
  MJCF_REAL1(mjcf_camera, "ipd", def.ipd),
  MJCF_REALN(mjcf_camera, "pos", def.pos, 3, 3),
  MJCF_ORIENT(mjcf_camera, def.orient),
  MJCF_ONEOF(mjcf_camera, "mode", def.mode, tracking),
  MJCF_LIST(mjcf_camera, "user", def.user),
  MJCF_REALN(mjcf_camera, "resolution", resolution, 2, 2),
  MJCF_REALN(mjcf_camera, "sensorsize", sensorsize, 2, 2),
  MJCF_REALN(mjcf_camera, "focal", focal, 2, 2),
  MJCF_REALN(mjcf_camera, "focalpixel", focalpixel, 2, 2),
  MJCF_NO_EFFECT("principal", LENS),
  MJCF_NO_EFFECT("principalpixel", LENS),
  MJCF_NO_EFFECT("orthographic", LENS),
  MJCF_NO_EFFECT("projection", LENS),
  MJCF_NO_EFFECT("output", LENS),
  MJCF_END
};

// what is no spot and at no infinity is a spot, the default
static const xml_word light_types[] = { { "spot", 0, 0 }, { "directional", 1, 0 },
                                        { "point", 0, 1 }, { "image", 0, 1 }, { NULL, 0, 0 } };
#define LAMP "it only affects viewers; lights do not support it"
static const mjcf_attr light_names[] = {
  MJCF_STRING(sn_light_def, "name", name),
  MJCF_IN_CLASS,
  MJCF_STRING(sn_light_def, "target", target),
  MJCF_END
};

const mjcf_attr mjcf_light_attrs[] = {
  MJCF_REALN(sn_light_def, "pos", pos, 3, 3),
  MJCF_REALN(sn_light_def, "dir", dir, 3, 3),
  MJCF_ONEOF(sn_light_def, "directional", directional, mjcf_bool),
  { .name = "type", .type = MJCF_WORD, MJCF_AT(sn_light_def, directional), .words = light_types,
    .alias = 1, .why = "lights are spot or directional lights" },
  MJCF_ONEOF(sn_light_def, "castshadow", castshadow, mjcf_bool),
  MJCF_ONEOF(sn_light_def, "active", active, mjcf_bool),
  MJCF_REALN(sn_light_def, "attenuation", attenuation, 3, 3),
  MJCF_REAL1(sn_light_def, "cutoff", cutoff),
  MJCF_REAL1(sn_light_def, "exponent", exponent),
  MJCF_REALN(sn_light_def, "ambient", ambient, 3, 3),
  MJCF_REALN(sn_light_def, "diffuse", diffuse, 3, 3),
  MJCF_REALN(sn_light_def, "specular", specular, 3, 3),
  MJCF_ONEOF(sn_light_def, "mode", mode, tracking),
  MJCF_NO_EFFECT("texture", LAMP),
  MJCF_NO_EFFECT("intensity", LAMP),
  MJCF_NO_EFFECT("range", LAMP),
  MJCF_NO_EFFECT("bulbradius", LAMP),
  MJCF_END
};

// ------------------------------------------------------------------ frames

static const mjcf_attr frame_attrs[] = {
  MJCF_STRING(mjcf_frame_def, "name", name),
  MJCF_STRING(mjcf_frame_def, "childclass", childclass),
  MJCF_REALN(mjcf_frame_def, "pos", pos, 3, 3),
  MJCF_ORIENT(mjcf_frame_def, orient),
  MJCF_END
};

static const mjcf_attr replicate_attrs[] = {
  { .name = "count", .type = MJCF_INT, MJCF_AT(mjcf_replicate_def, count), .min = 1, .max = 1,
    .required = 1 },
  MJCF_REALN(mjcf_replicate_def, "offset", offset, 3, 3),
  MJCF_REALN(mjcf_replicate_def, "euler", orient.euler, 3, 3),
  MJCF_STRING(mjcf_replicate_def, "sep", sep),
  MJCF_END
};

// ------------------------------------------------------------------ inside of a body

static const mjcf_attr attach_attrs[] = {
  MJCF_NAMED(mjcf_attach_def, "model", model),
  MJCF_STRING(mjcf_attach_def, "body", body),
  MJCF_STRING(mjcf_attach_def, "prefix", prefix),   // required, and may be empty
  MJCF_END
};

const mjcf_element mjcf_body_children[] = {
  { .name = "inertial", .attrs = { inertial_attrs }, .count = '?', .read = mjcf_read_inertial,
    .orient = offsetof(sn_body_def, iorient) },
  { .name = "joint", .attrs = { joint_names, mjcf_joint_attrs }, .count = '*',
    .read = mjcf_read_joint },
  { .name = "freejoint", .attrs = { freejoint_attrs }, .count = '*',
    .read = mjcf_read_freejoint },
  { .name = "geom", .attrs = { geom_names, mjcf_geom_attrs }, .count = '*',
    .children = mjcf_config_children, .read = mjcf_read_geom,
    .orient = offsetof(sn_geom_def, orient) },
  { .name = "site", .attrs = { site_names, mjcf_site_attrs }, .count = '*',
    .read = mjcf_read_site, .orient = offsetof(sn_site_def, orient) },
  { .name = "camera", .attrs = { camera_names, mjcf_camera_attrs }, .count = '*',
    .read = mjcf_read_camera, .orient = offsetof(mjcf_camera, def.orient) },
  { .name = "light", .attrs = { light_names, mjcf_light_attrs }, .count = '*',
    .read = mjcf_read_light },
  { .name = "attach", .attrs = { attach_attrs }, .count = '*', .read = mjcf_read_attach },
  { .name = "composite", .attrs = { mjcf_composite_attrs }, .children = mjcf_composite_children,
    .count = '*', .read = mjcf_read_composite },
  { .name = "body", .attrs = { body_attrs }, .children = mjcf_body_children, .count = 'R',
    .read = mjcf_read_body, .orient = offsetof(mjcf_body, def.orient) },
  { .name = "frame", .attrs = { frame_attrs }, .children = mjcf_body_children, .count = 'R',
    .read = mjcf_read_frame, .orient = offsetof(mjcf_frame_def, orient) },
  { .name = "replicate", .attrs = { replicate_attrs }, .children = mjcf_body_children, .count = 'R',
    .read = mjcf_read_frame },   // replaced by frames before anything is read
  MJCF_END
};
