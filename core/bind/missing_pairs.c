// SPDX-License-Identifier: Apache-2.0
//
// Pairs of geoms that no collider supports. They would pass through each other silently, so the
// model gets warnings.

#include <stdio.h>
#include <stdlib.h>

#include "bind/bind.h"
#include "contact/collision.h"
#include "sinew/math.h"
#include "spec/spec.h"

// "; load ... in [plugins]", with the files beside the loaded ones that would help.
static sn_status warn_missing(sn_model *m, const char *what, sn_error *error) {
  char *files = si_engine_missing(m->engine, SN_KIND_COLLIDER, NULL);
  sn_status status = si_model_warn(
      m, error, "%s; add a plugin that does to section [plugins] of the configuration%s%s", what,
      files ? ", such as " : "", files ? files : "");
  free(files);
  return status;
}

static const char *label(const sn_model *m, int32_t geom, char *storage, size_t n) {
  const char *name = sn_name(m, "geom", geom);
  if (*name) {
    snprintf(storage, n, "'%s'", name);
  } else {
    snprintf(storage, n, "%d", (int)geom);
  }
  return storage;
}

static sn_status warn_pair(sn_model *m, int32_t geom1, int32_t geom2, int is_explicit,
                           sn_error *error) {
  char first[80], second[80], text[512];
  int low = m->geom_type[geom1] <= m->geom_type[geom2];
  snprintf(text, sizeof text,
           is_explicit ? "no collider supports %s-%s, so geoms %s and %s of an explicit pair never "
                         "collide"
                       : "no collider supports %s-%s, so, for example, geoms %s and %s never "
                         "collide",
           si_geom_type_name(m->geom_type[low ? geom1 : geom2]),
           si_geom_type_name(m->geom_type[low ? geom2 : geom1]),
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
      if (m->geom_type[j] == type2 && si_filter_wants(m, m->bound.broadphase, i, j)) {
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
        SN_TRY(warn_pair(m, geom1, geom2, 0, error));
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
      SN_TRY(warn_pair(m, geom1, geom2, 1, error));
    }
  }
  return SN_OK;
}

sn_status si_model_warn_pairs(sn_model *m, sn_error *error) {
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
