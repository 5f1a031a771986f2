// SPDX-License-Identifier: Apache-2.0
//
// Removing elements from a spec: marks what goes until nothing more depends on it, then closes the
// gaps. Or everything but one body and what is inside of it, which becomes a child of the world.

#include <stdlib.h>
#include <string.h>

#include "spec/edit.h"

// ------------------------------------------------------------------ what goes

typedef struct removal {
  sn_spec *spec;
  uint8_t *gone[SI_NELEMENTS];
  int32_t *old[SI_NELEMENTS];   // what an element was before
  int64_t ngone;
  int32_t root;   // a body that stays although its parent goes; 0: there is none
  int32_t hit;   // of the definition being looked at: a need goes; `lost` otherwise
  int32_t lost;
} removal;

static void removal_free(removal *r) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    free(r->gone[kind]);
    free(r->old[kind]);
  }
}

static void mark(removal *r, int32_t kind, int64_t id) {
  r->ngone += !r->gone[kind][id];
  r->gone[kind][id] = 1;
}

static int refers_to_gone(const removal *r, const char *name, int32_t kind) {
  int32_t id = sn_spec_find(r->spec, si_element_shape[kind].kind, name);
  return id >= 0 && r->gone[kind][id];
}

static void look_at_reference(void *context, const char **name, int32_t kind, int32_t need) {
  removal *r = context;
  if (refers_to_gone(r, *name, kind)) {
    *(need ? &r->hit : &r->lost) = 1;
  }
}

static void clear_reference(void *context, const char **name, int32_t kind, int32_t need) {
  (void)need;
  if (refers_to_gone(context, *name, kind)) {
    *name = NULL;
  }
}

// Does an element that stays depend on one that goes?
static int depends(removal *r, int32_t kind, int64_t id) {
  void *def = r->spec->list[kind].at[id].def;
  int32_t owner = si_edit_owner(kind, def);
  const int is_top = kind == SI_ELEMENT_body && (id == 0 || id == r->root);
  if (owner >= 0 && !is_top && r->gone[SI_ELEMENT_body][owner]) {
    return 1;
  }
  r->hit = r->lost = 0;
  si_element_references(r->spec, kind, def, look_at_reference, r);
  char *unchanged;
  si_attribute_references(r->spec, kind, def, look_at_reference, r, &unchanged);
  return r->hit;
}

// Marks what depends on what is marked. Not cascading: the first such element is an error.
static sn_status spread(removal *r, int cascade, const char *what, sn_error *error) {
  int64_t before;
  do {
    before = r->ngone;
    for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
      for (int64_t i = 0; i < r->spec->list[kind].n; i++) {
        if (r->gone[kind][i] || !depends(r, kind, i)) {
          continue;
        }
        if (!cascade) {
          char other[256];
          return si_fail_at(error, SN_EINVAL, &r->spec->list[kind].at[i].location,
                            "%s cannot be removed: %s depends on it; remove that first, or remove "
                            "with cascade",
                            what, si_element_title(r->spec, kind, i, other, sizeof other));
        }
        mark(r, kind, i);
      }
    }
  } while (r->ngone > before);
  return SN_OK;
}

// ------------------------------------------------------------------ closing the gaps

// What stays and named what goes, without need, names it no more. Definitions are blocks of the
// spec: changing a pointer to NULL in place is enough.
static void clear_references(removal *r) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (int64_t i = 0; i < r->spec->list[kind].n; i++) {
      if (!r->gone[kind][i]) {
        si_element_references(r->spec, kind, r->spec->list[kind].at[i].def, clear_reference, r);
      }
    }
  }
}

static void close_gaps(removal *r) {
  sn_spec *spec = r->spec;
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    si_elements *list = &spec->list[kind];
    int64_t n = 0;
    for (int64_t i = 0; i < list->n; i++) {
      if (r->gone[kind][i]) {
        si_spec_drop_def(spec, kind, list->at[i].def);
        continue;
      }
      r->old[kind][n] = (int32_t)i;
      list->at[n++] = list->at[i];
    }
    list->n = n;
    list->sorted = 0;
  }
}

static sn_status removal_begin(removal *r, int32_t **now, sn_error *error) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    size_t n = (size_t)r->spec->list[kind].n + 1;
    r->gone[kind] = calloc(n, 1);
    r->old[kind] = calloc(n, sizeof(int32_t));
    if (!r->gone[kind] || !r->old[kind]) {
      return si_edit_no_memory(error);
    }
  }
  *now = calloc((size_t)r->spec->list[SI_ELEMENT_body].n + 1, sizeof(int32_t));
  return *now ? si_edit_sort(r->spec, error) : si_edit_no_memory(error);
}

static sn_status remove_marked(removal *r, int32_t *now, sn_error *error) {
  si_key_layout before;
  SN_TRY(si_key_complete(r->spec, error));
  SN_TRY(si_key_layout_make(r->spec, &before, error));
  clear_references(r);
  int32_t n = 0;
  for (int64_t i = 0; i < r->spec->list[SI_ELEMENT_body].n; i++) {
    const int gone = r->gone[SI_ELEMENT_body][i];
    now[i] = gone ? 0 : n;
    n += !gone;
  }
  close_gaps(r);
  si_edit_renumber_owners(r->spec, now);
  sn_status status = si_key_arrange(r->spec, 0, r->spec->list[SI_ELEMENT_key].n, &before, r->old,
                                    error);
  si_key_layout_free(&before);
  return status < 0 ? status : si_key_mark(r->spec, error);
}

sn_status sn_spec_remove(sn_spec *spec, const char *kind, int32_t id, int32_t cascade,
                         sn_error *error) {
  int32_t k = si_element_of(kind);
  if (k < 0 || id < 0 || id >= spec->list[k].n) {
    return si_fail(error, SN_EINVAL, "there is no %s %d to remove", kind ? kind : "element", id);
  }
  if (k == SI_ELEMENT_body && id == 0) {
    return si_fail(error, SN_EINVAL, "the world cannot be removed");
  }
  char what[256];
  removal r = { .spec = spec };
  int32_t *now = NULL;
  sn_status status = removal_begin(&r, &now, error);
  if (status >= 0) {
    mark(&r, k, id);
    status = spread(&r, cascade, si_element_title(spec, k, id, what, sizeof what), error);
  }
  status = status < 0 ? status : remove_marked(&r, now, error);
  free(now);
  removal_free(&r);
  return si_error_settle(error, status);
}

// Marks all bodies that are not in the subtree of the root, and what they hold.
static void mark_others(removal *r, int32_t *inside) {
  const sn_spec *spec = r->spec;
  for (int64_t i = 1; i < spec->list[SI_ELEMENT_body].n; i++) {
    const int32_t parent = si_edit_owner(SI_ELEMENT_body, spec->list[SI_ELEMENT_body].at[i].def);
    inside[i] = i == r->root || inside[parent];
  }
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (int64_t i = kind == SI_ELEMENT_body; i < spec->list[kind].n; i++) {
      const int32_t owner = si_edit_owner(kind, spec->list[kind].at[i].def);
      if (kind == SI_ELEMENT_body ? !inside[i] : owner >= 0 && !inside[owner]) {
        mark(r, kind, i);
      }
    }
  }
}

sn_status si_spec_keep_body(sn_spec *spec, int32_t body, sn_error *error) {
  removal r = { .spec = spec, .root = body };
  int32_t *now = NULL;
  sn_status status = removal_begin(&r, &now, error);
  if (status >= 0) {
    mark_others(&r, now);
    status = spread(&r, 1, "", error);
  }
  status = status < 0 ? status : remove_marked(&r, now, error);
  free(now);
  removal_free(&r);
  return si_error_settle(error, status);
}
