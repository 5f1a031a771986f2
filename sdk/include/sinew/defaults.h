// SPDX-License-Identifier: Apache-2.0
//
// The documented defaults: sn_default_<element>(&def) fills a definition of spec.h,
// sn_default_<settings>(&settings) one of the structs of options.h. All [any].
//
// They are inline, so a plugin has the defaults that it was compiled with; what later versions
// append to a struct is zero in it, which means the default.

#ifndef SINEW_DEFAULTS_H
#define SINEW_DEFAULTS_H

#include "sinew/spec.h"

SN_BEGIN_DECLS

static inline void sn_set_reals(double *out, int n, const double *in) {
  memcpy(out, in, (size_t)n * sizeof(double));
}

static inline void sn_unset_reals(double *out, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = SN_UNSET;
  }
}

#define SN_SET(array, ...)                                                  \
  do {                                                                      \
    const double set_values[] = { __VA_ARGS__ };                            \
    sn_set_reals(array, (int)(sizeof(array) / sizeof(double)), set_values); \
  } while (0)
#define SN_SET_UNSET(array) sn_unset_reals(array, (int)(sizeof(array) / sizeof(double)))
#define SN_DEFAULT_HEAD(def) \
  (memset((def), 0, sizeof *(def)), (void)((def)->def_size = sizeof *(def)))
#define SN_DEFAULT_SOLREF 0.02, 1
#define SN_DEFAULT_SOLIMP 0.9, 0.95, 0.001, 0.5, 2

static inline void sn_default_orient(sn_orient *o) {
  SN_SET(o->quat, 1, 0, 0, 0);
  SN_SET_UNSET(o->axisangle);
  SN_SET_UNSET(o->euler);
  SN_SET_UNSET(o->xyaxes);
  SN_SET_UNSET(o->zaxis);
}

static inline void sn_default_body(sn_body_def *d) {
  SN_DEFAULT_HEAD(d);
  sn_default_orient(&d->orient);
  sn_default_orient(&d->iorient);
  SN_SET_UNSET(d->fullinertia);
}

static inline void sn_default_joint(sn_joint_def *d) {
  SN_DEFAULT_HEAD(d);
  d->type = SN_JOINT_HINGE;
  d->limited = SN_FALSE;
  SN_SET(d->axis, 0, 0, 1);
  SN_SET(d->solref_limit, SN_DEFAULT_SOLREF);
  SN_SET(d->solimp_limit, SN_DEFAULT_SOLIMP);
  SN_SET(d->solref_friction, SN_DEFAULT_SOLREF);
  SN_SET(d->solimp_friction, SN_DEFAULT_SOLIMP);
  SN_SET_UNSET(d->dof_stiffness);
  SN_SET_UNSET(d->dof_damping);
  SN_SET_UNSET(d->dof_armature);
  SN_SET_UNSET(d->dof_frictionloss);
  SN_SET_UNSET(d->springquat);
}

static inline void sn_default_geom(sn_geom_def *d) {
  SN_DEFAULT_HEAD(d);
  d->type = SN_GEOM_SPHERE;
  d->contype = d->conaffinity = 1;
  d->condim = 3;
  sn_default_orient(&d->orient);
  SN_SET_UNSET(d->fromto);
  d->mass = SN_UNSET;
  d->density = 1000;
  SN_SET(d->friction, 1, 0.005, 0.0001);
  d->solmix = 1;
  SN_SET(d->solref, SN_DEFAULT_SOLREF);
  SN_SET(d->solimp, SN_DEFAULT_SOLIMP);
  d->fitscale = 1;
  SN_SET(d->fluidcoef, 0.5, 0.25, 1.5, 1, 1);
  SN_SET(d->rgba, 0.5, 0.5, 0.5, 1);
}

static inline void sn_default_site(sn_site_def *d) {
  SN_DEFAULT_HEAD(d);
  d->type = SN_GEOM_SPHERE;
  SN_SET(d->size, 0.005, 0.005, 0.005);
  sn_default_orient(&d->orient);
  SN_SET_UNSET(d->fromto);
  SN_SET(d->rgba, 0.5, 0.5, 0.5, 1);
}

static inline void sn_default_camera(sn_camera_def *d) {
  SN_DEFAULT_HEAD(d);
  sn_default_orient(&d->orient);
  d->fovy = 45;
  d->ipd = 0.068;
}

static inline void sn_default_light(sn_light_def *d) {
  SN_DEFAULT_HEAD(d);
  d->castshadow = d->active = 1;
  SN_SET(d->dir, 0, 0, -1);
  SN_SET(d->attenuation, 1, 0, 0);
  d->cutoff = 45;
  d->exponent = 10;
  SN_SET(d->diffuse, 0.7, 0.7, 0.7);
  SN_SET(d->specular, 0.3, 0.3, 0.3);
}

static inline void sn_default_mesh(sn_mesh_def *d) {
  SN_DEFAULT_HEAD(d);
  SN_SET(d->refquat, 1, 0, 0, 0);
  SN_SET(d->scale, 1, 1, 1);
  d->maxhullvert = -1;
}

static inline void sn_default_hfield(sn_hfield_def *d) {
  SN_DEFAULT_HEAD(d);
}

static inline void sn_default_texture(sn_texture_def *d) {
  SN_DEFAULT_HEAD(d);
  d->type = SN_TEXTURE_CUBE;
  d->gridsize[0] = d->gridsize[1] = 1;
  SN_SET(d->rgb1, 0.8, 0.8, 0.8);
  SN_SET(d->rgb2, 0.5, 0.5, 0.5);
  d->random = 0.01;
}

static inline void sn_default_material(sn_material_def *d) {
  SN_DEFAULT_HEAD(d);
  SN_SET(d->texrepeat, 1, 1);
  d->specular = d->shininess = 0.5;
  SN_SET(d->rgba, 1, 1, 1, 1);
}

static inline void sn_default_skin(sn_skin_def *d) {
  SN_DEFAULT_HEAD(d);
  SN_SET(d->rgba, 0.5, 0.5, 0.5, 1);
}

static inline void sn_default_pair(sn_pair_def *d) {
  SN_DEFAULT_HEAD(d);
  SN_SET_UNSET(d->friction);
  SN_SET_UNSET(d->solref);
  SN_SET_UNSET(d->solimp);
  d->margin = d->gap = SN_UNSET;
}

static inline void sn_default_exclude(sn_exclude_def *d) {
  SN_DEFAULT_HEAD(d);
}

static inline void sn_default_equality(sn_equality_def *d) {
  SN_DEFAULT_HEAD(d);
  d->active = 1;
  d->torquescale = 1;
  SN_SET(d->polycoef, 0, 1, 0, 0, 0);
  SN_SET(d->solref, SN_DEFAULT_SOLREF);
  SN_SET(d->solimp, SN_DEFAULT_SOLIMP);
}

static inline void sn_default_tendon(sn_tendon_def *d) {
  SN_DEFAULT_HEAD(d);
  SN_SET_UNSET(d->springlength);
  d->width = 0.003;
  SN_SET(d->solref_limit, SN_DEFAULT_SOLREF);
  SN_SET(d->solimp_limit, SN_DEFAULT_SOLIMP);
  SN_SET(d->solref_friction, SN_DEFAULT_SOLREF);
  SN_SET(d->solimp_friction, SN_DEFAULT_SOLIMP);
  SN_SET(d->rgba, 0.5, 0.5, 0.5, 1);
}

static inline void sn_default_actuator(sn_actuator_def *d) {
  SN_DEFAULT_HEAD(d);
  d->dyntype = "none";
  d->gaintype = "fixed";
  d->biastype = "none";
  d->dynprm[0] = d->gainprm[0] = d->gear[0] = 1;
}

static inline void sn_default_sensor(sn_sensor_def *d) {
  SN_DEFAULT_HEAD(d);
}
static inline void sn_default_force(sn_force_def *d) {
  SN_DEFAULT_HEAD(d);
}

static inline void sn_default_numeric(sn_numeric_def *d) {
  SN_DEFAULT_HEAD(d);
  d->length = -1;
}

static inline void sn_default_text(sn_text_def *d) {
  SN_DEFAULT_HEAD(d);
}
static inline void sn_default_tuple(sn_tuple_def *d) {
  SN_DEFAULT_HEAD(d);
}
static inline void sn_default_key(sn_key_def *d) {
  SN_DEFAULT_HEAD(d);
}

// The settings' defaults, from the tables of options.h: sn_default_option(&option) ...
#define SN_DEFAULT_REAL(name, count, ...) SN_SET(d->name, __VA_ARGS__);
#define SN_DEFAULT_INT(name, value) d->name = value;
#define SN_DEFAULT_TEXT(name, value) strcpy(d->name, value);
#define SN_DEFAULT_SETTINGS(type, TABLE)                    \
  static inline void sn_default_##type(sn_##type *d) {      \
    SN_DEFAULT_HEAD(d);                                     \
    TABLE(SN_DEFAULT_REAL, SN_DEFAULT_INT, SN_DEFAULT_TEXT) \
  }
SN_DEFAULT_SETTINGS(option, SN_OPTIONS)
SN_DEFAULT_SETTINGS(compiler, SN_COMPILER)
SN_DEFAULT_SETTINGS(size_hint, SN_SIZE_HINTS)
SN_DEFAULT_SETTINGS(statistic, SN_STATISTICS)
SN_DEFAULT_SETTINGS(visual, SN_VISUAL)

SN_END_DECLS

#endif
