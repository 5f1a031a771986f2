// SPDX-License-Identifier: Apache-2.0
//
// The spec: an editable description of a model. Loaders and applications add elements to it, and
// the compiler turns it into an sn_model.
//
// Each kind of element has a definition struct. sn_default_<element>() initializes it with the
// documented defaults; set the members that differ, and add it:
//
//   sn_geom_def ball;
//   sn_default_geom(&ball);
//   ball.body = id;
//   ball.type = SN_GEOM_SPHERE;
//   ball.size[0] = 0.1;
//   sn_spec_add_geom(spec, &ball, NULL, &geom_id, error);
//
// Conventions: units are SI, angles are in radians (in degrees if sn_compiler.degree is set),
// frames are those of the owning body (for bodies, of the parent). Elements have ids, numbered from
// 0 for each kind in the order in which they are added; body 0 is the world. References to other
// elements are names, which the compiler resolves. A real number that is SN_UNSET (NaN) is
// inferred. Strings and arrays are copied. The first member of a definition is the size of the
// struct; new versions append members, for which zero means the default.

#ifndef SINEW_SPEC_H
#define SINEW_SPEC_H

#include <math.h>
#include <string.h>

#include "sinew/collider.h"
#include "sinew/options.h"
#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_UNSET ((double)NAN)
#define SN_FALSE 0
#define SN_TRUE 1
#define SN_AUTO 2

// A source location: where an element was defined, for messages. file may be NULL.
typedef struct sn_location {
  const char *file;
  int32_t line;
  int32_t column;
} sn_location;
SN_LAYOUT(sn_location, 16);

// An array of n numbers.
typedef struct sn_reals {
  const double *p;
  int64_t n;
} sn_reals;
SN_LAYOUT(sn_reals, 16);

// An array of n integers.
typedef struct sn_ints {
  const int32_t *p;
  int64_t n;
} sn_ints;
SN_LAYOUT(sn_ints, 16);

// An orientation. At most one of the alternatives may be set; it then replaces quat.
typedef struct sn_orient {
  double quat[4];        // w x y z
  double axisangle[4];   // x y z angle
  double euler[3];       // about the axes of sn_compiler.eulerseq
  double xyaxes[6];      // x axis; y axis, made orthogonal
  double zaxis[3];       // minimal rotation of z to this
} sn_orient;
SN_LAYOUT(sn_orient, 160);

#define SN_DEF_HEAD  \
  uint32_t def_size; \
  int32_t reserved0

// ------------------------------------------------------------------ the kinematic tree

typedef struct sn_body_def {
  SN_DEF_HEAD;
  const char *name;
  int32_t parent;
  int32_t mocap;
  double pos[3];   // unset: inferred, if coordinates are global (sn_compiler.global)
  sn_orient orient;
  double gravcomp;    // fraction of gravity that is compensated
  int32_t inertial;   // 0: inferred from the geoms; 1: given by the members below
  int32_t reserved1;
  double ipos[3];
  sn_orient iorient;
  double mass;
  double diaginertia[3];
  double fullinertia[6];   // xx yy zz xy xz yz; unset: diaginertia
  sn_reals user;
  int32_t sleep, reserved2;   // SN_SLEEP_*; only for the topmost body of a tree that can move
} sn_body_def;
SN_LAYOUT(sn_body_def, 512);

typedef struct sn_joint_def {
  SN_DEF_HEAD;
  const char *name;
  int32_t body;
  int32_t type;   // SN_JOINT_*
  int32_t group;
  int32_t limited;   // SN_FALSE, SN_TRUE, SN_AUTO
  double pos[3];
  double axis[3];
  double springdamper[2];   // time constant, damping ratio; both positive: sets stiffness, damping
  double range[2];
  double margin;
  double ref, springref;
  double stiffness, damping, armature, frictionloss;
  double solref_limit[2], solimp_limit[5];
  double solref_friction[2], solimp_friction[5];
  sn_reals user;
  // For each degree of freedom, if they differ; unset: the scalars above apply to all of them.
  double dof_stiffness[6], dof_damping[6], dof_armature[6], dof_frictionloss[6];
  double springquat[4];    // ball, free: rest orientation of the spring; unset: as in qpos0
  int32_t actfrclimited;   // slide, hinge: the total force of all actuators is clamped
  int32_t actgravcomp;     // 1: gravity compensation is part of qfrc_actuator
  double actfrcrange[2];   // N, N m
} sn_joint_def;
SN_LAYOUT(sn_joint_def, 544);

typedef struct sn_geom_def {
  SN_DEF_HEAD;
  const char *name;
  const char *material;
  const char *mesh;   // of a mesh geom; of a primitive: the mesh that it is fitted to
  const char *hfield;
  int32_t body;
  int32_t type;   // SN_GEOM_*
  int32_t contype, conaffinity, condim, priority;
  int32_t group;
  int32_t shellinertia;
  int32_t fluid;   // 1: ellipsoid fluid model
  int32_t reserved1;
  double size[3];   // see SN_GEOM_*
  double pos[3];
  sn_orient orient;
  double fromto[6];   // capsule, cylinder, ellipsoid, box: end points along the z axis
  double mass;        // unset: from density
  double density;
  double friction[3];   // sliding, torsional, rolling
  double solmix;
  double solref[2], solimp[5];
  double margin, gap;
  double fitscale;
  double fluidcoef[5];
  double rgba[4];
  sn_reals user;
  const char *shape;        // of type SN_GEOM_USER: the name of a shape of a plugin
  const char *attributes;   // of that shape, "key=value" lines
  double restitution;       // 0 to 1; ratio of the normal speeds after and before a bounce
  double speculative;       // m; largest distance of speculative contacts, for fast bodies
                            // (docs/contacts.md)
} sn_geom_def;
SN_LAYOUT(sn_geom_def, 584);

typedef struct sn_site_def {
  SN_DEF_HEAD;
  const char *name;
  const char *material;
  int32_t body;
  int32_t type;   // SN_GEOM_SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX
  int32_t group;
  int32_t reserved1;
  double size[3];
  double pos[3];
  sn_orient orient;
  double fromto[6];
  double rgba[4];
  sn_reals user;
} sn_site_def;
SN_LAYOUT(sn_site_def, 344);

typedef struct sn_camera_def {
  SN_DEF_HEAD;
  const char *name;
  const char *target;   // body
  int32_t body;
  int32_t mode;   // SN_TRACK_*
  double pos[3];
  sn_orient orient;
  double fovy;   // degrees, always
  double ipd;
  sn_reals user;
} sn_camera_def;
SN_LAYOUT(sn_camera_def, 248);

typedef struct sn_light_def {
  SN_DEF_HEAD;
  const char *name;
  const char *target;
  int32_t body;
  int32_t mode;
  int32_t directional, castshadow, active;
  int32_t reserved1;
  double pos[3], dir[3];
  double attenuation[3], cutoff, exponent;   // cutoff in degrees, always
  double ambient[3], diffuse[3], specular[3];
} sn_light_def;
SN_LAYOUT(sn_light_def, 208);

// ------------------------------------------------------------------ assets

typedef struct sn_mesh_def {
  SN_DEF_HEAD;
  const char *name;       // NULL: the name of the file without extension
  const char *file;       // as written in the model; its extension selects the format
  const uint8_t *bytes;   // content of the file; NULL: the arrays below are used
  int64_t nbytes;
  sn_reals vert, normal, texcoord;   // m, before refpos, refquat and scale; in single precision
  sn_ints face;
  double refpos[3], refquat[4];
  double scale[3];
  int32_t smoothnormal;
  int32_t inertia;       // SN_MESH_*
  int32_t maxhullvert;   // largest number of vertices of the convex hull, from 4; -1, 0: no limit
  int32_t reserved1;
} sn_mesh_def;
SN_LAYOUT(sn_mesh_def, 200);

typedef struct sn_hfield_def {
  SN_DEF_HEAD;
  const char *name;
  const char *file;
  const uint8_t *bytes;
  int64_t nbytes;
  int64_t nrow, ncol;
  double extent[4];   // half x, half y, top, base
  sn_reals data;
} sn_hfield_def;
SN_LAYOUT(sn_hfield_def, 104);

typedef struct sn_texture_def {
  SN_DEF_HEAD;
  const char *name;
  const char *file;
  const char *cubefile[6];   // right left up down front back
  const uint8_t *bytes;      // content of file
  int64_t nbytes;
  const uint8_t *cubebytes[6];
  int64_t ncubebytes[6];
  const char *gridlayout;
  int32_t gridsize[2];
  int32_t type, builtin, mark;
  int32_t hflip, vflip;
  int32_t width, height;
  int32_t reserved1;
  double rgb1[3], rgb2[3], markrgb[3];
  double random;
} sn_texture_def;
SN_LAYOUT(sn_texture_def, 312);

typedef struct sn_material_def {
  SN_DEF_HEAD;
  const char *name;
  const char *texture;
  int32_t texuniform;
  int32_t reserved1;
  double texrepeat[2];
  double emission, specular, shininess, reflectance;
  double rgba[4];
} sn_material_def;
SN_LAYOUT(sn_material_def, 112);

typedef struct sn_bone_def {
  const char *body;
  double bindpos[3], bindquat[4];
  sn_ints vertid;
  sn_reals vertweight;
} sn_bone_def;
SN_LAYOUT(sn_bone_def, 96);

typedef struct sn_skin_def {
  SN_DEF_HEAD;
  const char *name;
  const char *file;
  const char *material;
  const uint8_t *bytes;
  int64_t nbytes;
  int32_t group;
  int32_t reserved1;
  double inflate;
  double rgba[4];
  sn_reals vert, texcoord;
  sn_ints face;
  const sn_bone_def *bone;
  int64_t nbone;
} sn_skin_def;
SN_LAYOUT(sn_skin_def, 160);

// ------------------------------------------------------------------ contact and constraints

typedef struct sn_pair_def {
  SN_DEF_HEAD;
  const char *name;
  const char *geom1, *geom2;
  int32_t condim;   // 0, like SN_UNSET in the members below: mixed from the two geoms
  int32_t reserved1;
  double friction[5];
  double solref[2], solimp[5];
  double margin, gap;
  double restitution;
} sn_pair_def;
SN_LAYOUT(sn_pair_def, 160);

typedef struct sn_exclude_def {
  SN_DEF_HEAD;
  const char *name;
  const char *body1, *body2;
} sn_exclude_def;
SN_LAYOUT(sn_exclude_def, 32);

typedef struct sn_equality_def {
  SN_DEF_HEAD;
  const char *name;
  const char *obj1, *obj2;   // bodies, joints or tendons; obj2 NULL: the world, or a constant
  int32_t type;              // SN_EQUALITY_*
  int32_t active;
  double anchor[3];     // connect: in the frame of body 1. weld: in that of body 2
  double relpose[7];    // weld: position, quaternion of body 2 in body 1; quat 0: as in qpos0
  double torquescale;   // weld
  double polycoef[5];   // joint, tendon
  double solref[2], solimp[5];
  int32_t sites;   // connect, weld: 1: obj1 and obj2 are sites; their frames are to coincide
  int32_t exact;   // 1: holds exactly, whatever solref and solimp are
  const char *plugin;       // plugin: the name of its constraint
  const char *attributes;   // plugin: lines "key=value"; NULL: none
} sn_equality_def;
SN_LAYOUT(sn_equality_def, 248);

// ------------------------------------------------------------------ tendons

typedef struct sn_wrap_def {
  int32_t type;   // SN_WRAP_*; SPHERE: any geom
  int32_t reserved;
  const char *object;     // joint, site or geom
  const char *sidesite;   // of a geom; may be NULL
  double prm;             // joint: coefficient; pulley: divisor
} sn_wrap_def;
SN_LAYOUT(sn_wrap_def, 32);

typedef struct sn_tendon_def {
  SN_DEF_HEAD;
  const char *name;
  const char *material;
  int32_t group;
  int32_t limited;
  double range[2], margin;
  double stiffness, damping, frictionloss;
  // The spring exerts no force between these two lengths. Second unset: equal to the first. Both
  // unset, both -1, or one negative number: the length at qpos0.
  double springlength[2];
  double width;
  double solref_limit[2], solimp_limit[5];
  double solref_friction[2], solimp_friction[5];
  double rgba[4];
  const sn_wrap_def *wrap;   // nwrap; the path
  int64_t nwrap;
  sn_reals user;
  int32_t actfrclimited;   // the forces of all actuators of the tendon are scaled to the range
  int32_t reserved1;
  double actfrcrange[2];   // N
  double armature;         // kg; kinetic energy armature / 2 times the square of the velocity
} sn_tendon_def;
SN_LAYOUT(sn_tendon_def, 312);

// ------------------------------------------------------------------ actuators and sensors

typedef struct sn_actuator_def {
  SN_DEF_HEAD;
  const char *name;
  const char *target;     // joint, tendon, site or body; the crank site of a slider-crank
  const char *refsite;    // of a site; the slider site of a slider-crank
  // Activation dynamics, gain and bias: "none", "integrator", "fixed" ..., or a name that a plugin
  // provides (a provider, plugin.h).
  const char *dyntype, *gaintype, *biastype;
  int32_t trntype;   // SN_TRN_*
  int32_t group;
  int32_t ctrllimited, forcelimited, actlimited;
  int32_t actearly;
  double dynprm[10], gainprm[10], biasprm[10];
  double ctrlrange[2], forcerange[2], actrange[2];
  double lengthrange[2];
  double gear[6];
  double cranklength;
  const char *attributes;   // for plugins, "key=value" lines
  sn_reals user;
  // 0: not used. Otherwise biasprm[2] is set to -2 dampratio sqrt(kp m), for a servo with gain kp
  // that moves an inertia m at qpos0.
  double dampratio;
  // 0: not used. Otherwise ctrlrange or actrange is set to the range of the joint or tendon, scaled
  // by this factor about its middle.
  double inheritctrl, inheritact;
  int32_t actdim;   // number of activations, checked against that of the dynamics; 0: not checked
  int32_t reserved1;
} sn_actuator_def;
SN_LAYOUT(sn_actuator_def, 496);

typedef struct sn_sensor_def {
  SN_DEF_HEAD;
  const char *name;
  const char *type;   // "jointpos" ..., or a name that a plugin provides (a provider)
  const char *objtype, *object;
  const char *reftype, *refobject;
  int32_t datatype;   // this, stage and dim: only for type "user"; other types define them
  int32_t stage;
  int32_t dim;
  int32_t reserved1;
  double cutoff, noise;
  const char *attributes;   // for plugins, "key=value" lines
  sn_reals user;
} sn_sensor_def;
SN_LAYOUT(sn_sensor_def, 112);

// A passive force that acts only in models that have such an element.
typedef struct sn_force_def {
  SN_DEF_HEAD;
  const char *name;
  const char *type;   // a name that a plugin provides (a provider)
  const char *attributes;
} sn_force_def;
SN_LAYOUT(sn_force_def, 32);

// ------------------------------------------------------------------ custom data and keyframes

typedef struct sn_numeric_def {
  SN_DEF_HEAD;
  const char *name;
  int64_t length;   // -1: the length of data
  sn_reals data;
} sn_numeric_def;
SN_LAYOUT(sn_numeric_def, 40);

typedef struct sn_text_def {
  SN_DEF_HEAD;
  const char *name;
  const char *data;
} sn_text_def;
SN_LAYOUT(sn_text_def, 24);

// An element of a tuple.
typedef struct sn_tuple_item {
  const char *objtype, *object;
  double prm;
} sn_tuple_item;
SN_LAYOUT(sn_tuple_item, 24);

typedef struct sn_tuple_def {
  SN_DEF_HEAD;
  const char *name;
  const sn_tuple_item *item;
  int64_t nitem;
} sn_tuple_def;
SN_LAYOUT(sn_tuple_def, 32);

typedef struct sn_key_def {
  SN_DEF_HEAD;
  const char *name;
  double time;
  sn_reals qpos, qvel, act, ctrl, mpos, mquat;   // empty: the default
} sn_key_def;
SN_LAYOUT(sn_key_def, 120);

// Every kind of element and of settings. The argument of X is the name of the kind, which messages
// and `find` use.
//
// The table of the builder is made from these lists, so the lists of a released version never
// change. A later version has additional lists, whose operations are appended to the table, so that
// no existing operation moves. Those of 1.1 are still empty.
#define SN_ELEMENTS_1_0(X)                                                                       \
  X(body)                                                                                        \
  X(joint)                                                                                       \
  X(geom)                                                                                        \
  X(site) X(camera) X(light) X(mesh) X(hfield) X(texture) X(material) X(skin) X(pair) X(exclude) \
      X(equality) X(tendon) X(actuator) X(sensor) X(force) X(numeric) X(text) X(tuple) X(key)
#define SN_ELEMENTS_1_1(X)
#define SN_ELEMENTS(X) SN_ELEMENTS_1_0(X) SN_ELEMENTS_1_1(X)

#define SN_SETTINGS_1_0(X) X(option) X(compiler) X(size_hint) X(statistic) X(visual)
#define SN_SETTINGS_1_1(X)
#define SN_SETTINGS(X) SN_SETTINGS_1_0(X) SN_SETTINGS_1_1(X)

// ------------------------------------------------------------------ parts

typedef struct sn_source sn_source;   // a file that the host has opened, see loader.h

// Another file as a part of the spec: see `include` of the builder.
typedef struct sn_include_def {
  SN_DEF_HEAD;
  const char *name;      // name of a body that is added for the part; NULL or "": none is added
  const char *file;      // as for sn_source.open
  const char *prefix;    // prefix of all names of the part; NULL: ""
  int32_t body;          // the body that the part is attached to
  int32_t reserved1;
  double pos[3];         // position of the part's world in the frame of that body
  sn_orient orient;
  const char *subtree;   // a body of the part: only this body and its contents are attached, as if
                         // its parent were the world of the part; NULL or "": everything
  int32_t at;            // id of the first body of the part; existing bodies from this id on are
                         // moved up; 0: after all existing bodies
  int32_t reserved2;
} sn_include_def;
SN_LAYOUT(sn_include_def, 240);

SN_END_DECLS

#include "sinew/builder.h"
#include "sinew/defaults.h"

#endif
