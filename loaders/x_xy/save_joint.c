// SPDX-License-Identifier: Apache-2.0
//
// Joints of a body as joints of the format. The longest match wins:
//
//   free                        free       position and rotation about the pose at the start
//   slide x y z, ball           free
//   slide x y z                 p3d
//   slide y z, hinge x          free_2d
//   hinge, hinge across it      saddle     frame: y and z along their axes
//   ball                        spherical
//   slide, hinge                px py pz, rx ry rz; frame: x along an axis that is none of these
//
// Numbers stand in the order of the format, rotation first.

#include <math.h>
#include <string.h>

#include "sinew/math.h"
#include "x_xy/save.h"

enum { MOST = 6 };   // joints that are looked at together

typedef struct row {   // joints of a body, from one on
  sn_joint_def joint[MOST];
  int32_t n;
} row;

// ------------------------------------------------------------------ numbers of a dof

static double value(double scalar, const double *dof, int k) {
  return isnan(dof[k]) ? scalar : dof[k];
}

// dof k of a joint as number `to` of the group.
static void put_dof(x_group *g, const sn_joint_def *d, int k, int to) {
  g->damping[to] = value(d->damping, d->dof_damping, k);
  g->armature[to] = value(d->armature, d->dof_armature, k) - X_XY_RIDGE;
  g->stiffness[to] = value(d->stiffness, d->dof_stiffness, k);
}

static void put_scalar(const x_writer *w, x_group *g, const sn_joint_def *d, int to, int zero) {
  int degrees = w->compiler.degree && d->type == SN_JOINT_HINGE;
  put_dof(g, d, 0, to);
  g->zero[zero] = (d->springref - d->ref) * (degrees ? SN_PI / 180 : 1);
}

// A ball, whose quaternion and three dofs stand first.
static void put_ball(x_group *g, const sn_joint_def *d, int first) {
  for (int k = 0; k < 3; k++) {
    put_dof(g, d, first + k, k);
  }
  sn_identity_quat(g->zero);
  if (!isnan(d->springquat[0])) {
    sn_conj_quat(g->zero, d->springquat);
    sn_normalize4(g->zero);
  }
}

// ------------------------------------------------------------------ what is not of the format

static int any(const double *p, int n) {
  for (int i = 0; i < n; i++) {
    if (!isnan(p[i]) && p[i] != 0) {
      return 1;
    }
  }
  return 0;
}

static void check(x_writer *w, const sn_joint_def *d, int32_t id) {
  const char *name = d->name ? d->name : "";
  int limited = d->limited == SN_TRUE || (d->limited == SN_AUTO && w->compiler.autolimits &&
                                          (d->range[0] != 0 || d->range[1] != 0));
  if (limited && d->type != SN_JOINT_FREE) {
    x_cannot(w, "the limit of joint '%s' (%d)", name, id);
  }
  if (d->frictionloss != 0 || any(d->dof_frictionloss, 6)) {
    x_cannot(w, "the friction loss of joint '%s' (%d)", name, id);
  }
  if (d->user.n > 0) {
    x_drop(w, "the user numbers of joint '%s' (%d) are not written", name, id);
  }
  if (d->type >= SN_JOINT_SLIDE && d->ref != 0) {
    x_drop(w, "the ref %g of joint '%s' (%d): coordinates of x_xy are zero in the initial pose",
           d->ref, name, id);
  }
  if (d->type >= SN_JOINT_SLIDE && (d->actfrcrange[0] != 0 || d->actfrcrange[1] != 0)) {
    x_drop(w, "the actuatorfrcrange of joint '%s' (%d) is not written", name, id);
  }
  if (d->actgravcomp) {
    x_drop(w, "the actuatorgravcomp of joint '%s' (%d) is not written", name, id);
  }
  if (d->springdamper[0] > 0 && d->springdamper[1] > 0) {
    x_cannot(w, "the springdamper of joint '%s' (%d); write its stiffness and damping", name, id);
  }
}

// ------------------------------------------------------------------ matches

static int along(const sn_joint_def *d, int type, int axis) {
  double a[3];
  if (d->type != type) {
    return 0;
  }
  sn_copy3(a, d->axis);
  sn_normalize3(a);
  return a[axis] == 1;
}

static int slides_xyz(const row *r) {
  return r->n >= 3 && along(&r->joint[0], SN_JOINT_SLIDE, 0) &&
         along(&r->joint[1], SN_JOINT_SLIDE, 1) && along(&r->joint[2], SN_JOINT_SLIDE, 2);
}

static int32_t match_free(x_writer *w, const row *r, x_group *g) {
  const sn_joint_def *d = &r->joint[0];
  if (d->type != SN_JOINT_FREE) {
    return 0;
  }
  *g = (x_group){ .joint = "free", .nq = 7, .nv = 6, .frame.quat = { 1 } };
  put_ball(g, d, 3);
  for (int k = 0; k < 3; k++) {
    put_dof(g, d, k, 3 + k);
  }
  // along the axes of the world here, of the body at the start there
  int same = 1;
  for (int k = 4; k < 6; k++) {
    same = same && g->damping[k] == g->damping[3] && g->armature[k] == g->armature[3] &&
           g->stiffness[k] == g->stiffness[3];
  }
  if (!same) {
    x_cannot(w, "different numbers along the axes of the free joint '%s'", d->name ? d->name : "");
  }
  if (!isnan(d->springquat[0]) && (d->stiffness != 0 || any(d->dof_stiffness, 6))) {
    x_cannot(w, "the rest pose of the spring of the free joint '%s'", d->name ? d->name : "");
  }
  return 1;
}

static int32_t match_slides_ball(x_writer *w, const row *r, x_group *g) {
  if (!slides_xyz(r) || r->n < 4 || r->joint[3].type != SN_JOINT_BALL) {
    return 0;
  }
  *g = (x_group){ .joint = "free", .nq = 7, .nv = 6, .frame.quat = { 1 } };
  put_ball(g, &r->joint[3], 0);
  for (int k = 0; k < 3; k++) {
    put_scalar(w, g, &r->joint[k], 3 + k, 4 + k);
  }
  sn_copy3(g->frame.pos, r->joint[3].pos);
  return 4;
}

static int32_t match_p3d(x_writer *w, const row *r, x_group *g) {
  if (!slides_xyz(r)) {
    return 0;
  }
  *g = (x_group){ .joint = "p3d", .nq = 3, .nv = 3, .frame.quat = { 1 } };
  for (int k = 0; k < 3; k++) {
    put_scalar(w, g, &r->joint[k], k, k);
  }
  return 3;
}

static int32_t match_free_2d(x_writer *w, const row *r, x_group *g) {
  if (r->n < 3 || !along(&r->joint[0], SN_JOINT_SLIDE, 1) ||
      !along(&r->joint[1], SN_JOINT_SLIDE, 2) || !along(&r->joint[2], SN_JOINT_HINGE, 0)) {
    return 0;
  }
  *g = (x_group){ .joint = "free_2d", .nq = 3, .nv = 3, .frame.quat = { 1 } };
  put_scalar(w, g, &r->joint[2], 0, 0);
  put_scalar(w, g, &r->joint[0], 1, 1);
  put_scalar(w, g, &r->joint[1], 2, 2);
  sn_copy3(g->frame.pos, r->joint[2].pos);
  return 3;
}

static int32_t match_saddle(x_writer *w, const row *r, x_group *g) {
  static const double across = 1e-14;   // cosine of axes that are
  const sn_joint_def *a = &r->joint[0], *b = &r->joint[1];
  double x[3], y[3], z[3];
  if (r->n < 2 || a->type != SN_JOINT_HINGE || b->type != SN_JOINT_HINGE ||
      memcmp(a->pos, b->pos, sizeof a->pos) != 0) {
    return 0;
  }
  sn_copy3(y, a->axis);
  sn_copy3(z, b->axis);
  sn_normalize3(y);
  sn_normalize3(z);
  if (fabs(sn_dot3(y, z)) > across) {
    return 0;
  }
  sn_cross(x, y, z);
  const double mat[9] = { x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2] };
  *g = (x_group){ .joint = "saddle", .nq = 2, .nv = 2 };
  put_scalar(w, g, a, 0, 0);
  put_scalar(w, g, b, 1, 1);
  sn_copy3(g->frame.pos, a->pos);
  sn_mat_quat(g->frame.quat, mat);
  return 2;
}

static int32_t match_ball(x_writer *w, const row *r, x_group *g) {
  (void)w;
  if (r->joint[0].type != SN_JOINT_BALL) {
    return 0;
  }
  *g = (x_group){ .joint = "spherical", .nq = 4, .nv = 3, .frame.quat = { 1 } };
  put_ball(g, &r->joint[0], 0);
  sn_copy3(g->frame.pos, r->joint[0].pos);
  return 1;
}

// The rotation of x to a direction.
static void x_to_quat(double *quat, const double *direction) {
  const double back[4] = { sqrt(0.5), 0, -sqrt(0.5), 0 };   // x to z
  double turn[4];
  sn_z_to_quat(turn, direction);
  sn_mul_quat(quat, turn, back);
}

static int32_t match_one(x_writer *w, const row *r, x_group *g) {
  static const char *const names[2][3] = { { "px", "py", "pz" }, { "rx", "ry", "rz" } };
  const sn_joint_def *d = &r->joint[0];
  int turns = d->type == SN_JOINT_HINGE, axis = 0;
  *g = (x_group){ .nq = 1, .nv = 1, .frame.quat = { 1 } };
  while (axis < 3 && !along(d, d->type, axis)) {
    axis++;
  }
  g->joint = names[turns][axis % 3];
  if (axis == 3) {
    x_to_quat(g->frame.quat, d->axis);
  }
  if (turns) {
    sn_copy3(g->frame.pos, d->pos);
  }
  put_scalar(w, g, d, 0, 0);
  return 1;
}

// ------------------------------------------------------------------ groups

static int32_t (*const matches[])(x_writer *w, const row *r, x_group *g) = {
  match_free, match_slides_ball, match_p3d, match_free_2d, match_saddle, match_ball, match_one,
};

void x_next_group(x_writer *w, int32_t *joint, x_group *group) {
  row r = { .n = 0 };
  for (int32_t i = *joint; i >= 0 && r.n < MOST; i = w->joint.next[i]) {
    sn_joint_def *d = &r.joint[r.n++];
    d->def_size = sizeof *d;
    w->b->get_joint(w->b->spec, i, d, NULL);
  }
  int32_t taken = 0;
  for (size_t i = 0; i < sizeof matches / sizeof matches[0] && taken == 0; i++) {
    taken = matches[i](w, &r, group);
  }
  for (int32_t k = 0; k < taken; k++) {
    check(w, &r.joint[k], *joint);
    *joint = w->joint.next[*joint];
  }
}
