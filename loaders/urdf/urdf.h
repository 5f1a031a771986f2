// SPDX-License-Identifier: Apache-2.0
//
// The inside of the URDF loader. One urdf_reader lives through one load:
//
//   plugin.c        the plugin and its parameters (parameters.h); all else is its part
//   check.c         what may stand where; what is of other programs is noted
//   extension.c     element `mujoco`: compiler, option, size
//   urdf.c          the document: links and joints become a tree of bodies
//   note.c          what is left out or repaired: notes and warnings
//   link.c          materials, shapes; inertia.c: inertial; massless.c: links without any
//   locate.c        where a mesh file is; package.c: where a ROS package is
//   joint.c         joints, limits, dynamics; mimic.c: mimic joints
//   actuator.c      motors and servos; transmission.c: those of transmissions
//
// Conventions: rpy are radians about fixed x, y, z; lengths of cylinders are full; the frame of a
// link is that of the joint above it.

#ifndef LOADERS_URDF_URDF_H
#define LOADERS_URDF_URDF_H

#include "sinew/loader.h"
#include "sinew/xml/value.h"
#include "urdf/parameters.h"

// A link, and the joint that carries it.
typedef struct urdf_link {
  const xml_node *node, *joint;   // joint NULL: a root
  const char *name;
  int32_t parent;              // link; -1: none, or the world without a link of its own
  int32_t first, last, next;   // children, as joints are written; -1: none
  int32_t body;                // id in the spec
  int32_t reached;
  int32_t nsolid;   // collision shapes that became geoms
} urdf_link;

// Something that the model does not hold, reported once however often it occurs.
typedef struct urdf_note urdf_note;
struct urdf_note {
  urdf_note *next;
  const char *text;
  sn_location location;   // the first
  int64_t count;
  int32_t is_warning;
};

// A package that was sought.
typedef struct urdf_package urdf_package;
struct urdf_package {
  urdf_package *next;
  const char *name;
  const char *folder;   // relative to the robot's file, or absolute; NULL: not found
};

typedef struct urdf_reader {
  xml_reader xml;
  xml_document doc;
  const sn_builder *b;
  const urdf_params *params;
  sn_source *source;
  const xml_node *robot;
  sn_compiler compiler;
  const char *meshdir;   // "": none
  urdf_link *link;       // in the order of the file
  int64_t nlink;
  int32_t *by_name;   // links, sorted by name
  urdf_note *notes, **last_note;
  int64_t nnotes;
  urdf_package *packages;
} urdf_reader;

// ------------------------------------------------------------------ note.c

// [load] Notes that something is left out or repaired, so that the model moves otherwise than the
// file says: a warning of the model, or with `strict` an error.
sn_status urdf_leave(urdf_reader *r, const xml_node *node, const xml_attr *attr, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));
// [load] Notes what is worth knowing and does not change how the model moves.
sn_status urdf_note_that(urdf_reader *r, const xml_node *node, const xml_attr *attr,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
// [load] Lists all of them.
sn_status urdf_tell_notes(urdf_reader *r);

// ------------------------------------------------------------------ urdf.c

sn_status urdf_load(const void *self, sn_source *source, const sn_builder *builder,
                    sn_error *error);
sn_status urdf_no_memory(urdf_reader *r, const xml_node *node);
// Has the link a joint of some degree of freedom above it?
int urdf_moves(const urdf_reader *r, const urdf_link *link);
// The link of that name, or -1.
int32_t urdf_find_link(const urdf_reader *r, const char *name);
// An attribute that must be there.
sn_status urdf_need(urdf_reader *r, const xml_node *node, const char *name, const xml_attr **attr);
// The only child of that name; NULL: none. More than one is an error.
sn_status urdf_only(urdf_reader *r, const xml_node *node, const char *name, const xml_node **out);
// Exactly n numbers, separated by blanks or commas; unchanged when the attribute is absent, unless
// it is required.
sn_status urdf_reals(urdf_reader *r, const xml_node *node, const char *name, int32_t required,
                     int64_t n, double *out);
// The same, where the numbers may be infinite.
sn_status urdf_bounds(urdf_reader *r, const xml_node *node, const char *name, int32_t required,
                      int64_t n, double *out);
// Element `origin` of a node: position, unit quaternion. The identity when it is absent.
sn_status urdf_origin(urdf_reader *r, const xml_node *node, double *pos, double *quat);

// ------------------------------------------------------------------ the others

// All of the document but what readers of their own look at: extension.c, transmission.c.
sn_status urdf_check(urdf_reader *r, const xml_node *robot);
// Notes text between the children of an element; attributes that are none of "a|b".
sn_status urdf_check_text(urdf_reader *r, const xml_node *node);
sn_status urdf_check_attributes(urdf_reader *r, const xml_node *node, const char *known);
sn_status urdf_read_extension(urdf_reader *r, const xml_node *robot);
sn_status urdf_read_inertial(urdf_reader *r, const xml_node *link, sn_body_def *body);
// The least principal moment that repaired inertia has, of a body of this mass.
double urdf_least_moment(double mass);
// Moving links that carry nothing of mass are rejected with the cure, or given a little.
sn_status urdf_check_masses(urdf_reader *r);
sn_status urdf_read_shapes(urdf_reader *r, urdf_link *link);
// [load] Opens the file of a mesh, wherever it is; the caller closes it. NULL: there is none, and
// its shape is left out.
sn_status urdf_open_mesh(urdf_reader *r, const xml_node *node, const xml_attr *attr, int visual,
                         sn_source **file);
// [load] The folder of the package whose package.xml says this name, or NULL.
sn_status urdf_find_package(urdf_reader *r, const char *name, size_t length, const char **folder);
// Can its folders be listed? Not by older hosts, nor where a program reads from elsewhere.
int urdf_can_list(const sn_source *source);
// Part of a file name behind the last separator.
const char *urdf_base_name(const char *path);
// The next folder of a list that ':' separates, without slashes at its end; advances *list. Empty
// ones are passed over. 0: there is none.
int urdf_next_folder(const char **list, const char **folder, size_t *length);
sn_status urdf_check_joint(urdf_reader *r, const xml_node *joint);
sn_status urdf_read_joint(urdf_reader *r, const xml_node *joint, int32_t body);
int urdf_is_fixed(const xml_node *joint);
int urdf_is_floating(const xml_node *joint);
// A hinge or a slide of that name, or -1.
int32_t urdf_find_single(const urdf_reader *r, const char *name);
sn_status urdf_read_mimics(urdf_reader *r);
// The effort limit of a joint of URDF, 0 when it has none: not positive, or infinite.
sn_status urdf_read_effort(urdf_reader *r, const xml_node *joint, double *effort);
// Bounds an actuator by the effort of its joint; the joint's own limit then is not needed, where
// no other actuator acts on it.
sn_status urdf_bound_actuator(urdf_reader *r, const xml_node *joint, double effort, int alone,
                              sn_actuator_def *d);
sn_status urdf_read_actuators(urdf_reader *r);
sn_status urdf_read_transmissions(urdf_reader *r);

#endif
