// SPDX-License-Identifier: Apache-2.0
//
// Element `mimic`: q1 = offset + multiplier q2, held by a constraint between the joints. One that
// cannot hold, because a joint is missing or has not one degree of freedom, is left out with a
// warning.

#include <string.h>

#include "urdf/urdf.h"

int32_t urdf_find_single(const urdf_reader *r, const char *name) {
  sn_joint_def d;
  int32_t id = r->b->find(r->b->spec, "joint", name);
  sn_default_joint(&d);
  return id >= 0 && r->b->get_joint(r->b->spec, id, &d, NULL) >= 0 &&
                 (d.type == SN_JOINT_HINGE || d.type == SN_JOINT_SLIDE)
             ? id
             : -1;
}

static sn_status read_mimic(urdf_reader *r, const xml_node *joint, const xml_node *mimic) {
  const xml_attr *own, *other;
  const sn_location location = xml_location(mimic);
  sn_equality_def d;
  int32_t id;
  sn_default_equality(&d);
  SN_TRY(urdf_need(r, joint, "name", &own));
  SN_TRY(urdf_need(r, mimic, "joint", &other));
  d.type = SN_EQUALITY_JOINT;
  d.obj1 = own->value;
  d.obj2 = other->value;
  SN_TRY(urdf_reals(r, mimic, "offset", 0, 1, &d.polycoef[0]));
  SN_TRY(urdf_reals(r, mimic, "multiplier", 0, 1, &d.polycoef[1]));
  if (strcmp(d.obj1, d.obj2) == 0) {
    return urdf_leave(r, mimic, other, "the joint \"%.200s\" mimics itself; its <mimic> is ignored",
                      d.obj1);
  }
  if (urdf_find_single(r, d.obj1) < 0) {
    return urdf_leave(r, mimic, NULL,
                      "the joint \"%.200s\" does not have exactly one degree of freedom and cannot "
                      "mimic another joint; its <mimic> is ignored",
                      d.obj1);
  }
  if (urdf_find_single(r, d.obj2) < 0) {
    return urdf_leave(r, mimic, other,
                      "there is no joint \"%.200s\" with one degree of freedom to mimic; the "
                      "<mimic> of joint \"%.200s\" is ignored",
                      d.obj2, d.obj1);
  }
  return r->b->add_equality(r->b->spec, &d, &location, &id, r->xml.error);
}

sn_status urdf_read_mimics(urdf_reader *r) {
  for (int64_t i = 0; i < r->nlink; i++) {
    const xml_node *joint = r->link[i].joint, *mimic;
    if (!joint) {
      continue;
    }
    SN_TRY(urdf_only(r, joint, "mimic", &mimic));
    if (mimic && r->params->mimic) {
      SN_TRY(read_mimic(r, joint, mimic));
    } else if (mimic) {
      SN_TRY(urdf_leave(r, mimic, NULL,
                        "mimic joints move freely; set plugin.urdf.mimic to true to couple "
                        "them"));
    }
  }
  return SN_OK;
}
