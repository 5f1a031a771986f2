// SPDX-License-Identifier: Apache-2.0
//
// A model's memory, names and ids, sizes, warnings and notes.

#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/element.h"
#include "model/fields.h"

enum { ALIGNMENT = 64 };   // of arrays, bytes: a line of the cache

double si_model_bytes(const sn_model *sizes) {
  si_extent extent[SI_NMODELFIELD];
  double bytes = 0;
  si_model_extents(sizes, extent);
  for (int i = 0; i < SI_NMODELFIELD; i++) {
    bytes += (double)extent[i].rows * (double)extent[i].cols * si_model_field_table[i].bytes;
  }
  return bytes;
}

sn_model *si_model_alloc(sn_engine *engine, const sn_model *sizes, sn_error *error) {
  sn_model *m = calloc(1, sizeof *m);
  if (!m) {
    si_fail(error, SN_ENOMEM, "out of memory for a model");
    return NULL;
  }
#define SN_X(name, meaning) m->name = sizes->name;
  SN_MODEL_SIZES(SN_X)
#undef SN_X

  si_extent extent[SI_NMODELFIELD];
  si_model_extents(m, extent);
  m->nbuffer = si_fields_place(si_model_field_table, extent, SI_NMODELFIELD, NULL, NULL);
  // pages of a large block are cleared by the system when they are first used
  m->block = calloc((size_t)m->nbuffer + 2 * ALIGNMENT, 1);
  if (!m->block) {
    si_fail(error, SN_ENOMEM, "out of memory for a model of %lld bytes", (long long)m->nbuffer);
    free(m);
    return NULL;
  }
  m->buffer = (uint8_t *)m->block + ALIGNMENT - (uintptr_t)m->block % ALIGNMENT;
  si_fields_place(si_model_field_table, extent, SI_NMODELFIELD, m->buffer, m->field);

  sn_default_option(&m->opt);
  sn_default_compiler(&m->compiler);
  sn_default_size_hint(&m->hint);
  sn_default_statistic(&m->stat);
  sn_default_visual(&m->vis);
  m->engine = engine;
  m->view = (sn_model_view){ .size = sizeof m->view,
                             .model = m,
                             .fields = (const void *const *)m->field };
  return m;
}

static void drop_list(char ***list, int64_t *n) {
  for (int64_t i = 0; i < *n; i++) {
    free((*list)[i]);
  }
  free(*list);
  *list = NULL;
  *n = 0;
}

void si_model_drop_texts(sn_model *model) {
  drop_list(&model->warning, &model->nwarning);
  drop_list(&model->note, &model->nnote);
}

void si_model_drop(sn_model *model) {
  si_model_drop_texts(model);
  if (model->inertia_parent != model->dof_parentid) {
    free(model->inertia_parent);
    free(model->first_tree);
  }
  free(model->block);
  free(model);
}

// ------------------------------------------------------------------ names

int32_t sn_find(const sn_model *model, const char *kind, const char *name) {
  int64_t n;
  const int32_t *adr = si_model_names(model, kind, &n);
  for (int64_t i = 0; i < n; i++) {
    if (strcmp(model->names + adr[i], name) == 0) {
      return (int32_t)i;
    }
  }
  return -1;
}

const char *sn_name(const sn_model *model, const char *kind, int32_t id) {
  int64_t n;
  const int32_t *adr = si_model_names(model, kind, &n);
  return id >= 0 && id < n ? model->names + adr[id] : "";
}

const char *sn_model_name(const sn_model *model) {
  return model->nnames > 1 ? model->names + 1 : "";
}

// ------------------------------------------------------------------ settings and the rest

sn_engine *sn_model_engine(const sn_model *model) {
  return model->engine;
}

const char *sn_model_selected(const sn_model *model, const char *what) {
  const struct {
    const char *what;
    const si_provider *provider;
  } selected[] = {
    { "solver", model->bound.solver },
    { "integrator", model->bound.integrator },
    { "post_solver", model->bound.post_solver },
  };
  for (size_t i = 0; what && i < sizeof selected / sizeof selected[0]; i++) {
    if (strcmp(selected[i].what, what) == 0 && selected[i].provider) {
      return selected[i].provider->name;
    }
  }
  return NULL;
}

static sn_status keep_text(char ***list, int64_t *n, const char *text, sn_error *error) {
  char **more = si_more(*list, *n, sizeof *more);
  if (!more) {
    return si_fail(error, SN_ENOMEM, "out of memory for a model");
  }
  *list = more;
  char *copy = strdup(text);
  if (!copy) {
    return si_fail(error, SN_ENOMEM, "out of memory for a model");
  }
  (*list)[(*n)++] = copy;
  return SN_OK;
}

sn_status si_model_warn(sn_model *m, sn_error *error, const char *format, ...) {
  char text[SI_ERROR_TEXT];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return keep_text(&m->warning, &m->nwarning, text, error);
}

sn_status si_model_add_note(sn_model *m, const char *text, sn_error *error) {
  return keep_text(&m->note, &m->nnote, text, error);
}

const char *sn_model_warning(const sn_model *model, int64_t index) {
  return index >= 0 && index < model->nwarning ? model->warning[index] : NULL;
}

const char *sn_model_note(const sn_model *model, int64_t index) {
  return index >= 0 && index < model->nnote ? model->note[index] : NULL;
}
