// SPDX-License-Identifier: Apache-2.0
//
// Saving: what refers to the elements of the tree: contact, equality constraints, tendons,
// actuators, sensors, forces.

#include <stdio.h>
#include <string.h>

#include "mjcf/write/write.h"

sn_status mjcf_save_contact(mjcf_writer *w, const mjcf_class *top) {
  SN_TRY(mjcf_check_pairs(w));
  sn_exclude_def exclude;
  const mjcf_element *contact = mjcf_section("contact");
  sn_default_exclude(&exclude);
  mjcf_begin(w, "contact", 0);
  MJCF_SAVE_ALL(w, contact, pair, &top->pair);
  MJCF_SAVE_ALL(w, contact, exclude, &exclude);
  mjcf_end(w);
  return SN_OK;
}

// The row of a list whose `detail` is this integer.
static const mjcf_element *element_of(const mjcf_element *list, int32_t detail) {
  for (; list->name; list++) {
    if (list->detail && *(const int32_t *)list->detail == detail) {
      return list;
    }
  }
  return NULL;
}

sn_status mjcf_save_equalities(mjcf_writer *w, const mjcf_class *top) {
  mjcf_equality defaults = { .def = top->equality }, connect = defaults;
  SN_SET_UNSET(connect.def.anchor);   // always written
  mjcf_begin(w, "equality", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "equality"); i++) {
    mjcf_equality eq = { .site1 = NULL };
    sn_default_equality(&eq.def);
    SN_TRY(w->b->get_equality(w->spec, i, &eq.def, w->error));
    if (eq.def.sites) {
      eq.site1 = eq.def.obj1;
      eq.site2 = eq.def.obj2;
      eq.def.obj1 = eq.def.obj2 = NULL;
      sn_set_reals(eq.def.relpose, 7, defaults.def.relpose);
      sn_set_reals(eq.def.anchor, 3, defaults.def.anchor);
    }
    const mjcf_element *e = element_of(mjcf_section("equality")->children, eq.def.type);
    mjcf_begin(w, e->name, 1);
    mjcf_write_rows(w, e, &eq,
                    eq.def.type == SN_EQUALITY_CONNECT && !eq.def.sites ? &connect : &defaults);
    SN_TRY(mjcf_save_configs(w, eq.def.attributes));
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

static int is_fixed(const sn_tendon_def *def) {
  return def->nwrap > 0 && def->wrap[0].type == SN_WRAP_JOINT;
}

// A fixed tendon takes width, material and rgba from its class only: one is made for it.
static int has_own_look(const sn_tendon_def *def, const sn_tendon_def *top) {
  return is_fixed(def) && (def->width != top->width || (def->material && *def->material) ||
                           memcmp(def->rgba, top->rgba, sizeof def->rgba) != 0);
}

static void name_look(int32_t id, char *name, size_t size) {
  snprintf(name, size, "look of tendon %d", id);
}

sn_status mjcf_save_looks(mjcf_writer *w, const mjcf_class *top) {
  mjcf_begin(w, "default", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "tendon"); i++) {
    sn_tendon_def def, look = top->tendon;
    sn_default_tendon(&def);
    SN_TRY(w->b->get_tendon(w->spec, i, &def, w->error));
    if (!has_own_look(&def, &top->tendon)) {
      continue;
    }
    char name[64];
    name_look(i, name, sizeof name);
    look.width = def.width;
    look.material = def.material;
    sn_set_reals(look.rgba, 4, def.rgba);
    mjcf_begin(w, "default", 1);
    mjcf_write_text(w, "class", name);
    mjcf_write_element(w, mjcf_find_element(mjcf_default_children, "tendon"), &look, &top->tendon);
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

sn_status mjcf_save_tendons(mjcf_writer *w, const mjcf_class *top) {
  const sn_wrap_def none = { 0 };
  mjcf_begin(w, "tendon", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "tendon"); i++) {
    sn_tendon_def def;
    char look[64];
    sn_default_tendon(&def);
    SN_TRY(w->b->get_tendon(w->spec, i, &def, w->error));
    mjcf_plain_tendon(&def);
    const char *kind = is_fixed(&def) ? "fixed" : "spatial";
    const mjcf_element *e = mjcf_find_element(mjcf_section("tendon")->children, kind);
    mjcf_begin(w, e->name, 1);
    if (has_own_look(&def, &top->tendon)) {
      name_look(i, look, sizeof look);
      mjcf_write_text(w, "class", look);
    }
    mjcf_write_rows(w, e, &def, &top->tendon);
    for (int64_t k = 0; k < def.nwrap; k++) {
      int32_t type = def.wrap[k].type == SN_WRAP_CYLINDER ? SN_WRAP_SPHERE : def.wrap[k].type;
      mjcf_write_element(w, element_of(e->children, type), &def.wrap[k], &none);
    }
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

// The attributes that say what an actuator acts on.
static void name_target(mjcf_actuator *a) {
  const char **target[] = { [SN_TRN_JOINT] = &a->joint,
                            [SN_TRN_JOINTINPARENT] = &a->jointinparent,
                            [SN_TRN_SLIDERCRANK] = &a->cranksite,
                            [SN_TRN_TENDON] = &a->tendon,
                            [SN_TRN_SITE] = &a->site,
                            [SN_TRN_BODY] = &a->body };
  *target[a->def.trntype] = a->def.target;
  *(a->def.trntype == SN_TRN_SLIDERCRANK ? &a->slidersite : &a->refsite) = a->def.refsite;
}

static int all_zero(const double *p, int n) {
  int zero = 1;
  for (int i = 0; i < n; i++) {
    zero &= p[i] == 0;
  }
  return zero;
}

static int says(const char *text, const char *word) {
  return text && strcmp(text, word) == 0;
}

// The shortcut element that can express the damping ratio or inherited range of an actuator: only
// two have these attributes. NULL: the actuator has neither, or no shortcut fits it.
static const char *shortcut_of(const sn_actuator_def *d) {
  const mjcf_servo servo = mjcf_servo_of(d);
  const int unfiltered = says(d->dyntype, "filterexact") && d->dynprm[0] == 0;
  if ((d->dampratio == 0 && d->inheritctrl == 0 && d->inheritact == 0) || d->attributes ||
      servo == MJCF_NO_SERVO || d->actearly || d->biasprm[0] != 0 || !all_zero(d->gainprm + 1, 9) ||
      !all_zero(d->biasprm + 3, 7) || !all_zero(d->dynprm + 1, 9) || d->trntype == SN_TRN_BODY ||
      (d->dampratio > 0 && d->biasprm[2] != 0)) {
    return NULL;
  }
  if (servo == MJCF_INTVELOCITY) {
    return d->inheritctrl == 0 && d->actlimited == SN_TRUE ? "intvelocity" : NULL;
  }
  return !unfiltered && d->inheritact == 0 && d->actlimited == SN_AUTO && all_zero(d->actrange, 2)
             ? "position"
             : NULL;
}

static sn_status save_actuator(mjcf_writer *w, const mjcf_class *top, int32_t id,
                               mjcf_actuator *a) {
  const sn_actuator_def *d = &a->def;
  const char *name = shortcut_of(d);
  mjcf_actuator defaults;
  memset(&defaults, 0, sizeof defaults);
  defaults.def = top->actuator;
  if (name) {
    a->kp = d->gainprm[0];
    a->kv = d->biasprm[2] == 0 ? 0 : -d->biasprm[2];   // not -0, which would be written
    a->timeconst[0] = says(d->dyntype, "filterexact") ? d->dynprm[0] : 0;
    a->inheritrange = d->inheritctrl + d->inheritact;
    defaults.kp = SN_UNSET;   // always written
  } else if (d->dampratio != 0 || d->inheritctrl != 0 || d->inheritact != 0) {
    return mjcf_reject_servo(w, id, d->name);
  }
  name = name ? name : "general";
  name_target(a);
  mjcf_begin(w, name, 1);
  mjcf_write_rows(w, mjcf_find_element(mjcf_actuator_children, name), a, &defaults);
  SN_TRY(mjcf_save_configs(w, d->attributes));
  mjcf_end(w);
  return SN_OK;
}

sn_status mjcf_save_actuators(mjcf_writer *w, const mjcf_class *top) {
  mjcf_begin(w, "actuator", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "actuator"); i++) {
    mjcf_actuator a;
    memset(&a, 0, sizeof a);
    sn_default_actuator(&a.def);
    SN_TRY(w->b->get_actuator(w->spec, i, &a.def, w->error));
    mjcf_plain_actuator(&a.def);
    SN_TRY(save_actuator(w, top, i, &a));
  }
  mjcf_end(w);
  return SN_OK;
}

// An element, with the attributes of its plugin.
static sn_status save_with_configs(mjcf_writer *w, const mjcf_element *e, const void *def,
                                   const void *defaults, const char *attributes) {
  mjcf_begin(w, e->name, 1);
  mjcf_write_rows(w, e, def, defaults);
  SN_TRY(mjcf_save_configs(w, attributes));
  mjcf_end(w);
  return SN_OK;
}

sn_status mjcf_save_sensors(mjcf_writer *w) {
  sn_sensor_def defaults, def;
  sn_default_sensor(&defaults);
  sn_default_sensor(&def);
  mjcf_begin(w, "sensor", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "sensor"); i++) {
    SN_TRY(w->b->get_sensor(w->spec, i, &def, w->error));
    const mjcf_element *e = mjcf_find_element(mjcf_sensor_children, def.type);
    if (!e || def.attributes || strcmp(def.type, "plugin") == 0) {
      e = mjcf_find_element(mjcf_sensor_children, "plugin");
    }
    SN_TRY(save_with_configs(w, e, &def, &defaults, def.attributes));
  }
  mjcf_end(w);
  return SN_OK;
}

// The element that names a provider of the kind before the slash; *type: what follows it.
static const mjcf_element *force_element(const char **type) {
  static const char *const kinds[] = { "contact", "controller" };
  const mjcf_element *children = mjcf_section("extension")->children;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const size_t n = strlen(kinds[i]);
    if (*type && strncmp(*type, kinds[i], n) == 0 && (*type)[n] == '/') {
      *type += n + 1;
      return mjcf_find_element(children, kinds[i]);
    }
  }
  return mjcf_find_element(children, "force");
}

sn_status mjcf_save_forces(mjcf_writer *w) {
  sn_force_def defaults, def;
  sn_default_force(&defaults);
  sn_default_force(&def);
  mjcf_begin(w, "extension", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "force"); i++) {
    SN_TRY(w->b->get_force(w->spec, i, &def, w->error));
    const mjcf_element *e = force_element(&def.type);
    SN_TRY(save_with_configs(w, e, &def, &defaults, def.attributes));
  }
  mjcf_end(w);
  return SN_OK;
}
