// SPDX-License-Identifier: Apache-2.0
//
// Passive forces that a model asks for with numbers instead of a name: a damping wants the force
// that damps. When the plugin that provides it is left out, the model is refused; its springs would
// be gone in silence.

#include <stddef.h>

#include "model/model.h"
#include "model/spec.h"

typedef struct need {
  const char *force;
  const char *what;
  const double *number;
  int64_t n, stride;      // element i has number[stride i]
  const int32_t *owner;   // of element i; NULL: i
  int32_t kind;           // SN_ELEMENT_* of the owner; -1: the model as a whole
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
  if (i < 0 || sn_engine_find(m->engine, SN_KIND_PASSIVE, row->force, &missing)) {
    return SN_OK;
  }
  if (row->kind >= 0) {
    m->bound.culprit_kind = row->kind;
    m->bound.culprit = row->owner ? row->owner[i] : (int32_t)i;
  }
  return sn_fail(error, SN_ENOTFOUND, "%s needs a passive force, and %s", row->what,
                 missing.message);
}

sn_status sn_model_check_needs(sn_model *m, sn_error *error) {
  const int fluid = m->opt.density[0] != 0 || m->opt.viscosity[0] != 0;
#define JOINT(field, what) \
  { "spring_damper", what, m->field, m->nv, 1, m->dof_jntid, SN_ELEMENT_joint }
#define TENDON(field, what) \
  { "spring_damper", what, m->field, m->ntendon, 1, NULL, SN_ELEMENT_tendon }
  const need rows[] = {
    JOINT(dof_stiffness, "its stiffness"),
    JOINT(dof_damping, "its damping"),
    TENDON(tendon_stiffness, "its stiffness"),
    TENDON(tendon_damping, "its damping"),
    { "gravcomp", "its gravcomp", m->body_gravcomp, m->nbody, 1, NULL, SN_ELEMENT_body },
    { "fluid_inertia", "option density", m->opt.density, 1, 1, NULL, -1 },
    { "fluid_inertia", "option viscosity", m->opt.viscosity, 1, 1, NULL, -1 },
    { "fluid_ellipsoid", "its fluidshape", m->geom_fluid, fluid ? m->ngeom : 0, 12, NULL,
      SN_ELEMENT_geom },
  };
#undef JOINT
#undef TENDON
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    SN_TRY(check_need(m, &rows[i], error));
  }
  return SN_OK;
}
