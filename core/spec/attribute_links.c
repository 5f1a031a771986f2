// SPDX-License-Identifier: Apache-2.0
//
// References in what a model says to a plugin: in "key=value" lines, the value of a parameter that
// the plugin declares as SN_PARAM_REFERENCE is the name of an element. Without its plugin a line is
// a text like any other.

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "host/named.h"
#include "spec/spec.h"

// The parameters that the plugin of a definition declares, and where its lines are.
static const sn_param *declared_by(const sn_spec *spec, int32_t kind, void *any,
                                   const char ***lines) {
  const si_provider *p = NULL;
  if (kind == SI_ELEMENT_sensor && spec->engine) {
    sn_sensor_def *def = any;
    *lines = &def->attributes;
    p = def->type ? si_engine_find(spec->engine, SN_KIND_SENSOR, def->type, NULL) : NULL;
    return p ? ((const sn_sensor_ops *)p->ops)->attributes : NULL;
  }
  if (kind == SI_ELEMENT_equality && spec->engine) {
    sn_equality_def *def = any;
    *lines = &def->attributes;
    p = def->plugin ? si_engine_find(spec->engine, SN_KIND_CONSTRAINT, def->plugin, NULL) : NULL;
    return p ? ((const sn_constraint_ops *)p->ops)->attributes : NULL;
  }
  if (kind == SI_ELEMENT_force && spec->engine) {
    sn_force_def *def = any;
    const char *name;
    const si_named_kind *named = si_named_kind_of(def->type ? def->type : "", &name);
    *lines = &def->attributes;
    p = si_engine_find(spec->engine, named->id, name, NULL);
    return p ? si_named_attributes(named, p) : NULL;
  }
  return NULL;
}

// The kind of a name: the first of "site|body" that has such an element, else the first.
static int32_t kind_of(const sn_spec *spec, const char *choices, const char *name) {
  int32_t first = -1;
  for (si_word kind; si_next_word(&choices, &kind);) {
    const int32_t element = si_element_of(kind.text);
    first = first < 0 ? element : first;
    if (element >= 0 && sn_spec_find(spec, si_element_shape[element].kind, name) >= 0) {
      return element;
    }
  }
  return first;
}

// The reference that a line declares; NULL: none.
static const sn_param *reference_of(const sn_param *declared, const char *line, size_t key) {
  for (const sn_param *p = declared; p->name; p++) {
    if (p->type == SN_PARAM_REFERENCE && strlen(p->name) == key &&
        memcmp(p->name, line, key) == 0) {
      return p;
    }
  }
  return NULL;
}

// Appends a line to *out, with other text after "key=" when value is not NULL. 0: no memory.
static int append(char **out, const char *line, size_t n, size_t key, const char *value) {
  char *more = value ? si_text("%s%.*s=%s\n", *out ? *out : "", (int)key, line, value)
                     : si_text("%s%.*s\n", *out ? *out : "", (int)n, line);
  free(*out);
  *out = more;
  return more != NULL;
}

sn_status si_attribute_references(const sn_spec *spec, int32_t kind, void *def,
                                  si_reference_fn *visit, void *context, char **changed) {
  const char **lines = NULL;
  const sn_param *declared = declared_by(spec, kind, def, &lines);
  char *out = NULL;
  int any = 0;
  *changed = NULL;
  if (!declared || !*lines) {
    return SN_OK;
  }
  for (const char *line = *lines; *(line += strspn(line, "\n"));) {
    const size_t n = strcspn(line, "\n"), key = strcspn(line, "=");
    const sn_param *p = key < n ? reference_of(declared, line, key) : NULL;
    char *name = p && n > key + 1 ? strndup(line + key + 1, n - key - 1) : NULL;
    const char *now = name;
    if (name) {
      visit(context, &now, kind_of(spec, p->choices, name), 1);
    }
    const int differs = now && now != name;
    any |= differs;
    const int done = append(&out, line, n, key, differs ? now : NULL);
    free(name);
    if (!done || (p && n > key + 1 && !name)) {
      free(out);
      return SN_ENOMEM;
    }
    line += n;
  }
  if (any) {
    *changed = out;
  } else {
    free(out);
  }
  return SN_OK;
}
