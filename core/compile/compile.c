// SPDX-License-Identifier: Apache-2.0
//
// The compiler: from a spec to a model.
//
//   number    bodies depth first, what they own by body
//   measure   each part adds to the sizes
//   allocate  all arrays at once
//   fill      each part writes its arrays
//   finish    what depends on the configuration qpos0
//   bind      plugins; then simulation finds the ranges of lengths that muscles need
//
// A part is one subject and one file.

#include "compile/compile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "bind/bind.h"
#include "contact/collision.h"
#include "dynamics/pattern.h"
#include "platform/fpenv.h"
#include "spec/keyframe.h"

// ------------------------------------------------------------------ the order of things

// What evaluations of the unfinished model read; binding makes them again.
static sn_status make_patterns(si_build *b) {
  return si_patterns_new(b->m, &b->m->bound.patterns, b->error);
}

// clang-format off
static si_build_part *const measures[] = {
  si_compile_number,
  si_compile_member_measure,    // checks, user numbers
  si_compile_tree_measure,
  si_compile_asset_measure,
  si_mesh_measure,
  si_hfield_measure,
  si_compile_geom_measure,
  si_compile_site_measure,
  si_skin_measure,
  si_compile_contact_measure,
  si_compile_equality_measure,
  si_compile_tendon_measure,
  si_compile_actuator_measure,
  si_compile_sensor_measure,
  si_compile_custom_measure,
  si_compile_key_measure,
  si_compile_name_measure,      // last: pairs are in their order
};

static si_build_part *const fills[] = {
  si_compile_name_fill,
  si_compile_member_fill,       // all that is a copy; the others do what is more
  si_compile_tree_fill,
  si_compile_joint_fill,
  si_compile_asset_fill,
  si_mesh_fill,
  si_hfield_fill,
  si_compile_geom_fill,
  si_compile_inertia_fill,
  si_compile_site_fill,
  si_skin_fill,
  si_compile_contact_fill,
  si_compile_equality_fill,
  si_compile_tendon_fill,
  si_compile_rows_fill,
  si_compile_actuator_fill,
  si_compile_sensor_fill,
  si_compile_custom_fill,
  si_compile_key_fill,
};

static si_build_part *const finishes[] = {
  make_patterns,
  si_compile_tendon_springs,
  si_compile_set0,
  si_compile_joint_springs,     // from the inverse weights
  si_compile_equality_poses,
  si_compile_statistic_fill,
  si_compile_sensor_sizes,     // may depend on the whole model
};
// clang-format on

#define RUN(parts, b)                                             \
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts)[0]; i++) { \
    SN_TRY(parts[i](b));                                          \
    SN_TRY(si_limit_time(&(b)->deadline, 0, (b)->error));         \
  }

// ------------------------------------------------------------------ warnings

sn_status si_build_warn_negative(si_build *b, int32_t kind, int64_t id, const char *what,
                                 double value) {
  return value < 0 ? si_build_warn(b, kind, id,
                                   "its %s is negative (%g), which can make the simulation "
                                   "unstable; it is used as specified",
                                   what, value)
                   : SN_OK;
}

sn_status si_build_warn_friction(si_build *b, int32_t kind, int64_t id, const double *friction,
                                 int n) {
  for (int k = 0; k < n; k++) {
    if (friction[k] < 0) {
      return si_build_warn(b, kind, id,
                           "its friction is negative (%g); contacts use the larger friction of two "
                           "geoms and at least %g; set it to 0 or more",
                           friction[k], si_min_friction);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ checks of the whole

static sn_status check_names(si_build *b, int32_t kind) {
  if (si_spec_sort(b->spec, kind) < 0) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  const si_elements *list = &b->spec->list[kind];
  for (int64_t i = 1; i < list->nnamed; i++) {
    const si_element *first = &list->at[list->by_name[i - 1]];
    const si_element *second = &list->at[list->by_name[i]];
    const char *name = si_element_name(second);
    if (strcmp(si_element_name(first), name) == 0) {
      const sn_location *p = &first->location;
      char where[SI_ERROR_FILE] = "";
      if (p->file) {
        snprintf(where, sizeof where, ", at %.900s:%d:%d", p->file, p->line, p->column);
      }
      return si_fail_at(b->error, SN_ECOMPILE, &second->location,
                        "%s '%s': another %s has the same name%s; choose a different name",
                        si_element_shape[kind].kind, name, si_element_shape[kind].kind, where);
    }
  }
  return SN_OK;
}

// Sizes that arrays are made of.
static sn_status check_hints(si_build *b) {
  enum { LARGEST = 1000000 };   // more is a mistake
  const sn_size_hint *h = &b->spec->size_hint;
  const int64_t sizes[] = { h->nuserdata, h->nkey };
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    if (sizes[i] > LARGEST) {
      return si_fail(b->error, SN_ECOMPILE, "size: %lld exceeds the limit of %d",
                     (long long)sizes[i], LARGEST);
    }
  }
  return SN_OK;
}

// The simulation that finds ranges of lengths must end.
static sn_status check_lengthrange(si_build *b) {
  enum { MOST = 10000000 };   // steps
  const sn_compiler *c = &b->spec->compiler;
  double h = c->lr_timestep, total = c->lr_inttotal;
  if (!(h > 0) || !(total > 0) || !(total / h <= MOST) || !(c->lr_inteval > 0)) {
    return si_fail(b->error, SN_ECOMPILE,
                   "lengthrange: timestep %g, inttotal %g and inteval %g must be positive, and at "
                   "most %d steps in all",
                   h, total, c->lr_inteval, MOST);
  }
  return SN_OK;
}

static sn_status check_settings(si_build *b) {
  SN_TRY(check_hints(b));
  SN_TRY(check_lengthrange(b));
  sn_error *error = b->error;
  if (si_option_check(&b->spec->option, error) < 0) {
    return SN_ECOMPILE;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ compile

static sn_status copy_settings(si_build *b) {
  sn_model *m = b->m;
  const sn_spec *spec = b->spec;
  m->opt = b->option;
  m->compiler = b->given->compiler;
  m->hint = spec->size_hint;
  m->stat = spec->statistic;
  m->vis = spec->visual;
  const si_texts *warnings = &b->given->warnings;
  for (int64_t i = 0; i < warnings->n; i++) {
    SN_TRY(si_model_warn(m, b->error, "%s", warnings->at[i]));
  }
  const si_texts *notes = &b->given->notes;
  for (int64_t i = 0; i < notes->n; i++) {
    SN_TRY(si_model_add_note(m, notes->at[i], b->error));
  }
  return si_model_note_configured_cone(m, b->error);
}

static sn_status check_all(si_build *b) {
  SN_TRY(check_settings(b));
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    SN_TRY(check_names(b, kind));
  }
  return SN_OK;
}

static sn_status allocate(si_build *b) {
  b->option = b->spec->option;
  SN_TRY(si_option_configure(&b->option, b->engine, b->error));
  RUN(measures, b);
  SN_TRY(si_build_take(b, si_model_bytes(&b->size), -1, 0));
  b->m = si_model_alloc(b->engine, &b->size, b->error);
  return b->m ? copy_settings(b) : SN_ENOMEM;
}

sn_status si_build_to_inertia(si_build *b) {
  SN_TRY(allocate(b));
  for (size_t i = 0; i < sizeof fills / sizeof fills[0]; i++) {
    SN_TRY(fills[i](b));
    if (fills[i] == si_compile_inertia_fill) {
      break;
    }
  }
  return SN_OK;
}

// Adds the source location to the error about a solver or integrator that no plugin provides.
static sn_status place_algorithm(si_build *b, sn_status status) {
  static const struct {
    const char *option, *kind;
  } list[SI_NPLACED] = { [SI_PLACED_SOLVER] = { "solver", SN_KIND_SOLVER },
                         [SI_PLACED_INTEGRATOR] = { "integrator", SN_KIND_INTEGRATOR } };
  char text[SI_ERROR_TEXT];
  for (int i = 0; i < SI_NPLACED; i++) {
    sn_location location;
    const char *name = si_spec_located(b->given, i, &location);
    if (location.file && !si_engine_selected(b->engine, list[i].option) &&
        !si_engine_find(b->engine, list[i].kind, name, NULL)) {
      snprintf(text, sizeof text, "%s", b->error ? sn_error_message(b->error) : "");
      return si_fail_at(b->error, status, &location, "%s", text);
    }
  }
  return status;
}

static sn_status compile(si_build *b) {
  SN_TRY(allocate(b));
  RUN(fills, b);
  RUN(finishes, b);
  sn_status status = si_model_bind(b->m, b->error);
  if (status < 0) {
    const si_bound *bound = &b->m->bound;
    return bound->rejected < 0 ? place_algorithm(b, status)
                               : si_build_blame(b, status, bound->rejected_kind, bound->rejected);
  }
  SN_TRY(si_compile_actuator_lengths(b));   // by simulation
  SN_TRY(si_model_bind_start(b->m, b->error));
  si_compile_key_activations(b);
  return SN_OK;
}

void si_build_clear(si_build *b) {
  si_numbering_free(b->number);
  free(b->body_last);
  free(b->dof_parent);
  free(b->shape);
  si_assets_free(&b->assets);
  sn_model_free(b->m);
}

sn_model *si_compile_numbered(sn_spec *spec, si_numbering *number, sn_error *error) {
  si_error_clear(error);
  if (!spec->engine) {
    si_fail(error, SN_EINVAL, "this spec was made without an engine; nothing can be compiled");
    return NULL;
  }
  si_build b = { .given = spec, .spec = spec, .engine = spec->engine, .error = error };
  b.deadline = si_limit_start(spec->engine);
  sn_spec *local = NULL, *reduced = NULL, *split = NULL;
  si_fpenv before;
  si_fpenv_save(&before);
  SI_PLAIN_LOCALE;
  sn_status status = si_engine_freeze(b.engine, error);
  status = status < 0 ? status : si_key_complete(spec, error);
  status = status < 0 ? status : check_all(&b);
  status = status < 0 ? status : si_compile_localize(&b, &local);
  b.spec = local ? local : spec;
  status = status < 0 ? status : si_compile_reduce(&b, &reduced);
  b.spec = reduced ? reduced : b.spec;
  status = status < 0 ? status : si_mesh_split(&b, &split);
  b.spec = split ? split : b.spec;
  status = status < 0 ? status : compile(&b);
  si_error_settle(error, status);
  sn_model *m = status < 0 ? NULL : b.m;
  if (m) {
    b.m = NULL;
  }
  if (m && number) {
    memcpy(number, b.number, sizeof b.number);
    memset(b.number, 0, sizeof b.number);
  }
  si_build_clear(&b);
  sn_spec_free(split);
  sn_spec_free(reduced);
  sn_spec_free(local);
  if (si_fpenv_check(&before, "compiling", "a plugin that this model needs", error) < 0) {
    sn_model_free(m);
    if (number) {
      si_numbering_free(number);
    }
    return NULL;
  }
  return m;
}

sn_model *sn_compile(sn_spec *spec, sn_error *error) {
  return si_compile_numbered(spec, NULL, error);
}
