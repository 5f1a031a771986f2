// SPDX-License-Identifier: Apache-2.0
//
// What a model says and no plugin does. Never silence, for such a model would simulate:
//
//   forces   that a model asks for with numbers instead of a name, as a damping wants the force
//            that damps: the model is refused, its springs would be gone
//   pairs    of geoms that no collider serves: warnings, things would fall through each other

#include <stdio.h>
#include <stdlib.h>

#include "bind/bind.h"
#include "contact/collision.h"
#include "sinew/math.h"
#include "spec/spec.h"

// ------------------------------------------------------------------ forces

typedef struct need {
  const char *force;
  const char *what;
  const double *number;
  int64_t n, stride;      // element i has number[stride i]
  const int32_t *owner;   // of element i; NULL: i
  int32_t kind;           // SI_ELEMENT_* of the owner; -1: the model as a whole
} need;

static int64_t first_given(const need *row) {
  for (int64_t i = 0; i < row->n; i++) {
    if (row->number[row->stride * i] != 0) {
      return i;
    }
  }
  return -1;
}

static sn_status check_need(sn_model *m, const need *row, sn_error *error) {
  sn_error missing = { 0 };
  int64_t i = first_given(row);
  if (i < 0 || si_engine_find(m->engine, SN_KIND_PASSIVE, row->force, &missing)) {
    return SN_OK;
  }
  if (row->kind >= 0) {
    m->bound.culprit_kind = row->kind;
    m->bound.culprit = row->owner ? row->owner[i] : (int32_t)i;
  }
  return si_fail(error, SN_ENOTFOUND, "%s needs a passive force, and %s", row->what,
                 missing.message);
}

static sn_status check_needs(sn_model *m, sn_error *error) {
  const int fluid = m->opt.density != 0 || m->opt.viscosity != 0;
#define JOINT(field, what) \
  { "spring_damper", what, m->field, m->nv, 1, m->dof_jntid, SI_ELEMENT_joint }
#define TENDON(field, what) \
  { "spring_damper", what, m->field, m->ntendon, 1, NULL, SI_ELEMENT_tendon }
  const need rows[] = {
    JOINT(dof_stiffness, "its stiffness"),
    JOINT(dof_damping, "its damping"),
    TENDON(tendon_stiffness, "its stiffness"),
    TENDON(tendon_damping, "its damping"),
    { "gravcomp", "its gravcomp", m->body_gravcomp, m->nbody, 1, NULL, SI_ELEMENT_body },
    { "fluid_inertia", "option density", &m->opt.density, 1, 1, NULL, -1 },
    { "fluid_inertia", "option viscosity", &m->opt.viscosity, 1, 1, NULL, -1 },
    { "fluid_ellipsoid", "its fluidshape", m->geom_fluid, fluid ? m->ngeom : 0, 12, NULL,
      SI_ELEMENT_geom },
  };
#undef JOINT
#undef TENDON
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    SN_TRY(check_need(m, &rows[i], error));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ pairs of geoms

// "; load ... in [plugins]", with the files beside the loaded ones that would help.
static sn_status warn_missing(sn_model *m, const char *what, sn_error *error) {
  char *files = si_engine_missing(m->engine, SN_KIND_COLLIDER, NULL);
  sn_status status = si_model_warn(m, error,
                                   "%s; load a plugin that does in section [plugins] of "
                                   "the configuration%s%s",
                                   what, files ? ", such as " : "", files ? files : "");
  free(files);
  return status;
}

static const char *label(const sn_model *m, int32_t geom, char *room, size_t n) {
  const char *name = sn_name(m, "geom", geom);
  if (*name) {
    snprintf(room, n, "'%s'", name);
  } else {
    snprintf(room, n, "%d", (int)geom);
  }
  return room;
}

static sn_status warn_pair(sn_model *m, int32_t geom1, int32_t geom2, const char *mechanism,
                           sn_error *error) {
  char first[80], second[80], text[512];
  int low = m->geom_type[geom1] <= m->geom_type[geom2];
  snprintf(text, sizeof text, "no collider supports %s-%s, so %s geoms %s and %s never collide",
           si_geom_type_name(m->geom_type[low ? geom1 : geom2]),
           si_geom_type_name(m->geom_type[low ? geom2 : geom1]), mechanism,
           label(m, geom1, first, sizeof first), label(m, geom2, second, sizeof second));
  return warn_missing(m, text, error);
}

// The documented filters have no contacts between two shapes without a bounded inside.
static int is_open(int type) {
  return type == SN_GEOM_PLANE || type == SN_GEOM_HFIELD;
}

// The first pair of two types that the filters admit; 0: none.
static int find_pair(const sn_model *m, int type1, int type2, int32_t *geom1, int32_t *geom2) {
  for (int32_t i = 0; i < (int32_t)m->ngeom; i++) {
    for (int32_t j = 0; m->geom_type[i] == type1 && j < (int32_t)m->ngeom; j++) {
      if (m->geom_type[j] == type2 && si_filter_wants(m, m->broadphase, i, j)) {
        *geom1 = i;
        *geom2 = j;
        return 1;
      }
    }
  }
  return 0;
}

static sn_status warn_dynamic(sn_model *m, sn_error *error) {
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    for (int j = i; j < SN_NGEOMTYPES; j++) {
      int32_t geom1, geom2;
      if (!m->bound.collider[i][j] && !(is_open(i) && is_open(j)) &&
          find_pair(m, i, j, &geom1, &geom2)) {
        SN_TRY(warn_pair(m, geom1, geom2, "for example", error));
      }
    }
  }
  return SN_OK;
}

static sn_status warn_explicit(sn_model *m, sn_error *error) {
  for (int64_t i = 0; i < m->npair; i++) {
    int32_t geom1 = m->pair_geom1[i], geom2 = m->pair_geom2[i];
    int type1 = m->geom_type[geom1], type2 = m->geom_type[geom2];
    if (!m->bound.collider[type1 < type2 ? type1 : type2][type1 < type2 ? type2 : type1]) {
      SN_TRY(warn_pair(m, geom1, geom2, "those of an explicit pair,", error));
    }
  }
  return SN_OK;
}

static sn_status warn_pairs(sn_model *m, sn_error *error) {
  const int64_t off = SN_DISABLE_CONSTRAINT | SN_DISABLE_CONTACT;
  if (!(m->opt.disableflags & off)) {
    if (m->opt.collision != SN_COLLISION_PAIR) {
      SN_TRY(warn_dynamic(m, error));
    }
    if (m->opt.collision != SN_COLLISION_DYNAMIC) {
      SN_TRY(warn_explicit(m, error));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ both

sn_status si_model_check_served(sn_model *m, sn_error *error) {
  SN_TRY(check_needs(m, error));
  return warn_pairs(m, error);
}
