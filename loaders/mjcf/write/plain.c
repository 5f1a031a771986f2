// SPDX-License-Identifier: Apache-2.0
//
// Saving: a definition can say one thing in several ways. Each is replaced here by the plainest one
// with the same meaning, which every version of the format knows:
//
//   limits         "false" of an empty range is what the range says by itself
//   dof_damping    and the like: the same number for every degree of freedom is that of the joint
//   fullinertia    in a frame that is turned: principal moments and axes, for the format takes only
//                  one of the matrix and an orientation
//
//   actuatorfrcrange   of joints that no actuator can move, which bounds nothing, is left out with
//                  a note: robots of URDF have it, and version 2.2.2 does not know the word
//
// Elements that were not read from MJCF come with the first words; this keeps files free of
// attributes that are newer than what the model needs.

#include <math.h>
#include <string.h>

#include "mjcf/write/write.h"
#include "sinew/math.h"

// In this format a range limits when it is not empty, unless `limited` is specified.
static void plain_limit(int32_t *limited, const double *range) {
  if (*limited == SN_FALSE && range[0] == 0 && range[1] == 0) {
    *limited = SN_AUTO;
  }
}

// Numbers of the degrees of freedom, of which the last ones may be unset: those have the joint's.
static void plain_numbers(double *of_dof, int ndof, double *of_joint) {
  double first = isnan(of_dof[0]) ? *of_joint : of_dof[0];
  for (int k = 1; k < ndof; k++) {
    if ((isnan(of_dof[k]) ? *of_joint : of_dof[k]) != first) {
      return;
    }
  }
  *of_joint = first;
  sn_unset_reals(of_dof, 6);
}

static int is_turned(const double *quat) {
  return quat[0] != 1 || quat[1] != 0 || quat[2] != 0 || quat[3] != 0;
}

// Every actuator acts on a joint, and none on this one. Others may move any joint.
static int is_idle(const mjcf_writer *w, const char *joint) {
  const int64_t n = w->b->count(w->spec, "actuator");
  for (int32_t i = 0; i < n; i++) {
    sn_actuator_def actuator = { .def_size = sizeof actuator };
    if (w->b->get_actuator(w->spec, i, &actuator, w->error) < 0 ||
        (actuator.trntype != SN_TRN_JOINT && actuator.trntype != SN_TRN_JOINTINPARENT) ||
        (joint && actuator.target && strcmp(actuator.target, joint) == 0)) {
      return 0;
    }
  }
  return 1;
}

void mjcf_plain_joint(mjcf_writer *w, sn_joint_def *joint) {
  const int32_t n = sn_joint_dofs(joint->type);
  plain_limit(&joint->limited, joint->range);
  if (joint->actfrcrange[0] != joint->actfrcrange[1] && is_idle(w, joint->name)) {
    joint->actfrcrange[0] = joint->actfrcrange[1] = 0;
    joint->actfrclimited = SN_FALSE;
    w->idle++;
  }
  plain_limit(&joint->actfrclimited, joint->actfrcrange);
  plain_numbers(joint->dof_stiffness, n, &joint->stiffness);
  plain_numbers(joint->dof_damping, n, &joint->damping);
  plain_numbers(joint->dof_armature, n, &joint->armature);
  plain_numbers(joint->dof_frictionloss, n, &joint->frictionloss);

  // the orientation at rest of a spring that has none is that of the reference configuration
  if (n == 1 || (joint->type == SN_JOINT_BALL && !is_turned(joint->springquat))) {
    SN_SET_UNSET(joint->springquat);
  }
}

void mjcf_plain_tendon(sn_tendon_def *tendon) {
  plain_limit(&tendon->limited, tendon->range);
  plain_limit(&tendon->actfrclimited, tendon->actfrcrange);
}

// A range that is inherited is not the one of the definition.
void mjcf_plain_actuator(sn_actuator_def *actuator) {
  plain_limit(&actuator->forcelimited, actuator->forcerange);
  if (actuator->inheritctrl == 0) {
    plain_limit(&actuator->ctrllimited, actuator->ctrlrange);
  }
  if (actuator->inheritact == 0) {
    plain_limit(&actuator->actlimited, actuator->actrange);
  }
}

void mjcf_plain_body(const mjcf_writer *w, sn_body_def *body) {
  double quat[4], axes[4], moments[3];
  if (!body->inertial || isnan(body->fullinertia[0]) || !is_turned(body->iorient.quat) ||
      w->b->orientation(w->spec, &body->iorient, quat)) {
    return;
  }
  w->b->principal_axes(body->fullinertia, moments, axes);
  sn_mul_quat(quat, quat, axes);
  sn_default_orient(&body->iorient);
  sn_copy4(body->iorient.quat, quat);
  sn_copy3(body->diaginertia, moments);
  SN_SET_UNSET(body->fullinertia);
}
