// SPDX-License-Identifier: Apache-2.0
//
// The inside of the URDF loader. One urdf_reader lives through one load:
//
//   check.c         what may stand where; what is of other programs is noted
//   extension.c     element `mujoco`: compiler, option, size
//   urdf.c          the plugin, the document: links and joints become a tree of bodies
//   link.c          materials, shapes; inertia.c: inertial
//   locate.c        where a mesh file is
//   joint.c         joints, limits, dynamics, mimic; transmission.c: motors
//
// Conventions: rpy are radians about fixed x, y, z; lengths of cylinders are full; the frame of a
// link is that of the joint above it.

#ifndef LOADERS_URDF_URDF_H
#define LOADERS_URDF_URDF_H

#include "sinew/loader.h"
#include "xml/value.h"

#define URDF_TRY(call)             \
  do {                             \
    sn_status try_status = (call); \
    if (try_status < 0) {          \
      return try_status;           \
    }                              \
  } while (0)

typedef struct urdf_params {
  int32_t strict, mimic, transmissions;
  char *package_path;   // folders, separated by ':'
} urdf_params;

// A link, and the joint that carries it.
typedef struct urdf_link {
  const xml_node *node, *joint;   // joint NULL: a root
  const char *name;
  int32_t parent;              // link; -1: a root
  int32_t first, last, next;   // children, as joints are written; -1: none
  int32_t body;                // id in the spec
  int32_t reached;
} urdf_link;

// Something that the model does not hold, said once however often it is met.
typedef struct urdf_note urdf_note;
struct urdf_note {
  urdf_note *next;
  const char *text;
  sn_place place;   // the first
  int64_t count;
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
} urdf_reader;

// ------------------------------------------------------------------ urdf.c

// [load] Notes what is left out or repaired: a warning of the model, or with `strict` an error.
sn_status urdf_leave(urdf_reader *r, const xml_node *node, const xml_attr *attr, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));
sn_status urdf_no_memory(urdf_reader *r, const xml_node *node);
// The link of that name, or -1.
int32_t urdf_find_link(const urdf_reader *r, const char *name);
// An attribute that must be there.
sn_status urdf_need(urdf_reader *r, const xml_node *node, const char *name, const xml_attr **attr);
// The only child of that name; NULL: none. More than one is an error.
sn_status urdf_only(urdf_reader *r, const xml_node *node, const char *name, const xml_node **out);
// Exactly n numbers; unchanged when the attribute is absent, unless it is required.
sn_status urdf_reals(urdf_reader *r, const xml_node *node, const char *name, int32_t required,
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
sn_status urdf_read_shapes(urdf_reader *r, const xml_node *link, int32_t body);
// [load] Opens the file of a mesh, wherever it is; the caller closes it.
sn_status urdf_open_mesh(urdf_reader *r, const xml_node *node, const xml_attr *attr,
                         sn_source **file);
// Part of a file name behind the last separator.
const char *urdf_base_name(const char *path);
sn_status urdf_check_joint(urdf_reader *r, const xml_node *joint);
sn_status urdf_read_joint(urdf_reader *r, const xml_node *joint, int32_t body);
sn_status urdf_read_mimics(urdf_reader *r);
sn_status urdf_read_transmissions(urdf_reader *r);

#endif
