// SPDX-License-Identifier: Apache-2.0
//
// Attaching one spec to another: the part's world becomes a body of the spec; its names and
// references get a prefix.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "spec/edit.h"

// ------------------------------------------------------------------ names

typedef struct attachment {
  sn_spec *spec;
  const sn_spec *part;
  const char *prefix, *world;   // world: name of the body that part's world becomes
  int32_t body;
  int32_t failed;
  int64_t before[SI_NELEMENTS];   // elements of the spec
  int32_t *order, *body_order;    // of actuators, bodies: where each was before they were moved
  char **text;                    // made for one definition
  int64_t ntext, capacity;
} attachment;

static const char *keep(attachment *a, char *text) {
  char **more = si_grow(a->text, a->ntext, &a->capacity, sizeof *more);
  if (!more) {
    free(text);
    a->failed = 1;
    return NULL;
  }
  a->text = more;
  a->failed |= !text;
  a->text[a->ntext++] = text;
  return text;
}

static const char *prefixed(attachment *a, const char *name) {
  size_t n = strlen(a->prefix), m = strlen(name);
  char *text = malloc(n + m + 1);
  if (text) {
    memcpy(text, a->prefix, n);
    memcpy(text + n, name, m + 1);
  }
  return keep(a, text);
}

static void rename_reference(void *context, const char **name, int32_t kind, int32_t need) {
  (void)need;
  attachment *a = context;
  int is_world = kind == SI_ELEMENT_body && strcmp(*name, "world") == 0;
  if (is_world && !a->world[0]) {
    a->failed = 2;
    return;
  }
  *name = is_world ? a->world : prefixed(a, *name);
}

// The nested items of a definition, in memory that may be changed.
static void own_items(attachment *a, int32_t kind, si_any_def *def) {
  for (const si_def_member *m = si_element_shape[kind].members; m->type; m++) {
    if (m->type != SI_DEF_ITEMS) {
      continue;
    }
    int64_t n;
    const void *items;
    memcpy(&n, (char *)def + m->count, sizeof n);
    memcpy(&items, (char *)def + m->offset, sizeof items);
    if (n > 0 && items) {
      char *copy = malloc((size_t)n * m->item->size);
      if (copy) {
        memcpy(copy, items, (size_t)n * m->item->size);
      }
      items = keep(a, copy);
      memcpy((char *)def + m->offset, &items, sizeof items);
    }
  }
}

static void rename_in_attributes(attachment *a, int32_t kind, si_any_def *def) {
  char *lines;
  if (si_attribute_references(a->part, kind, def, rename_reference, a, &lines) < 0) {
    a->failed = a->failed ? a->failed : 1;
  }
  if (lines) {
    const char **attributes = kind == SI_ELEMENT_actuator   ? &def->actuator.attributes
                              : kind == SI_ELEMENT_sensor   ? &def->sensor.attributes
                              : kind == SI_ELEMENT_equality ? &def->equality.attributes
                                                            : &def->force.attributes;
    *attributes = keep(a, lines);
  }
}

// ------------------------------------------------------------------ elements

static sn_status attach_element(attachment *a, int32_t kind, int64_t id, sn_error *error) {
  const si_element *element = &a->part->list[kind].at[id];
  char what[256];
  si_any_def def;
  memcpy(&def, element->def, si_element_shape[kind].size);

  // names
  own_items(a, kind, &def);
  const char **name = (const char **)(void *)((char *)&def + 8);
  if (*name && **name) {
    *name = prefixed(a, *name);
  }
  if (!a->failed) {
    si_element_references(a->part, kind, &def, rename_reference, a);
    rename_in_attributes(a, kind, &def);
  }
  si_element_title(a->part, kind, id, what, sizeof what);
  if (a->failed == 2) {
    return si_fail(
        error, SN_EINVAL,
        "%s refers to the world, but the body to which it is attached has no name; name that body",
        what);
  }
  if (a->failed) {
    return si_edit_no_memory(error);
  }

  // place and units
  int32_t owner = si_edit_owner(kind, &def);
  if (owner >= 0) {
    si_edit_set_owner(kind, &def,
                      owner == 0 ? a->body : (int32_t)a->before[SI_ELEMENT_body] + owner - 1);
  }
  const char *wrong = si_attach_changes(a->spec, a->part, kind, id);
  wrong = wrong ? wrong : si_attach_translate(a->spec, a->part, kind, &def);
  if (wrong) {
    return si_fail_at(error, SN_EINVAL, &element->location, "%s: %s", what, wrong);
  }
  return si_spec_add_element(a->spec, kind, &def, &element->location, NULL, error);
}

static void drop_texts(attachment *a) {
  while (a->ntext > 0) {
    free(a->text[--a->ntext]);
  }
}

static sn_status attach_all(attachment *a, sn_error *error) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (int64_t i = kind == SI_ELEMENT_body; i < a->part->list[kind].n; i++) {
      SN_TRY(attach_element(a, kind, i, error));
      drop_texts(a);
    }
  }

  // no name twice
  SN_TRY(si_edit_sort(a->spec, error));
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    const si_elements *list = &a->spec->list[kind];
    for (int64_t i = 1; i < list->nnamed; i++) {
      const char *name = si_element_name(&list->at[list->by_name[i]]);
      if (list->by_name[i] >= a->before[kind] &&
          strcmp(name, si_element_name(&list->at[list->by_name[i - 1]])) == 0) {
        return si_fail(error, SN_EINVAL,
                       "attach: a %s '%s' exists already; choose a prefix other than '%s'",
                       si_element_shape[kind].kind, name, a->prefix);
      }
    }
  }
  return SN_OK;
}

// Actuators without activation come first, as the compiler wants them.
static sn_status order_actuators(attachment *a, sn_error *error) {
  si_elements *list = &a->spec->list[SI_ELEMENT_actuator];
  si_element *sorted = malloc((size_t)(list->n + 1) * sizeof *sorted);
  a->order = malloc((size_t)(list->n + 1) * sizeof *a->order);
  if (!sorted || !a->order) {
    free(sorted);
    return si_edit_no_memory(error);
  }
  int64_t n = 0;
  for (int active = 0; active < 2; active++) {
    for (int64_t i = 0; i < list->n; i++) {
      const sn_actuator_def *def = list->at[i].def;
      if ((def->dyntype && strcmp(def->dyntype, "none") != 0) == active) {
        a->order[n] = (int32_t)i;
        sorted[n++] = list->at[i];
      }
    }
  }
  if (n > 0) {
    memcpy(list->at, sorted, (size_t)n * sizeof *sorted);
  }
  list->sorted = 0;
  free(sorted);
  return SN_OK;
}

static sn_status order_bodies(attachment *a, int64_t first, int64_t to, sn_error *error) {
  a->body_order = malloc((size_t)a->spec->list[SI_ELEMENT_body].n * sizeof *a->body_order);
  return a->body_order ? si_spec_move_bodies(a->spec, first, to, a->body_order, error)
                       : si_edit_no_memory(error);
}

static void detach_again(attachment *a) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    si_elements *list = &a->spec->list[kind];
    while (list->n > a->before[kind]) {
      si_spec_drop_def(a->spec, kind, list->at[--list->n].def);
    }
    list->sorted = 0;
  }
}

// ------------------------------------------------------------------ keyframes

// What each element of the joint, actuator and body lists was: of the spec, or of part.
static sn_status make_old(const attachment *a, int of_part, int32_t **old, sn_error *error) {
  static const int32_t kinds[] = { SI_ELEMENT_joint, SI_ELEMENT_actuator, SI_ELEMENT_body };
  for (int k = 0; k < 3; k++) {
    int32_t kind = kinds[k];
    int64_t n = a->spec->list[kind].n, before = a->before[kind];
    old[kind] = malloc((size_t)(n + 1) * sizeof(int32_t));
    if (!old[kind]) {
      return si_edit_no_memory(error);
    }
    for (int64_t i = 0; i < n; i++) {
      int64_t k_th = kind == SI_ELEMENT_actuator ? a->order[i]
                     : kind == SI_ELEMENT_body   ? a->body_order[i]
                                                 : i;
      int64_t in_part = k_th - before + (kind == SI_ELEMENT_body);
      int ours = k_th < before;
      old[kind][i] = (int32_t)(of_part ? (ours ? -1 : in_part) : (ours ? k_th : -1));
    }
  }
  return SN_OK;
}

static sn_status arrange(const attachment *a, int of_part, const si_key_layout *before,
                         sn_error *error) {
  int32_t *old[SI_NELEMENTS] = { NULL };
  int64_t middle = a->before[SI_ELEMENT_key], end = a->spec->list[SI_ELEMENT_key].n;
  sn_status status = make_old(a, of_part, old, error);
  if (status >= 0) {
    status = si_key_arrange(a->spec, of_part ? middle : 0, of_part ? end : middle, before, old,
                            error);
  }
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    free(old[kind]);
  }
  return status;
}

static sn_status check_attach(const sn_spec *spec, int32_t body, const sn_spec *part,
                              sn_error *error) {
  if (body < 0 || body >= spec->list[SI_ELEMENT_body].n) {
    return si_fail(error, SN_EINVAL, "attach: there is no body %d", body);
  }
  if (spec == part) {
    return si_fail(error, SN_EINVAL, "attach: a spec cannot be attached to itself; copy it first");
  }
  if (spec->compiler.global || part->compiler.global) {
    return si_fail(error, SN_EUNSUPPORTED,
                   "attach: the spec or the part uses coordinate=\"global\", which attach does not "
                   "support; use local coordinates in both");
  }
  return si_attach_mass(spec, part, error);
}

static sn_status attach_complete(sn_spec *spec, int32_t body, const sn_spec *part,
                                 const char *prefix, int64_t first, int64_t to, sn_error *error) {
  attachment a = { .spec = spec, .part = part, .prefix = prefix ? prefix : "", .body = body };
  a.world = si_element_name(&spec->list[SI_ELEMENT_body].at[body]);
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    a.before[kind] = spec->list[kind].n;
  }
  char *world = strdup(a.world);   // the list may move
  a.world = world ? world : "";
  si_key_layout ours = { 0 }, theirs = { 0 };
  sn_status status = world ? si_key_layout_make(spec, &ours, error) : si_edit_no_memory(error);
  status = status < 0 ? status : si_key_layout_make((sn_spec *)part, &theirs, error);
  status = status < 0 ? status : attach_all(&a, error);
  status = status < 0 ? status : order_actuators(&a, error);
  status = status < 0 ? status : order_bodies(&a, first, to, error);
  drop_texts(&a);
  free(a.text);
  free(world);
  if (status < 0) {
    detach_again(&a);
  } else {
    status = arrange(&a, 0, &ours, error);
    status = status < 0 ? status : arrange(&a, 1, &theirs, error);
  }
  free(a.order);
  free(a.body_order);
  si_key_layout_free(&ours);
  si_key_layout_free(&theirs);
  return si_error_settle(error, status);
}

sn_status si_spec_attach_at(sn_spec *spec, int32_t body, const sn_spec *part, const char *prefix,
                            int64_t first, int64_t to, sn_error *error) {
  SN_TRY(check_attach(spec, body, part, error));
  SN_TRY(si_key_complete(spec, error));
  sn_spec *copy = NULL;
  if (si_key_incomplete(part)) {   // the part itself does not change
    copy = sn_spec_copy(part, error);
    SN_TRY(copy ? SN_OK : SN_ENOMEM);
  }
  sn_status status = copy ? si_key_complete(copy, error) : SN_OK;
  status = status < 0 ? status
                      : attach_complete(spec, body, copy ? copy : part, prefix, first, to, error);
  sn_spec_free(copy);
  const sn_status marked = si_key_mark(spec, error);
  return status < 0 ? status : marked;
}

sn_status sn_spec_attach(sn_spec *spec, int32_t body, const sn_spec *part, const char *prefix,
                         sn_error *error) {
  const int64_t end = spec->list[SI_ELEMENT_body].n;
  return si_spec_attach_at(spec, body, part, prefix, end, end, error);
}
