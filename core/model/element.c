// SPDX-License-Identifier: Apache-2.0
//
// Rows of arrays and elements: walks the tables of sinew/fields_model.h.

#include "model/element.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct kind {
  const char *name, *rows;
  size_t n, names;   // offsets of the number and of the array in sn_model
} kind;

static const kind kinds[] = {
#define SN_X(kind, size, prefix, also) \
  { #kind, #size, offsetof(sn_model, size), offsetof(sn_model, name_##prefix##adr) },
  SN_MODEL_ELEMENTS(SN_X)
#undef SN_X
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

// Several rows for an element.
enum { COUNTED, PACKED, SINGLE };

typedef struct part {
  const char *rows, *kind;
  int how;
  size_t all, first, count;   // offsets in sn_model: number of all rows, arrays
} part;

#define ENTRY(size, kind, how, first, count) \
  { #size, #kind, how, offsetof(sn_model, size), offsetof(sn_model, first), count },
#define COUNTED_ENTRY(size, kind, first, count) \
  ENTRY(size, kind, COUNTED, first, offsetof(sn_model, count))
#define PACKED_ENTRY(size, kind, first) ENTRY(size, kind, PACKED, first, 0)
#define SINGLE_ENTRY(size, kind, first) ENTRY(size, kind, SINGLE, first, 0)
static const part parts[] = { SN_MODEL_PARTS(COUNTED_ENTRY, PACKED_ENTRY, SINGLE_ENTRY) };
enum { NPARTS = sizeof parts / sizeof parts[0] };

static int64_t size_at(const sn_model *m, size_t offset) {
  int64_t size;
  memcpy(&size, (const char *)m + offset, sizeof size);
  return size;
}

static int32_t *array_at(const sn_model *m, size_t offset) {
  int32_t *array;
  memcpy(&array, (const char *)m + offset, sizeof array);
  return array;
}

// ------------------------------------------------------------------ kinds

int32_t *si_model_names(const sn_model *m, const char *name, int64_t *n) {
  name = strcmp(name, "xbody") == 0 ? "body" : name;
  for (int i = 0; i < NKINDS; i++) {
    if (strcmp(kinds[i].name, name) == 0) {
      *n = size_at(m, kinds[i].n);
      return array_at(m, kinds[i].names);
    }
  }
  *n = 0;
  return NULL;
}

static const kind *find_kind(const char *rows) {
  for (int i = 0; i < NKINDS; i++) {
    if (strcmp(kinds[i].rows, rows) == 0) {
      return &kinds[i];
    }
  }
  return NULL;
}

static const part *find_part(const char *rows) {
  for (int i = 0; i < NPARTS; i++) {
    if (strcmp(parts[i].rows, rows) == 0) {
      return &parts[i];
    }
  }
  return NULL;
}

const char *si_element_kind(const char *rows) {
  const kind *k = find_kind(rows);
  const part *p = find_part(rows);
  return k ? k->name : p ? p->kind : NULL;
}

// ------------------------------------------------------------------ rows

static void rows_of_part(const sn_model *m, const part *p, int32_t id, int64_t *first, int64_t *n) {
  const int32_t *start = array_at(m, p->first);
  int64_t all;
  si_model_names(m, p->kind, &all);
  const int64_t next = id + 1 < all ? start[id + 1] : size_at(m, p->all);
  *first = start[id];
  *n = p->how == COUNTED ? array_at(m, p->count)[id] : p->how == PACKED ? next - *first : 1;
  *n = *first < 0 ? 0 : *n;
}

void si_element_rows(const sn_model *m, const char *rows, int32_t id, int64_t *first, int64_t *n) {
  const part *p = find_part(rows);
  *first = id;
  *n = 1;
  if (p) {
    rows_of_part(m, p, id, first, n);
  }
}

const char *si_element_of_row(const sn_model *m, const char *rows, int64_t row, int64_t *id) {
  const part *p = find_part(rows);
  *id = row;
  if (!p) {
    return si_element_kind(rows);
  }
  int64_t all;
  si_model_names(m, p->kind, &all);
  for (int32_t i = 0; i < all; i++) {
    int64_t first, n;
    rows_of_part(m, p, i, &first, &n);
    if (row >= first && row < first + n) {
      *id = i;
      return p->kind;
    }
  }
  return NULL;
}

const char *si_model_title(const sn_model *m, const char *element, int32_t id,
                           char out[SI_MODEL_TITLE]) {
  static const char *const types[SN_NEQUALITYTYPES] = { [SN_EQUALITY_CONNECT] = " (connect)",
                                                        [SN_EQUALITY_WELD] = " (weld)",
                                                        [SN_EQUALITY_JOINT] = " (joint)",
                                                        [SN_EQUALITY_TENDON] = " (tendon)",
                                                        [SN_EQUALITY_PLUGIN] = " (plugin)" };
  const char *name = sn_name(m, element, id);
  if (*name) {
    snprintf(out, SI_MODEL_TITLE, "%s '%s'", element, name);
  } else {
    const int is_equality = strcmp(element, "equality") == 0;
    snprintf(out, SI_MODEL_TITLE, "%s %d%s", element, id, is_equality ? types[m->eq_type[id]] : "");
  }
  return out;
}
