// SPDX-License-Identifier: Apache-2.0
//
// From an address to the array that contains it, its row, and the element that the row belongs to.

#include "model/checked_places.h"

#include <stdio.h>
#include <string.h>

#include "model/element.h"
#include "model/fields.h"

// ------------------------------------------------------------------ arrays

typedef struct place {
  const si_field_info *field;   // NULL: in none
  int64_t row, column, cols;
} place;

static int find_among(const si_field_info *info, const si_extent *extent, void *const *field,
                      int64_t n, const uint8_t *at, place *out) {
  for (int64_t i = 0; i < n; i++) {
    const uint8_t *begin = field[i];
    const int64_t numbers = extent[i].rows * extent[i].cols;
    if (begin && at >= begin && at < begin + numbers * info[i].bytes) {
      const int64_t k = (at - begin) / info[i].bytes;
      *out = (place){ &info[i], k / extent[i].cols, k % extent[i].cols, extent[i].cols };
      return 1;
    }
  }
  return 0;
}

static place find(const sn_model *m, const sn_data *d, const uint8_t *at) {
  si_extent model[SI_NMODELFIELD], data[SI_NDATAFIELD], step[SI_NSTEPFIELD];
  place found = { 0 };
  si_model_extents(m, model);
  const si_field_info *info = si_data_field_table;
  if (d) {
    si_data_extents(m, data);
    si_step_extents(d, step);
  }
  if (!d || (!find_among(info, data, d->field, SI_NDATAFIELD, at, &found) &&
             !find_among(info + SI_NDATAFIELD, step, d->field + SI_NDATAFIELD, SI_NSTEPFIELD, at,
                         &found))) {
    find_among(si_model_field_table, model, m->field, SI_NMODELFIELD, at, &found);
  }
  return found;
}

// ------------------------------------------------------------------ the text

static int is_in(const void *memory, int64_t bytes, const uint8_t *at) {
  const uint8_t *begin = memory;
  return begin && at >= begin && at < begin + bytes;
}

// What is no array: options of the model, states of plugins.
static void name_rest(const sn_model *m, const sn_data *d, const uint8_t *at, char *out,
                      size_t size) {
  const sn_option *o = &m->opt;
  snprintf(out, size, "memory of the host");
#define SN_R(name, count, ...)                            \
  if (is_in(&o->name, (int64_t)sizeof o->name, at)) {     \
    snprintf(out, size, "the option '" #name "'");        \
  }
#define SN_I(name, value) SN_R(name, 1, value)
#define SN_T(name, value) SN_R(name, 1, value)
  SN_OPTIONS(SN_R, SN_I, SN_T)
#undef SN_R
#undef SN_I
#undef SN_T
  if (d && is_in(d->force_state, 8 * m->nforcestate, at)) {
    snprintf(out, size, "state variable %lld of passive forces and controllers",
             (long long)(at - (const uint8_t *)d->force_state) / 8);
  } else if (d && is_in(d->integrator_state, 8 * d->nintegratorstate, at)) {
    snprintf(out, size, "state variable %lld of the integrator",
             (long long)(at - (const uint8_t *)d->integrator_state) / 8);
  }
}

// "qvel[3] of joint 'knee'", "xpos[2, 1] of body 2", "the option 'gravity'", "memory of the host".
static void name_place(const sn_model *m, const sn_data *d, const place *p, const uint8_t *at,
                       char *out, size_t size) {
  if (!p->field) {
    name_rest(m, d, at, out, size);
    return;
  }
  int64_t id;
  const char *kind = si_element_of_row(m, p->field->rows, p->row, &id),
             *name = kind ? sn_name(m, kind, (int32_t)id) : "";
  char column[24] = "", which[24] = "";
  if (p->cols > 1) {
    snprintf(column, sizeof column, ", %lld", (long long)p->column);
  }
  if (kind && !*name) {
    snprintf(which, sizeof which, "%lld", (long long)id);
  }
  snprintf(out, size, "%s[%lld%s]%s%s%s%s%s%s", p->field->name, (long long)p->row, column,
           kind ? " of " : "", kind ? kind : "",
           *name  ? " '"
           : kind ? " "
                  : "",
           name, *name ? "'" : "", which);
}

// The output that lies closest before or behind an address, if one is near. The byte that differs
// first may be any of a number: its eight bytes count.
static const si_output *nearest(const si_output *list, const uint8_t *at, int64_t *distance) {
  const int64_t near = 4096, number = 8;   // bytes
  const uint8_t *start = at - (uintptr_t)at % (uintptr_t)number;
  const si_output *found = NULL;
  *distance = near;
  for (const si_output *o = list; o; o = o->next) {
    if (o->is_input) {
      continue;
    }
    const uint8_t *end = o->memory + o->bytes;
    const int64_t d = at < end ? o->memory - start : start > end ? start - end : 0;
    if (d < *distance) {
      *distance = d;
      found = o;
    }
  }
  return found;
}

void si_checked_name(const sn_model *m, const sn_data *d, const uint8_t *at, char *out,
                     size_t size) {
  const place p = find(m, d, at);
  name_place(m, d, &p, at, out, size);
}

static const si_output *find_input(const si_output *list, const uint8_t *at) {
  while (list && !(list->is_input && is_in(list->memory, list->bytes, at))) {
    list = list->next;
  }
  return list;
}

const char *si_checked_place(const sn_model *m, const sn_data *d, const si_output *outputs,
                             const uint8_t *at, char *out, size_t size) {
  char where[192], beside[128] = "";
  const si_output *input = find_input(outputs, at);
  if (input) {
    snprintf(out, size, "wrote its input '%s'", input->name);
    return out;
  }
  const place p = find(m, d, at);
  name_place(m, d, &p, at, where, sizeof where);
  int64_t distance;
  const si_output *o = strcmp(where, "memory of the host") == 0 ? nearest(outputs, at, &distance)
                                                                : NULL;
  if (o) {
    snprintf(beside, sizeof beside, ", %lld bytes %s its output '%s'", (long long)distance,
             at < o->memory ? "before" : "past the end of", o->name);
  }
  snprintf(out, size, "wrote %s%s, which is not one of its outputs", where, beside);
  return out;
}
