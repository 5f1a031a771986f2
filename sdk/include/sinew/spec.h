// SPDX-License-Identifier: Apache-2.0
//
// The spec: an editable description of a model. Loaders fill it, applications fill it, the
// compiler turns it into sn_model.
//
// There is one definition struct an element. sn_default_<element>() fills it with the documented
// defaults; then set what differs and add it:
//
//   sn_geom_def ball;
//   sn_default_geom(&ball);
//   ball.body = id;
//   ball.type = SN_GEOM_SPHERE;
//   ball.size[0] = 0.1;
//   sn_spec_add_geom(spec, &ball, NULL, &geom_id, error);
//
// Conventions: units are SI, angles radians (degrees when sn_compiler.degree is set), frames are
// those of the owning body (of the parent, for bodies). Elements are known by ids, numbered from
// 0 by kind in the order of adding; body 0 is the world. References to other elements are names,
// resolved by the compiler. A real that is SN_UNSET (NaN) is inferred. Strings and arrays are
// copied. The first member is the size of the struct, which only grows, at its end, where zero
// means the default.

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

// An array of numbers of any length.
typedef struct sn_reals {
  const double *p;
  int64_t n;
} sn_reals;
SN_LAYOUT(sn_reals, 16);

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
  double pos[3];   // unset: global coordinates, inferred
  sn_orient orient;
  double gravcomp;    // fraction of gravity that is compensated
  int32_t inertial;   // 0: inferred from geoms; 1: the numbers below
  int32_t reserved1;
  double ipos[3];
  sn_orient iorient;
  double mass;
  double diaginertia[3];
  double fullinertia[6];   // xx yy zz xy xz yz; unset: diaginertia
  sn_reals user;
} sn_body_def;
SN_LAYOUT(sn_body_def, 504);

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
  // One number a degree of freedom, where they differ; unset: the scalar above for all of them.
  double dof_stiffness[6], dof_damping[6], dof_armature[6], dof_frictionloss[6];
  double springquat[4];    // ball, free: orientation at rest of the spring; unset: as in qpos0
  int32_t actfrclimited;   // slide, hinge: what all actuators together do is clamped
  int32_t actgravcomp;     // 1: gravity compensation counts as a force of actuators
  double actfrcrange[2];   // N, N m
} sn_joint_def;
SN_LAYOUT(sn_joint_def, 544);

typedef struct sn_geom_def {
  SN_DEF_HEAD;
  const char *name;
  const char *material;
  const char *mesh;   // of a mesh geom, or fitted by a primitive
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
  double fromto[6];   // capsule, cylinder, ellipsoid, box: ends of the z axis
  double mass;        // unset: from density
  double density;
  double friction[3];   // tangential, torsional, rolling
  double solmix;
  double solref[2], solimp[5];
  double margin, gap;
  double fitscale;
  double fluidcoef[5];
  double rgba[4];
  sn_reals user;
} sn_geom_def;
SN_LAYOUT(sn_geom_def, 552);

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
  const char *name;       // NULL: from file
  const char *file;       // as written; its extension selects the format
  const uint8_t *bytes;   // content of the file; NULL: vert ...
  int64_t nbytes;
  sn_reals vert, normal, texcoord;   // m, before refpos, refquat and scale; in single precision
  sn_ints face;
  double refpos[3], refquat[4];
  double scale[3];
  int32_t smoothnormal;
  int32_t inertia;       // SN_MESH_*
  int32_t maxhullvert;   // most vertices of the convex hull, 4 or more; -1, 0: no limit
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
  int32_t condim;   // 0, and unset reals below: mixed from the two geoms
  int32_t reserved1;
  double friction[5];
  double solref[2], solimp[5];
  double margin, gap;
} sn_pair_def;
SN_LAYOUT(sn_pair_def, 152);

typedef struct sn_exclude_def {
  SN_DEF_HEAD;
  const char *name;
  const char *body1, *body2;
} sn_exclude_def;
SN_LAYOUT(sn_exclude_def, 32);

typedef struct sn_equality_def {
  SN_DEF_HEAD;
  const char *name;
  const char *obj1, *obj2;   // bodies, joints or tendons; obj2 NULL: world, or the constant
  int32_t type;              // SN_EQUALITY_*
  int32_t active;
  double anchor[3];     // connect: in body 1. weld: in body 2
  double relpose[7];    // weld: position, quaternion of body 2 in body 1; quat 0: as in qpos0
  double torquescale;   // weld
  double polycoef[5];   // joint, tendon
  double solref[2], solimp[5];
  int32_t sites;   // connect, weld: 1: obj1, obj2 are sites, whose frames shall coincide
  int32_t reserved2;
} sn_equality_def;
SN_LAYOUT(sn_equality_def, 232);

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
  double stiffness, damping, frictionloss, armature;
  double springlength[2];   // unset, one negative number, -1 twice: the length at qpos0; second
                            // unset: the first
  double width;
  double solref_limit[2], solimp_limit[5];
  double solref_friction[2], solimp_friction[5];
  double rgba[4];
  const sn_wrap_def *wrap;   // the path, in order
  int64_t nwrap;
  sn_reals user;
  int32_t actfrclimited;   // what all actuators of the tendon do together is scaled down
  int32_t reserved1;
  double actfrcrange[2];   // N
} sn_tendon_def;
SN_LAYOUT(sn_tendon_def, 312);

// ------------------------------------------------------------------ actuators and sensors

typedef struct sn_actuator_def {
  SN_DEF_HEAD;
  const char *name;
  const char *target;     // joint, tendon, site or body; the crank site of a slider-crank
  const char *refsite;    // of a site; the slider site of a slider-crank
  const char *dyntype;    // names of providers: "none", "integrator" ... or those of any plugin
  const char *gaintype;   // "fixed" ...
  const char *biastype;   // "none" ...
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
  // 0: as above. For a servo with gain kp that moves inertia m at qpos0, biasprm[2] becomes
  // -2 dampratio sqrt(kp m). Ranges become that of the joint or tendon, times this about its
  // middle.
  double dampratio;
  double inheritctrl, inheritact;
  int32_t actdim;   // activations that its dynamics must have; 0: as many as the dynamics have
  int32_t reserved1;
} sn_actuator_def;
SN_LAYOUT(sn_actuator_def, 496);

typedef struct sn_sensor_def {
  SN_DEF_HEAD;
  const char *name;
  const char *type;   // "jointpos" ... or a type of any plugin
  const char *objtype, *object;
  const char *reftype, *refobject;
  int32_t datatype;   // user sensors; else as the type says
  int32_t stage;
  int32_t dim;
  int32_t reserved1;
  double cutoff, noise;
  const char *attributes;   // for plugins, "key=value" lines
  sn_reals user;
} sn_sensor_def;
SN_LAYOUT(sn_sensor_def, 112);

// A passive force that acts only in models that name it.
typedef struct sn_force_def {
  SN_DEF_HEAD;
  const char *name;
  const char *type;   // of a plugin
  const char *attributes;
} sn_force_def;
SN_LAYOUT(sn_force_def, 32);

// ------------------------------------------------------------------ custom data and keyframes

typedef struct sn_numeric_def {
  SN_DEF_HEAD;
  const char *name;
  int64_t length;   // -1: as data
  sn_reals data;
} sn_numeric_def;
SN_LAYOUT(sn_numeric_def, 40);

typedef struct sn_text_def {
  SN_DEF_HEAD;
  const char *name;
  const char *data;
} sn_text_def;
SN_LAYOUT(sn_text_def, 24);

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

// Every kind of element and of settings. The word is its name, for messages and `find`.
//
// The table of the builder is made from these lists, so the lists of a released version never
// change. A later version has lists of its own, whose operations are a block at the end of the
// table: nothing that exists moves. Those of 1.1 are still empty.
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

// ------------------------------------------------------------------ the builder

// The functions of a spec, as a loader gets them. An application calls the same functions by
// name: sn_spec_add_body(spec, ...), declared in sinew.h. All are [load]. An operation that lies
// beyond `size` is newer than the host.
typedef struct sn_builder sn_builder;
struct sn_builder {
  uint32_t size;
  uint32_t reserved;
  sn_spec *spec;
  const sn_host *host;
  void *context;

  // Adds an element; *id is its id. place may be NULL. SN_EINVAL when a number is out of range
  // or a parent does not exist.
#define SN_BUILDER_ADD(kind)                                                                 \
  sn_status (*add_##kind)(sn_spec * spec, const sn_##kind##_def *def, const sn_location *location, \
                          int32_t *id, sn_error *error);
  SN_ELEMENTS_1_0(SN_BUILDER_ADD)

  // Reads back an element into a definition that sn_default_... filled (its size tells how much
  // the caller knows): a copy whose strings and arrays stay the spec's. And replaces one.
#define SN_BUILDER_GET(kind)                                                                       \
  sn_status (*get_##kind)(const sn_spec *spec, int32_t id, sn_##kind##_def *def, sn_error *error); \
  sn_status (*set_##kind)(sn_spec * spec, int32_t id, const sn_##kind##_def *def, sn_error *error);
  SN_ELEMENTS_1_0(SN_BUILDER_GET)

  // Global settings.
#define SN_BUILDER_SETTING(kind)                                     \
  sn_status (*get_##kind)(const sn_spec *spec, sn_##kind *settings); \
  sn_status (*set_##kind)(sn_spec * spec, const sn_##kind *settings, sn_error *error);
  SN_SETTINGS_1_0(SN_BUILDER_SETTING)

  sn_status (*set_name)(sn_spec *spec, const char *name);                     // of the model
  int64_t (*count)(const sn_spec *spec, const char *kind);                    // -1: no such kind
  int32_t (*find)(const sn_spec *spec, const char *kind, const char *name);   // -1: none
  // Adds a warning to the result of loading (sn_spec_warning, sn_model_warning).
  sn_status (*warn)(sn_spec *spec, const sn_location *location, const char *text);
  const char *(*get_name)(const sn_spec *spec);   // of the model; "" none
  // The unit quaternion of an orientation, in the units of the compiler's settings. NULL, or what
  // is wrong with it. Since 1.0.
  const char *(*orientation)(const sn_spec *spec, const sn_orient *orient, double *quat);
  // Of every body, in its frame, what compiling makes of its geoms, its inertial and the settings:
  // mass (nbody), center (nbody x 3), unit quaternion of the principal axes (nbody x 4), principal
  // moments (nbody x 3), by id. Compiles, so call it once, after the last change. An error when
  // the spec does not compile. [load] Since 1.0.
  sn_status (*inertia)(sn_spec *spec, double *mass, double *ipos, double *iquat, double *moments,
                       sn_error *error);
  // Where an element was read; its file is NULL if that is not known. SN_EINVAL: there is no such
  // element. Since 1.0.
  sn_status (*get_location)(const sn_spec *spec, const char *kind, int32_t id,
                            sn_location *location);
  // Where the name that an option has now was read, for a message when no plugin has that name.
  // SN_ENOTFOUND: no option of this name is one of a plugin. Since 1.0.
  sn_status (*locate_option)(sn_spec *spec, const char *option, const sn_location *location);
  // A note that belongs to the result, listed like a warning. A warning is of something that makes
  // the model differ from what the file means; a note is worth knowing all the same, and strictness
  // does not turn it into an error. Since 1.0.
  sn_status (*note)(sn_spec *spec, const sn_location *location, const char *text);
  // Mesh id with the contents of its file instead of the file: the vertices, normals, texture
  // coordinates and faces that the mesh plugins read. They are one block of memory, which starts at
  // def->vert.p and which the caller frees with host->free. SN_EINVAL: it has no file. Since 1.0.
  sn_status (*decode_mesh)(const sn_spec *spec, int32_t id, sn_mesh_def *def, sn_error *error);
  // Principal moments in descending order, and the unit quaternion of their axes, of a symmetric
  // matrix xx yy zz xy xz yz: what compiling makes of fullinertia. Since 1.0.
  void (*principal_axes)(const double *matrix, double *moments, double *quat);

  // Elements and settings since 1.1.
  SN_ELEMENTS_1_1(SN_BUILDER_ADD)
  SN_ELEMENTS_1_1(SN_BUILDER_GET)
  SN_SETTINGS_1_1(SN_BUILDER_SETTING)
#undef SN_BUILDER_ADD
#undef SN_BUILDER_GET
#undef SN_BUILDER_SETTING
};

SN_END_DECLS

#include "sinew/defaults.h"

#endif
