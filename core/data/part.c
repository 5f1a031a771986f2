// SPDX-License-Identifier: Apache-2.0
//
// Quantities by name; see part.h.

#include "data/part.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "data/fields.h"
#include "model/element.h"
#include "sinew/suggest.h"

enum { ROOM = 256 };   // characters of a name

// ------------------------------------------------------------------ options

static const struct {
  const char *name;
  int64_t offset, n;
} options[] = {
#define REAL(name, count, ...) { #name, offsetof(sn_option, name), count },
#define OTHER(...)
  SN_OPTIONS(REAL, OTHER, OTHER)
#undef REAL
#undef OTHER
};
enum { NOPTIONS = sizeof options / sizeof options[0] };

// ------------------------------------------------------------------ parts of a name

// A whole number from 0 on that a text consists of; -1: it is none.
static int64_t number_of(const char *text) {
  char *end;
  const int64_t value = strtoll(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end ? value : -1;
}

// Whether `name` is `field`, or continues after it with a colon. *rest: after the colon, or "".
static int starts_with(const char *name, const char *field, const char **rest) {
  const size_t n = strlen(field);
  *rest = name + n + (strncmp(name, field, n) == 0 && name[n] == ':');
  return strncmp(name, field, n) == 0 && (!name[n] || name[n] == ':');
}

static int32_t find_element(const sn_model *m, const char *kind, const char *text) {
  const int32_t id = sn_find(m, kind, text);
  int64_t n;
  si_model_names(m, kind, &n);
  const int64_t number = number_of(text);
  return id >= 0 || number < 0 || number >= n ? id : (int32_t)number;
}

static sn_status narrow(const char *name, const char *component, si_part *p, sn_error *error) {
  const int64_t k = number_of(component);
  if (p->n == 1 && k != 0) {
    return si_fail(error, SN_EINVAL, "'%s': it is one number, without a component '%s'; omit ':%s'",
                   name, component, component);
  }
  if (k < 0 || k >= p->n) {
    return si_fail(error, SN_EINVAL, "'%s': component '%s' must be an integer from 0 to %lld", name,
                   component, (long long)p->n - 1);
  }
  p->first += k;
  p->n = 1;
  return SN_OK;
}

// rest: "ELEMENT" or "ELEMENT:K"; names may have colons.
static sn_status choose(const sn_model *m, const char *name, const char *rows, int64_t cols,
                        const char *rest, si_part *p, sn_error *error) {
  const char *kind = si_element_kind(rows), *colon = strrchr(rest, ':');
  if (!kind) {
    return si_fail(error, SN_EINVAL,
                   "'%s': the rows of this array do not belong to elements; use the name of the "
                   "array alone",
                   name);
  }
  char element[ROOM];
  snprintf(element, sizeof element, "%s", rest);
  int32_t id = find_element(m, kind, element);
  if (id >= 0) {
    colon = NULL;
  } else if (colon) {
    element[colon - rest] = 0;
    id = find_element(m, kind, element);
  }
  if (id < 0) {
    return si_fail(error, SN_ENOTFOUND, "'%s': the model has no %s '%s'", name, kind, element);
  }
  int64_t first, n;
  si_element_rows(m, rows, id, &first, &n);
  if (n <= 0) {
    return si_fail(error, SN_EINVAL, "'%s': %s '%s' has no numbers in this array", name, kind,
                   element);
  }
  p->first = first * cols;
  p->n = n * cols;
  return colon ? narrow(name, colon + 1, p, error) : SN_OK;
}

static sn_status unknown(const char *name, const char *owner, const char *near, sn_error *error) {
  char hint[SN_SUGGEST_TEXT];
  return si_fail(error, SN_ENOTFOUND, "'%s' is not an array of the %s%s", name, owner,
                 sn_suggest_text(hint, sizeof hint, near,
                                 "`sinew fields` lists the arrays; write FIELD, FIELD:ELEMENT or "
                                 "FIELD:ELEMENT:K"));
}

// The most similar of the names in a table of fields.
static const char *nearest_field(const char *name, const si_field_info *table, int n) {
  char field[ROOM];
  snprintf(field, sizeof field, "%.*s", (int)strcspn(name, ":"), name);
  const char *near = NULL;
  int32_t least = SN_SUGGEST_FAR;
  for (int i = 0; i < n; i++) {
    const int32_t distance = sn_suggest_near(field, table[i].name);
    near = distance < least ? table[i].name : near;
    least = distance < least ? distance : least;
  }
  return near;
}

// ------------------------------------------------------------------ of a simulation, of a model

static sn_status check_name(const char *name, sn_error *error) {
  return !name || !*name || strlen(name) >= ROOM
             ? si_fail(error, SN_EINVAL,
                       "the name of a quantity is missing, or longer than %d characters", ROOM - 1)
             : SN_OK;
}

sn_status si_part_of_data(const sn_model *m, const char *name, si_part *out, sn_error *error) {
  const char *rest;
  si_extent extent[SI_NDATAFIELD];
  SN_TRY(check_name(name, error));
  si_data_extents(m, extent);
  for (int i = 0; i < SI_NDATACOUNT; i++) {
    if (strcmp(name, si_data_count_table[i].name) == 0) {
      *out = (si_part){ .what = SI_PART_COUNT, .field = i, .type = SN_INT, .n = 1 };
      return SN_OK;
    }
  }
  for (int i = 0; i < SI_NDATAFIELD; i++) {
    if (starts_with(name, si_data_field_table[i].name, &rest)) {
      *out = (si_part){ .what = SI_PART_FIELD,
                        .field = i,
                        .type = si_data_field_table[i].type,
                        .n = extent[i].rows * extent[i].cols };
      return *rest ? choose(m, name, si_data_field_table[i].rows, extent[i].cols, rest, out, error)
                   : SN_OK;
    }
  }
  for (int i = SI_NDATAFIELD; i < SI_NDATAFIELD + SI_NSTEPFIELD; i++) {
    if (starts_with(name, si_data_field_table[i].name, &rest)) {
      return si_fail(
          error, SN_EUNSUPPORTED,
          "'%s': the size of this array changes from step to step; it cannot be recorded "
          "or limited; use an array of constant size, such as qfrc_constraint",
          name);
    }
  }
  const int n = SI_NDATAFIELD + SI_NSTEPFIELD;
  return unknown(name, "simulation", nearest_field(name, si_data_field_table, n), error);
}

sn_status si_part_of_model(const sn_model *m, const char *name, si_part *out, sn_error *error) {
  const char *rest;
  si_extent extent[SI_NMODELFIELD];
  SN_TRY(check_name(name, error));
  si_model_extents(m, extent);
  for (int i = 0; i < NOPTIONS; i++) {
    if (starts_with(name, options[i].name, &rest)) {
      *out = (si_part){
        .what = SI_PART_OPTION, .type = SN_REAL, .n = options[i].n, .offset = options[i].offset
      };
      return *rest ? narrow(name, rest, out, error) : SN_OK;
    }
  }
  for (int i = 0; i < SI_NMODELFIELD; i++) {
    if (!starts_with(name, si_model_field_table[i].name, &rest)) {
      continue;
    }
    if (si_model_field_table[i].type != SN_REAL) {
      return si_fail(error, SN_EUNSUPPORTED,
                     "'%s': only real numbers and options of a model can vary", name);
    }
    *out = (si_part){
      .what = SI_PART_FIELD, .field = i, .type = SN_REAL, .n = extent[i].rows * extent[i].cols
    };
    return *rest ? choose(m, name, si_model_field_table[i].rows, extent[i].cols, rest, out, error)
                 : SN_OK;
  }
  return unknown(name, "model", nearest_field(name, si_model_field_table, SI_NMODELFIELD), error);
}

double si_part_number(const si_part *p, const sn_data *d, int64_t k) {
  if (p->what == SI_PART_COUNT) {
    int64_t count;
    memcpy(&count, (const char *)d + si_data_count_table[p->field].offset, sizeof count);
    return (double)count;
  }
  return p->type == SN_REAL ? ((const double *)d->field[p->field])[p->first + k]
                            : (double)((const int32_t *)d->field[p->field])[p->first + k];
}
