// SPDX-License-Identifier: Apache-2.0
//
// The references of an actuator: its target, and its functions (dynamics, gain, bias) with their
// parameters.
//
// Which functions exist, how many states they have and whether they need a length range is defined
// by plugins.

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "compile/actuator.h"

const char *si_function_name(const char *text, const char *otherwise) {
  return text && text[0] ? text : otherwise;
}

// ------------------------------------------------------------------ transmissions

typedef struct transmission {
  const char *name;   // as in `transmissions` of the operation tables
  int32_t kind;       // of the target
  int32_t second_needed;
  const char *second;   // what refsite is; NULL: there is none
} transmission;

static const transmission transmissions[] = {
  [SN_TRN_JOINT] = { "joint", SI_ELEMENT_joint, 0, NULL },
  [SN_TRN_JOINTINPARENT] = { "jointinparent", SI_ELEMENT_joint, 0, NULL },
  [SN_TRN_SLIDERCRANK] = { "slidercrank", SI_ELEMENT_site, 1, "slider site" },
  [SN_TRN_TENDON] = { "tendon", SI_ELEMENT_tendon, 0, NULL },
  [SN_TRN_SITE] = { "site", SI_ELEMENT_site, 0, "reference site" },
  [SN_TRN_BODY] = { "body", SI_ELEMENT_body, 0, NULL },
};

int32_t si_actuator_target_kind(int32_t trntype) {
  return transmissions[trntype].kind;
}

sn_status si_actuator_target(si_build *b, int64_t i, int32_t *id) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  id[1] = -1;
  const transmission *t = &transmissions[a->trntype];
  if (!a->target || !a->target[0]) {
    return SI_FAIL(b, actuator, i,
                   "it has no transmission target; name a joint, tendon, site "
                   "or body");
  }
  SN_TRY(si_build_refer(b, SI_ELEMENT_actuator, i, t->kind, a->target, &id[0]));
  if (a->refsite && a->refsite[0]) {
    if (!t->second) {
      return SI_FAIL(b, actuator, i, "refsite requires a site or a slider-crank");
    }
    return SI_REFER(b, actuator, i, site, a->refsite, &id[1]);
  }
  return t->second_needed ? SI_FAIL(b, actuator, i, "a slider-crank needs a %s", t->second) : SN_OK;
}

// ------------------------------------------------------------------ dynamics, gain, bias

// A function of an actuator; NULL in *out for "none", and for a "user" that is not registered.
static sn_status find_function(si_build *b, int64_t i, const char *kind, const char *name,
                               const si_provider **out) {
  const sn_status status = si_engine_find_type(b->engine, kind, name, out, b->error);
  return status < 0 ? si_build_blame(b, status, SI_ELEMENT_actuator, i) : SN_OK;
}

// Does a function support the transmission of its actuator?
static sn_status check_transmission(si_build *b, int64_t i, const si_provider *function,
                                    const char *accepted) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  if (!accepted || !accepted[0]) {
    return SN_OK;
  }
  const int related = a->trntype == SN_TRN_SITE && a->refsite && a->refsite[0];
  const char *name = related ? "refsite" : transmissions[a->trntype].name;
  return si_is_listed(accepted, name)
             ? SN_OK
             : SI_FAIL(b, actuator, i, "'%s' does not support the transmission %s; it supports %s",
                       function->name, name, accepted);
}

// The parameters of a function: those that are set by name, else those of the row; if the row has
// its default (first, 0, 0 ...), the declared defaults.
static sn_status find_numbers(const sn_param *declared, const char *lines, const double *row,
                              double first, double *out, sn_error *error) {
  sn_value *values;
  int32_t given[SN_NACTPRM];
  int untouched = row[0] == first;
  for (int k = 1; k < SN_NACTPRM; k++) {
    untouched = untouched && row[k] == 0;
  }
  memcpy(out, row, SN_NACTPRM * sizeof(double));
  SN_TRY(si_attributes_read(declared, lines, &values, given, error));
  for (int k = 0; declared && declared[k].name; k++) {
    out[k] = given[k] || untouched ? values[k].real : row[k];
  }
  free(values);
  return SN_OK;
}

// A function of an actuator: its tables, and its row of parameters.
typedef struct function_row {
  const sn_param *numbers, *attributes;   // NULL: none
  const double *row;                      // of the definition
  double first;                           // of the default row, whose other numbers are zero
  double *out;
} function_row;

enum { NFUNCTIONS = 3 };

static void list_rows(const sn_actuator_def *a, si_actuator_functions *l, function_row *out) {
  const sn_dynamics_ops *dynamics = l->dynamics ? l->dynamics->ops : NULL;
  const sn_force_ops *gain = l->gain ? l->gain->ops : NULL, *bias = l->bias ? l->bias->ops : NULL;
  out[0] = (function_row){ .row = a->dynprm, .first = 1, .out = l->dynprm };
  out[1] = (function_row){ .row = a->gainprm, .first = 1, .out = l->gainprm };
  out[2] = (function_row){ .row = a->biasprm, .first = 0, .out = l->biasprm };
  if (dynamics) {
    out[0].numbers = dynamics->numbers;
    out[0].attributes = dynamics->attributes;
  }
  if (gain) {
    out[1].numbers = gain->numbers;
    out[1].attributes = gain->attributes;
  }
  if (bias) {
    out[2].numbers = bias->numbers;
    out[2].attributes = bias->attributes;
  }
}

// Are the attributes of one function valid? References are resolved when the model is bound.
static sn_status check_attributes(const sn_param *declared, const char *lines, sn_error *error) {
  sn_value *values = NULL;
  const sn_status status = declared ? si_attributes_read(declared, lines, &values, NULL, error)
                                    : SN_OK;
  free(values);
  return status;
}

static sn_status find_rows(si_build *b, int64_t i, si_actuator_functions *l) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  const char *lines = a->attributes;
  const sn_param *declared[2 * NFUNCTIONS];
  function_row rows[NFUNCTIONS];
  list_rows(a, l, rows);
  for (int k = 0; k < NFUNCTIONS; k++) {
    declared[2 * k] = rows[k].numbers;
    declared[2 * k + 1] = rows[k].attributes;
  }
  sn_status status = si_attributes_check(declared, 2 * NFUNCTIONS, lines, b->error);
  for (int k = 0; k < NFUNCTIONS && status >= 0; k++) {
    const function_row *r = &rows[k];
    status = find_numbers(r->numbers, lines, r->row, r->first, r->out, b->error);
    status = status < 0 ? status : check_attributes(r->attributes, lines, b->error);
  }
  return status < 0 ? si_build_blame(b, status, SI_ELEMENT_actuator, i) : SN_OK;
}

static sn_status check_transmissions(si_build *b, int64_t i, const si_actuator_functions *l) {
  if (l->dynamics) {
    SN_TRY(check_transmission(b, i, l->dynamics,
                              ((const sn_dynamics_ops *)l->dynamics->ops)->transmissions));
  }
  const si_provider *const forces[2] = { l->gain, l->bias };
  for (int k = 0; k < 2; k++) {
    if (forces[k]) {
      SN_TRY(check_transmission(b, i, forces[k],
                                ((const sn_force_ops *)forces[k]->ops)->transmissions));
    }
  }
  return SN_OK;
}

sn_status si_actuator_find_functions(si_build *b, int64_t i, si_actuator_functions *out) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  SN_TRY(
      find_function(b, i, SN_KIND_DYNAMICS, si_function_name(a->dyntype, "none"), &out->dynamics));
  SN_TRY(find_function(b, i, SN_KIND_GAIN, si_function_name(a->gaintype, "fixed"), &out->gain));
  SN_TRY(find_function(b, i, SN_KIND_BIAS, si_function_name(a->biastype, "none"), &out->bias));
  const int free_states = !out->dynamics &&
                          strcmp(si_function_name(a->dyntype, "none"), "user") == 0;
  SN_TRY(find_rows(b, i, out));
  SN_TRY(check_transmissions(b, i, out));
  out->states = !free_states ? 0 : a->actdim > 0 ? a->actdim : 1;
  out->lengthrange = 0;
  if (out->dynamics) {
    const sn_dynamics_ops *ops = out->dynamics->ops;
    out->states = si_dynamics_states(out->dynamics, out->dynprm);
    out->lengthrange |= (ops->head.flags & SN_ACTUATOR_LENGTHRANGE) != 0;
    if (out->states < 0 || out->states > SN_MAX_STATES) {
      return SI_FAIL(b, actuator, i,
                     "'%s' declares %d activation states; the number must be from 0 to %d",
                     a->dyntype, out->states, SN_MAX_STATES);
    }
  }
  if (a->actdim > 0 && a->actdim != out->states) {
    return SI_FAIL(b, actuator, i,
                   "actdim is %d, but its dynamics '%s' has %d activation%s; remove actdim, or "
                   "select a dyntype with %d",
                   a->actdim, si_function_name(a->dyntype, "none"), out->states,
                   out->states == 1 ? "" : "s", a->actdim);
  }
  const si_provider *const forces[2] = { out->gain, out->bias };
  for (int k = 0; k < 2; k++) {
    const sn_force_ops *ops = forces[k] ? forces[k]->ops : NULL;
    out->lengthrange |= ops && (ops->head.flags & SN_ACTUATOR_LENGTHRANGE) != 0;
  }
  return SN_OK;
}

// Do the functions accept their parameters?
sn_status si_actuator_check_functions(si_build *b, int64_t i, const si_actuator_functions *l) {
  const sn_host *host = sn_engine_host(b->engine);
  sn_status status = SN_OK;
  if (l->dynamics) {
    status = si_dynamics_check(l->dynamics, l->dynprm, host, b->error);
  }
  if (status >= 0 && l->gain) {
    status = si_force_check(l->gain, l->gainprm, host, b->error);
  }
  if (status >= 0 && l->bias) {
    status = si_force_check(l->bias, l->biasprm, host, b->error);
  }
  return status < 0 ? si_build_blame(b, SN_ECOMPILE, SI_ELEMENT_actuator, i) : SN_OK;
}
