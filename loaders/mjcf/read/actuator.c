// SPDX-License-Identifier: Apache-2.0
//
// Actuators. There is one kind, `general`; the others are shortcuts that set its functions and
// parameters in a coordinated way, over whatever the class says. A class has one dummy for all:
//
//   shortcut     dynamics    gain    bias     parameters
//   motor        none        fixed   none     gain 1
//   position     none        fixed   affine   gain kp, bias 0 -kp -kv
//   velocity     none        fixed   affine   gain kv, bias 0 0 -kv
//   intvelocity  integrator  fixed   affine   as position; activation limited
//   damper       none        affine  none     gain 0 0 -kv; control limited
//   cylinder     filter      fixed   affine   dynamics timeconst, gain area, bias as given
//   muscle       muscle      muscle  muscle   gain and bias the same nine numbers
//   adhesion     none        fixed   none     gain; control limited
//
// A parameter that is not given (kp ...) is what the class has. Reference: modeling guide of the
// format, section Actuator shortcuts.

#include "mjcf/read/read.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

static void set_functions(sn_actuator_def *d, const char *dynamics, const char *gain,
                          const char *bias) {
  d->dyntype = dynamics;
  d->gaintype = gain;
  d->biastype = bias;
}

static void assign(double *to, double value) {
  *to = isnan(value) ? *to : value;
}

static sn_status range_not_negative(mjcf_reader *r, const xml_node *node,
                                    const sn_actuator_def *d) {
  if (d->ctrlrange[0] < 0 || d->ctrlrange[1] < 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "ctrlrange"),
                    "%s: ctrlrange is negative", node->name);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ shortcuts

static sn_status apply_motor(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  (void)r;
  (void)node;
  set_functions(&a->def, "none", "fixed", "none");
  a->def.gainprm[0] = 1;
  return SN_OK;
}

static void feedback(sn_actuator_def *d, double gain, int which) {
  assign(&d->gainprm[0], gain);
  memset(d->biasprm, 0, sizeof d->biasprm);
  d->biasprm[which] = -d->gainprm[0];
}

static int says(const char *text, const char *word) {
  return text && strcmp(text, word) == 0;
}

// Damping is kv, or a ratio from which the compiler finds kv; of a class and an element inside of
// it, the element says which.
static sn_status damp(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  sn_actuator_def *d = &a->def;
  if (!isnan(a->kv) && !isnan(d->dampratio)) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "dampratio"),
                    "%s: kv and dampratio both specify the damping; remove one", node->name);
  }
  if (d->dampratio < 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "dampratio"),
                    "%s: dampratio is negative", node->name);
  }
  d->dampratio = !isnan(a->kv) ? 0 : isnan(d->dampratio) ? a->class_dampratio : d->dampratio;
  a->class_kv = isnan(a->kv) ? a->class_kv : a->kv;
  d->biasprm[2] = d->dampratio > 0 ? 0 : -a->class_kv;
  return SN_OK;
}

// The range of one of control and activation that follows from that of the target. A class has it
// for both shortcuts.
static sn_status inherit(mjcf_reader *r, const xml_node *node, mjcf_actuator *a, double *mine,
                         double *other) {
  if (a->inheritrange < 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "inheritrange"),
                    "%s: inheritrange is negative", node->name);
  }
  *mine = !isnan(a->inheritrange) ? a->inheritrange : *mine > 0 ? *mine : *other;
  *other = 0;
  return SN_OK;
}

static sn_status apply_position(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  // a filter by the value of the time constant, which may come from a class
  const double inherited = says(a->def.dyntype, "filterexact") ? a->def.dynprm[0] : 0;
  const double constant = isnan(a->timeconst[0]) ? inherited : a->timeconst[0];
  if (constant < 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "timeconst"),
                    "position: timeconst must be positive, or 0 for no filter; got %g", constant);
  }
  set_functions(&a->def, constant > 0 ? "filterexact" : "none", "fixed", "affine");
  assign(&a->def.dynprm[0], a->timeconst[0]);
  feedback(&a->def, a->kp, 1);
  SN_TRY(damp(r, node, a));
  return inherit(r, node, a, &a->def.inheritctrl, &a->def.inheritact);
}

static sn_status apply_velocity(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  (void)r;
  (void)node;
  set_functions(&a->def, "none", "fixed", "affine");
  feedback(&a->def, a->kv, 2);
  return SN_OK;
}

static sn_status apply_intvelocity(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  set_functions(&a->def, "integrator", "fixed", "affine");
  feedback(&a->def, a->kp, 1);
  SN_TRY(damp(r, node, a));
  a->def.actlimited = SN_TRUE;
  return inherit(r, node, a, &a->def.inheritact, &a->def.inheritctrl);
}

static sn_status apply_damper(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  sn_actuator_def *d = &a->def;
  set_functions(d, "none", "affine", "none");
  memset(d->gainprm, 0, sizeof d->gainprm);
  d->gainprm[2] = isnan(a->kv) ? 0 : -a->kv;
  d->ctrllimited = SN_TRUE;
  if (d->gainprm[2] > 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "kv"), "damper: kv is negative");
  }
  return range_not_negative(r, node, d);
}

static sn_status apply_cylinder(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  (void)r;
  (void)node;
  sn_actuator_def *d = &a->def;
  set_functions(d, "filter", "fixed", "affine");
  assign(&d->dynprm[0], a->timeconst[0]);
  assign(&d->gainprm[0], a->area);
  assign(&d->gainprm[0], pi / 4 * a->diameter * a->diameter);
  for (int i = 0; i < 3; i++) {
    assign(&d->biasprm[i], a->bias[i]);
  }
  return SN_OK;
}

// what general has by default becomes what a muscle has by default; then what is given counts
static sn_status apply_muscle(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  (void)r;
  (void)node;
  static const double dynamics[2] = { 0.01, 0.04 };
  static const double gain[9] = { 0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2 };
  sn_actuator_def *d = &a->def;
  sn_actuator_def general;
  sn_default_actuator(&general);
  set_functions(d, "muscle", "muscle", "muscle");
  for (int i = 0; i < 2; i++) {
    d->dynprm[i] = d->dynprm[i] == general.dynprm[i] ? dynamics[i] : d->dynprm[i];
    assign(&d->dynprm[i], a->timeconst[i]);
  }
  const double given[9] = { a->range[0], a->range[1], a->force, a->scale, a->lmin,
                            a->lmax,     a->vmax,     a->fpmax, a->fvmax };
  for (int i = 0; i < 9; i++) {
    d->gainprm[i] = d->gainprm[i] == general.gainprm[i] ? gain[i] : d->gainprm[i];
    assign(&d->gainprm[i], given[i]);
    d->biasprm[i] = d->gainprm[i];
  }
  return SN_OK;
}

static sn_status apply_adhesion(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  sn_actuator_def *d = &a->def;
  set_functions(d, "none", "fixed", "none");
  memset(d->gainprm, 0, sizeof d->gainprm);
  memset(d->biasprm, 0, sizeof d->biasprm);
  d->gainprm[0] = isnan(a->gain) ? 1 : a->gain;
  d->ctrllimited = SN_TRUE;
  if (d->gainprm[0] < 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "gain"),
                    "adhesion: gain is negative");
  }
  return range_not_negative(r, node, d);
}

const mjcf_shortcut mjcf_motor = { apply_motor };
const mjcf_shortcut mjcf_position = { apply_position };
const mjcf_shortcut mjcf_velocity = { apply_velocity };
const mjcf_shortcut mjcf_intvelocity = { apply_intvelocity };
const mjcf_shortcut mjcf_damper = { apply_damper };
const mjcf_shortcut mjcf_cylinder = { apply_cylinder };
const mjcf_shortcut mjcf_muscle = { apply_muscle };
const mjcf_shortcut mjcf_adhesion = { apply_adhesion };

mjcf_servo mjcf_servo_of(const sn_actuator_def *d) {
  if (!says(d->gaintype, "fixed") || !says(d->biastype, "affine") ||
      d->biasprm[1] != -d->gainprm[0]) {
    return MJCF_NO_SERVO;
  }
  return says(d->dyntype, "integrator")                                ? MJCF_INTVELOCITY
         : says(d->dyntype, "none") || says(d->dyntype, "filterexact") ? MJCF_POSITION
                                                                       : MJCF_NO_SERVO;
}

// ------------------------------------------------------------------ transmission

static sn_status set_target(mjcf_reader *r, const xml_node *node, mjcf_actuator *a) {
  const struct {
    const char *name, *target;
    int32_t type;
  } targets[] = {
    { "joint", a->joint, SN_TRN_JOINT },
    { "jointinparent", a->jointinparent, SN_TRN_JOINTINPARENT },
    { "tendon", a->tendon, SN_TRN_TENDON },
    { "cranksite", a->cranksite, SN_TRN_SLIDERCRANK },
    { "site", a->site, SN_TRN_SITE },
    { "body", a->body, SN_TRN_BODY },
  };

  // one of them
  const char *first = NULL;
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    if (targets[i].target && first) {
      return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, targets[i].name),
                      "%s: both %s and %s are specified; remove one", node->name, first,
                      targets[i].name);
    }
    if (targets[i].target) {
      first = targets[i].name;
      a->def.target = targets[i].target;
      a->def.trntype = targets[i].type;
    }
  }
  if (!first) {
    char names[80] = "";
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
      if (mjcf_has_attr(node->rule, targets[i].name)) {
        strcat(strcat(names, *names ? ", " : ""), targets[i].name);
      }
    }
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "%s: it has no transmission; add one of these attributes: %s", node->name,
                    names);
  }

  // what goes with some of them only
  const char *slider = xml_find_attr(node, "cranklength") ? "cranklength" : "slidersite";
  if (!a->cranksite && xml_find_attr(node, slider)) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, slider),
                    "%s: %s requires cranksite", node->name, slider);
  }
  if (!a->site && a->refsite) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "refsite"),
                    "%s: refsite requires site", node->name);
  }
  a->def.refsite = a->cranksite ? a->slidersite : a->refsite;
  return SN_OK;
}

// ------------------------------------------------------------------ elements

sn_status mjcf_fill_actuator(mjcf_reader *r, const mjcf_element *e, const xml_node *node,
                             mjcf_actuator *a) {
  a->kp = a->kv = a->gain = a->area = a->diameter = SN_UNSET;
  a->force = a->scale = a->lmin = a->lmax = a->vmax = a->fpmax = a->fvmax = SN_UNSET;
  SN_SET_UNSET(a->timeconst);
  SN_SET_UNSET(a->bias);
  SN_SET_UNSET(a->range);
  a->inheritrange = a->def.dampratio = SN_UNSET;
  SN_TRY(mjcf_fill(r, e, node, a));
  const mjcf_shortcut *shortcut = e->detail;
  SN_TRY(shortcut ? shortcut->apply(r, node, a) : SN_OK);

  // what the class says of servos, for what is one; damping is a matter of the bias alone
  if (isnan(a->def.dampratio)) {
    const xml_attr *bias = xml_find_attr(node, "biasprm");
    const double range = a->def.inheritctrl + a->def.inheritact;
    const mjcf_servo servo = shortcut ? MJCF_NO_SERVO : mjcf_servo_of(&a->def);
    const int undamped = shortcut || !says(a->def.biastype, "affine") ||
                         a->def.biasprm[1] != -a->def.gainprm[0] ||
                         (bias && xml_count(bias->value) > 2);
    a->def.dampratio = undamped ? 0 : a->class_dampratio;
    a->def.inheritctrl = servo == MJCF_POSITION ? range : 0;
    a->def.inheritact = servo == MJCF_INTVELOCITY ? range : 0;
  }
  return SN_OK;
}

sn_status mjcf_read_actuator(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  const mjcf_class *class;
  SN_TRY(mjcf_find_class(r, node, "class", &class));
  mjcf_actuator a = { .def = class->actuator,
                      .class_kv = class->kv,
                      .class_dampratio = class->actuator.dampratio };
  SN_TRY(mjcf_fill_actuator(r, e, node, &a));
  SN_TRY(set_target(r, node, &a));
  SN_TRY(mjcf_read_configs(r, e, node, &a.def.attributes));
  sn_location location = xml_location(node);
  int32_t id;
  return r->builder->add_actuator(r->spec, &a.def, &location, &id, r->error);
}
