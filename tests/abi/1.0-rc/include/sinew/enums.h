// SPDX-License-Identifier: Apache-2.0
//
// The documented integers: the meaning of the numbers in the integer arrays of models and
// simulations, and in options. They equal those of MuJoCo where MuJoCo has the same type. The
// number of entries is a constant of its own after each list; lists of bits have none.
//
// Dynamics, gains and biases of actuators, types of sensors and kinds of objects are selected by
// name, and plugins can add more. Their integers are only meant for programs that read the arrays:
// a name without a documented integer has that of "user" or "unknown".

#ifndef SINEW_ENUMS_H
#define SINEW_ENUMS_H

#include "sinew/abi.h"

SN_BEGIN_DECLS

// ------------------------------------------------------------------ bodies, joints, geoms

enum {   // jnt_type
  SN_JOINT_FREE = 0,    // 3 translations and 3 rotations; position and quaternion
  SN_JOINT_BALL = 1,    // 3 rotations; quaternion
  SN_JOINT_SLIDE = 2,   // 1 translation
  SN_JOINT_HINGE = 3    // 1 rotation
};
enum { SN_NJOINTTYPES = 4 };

// How many numbers of qpos, and of qvel, a joint of this type has.
static inline int32_t sn_joint_positions(int32_t type) {
  return type == SN_JOINT_FREE ? 7 : type == SN_JOINT_BALL ? 4 : 1;
}

// How many degrees of freedom a joint of this type has.
static inline int32_t sn_joint_dofs(int32_t type) {
  return type == SN_JOINT_FREE ? 6 : type == SN_JOINT_BALL ? 3 : 1;
}

enum {   // geom_type, site_type; their names are "plane", "hfield" ... The comments give the sizes
  SN_GEOM_PLANE = 0,       // normal along z; half x, half y (0: infinite), grid spacing
  SN_GEOM_HFIELD = 1,
  SN_GEOM_SPHERE = 2,      // radius
  SN_GEOM_CAPSULE = 3,     // radius, half length of the cylindrical part along z
  SN_GEOM_ELLIPSOID = 4,   // three radii
  SN_GEOM_CYLINDER = 5,    // radius, half length along z
  SN_GEOM_BOX = 6,         // three half lengths
  SN_GEOM_MESH = 7,
  SN_GEOM_USER = 8         // a shape of a plugin, shape.h: three half lengths of a box around it
};
enum { SN_NGEOMTYPES = 9 };

// How many sizes a geom or site of this type has that must be positive. 0 for a plane, which may be
// infinite, and for meshes, height fields and shapes of plugins, whose sizes follow from an asset
// or from attributes.
static inline int32_t sn_geom_sizes(int32_t type) {
  return type == SN_GEOM_SPHERE                                ? 1
         : type == SN_GEOM_CAPSULE || type == SN_GEOM_CYLINDER ? 2
         : type == SN_GEOM_ELLIPSOID || type == SN_GEOM_BOX    ? 3
                                                               : 0;
}

enum {   // cam_mode, light_mode
  SN_TRACK_FIXED = 0,
  SN_TRACK_TRACK = 1,
  SN_TRACK_TRACKCOM = 2,
  SN_TRACK_TARGETBODY = 3,
  SN_TRACK_TARGETBODYCOM = 4
};
enum { SN_NTRACKMODES = 5 };

// ------------------------------------------------------------------ assets

enum {   // sn_mesh_def.inertia: how the mass and inertia of a mesh are computed
  SN_MESH_AS_COMPILER = 0,   // that of MuJoCo 2.2; EXACT if the compiler sets exactmeshinertia
  SN_MESH_CONVEX = 1,        // the volume of its convex hull
  SN_MESH_EXACT = 2,         // the volume that it encloses
  SN_MESH_LEGACY = 3,        // as EXACT, but every signed volume is counted as positive
  SN_MESH_SHELL = 4          // its surface
};
enum { SN_NMESHINERTIAS = 5 };

enum {   // tex_type
  SN_TEXTURE_2D = 0,
  SN_TEXTURE_CUBE = 1,
  SN_TEXTURE_SKYBOX = 2
};
enum { SN_NTEXTURETYPES = 3 };

enum {   // sn_texture_def.builtin
  SN_BUILTIN_NONE = 0,
  SN_BUILTIN_GRADIENT = 1,
  SN_BUILTIN_CHECKER = 2,
  SN_BUILTIN_FLAT = 3
};
enum { SN_NBUILTINS = 4 };

enum {   // sn_texture_def.mark
  SN_MARK_NONE = 0,
  SN_MARK_EDGE = 1,
  SN_MARK_CROSS = 2,
  SN_MARK_RANDOM = 3
};
enum { SN_NMARKS = 4 };

// ------------------------------------------------------------------ constraints and tendons

enum {   // eq_type
  SN_EQUALITY_CONNECT = 0,
  SN_EQUALITY_WELD = 1,
  SN_EQUALITY_JOINT = 2,
  SN_EQUALITY_TENDON = 3,
  SN_EQUALITY_PLUGIN = 4    // a draft, see constraint.h
};
enum { SN_NEQUALITYTYPES = 5 };

enum {   // wrap_type; in an sn_wrap_def, SN_WRAP_SPHERE means any geom
  SN_WRAP_NONE = 0,
  SN_WRAP_JOINT = 1,
  SN_WRAP_PULLEY = 2,
  SN_WRAP_SITE = 3,
  SN_WRAP_SPHERE = 4,
  SN_WRAP_CYLINDER = 5
};
enum { SN_NWRAPTYPES = 6 };

enum {   // efc_type
  SN_ROW_EQUALITY = 0,
  SN_ROW_FRICTION_DOF = 1,
  SN_ROW_FRICTION_TENDON = 2,
  SN_ROW_LIMIT_JOINT = 3,
  SN_ROW_LIMIT_TENDON = 4,
  SN_ROW_CONTACT_FRICTIONLESS = 5,
  SN_ROW_CONTACT_PYRAMIDAL = 6,
  SN_ROW_CONTACT_ELLIPTIC = 7,
  SN_ROW_LIMIT_PLUGIN = 8   // a draft, see constraint.h
};
enum { SN_NROWTYPES = 9 };

enum {   // efc_state
  SN_ROWSTATE_SATISFIED = 0,
  SN_ROWSTATE_QUADRATIC = 1,
  SN_ROWSTATE_LINEARNEG = 2,
  SN_ROWSTATE_LINEARPOS = 3,
  SN_ROWSTATE_CONE = 4
};
enum { SN_NROWSTATES = 5 };

// ------------------------------------------------------------------ actuators

enum {   // actuator_trntype
  SN_TRN_JOINT = 0,
  SN_TRN_JOINTINPARENT = 1,
  SN_TRN_SLIDERCRANK = 2,
  SN_TRN_TENDON = 3,
  SN_TRN_SITE = 4,
  SN_TRN_BODY = 5
};
enum { SN_NTRNTYPES = 6 };

enum {   // actuator_dyntype
  SN_DYN_NONE = 0,
  SN_DYN_INTEGRATOR = 1,
  SN_DYN_FILTER = 2,
  SN_DYN_MUSCLE = 3,
  SN_DYN_USER = 4,
  SN_DYN_FILTEREXACT = 5
};
enum { SN_NDYNTYPES = 6 };

enum {   // actuator_gaintype
  SN_GAIN_FIXED = 0,
  SN_GAIN_AFFINE = 1,
  SN_GAIN_MUSCLE = 2,
  SN_GAIN_USER = 3
};
enum { SN_NGAINTYPES = 4 };

enum {   // actuator_biastype
  SN_BIAS_NONE = 0,
  SN_BIAS_AFFINE = 1,
  SN_BIAS_MUSCLE = 2,
  SN_BIAS_USER = 3
};
enum { SN_NBIASTYPES = 4 };

// ------------------------------------------------------------------ sensors

enum {   // sensor_needstage
  SN_STAGE_NONE = 0,   // not the stage of any sensor
  SN_STAGE_POSITION = 1,
  SN_STAGE_VELOCITY = 2,
  SN_STAGE_ACCELERATION = 3
};
enum { SN_NSTAGES = 4 };

enum {   // sensor_datatype: how noise and cutoff are applied
  SN_DATA_REAL = 0,
  SN_DATA_POSITIVE = 1,
  SN_DATA_AXIS = 2,
  SN_DATA_QUATERNION = 3
};
enum { SN_NDATATYPES = 4 };

enum {   // sensor_type
  SN_SENSOR_TOUCH = 0,
  SN_SENSOR_ACCELEROMETER = 1,
  SN_SENSOR_VELOCIMETER = 2,
  SN_SENSOR_GYRO = 3,
  SN_SENSOR_FORCE = 4,
  SN_SENSOR_TORQUE = 5,
  SN_SENSOR_MAGNETOMETER = 6,
  SN_SENSOR_RANGEFINDER = 7,
  SN_SENSOR_JOINTPOS = 8,
  SN_SENSOR_JOINTVEL = 9,
  SN_SENSOR_TENDONPOS = 10,
  SN_SENSOR_TENDONVEL = 11,
  SN_SENSOR_ACTUATORPOS = 12,
  SN_SENSOR_ACTUATORVEL = 13,
  SN_SENSOR_ACTUATORFRC = 14,
  SN_SENSOR_BALLQUAT = 15,
  SN_SENSOR_BALLANGVEL = 16,
  SN_SENSOR_JOINTLIMITPOS = 17,
  SN_SENSOR_JOINTLIMITVEL = 18,
  SN_SENSOR_JOINTLIMITFRC = 19,
  SN_SENSOR_TENDONLIMITPOS = 20,
  SN_SENSOR_TENDONLIMITVEL = 21,
  SN_SENSOR_TENDONLIMITFRC = 22,
  SN_SENSOR_FRAMEPOS = 23,
  SN_SENSOR_FRAMEQUAT = 24,
  SN_SENSOR_FRAMEXAXIS = 25,
  SN_SENSOR_FRAMEYAXIS = 26,
  SN_SENSOR_FRAMEZAXIS = 27,
  SN_SENSOR_FRAMELINVEL = 28,
  SN_SENSOR_FRAMEANGVEL = 29,
  SN_SENSOR_FRAMELINACC = 30,
  SN_SENSOR_FRAMEANGACC = 31,
  SN_SENSOR_SUBTREECOM = 32,
  SN_SENSOR_SUBTREELINVEL = 33,
  SN_SENSOR_SUBTREEANGMOM = 34,
  SN_SENSOR_CLOCK = 35,
  SN_SENSOR_USER = 36
};
enum { SN_NSENSORTYPES = 37 };

enum {   // sensor_objtype, sensor_reftype, tuple_objtype; their names are "body", "xbody" ...
  SN_OBJECT_UNKNOWN = 0,
  SN_OBJECT_BODY = 1,
  SN_OBJECT_XBODY = 2,   // a body, in its own frame instead of its inertial frame
  SN_OBJECT_JOINT = 3,
  SN_OBJECT_DOF = 4,
  SN_OBJECT_GEOM = 5,
  SN_OBJECT_SITE = 6,
  SN_OBJECT_CAMERA = 7,
  SN_OBJECT_LIGHT = 8,
  SN_OBJECT_MESH = 9,
  SN_OBJECT_SKIN = 10,
  SN_OBJECT_HFIELD = 11,
  SN_OBJECT_TEXTURE = 12,
  SN_OBJECT_MATERIAL = 13,
  SN_OBJECT_PAIR = 14,
  SN_OBJECT_EXCLUDE = 15,
  SN_OBJECT_EQUALITY = 16,
  SN_OBJECT_TENDON = 17,
  SN_OBJECT_ACTUATOR = 18,
  SN_OBJECT_SENSOR = 19,
  SN_OBJECT_NUMERIC = 20,
  SN_OBJECT_TEXT = 21,
  SN_OBJECT_TUPLE = 22,
  SN_OBJECT_KEY = 23
};
enum { SN_NOBJECTKINDS = 24 };

// ------------------------------------------------------------------ options

enum {   // sn_compiler.lr_mode: actuators whose actuator_lengthrange is computed
  SN_LENGTHRANGE_NONE = 0,
  SN_LENGTHRANGE_MUSCLE = 1,       // those whose gain or bias needs it, such as muscles
  SN_LENGTHRANGE_MUSCLEUSER = 2,   // and those whose gain or bias has no documented integer
  SN_LENGTHRANGE_ALL = 3
};
enum { SN_NLENGTHRANGES = 4 };

enum {   // body_sleep
  SN_SLEEP_AUTO = 0,      // the tree may sleep unless an actuator moves it
  SN_SLEEP_NEVER = 1,
  SN_SLEEP_ALLOWED = 2,   // it may sleep, even if an actuator moves it
  SN_SLEEP_INIT = 3       // as SN_SLEEP_ALLOWED, and it is asleep after a reset
};
enum { SN_NSLEEPPOLICIES = 4 };

enum {   // sn_option.collision
  SN_COLLISION_ALL = 0,
  SN_COLLISION_PAIR = 1,
  SN_COLLISION_DYNAMIC = 2
};
enum { SN_NCOLLISIONMODES = 3 };

enum {   // sn_option.cone
  SN_CONE_PYRAMIDAL = 0,
  SN_CONE_ELLIPTIC = 1
};
enum { SN_NCONETYPES = 2 };

enum {   // sn_option.jacobian
  SN_JACOBIAN_DENSE = 0,
  SN_JACOBIAN_SPARSE = 1,
  SN_JACOBIAN_AUTO = 2
};
enum { SN_NJACOBIANTYPES = 3 };

enum {   // sn_option.inertia: how the inertia matrix M of a simulation is used
  SN_INERTIA_AUTO = 0,       // recursive if trees are so deep that this is faster
  SN_INERTIA_MATRIX = 1,     // by its entries
  SN_INERTIA_RECURSIVE = 2   // by recursion along the bodies, unless tendons have armature
};
enum { SN_NINERTIATYPES = 3 };

enum {   // sn_option.compatibility: the version of MuJoCo whose errors are reproduced
  SN_COMPATIBILITY_NONE = 0,
  SN_COMPATIBILITY_MUJOCO_2_2 = 1   // docs/differences.md lists them
};
enum { SN_NCOMPATIBILITIES = 2 };

enum {   // bits of sn_option.disableflags
  SN_DISABLE_CONSTRAINT = 1 << 0,
  SN_DISABLE_EQUALITY = 1 << 1,
  SN_DISABLE_FRICTIONLOSS = 1 << 2,
  SN_DISABLE_LIMIT = 1 << 3,
  SN_DISABLE_CONTACT = 1 << 4,
  SN_DISABLE_PASSIVE = 1 << 5,
  SN_DISABLE_GRAVITY = 1 << 6,
  SN_DISABLE_CLAMPCTRL = 1 << 7,
  SN_DISABLE_WARMSTART = 1 << 8,
  SN_DISABLE_FILTERPARENT = 1 << 9,
  SN_DISABLE_ACTUATION = 1 << 10,
  SN_DISABLE_REFSAFE = 1 << 11,
  SN_DISABLE_SENSOR = 1 << 12,
  SN_DISABLE_EULERDAMP = 1 << 14   // Euler's method integrates joint damping explicitly
};

// Upper limit of the numbers that one force, controller, integrator, sensor or actuator keeps in a
// simulation, and of the values of one sensor. All of them together are bounded by
// "limits.memory" (sn_engine_set).
enum { SN_MAX_STATES = 1 << 24 };

enum { SN_NDISABLEGROUPS = 31 };   // sn_option.disableactuator has bits for groups 0 to 30

enum {   // bits of sn_option.enableflags
  SN_ENABLE_OVERRIDE = 1 << 0,
  SN_ENABLE_ENERGY = 1 << 1,
  SN_ENABLE_FWDINV = 1 << 2,
  SN_ENABLE_SENSORNOISE = 1 << 3,
  SN_ENABLE_MULTICCD = 1 << 4,
  SN_ENABLE_SLEEP = 1 << 5,          // kinematic trees at rest may sleep, see body_sleep
  SN_ENABLE_EXACTEQUALITY = 1 << 8   // every equality constraint holds exactly, see eq_exact
};

SN_END_DECLS

#endif
