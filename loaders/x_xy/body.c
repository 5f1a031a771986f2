// SPDX-License-Identifier: Apache-2.0
//
// One body: its frame, its joints with a number a degree of freedom, its mass.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/math.h"
#include "x_xy/x_xy.h"

// ------------------------------------------------------------------ attributes

const xml_attr *x_attr(const x_loader *l, const xml_node *node, const char *name,
                       const xml_node **from) {
  const xml_node *fallback = strcmp(node->name, "body") == 0   ? l->default_body
                             : strcmp(node->name, "geom") == 0 ? l->default_geom
                                                               : NULL;
  const xml_attr *attr = xml_find_attr(node, name);
  *from = node;
  if (!attr && fallback) {
    attr = xml_find_attr(fallback, name);
    *from = fallback;
  }
  return attr;
}

sn_status x_read_numbers(x_loader *l, const xml_node *node, const char *name, int64_t n,
                         double *out) {
  const xml_node *from;
  const xml_attr *attr = x_attr(l, node, name, &from);
  if (attr && n == 0) {
    return xml_fail(&l->r, SN_EPARSE, from, attr,
                    "this joint has no degrees of freedom, so "
                    "'%s' takes no numbers; remove it",
                    name);
  }
  return attr ? xml_read_reals(&l->r, from, attr, n, n, out, NULL) : SN_OK;
}

// q: parent to child, of any length. out: child to parent, unit.
static sn_status turn_quat(x_loader *l, const xml_node *from, const xml_attr *attr, const double *q,
                           double *out) {
  sn_conj_quat(out, q);
  double length = sn_normalize4(out);
  if (length < SN_TINY) {
    return xml_fail(&l->r, SN_EPARSE, from, attr, "a quaternion of zeros is not a rotation");
  }
  if (fabs(length - 1) > 1e-5) {
    const sn_location location = { from->file, attr->line, attr->column };
    l->b->warn(l->b->spec, &location, "the quaternion was normalized");
  }
  return SN_OK;
}

// Degrees about fixed x, then y, then z.
static void euler_quat(const double *euler, double *out) {
  double turn[4];
  sn_identity_quat(out);
  for (int i = 0; i < 3; i++) {
    const double axis[3] = { i == 0, i == 1, i == 2 };
    sn_axisangle_quat(turn, axis, euler[i] * SN_PI / 180);
    sn_mul_quat(out, turn, out);
  }
}

sn_status x_read_pose(x_loader *l, const xml_node *node, double *pos, double *quat) {
  const xml_node *from_quat, *from_euler;
  const xml_attr *attr = x_attr(l, node, "quat", &from_quat);
  const xml_attr *euler = x_attr(l, node, "euler", &from_euler);
  sn_zero3(pos);
  sn_identity_quat(quat);
  SN_TRY(x_read_numbers(l, node, "pos", 3, pos));
  if (attr && euler) {
    return xml_fail(
        &l->r, SN_EPARSE, node, NULL,
        "'quat' and 'euler' both specify the orientation (one of them may come from the defaults); "
        "remove one");
  }
  double given[4];
  if (attr) {
    SN_TRY(xml_read_reals(&l->r, from_quat, attr, 4, 4, given, NULL));
    return turn_quat(l, from_quat, attr, given, quat);
  }
  if (euler) {
    SN_TRY(xml_read_reals(&l->r, from_euler, euler, 3, 3, given, NULL));
    euler_quat(given, quat);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ position at random

static sn_status read_random_position(x_loader *l, const x_link *link, double *pos) {
  const xml_node *from, *from_max;
  const xml_attr *min = x_attr(l, link->node, "pos_min", &from);
  const xml_attr *max = x_attr(l, link->node, "pos_max", &from_max);
  if (!min && !max) {
    return SN_OK;
  }
  if (!min || !max) {
    return xml_fail(&l->r, SN_EPARSE, link->node, NULL,
                    "'pos_min' and 'pos_max' must be specified together; '%s' is missing",
                    min ? "pos_max" : "pos_min");
  }
  double lo[3], hi[3];
  SN_TRY(xml_read_reals(&l->r, from, min, 3, 3, lo, NULL));
  SN_TRY(xml_read_reals(&l->r, from_max, max, 3, 3, hi, NULL));
  if (lo[0] == hi[0] && lo[1] == hi[1] && lo[2] == hi[2]) {
    return xml_fail(&l->r, SN_EPARSE, from_max, max,
                    "'pos_min' and 'pos_max' are equal; use 'pos' instead");
  }
  for (int i = 0; i < 3; i++) {
    if (hi[i] < lo[i]) {
      return xml_fail(&l->r, SN_EPARSE, from_max, max,
                      "number %d of 'pos_max' is less than that of 'pos_min'", i + 1);
    }
    if (l->params->randomize_pos) {
      pos[i] = lo[i] + (hi[i] - lo[i]) * x_draw_uniform(l->params->seed, link - l->link, i);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ joints

// The name of a part of a body.
static sn_status name_part(x_loader *l, const xml_node *node, const char *name, const char *suffix,
                           const char **out) {
  *out = xml_join(l->arena, name, suffix);
  return *out ? SN_OK : xml_fail(&l->r, SN_ENOMEM, node, NULL, "out of memory");
}

typedef struct numbers {
  double damping[X_XY_MAX_DOF], armature[X_XY_MAX_DOF], stiffness[X_XY_MAX_DOF];
  double zero[X_XY_MAX_Q];
} numbers;

// Where the quaternion of a joint that turns freely lies in q; -1: none.
static int32_t ball_of(const x_joint *joint) {
  for (int32_t i = 0; i < joint->nprimitive; i++) {
    if (joint->primitive[i].type == SN_JOINT_BALL) {
      return joint->primitive[i].q;
    }
  }
  return -1;
}

static sn_status read_zero_quat(x_loader *l, const x_link *link, const double *zero, int32_t at) {
  const xml_node *from;
  const xml_attr *attr = x_attr(l, link->node, "spring_zero", &from);
  double length = sqrt(zero[0] * zero[0] + zero[1] * zero[1] + zero[2] * zero[2] +
                       zero[3] * zero[3]);
  if (fabs(length - 1) > 1e-5) {
    return xml_fail(
        &l->r, SN_EPARSE, attr ? from : link->node, attr,
        "numbers %d to %d of 'spring_zero' are a quaternion; its length must be 1, got %g", at + 1,
        at + 4, length);
  }
  return SN_OK;
}

static sn_status read_joint_numbers(x_loader *l, const x_link *link, numbers *n) {
  const x_joint *joint = link->joint;
  memset(n, 0, sizeof *n);
  int32_t ball = ball_of(joint);
  if (ball >= 0) {
    n->zero[ball] = 1;
  }
  SN_TRY(x_read_numbers(l, link->node, "damping", joint->nv, n->damping));
  SN_TRY(x_read_numbers(l, link->node, "armature", joint->nv, n->armature));
  SN_TRY(x_read_numbers(l, link->node, "spring_stiff", joint->nv, n->stiffness));
  SN_TRY(x_read_numbers(l, link->node, "spring_zero", joint->nq, n->zero));
  return ball >= 0 ? read_zero_quat(l, link, n->zero + ball, ball) : SN_OK;
}

// Numbers of the three degrees of freedom of a ball: one number where they are the same.
static void set_dofs(const double *given, double more, double *scalar, double *dof) {
  if (given[0] == given[1] && given[1] == given[2]) {
    *scalar = given[0] + more;
    return;
  }
  for (int i = 0; i < 3; i++) {
    dof[i] = given[i] + more;
  }
}

static void fill_ball(const x_primitive *p, const numbers *n, sn_joint_def *d) {
  const double *zero = n->zero + p->q;
  set_dofs(n->damping + p->qd, 0, &d->damping, d->dof_damping);
  set_dofs(n->armature + p->qd, X_XY_RIDGE, &d->armature, d->dof_armature);
  set_dofs(n->stiffness + p->qd, 0, &d->stiffness, d->dof_stiffness);
  if (zero[1] != 0 || zero[2] != 0 || zero[3] != 0) {
    sn_conj_quat(d->springquat, zero);
  }
}

static void fill_axis(const x_link *link, const x_primitive *p, const numbers *n, sn_joint_def *d) {
  sn_zero3(d->axis);
  if (p->axis < 3) {
    d->axis[p->axis] = 1;
  } else if (p->axis == 5) {
    sn_copy3(d->axis, p->own);
  } else {
    sn_copy3(d->axis, link->axis[p->axis - 3]);
  }
  d->damping = n->damping[p->qd];
  d->armature = n->armature[p->qd] + X_XY_RIDGE;
  d->stiffness = n->stiffness[p->qd];
  d->springref = n->zero[p->q];
}

static sn_status add_joint(x_loader *l, const x_link *link, const char *name, const x_primitive *p,
                           const numbers *n, int32_t body) {
  sn_joint_def d;
  int32_t id;
  const sn_location location = xml_location(link->node);
  sn_default_joint(&d);
  SN_TRY(name_part(l, link->node, name, p->suffix, &d.name));
  d.body = body;
  d.type = p->type;
  if (p->type == SN_JOINT_BALL) {
    fill_ball(p, n, &d);
  } else {
    fill_axis(link, p, n, &d);
  }
  return l->b->add_joint(l->b->spec, &d, &location, &id, l->r.error);
}

static sn_status add_joints(x_loader *l, const x_link *link, const char *name, const numbers *n,
                            int32_t body, int32_t outer) {
  for (int32_t i = 0; i < link->joint->nprimitive; i++) {
    if (link->joint->primitive[i].outer == outer) {
      SN_TRY(add_joint(l, link, name, &link->joint->primitive[i], n, body));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ bodies

// A moving body without mass is legal in the format: only the ridge holds its joints.
static void almost_massless(sn_body_def *d) {
  d->inertial = 1;
  d->mass = X_XY_MASSLESS;
  d->diaginertia[0] = d->diaginertia[1] = d->diaginertia[2] = X_XY_MASSLESS;
}

// A joint with an outer part: that part gets a body of its own, the parent of the body.
static sn_status add_outer(x_loader *l, const x_link *link, const char *name, const numbers *n,
                           sn_body_def *d) {
  const sn_location location = xml_location(link->node);
  int32_t id;
  if (!link->joint->nprimitive || !link->joint->primitive[0].outer) {
    return SN_OK;
  }
  l->b->warn(l->b->spec, &location, "the original engine rejects a joint 'cor' in a file");
  sn_body_def outer = *d;
  SN_TRY(name_part(l, link->node, name, ".outer", &outer.name));
  almost_massless(&outer);
  SN_TRY(l->b->add_body(l->b->spec, &outer, &location, &id, l->r.error));
  SN_TRY(add_joints(l, link, name, n, id, 1));
  sn_default_body(d);
  d->parent = id;
  return SN_OK;
}

static sn_status add_omc(x_loader *l, const xml_node *node, const char *name, int32_t body,
                         int32_t count) {
  const sn_location location = xml_location(node);
  const xml_attr *marker = xml_find_attr(node, "pos_marker");
  char text[32];
  int32_t number, id;
  if (count > 0) {
    return xml_fail(&l->r, SN_EPARSE, node, NULL, "a body has at most one 'omc'");
  }
  if (!marker) {
    return xml_fail(&l->r, SN_EPARSE, node, NULL,
                    "'omc' requires the attribute 'pos_marker', an integer");
  }
  SN_TRY(xml_read_ints(&l->r, node, marker, 1, 1, &number, NULL));
  sn_site_def d;
  sn_default_site(&d);
  snprintf(text, sizeof text, ".omc%d", number);
  SN_TRY(name_part(l, node, name, text, &d.name));
  d.body = body;
  SN_TRY(x_read_numbers(l, node, "pos", 3, d.pos));
  return l->b->add_site(l->b->spec, &d, &location, &id, l->r.error);
}

static sn_status add_parts(x_loader *l, x_link *link, const char *name) {
  double mass = 0;
  int32_t omcs = 0;
  for (const xml_node *n = link->node->first; n; n = n->next) {
    if (strcmp(n->name, "geom") == 0) {
      SN_TRY(x_add_geom(l, n, link->body, &mass));
    } else if (strcmp(n->name, "omc") == 0) {
      SN_TRY(add_omc(l, n, name, link->body, omcs++));
    }
  }
  if (mass == 0 && link->joint->nv > 0) {
    sn_body_def d;
    sn_default_body(&d);
    SN_TRY(l->b->get_body(l->b->spec, link->body, &d, l->r.error));
    almost_massless(&d);
    return l->b->set_body(l->b->spec, link->body, &d, l->r.error);
  }
  return SN_OK;
}

sn_status x_add_link(x_loader *l, x_link *link) {
  const xml_node *from;
  const xml_attr *name = x_attr(l, link->node, "name", &from);
  const sn_location location = xml_location(link->node);
  if (!name || !*name->value) {
    return xml_fail(&l->r, SN_EPARSE, link->node, NULL, "a body needs a name");
  }
  sn_body_def d;
  numbers n;
  sn_default_body(&d);
  d.parent = link->parent < 0 ? 0 : l->link[link->parent].body;
  SN_TRY(x_read_pose(l, link->node, d.pos, d.orient.quat));
  SN_TRY(read_random_position(l, link, d.pos));
  SN_TRY(read_joint_numbers(l, link, &n));
  SN_TRY(add_outer(l, link, name->value, &n, &d));
  d.name = name->value;
  SN_TRY(l->b->add_body(l->b->spec, &d, &location, &link->body, l->r.error));
  SN_TRY(add_joints(l, link, name->value, &n, link->body, 0));
  return add_parts(l, link, name->value);
}
