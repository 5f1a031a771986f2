// SPDX-License-Identifier: Apache-2.0
//
// Transmissions: a simple one is a motor on its joint. The control is the effort of the motor, the
// gear is the mechanical reduction, and the effort limit of the joint bounds the joint's force:
//
//   force of the joint = reduction * control,   |force of the joint| <= effort
//
// The reduction is written in the actuator (ROS control), or in the transmission (PR2).

#include <string.h>

#include "sinew/math.h"
#include "urdf/urdf.h"

// The text of an element as a number.
static sn_status read_text_real(urdf_reader *r, const xml_node *node, double *out) {
  const xml_attr text = { .name = "value",
                          .value = node->text ? node->text : "",
                          .line = node->line,
                          .column = node->column };
  return xml_read_reals(&r->xml, node, &text, 1, 1, out, NULL);
}

static sn_status read_reduction(urdf_reader *r, const xml_node *transmission,
                                const xml_node *actuator, double *out) {
  const xml_node *node = NULL;
  if (actuator) {
    SN_TRY(urdf_only(r, actuator, "mechanicalReduction", &node));
  }
  if (!node) {
    SN_TRY(urdf_only(r, transmission, "mechanicalReduction", &node));
  }
  *out = 1;
  if (node) {
    SN_TRY(read_text_real(r, node, out));
  }
  return *out != 0
             ? SN_OK
             : xml_fail(
                   &r->xml, SN_EPARSE, node, NULL,
                   "the mechanical reduction is 0; give the ratio of the gears, 1 without gears");
}

static const xml_node *find_joint(const urdf_reader *r, const char *name) {
  for (int64_t i = 0; i < r->nlink; i++) {
    const xml_attr *a = r->link[i].joint ? xml_find_attr(r->link[i].joint, "name") : NULL;
    if (a && strcmp(a->value, name) == 0) {
      return r->link[i].joint;
    }
  }
  return NULL;
}

static int64_t count_children(const xml_node *node, const char *name) {
  int64_t n = 0;
  for (const xml_node *c = node->first; c; c = c->next) {
    n += strcmp(c->name, name) == 0;
  }
  return n;
}

// attributes: "a|b"
static sn_status note_rest(urdf_reader *r, const xml_node *node, const char *const *known,
                           const char *attributes) {
  SN_TRY(urdf_check_text(r, node));
  SN_TRY(urdf_check_attributes(r, node, attributes));
  for (const xml_node *c = node->first; c; c = c->next) {
    int found = 0;
    for (int i = 0; known[i]; i++) {
      found |= strcmp(known[i], c->name) == 0;
    }
    if (!found) {
      SN_TRY(urdf_note_that(r, c, NULL, "<%.60s> in <%s> of a transmission is ignored", c->name,
                            node->name));
    }
  }
  return SN_OK;
}

// Motors take efforts, whatever interface a controller would have used.
static sn_status note_interface(urdf_reader *r, const xml_node *node) {
  const xml_node *interface = node ? xml_find_child(node, "hardwareInterface") : NULL;
  const char *text = interface && interface->text ? interface->text : "";
  if (!*text || strstr(text, "Effort")) {
    return SN_OK;
  }
  return urdf_note_that(r, interface, NULL,
                        "the control of a motor is a force or torque; the interface \"%.80s\" is "
                        "ignored",
                        text);
}

// The type, as an attribute (PR2) or an element.
static sn_status note_type(urdf_reader *r, const xml_node *node) {
  const xml_attr *attr = xml_find_attr(node, "type");
  const xml_node *child = xml_find_child(node, "type");
  const char *type = attr ? attr->value : child && child->text ? child->text : "";
  if (!*type || strstr(type, "SimpleTransmission")) {
    return SN_OK;
  }
  return urdf_leave(r, child ? child : node, attr,
                    "transmission type \"%.80s\" is treated as a simple transmission", type);
}

// How many transmissions drive the joint.
static int64_t count_motors(const urdf_reader *r, const char *joint) {
  int64_t n = 0;
  for (const xml_node *t = r->robot->first; t; t = t->next) {
    const xml_node *j = strcmp(t->name, "transmission") == 0 ? xml_find_child(t, "joint") : NULL;
    const xml_attr *name = j ? xml_find_attr(j, "name") : NULL;
    n += name && strcmp(name->value, joint) == 0;
  }
  return n;
}

static sn_status add_motor(urdf_reader *r, const xml_node *node) {
  static const char *const in_transmission[] = { "type",           "joint",
                                                 "actuator",       "mechanicalReduction",
                                                 "robotNamespace", NULL };
  static const char *const in_joint[] = { "hardwareInterface", NULL };
  static const char *const in_actuator[] = { "mechanicalReduction", "hardwareInterface", NULL };
  const xml_node *joint_node = xml_find_child(node, "joint");
  const xml_node *actuator = xml_find_child(node, "actuator");
  const xml_attr *joint_name, *name = actuator ? xml_find_attr(actuator, "name") : NULL;
  SN_TRY(urdf_need(r, joint_node, "name", &joint_name));
  SN_TRY(note_rest(r, node, in_transmission, "name|type"));
  SN_TRY(note_rest(r, joint_node, in_joint, "name"));
  SN_TRY(note_type(r, node));
  SN_TRY(note_interface(r, joint_node));
  SN_TRY(note_interface(r, actuator));
  if (actuator) {
    SN_TRY(note_rest(r, actuator, in_actuator, "name"));
  }
  const xml_node *joint = find_joint(r, joint_name->value);
  if (!joint || urdf_find_single(r, joint_name->value) < 0) {
    return xml_fail(&r->xml, SN_EPARSE, joint_node, joint_name,
                    "there is no joint \"%.200s\" with "
                    "one degree of freedom for this transmission",
                    joint_name->value);
  }
  sn_actuator_def d;
  sn_default_actuator(&d);
  name = name ? name : xml_find_attr(node, "name");
  d.name = name ? name->value : NULL;
  d.target = joint_name->value;
  d.trntype = SN_TRN_JOINT;
  SN_TRY(read_reduction(r, node, actuator, &d.gear[0]));
  double effort;
  SN_TRY(urdf_read_effort(r, joint, &effort));
  SN_TRY(urdf_bound_actuator(r, joint, effort, count_motors(r, d.target) == 1, &d));
  const sn_location location = xml_location(node);
  int32_t id;
  return r->b->add_actuator(r->b->spec, &d, &location, &id, r->xml.error);
}

sn_status urdf_read_transmissions(urdf_reader *r) {
  for (const xml_node *n = r->robot->first; n; n = n->next) {
    if (strcmp(n->name, "transmission") != 0) {
      continue;
    }
    if (r->params->actuators == URDF_NONE) {
      SN_TRY(urdf_note_that(r, n, NULL,
                            "transmissions do not create motors; set plugin.urdf.actuators to "
                            "transmissions to have them, or to motor or position for all joints"));
    } else if (r->params->actuators != URDF_TRANSMISSIONS) {
      continue;
    } else if (count_children(n, "joint") != 1 || count_children(n, "actuator") > 1) {
      SN_TRY(urdf_leave(r, n, NULL,
                        "a transmission must have one joint and at most one actuator; this one is "
                        "ignored"));
    } else {
      SN_TRY(add_motor(r, n));
    }
  }
  return SN_OK;
}
