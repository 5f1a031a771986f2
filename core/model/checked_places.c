// SPDX-License-Identifier: Apache-2.0
//
// From an address to the array that contains it, its row, and the element that the row belongs to.

#include "model/checked_places.h"

#include <stdio.h>
#include <string.h>

#include "model/fields.h"

// ------------------------------------------------------------------ arrays

// What the rows of each array are counted by.
static const char *const model_rows[SI_NMODELFIELD] = {
#define SN_X(type, name, rows, cols, domain, unit, meaning) #rows,
  SN_MODEL_FIELDS(SN_X)
#undef SN_X
};
static const char *const data_rows[SI_NDATAFIELD + SI_NSTEPFIELD] = {
#define SN_X(type, name, rows, cols, stage, unit, meaning) #rows,
  SN_DATA_FIELDS(SN_X) SN_STEP_FIELDS(SN_X)
#undef SN_X
};

typedef struct place {
  const si_field_info *field;   // NULL: in none
  const char *rows;
  int64_t row, column, cols;
} place;

static int find_among(const si_field_info *info, const char *const *rows, const si_extent *extent,
                      void *const *field, int64_t n, const uint8_t *at, place *out) {
  for (int64_t i = 0; i < n; i++) {
    const uint8_t *begin = field[i];
    const int64_t numbers = extent[i].rows * extent[i].cols;
    if (begin && at >= begin && at < begin + numbers * info[i].bytes) {
      const int64_t k = (at - begin) / info[i].bytes;
      *out = (place){ &info[i], rows[i], k / extent[i].cols, k % extent[i].cols, extent[i].cols };
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
  if (!d || (!find_among(info, data_rows, data, d->field, SI_NDATAFIELD, at, &found) &&
             !find_among(info + SI_NDATAFIELD, data_rows + SI_NDATAFIELD, step,
                         d->field + SI_NDATAFIELD, SI_NSTEPFIELD, at, &found))) {
    find_among(si_model_field_table, model_rows, model, m->field, SI_NMODELFIELD, at, &found);
  }
  return found;
}

// ------------------------------------------------------------------ elements

// The last element whose first row is not above this one.
static int64_t owner(const int32_t *first_row, int64_t n, int64_t row) {
  int64_t found = -1;
  for (int64_t i = 0; i < n; i++) {
    found = first_row[i] >= 0 && first_row[i] <= row ? i : found;
  }
  return found;
}

// The kind of element that a row belongs to, and which one; NULL: none.
static const char *element(const sn_model *m, const place *p, int64_t *id) {
  static const char *const own[][2] = {
    { "nbody", "body" },     { "njnt", "joint" },   { "ngeom", "geom" },     { "nsite", "site" },
    { "ncam", "camera" },    { "nlight", "light" }, { "ntendon", "tendon" }, { "nu", "actuator" },
    { "nsensor", "sensor" }, { "neq", "equality" }, { "nmesh", "mesh" },     { "nmat", "material" },
  };
  const struct {
    const char *rows, *kind;
    const int32_t *first;
    int64_t n;
  } shared[] = {
    { "nq", "joint", m->jnt_qposadr, m->njnt },
    { "nv", "joint", m->jnt_dofadr, m->njnt },
    { "na", "actuator", m->actuator_actadr, m->nu },
    { "nsensordata", "sensor", m->sensor_adr, m->nsensor },
    { "nsensorstate", "sensor", m->sensor_stateadr, m->nsensor },
  };
  *id = p->row;
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
    if (strcmp(own[i][0], p->rows) == 0) {
      return own[i][1];
    }
  }
  for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
    if (strcmp(shared[i].rows, p->rows) == 0) {
      *id = owner(shared[i].first, shared[i].n, p->row);
      return *id >= 0 ? shared[i].kind : NULL;
    }
  }
  return NULL;
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
  const char *kind = element(m, p, &id), *name = kind ? sn_name(m, kind, (int32_t)id) : "";
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
