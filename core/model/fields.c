// SPDX-License-Identifier: Apache-2.0
//
// The fields of a model as data, and what is made from them: accessors, views by name and by index.

#include "model/fields.h"

#include <stddef.h>
#include <string.h>

#include "base/same.h"
#include "base/sized.h"

// ------------------------------------------------------------------ the tables

const si_field_info si_model_field_table[SI_NMODELFIELD] = {
#define SN_X(type, name, rows, cols, domain, unit, meaning) \
  { #name, #rows, unit, meaning, SI_TYPE_##type, SI_BYTES_##type },
  SN_MODEL_FIELDS(SN_X)
#undef SN_X
};

const si_size_info si_model_size_table[SI_NMODELSIZE] = {
#define SN_X(name, meaning) { #name, meaning, offsetof(sn_model, name) },
  SN_MODEL_SIZES(SN_X)
#undef SN_X
};

void si_model_extents(const sn_model *m, si_extent *out) {
  SI_SIZES_IN_SCOPE
#define SN_X(type, name, rows, cols, domain, unit, meaning) *out++ = (si_extent){ (rows), (cols) };
  SN_MODEL_FIELDS(SN_X)
#undef SN_X
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

// ------------------------------------------------------------------ views

int64_t si_field_index(const si_field_info *info, int64_t n, const char *name) {
  for (int64_t i = 0; i < n; i++) {
    if (si_same(info[i].name, name)) {
      return i;
    }
  }
  return -1;
}

sn_status si_field_view(sn_view *view, const si_field_info *info, si_extent extent, void *p,
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

// By index; SN_ENOTFOUND: past the end.
static sn_status model_view(const sn_model *model, int64_t index, sn_view *view) {
  if (index < 0 || index >= SI_NMODELFIELD) {
    return SN_ENOTFOUND;
  }
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(model, extent);
  return si_field_view(view, &si_model_field_table[index], extent[index], model->field[index], 0);
}

int32_t sn_model_field_at(const sn_model *model, int64_t index, sn_view *view) {
  return model_view(model, index, view) == SN_OK;
}

sn_status sn_model_field(const sn_model *model, const char *name, sn_view *view) {
  return model_view(model, si_field_index(si_model_field_table, SI_NMODELFIELD, name), view);
}

// ------------------------------------------------------------------ sizes

static int64_t number_at(const void *owner, const si_size_info *info) {
  int64_t value;
  memcpy(&value, (const char *)owner + info->offset, sizeof value);
  return value;
}

int64_t si_size_number(const void *owner, const si_size_info *info, int64_t n, const char *name) {
  for (int64_t i = 0; i < n; i++) {
    if (si_same(info[i].name, name)) {
      return number_at(owner, &info[i]);
    }
  }
  return -1;
}

int64_t sn_size(const sn_model *model, const char *name) {
  return si_size_number(model, si_model_size_table, SI_NMODELSIZE, name);
}

int32_t sn_size_at(const sn_model *model, int64_t index, const char **name, int64_t *value) {
  if (index < 0 || index >= SI_NMODELSIZE) {
    return 0;
  }
  *name = si_model_size_table[index].name;
  *value = number_at(model, &si_model_size_table[index]);
  return 1;
}
