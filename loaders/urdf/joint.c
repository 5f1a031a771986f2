// SPDX-License-Identifier: Apache-2.0
//
// Joints. All lie in the origin of the child link.
//
//   revolute, continuous   a hinge               prismatic   a slide
//   planar     two slides and a hinge: NAME_TX, NAME_TY in the plane, NAME_RZ about its normal,
//              the axis; the frame of the plane is the minimal rotation of z to the axis
//   floating   a free joint                      fixed       none
//
// A range holds where lower < upper. The limit of a planar joint is that of its first slide, and
// of a floating one nothing, as in the reference engine. A positive effort limits what all
// actuators of the joint do together.

#include <math.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/suggest.h"
#include "urdf/urdf.h"

typedef struct primitive {
  int32_t type;
  const char *suffix;   // of its name
  double axis[3];       // in the frame whose z is the axis
} primitive;

typedef struct joint_type {
  const char *name;
  int32_t nprimitive;
  int32_t limited;   // of the first primitive
  int32_t has_axis;
  primitive primitive[3];
} joint_type;

static const joint_type types[] = {
  { "revolute", 1, 1, 1, { { SN_JOINT_HINGE, "", { 0, 0, 1 } } } },
  { "continuous", 1, 1, 1, { { SN_JOINT_HINGE, "", { 0, 0, 1 } } } },
  { "prismatic", 1, 1, 1, { { SN_JOINT_SLIDE, "", { 0, 0, 1 } } } },
  { "fixed", 0, 0, 0, { { 0, NULL, { 0 } } } },
  { "floating", 1, 0, 0, { { SN_JOINT_FREE, "", { 0, 0, 1 } } } },
  { "planar",
    3,
    1,
    1,
    { { SN_JOINT_SLIDE, "_TX", { 1, 0, 0 } },
      { SN_JOINT_SLIDE, "_TY", { 0, 1, 0 } },
      { SN_JOINT_HINGE, "_RZ", { 0, 0, 1 } } } },
};
enum { NTYPES = sizeof types / sizeof types[0] };

static const joint_type *type_of(const xml_node *joint) {
  const xml_attr *attr = xml_find_attr(joint, "type");
  for (int i = 0; attr && i < NTYPES; i++) {
    if (strcmp(types[i].name, attr->value) == 0) {
      return &types[i];
    }
  }
  return NULL;
}

int urdf_is_fixed(const xml_node *joint) {
  const joint_type *type = type_of(joint);
  return type && type->nprimitive == 0;
}

int urdf_is_floating(const xml_node *joint) {
  const joint_type *type = type_of(joint);
  return type && type->nprimitive > 0 && type->primitive[0].type == SN_JOINT_FREE;
}

sn_status urdf_check_joint(urdf_reader *r, const xml_node *joint) {
  const xml_attr *attr;
  SN_TRY(urdf_need(r, joint, "type", &attr));
  if (type_of(joint)) {
    return SN_OK;
  }
  xml_nearest near = { NULL, 0 };
  for (int i = 0; i < NTYPES; i++) {
    xml_offer(&near, attr->value, types[i].name);
  }
  char hint[SN_SUGGEST_TEXT];
  return xml_fail(
      &r->xml, SN_EPARSE, joint, attr, "there is no joint type \"%.80s\"%s", attr->value,
      sn_suggest_text(hint, sizeof hint, near.best,
                      "the types are revolute, continuous, prismatic, fixed, floating, planar"));
}

// ------------------------------------------------------------------ limits, dynamics

static sn_status read_axis(urdf_reader *r, const xml_node *joint, const joint_type *type,
                           double *axis) {
  const xml_node *node;
  sn_copy3(axis, (const double[]){ 1, 0, 0 });
  SN_TRY(urdf_only(r, joint, "axis", &node));
  if (!node) {
    return SN_OK;
  }
  SN_TRY(urdf_reals(r, node, "xyz", 1, 3, axis));
  const double length = sn_norm3(axis);
  if (type->has_axis && length == 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL, "the axis is zero");
  }
  if (type->has_axis && (length < SN_TINY || !isfinite(length))) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "the length of the axis, %g, is too small or too large to compute its "
                    "direction",
                    length);
  }
  return SN_OK;
}

// An infinite bound is no bound. Beside a finite one it becomes a position at which the simulation
// would have been reset.
static sn_status read_range(urdf_reader *r, const xml_node *limit, double *range) {
  static const double beyond = 1e10;
  SN_TRY(urdf_bounds(r, limit, "lower", 0, 1, &range[0]));
  SN_TRY(urdf_bounds(r, limit, "upper", 0, 1, &range[1]));
  if (isinf(range[0]) && isinf(range[1])) {
    range[0] = range[1] = 0;
  }
  for (int i = 0; i < 2; i++) {
    range[i] = isinf(range[i]) ? copysign(beyond, range[i]) : range[i];
  }
  return SN_OK;
}

static sn_status read_limit(urdf_reader *r, const xml_node *joint, const joint_type *type,
                            sn_joint_def *d) {
  const xml_node *node;
  SN_TRY(urdf_only(r, joint, "limit", &node));
  if (!node) {
    return SN_OK;
  }
  double effort = 0, velocity = 0;
  SN_TRY(read_range(r, node, d->range));
  SN_TRY(urdf_read_effort(r, joint, &effort));
  SN_TRY(urdf_bounds(r, node, "velocity", 0, 1, &velocity));
  d->limited = type->limited && d->range[0] < d->range[1];
  if (d->range[0] > d->range[1]) {
    SN_TRY(urdf_leave(r, node, NULL, "lower %g is above upper %g; the joint is not limited",
                      d->range[0], d->range[1]));
  }
  if (d->range[0] < d->range[1] && !type->limited) {
    SN_TRY(urdf_note_that(r, node, NULL, "the limit of a %s joint has no meaning and is ignored",
                          type->name));
  } else if (d->range[0] < d->range[1] && type->nprimitive > 1) {
    SN_TRY(urdf_leave(r, node, NULL, "the limit of a %s joint applies to its first axis only",
                      type->name));
  }
  if (xml_find_attr(node, "velocity")) {
    SN_TRY(urdf_note_that(r, node, NULL,
                          "velocity limits are ignored: the simulation does not limit the speed of "
                          "joints"));
  }
  if (effort > 0 && type->limited) {
    d->actfrclimited = SN_TRUE;
    d->actfrcrange[0] = -effort;
    d->actfrcrange[1] = effort;
  }
  return SN_OK;
}

static sn_status read_dynamics(urdf_reader *r, const xml_node *joint, const joint_type *type,
                               sn_joint_def *d) {
  const xml_node *node;
  SN_TRY(urdf_only(r, joint, "dynamics", &node));
  if (!node) {
    return SN_OK;
  }
  SN_TRY(urdf_reals(r, node, "damping", 0, 1, &d->damping));
  SN_TRY(urdf_reals(r, node, "friction", 0, 1, &d->frictionloss));
  if (type->nprimitive == 0 && (d->damping != 0 || d->frictionloss != 0)) {
    return urdf_note_that(r, node, NULL, "the dynamics of a %s joint have no effect", type->name);
  }
  return SN_OK;
}

sn_status urdf_read_joint(urdf_reader *r, const xml_node *joint, int32_t body) {
  const joint_type *type = type_of(joint);
  const xml_attr *name = xml_find_attr(joint, "name");
  const sn_location location = xml_location(joint);
  double axis[3], turn[4];
  sn_joint_def d;
  sn_default_joint(&d);
  SN_TRY(read_axis(r, joint, type, axis));
  SN_TRY(read_limit(r, joint, type, &d));
  SN_TRY(read_dynamics(r, joint, type, &d));
  sn_z_to_quat(turn, axis);
  d.body = body;
  for (int32_t k = 0; k < type->nprimitive; k++) {
    const primitive *p = &type->primitive[k];
    int32_t id;
    if (name && name->value[0]) {
      d.name = xml_join(&r->doc.arena, name->value, p->suffix);
      if (!d.name) {
        return urdf_no_memory(r, joint);
      }
    }
    d.type = p->type;
    sn_rotate(d.axis, p->axis, turn);
    if (type->nprimitive == 1) {
      sn_copy3(d.axis, axis);
    }
    SN_TRY(r->b->add_joint(r->b->spec, &d, &location, &id, r->xml.error));
    d.limited = 0;
    d.range[0] = d.range[1] = 0;
    d.actfrclimited = SN_FALSE;
    d.actfrcrange[0] = d.actfrcrange[1] = 0;
  }
  return SN_OK;
}
