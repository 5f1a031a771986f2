// SPDX-License-Identifier: Apache-2.0
//
// The spec: adding, reading, replacing and finding elements, settings, warnings. The functions of
// each kind are made from SN_ELEMENTS; all of them come down to three, add, get and set, that know
// a kind by its shape.

#include "base/text.h"
#include "spec/keyframe.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------ names

const char *si_element_name(const si_element *element) {
  // every definition struct starts with its size, then the name
  const char *const *name = (const char *const *)((const char *)element->def + 8);
  return *name ? *name : "";
}

#define SN_X(kind) \
  SN_STATIC_ASSERT(offsetof(sn_##kind##_def, name) == 8, "the name is the first member");
SN_ELEMENTS(SN_X)
#undef SN_X

static const char *title(const char *kind, int64_t id, const char *name, char *buffer,
                         size_t size) {
  if (name && name[0]) {
    snprintf(buffer, size, "%.32s '%.200s'", kind, name);
  } else {
    snprintf(buffer, size, "%.32s %lld", kind, (long long)id);
  }
  return buffer;
}

// A force of type "controller/lqr" is a controller.
static const char *kind_word(const sn_spec *spec, int32_t kind, int64_t id, char *out,
                             size_t size) {
  const sn_force_def *def = spec->list[kind].at[id].def;
  const size_t n = kind == SI_ELEMENT_force && def->type ? strcspn(def->type, "/") : 0;
  if (n == 0 || n >= size || def->type[n] == '\0') {
    return si_element_shape[kind].kind;
  }
  snprintf(out, size, "%.*s", (int)n, def->type);
  return out;
}

const char *si_element_title(const sn_spec *spec, int32_t kind, int64_t id, char *buffer,
                             size_t size) {
  char word[32];
  return title(kind_word(spec, kind, id, word, sizeof word), id,
               si_element_name(&spec->list[kind].at[id]), buffer, size);
}

typedef struct named {
  const char *name;
  int32_t id;
  int32_t reserved;
} named;

static int by_name(const void *a, const void *b) {
  const named *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x->id > y->id) - (x->id < y->id);
}

sn_status si_spec_sort(sn_spec *spec, int32_t kind) {
  si_elements *list = &spec->list[kind];
  if (list->sorted) {
    return SN_OK;
  }
  named *all = malloc((size_t)(list->n + 1) * sizeof *all);
  int32_t *ids = malloc((size_t)(list->n + 1) * sizeof *ids);
  if (!all || !ids) {
    free(all);
    free(ids);
    return SN_ENOMEM;
  }
  int64_t n = 0;
  for (int64_t i = 0; i < list->n; i++) {
    const char *name = si_element_name(&list->at[i]);
    if (name[0]) {
      all[n++] = (named){ name, (int32_t)i, 0 };
    }
  }
  qsort(all, (size_t)n, sizeof *all, by_name);
  for (int64_t i = 0; i < n; i++) {
    ids[i] = all[i].id;
  }
  free(all);
  free(list->by_name);
  list->by_name = ids;
  list->nnamed = n;
  list->sorted = 1;
  return SN_OK;
}

int32_t sn_spec_find(const sn_spec *spec, const char *kind, const char *name) {
  int32_t k = si_element_of(kind);
  if (k < 0 || !name || !name[0]) {
    return -1;
  }
  const si_elements *list = &spec->list[k];
  if (!list->sorted) {
    for (int64_t i = 0; i < list->n; i++) {
      if (strcmp(si_element_name(&list->at[i]), name) == 0) {
        return (int32_t)i;
      }
    }
    return -1;
  }
  int64_t low = 0, high = list->nnamed;
  while (low < high) {
    int64_t mid = (low + high) / 2;
    if (strcmp(si_element_name(&list->at[list->by_name[mid]]), name) < 0) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  int found = low < list->nnamed &&
              strcmp(si_element_name(&list->at[list->by_name[low]]), name) == 0;
  return found ? list->by_name[low] : -1;
}

int64_t sn_spec_count(const sn_spec *spec, const char *kind) {
  int32_t k = si_element_of(kind);
  return k < 0 ? -1 : spec->list[k].n;
}

// ------------------------------------------------------------------ texts

static const char *keep_text(si_texts *list, const char *text) {
  char **at = si_grow(list->at, list->n, &list->capacity, sizeof *at);
  if (!at) {
    return NULL;
  }
  list->at = at;
  char *copy = strdup(text);
  if (copy) {
    list->at[list->n++] = copy;
  }
  return copy;
}

static void free_texts(si_texts *list) {
  for (int64_t i = 0; i < list->n; i++) {
    free(list->at[i]);
  }
  free(list->at);
}

// The place with its file name kept once; files come in runs, so the latest is looked at first.
static sn_status keep_location(sn_spec *spec, const sn_location *from, sn_location *to) {
  *to = from ? *from : (sn_location){ 0 };
  if (!to->file) {
    return SN_OK;
  }
  for (int64_t i = spec->files.n - 1; i >= 0; i--) {
    if (strcmp(spec->files.at[i], to->file) == 0) {
      to->file = spec->files.at[i];
      return SN_OK;
    }
  }
  to->file = keep_text(&spec->files, to->file);
  return to->file ? SN_OK : SN_ENOMEM;
}

static sn_status keep_line(si_texts *list, const sn_location *location, const char *text) {
  char line[SI_ERROR_TEXT];
  if (location && location->file) {
    snprintf(line, sizeof line, "%s:%d:%d: %s", location->file, location->line, location->column,
             text);
  } else {
    snprintf(line, sizeof line, "%s", text);
  }
  return keep_text(list, line) ? SN_OK : SN_ENOMEM;
}

sn_status si_spec_warn(sn_spec *spec, const sn_location *location, const char *text) {
  return keep_line(&spec->warnings, location, text);
}

sn_status si_spec_add_note(sn_spec *spec, const sn_location *location, const char *text) {
  return keep_line(&spec->notes, location, text);
}

static const char *const placed_options[SI_NPLACED] = {
  [SI_PLACED_SOLVER] = "solver", [SI_PLACED_INTEGRATOR] = "integrator"
};

static const char *placed_name(const sn_spec *spec, int which) {
  return which == SI_PLACED_SOLVER ? spec->option.solver : spec->option.integrator;
}

sn_status si_spec_locate_option(sn_spec *spec, const char *option, const sn_location *location) {
  for (int i = 0; i < SI_NPLACED; i++) {
    if (strcmp(option, placed_options[i]) == 0) {
      snprintf(spec->placed[i].name, SN_NAME_MAX, "%s", placed_name(spec, i));
      return keep_location(spec, location, &spec->placed[i].location);
    }
  }
  return SN_ENOTFOUND;
}

sn_status si_spec_copy_locations(sn_spec *spec, const sn_spec *from) {
  for (int i = 0; i < SI_NPLACED; i++) {
    memcpy(spec->placed[i].name, from->placed[i].name, SN_NAME_MAX);
    SN_TRY(keep_location(spec, &from->placed[i].location, &spec->placed[i].location));
  }
  return SN_OK;
}

const char *si_spec_located(const sn_spec *spec, int which, sn_location *location) {
  const char *name = placed_name(spec, which);
  const int same = strcmp(spec->placed[which].name, name) == 0;
  *location = same ? spec->placed[which].location : (sn_location){ 0 };
  return name;
}

sn_status si_spec_get_place(const sn_spec *spec, const char *kind, int32_t id,
                            sn_location *location) {
  const int32_t k = si_element_of(kind);
  if (k < 0 || id < 0 || id >= spec->list[k].n) {
    return SN_EINVAL;
  }
  *location = spec->list[k].at[id].location;
  return SN_OK;
}

const char *sn_spec_warning(const sn_spec *spec, int64_t index) {
  return index >= 0 && index < spec->warnings.n ? spec->warnings.at[index] : NULL;
}

const char *sn_spec_note(const sn_spec *spec, int64_t index) {
  return index >= 0 && index < spec->notes.n ? spec->notes.at[index] : NULL;
}

const char *sn_spec_name(const sn_spec *spec) {
  return spec->name ? spec->name : "";
}

sn_status sn_spec_set_name(sn_spec *spec, const char *name) {
  if (si_name_fault(name) >= 0) {
    return SN_EINVAL;
  }
  char *copy = strdup(name ? name : "");
  if (!copy) {
    return SN_ENOMEM;
  }
  free(spec->name);
  spec->name = copy;
  return SN_OK;
}

// ------------------------------------------------------------------ owners

ptrdiff_t si_element_owner(int32_t kind) {
  const si_def_member *member = si_element_shape[kind].members;
  while (member->type && member->type != SI_DEF_OWNER) {
    member++;
  }
  return member->type ? (ptrdiff_t)member->offset : -1;
}

// A parent was added before its children, so that the tree has no loops.
static sn_status check_owner(const sn_spec *spec, int32_t kind, int64_t id, const void *def,
                             const char *what, const sn_location *location, sn_error *error) {
  ptrdiff_t offset = si_element_owner(kind);
  int is_body = kind == SI_ELEMENT_body;
  if (offset < 0 || (is_body && id == 0)) {
    return SN_OK;
  }
  int32_t owner;
  memcpy(&owner, (const char *)def + offset, sizeof owner);
  int64_t n = is_body ? id : spec->list[SI_ELEMENT_body].n;
  if (owner < 0 || owner >= n) {
    return si_fail_at(error, SN_EINVAL, location, "%s: there is no body %d to add it to%s", what,
                      owner, is_body ? "; a parent is added before its children" : "");
  }
  return SN_OK;
}

// ------------------------------------------------------------------ add, get, set

// A checked copy of a definition in memory of its own. old: the definition that it replaces, whose
// members stay where the new one is of an older version and too short; NULL: none.
static sn_status make_def(sn_spec *spec, int32_t kind, int64_t id, const void *def, const void *old,
                          const sn_location *location, void **out, sn_error *error) {
  const si_struct_shape *shape = &si_element_shape[kind];
  char what[256];
  si_any_def ours;
  title(si_element_shape[kind].kind, id, NULL, what, sizeof what);
  if (old) {
    memcpy(&ours, old, shape->size);
    SN_TRY(si_shape_update(&ours, shape->size, def, what, location, error));
  } else {
    SN_TRY(si_shape_import(&ours, shape->size, def, what, location, error));
  }
  if (kind == SI_ELEMENT_body && id == 0) {
    ours.body.name = "world";
  }
  const si_element probe = { .def = &ours };
  const int64_t fault = si_name_fault(si_element_name(&probe));
  if (fault >= 0) {
    return si_fail_at(error, SN_EINVAL, location,
                      "%s: byte %lld of its name is a control character or not valid UTF-8, which "
                      "is not allowed in names; choose another name",
                      what, (long long)fault);
  }
  title(si_element_shape[kind].kind, id, si_element_name(&probe), what, sizeof what);
  SN_TRY(si_shape_check(shape, &ours, what, location, error));
  SN_TRY(check_owner(spec, kind, id, &ours, what, location, error));
  const size_t bytes = si_shape_bytes(shape, &ours);
  SN_TRY(si_limit_memory(spec->engine, (double)spec->nbyte + (double)bytes, location, what, error));
  void *block = malloc(bytes);
  if (!block) {
    return si_fail_at(error, SN_ENOMEM, location, "out of memory for %s", what);
  }
  spec->nbyte += (int64_t)bytes;
  si_shape_copy(shape, &ours, block);
  *out = block;
  return SN_OK;
}

// The limits of elements and of time, at each element that a file adds.
static sn_status check_limits(const sn_spec *spec, const sn_location *location, sn_error *error) {
  int64_t n = 1;
  for (int i = 0; i < SI_NELEMENTS; i++) {
    n += spec->list[i].n;
  }
  SN_TRY(si_limit_elements(spec->engine, n, location, error));
  return n % 256 ? SN_OK : si_limit_time(&spec->deadline, 0, error);
}

sn_status si_spec_add_element(sn_spec *spec, int32_t kind, const void *def,
                              const sn_location *location, int32_t *id, sn_error *error) {
  si_elements *list = &spec->list[kind];
  SN_TRY(check_limits(spec, location, error));
  si_element *at = si_grow(list->at, list->n, &list->capacity, sizeof *at);
  if (!at) {
    return si_fail_at(error, SN_ENOMEM, location, "out of memory for another %s",
                      si_element_shape[kind].kind);
  }
  list->at = at;
  si_element element = { 0 };
  if (keep_location(spec, location, &element.location) < 0) {
    return si_fail(error, SN_ENOMEM, "out of memory for another %s", si_element_shape[kind].kind);
  }
  SN_TRY(make_def(spec, kind, list->n, def, NULL, location, &element.def, error));
  if (id) {
    *id = (int32_t)list->n;
  }
  list->at[list->n++] = element;
  list->sorted = 0;
  return SN_OK;
}

static sn_status check_id(const sn_spec *spec, int32_t kind, int32_t id, sn_error *error) {
  if (id < 0 || id >= spec->list[kind].n) {
    return si_fail(error, SN_EINVAL, "there is no %s %d; the spec has %lld",
                   si_element_shape[kind].kind, id, (long long)spec->list[kind].n);
  }
  return SN_OK;
}

static sn_status get(const sn_spec *spec, int32_t kind, int32_t id, void *def, sn_error *error) {
  SN_TRY(check_id(spec, kind, id, error));
  const si_struct_shape *shape = &si_element_shape[kind];
  return si_shape_export(def, spec->list[kind].at[id].def, shape->size, shape->kind, error);
}

void si_spec_drop_def(sn_spec *spec, int32_t kind, void *def) {
  spec->nbyte -= (int64_t)si_shape_bytes(&si_element_shape[kind], def);
  free(def);
}

sn_status si_spec_set_element(sn_spec *spec, int32_t kind, int32_t id, const void *def,
                              sn_error *error) {
  SN_TRY(check_id(spec, kind, id, error));
  si_element *element = &spec->list[kind].at[id];
  void *block;
  SN_TRY(make_def(spec, kind, id, def, element->def, &element->location, &block, error));
  si_spec_drop_def(spec, kind, element->def);
  element->def = block;
  spec->list[kind].sorted = 0;
  return SN_OK;
}

#define SN_X(kind)                                                                                \
  sn_status sn_spec_add_##kind(sn_spec *spec, const sn_##kind##_def *def,                         \
                               const sn_location *location, int32_t *id, sn_error *error) {       \
    return si_spec_add_element(spec, SI_ELEMENT_##kind, def, location, id, error);                \
  }                                                                                               \
  sn_status sn_spec_get_##kind(const sn_spec *spec, int32_t id, sn_##kind##_def *def,             \
                               sn_error *error) {                                                 \
    return get(spec, SI_ELEMENT_##kind, id, def, error);                                          \
  }                                                                                               \
  sn_status sn_spec_set_##kind(sn_spec *spec, int32_t id, const sn_##kind##_def *def,             \
                               sn_error *error) {                                                 \
    return si_spec_set_element(spec, SI_ELEMENT_##kind, id, def, error);                          \
  }
SN_ELEMENTS(SN_X)
#undef SN_X

#define SN_X(kind)                                                                          \
  sn_status sn_spec_get_##kind(const sn_spec *spec, sn_##kind *settings) {                  \
    return si_shape_export(settings, &spec->kind, sizeof spec->kind, #kind, NULL);          \
  }                                                                                         \
  sn_status sn_spec_set_##kind(sn_spec *spec, const sn_##kind *settings, sn_error *error) { \
    sn_##kind ours = spec->kind;                                                            \
    SN_TRY(si_shape_update(&ours, sizeof ours, settings, #kind, NULL, error));              \
    spec->kind = ours;                                                                      \
    return SN_OK;                                                                           \
  }
SN_SETTINGS(SN_X)
#undef SN_X

// ------------------------------------------------------------------ life

const sn_builder *sn_spec_builder(sn_spec *spec) {
  return &spec->builder;
}

sn_spec *si_spec_make(sn_engine *engine, const sn_builder *operations, sn_error *error) {
  sn_spec *spec = calloc(1, sizeof *spec);
  if (!spec) {
    si_fail(error, SN_ENOMEM, "out of memory for a spec");
    return NULL;
  }
  spec->engine = engine;
  spec->builder = *operations;
  spec->builder.spec = spec;
  spec->builder.host = engine ? sn_engine_host(engine) : NULL;
#define SN_X(kind) sn_default_##kind(&spec->kind);
  SN_SETTINGS(SN_X)
#undef SN_X

  // body 0 is the world
  sn_body_def world;
  sn_default_body(&world);
  sn_status status = sn_spec_set_name(spec, "");
  status = status < 0 ? si_fail(error, status, "out of memory for a spec")
                      : sn_spec_add_body(spec, &world, NULL, NULL, error);
  if (status < 0) {
    sn_spec_free(spec);
    return NULL;
  }
  return spec;
}

void sn_spec_free(sn_spec *spec) {
  if (!spec) {
    return;
  }
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    si_elements *list = &spec->list[kind];
    for (int64_t i = 0; i < list->n; i++) {
      free(list->at[i].def);
    }
    free(list->at);
    free(list->by_name);
  }
  si_key_unmark(spec);
  free_texts(&spec->files);
  free_texts(&spec->warnings);
  free_texts(&spec->notes);
  free(spec->name);
  free(spec);
}
