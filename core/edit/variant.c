// SPDX-License-Identifier: Apache-2.0
//
// Variants of a model; see variant.h. Three things can follow from an edit of an array, in the
// order of their cost:
//
//   nothing      the step reads the number where it needs it
//   quantities   arrays that end in 0 and masses of subtrees are computed again, in a simulation
//                that the variant keeps for it
//   bindings     also what plugins and the broad phase keep is made again, as by sn_model_refresh
//
// Arrays that are not listed below are of the last kind. A test compares each with a refreshed
// model.

#include "edit/variant.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "edit/refresh.h"
#include "model/field_rules.h"
#include "model/fields.h"
#include "model/validate.h"
#include "platform/lock.h"

enum { NOTHING, QUANTITIES, BINDINGS };

struct si_variant {
  const sn_model *base;
  sn_model model;   // its arrays are those of the base, except own ones
  si_part *part;
  int64_t npart;
  void *own[SI_NMODELFIELD];       // memory of arrays of its own; NULL: that of the base
  int64_t bytes[SI_NMODELFIELD];   // of these
  int follows;                     // the most that follows from a change: NOTHING ...
  sn_data *data;                   // for QUANTITIES
  double *zeros;                   // nv, likewise
};

// Operations of plugins that bind are called by one thread at a time. Such an operation may free
// another model with what rollouts have kept with it, as the garbage collection of Python does.
static si_lock binding = SI_LOCK_RECURSIVE;

// ------------------------------------------------------------------ what follows from an array

static const struct {
  const char *name;
  int follows;
} known[] = {
  { "geom_friction", NOTHING },      { "geom_solref", NOTHING },
  { "geom_solimp", NOTHING },        { "geom_solmix", NOTHING },
  { "geom_restitution", NOTHING },   { "pair_friction", NOTHING },
  { "pair_solref", NOTHING },        { "pair_solimp", NOTHING },
  { "jnt_solref", NOTHING },         { "jnt_solimp", NOTHING },
  { "jnt_range", NOTHING },          { "jnt_margin", NOTHING },
  { "dof_solref", NOTHING },         { "dof_solimp", NOTHING },
  { "dof_frictionloss", NOTHING },   { "tendon_range", NOTHING },
  { "tendon_margin", NOTHING },      { "tendon_frictionloss", NOTHING },
  { "actuator_gainprm", NOTHING },   { "actuator_biasprm", NOTHING },
  { "actuator_ctrlrange", NOTHING }, { "actuator_forcerange", NOTHING },
  { "sensor_noise", NOTHING },       { "sensor_cutoff", NOTHING },
  { "body_mass", QUANTITIES },       { "body_inertia", QUANTITIES },
  { "body_ipos", QUANTITIES },       { "body_iquat", QUANTITIES },
  { "dof_armature", QUANTITIES },    { "actuator_gear", QUANTITIES },
};

static int follows_from(const si_part *p) {
  if (p->what == SI_PART_OPTION) {
    return NOTHING;
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(known[i].name, si_model_field_table[p->field].name) == 0) {
      return known[i].follows;
    }
  }
  return BINDINGS;
}

// ------------------------------------------------------------------ memory

static sn_status take_array(si_variant *v, int field, const si_extent *extent, sn_error *error) {
  if (v->own[field]) {
    return SN_OK;
  }
  v->bytes[field] = extent[field].rows * extent[field].cols * si_model_field_table[field].bytes;
  v->own[field] = aligned_alloc(64, (size_t)(v->bytes[field] + 127) / 64 * 64);
  if (!v->own[field]) {
    return si_fail(error, SN_ENOMEM, "out of memory for a variant of a model");
  }
  memcpy(v->own[field], v->base->field[field], (size_t)v->bytes[field]);
  v->model.field[field] = v->own[field];
  return SN_OK;
}

static sn_status take_arrays(si_variant *v, sn_error *error) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(v->base, extent);
  for (int64_t i = 0; i < v->npart; i++) {
    const int follows = follows_from(&v->part[i]);
    v->follows = follows > v->follows ? follows : v->follows;
    if (v->part[i].what == SI_PART_FIELD) {
      SN_TRY(take_array(v, v->part[i].field, extent, error));
    }
  }
  for (int f = 0; f < SI_NMODELFIELD && v->follows > NOTHING; f++) {
    if (si_model_field_rules[f].kind == SI_RULE_DERIVED) {
      SN_TRY(take_array(v, f, extent, error));
    }
  }
  return SN_OK;
}

// Warnings of binding are those of the base again.
static void drop_warnings(sn_model *m) {
  for (int64_t i = 0; i < m->nwarning; i++) {
    free(m->warning[i]);
  }
  free(m->warning);
  m->warning = NULL;
  m->nwarning = 0;
}

static sn_status bind(si_variant *v, sn_error *error) {
  si_lock_take(&binding);
  const sn_status status = si_model_bind(&v->model, error);
  drop_warnings(&v->model);
  si_lock_release(&binding);
  return status;
}

// Computes what follows from the values of its arrays.
static sn_status follow(si_variant *v, sn_error *error) {
  if (v->follows == NOTHING) {
    return SN_OK;
  }
  SI_PLAIN_LOCALE;
  if (v->follows == QUANTITIES) {
    sn_reset(&v->model, v->data);
    const sn_status status = si_refresh_quantities(&v->model, v->data, v->zeros, error);
    drop_warnings(&v->model);
    return status;
  }
  si_lock_take(&binding);
  const sn_status status = si_refresh_all(&v->model, error);
  drop_warnings(&v->model);
  si_lock_release(&binding);
  return status;
}

static sn_status make(si_variant *v, const si_part *part, sn_error *error) {
  // all but what rollouts keep, which other threads may change
  memcpy(&v->model, v->base, offsetof(sn_model, kept));
  v->model.bound = (si_bound){ 0 };
  v->model.warning = v->model.note = NULL;
  v->model.nwarning = v->model.nnote = 0;
  v->model.view.model = &v->model;
  v->model.view.fields = (const void *const *)v->model.field;
  v->part = malloc((size_t)(v->npart + 1) * sizeof *part);
  if (!v->part) {
    return si_fail(error, SN_ENOMEM, "out of memory for a variant of a model");
  }
  if (v->npart > 0) {
    memcpy(v->part, part, (size_t)v->npart * sizeof *part);
  }
  SN_TRY(take_arrays(v, error));
  SN_TRY(bind(v, error));
  if (v->follows == QUANTITIES) {
    v->zeros = calloc((size_t)v->model.nv + 1, sizeof(double));
    v->data = si_data_new(&v->model, 1, error);
    if (!v->data || !v->zeros) {
      return si_fail(error, SN_ENOMEM, "out of memory for a variant of a model");
    }
    // once, with the values of the base, so that the simulation has its memory
    SN_TRY(follow(v, error));
    sn_reset(&v->model, v->data);
  }
  return SN_OK;
}

sn_status si_variant_new(const sn_model *base, const si_part *part, int64_t npart, si_variant **out,
                         sn_error *error) {
  si_variant *v = calloc(1, sizeof *v);
  if (!v) {
    return si_fail(error, SN_ENOMEM, "out of memory for a variant of a model");
  }
  v->base = base;
  v->npart = npart;
  SI_PLAIN_LOCALE;
  const sn_status status = make(v, part, error);
  if (status < 0) {
    si_variant_free(v);
    v = NULL;
  }
  *out = v;
  return status;
}

void si_variant_free(si_variant *v) {
  if (!v) {
    return;
  }
  sn_data_free(v->data);
  si_lock_take(&binding);
  si_model_unbind(&v->model);
  si_lock_release(&binding);
  for (int f = 0; f < SI_NMODELFIELD; f++) {
    free(v->own[f]);
  }
  free(v->zeros);
  free(v->part);
  free(v);
}

sn_model *si_variant_model(si_variant *v) {
  return &v->model;
}

int si_variant_has(const si_variant *v, const si_part *part, int64_t npart) {
  return v->npart == npart &&
         (npart == 0 || memcmp(v->part, part, (size_t)npart * sizeof *part) == 0);
}

int64_t si_variant_bytes(const si_variant *v) {
  int64_t bytes = (int64_t)sizeof *v + v->npart * (int64_t)sizeof *v->part;
  for (int f = 0; f < SI_NMODELFIELD; f++) {
    bytes += v->own[f] ? v->bytes[f] : 0;
  }
  return bytes + (v->data ? si_data_bytes(v->data) + v->model.nv * (int64_t)sizeof(double) : 0);
}

// ------------------------------------------------------------------ values

static void restore(si_variant *v) {
  v->model.opt = v->base->opt;
  for (int f = 0; f < SI_NMODELFIELD; f++) {
    if (v->own[f]) {
      memcpy(v->own[f], v->base->field[f], (size_t)v->bytes[f]);
    }
  }
}

static void write_values(si_variant *v, const double *values) {
  for (int64_t i = 0; i < v->npart; i++) {
    const si_part *p = &v->part[i];
    void *to = p->what == SI_PART_OPTION
                   ? (char *)&v->model.opt + p->offset + (size_t)p->first * sizeof(double)
                   : (char *)v->own[p->field] + (size_t)p->first * sizeof(double);
    memcpy(to, values, (size_t)p->n * sizeof(double));
    values += p->n;
  }
}

static sn_status check_values(const si_variant *v, sn_error *error) {
  if (v->follows == BINDINGS) {
    SN_TRY(si_option_check(&v->model.opt, error));
    return si_model_validate(&v->model, NULL, error);
  }
  for (int64_t i = 0; i < v->npart; i++) {
    SN_TRY(v->part[i].what == SI_PART_OPTION
               ? si_option_check(&v->model.opt, error)
               : si_model_validate_field(&v->model, v->part[i].field, NULL, error));
  }
  return SN_OK;
}

sn_status si_variant_set(si_variant *v, const double *values, sn_error *error) {
  restore(v);
  write_values(v, values);
  SN_TRY(check_values(v, error));
  return follow(v, error);
}
