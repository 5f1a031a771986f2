// SPDX-License-Identifier: Apache-2.0
//
// Actuators for every joint, if the parameter `actuators` selects them. A joint that mimics
// another follows by its constraint and has none; nor have floating and planar joints.
//
//   motor      force = u                      -effort <= u <= effort
//   position   force = kp (u - q) - kv dq/dt  |force| <= effort, u in the range of the joint
//
// The effort limit of a joint is one of the joint itself (actfrcrange), which bounds what all its
// actuators do together. If only one actuator acts on it, the limit is written there, which is
// equivalent and can be saved for versions that have no actfrcrange.

#include <math.h>
#include <string.h>

#include "urdf/urdf.h"

sn_status urdf_read_effort(urdf_reader *r, const xml_node *joint, double *effort) {
  const xml_node *limit;
  *effort = 0;
  SN_TRY(urdf_only(r, joint, "limit", &limit));
  SN_TRY(limit ? urdf_bounds(r, limit, "effort", 0, 1, effort) : SN_OK);
  *effort = *effort > 0 && isfinite(*effort) ? *effort : 0;
  return SN_OK;
}

sn_status urdf_bound_actuator(urdf_reader *r, const xml_node *joint, double effort, int alone,
                              sn_actuator_def *d) {
  const xml_attr *name = xml_find_attr(joint, "name");
  if (!(effort > 0)) {
    return SN_OK;
  }
  d->forcelimited = SN_TRUE;
  d->forcerange[1] = effort / fabs(d->gear[0]);
  d->forcerange[0] = -d->forcerange[1];
  int32_t id = alone && name ? urdf_find_single(r, name->value) : -1;
  if (id < 0) {
    return SN_OK;
  }
  sn_joint_def own;
  sn_default_joint(&own);
  SN_TRY(r->b->get_joint(r->b->spec, id, &own, r->xml.error));
  own.actfrclimited = SN_FALSE;
  own.actfrcrange[0] = own.actfrcrange[1] = 0;
  return r->b->set_joint(r->b->spec, id, &own, r->xml.error);
}

static void make_servo(const urdf_reader *r, const sn_joint_def *joint, sn_actuator_def *d) {
  const double kp = r->params->kp, kv = r->params->kv;
  d->biastype = "affine";
  d->gainprm[0] = kp;
  d->biasprm[1] = -kp;
  d->biasprm[2] = kv < 0 ? 0 : -kv;
  d->dampratio = kv < 0;   // 1: critical
  if (joint->limited == SN_TRUE) {
    d->ctrllimited = SN_TRUE;
    memcpy(d->ctrlrange, joint->range, sizeof d->ctrlrange);
  }
}

static sn_status add_actuator(urdf_reader *r, const xml_node *node) {
  const sn_location location = xml_location(node);
  const xml_attr *name = xml_find_attr(node, "name");
  int32_t id = name ? urdf_find_single(r, name->value) : -1;
  const int mimics = xml_find_child(node, "mimic") && r->params->mimic;
  if (id < 0 || mimics) {
    return SN_OK;
  }
  sn_joint_def joint;
  sn_actuator_def d;
  double effort;
  sn_default_joint(&joint);
  sn_default_actuator(&d);
  SN_TRY(r->b->get_joint(r->b->spec, id, &joint, r->xml.error));
  SN_TRY(urdf_read_effort(r, node, &effort));
  d.name = d.target = name->value;
  d.trntype = SN_TRN_JOINT;
  SN_TRY(urdf_bound_actuator(r, node, effort, 1, &d));
  if (r->params->actuators == URDF_POSITION) {
    make_servo(r, &joint, &d);
  } else if (effort > 0) {
    d.ctrllimited = SN_TRUE;
    memcpy(d.ctrlrange, d.forcerange, sizeof d.ctrlrange);
  }
  return r->b->add_actuator(r->b->spec, &d, &location, &id, r->xml.error);
}

// In the order of the joints in the file.
sn_status urdf_read_actuators(urdf_reader *r) {
  if (r->params->actuators != URDF_MOTOR && r->params->actuators != URDF_POSITION) {
    return SN_OK;
  }
  for (const xml_node *n = r->robot->first; n; n = n->next) {
    if (strcmp(n->name, "joint") == 0) {
      SN_TRY(add_actuator(r, n));
    }
  }
  return SN_OK;
}
