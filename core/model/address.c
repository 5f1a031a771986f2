// SPDX-License-Identifier: Apache-2.0
//
// From an address to the array that contains it, its row, and the element that the row belongs to.

#include "model/address.h"

#include <stdio.h>

#include "model/element.h"

int si_address_find(const si_field_info *info, const si_extent *extent, void *const *field,
                    int64_t n, const uint8_t *at, si_address *out) {
  for (int64_t i = 0; i < n; i++) {
    const uint8_t *begin = field[i];
    const int64_t numbers = extent[i].rows * extent[i].cols;
    if (begin && at >= begin && at < begin + numbers * info[i].bytes) {
      const int64_t k = (at - begin) / info[i].bytes;
      *out = (si_address){ &info[i], k / extent[i].cols, k % extent[i].cols, extent[i].cols };
      return 1;
    }
  }
  return 0;
}

void si_address_name(const sn_model *m, const si_address *p, char *out, size_t size) {
  int64_t id;
  const char *kind = si_element_of_row(m, p->field->rows, p->row, &id);
  char column[24] = "", title[SI_MODEL_TITLE] = "";
  if (p->cols > 1) {
    snprintf(column, sizeof column, ", %lld", (long long)p->column);
  }
  if (kind) {
    si_model_title(m, kind, (int32_t)id, title);
  }
  snprintf(out, size, "%s[%lld%s]%s%s", p->field->name, (long long)p->row, column,
           kind ? " of " : "", title);
}

static int is_in(const void *memory, size_t bytes, const uint8_t *at) {
  const uint8_t *begin = memory;
  return at >= begin && at < begin + bytes;
}

void si_model_address_name(const sn_model *m, const uint8_t *at, char *out, size_t size) {
  si_extent extent[SI_NMODELFIELD];
  si_address found;
  si_model_extents(m, extent);
  if (si_address_find(si_model_field_table, extent, m->field, SI_NMODELFIELD, at, &found)) {
    si_address_name(m, &found, out, size);
    return;
  }
  const sn_option *o = &m->opt;
  snprintf(out, size, "memory of the host");
#define SN_R(name, count, ...)                            \
  if (is_in(&o->name, sizeof o->name, at)) {              \
    snprintf(out, size, "the option '" #name "'");        \
  }
#define SN_I(name, value) SN_R(name, 1, value)
#define SN_T(name, value) SN_R(name, 1, value)
  SN_OPTIONS(SN_R, SN_I, SN_T)
#undef SN_R
#undef SN_I
#undef SN_T
}
