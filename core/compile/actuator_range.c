// SPDX-License-Identifier: Apache-2.0
//
// Ranges of actuators: inherited from their targets, limits, feasible lengths.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/actuator.h"
#include "sinew/math.h"

// A range that is that of the target about its middle, times a ratio; 0: the range that is given.
static sn_status inherit_range(si_build *b, int64_t i, const char *what, double ratio,
                               double *out) {
  const sn_model *m = b->m;
  const int32_t id = m->actuator_trnid[2 * i];
  const int32_t kind = si_actuator_target_kind(m->actuator_trntype[i]);
  if (ratio == 0) {
    return SN_OK;
  }
  if (ratio < 0 || out[0] != 0 || out[1] != 0) {
    return SI_FAIL(b, actuator, i,
                   ratio < 0 ? "its inherited %s is negative, %g times that of its target"
                             : "both its %s and an inherited range (%g times that of its target) "
                               "are set; set only one",
                   what, ratio);
  }
  const double *range = kind == SI_ELEMENT_tendon ? m->tendon_range + 2 * id : NULL;
  double unit = 1;
  if (kind == SI_ELEMENT_joint && m->jnt_type[id] >= SN_JOINT_SLIDE) {
    range = m->jnt_range + 2 * id;
    // limits that do not count are as they were written
    unit = m->jnt_type[id] == SN_JOINT_HINGE && !m->jnt_limited[id] && b->spec->compiler.degree
               ? SN_PI / 180
               : 1;
  }
  if (!range || range[0] >= range[1]) {
    return SI_FAIL(b, actuator, i,
                   "its %s is inherited from its target, but %s; specify a range for the target or "
                   "for the actuator",
                   what,
                   range ? "that is empty"
                         : "only slide joints, hinge joints and tendons "
                           "have one");
  }
  const double middle = (range[0] + range[1]) / 2 * unit;
  const double half = (range[1] - range[0]) / 2 * unit * ratio;
  out[0] = middle - half;
  out[1] = middle + half;
  if (!isfinite(out[0]) || !isfinite(out[1])) {
    return SI_FAIL(b, actuator, i, "its %s, %g times that of its target, %g %g, is not finite",
                   what, ratio, range[0] * unit, range[1] * unit);
  }
  return SN_OK;
}

sn_status si_actuator_ranges(si_build *b, int64_t i, const si_actuator_functions *l) {
  sn_model *m = b->m;
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  SN_TRY(inherit_range(b, i, "control range", a->inheritctrl, m->actuator_ctrlrange + 2 * i));
  SN_TRY(inherit_range(b, i, "activation range", a->inheritact, m->actuator_actrange + 2 * i));
  SN_TRY(si_build_limit(b, SI_ELEMENT_actuator, i, SI_FIELD_actuator_ctrllimited));
  SN_TRY(si_build_limit(b, SI_ELEMENT_actuator, i, SI_FIELD_actuator_actlimited));
  if (m->actuator_actlimited[i] && l->states == 0) {
    return SI_FAIL(b, actuator, i,
                   "its activation is limited, but dynamics '%s' has no "
                   "activation; remove the range or choose other dynamics",
                   si_function_name(a->dyntype, "none"));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ length ranges

// The limits of the joint or tendon that it acts on; NULL: none.
static const double *target_limits(const sn_model *m, int64_t i) {
  int32_t id = m->actuator_trnid[2 * i], kind = si_actuator_target_kind(m->actuator_trntype[i]);
  if (kind == SI_ELEMENT_joint && m->jnt_limited[id]) {
    return m->jnt_range + 2 * id;
  }
  return kind == SI_ELEMENT_tendon && m->tendon_limited[id] ? m->tendon_range + 2 * id : NULL;
}

// Does the mode require a length range? Functions declare that they need one; mode muscleuser also
// treats functions without a documented integer as muscles.
static int is_range_wanted(const si_build *b, int64_t i, const si_actuator_functions *l) {
  const int64_t mode = b->spec->compiler.lr_mode;
  const int user = b->m->actuator_gaintype[i] == SN_GAIN_USER ||
                   b->m->actuator_biastype[i] == SN_BIAS_USER;
  return mode == SN_LENGTHRANGE_ALL || (mode != SN_LENGTHRANGE_NONE && l->lengthrange) ||
         (mode == SN_LENGTHRANGE_MUSCLEUSER && user);
}

// Takes a length range that is given or follows from limits; else it is to be found.
static int must_find_range(const si_build *b, int64_t i, const si_actuator_functions *l) {
  const sn_compiler *c = &b->spec->compiler;
  const double *limits = target_limits(b->m, i);
  double *range = b->m->actuator_lengthrange + 2 * i;
  if (!is_range_wanted(b, i, l) || (c->lr_useexisting && range[0] < range[1])) {
    return 0;
  }
  if (c->lr_uselimit && limits) {
    memcpy(range, limits, 2 * sizeof(double));
    return 0;
  }
  return 1;
}

sn_status si_compile_actuator_lengths(si_build *b) {
  int32_t *missing = malloc(((size_t)b->m->nu + 1) * sizeof *missing);
  int64_t n = 0, failed = 0;
  sn_status status = missing ? SN_OK
                             : si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  for (int64_t i = 0; i < b->m->nu && status >= 0; i++) {
    si_actuator_functions l;
    status = si_actuator_find_functions(b, i, &l);
    if (status >= 0 && must_find_range(b, i, &l)) {
      missing[n++] = (int32_t)i;
    }
  }
  if (status >= 0 && n > 0) {
    status = si_lengthrange_find(b->m, &b->spec->compiler, &b->deadline, n, missing, &failed,
                                 b->error);
    status = status < 0 ? si_build_blame(b, status, SI_ELEMENT_actuator, failed) : status;
  }
  free(missing);
  return status;
}
