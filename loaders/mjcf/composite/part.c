// SPDX-License-Identifier: Apache-2.0
//
// What the builders of composite objects add: elements that start from the object's definitions.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/composite/composite.h"
#include "sinew/math.h"

const char *composite_name(mjcf_reader *r, const mjcf_composite *c, const char *word, int32_t n,
                           const int32_t *coord) {
  size_t size = strlen(c->prefix) + strlen(word) + 12 * (size_t)n + 1;
  char *name = xml_alloc(&r->doc.arena, size);
  if (!name) {
    mjcf_no_memory(r, c->node);
    return NULL;
  }
  size_t at = (size_t)snprintf(name, size, "%s%s", c->prefix, word);
  for (int32_t i = 0; i < n; i++) {
    at += (size_t)snprintf(name + at, size - at, i ? "_%d" : "%d", coord[i]);
  }
  return name;
}

double composite_volume(const sn_geom_def *geom) {
  const double *s = geom->size;
  double ball = 4 * SN_PI / 3;
  return geom->type == SN_GEOM_SPHERE ? ball * s[0] * s[0] * s[0]
         : geom->type == SN_GEOM_CAPSULE
             ? ball * s[0] * s[0] * s[0] + 2 * SN_PI * s[0] * s[0] * s[1]
             : ball * s[0] * s[1] * s[2];
}

// a name into `out`; leaves the function when there is no memory
#define NAME(out, ...)                   \
  do {                                   \
    (out) = composite_name(__VA_ARGS__); \
    if (!(out)) {                        \
      return SN_ENOMEM;                  \
    }                                    \
  } while (0)

// ------------------------------------------------------------------ bodies and what is on them

sn_status composite_add_body(mjcf_reader *r, const mjcf_composite *c, const sn_body_def *def,
                             int32_t *id) {
  return r->builder->add_body(r->spec, def, &c->location, id, r->error);
}

sn_status composite_add_joint(mjcf_reader *r, const mjcf_composite *c, int32_t kind, int32_t body,
                              const char *word, const int32_t *coord, int32_t type,
                              const double *pos, const double *axis, const char **name) {
  sn_joint_def def = c->joint[kind].def;
  int32_t id;
  if (word) {
    NAME(def.name, r, c, word, c->dim, coord);
  }
  def.body = body;
  def.type = type;
  memcpy(def.pos, pos, sizeof def.pos);
  memcpy(def.axis, axis, sizeof def.axis);
  if (name) {
    *name = def.name;
  }
  return r->builder->add_joint(r->spec, &def, &c->location, &id, r->error);
}

sn_status composite_add_geom(mjcf_reader *r, const mjcf_composite *c, int32_t body,
                             const int32_t *coord, const double *quat) {
  sn_geom_def def = c->geom;
  int32_t id;
  if (coord) {
    NAME(def.name, r, c, "G", c->dim, coord);
  }
  def.body = body;
  if (quat) {
    memcpy(def.orient.quat, quat, sizeof def.orient.quat);
  }
  return r->builder->add_geom(r->spec, &def, &c->location, &id, r->error);
}

sn_status composite_add_site(mjcf_reader *r, const mjcf_composite *c, int32_t body,
                             const int32_t *coord) {
  sn_site_def def = c->site;
  int32_t id;
  NAME(def.name, r, c, "S", c->dim, coord);
  def.body = body;
  return r->builder->add_site(r->spec, &def, &c->location, &id, r->error);
}

// ------------------------------------------------------------------ tendons, constraints

sn_status composite_add_string(mjcf_reader *r, const mjcf_composite *c, int32_t kind,
                               const char *name, const int32_t *from, const int32_t *to) {
  sn_tendon_def def = c->tendon[kind].def;
  sn_wrap_def wrap[2] = { { .type = SN_WRAP_SITE }, { .type = SN_WRAP_SITE } };
  int32_t id;
  NAME(wrap[0].object, r, c, "S", c->dim, from);
  NAME(wrap[1].object, r, c, "S", c->dim, to);
  def.name = name;
  def.wrap = wrap;
  def.nwrap = 2;
  SN_TRY(r->builder->add_tendon(r->spec, &def, &c->location, &id, r->error));
  return composite_fix_tendon(r, c, kind, name);
}

static sn_status add_equality(mjcf_reader *r, const mjcf_composite *c, int32_t type,
                              const char *obj1, const char *obj2,
                              const composite_softness *softness) {
  sn_equality_def def;
  int32_t id;
  sn_default_equality(&def);
  def.type = type;
  def.obj1 = obj1;
  def.obj2 = obj2;
  memcpy(def.solref, softness->solref, sizeof def.solref);
  memcpy(def.solimp, softness->solimp, sizeof def.solimp);
  return r->builder->add_equality(r->spec, &def, &c->location, &id, r->error);
}

sn_status composite_fix_joint(mjcf_reader *r, const mjcf_composite *c, const char *joint1,
                              const char *joint2, const composite_softness *softness) {
  return add_equality(r, c, SN_EQUALITY_JOINT, joint1, joint2, softness);
}

sn_status composite_fix_tendon(mjcf_reader *r, const mjcf_composite *c, int32_t kind,
                               const char *name) {
  return add_equality(r, c, SN_EQUALITY_TENDON, name, NULL, &c->tendon[kind].fix);
}
