// SPDX-License-Identifier: Apache-2.0
//
// What the parts of compiling actuators share: targets and functions (dynamics, gain, bias) by
// name.

#ifndef SI_COMPILE_ACTUATOR_H
#define SI_COMPILE_ACTUATOR_H

#include "compile/compile.h"

typedef struct si_actuator_functions {
  const si_provider *dynamics, *gain, *bias;   // NULL: none
  double dynprm[SN_NACTPRM], gainprm[SN_NACTPRM], biasprm[SN_NACTPRM];
  int32_t states;
  int32_t lengthrange;   // one of them needs it
} si_actuator_functions;

// The name of a function, or its default if none is given.
const char *si_function_name(const char *text, const char *otherwise);
// SI_ELEMENT_* of what a transmission acts on; the two ids of actuator_trnid.
int32_t si_actuator_target_kind(int32_t trntype);
sn_status si_actuator_target(si_build *b, int64_t i, int32_t *id);
sn_status si_actuator_find_functions(si_build *b, int64_t i, si_actuator_functions *out);
// Do the functions accept their parameters?
sn_status si_actuator_check_functions(si_build *b, int64_t i, const si_actuator_functions *l);
// Ranges of controls and activations, and whether they limit. actuator_range.c
sn_status si_actuator_ranges(si_build *b, int64_t i, const si_actuator_functions *l);

#endif
