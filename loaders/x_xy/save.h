// SPDX-License-Identifier: Apache-2.0
//
// The inside of saving x_xy.
//
//   save.c         the document and the tree; what the format cannot say
//   save_joint.c   joints of a body as joints of the format
//   save_geom.c    shapes, masses, orientations
//
// A joint of the format turns about, or slides along, an axis of its body's frame. So a body that
// is written may have another frame than the body of the spec, such that its axis fits:
//
//   T   frame of the written body, in the frame of the spec's body
//
// and everything inside is written with the inverse of T before it. A body of the spec with joints
// that no joint of the format stands for becomes a chain of written bodies, one for each group of
// its joints, of which the last one holds what the body holds. Coordinates keep their order.

#ifndef LOADERS_X_XY_SAVE_H
#define LOADERS_X_XY_SAVE_H

#include "x_xy/x_xy.h"

typedef struct x_pose {
  double pos[3], quat[4];
} x_pose;

// What belongs to a body: ids of one kind, in the order of adding.
typedef struct x_owned {
  int32_t *first, *next;   // by body; by element. -1: no more
} x_owned;

typedef struct x_writer {
  const sn_builder *b;
  const x_params *params;
  sn_sink *sink;
  sn_error *error;
  sn_status status;   // the first failure
  sn_compiler compiler;
  int64_t nbody;
  x_owned body, joint, geom, site;   // children of a body; ...
  int32_t *weld;                     // by body: the nearest ancestor that moves, or itself
  double *found;   // by body: mass, center, quaternion, moments, as compiled; NULL: not asked for
  int64_t ncannot;
  size_t used;
  char cannot[1400];
} x_writer;

// A group of joints of a body, as one joint of the format.
typedef struct x_group {
  const char *joint;
  int32_t nq, nv;
  x_pose frame;   // T
  double damping[6], armature[6], stiffness[6], zero[7];
} x_group;

// ------------------------------------------------------------------ save.c

// The operation `save` of loader.h.
sn_status x_xy_save(const void *self, const sn_builder *builder, sn_sink *sink, sn_error *error);
// Something that moves otherwise without it: an error in the end, or with `lossy` a warning.
void x_cannot(x_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Something without influence on the motion: a warning.
void x_drop(x_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void x_put(x_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void x_put_text(x_writer *w, const char *name, const char *text);
void x_put_reals(x_writer *w, const char *name, const double *value, int64_t n);
// pos and quat of an element, where they are not zero.
void x_put_pose(x_writer *w, const x_pose *pose);

// ------------------------------------------------------------------ save_joint.c

// The next group of joints of a body, from joint id *joint on, which moves past it.
void x_next_group(x_writer *w, int32_t *joint, x_group *group);

// ------------------------------------------------------------------ save_geom.c

// A unit quaternion of any of the ways to say one.
void x_orient(x_writer *w, const sn_orient *orient, double *quat);
// The inertia of bodies as the compiler infers it, where the spec does not specify it.
void x_find_inertia(x_writer *w);
// The geoms and the inertia of a body, in a frame whose inverse is `into`.
void x_write_matter(x_writer *w, int32_t body, const x_pose *into, int depth);

// out = a b; out may be an input.
void x_compose(x_pose *out, const x_pose *a, const x_pose *b);
void x_invert(x_pose *out, const x_pose *a);

#endif
