// SPDX-License-Identifier: Apache-2.0
//
// What the files of the x_xy loader share.
//
//   plugin.c  the plugin and its parameters (parameters.h); all else is its part
//   x_xy.c    the document: options, defaults, the tree
//   body.c    one body: frame, checks, springs and dampers, mass
//   joint.c   the table of joints: a name and the primitive joints that it consists of
//   custom.c  joints of a file of the user
//   axes.c    the axes that the format draws at random
//   geom.c    shapes, colors
//   save.h    the way back
//
// Conventions of the format, turned into those of the spec: quaternions map parent to child and
// are conjugated; Euler angles are degrees about fixed x, y, z; lengths are full; gravity is the
// acceleration of the base, so its sign is turned; cylinders and capsules lie along x.

#ifndef LOADERS_X_XY_X_XY_H
#define LOADERS_X_XY_X_XY_H

#include "sinew/loader.h"
#include "sinew/xml/value.h"
#include "x_xy/parameters.h"

enum { X_XY_MAX_PRIMITIVES = 7, X_XY_MAX_DOF = 9, X_XY_MAX_Q = 10 };

// Added to every armature, as the original's dynamics does.
#define X_XY_RIDGE 1e-6

// kg, and kg m^2: of a moving body without mass, which is legal in the format. Twice what the
// compiler takes for none, so that chains of written bodies move as the body that they represent.
#define X_XY_MASSLESS 2e-15

// One primitive joint of an x_xy joint.
typedef struct x_primitive {
  int32_t type;         // SN_JOINT_BALL, SLIDE, HINGE
  int32_t axis;         // 0 1 2: x y z; 3, 4: first, second drawn axis; 5: own
  int32_t q, qd;        // where its numbers lie in the format's q and qd
  int32_t outer;        // 1: belongs to an outer body of its own (cor)
  const char *suffix;   // of its name, after the body's; "" where there is one joint
  double own[3];        // axis 5
} x_primitive;

typedef struct x_joint {
  const char *name;
  int32_t nq, nv;
  int32_t draws;   // 0: none; else which axes of axes.c
  int32_t nprimitive;
  x_primitive primitive[X_XY_MAX_PRIMITIVES];
} x_joint;

enum { X_DRAW_NONE = 0, X_DRAW_RR = 1, X_DRAW_RR_IMP = 2, X_DRAW_RSADDLE = 3, X_NDRAWS = 4 };

// One body element with what is known of it before it is added.
typedef struct x_link {
  const xml_node *node;
  const x_joint *joint;
  int32_t parent;      // link; -1: the world
  int32_t body;        // id in the spec, that geoms and children belong to
  double axis[2][3];   // drawn
} x_link;

typedef struct x_loader {
  xml_reader r;
  xml_arena *arena;   // of the document
  const sn_builder *b;
  const x_params *params;
  const xml_node *default_body, *default_geom;   // NULL: none
  sn_source *source;
  x_joint *custom;
  char *custom_names;
  int64_t ncustom;
  x_link *link;
  int64_t nlink;
  uint32_t warned;   // bits of attributes without effect that were listed
} x_loader;

// body.c
sn_status x_add_link(x_loader *l, x_link *link);
// The attribute of an element, else that of the defaults; NULL: neither. *from: the node with it.
const xml_attr *x_attr(const x_loader *l, const xml_node *node, const char *name,
                       const xml_node **from);
// Position and orientation of a body or geom. Unit quaternion, child to parent.
sn_status x_read_pose(x_loader *l, const xml_node *node, double *pos, double *quat);
// Exactly n numbers of an attribute; unchanged when it is absent.
sn_status x_read_numbers(x_loader *l, const xml_node *node, const char *name, int64_t n,
                         double *out);

// joint.c
const x_joint *x_find_joint(const x_loader *l, const char *name);
void x_nearest_joint(const x_loader *l, const char *name, xml_nearest *nearest);

// custom.c: reads the file of the parameter `joints`, if there is one.
sn_status x_read_custom(x_loader *l);

// axes.c: draws the axes of every link, in the order of the original.
sn_status x_draw_axes(x_loader *l);
// Uniform in [0, 1) for number i of a link's position.
double x_draw_uniform(int64_t seed, int64_t link, int64_t i);

// geom.c
sn_status x_add_geom(x_loader *l, const xml_node *node, int32_t body, double *mass);

#endif
