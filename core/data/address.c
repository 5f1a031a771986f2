// SPDX-License-Identifier: Apache-2.0
//
// An address in the arrays of a simulation, in states of plugins, or in the model.

#include "data/address.h"

#include <stdio.h>
#include <string.h>

#include "data/fields.h"
#include "model/address.h"

static int is_in(const void *memory, int64_t bytes, const uint8_t *at) {
  const uint8_t *begin = memory;
  return begin && at >= begin && at < begin + bytes;
}

static int find(const sn_model *m, const sn_data *d, const uint8_t *at, si_address *out) {
  si_extent data[SI_NDATAFIELD], step[SI_NSTEPFIELD];
  const si_field_info *info = si_data_field_table;
  si_data_extents(m, data);
  si_step_extents(d, step);
  return si_address_find(info, data, d->field, SI_NDATAFIELD, at, out) ||
         si_address_find(info + SI_NDATAFIELD, step, d->field + SI_NDATAFIELD, SI_NSTEPFIELD, at,
                         out);
}

void si_data_address_name(const sn_model *m, const sn_data *d, const uint8_t *at, char *out,
                          size_t size) {
  si_address found;
  if (d && find(m, d, at, &found)) {
    si_address_name(m, &found, out, size);
  } else if (d && is_in(d->force_state, 8 * m->nforcestate, at)) {
    snprintf(out, size, "state variable %lld of passive forces and controllers",
             (long long)(at - (const uint8_t *)d->force_state) / 8);
  } else if (d && is_in(d->integrator_state, 8 * d->nintegratorstate, at)) {
    snprintf(out, size, "state variable %lld of the integrator",
             (long long)(at - (const uint8_t *)d->integrator_state) / 8);
  } else {
    si_model_address_name(m, at, out, size);
  }
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

static const si_output *find_input(const si_output *list, const uint8_t *at) {
  while (list && !(list->is_input && is_in(list->memory, list->bytes, at))) {
    list = list->next;
  }
  return list;
}

const char *si_stray_write(const sn_model *m, const sn_data *d, const si_output *outputs,
                           const uint8_t *at, char *out, size_t size) {
  char where[192], beside[128] = "";
  const si_output *input = find_input(outputs, at);
  if (input) {
    snprintf(out, size,
             input->is_struct
                 ? "replaced a pointer or a size in its argument '%s', which belong to "
                   "the host"
                 : "wrote its input '%s'",
             input->name);
    return out;
  }
  si_data_address_name(m, d, at, where, sizeof where);
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
