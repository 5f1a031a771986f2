// SPDX-License-Identifier: Apache-2.0
//
// The fields of the kit's world as operations get them.
//
//   guard, field, guard, guard, field, guard, ...     a guard has at least one row of a field
//
// So an operation that reads element -1 of an array, as it does if it forgets that a reference is
// absent, or the one behind the last, gets what the kit finds in its results.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { ALIGNMENT = 64, GUARD = 128 };   // bytes; GUARD: the smallest

static const sn_fields_service *fields_of(const kit_world *w) {
  const sn_host *host = sn_engine_host(w->engine);
  return host->query(host, SN_SERVICE_FIELDS);
}

static size_t aligned(size_t n) {
  return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t bytes_of(const sn_view *view, int64_t n) {
  static const size_t bytes[] = { [SN_REAL] = 8, [SN_INT] = 4, [SN_BYTE] = 1, [SN_CHAR] = 1 };
  return (size_t)n * bytes[view->type];
}

// ------------------------------------------------------------------ guards

// Texts end in a guard, whatever is in the others.
static void fill(unsigned char *p, size_t n, int32_t type, int filling) {
  static const double reals[KIT_NGUARDS] = { NAN, 0, 1e3 };
  static const int32_t ints[KIT_NGUARDS] = { -1, 0, 1 };
  static const unsigned char bytes[KIT_NGUARDS] = { 0xff, 0, 1 };
  const size_t size = type == SN_REAL ? sizeof *reals : sizeof *ints;
  memset(p, type == SN_CHAR ? 0 : bytes[filling], n);
  for (size_t i = 0; (type == SN_REAL || type == SN_INT) && i + size <= n; i += size) {
    const void *value = type == SN_REAL ? (const void *)&reals[filling] : &ints[filling];
    memcpy(p + i, value, size);
  }
}

static void guard(const kit_copies *c, int filling) {
  for (int i = 0; i < c->n; i++) {
    const struct kit_copy *f = &c->field[i];
    fill(f->p - f->guard, f->guard, f->type, filling);
    fill(f->p + f->bytes, f->guard, f->type, filling);
  }
}

void kit_world_guard(const kit_world *w, int filling) {
  guard(&w->model_copies, filling);
  guard(&w->data_copies, filling);
}

// ------------------------------------------------------------------ copies

typedef sn_status resolver(const sn_model_view *model, const char *name, int32_t type,
                           sn_field *field, sn_error *error);

// The next field; the view of it is in `view`.
static int add_field(const kit_world *w, kit_copies *c, resolver *resolve, const sn_view *view) {
  struct kit_copy *f = &c->field[c->n];
  sn_field field;
  if (!f->name || strcmp(f->name, view->name) != 0) {   // not as the last time
    if (resolve(&w->model_view, view->name, 0, &field, NULL) < 0 ||
        field.index >= KIT_MOST_FIELDS) {
      return 0;
    }
    f->name = view->name;
    f->index = field.index;
  }
  const size_t row = aligned(bytes_of(view, view->cols));
  f->type = view->type;
  f->bytes = bytes_of(view, view->rows * view->cols);
  f->guard = row > GUARD ? row : GUARD;
  c->n++;
  return 1;
}

static size_t room_of(const struct kit_copy *f) {
  return f->guard + aligned(f->bytes) + f->guard;
}

// Memory for all of them, with their places. False: there is none.
static int make_room(kit_copies *c) {
  size_t bytes = 0;
  for (int i = 0; i < c->n; i++) {
    bytes += room_of(&c->field[i]);
  }
  if (bytes > c->bytes) {
    free(c->memory);
    c->memory = aligned_alloc(ALIGNMENT, bytes);
    c->bytes = c->memory ? bytes : 0;
  }
  unsigned char *at = c->memory;
  for (int i = 0; at && i < c->n; i++) {
    c->field[i].p = at + c->field[i].guard;
    at += room_of(&c->field[i]);
  }
  return at != NULL;
}

// Without memory, a view has the fields themselves.
static void copy(kit_copies *c, const void *const *from, const void **fields) {
  const int done = make_room(c);
  for (int i = 0; i < c->n; i++) {
    const struct kit_copy *f = &c->field[i];
    if (done && f->bytes > 0) {
      memcpy(f->p, from[i], f->bytes);
    }
    fields[f->index] = done ? f->p : from[i];
  }
  c->n = done ? c->n : 0;
  guard(c, KIT_GUARD_NONE);
}

void kit_world_see_model(kit_world *w) {
  const void *from[KIT_MOST_FIELDS];
  kit_copies *c = &w->model_copies;
  sn_view view = { .size = sizeof view };
  c->n = 0;
  for (int64_t i = 0; c->n < KIT_MOST_FIELDS && sn_model_field_at(w->model, i, &view); i++) {
    from[c->n] = view.p;
    add_field(w, c, fields_of(w)->model_field, &view);
  }
  copy(c, from, w->model_fields);
}

// Those of the data change their addresses with each evaluation.
void kit_world_see_data(kit_world *w) {
  const void *from[KIT_MOST_FIELDS];
  kit_copies *c = &w->data_copies;
  sn_view view = { .size = sizeof view };
  c->n = 0;
  for (int64_t i = 0; c->n < KIT_MOST_FIELDS && sn_data_field_at(w->model, w->data, i, &view);
       i++) {
    from[c->n] = view.p;
    add_field(w, c, fields_of(w)->data_field, &view);
  }
  copy(c, from, w->data_fields);
}

// ------------------------------------------------------------------ lanes

int kit_world_to_lane(const kit_world *w, kit_lanes *lanes, int64_t lane) {
  sn_view view = { .size = sizeof view };
  sn_field field;
  for (int64_t i = 0; sn_data_field_at(w->model, w->data, i, &view); i++) {
    if (fields_of(w)->data_field(&w->model_view, view.name, 0, &field, NULL) < 0 ||
        field.index >= KIT_MOST_FIELDS || view.dynamic) {
      continue;
    }
    lanes->fields[field.index] = view.p;
    if (view.type != SN_REAL) {
      continue;
    }
    const int64_t n = view.rows * view.cols;
    double **to = &lanes->reals[field.index];
    *to = *to ? *to : calloc((size_t)(n * lanes->width) + 1, sizeof **to);
    if (!*to) {
      return 0;
    }
    for (int64_t k = 0; k < n; k++) {
      (*to)[k * lanes->width + lane] = ((const double *)view.p)[k];
    }
    lanes->fields[field.index] = *to;
  }
  lanes->view = (sn_data_view){ .size = sizeof lanes->view,
                                .fields = lanes->fields,
                                .model = &w->model_view };
  return 1;
}

void kit_lanes_free(kit_lanes *lanes) {
  for (int i = 0; i < KIT_MOST_FIELDS; i++) {
    free(lanes->reals[i]);
  }
}
