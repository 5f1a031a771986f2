// SPDX-License-Identifier: Apache-2.0
//
// Actuators: capacity for their moments, functions, activation states. References are resolved in
// actuator_function.c, their ranges in actuator_range.c, their damping ratios in
// actuator_damping.c.

#include <stdlib.h>
#include <string.h>

#include "compile/actuator.h"

// ------------------------------------------------------------------ measuring

static int32_t body_of_site(const si_build *b, int32_t site) {
  return b->number[SI_ELEMENT_body].model[SI_DEF(b, site, site)->body];
}

// Room for one row of actuator_moment.
static sn_status moment_capacity(si_build *b, int64_t i, int32_t *stamp, int64_t *capacity) {
  int32_t id[2], mark = (int32_t)i + 1;
  SN_TRY(si_actuator_target(b, i, id));
  const int32_t kind = si_actuator_target_kind(SI_DEF(b, actuator, i)->trntype);
  if (kind == SI_ELEMENT_joint) {
    *capacity = si_build_joint_dofs(b, id[0]);
  } else if (kind == SI_ELEMENT_tendon) {
    return si_build_tendon_capacity(b, id[0], stamp, mark, capacity);
  } else if (kind == SI_ELEMENT_site) {
    *capacity = si_build_mark_chain(b, body_of_site(b, id[0]), stamp, mark);
    if (id[1] >= 0) {
      *capacity += si_build_mark_chain(b, body_of_site(b, id[1]), stamp, mark);
    }
  } else {
    *capacity = b->size.nv;   // whatever the body touches
  }
  return SN_OK;
}

static sn_status measure_actuator(si_build *b, int64_t i, int32_t *stamp, int64_t *stateful) {
  sn_model *s = &b->size;
  si_actuator_functions l;
  int64_t capacity = 0;
  SN_TRY(si_actuator_find_functions(b, i, &l));
  SN_TRY(si_actuator_check_functions(b, i, &l));
  SN_TRY(moment_capacity(b, i, stamp, &capacity));
  if (l.states == 0 && *stateful >= 0) {
    return SI_FAIL(b, actuator, i,
                   "an actuator without activation follows one with activation; move it before all "
                   "actuators with activation");
  }
  *stateful = l.states > 0 ? i : *stateful;
  s->na += l.states;
  s->nmoment += capacity;
  if (s->nmoment > INT32_MAX || s->na > INT32_MAX) {
    return SI_FAIL(b, actuator, i, "the actuators together are too large");
  }
  const sn_status status = l.dynamics ? si_limit_states(b->engine, l.dynamics, s->na, b->error)
                                      : SN_OK;
  return status < 0 ? si_build_blame(b, status, SI_ELEMENT_actuator, i) : SN_OK;
}

sn_status si_compile_actuator_measure(si_build *b) {
  sn_model *s = &b->size;
  s->nu = b->number[SI_ELEMENT_actuator].n;
  int32_t *stamp = calloc((size_t)s->nv + 1, sizeof *stamp);
  if (!stamp) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  sn_status status = SN_OK;
  int64_t stateful = -1;
  for (int64_t i = 0; i < s->nu && status >= 0; i++) {
    status = measure_actuator(b, i, stamp, &stateful);
  }
  free(stamp);
  return status;
}

// ------------------------------------------------------------------ filling

// Functions "user" of an application that are not registered: the model can be compiled without.
static sn_status warn_absent(si_build *b, int64_t i, const si_actuator_functions *l) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  const struct {
    const si_provider *function;
    const char *name, *kind, *what, *effect;
  } list[] = {
    { l->dynamics, a->dyntype, SN_KIND_DYNAMICS, "dyntype", "its activation is constant" },
    { l->gain, a->gaintype, SN_KIND_GAIN, "gaintype", "its gain is 0" },
    { l->bias, a->biastype, SN_KIND_BIAS, "biastype", "its bias is 0" },
  };
  for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
    if (!list[k].function && strcmp(si_function_name(list[k].name, "none"), "user") == 0) {
      SN_TRY(
          si_build_warn(b, SI_ELEMENT_actuator, i,
                        "no plugin or application provides its %s 'user', so %s; register one with "
                        "sn_engine_add(engine, \"%s\", \"user\", ...) before a model is loaded",
                        list[k].what, list[k].effect, list[k].kind));
    }
  }
  return SN_OK;
}

static sn_status fill_actuator(si_build *b, int64_t i, int32_t *state) {
  sn_model *m = b->m;
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  si_actuator_functions l;
  SN_TRY(si_actuator_find_functions(b, i, &l));
  SN_TRY(warn_absent(b, i, &l));
  SN_TRY(si_actuator_target(b, i, m->actuator_trnid + 2 * i));
  m->actuator_dyntype[i] = si_dynamics_number(si_function_name(a->dyntype, "none"));
  m->actuator_gaintype[i] = si_gain_number(si_function_name(a->gaintype, "fixed"));
  m->actuator_biastype[i] = si_bias_number(si_function_name(a->biastype, "none"));
  memcpy(m->actuator_dynprm + SN_NACTPRM * i, l.dynprm, sizeof l.dynprm);
  memcpy(m->actuator_gainprm + SN_NACTPRM * i, l.gainprm, sizeof l.gainprm);
  memcpy(m->actuator_biasprm + SN_NACTPRM * i, l.biasprm, sizeof l.biasprm);

  m->actuator_actadr[i] = l.states ? *state : -1;
  m->actuator_actnum[i] = l.states;
  *state += l.states;
  if (a->trntype == SN_TRN_SLIDERCRANK && a->cranklength <= 0) {
    return SI_FAIL(b, actuator, i, "cranklength must be positive, not %g", a->cranklength);
  }
  return si_actuator_ranges(b, i, &l);
}

sn_status si_compile_actuator_fill(si_build *b) {
  sn_model *m = b->m;
  int32_t state = 0;
  for (int64_t i = 0; i < m->nu; i++) {
    SN_TRY(fill_actuator(b, i, &state));
  }
  return SN_OK;
}
