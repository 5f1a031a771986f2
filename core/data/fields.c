// SPDX-License-Identifier: Apache-2.0
//
// The fields of a simulation as data, and what is made from them: memory for those of the present
// step, accessors, views by name and by index; handles of plugins to these fields and those of the
// model.

#include "data/fields.h"

#include <stddef.h>
#include <string.h>

#include "sinew/suggest.h"

// ------------------------------------------------------------------ the tables

const si_field_info si_data_field_table[SI_NDATAFIELD + SI_NSTEPFIELD] = {
#define SN_X(type, name, rows, cols, stage, unit, meaning) \
  { #name, #rows, unit, meaning, SI_TYPE_##type, SI_BYTES_##type },
  SN_DATA_FIELDS(SN_X) SN_STEP_FIELDS(SN_X)
#undef SN_X
};

const si_size_info si_data_count_table[SI_NDATACOUNT] = {
#define SN_X(name, stage, meaning) { #name, meaning, offsetof(sn_data, name) },
  SN_DATA_COUNTS(SN_X)
#undef SN_X
};

void si_data_extents(const sn_model *m, si_extent *out) {
  SI_SIZES_IN_SCOPE
  const int64_t one = 1, two = 2;
#define SN_X(type, name, rows, cols, stage, unit, meaning) *out++ = (si_extent){ (rows), (cols) };
  SN_DATA_FIELDS(SN_X)
#undef SN_X
}

void si_step_extents(const sn_data *d, si_extent *out) {
#define SN_X(type, name, rows, cols, stage, unit, meaning) *out++ = (si_extent){ d->rows, (cols) };
  SN_STEP_FIELDS(SN_X)
#undef SN_X
}

// The fields of one count, as one block of memory. In each function that calls it `count` is a
// constant, so that only the lines of its fields are compiled.
static inline void take(sn_data *d, int32_t count, int64_t kept, int64_t n) {
  enum { ALIGNMENT = 64 };
  int64_t bytes = 0;
#define ROW(type, cols) ((int64_t)(cols)*SI_BYTES_##type)
#define SN_X(type, name, rows, cols, stage, unit, meaning)                        \
  if (SI_COUNT_##rows == count) {                                                 \
    bytes += (n * ROW(type, cols) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;       \
  }
  SN_STEP_FIELDS(SN_X)
#undef SN_X
  uint8_t *at = bytes ? si_arena_take(&d->results, bytes, ALIGNMENT) : NULL;
#define SN_X(type, name, rows, cols, stage, unit, meaning)                        \
  if (SI_COUNT_##rows == count) {                                                 \
    if (kept > 0) {                                                               \
      memcpy(at, d->name, (size_t)(kept * ROW(type, cols)));                      \
    }                                                                             \
    d->name = (void *)at;                                                         \
    at += (n * ROW(type, cols) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;          \
  }
  SN_STEP_FIELDS(SN_X)
#undef SN_X
#undef ROW
}

#define SN_X(name, stage, meaning)                 \
  static void take_##name(sn_data *d, int64_t n) { \
    take(d, SI_COUNT_##name, d->name, n);          \
  }
SN_DATA_COUNTS(SN_X)
#undef SN_X

void si_step_fields_take(sn_data *d, int32_t count, int64_t rows) {
  static void (*const takes[])(sn_data * d, int64_t n) = {
#define SN_X(name, stage, meaning) [SI_COUNT_##name] = take_##name,
    SN_DATA_COUNTS(SN_X)
#undef SN_X
  };
  takes[count](d, rows);
}

// ------------------------------------------------------------------ accessors

enum {
#define SN_X(type, name, rows, cols, stage, unit, meaning) FIELD_##name,
  SN_DATA_FIELDS(SN_X) SN_STEP_FIELDS(SN_X)
#undef SN_X
};

// M by its entries is not computed in deep trees, until somebody reads it: from then on always.
static inline int is_of_inertia(int64_t field) {
  return field == FIELD_qM || field == FIELD_qLD || field == FIELD_qLDiagInv;
}

static inline void show(sn_data *data, int64_t field) {
  if (is_of_inertia(field)) {
    data->wants_inertia = 1;
    if (data->computed & SI_HAS_LINKS) {
      data->model->bound.form_inertia(data->model, data);
    }
  }
}

#define SN_X(name, stage, meaning)         \
  int64_t snd_##name(const sn_data *data) { \
    return data->name;                     \
  }
SN_DATA_COUNTS(SN_X)
#undef SN_X
#define SN_X(type, name, rows, cols, stage, unit, meaning) \
  sn_type_##type *snd_##name(sn_data *data) {               \
    show(data, FIELD_##name);                              \
    return data->name;                                     \
  }
SN_DATA_FIELDS(SN_X)
SN_STEP_FIELDS(SN_X)
#undef SN_X

// ------------------------------------------------------------------ views

// By index; SN_ENOTFOUND: past the end.
static sn_status data_view(const sn_model *model, sn_data *data, int64_t index, sn_view *view) {
  if (index < 0 || index >= SI_NDATAFIELD + SI_NSTEPFIELD) {
    return SN_ENOTFOUND;
  }
  si_extent extent[SI_NDATAFIELD + SI_NSTEPFIELD];
  si_data_extents(model, extent);
  si_step_extents(data, extent + SI_NDATAFIELD);
  show(data, index);
  return si_field_view(view, &si_data_field_table[index], extent[index], data->field[index],
                       index >= SI_NDATAFIELD);
}

int32_t sn_data_field_at(const sn_model *model, sn_data *data, int64_t index, sn_view *view) {
  return data_view(model, data, index, view) == SN_OK;
}

sn_status sn_data_field(const sn_model *model, sn_data *data, const char *name, sn_view *view) {
  const int64_t n = SI_NDATAFIELD + SI_NSTEPFIELD;
  return data_view(model, data, si_field_index(si_data_field_table, n, name), view);
}

int64_t sn_count(const sn_data *data, const char *name) {
  return si_size_number(data, si_data_count_table, SI_NDATACOUNT, name);
}

// ------------------------------------------------------------------ handles for plugins

static const char *const type_names[] = { "?", "real numbers", "integers", "bytes", "characters" };

static sn_status resolve(const si_field_info *info, int64_t n, const si_extent *extent,
                         int64_t constant, const char *name, int32_t type, sn_field *field,
                         sn_error *error) {
  int64_t i = si_field_index(info, n, name);
  if (i < 0) {
    const char *names[SI_NMODELFIELD + SI_NDATAFIELD + SI_NSTEPFIELD];
    for (int64_t k = 0; k < n; k++) {
      names[k] = info[k].name;
    }
    char hint[SN_SUGGEST_TEXT];
    const char *near = si_nearest(name, names, n);
    return si_fail(error, SN_ENOTFOUND, "there is no field '%s'%s", name,
                   sn_suggest_text(hint, sizeof hint, near, NULL));
  }
  if (type && type != info[i].type) {
    return si_fail(error, SN_EINVAL, "the field '%s' consists of %s, not of %s", name,
                   type_names[info[i].type],
                   type > 0 && type <= SN_CHAR ? type_names[type] : "an unknown type");
  }
  *field = (sn_field){ .index = (int32_t)i,
                       .type = info[i].type,
                       .rows = i < constant ? (int32_t)extent[i].rows : -1,
                       .cols = (int32_t)extent[i].cols };
  return SN_OK;
}

static sn_status resolve_model(const sn_model_view *view, const char *name, int32_t type,
                               sn_field *field, sn_error *error) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(view->model, extent);
  return resolve(si_model_field_table, SI_NMODELFIELD, extent, SI_NMODELFIELD, name, type, field,
                 error);
}

static sn_status resolve_data(const sn_model_view *view, const char *name, int32_t type,
                              sn_field *field, sn_error *error) {
  const sn_data empty = { 0 };
  si_extent extent[SI_NDATAFIELD + SI_NSTEPFIELD];
  si_data_extents(view->model, extent);
  si_step_extents(&empty, extent + SI_NDATAFIELD);
  SN_TRY(resolve(si_data_field_table, SI_NDATAFIELD + SI_NSTEPFIELD, extent, SI_NDATAFIELD, name,
                 type, field, error));
  if (is_of_inertia(field->index)) {   // the host made this model, and binds it now
    ((sn_model *)(uintptr_t)view->model)->bound.wants_inertia = 1;
  }
  return SN_OK;
}

static int64_t view_size(const sn_model_view *view, const char *name) {
  return sn_size(view->model, name);
}

static int64_t view_count(const sn_data_view *view, const char *name) {
  return sn_count(view->data, name);
}

static int32_t view_find(const sn_model_view *view, const char *kind, const char *name) {
  return sn_find(view->model, kind, name);
}

// Where the options are, by type.
static const si_size_info real_options[] = {
#define REAL_OPTION(name, count, ...) { #name, NULL, offsetof(sn_model, opt.name) },
#define NO_OPTION(name, value)
  SN_OPTIONS(REAL_OPTION, NO_OPTION, NO_OPTION)
};

static const si_size_info int_options[] = {
#define INT_OPTION(name, value) { #name, NULL, offsetof(sn_model, opt.name) },
#define NO_REAL(name, count, ...)
  SN_OPTIONS(NO_REAL, INT_OPTION, NO_OPTION)
};

static const void *find_option(const sn_model *m, const si_size_info *table, size_t n,
                               const char *name) {
  for (size_t i = 0; i < n; i++) {
    if (strcmp(table[i].name, name) == 0) {
      return (const char *)m + table[i].offset;
    }
  }
  return NULL;
}

static const double *view_option(const sn_model_view *view, const char *name) {
  return find_option(view->model, real_options, sizeof real_options / sizeof real_options[0], name);
}

static const int64_t *view_option_int(const sn_model_view *view, const char *name) {
  return find_option(view->model, int_options, sizeof int_options / sizeof int_options[0], name);
}

const sn_fields_service si_fields_service_table = {
  .size = sizeof(sn_fields_service),
  .model_field = resolve_model,
  .data_field = resolve_data,
  .size_of = view_size,
  .count_of = view_count,
  .find = view_find,
  .option = view_option,
  .option_int = view_option_int,
};
