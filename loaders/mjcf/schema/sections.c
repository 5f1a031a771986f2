// SPDX-License-Identifier: Apache-2.0
//
// The schema: settings, classes, relations, custom data, keyframes, and the root.

#include "mjcf/composite/composite.h"
#include "mjcf/schema/schema.h"

// clang-format off

// ------------------------------------------------------------------ words

static const xml_word coordinates[] = { { "local", 0, 0 }, { "global", 1, 0 }, { NULL, 0, 0 } };
static const xml_word angles[] = { { "radian", 0, 0 }, { "degree", 1, 0 }, { NULL, 0, 0 } };
static const xml_word range_modes[] = { { "none", SN_LENGTHRANGE_NONE, 0 },
                                        { "muscle", SN_LENGTHRANGE_MUSCLE, 0 },
                                        { "muscleuser", SN_LENGTHRANGE_MUSCLEUSER, 0 },
                                        { "all", SN_LENGTHRANGE_ALL, 0 },
                                        { NULL, 0, 0 } };
static const xml_word collisions[] = { { "all", SN_COLLISION_ALL, 0 },
                                       { "predefined", SN_COLLISION_PAIR, 0 },
                                       { "dynamic", SN_COLLISION_DYNAMIC, 0 }, { NULL, 0, 0 } };
static const xml_word cones[] = { { "pyramidal", SN_CONE_PYRAMIDAL, 2 },
                                  { "elliptic", SN_CONE_ELLIPTIC, 0 }, { NULL, 0, 0 } };
static const xml_word jacobians[] = { { "dense", SN_JACOBIAN_DENSE, 0 },
                                      { "sparse", SN_JACOBIAN_SPARSE, 0 },
                                      { "auto", SN_JACOBIAN_AUTO, 0 }, { NULL, 0, 0 } };
static const xml_word inertias[] = { { "auto", SN_INERTIA_AUTO, 0 },
                                     { "matrix", SN_INERTIA_MATRIX, 0 },
                                     { "recursive", SN_INERTIA_RECURSIVE, 0 }, { NULL, 0, 0 } };
// the documented words, and the plugins that they mean; the name of any other plugin is a word too
static const xml_word solvers[] = { { "PGS", 0, 0 }, { "CG", 1, 0 }, { "Newton", 2, 0 },
                                    { NULL, 0, 0 } };
static const char *const solver_names[] = { "pgs", "cg", "newton" };
static const xml_word integrators[] = { { "Euler", 0, 0 }, { "RK4", 1, 0 }, { "implicit", 2, 0 },
                                        { "implicitfast", 3, 0 }, { NULL, 0, 0 } };
static const char *const integrator_names[] = { "euler", "rk4", "implicit", "implicitfast" };
static const xml_word disables[] = { { "enable", 0, 0 }, { "disable", 1, 0 }, { NULL, 0, 0 } };
static const xml_word enables[] = { { "disable", 0, 0 }, { "enable", 1, 0 }, { NULL, 0, 0 } };
static const xml_word kinds[] = { { "body", 0, 0 }, { "xbody", 0, 0 }, { "joint", 0, 0 },
  { "dof", 0, 0 }, { "geom", 0, 0 }, { "site", 0, 0 }, { "camera", 0, 0 }, { "light", 0, 0 },
  { "mesh", 0, 0 }, { "skin", 0, 0 }, { "hfield", 0, 0 }, { "texture", 0, 0 },
  { "material", 0, 0 }, { "pair", 0, 0 }, { "exclude", 0, 0 }, { "equality", 0, 0 },
  { "tendon", 0, 0 }, { "actuator", 0, 0 }, { "sensor", 0, 0 }, { "numeric", 0, 0 },
  { "text", 0, 0 }, { "tuple", 0, 0 }, { "key", 0, 0 }, { NULL, 0, 0 } };

// ------------------------------------------------------------------ settings

_Static_assert(offsetof(sn_compiler, inertiagroup_max) ==
               offsetof(sn_compiler, inertiagroup_min) + sizeof(int64_t), "one range");

static const mjcf_attr compiler_attrs[] = {
  MJCF_ONEOF(mjcf_settings, "autolimits", compiler.autolimits, mjcf_bool),
  MJCF_REAL1(mjcf_settings, "boundmass", compiler.boundmass),
  MJCF_REAL1(mjcf_settings, "boundinertia", compiler.boundinertia),
  MJCF_REAL1(mjcf_settings, "settotalmass", compiler.settotalmass),
  MJCF_ONEOF(mjcf_settings, "balanceinertia", compiler.balanceinertia, mjcf_bool),
  MJCF_ONEOF(mjcf_settings, "strippath", compiler.strippath, mjcf_bool),
  MJCF_ONEOF(mjcf_settings, "coordinate", compiler.global, coordinates),
  MJCF_ONEOF(mjcf_settings, "angle", compiler.degree, angles),
  MJCF_ONEOF(mjcf_settings, "fitaabb", compiler.fitaabb, mjcf_bool),
  { .name = "eulerseq", .type = MJCF_BUFFER, MJCF_AT(mjcf_settings, compiler.eulerseq) },
  MJCF_STRING(mjcf_settings, "meshdir", meshdir),
  MJCF_STRING(mjcf_settings, "texturedir", texturedir),
  MJCF_STRING(mjcf_settings, "assetdir", assetdir),
  MJCF_NO_EFFECT("saveinertial", "saved files contain inertia where the model specified it"),
  MJCF_ONEOF(mjcf_settings, "discardvisual", compiler.discardvisual, mjcf_bool),
  MJCF_ONEOF(mjcf_settings, "convexhull", compiler.convexhull, mjcf_bool),
  MJCF_ONEOF(mjcf_settings, "usethread", compiler.usethread, mjcf_bool),
  MJCF_ONEOF(mjcf_settings, "fusestatic", compiler.fusestatic, mjcf_bool),
  MJCF_ONEOF(mjcf_settings, "inertiafromgeom", compiler.inertiafromgeom, mjcf_limited),
  { .name = "inertiagrouprange", .type = MJCF_INT, .min = 2, .max = 2,
    .offset = offsetof(mjcf_settings, compiler.inertiagroup_min), .bytes = 2 * sizeof(int64_t) },
  MJCF_ONEOF(mjcf_settings, "exactmeshinertia", compiler.exactmeshinertia, mjcf_bool),
  MJCF_END
};

static const mjcf_attr lengthrange_attrs[] = {
  MJCF_ONEOF(mjcf_settings, "mode", compiler.lr_mode, range_modes),
  MJCF_ONEOF(mjcf_settings, "useexisting", compiler.lr_useexisting, mjcf_bool),
  MJCF_ONEOF(mjcf_settings, "uselimit", compiler.lr_uselimit, mjcf_bool),
  MJCF_REAL1(mjcf_settings, "accel", compiler.lr_accel),
  MJCF_REAL1(mjcf_settings, "maxforce", compiler.lr_maxforce),
  MJCF_REAL1(mjcf_settings, "timeconst", compiler.lr_timeconst),
  MJCF_REAL1(mjcf_settings, "timestep", compiler.lr_timestep),
  MJCF_REAL1(mjcf_settings, "inttotal", compiler.lr_inttotal),
  MJCF_REAL1(mjcf_settings, "inteval", compiler.lr_inteval),
  MJCF_REAL1(mjcf_settings, "tolrange", compiler.lr_tolrange),
  MJCF_END
};

#define LINE_SEARCH "line searches are exact; [plugin.newton] of the configuration bounds them"
static const mjcf_attr option_attrs[] = {
  MJCF_REAL1(mjcf_settings, "timestep", option.timestep),
  MJCF_REAL1(mjcf_settings, "apirate", option.apirate),
  MJCF_REAL1(mjcf_settings, "impratio", option.impratio),
  MJCF_REAL1(mjcf_settings, "tolerance", option.tolerance),
  MJCF_REAL1(mjcf_settings, "noslip_tolerance", option.noslip_tolerance),
  MJCF_REAL1(mjcf_settings, "mpr_tolerance", option.mpr_tolerance),
  MJCF_REALN(mjcf_settings, "gravity", option.gravity, 3, 3),
  MJCF_REALN(mjcf_settings, "wind", option.wind, 3, 3),
  MJCF_REALN(mjcf_settings, "magnetic", option.magnetic, 3, 3),
  MJCF_REAL1(mjcf_settings, "density", option.density),
  MJCF_REAL1(mjcf_settings, "viscosity", option.viscosity),
  MJCF_REAL1(mjcf_settings, "o_margin", option.o_margin),
  MJCF_REALN(mjcf_settings, "o_solref", option.o_solref, 1, 2),
  MJCF_REALN(mjcf_settings, "o_solimp", option.o_solimp, 1, 5),
  { .name = "integrator", .type = MJCF_BUFFER, MJCF_AT(mjcf_settings, option.integrator),
    .words = integrators, .names = integrator_names },
  MJCF_ONEOF(mjcf_settings, "collision", option.collision, collisions),
  { .name = "cone", .type = MJCF_WORD, MJCF_AT(mjcf_settings, option.cone), .words = cones,
    .why = "friction is up to 29 % weaker between the two tangents; set cone to elliptic for the "
           "same friction in all directions" },
  MJCF_ONEOF(mjcf_settings, "jacobian", option.jacobian, jacobians),
  { .name = "solver", .type = MJCF_BUFFER, MJCF_AT(mjcf_settings, option.solver),
    .words = solvers, .names = solver_names },
  MJCF_INT1(mjcf_settings, "iterations", option.iterations),
  MJCF_INT1(mjcf_settings, "noslip_iterations", option.noslip_iterations),
  MJCF_INT1(mjcf_settings, "mpr_iterations", option.mpr_iterations),
  { .name = "actuatorgroupdisable", .type = MJCF_BITS,
    MJCF_AT(mjcf_settings, option.disableactuator), .max = SN_NDISABLEGROUPS },
  MJCF_INT1(mjcf_settings, "noise_seed", option.noise_seed),
  MJCF_REAL1(mjcf_settings, "bouncespeed", option.bouncespeed),
  MJCF_REAL1(mjcf_settings, "sleep_tolerance", option.sleep_tolerance),
  MJCF_ONEOF(mjcf_settings, "inertia", option.inertia, inertias),
  { .name = "ccd_iterations", .type = MJCF_INT, MJCF_AT(mjcf_settings, option.mpr_iterations),
    .min = 1, .max = 1, .alias = 1 },
  { .name = "ccd_tolerance", .type = MJCF_REAL, MJCF_AT(mjcf_settings, option.mpr_tolerance),
    .min = 1, .max = 1, .alias = 1 },
  MJCF_NO_EFFECT("ls_iterations", LINE_SEARCH),
  MJCF_NO_EFFECT("ls_tolerance", LINE_SEARCH),
  MJCF_NO_EFFECT("sdf_iterations", "signed distance fields are not supported"),
  MJCF_NO_EFFECT("sdf_initpoints", "signed distance fields are not supported"),
  MJCF_END
};

#define DISABLE(n, mask)                                                                       \
  { .name = n, .type = MJCF_BIT, MJCF_AT(mjcf_settings, option.disableflags),                  \
    .words = disables, .bit = mask }
#define ENABLE(n, mask)                                                                        \
  { .name = n, .type = MJCF_BIT, MJCF_AT(mjcf_settings, option.enableflags),                   \
    .words = enables, .bit = mask }

static const mjcf_attr flag_attrs[] = {
  DISABLE("constraint", SN_DISABLE_CONSTRAINT), DISABLE("equality", SN_DISABLE_EQUALITY),
  DISABLE("frictionloss", SN_DISABLE_FRICTIONLOSS), DISABLE("limit", SN_DISABLE_LIMIT),
  DISABLE("contact", SN_DISABLE_CONTACT), DISABLE("passive", SN_DISABLE_PASSIVE),
  DISABLE("gravity", SN_DISABLE_GRAVITY), DISABLE("clampctrl", SN_DISABLE_CLAMPCTRL),
  DISABLE("warmstart", SN_DISABLE_WARMSTART), DISABLE("filterparent", SN_DISABLE_FILTERPARENT),
  DISABLE("actuation", SN_DISABLE_ACTUATION), DISABLE("refsafe", SN_DISABLE_REFSAFE),
  DISABLE("sensor", SN_DISABLE_SENSOR), ENABLE("override", SN_ENABLE_OVERRIDE),
  ENABLE("energy", SN_ENABLE_ENERGY), ENABLE("fwdinv", SN_ENABLE_FWDINV),
  ENABLE("sensornoise", SN_ENABLE_SENSORNOISE), ENABLE("multiccd", SN_ENABLE_MULTICCD),
  ENABLE("exactequality", SN_ENABLE_EXACTEQUALITY), ENABLE("sleep", SN_ENABLE_SLEEP),
  DISABLE("eulerdamp", SN_DISABLE_EULERDAMP),
  MJCF_NO_EFFECT("midphase", "the collision plugins choose how pairs are found"),
  MJCF_NO_EFFECT("nativeccd", "the configuration chooses colliders, section [collision]"),
  MJCF_NO_EFFECT("island", "the constraint solver finds its islands itself"),
  MJCF_END
};

// these three are the tables of options.h
#define ROW_REAL(n, count, ...)                                                                \
  { .name = #n, .type = MJCF_REAL, .min = count, .max = count,                                 \
    .offset = offsetof(ROWS_OF, n), .bytes = count * sizeof(double) },
#define ROW_INT(n, value)                                                                      \
  { .name = #n, .type = MJCF_INT, .min = 1, .max = 1,                                          \
    .offset = offsetof(ROWS_OF, n), .bytes = sizeof(int64_t) },
#define ROW_TEXT(n, value)

#define ROWS_OF sn_size_hint
static const mjcf_attr size_attrs[] = { SN_SIZE_HINTS(ROW_REAL, ROW_INT, ROW_TEXT) MJCF_END };
// it is beside the struct that the others go to
static const mjcf_attr memory_attrs[] = {
  { .name = "memory", .type = MJCF_TEXT, .bytes = sizeof(const char *),
    .offset = offsetof(mjcf_settings, memory) - offsetof(mjcf_settings, size_hint) },
  MJCF_END
};
#undef ROWS_OF
#define ROWS_OF sn_statistic
static const mjcf_attr statistic_attrs[] = { SN_STATISTICS(ROW_REAL, ROW_INT, ROW_TEXT) MJCF_END };
#undef ROWS_OF
#define ROWS_OF sn_visual
#define VIEWER "it only affects viewers; the visual settings do not support it"
static const mjcf_attr visual_attrs[] = {
  SN_VISUAL(ROW_REAL, ROW_INT, ROW_TEXT)
  MJCF_NO_EFFECT("global_orthographic", VIEWER),
  MJCF_NO_EFFECT("global_cameraid", VIEWER),
  MJCF_NO_EFFECT("global_bvactive", VIEWER),
  MJCF_NO_EFFECT("global_ellipsoidinertia", VIEWER),
  MJCF_END
};
#undef ROWS_OF

#define VISUAL(n, reader)                                                                      \
  { .name = #n, .prefix = #n "_", .attrs = { visual_attrs }, .count = '?',                \
    .read = reader, .target = offsetof(mjcf_settings, visual) }

static const mjcf_element visual_children[] = {
  VISUAL(global, mjcf_read_setting), VISUAL(quality, mjcf_read_setting),
  VISUAL(headlight, mjcf_read_setting), VISUAL(map, mjcf_read_view),
  VISUAL(scale, mjcf_read_setting), VISUAL(rgba, mjcf_read_setting),
  MJCF_END
};

static const mjcf_element compiler_children[] = {
  { .name = "lengthrange", .attrs = { lengthrange_attrs }, .count = '?',
    .read = mjcf_read_setting },
  MJCF_END
};

static const mjcf_element option_children[] = {
  { .name = "flag", .attrs = { flag_attrs }, .count = '?', .read = mjcf_read_setting },
  MJCF_END
};

// ------------------------------------------------------------------ contact and equality

static const mjcf_attr pair_names[] = {
  MJCF_STRING(sn_pair_def, "name", name),
  MJCF_IN_CLASS,
  MJCF_NAMED(sn_pair_def, "geom1", geom1),
  MJCF_NAMED(sn_pair_def, "geom2", geom2),
  MJCF_END
};

const mjcf_attr mjcf_pair_attrs[] = {
  MJCF_INT1(sn_pair_def, "condim", condim),
  MJCF_REALN(sn_pair_def, "friction", friction, 1, 5),
  MJCF_REALN(sn_pair_def, "solref", solref, 1, 2),
  MJCF_REALN(sn_pair_def, "solimp", solimp, 1, 5),
  MJCF_REAL1(sn_pair_def, "gap", gap),
  MJCF_REAL1(sn_pair_def, "restitution", restitution),
  MJCF_REAL1(sn_pair_def, "margin", margin),
  MJCF_END
};

static const mjcf_attr exclude_attrs[] = {
  MJCF_STRING(sn_exclude_def, "name", name),
  MJCF_NAMED(sn_exclude_def, "body1", body1),
  MJCF_NAMED(sn_exclude_def, "body2", body2),
  MJCF_END
};

static const mjcf_element contact_children[] = {
  { .name = "pair", .attrs = { pair_names, mjcf_pair_attrs }, .count = '*',
    .read = mjcf_read_pair },
  { .name = "exclude", .attrs = { exclude_attrs }, .count = '*', .read = mjcf_read_exclude },
  MJCF_END
};

const mjcf_attr mjcf_equality_attrs[] = {
  MJCF_ONEOF(sn_equality_def, "active", active, mjcf_bool),
  MJCF_ONEOF(sn_equality_def, "exact", exact, mjcf_bool),
  MJCF_REALN(sn_equality_def, "solref", solref, 1, 2),
  MJCF_REALN(sn_equality_def, "solimp", solimp, 1, 5),
  MJCF_END
};

#define EQUALITY_NAMES MJCF_STRING(sn_equality_def, "name", name), MJCF_IN_CLASS

static const mjcf_attr connect_attrs[] = {
  EQUALITY_NAMES,
  MJCF_STRING(mjcf_equality, "body1", def.obj1),
  MJCF_STRING(mjcf_equality, "body2", def.obj2),
  MJCF_REALN(mjcf_equality, "anchor", def.anchor, 3, 3),
  MJCF_STRING(mjcf_equality, "site1", site1),
  MJCF_STRING(mjcf_equality, "site2", site2),
  MJCF_END
};

static const mjcf_attr weld_attrs[] = {
  EQUALITY_NAMES,
  MJCF_STRING(mjcf_equality, "body1", def.obj1),
  MJCF_STRING(mjcf_equality, "body2", def.obj2),
  MJCF_REALN(mjcf_equality, "relpose", def.relpose, 7, 7),
  MJCF_REALN(mjcf_equality, "anchor", def.anchor, 3, 3),
  MJCF_STRING(mjcf_equality, "site1", site1),
  MJCF_STRING(mjcf_equality, "site2", site2),
  MJCF_REAL1(sn_equality_def, "torquescale", torquescale),
  MJCF_END
};

static const mjcf_attr joint_equality_attrs[] = {
  EQUALITY_NAMES,
  MJCF_NAMED(sn_equality_def, "joint1", obj1),
  MJCF_STRING(sn_equality_def, "joint2", obj2),
  MJCF_REALN(sn_equality_def, "polycoef", polycoef, 5, 5),
  MJCF_END
};

static const mjcf_attr tendon_equality_attrs[] = {
  EQUALITY_NAMES,
  MJCF_NAMED(sn_equality_def, "tendon1", obj1),
  MJCF_STRING(sn_equality_def, "tendon2", obj2),
  MJCF_REALN(sn_equality_def, "polycoef", polycoef, 5, 5),
  MJCF_END
};

static const mjcf_attr plugin_equality_attrs[] = {
  EQUALITY_NAMES,
  MJCF_NAMED(sn_equality_def, "type", plugin),
  MJCF_END
};

static const mjcf_attr distance_attrs[] = {
  EQUALITY_NAMES,
  MJCF_STRING(sn_equality_def, "geom1", obj1),
  MJCF_STRING(sn_equality_def, "geom2", obj2),
  MJCF_REAL1(sn_equality_def, "distance", torquescale),
  MJCF_END
};

static const int32_t connect = SN_EQUALITY_CONNECT, weld = SN_EQUALITY_WELD;
static const int32_t joint_equality = SN_EQUALITY_JOINT, tendon_equality = SN_EQUALITY_TENDON;
static const int32_t plugin_equality = SN_EQUALITY_PLUGIN;

static const mjcf_element equality_children[] = {
  { .name = "connect", .attrs = { connect_attrs, mjcf_equality_attrs }, .count = '*',
    .read = mjcf_read_equality, .detail = &connect },
  { .name = "weld", .attrs = { weld_attrs, mjcf_equality_attrs }, .count = '*',
    .read = mjcf_read_equality, .detail = &weld },
  { .name = "joint", .attrs = { joint_equality_attrs, mjcf_equality_attrs }, .count = '*',
    .read = mjcf_read_equality, .detail = &joint_equality },
  { .name = "tendon", .attrs = { tendon_equality_attrs, mjcf_equality_attrs }, .count = '*',
    .read = mjcf_read_equality, .detail = &tendon_equality },
  { .name = "plugin", .attrs = { plugin_equality_attrs, mjcf_equality_attrs }, .count = '*',
    .children = mjcf_config_children, .read = mjcf_read_equality, .detail = &plugin_equality },
  { .name = "distance", .attrs = { distance_attrs, mjcf_equality_attrs }, .count = '*',
    .read = mjcf_read_removed },
  MJCF_END
};

// ------------------------------------------------------------------ tendons

static const mjcf_attr tendon_names[] = {
  MJCF_STRING(sn_tendon_def, "name", name),
  MJCF_IN_CLASS,
  MJCF_END
};

const mjcf_attr mjcf_tendon_attrs[] = {
  MJCF_INT1(sn_tendon_def, "group", group),
  MJCF_ONEOF(sn_tendon_def, "limited", limited, mjcf_limited),
  MJCF_REALN(sn_tendon_def, "range", range, 2, 2),
  MJCF_ONEOF(sn_tendon_def, "actuatorfrclimited", actfrclimited, mjcf_limited),
  MJCF_REALN(sn_tendon_def, "actuatorfrcrange", actfrcrange, 2, 2),
  MJCF_REALN(sn_tendon_def, "solreflimit", solref_limit, 1, 2),
  MJCF_REALN(sn_tendon_def, "solimplimit", solimp_limit, 1, 5),
  MJCF_REALN(sn_tendon_def, "solreffriction", solref_friction, 1, 2),
  MJCF_REALN(sn_tendon_def, "solimpfriction", solimp_friction, 1, 5),
  MJCF_REAL1(sn_tendon_def, "frictionloss", frictionloss),
  { .name = "springlength", .type = MJCF_REAL, MJCF_AT(sn_tendon_def, springlength), .min = 1,
    .max = 2, .fresh = 1 },
  MJCF_REAL1(sn_tendon_def, "margin", margin),
  MJCF_REAL1(sn_tendon_def, "stiffness", stiffness),
  MJCF_REAL1(sn_tendon_def, "damping", damping),
  MJCF_REAL1(sn_tendon_def, "armature", armature),
  MJCF_LIST(sn_tendon_def, "user", user),
  MJCF_END
};

const mjcf_attr mjcf_tendon_look_attrs[] = {
  MJCF_REAL1(sn_tendon_def, "width", width),
  MJCF_STRING(sn_tendon_def, "material", material),
  MJCF_REALN(sn_tendon_def, "rgba", rgba, 4, 4),
  MJCF_END
};

static const mjcf_attr path_site_attrs[] = { MJCF_NAMED(sn_wrap_def, "site", object), MJCF_END };
static const mjcf_attr path_geom_attrs[] = { MJCF_NAMED(sn_wrap_def, "geom", object),
                                             MJCF_STRING(sn_wrap_def, "sidesite", sidesite),
                                             MJCF_END };
static const mjcf_attr path_pulley_attrs[] = {
  { .name = "divisor", .type = MJCF_REAL, MJCF_AT(sn_wrap_def, prm), .min = 1, .max = 1,
    .required = 1 },
  MJCF_END
};
static const mjcf_attr path_joint_attrs[] = {
  MJCF_NAMED(sn_wrap_def, "joint", object),
  { .name = "coef", .type = MJCF_REAL, MJCF_AT(sn_wrap_def, prm), .min = 1, .max = 1,
    .required = 1 },
  MJCF_END
};

static const int32_t wrap_site = SN_WRAP_SITE, wrap_geom = SN_WRAP_SPHERE;
static const int32_t wrap_pulley = SN_WRAP_PULLEY, wrap_joint = SN_WRAP_JOINT;

static const mjcf_element spatial_children[] = {
  { .name = "site", .attrs = { path_site_attrs }, .count = '*', .read = mjcf_read_wrap,
    .detail = &wrap_site },
  { .name = "geom", .attrs = { path_geom_attrs }, .count = '*', .read = mjcf_read_wrap,
    .detail = &wrap_geom },
  { .name = "pulley", .attrs = { path_pulley_attrs }, .count = '*', .read = mjcf_read_wrap,
    .detail = &wrap_pulley },
  MJCF_END
};

static const mjcf_element fixed_children[] = {
  { .name = "joint", .attrs = { path_joint_attrs }, .count = '*', .read = mjcf_read_wrap,
    .detail = &wrap_joint },
  MJCF_END
};

static const mjcf_element tendon_children[] = {
  { .name = "spatial", .attrs = { tendon_names, mjcf_tendon_attrs, mjcf_tendon_look_attrs },
    .count = '*', .children = spatial_children, .read = mjcf_read_tendon },
  { .name = "fixed", .attrs = { tendon_names, mjcf_tendon_attrs }, .count = '*',
    .children = fixed_children, .read = mjcf_read_tendon },
  MJCF_END
};

// ------------------------------------------------------------------ custom data, keyframes

static const mjcf_attr numeric_attrs[] = {
  MJCF_NAMED(sn_numeric_def, "name", name),
  MJCF_INT1(sn_numeric_def, "size", length),
  MJCF_LIST(sn_numeric_def, "data", data),
  MJCF_END
};

static const mjcf_attr text_attrs[] = {
  MJCF_NAMED(sn_text_def, "name", name),
  MJCF_NAMED(sn_text_def, "data", data),
  MJCF_END
};

static const mjcf_attr tuple_attrs[] = { MJCF_NAMED(sn_tuple_def, "name", name), MJCF_END };

static const mjcf_attr item_attrs[] = {
  { .name = "objtype", .type = MJCF_TEXT, MJCF_AT(sn_tuple_item, objtype), .words = kinds,
    .required = 1 },
  MJCF_NAMED(sn_tuple_item, "objname", object),
  MJCF_REAL1(sn_tuple_item, "prm", prm),
  MJCF_END
};

static const mjcf_element tuple_children[] = {
  { .name = "element", .attrs = { item_attrs }, .count = '*', .read = mjcf_read_tuple_item },
  MJCF_END
};

static const mjcf_element custom_children[] = {
  { .name = "numeric", .attrs = { numeric_attrs }, .count = '*', .read = mjcf_read_numeric },
  { .name = "text", .attrs = { text_attrs }, .count = '*', .read = mjcf_read_text },
  { .name = "tuple", .attrs = { tuple_attrs }, .children = tuple_children, .count = '*',
    .read = mjcf_read_tuple },
  MJCF_END
};

static const mjcf_attr key_attrs[] = {
  MJCF_STRING(sn_key_def, "name", name),
  MJCF_REAL1(sn_key_def, "time", time),
  MJCF_LIST(sn_key_def, "qpos", qpos),
  MJCF_LIST(sn_key_def, "qvel", qvel),
  MJCF_LIST(sn_key_def, "act", act),
  MJCF_LIST(sn_key_def, "mpos", mpos),
  MJCF_LIST(sn_key_def, "mquat", mquat),
  MJCF_LIST(sn_key_def, "ctrl", ctrl),
  MJCF_END
};

static const mjcf_element keyframe_children[] = {
  { .name = "key", .attrs = { key_attrs }, .count = '*', .read = mjcf_read_key },
  MJCF_END
};

static const mjcf_attr class_attrs[] = { MJCF_IN_CLASS, MJCF_END };

// ------------------------------------------------------------------ plugins

static const mjcf_attr config_attrs[] = {
  MJCF_NAMED(mjcf_config, "key", key),
  MJCF_STRING(mjcf_config, "value", value),
  MJCF_END
};

// read by the element that they are in
const mjcf_element mjcf_config_children[] = {
  { .name = "config", .attrs = { config_attrs }, .count = '*' },
  MJCF_END
};

static const mjcf_attr force_attrs[] = {
  MJCF_NAMED(sn_force_def, "type", type),
  MJCF_STRING(sn_force_def, "name", name),
  MJCF_END
};

// what a file says to plugins of other engines
static const mjcf_attr plugin_attrs[] = {
  { .name = "plugin", .type = MJCF_TEXT, .bytes = sizeof(char *), .required = 1 },
  MJCF_END
};
static const mjcf_attr instance_attrs[] = {
  { .name = "name", .type = MJCF_TEXT, .bytes = sizeof(char *), .required = 1 },
  MJCF_END
};
static const mjcf_element plugin_children[] = {
  { .name = "instance", .attrs = { instance_attrs }, .children = mjcf_config_children,
    .count = '*' },
  MJCF_END
};

static const mjcf_element extension_children[] = {
  { .name = "plugin", .attrs = { plugin_attrs }, .children = plugin_children, .count = '*',
    .read = mjcf_read_plugin },
  { .name = "force", .attrs = { force_attrs }, .children = mjcf_config_children, .count = '*',
    .read = mjcf_read_force },
  { .name = "contact", .attrs = { force_attrs }, .children = mjcf_config_children, .count = '*',
    .read = mjcf_read_force },
  { .name = "controller", .attrs = { force_attrs }, .children = mjcf_config_children, .count = '*',
    .read = mjcf_read_force },
  MJCF_END
};

// ------------------------------------------------------------------ the root

static const mjcf_attr include_attrs[] = {
  { .name = "file", .type = MJCF_TEXT, .bytes = sizeof(char *), .required = 1 },
  MJCF_END
};

const mjcf_element mjcf_include = { .name = "include", .attrs = { include_attrs }, .count = '*' };

static const mjcf_attr root_attrs[] = {
  { .name = "model", .type = MJCF_TEXT, .bytes = sizeof(char *) },
  MJCF_END
};

#define SECTION(n, inside, turn) \
  { .name = n, .children = inside, .count = '*', .read = mjcf_read_children, .pass = turn }

static const mjcf_element sections[] = {
  { .name = "compiler", .attrs = { compiler_attrs }, .children = compiler_children,
    .count = '*', .read = mjcf_read_compiler },
  { .name = "option", .attrs = { option_attrs }, .children = option_children, .count = '*',
    .read = mjcf_read_option },
  { .name = "size", .attrs = { size_attrs, memory_attrs }, .count = '*', .read = mjcf_read_size,
    .target = offsetof(mjcf_settings, size_hint) },
  { .name = "visual", .children = visual_children, .count = '*', .read = mjcf_read_children },
  { .name = "statistic", .attrs = { statistic_attrs }, .count = '*',
    .read = mjcf_read_view, .target = offsetof(mjcf_settings, statistic) },
  { .name = "default", .attrs = { class_attrs }, .children = mjcf_default_children, .count = '*',
    .read = mjcf_read_default, .pass = 1 },
  SECTION("custom", custom_children, 2),
  SECTION("asset", mjcf_asset_children, 2),
  { .name = "worldbody", .children = mjcf_body_children, .count = 'R',
    .read = mjcf_read_world, .pass = 3 },
  SECTION("contact", contact_children, 4),
  SECTION("equality", equality_children, 4),
  SECTION("tendon", tendon_children, 4),
  SECTION("actuator", mjcf_actuator_children, 4),
  SECTION("sensor", mjcf_sensor_children, 4),
  SECTION("keyframe", keyframe_children, 4),
  SECTION("extension", extension_children, 4),
  MJCF_END
};

const mjcf_element mjcf_root = { .name = "mujoco", .attrs = { root_attrs }, .children = sections,
                                 .count = '!', .read = mjcf_read_children };
