// SPDX-License-Identifier: Apache-2.0
//
// The definitions of a spec that is attached, as another spec means them: angles in its unit,
// orientations as quaternions, limits that its settings would not infer.

#include <math.h>
#include <string.h>

#include "sinew/math.h"
#include "spec/spec.h"

// Angles of part as the spec writes them; orientations as quaternions.
static const char *translate_orient(const sn_spec *part, sn_orient *orient) {
  double quat[4];
  if (!si_orient_given(orient)) {
    return NULL;
  }
  const char *wrong = si_orient_quat(orient, &part->compiler, quat);
  if (!wrong) {
    sn_default_orient(orient);
    sn_copy4(orient->quat, quat);
  }
  return wrong;
}

static void translate_joint(const sn_spec *host, const sn_spec *part, sn_joint_def *joint) {
  int turns = joint->type == SN_JOINT_HINGE || joint->type == SN_JOINT_BALL;
  if (!turns || part->compiler.degree == host->compiler.degree) {
    return;
  }
  double scale = part->compiler.degree ? SN_PI / 180 : 180 / SN_PI;
  joint->range[0] *= scale;
  joint->range[1] *= scale;
  joint->ref *= scale;
  joint->springref *= scale;
}

// Does an actuator take this range from its target?
static int is_inherited(int32_t kind, const sn_actuator_def *d, size_t range) {
  return kind == SI_ELEMENT_actuator &&
         ((range == offsetof(sn_actuator_def, ctrlrange) && d->inheritctrl != 0) ||
          (range == offsetof(sn_actuator_def, actrange) && d->inheritact != 0));
}

// Limits that follow from their ranges, where the spec does not let them follow.
static void translate_limits(const sn_spec *host, const sn_spec *part, int32_t kind,
                             si_any_def *def) {
  if (!part->compiler.autolimits || host->compiler.autolimits) {
    return;
  }
  for (const si_def_member *member = si_element_shape[kind].members; member->type; member++) {
    double range[2] = { 0 };
    int32_t limited = SN_FALSE;
    if (member->type != SI_DEF_LIMITED) {
      continue;
    }
    memcpy(range, (const char *)def + member->other, sizeof range);
    memcpy(&limited, (const char *)def + member->offset, sizeof limited);
    if (limited == SN_AUTO &&
        (range[0] != 0 || range[1] != 0 || is_inherited(kind, &def->actuator, member->other))) {
      limited = SN_TRUE;
      memcpy((char *)def + member->offset, &limited, sizeof limited);
    }
  }
}

// Of a mesh that weighs what the compiler says. What it says by default no mesh can say of itself.
static const char *translate_mesh(const sn_spec *host, const sn_spec *part, sn_mesh_def *mesh) {
  if (mesh->inertia == SN_MESH_AS_COMPILER && part->compiler.exactmeshinertia) {
    mesh->inertia = SN_MESH_EXACT;
  } else if (mesh->inertia == SN_MESH_AS_COMPILER && host->compiler.exactmeshinertia) {
    return "its mass would change, because exactmeshinertia of the spec differs; set its inertia, "
           "or exactmeshinertia of both to the same value";
  }
  return NULL;
}

const char *si_attach_translate(const sn_spec *host, const sn_spec *part, int32_t kind,
                                si_any_def *def) {
  const char *wrong = NULL;
  translate_limits(host, part, kind, def);
  if (kind == SI_ELEMENT_body) {
    wrong = translate_orient(part, &def->body.iorient);
    wrong = wrong ? wrong : translate_orient(part, &def->body.orient);
  } else if (kind == SI_ELEMENT_geom) {
    wrong = translate_orient(part, &def->geom.orient);
  } else if (kind == SI_ELEMENT_site) {
    wrong = translate_orient(part, &def->site.orient);
  } else if (kind == SI_ELEMENT_camera) {
    wrong = translate_orient(part, &def->camera.orient);
  } else if (kind == SI_ELEMENT_joint) {
    translate_joint(host, part, &def->joint);
  } else if (kind == SI_ELEMENT_mesh) {
    wrong = translate_mesh(host, part, &def->mesh);
  }
  return wrong;
}
