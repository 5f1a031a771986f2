// SPDX-License-Identifier: Apache-2.0
//
// Joints and their dofs: axes, limits, reference positions, springs and dampers.
//
// A spring given as (time constant T, damping ratio z) gets, with the inertia I that the joint
// moves at qpos0 (harmonic mean over its dofs, that is 1 / mean of dof_invweight0),
//
//   stiffness = I / (T z)^2,   damping = 2 I / T
//
// so that x'' + damping/I x' + stiffness/I x = 0 decays with exp(-t/T).

#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "sinew/math.h"

// Radians a unit of the spec; 1 for translations.
static double unit_of(const si_build *b, const sn_joint_def *joint) {
  int turns = joint->type == SN_JOINT_HINGE || joint->type == SN_JOINT_BALL;
  return turns && b->spec->compiler.degree ? SN_PI / 180 : 1;
}

// ------------------------------------------------------------------ limits

// Whole numbers from 10 to 360 are seldom limits in radians, which are fractions of pi, and often
// limits in degrees.
static sn_status warn_of_degrees(si_build *b, int64_t j) {
  const sn_joint_def *joint = SI_DEF(b, joint, j);
  const double *r = joint->range, most = fmax(fabs(r[0]), fabs(r[1]));
  const int turns = joint->type == SN_JOINT_HINGE || joint->type == SN_JOINT_BALL;
  if (!turns || b->spec->compiler.degree || most < 10 || most > 360 || r[0] != floor(r[0]) ||
      r[1] != floor(r[1])) {
    return SN_OK;
  }
  return si_build_warn(b, SI_ELEMENT_joint, j,
                       "range %g %g is in radians, up to %.1f turns; if degrees are meant, convert "
                       "it, or set the compiler's angle to degree",
                       r[0], r[1], most / (2 * SN_PI));
}

static sn_status fill_limits(si_build *b, int64_t j) {
  sn_model *m = b->m;
  const sn_joint_def *joint = SI_DEF(b, joint, j);
  double *range = m->jnt_range + 2 * j;

  // a free joint has no limits; a range that does not count stays as written
  if (joint->type != SN_JOINT_FREE) {
    SN_TRY(si_build_limited(b, SI_ELEMENT_joint, j, SI_FIELD_jnt_limited));
  }
  if (!m->jnt_limited[j]) {
    return SN_OK;
  }
  SN_TRY(warn_of_degrees(b, j));
  range[0] *= unit_of(b, joint);
  range[1] *= unit_of(b, joint);
  if (joint->type == SN_JOINT_BALL && range[0] != 0) {
    return SI_FAIL(b, joint, j,
                   "the range of a ball joint is the largest angle; it must start "
                   "at 0, not %g",
                   joint->range[0]);
  }
  if (joint->type != SN_JOINT_BALL && range[0] >= range[1]) {
    return si_build_empty_range(b, SI_ELEMENT_joint, j, SI_FIELD_jnt_limited, joint->range);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ geometry

static sn_status fill_axis(si_build *b, int64_t j) {
  sn_model *m = b->m;
  const sn_joint_def *joint = SI_DEF(b, joint, j);
  double *axis = m->jnt_axis + 3 * j;
  const int any = joint->type == SN_JOINT_FREE || joint->type == SN_JOINT_BALL;
  if (any && !b->given->compiler.global) {   // else the z axis of the world, as localized
    sn_zero3(axis);
    axis[2] = 1;
  } else {
    if (sn_norm3(axis) < 1e-14) {
      return SI_FAIL(b, joint, j, "the axis is zero");
    }
    sn_unit3(axis);
  }
  if (joint->type == SN_JOINT_FREE) {
    sn_zero3(m->jnt_pos + 3 * j);
  }
  return SN_OK;
}

static void fill_spring_quat(const sn_joint_def *joint, double *quat) {
  if (!isnan(joint->springquat[0])) {
    sn_copy4(quat, joint->springquat);
    sn_unit4(quat);
  }
}

static void fill_positions(si_build *b, int64_t j) {
  sn_model *m = b->m;
  const sn_joint_def *joint = SI_DEF(b, joint, j);
  double *q = m->qpos0 + m->jnt_qposadr[j], *spring = m->qpos_spring + m->jnt_qposadr[j];
  int32_t body = m->jnt_bodyid[j];
  if (joint->type == SN_JOINT_FREE) {
    sn_copy3(q, m->body_pos + 3 * body);
    sn_copy4(q + 3, m->body_quat + 4 * body);
    memcpy(spring, q, 7 * sizeof(double));
    fill_spring_quat(joint, spring + 3);
  } else if (joint->type == SN_JOINT_BALL) {
    sn_identity_quat(q);
    sn_identity_quat(spring);
    fill_spring_quat(joint, spring);
  } else {
    q[0] = joint->ref * unit_of(b, joint);
    spring[0] = joint->springref * unit_of(b, joint);
  }
}

// The dofs of a joint follow each other: [begin, end).
static int32_t end_of_dofs(const sn_model *m, int64_t j) {
  return j + 1 < m->njnt ? m->jnt_dofadr[j + 1] : (int32_t)m->nv;
}

// A number a dof where they differ, else the joint's number for all of them.
static double number_of_dof(const double *numbers, int32_t k, double number) {
  return isnan(numbers[k]) ? number : numbers[k];
}

// Numbers a dof from the first on; behind them the joint's number holds. A hole is a mistake.
static sn_status check_dofs(si_build *b, int64_t j) {
  const sn_joint_def *joint = SI_DEF(b, joint, j);
  const struct {
    const char *name;
    const double *numbers;
    int32_t n;
  } lists[] = { { "dof_stiffness", joint->dof_stiffness, 6 },
                { "dof_damping", joint->dof_damping, 6 },
                { "dof_armature", joint->dof_armature, 6 },
                { "dof_frictionloss", joint->dof_frictionloss, 6 },
                { "springquat", joint->springquat, 4 } };
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    for (int32_t k = 1; k < lists[i].n; k++) {
      if (isnan(lists[i].numbers[k - 1]) && !isnan(lists[i].numbers[k])) {
        return SI_FAIL(b, joint, j, "%s[%d] is unset and the number after it is not; set both",
                       lists[i].name, k - 1);
      }
    }
  }
  return !isnan(joint->springquat[0]) && isnan(joint->springquat[3])
             ? SI_FAIL(b, joint, j, "springquat takes four numbers, or none")
             : SN_OK;
}

static void fill_dofs(si_build *b, int64_t j) {
  sn_model *m = b->m;
  const sn_joint_def *joint = SI_DEF(b, joint, j);
  for (int32_t i = m->jnt_dofadr[j], k = 0; i < end_of_dofs(m, j); i++, k++) {
    m->dof_stiffness[i] = number_of_dof(joint->dof_stiffness, k, joint->stiffness);
    m->dof_armature[i] = number_of_dof(joint->dof_armature, k, joint->armature);
    m->dof_damping[i] = number_of_dof(joint->dof_damping, k, joint->damping);
    m->dof_frictionloss[i] = number_of_dof(joint->dof_frictionloss, k, joint->frictionloss);
    if (fabs(m->dof_stiffness[i]) > fabs(m->jnt_stiffness[j])) {
      m->jnt_stiffness[j] = m->dof_stiffness[i];
    }
    memcpy(m->dof_solref + SI_NREFERENCE * i, joint->solref_friction, 2 * sizeof(double));
    memcpy(m->dof_solimp + SI_NIMPEDANCE * i, joint->solimp_friction, 5 * sizeof(double));
  }
}

// With actgravcomp, gravity compensation is added to the actuator forces; in a model without
// actuators these are not computed at all, and the compensation is lost.
// Matches MuJoCo 2.2.2: gravcomp-without-actuators
static sn_status warn_lost(si_build *b) {
  const sn_model *m = b->m;
  int floats = 0;
  for (int64_t i = 1; i < m->nbody; i++) {
    floats |= m->body_gravcomp[i] != 0;
  }
  for (int64_t j = 0; j < m->njnt && floats && m->nu == 0; j++) {
    if (m->jnt_actgravcomp[j]) {
      return si_build_warn(
          b, SI_ELEMENT_joint, j,
          "its actuatorgravcomp is true, but the model has no actuator, so gravity compensation "
          "has no effect on it; set actuatorgravcomp to false");
    }
  }
  return SN_OK;
}

sn_status si_compile_joint_fill(si_build *b) {
  sn_model *m = b->m;
  for (int64_t j = 0; j < m->njnt; j++) {
    const sn_joint_def *joint = SI_DEF(b, joint, j);
    SN_TRY(fill_limits(b, j));
    if (joint->type == SN_JOINT_SLIDE || joint->type == SN_JOINT_HINGE) {   // one number for it
      SN_TRY(si_build_limit(b, SI_ELEMENT_joint, j, SI_FIELD_jnt_actfrclimited));
    }
    SN_TRY(fill_axis(b, j));
    SN_TRY(check_dofs(b, j));
    fill_positions(b, j);
    fill_dofs(b, j);
    const double *s = joint->springdamper;
    if ((s[0] != 0 || s[1] != 0) && (s[0] <= 0 || s[1] <= 0)) {
      return SI_FAIL(b, joint, j,
                     "springdamper %g %g must be positive: a time constant and a "
                     "damping ratio",
                     s[0], s[1]);
    }
  }
  return warn_lost(b);
}

// ------------------------------------------------------------------ springs of a time constant

sn_status si_compile_joint_springs(si_build *b) {
  sn_model *m = b->m;
  for (int64_t j = 0; j < m->njnt; j++) {
    double time = SI_DEF(b, joint, j)->springdamper[0];
    double ratio = SI_DEF(b, joint, j)->springdamper[1];
    if (time <= 0) {
      continue;
    }
    int32_t begin = m->jnt_dofadr[j];
    int32_t end = end_of_dofs(m, j);
    double sum = 0;
    for (int32_t i = begin; i < end; i++) {
      sum += m->dof_invweight0[i];
    }
    double inertia = (end - begin) / fmax(sum, SN_TINY);
    m->jnt_stiffness[j] = inertia / (time * time * ratio * ratio);
    for (int32_t i = begin; i < end; i++) {
      m->dof_stiffness[i] = m->jnt_stiffness[j];
      m->dof_damping[i] = 2 * inertia / time;
    }
  }
  return SN_OK;
}
