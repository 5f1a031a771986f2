// SPDX-License-Identifier: Apache-2.0
//
// Actuators: transmission by name, laws by name, ranges, activation states, length range.
//
// Which laws exist, how many states they have and whether they need a length range is the plugins'
// affair; here they are only asked.

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "sinew/math.h"

static const char *word(const char *text, const char *otherwise) {
  return text && text[0] ? text : otherwise;
}

// ------------------------------------------------------------------ transmissions

typedef struct transmission {
  const char *name;   // as laws name what they accept
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
enum { NTRANSMISSIONS = sizeof transmissions / sizeof transmissions[0] };

static sn_status find_target(si_build *b, int64_t i, int32_t *id) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  id[1] = -1;
  if (a->trntype < 0 || a->trntype >= NTRANSMISSIONS) {
    return SI_FAIL(b, actuator, i, "there is no transmission of type %d", a->trntype);
  }
  const transmission *t = &transmissions[a->trntype];
  if (!a->target || !a->target[0]) {
    return SI_FAIL(b, actuator, i,
                   "it does not say what it acts on; name a joint, tendon, site "
                   "or body");
  }
  SN_TRY(si_build_refer(b, SI_ELEMENT_actuator, i, t->kind, a->target, &id[0]));
  if (a->refsite && a->refsite[0]) {
    if (!t->second) {
      return SI_FAIL(b, actuator, i, "refsite goes with a site or a slider-crank only");
    }
    return SI_REFER(b, actuator, i, site, a->refsite, &id[1]);
  }
  return t->second_needed ? SI_FAIL(b, actuator, i, "a slider-crank needs a %s", t->second) : SN_OK;
}

static int32_t body_of_site(const si_build *b, int32_t site) {
  return b->number[SI_ELEMENT_body].model[SI_DEF(b, site, site)->body];
}

// Room for one row of actuator_moment.
static sn_status moment_room(si_build *b, int64_t i, int32_t *stamp, int64_t *room) {
  int32_t id[2], mark = (int32_t)i + 1;
  SN_TRY(find_target(b, i, id));
  const transmission *t = &transmissions[SI_DEF(b, actuator, i)->trntype];
  if (t->kind == SI_ELEMENT_joint) {
    *room = si_build_joint_dofs(b, id[0]);
  } else if (t->kind == SI_ELEMENT_tendon) {
    return si_build_tendon_room(b, id[0], stamp, mark, room);
  } else if (t->kind == SI_ELEMENT_site) {
    *room = si_build_mark_chain(b, body_of_site(b, id[0]), stamp, mark);
    if (id[1] >= 0) {
      *room += si_build_mark_chain(b, body_of_site(b, id[1]), stamp, mark);
    }
  } else {
    *room = b->size.nv;   // whatever the body touches
  }
  return SN_OK;
}

// ------------------------------------------------------------------ laws

// A law of an actuator; NULL in *out for "none", and for a "user" that no one provides.
static sn_status find_law(si_build *b, int64_t i, const char *kind, const char *name,
                          const si_provider **out) {
  const sn_status status = si_law_find(b->engine, kind, name, out, b->error);
  return status < 0 ? si_build_blame(b, status, SI_ELEMENT_actuator, i) : SN_OK;
}

// Does a law accept the transmission of its actuator?
static sn_status check_transmission(si_build *b, int64_t i, const si_provider *law,
                                    const char *accepted) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  if (!accepted || !accepted[0] || a->trntype < 0 || a->trntype >= NTRANSMISSIONS) {
    return SN_OK;
  }
  const int related = a->trntype == SN_TRN_SITE && a->refsite && a->refsite[0];
  const char *name = related ? "refsite" : transmissions[a->trntype].name;
  return si_is_listed(accepted, name)
             ? SN_OK
             : SI_FAIL(b, actuator, i, "its law '%s' cannot act through a %s; it accepts %s",
                       law->name, name, accepted);
}

typedef struct laws {
  const si_provider *dynamics, *gain, *bias;
  double dynprm[SN_NACTPRM], gainprm[SN_NACTPRM], biasprm[SN_NACTPRM];
  int32_t states;
  int32_t lengthrange;   // one of them needs it
} laws;

// The numbers of a law: those that are named, else those of the row; of a row that is as by
// default (first, 0, 0 ...), the declared defaults.
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

static sn_status find_rows(si_build *b, int64_t i, laws *l) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  const sn_dynamics_ops *dynamics = l->dynamics ? l->dynamics->ops : NULL;
  const sn_force_ops *gain = l->gain ? l->gain->ops : NULL, *bias = l->bias ? l->bias->ops : NULL;
  const sn_param *const declared[3] = { dynamics ? dynamics->numbers : NULL,
                                        gain ? gain->numbers : NULL, bias ? bias->numbers : NULL };
  const char *lines = a->attributes;
  sn_status status = si_attributes_check(declared, 3, lines, b->error);
  if (status >= 0) {
    status = find_numbers(declared[0], lines, a->dynprm, 1, l->dynprm, b->error);
  }
  if (status >= 0) {
    status = find_numbers(declared[1], lines, a->gainprm, 1, l->gainprm, b->error);
  }
  if (status >= 0) {
    status = find_numbers(declared[2], lines, a->biasprm, 0, l->biasprm, b->error);
  }
  return status < 0 ? si_build_blame(b, status, SI_ELEMENT_actuator, i) : SN_OK;
}

static sn_status check_transmissions(si_build *b, int64_t i, const laws *l) {
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

static sn_status find_laws(si_build *b, int64_t i, laws *out) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  SN_TRY(find_law(b, i, SN_KIND_DYNAMICS, word(a->dyntype, "none"), &out->dynamics));
  SN_TRY(find_law(b, i, SN_KIND_GAIN, word(a->gaintype, "fixed"), &out->gain));
  SN_TRY(find_law(b, i, SN_KIND_BIAS, word(a->biastype, "none"), &out->bias));
  const int free_states = !out->dynamics && strcmp(word(a->dyntype, "none"), "user") == 0;
  SN_TRY(find_rows(b, i, out));
  SN_TRY(check_transmissions(b, i, out));
  out->states = !free_states ? 0 : a->actdim > 0 ? a->actdim : 1;
  out->lengthrange = 0;
  if (out->dynamics) {
    const sn_dynamics_ops *ops = out->dynamics->ops;
    out->states = ops->states(out->dynamics->self, out->dynprm);
    out->lengthrange |= (ops->head.flags & SN_LAW_LENGTHRANGE) != 0;
    if (out->states < 0) {
      return SI_FAIL(b, actuator, i, "the law '%s' declares %d states", a->dyntype, out->states);
    }
  }
  if (a->actdim > 0 && a->actdim != out->states) {
    return SI_FAIL(b, actuator, i,
                   "actdim is %d, but its dynamics '%s' has %d activation%s; leave actdim out, or "
                   "name a dyntype that has %d",
                   a->actdim, word(a->dyntype, "none"), out->states, out->states == 1 ? "" : "s",
                   a->actdim);
  }
  const si_provider *const forces[2] = { out->gain, out->bias };
  for (int k = 0; k < 2; k++) {
    const sn_force_ops *ops = forces[k] ? forces[k]->ops : NULL;
    out->lengthrange |= ops && (ops->head.flags & SN_LAW_LENGTHRANGE) != 0;
  }
  return SN_OK;
}

// Do the laws accept their parameters?
static sn_status check_laws(si_build *b, int64_t i, const laws *l) {
  const sn_host *host = sn_engine_host(b->engine);
  sn_status status = SN_OK;
  const sn_dynamics_ops *dynamics = l->dynamics ? l->dynamics->ops : NULL;
  const sn_force_ops *gain = l->gain ? l->gain->ops : NULL;
  const sn_force_ops *bias = l->bias ? l->bias->ops : NULL;
  if (dynamics && dynamics->check) {
    status = dynamics->check(l->dynamics->self, l->dynprm, host, b->error);
  }
  if (status >= 0 && gain && gain->check) {
    status = gain->check(l->gain->self, l->gainprm, host, b->error);
  }
  if (status >= 0 && bias && bias->check) {
    status = bias->check(l->bias->self, l->biasprm, host, b->error);
  }
  return status < 0 ? si_build_blame(b, SN_ECOMPILE, SI_ELEMENT_actuator, i) : SN_OK;
}

// ------------------------------------------------------------------ measuring

static sn_status measure_actuator(si_build *b, int64_t i, int32_t *stamp, int64_t *stateful) {
  sn_model *s = &b->size;
  laws l;
  int64_t room = 0;
  SN_TRY(find_laws(b, i, &l));
  SN_TRY(check_laws(b, i, &l));
  SN_TRY(moment_room(b, i, stamp, &room));
  if (l.states == 0 && *stateful >= 0) {
    return SI_FAIL(b, actuator, i,
                   "it has no activation state, but one before it has; move it "
                   "before all actuators with activation");
  }
  *stateful = l.states > 0 ? i : *stateful;
  s->na += l.states;
  s->nmoment += room;
  return s->nmoment > INT32_MAX || s->na > INT32_MAX
             ? SI_FAIL(b, actuator, i, "the actuators together are too large")
             : SN_OK;
}

sn_status si_compile_actuator_measure(si_build *b) {
  sn_model *s = &b->size;
  s->nu = b->number[SI_ELEMENT_actuator].n;
  int32_t *stamp = calloc((size_t)s->nv + 1, sizeof *stamp);
  if (!stamp) {
    return si_fail(b->error, SN_ENOMEM, "no memory to compile");
  }
  sn_status status = SN_OK;
  int64_t stateful = -1;
  for (int64_t i = 0; i < s->nu && status >= 0; i++) {
    status = measure_actuator(b, i, stamp, &stateful);
  }
  free(stamp);
  SN_TRY(status);
  return si_build_user_size(b, SI_ELEMENT_actuator, offsetof(sn_actuator_def, user),
                            b->spec->size_hint.nuser_actuator, &s->nuser_actuator);
}

// ------------------------------------------------------------------ ranges

static sn_status fill_range(si_build *b, int64_t i, const char *what, int32_t limited,
                            const double *range, int32_t *out_limited, double *out_range) {
  SN_TRY(si_build_limited(b, SI_ELEMENT_actuator, i, what, limited, range, &out_limited[i]));
  out_range[2 * i] = range[0];
  out_range[2 * i + 1] = range[1];
  if (out_limited[i] && range[0] >= range[1]) {
    return SI_FAIL(b, actuator, i, "%s %g %g is empty; the first number must be smaller", what,
                   range[0], range[1]);
  }
  return SN_OK;
}

// A range that is that of the target about its middle, times a ratio; 0: the range that is given.
static sn_status inherit_range(si_build *b, int64_t i, const char *what, double ratio,
                               const double *given, double *out) {
  const sn_model *m = b->m;
  const int32_t id = m->actuator_trnid[2 * i];
  const int32_t kind = transmissions[m->actuator_trntype[i]].kind;
  memcpy(out, given, 2 * sizeof(double));
  if (ratio == 0) {
    return SN_OK;
  }
  if (ratio < 0 || given[0] != 0 || given[1] != 0) {
    return SI_FAIL(b, actuator, i,
                   ratio < 0 ? "its inherited %s is negative, %g times that of its target"
                             : "its %s is said, and %g times that of its target too; say one",
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
                   "its %s is to be that of its target, and %s; give the target a range, or the "
                   "actuator one of its own",
                   what, range ? "that is empty" : "only a slide, a hinge or a tendon has one");
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

static sn_status fill_ranges(si_build *b, int64_t i, const laws *l) {
  sn_model *m = b->m;
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  double ctrlrange[2], actrange[2];
  SN_TRY(inherit_range(b, i, "control range", a->inheritctrl, a->ctrlrange, ctrlrange));
  SN_TRY(inherit_range(b, i, "activation range", a->inheritact, a->actrange, actrange));
  SN_TRY(fill_range(b, i, "control range", a->ctrllimited, ctrlrange, m->actuator_ctrllimited,
                    m->actuator_ctrlrange));
  SN_TRY(fill_range(b, i, "force range", a->forcelimited, a->forcerange, m->actuator_forcelimited,
                    m->actuator_forcerange));
  SN_TRY(fill_range(b, i, "activation range", a->actlimited, actrange, m->actuator_actlimited,
                    m->actuator_actrange));
  if (m->actuator_actlimited[i] && l->states == 0) {
    return SI_FAIL(b, actuator, i,
                   "its activation is limited, but dynamics '%s' has no "
                   "activation; remove the range or choose other dynamics",
                   word(a->dyntype, "none"));
  }
  return SN_OK;
}

// The limits of the joint or tendon that it acts on; NULL: none.
static const double *target_limits(const sn_model *m, int64_t i) {
  int32_t id = m->actuator_trnid[2 * i], kind = transmissions[m->actuator_trntype[i]].kind;
  if (kind == SI_ELEMENT_joint && m->jnt_limited[id]) {
    return m->jnt_range + 2 * id;
  }
  return kind == SI_ELEMENT_tendon && m->tendon_limited[id] ? m->tendon_range + 2 * id : NULL;
}

// Does the mode ask for a length range? Laws say that they need one; mode muscleuser also treats
// laws without a documented integer as muscles.
static int is_range_wanted(const si_build *b, int64_t i, const laws *l) {
  const int64_t mode = b->spec->compiler.lr_mode;
  const int user = b->m->actuator_gaintype[i] == SN_GAIN_USER ||
                   b->m->actuator_biastype[i] == SN_BIAS_USER;
  return mode == SN_LENGTHRANGE_ALL || (mode != SN_LENGTHRANGE_NONE && l->lengthrange) ||
         (mode == SN_LENGTHRANGE_MUSCLEUSER && user);
}

// Takes a length range that is given or follows from limits; else it is to be found.
static int must_find_range(const si_build *b, int64_t i, const laws *l) {
  const sn_compiler *c = &b->spec->compiler;
  const double *limits = target_limits(b->m, i);
  double *range = b->m->actuator_lengthrange + 2 * i;
  memcpy(range, SI_DEF(b, actuator, i)->lengthrange, 2 * sizeof(double));
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
  sn_status status = missing ? SN_OK : si_fail(b->error, SN_ENOMEM, "no memory to compile");
  for (int64_t i = 0; i < b->m->nu && status >= 0; i++) {
    laws l;
    status = find_laws(b, i, &l);
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

// ------------------------------------------------------------------ damping ratios

// The inertia that an actuator moves, as it is felt through its transmission: of every dof on its
// own, M_jj / moment_j^2.
static double reflected_inertia(const sn_model *m, const sn_data *d, int64_t i) {
  const double *moment = d->actuator_moment + d->actuator_moment_rowadr[i];
  const int32_t *dof = d->actuator_moment_colind + d->actuator_moment_rowadr[i];
  double sum = 0;
  for (int32_t k = 0; k < d->actuator_moment_rownnz[i]; k++) {
    sum += fabs(moment[k]) > 1e-15 ? m->dof_M0[dof[k]] / (moment[k] * moment[k]) : 0;
  }
  return sum;
}

static sn_status damp(si_build *b, int64_t i, const sn_data *d) {
  const double ratio = SI_DEF(b, actuator, i)->dampratio;
  const double *gain = b->m->actuator_gainprm + SN_NACTPRM * i;
  double *bias = b->m->actuator_biasprm + SN_NACTPRM * i;
  if (ratio == 0) {
    return SN_OK;
  }
  if (ratio < 0 || gain[0] < 0 || bias[1] != -gain[0] || bias[2] != 0) {
    return SI_FAIL(b, actuator, i,
                   "a damping ratio must be positive, and goes with a servo whose gain is kp and "
                   "whose bias is 0 -kp 0, with kp not negative");
  }
  bias[2] = -2 * ratio * sqrt(gain[0] * reflected_inertia(b->m, d, i));
  return isfinite(bias[2]) ? SN_OK
                           : SI_FAIL(b, actuator, i,
                                     "the damping of its damping ratio %g with kp %g is not finite",
                                     ratio, gain[0]);
}

sn_status si_compile_actuator_damping(si_build *b, const sn_data *d) {
  for (int64_t i = 0; i < b->m->nu; i++) {
    SN_TRY(damp(b, i, d));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ filling

// Laws that the application keeps to itself: the model can be looked at without them.
static sn_status warn_absent(si_build *b, int64_t i, const laws *l) {
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  const struct {
    const si_provider *law;
    const char *name, *kind, *what, *effect;
  } list[] = {
    { l->dynamics, a->dyntype, SN_KIND_DYNAMICS, "dyntype", "its activation is constant" },
    { l->gain, a->gaintype, SN_KIND_GAIN, "gaintype", "its gain is 0" },
    { l->bias, a->biastype, SN_KIND_BIAS, "biastype", "its bias is 0" },
  };
  for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
    if (!list[k].law && strcmp(word(list[k].name, "none"), "user") == 0) {
      SN_TRY(
          si_build_warn(b, SI_ELEMENT_actuator, i,
                        "no plugin or application provides its %s 'user', so %s; "
                        "sn_engine_add(engine, \"%s\", \"user\", ...), before a model is loaded, "
                        "provides it",
                        list[k].what, list[k].effect, list[k].kind));
    }
  }
  return SN_OK;
}

static sn_status fill_actuator(si_build *b, int64_t i, int32_t *state) {
  sn_model *m = b->m;
  const sn_actuator_def *a = SI_DEF(b, actuator, i);
  laws l;
  SN_TRY(find_laws(b, i, &l));
  SN_TRY(warn_absent(b, i, &l));
  SN_TRY(find_target(b, i, m->actuator_trnid + 2 * i));
  m->actuator_trntype[i] = a->trntype;
  m->actuator_dyntype[i] = si_dynamics_number(word(a->dyntype, "none"));
  m->actuator_gaintype[i] = si_gain_number(word(a->gaintype, "fixed"));
  m->actuator_biastype[i] = si_bias_number(word(a->biastype, "none"));
  m->actuator_group[i] = a->group;
  m->actuator_actearly[i] = a->actearly != 0;
  m->actuator_cranklength[i] = a->cranklength;
  memcpy(m->actuator_gear + 6 * i, a->gear, sizeof a->gear);
  memcpy(m->actuator_dynprm + SN_NACTPRM * i, l.dynprm, sizeof l.dynprm);
  memcpy(m->actuator_gainprm + SN_NACTPRM * i, l.gainprm, sizeof l.gainprm);
  memcpy(m->actuator_biasprm + SN_NACTPRM * i, l.biasprm, sizeof l.biasprm);

  m->actuator_actadr[i] = l.states ? *state : -1;
  m->actuator_actnum[i] = l.states;
  *state += l.states;
  if (a->trntype == SN_TRN_SLIDERCRANK && a->cranklength <= 0) {
    return SI_FAIL(b, actuator, i, "cranklength must be positive, not %g", a->cranklength);
  }
  return fill_ranges(b, i, &l);
}

sn_status si_compile_actuator_fill(si_build *b) {
  sn_model *m = b->m;
  int32_t state = 0;
  for (int64_t i = 0; i < m->nu; i++) {
    SN_TRY(fill_actuator(b, i, &state));
  }
  si_build_user(b, SI_ELEMENT_actuator, offsetof(sn_actuator_def, user), m->nuser_actuator,
                m->actuator_user);
  return SN_OK;
}
