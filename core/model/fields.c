// SPDX-License-Identifier: Apache-2.0
//
// The field tables as data, and the services made from them: accessors, views by name and by
// index, handles for plugins.

#include "model/fields.h"

#include <stddef.h>
#include <string.h>

#include "base/sized.h"
#include "sinew/suggest.h"

// ------------------------------------------------------------------ the tables

enum {
  TYPE_real = SN_REAL,
  TYPE_int = SN_INT,
  TYPE_byte = SN_BYTE,
  TYPE_char = SN_CHAR,
  BYTES_real = 8,
  BYTES_int = 4,
  BYTES_byte = 1,
  BYTES_char = 1
};

const si_field_info si_model_field_table[SI_NMODELFIELD] = {
#define SN_X(type, name, rows, cols, domain, unit, meaning) \
  { #name, #rows, unit, meaning, TYPE_##type, BYTES_##type },
  SN_MODEL_FIELDS(SN_X)
#undef SN_X
};

const si_field_info si_data_field_table[SI_NDATAFIELD + SI_NSTEPFIELD] = {
#define SN_X(type, name, rows, cols, stage, unit, meaning) \
  { #name, #rows, unit, meaning, TYPE_##type, BYTES_##type },
  SN_DATA_FIELDS(SN_X) SN_STEP_FIELDS(SN_X)
#undef SN_X
};

const si_size_info si_model_size_table[SI_NMODELSIZE] = {
#define SN_X(name, meaning) { #name, meaning, offsetof(sn_model, name) },
  SN_MODEL_SIZES(SN_X)
#undef SN_X
};

const si_size_info si_data_count_table[SI_NDATACOUNT] = {
#define SN_X(name, stage, meaning) { #name, meaning, offsetof(sn_data, name) },
  SN_DATA_COUNTS(SN_X)
#undef SN_X
};

static int64_t number_at(const void *owner, const si_size_info *info) {
  int64_t value;
  memcpy(&value, (const char *)owner + info->offset, sizeof value);
  return value;
}

// rows and cols of the tables are expressions in the sizes: give the sizes their names
#define LOCAL_SIZE(name, meaning) \
  const int64_t name = m->name;   \
  (void)name;
#define SIZES_IN_SCOPE SN_MODEL_SIZES(LOCAL_SIZE)

void si_model_extents(const sn_model *m, si_extent *out) {
  SIZES_IN_SCOPE
#define SN_X(type, name, rows, cols, domain, unit, meaning) *out++ = (si_extent){ (rows), (cols) };
  SN_MODEL_FIELDS(SN_X)
#undef SN_X
}

void si_data_extents(const sn_model *m, si_extent *out) {
  SIZES_IN_SCOPE
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
#define ROW(type, cols) ((int64_t)(cols)*BYTES_##type)
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

int64_t si_fields_place(const si_field_info *info, const si_extent *extent, int64_t n,
                        uint8_t *base, void **field) {
  int64_t offset = 0;
  for (int64_t i = 0; i < n; i++) {
    if (base) {
      field[i] = base + offset;
    }
    int64_t bytes = extent[i].rows * extent[i].cols * info[i].bytes;
    offset += (bytes + 63) / 64 * 64;
  }
  return offset;
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

#define SN_X(name, meaning)                  \
  int64_t snm_##name(const sn_model *model) { \
    return model->name;                      \
  }
SN_MODEL_SIZES(SN_X)
#undef SN_X
#define SN_X(type, name, rows, cols, domain, unit, meaning) \
  const sn_type_##type *snm_##name(const sn_model *model) { \
    return model->name;                                    \
  }
SN_MODEL_FIELDS(SN_X)
#undef SN_X
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

static int64_t index_of(const si_field_info *info, int64_t n, const char *name) {
  for (int64_t i = 0; i < n; i++) {
    if (strcmp(info[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

static sn_status fill_view(sn_view *view, const si_field_info *info, si_extent extent, void *p,
                           int32_t dynamic) {
  const sn_view ours = { .name = info->name,
                         .unit = info->unit,
                         .meaning = info->meaning,
                         .p = p,
                         .rows = extent.rows,
                         .cols = extent.cols,
                         .type = info->type,
                         .dynamic = dynamic };
  return si_copy_out(view, &ours, sizeof ours);
}

// Views by index; SN_ENOTFOUND: past the end.
static sn_status model_view(const sn_model *model, int64_t index, sn_view *view) {
  if (index < 0 || index >= SI_NMODELFIELD) {
    return SN_ENOTFOUND;
  }
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(model, extent);
  return fill_view(view, &si_model_field_table[index], extent[index], model->field[index], 0);
}

static sn_status data_view(const sn_model *model, sn_data *data, int64_t index, sn_view *view) {
  if (index < 0 || index >= SI_NDATAFIELD + SI_NSTEPFIELD) {
    return SN_ENOTFOUND;
  }
  si_extent extent[SI_NDATAFIELD + SI_NSTEPFIELD];
  si_data_extents(model, extent);
  si_step_extents(data, extent + SI_NDATAFIELD);
  show(data, index);
  return fill_view(view, &si_data_field_table[index], extent[index], data->field[index],
                   index >= SI_NDATAFIELD);
}

int32_t sn_model_field_at(const sn_model *model, int64_t index, sn_view *view) {
  return model_view(model, index, view) == SN_OK;
}

int32_t sn_data_field_at(const sn_model *model, sn_data *data, int64_t index, sn_view *view) {
  return data_view(model, data, index, view) == SN_OK;
}

sn_status sn_model_field(const sn_model *model, const char *name, sn_view *view) {
  return model_view(model, index_of(si_model_field_table, SI_NMODELFIELD, name), view);
}

sn_status sn_data_field(const sn_model *model, sn_data *data, const char *name, sn_view *view) {
  const int64_t n = SI_NDATAFIELD + SI_NSTEPFIELD;
  return data_view(model, data, index_of(si_data_field_table, n, name), view);
}

// ------------------------------------------------------------------ sizes and counts

static int64_t number_of(const void *owner, const si_size_info *info, int64_t n, const char *name) {
  for (int64_t i = 0; i < n; i++) {
    if (strcmp(info[i].name, name) == 0) {
      return number_at(owner, &info[i]);
    }
  }
  return -1;
}

int64_t sn_size(const sn_model *model, const char *name) {
  return number_of(model, si_model_size_table, SI_NMODELSIZE, name);
}

int32_t sn_size_at(const sn_model *model, int64_t index, const char **name, int64_t *value) {
  if (index < 0 || index >= SI_NMODELSIZE) {
    return 0;
  }
  *name = si_model_size_table[index].name;
  *value = number_at(model, &si_model_size_table[index]);
  return 1;
}

int64_t sn_count(const sn_data *data, const char *name) {
  return number_of(data, si_data_count_table, SI_NDATACOUNT, name);
}

// ------------------------------------------------------------------ handles for plugins

static const char *const type_names[] = { "?", "real numbers", "integers", "bytes", "characters" };

static sn_status resolve(const si_field_info *info, int64_t n, const si_extent *extent,
                         int64_t constant, const char *name, int32_t type, sn_field *field,
                         sn_error *error) {
  int64_t i = index_of(info, n, name);
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
