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

// The tables of attributes that the plugins of a definition declare, and where its lines are.
enum { MOST_TABLES = 3 };   // an actuator has three functions
typedef struct declarations {
  int n;
  const sn_param *table[MOST_TABLES];
  const char **lines;
} declarations;

static const si_provider *find(const sn_spec *spec, const char *kind, const char *name) {
  return name && name[0] ? si_engine_find(spec->engine, kind, name, NULL) : NULL;
}

static void declare(declarations *d, const sn_param *table) {
  if (table) {
    d->table[d->n++] = table;
  }
}

static void declare_actuator(const sn_spec *spec, void *any, declarations *d) {
  sn_actuator_def *def = any;
  const si_provider *dynamics = find(spec, SN_KIND_DYNAMICS, def->dyntype);
  const si_provider *gain = find(spec, SN_KIND_GAIN, def->gaintype);
  const si_provider *bias = find(spec, SN_KIND_BIAS, def->biastype);
  d->lines = &def->attributes;
  declare(d, dynamics ? ((const sn_dynamics_ops *)dynamics->ops)->attributes : NULL);
  declare(d, gain ? ((const sn_force_ops *)gain->ops)->attributes : NULL);
  declare(d, bias ? ((const sn_force_ops *)bias->ops)->attributes : NULL);
}

static void declare_sensor(const sn_spec *spec, void *any, declarations *d) {
  sn_sensor_def *def = any;
  const si_provider *p = find(spec, SN_KIND_SENSOR, def->type);
  d->lines = &def->attributes;
  declare(d, p ? ((const sn_sensor_ops *)p->ops)->attributes : NULL);
}

static void declare_equality(const sn_spec *spec, void *any, declarations *d) {
  sn_equality_def *def = any;
  const si_provider *p = find(spec, SN_KIND_CONSTRAINT, def->plugin);
  d->lines = &def->attributes;
  declare(d, p ? ((const sn_constraint_ops *)p->ops)->attributes : NULL);
}

static void declare_force(const sn_spec *spec, void *any, declarations *d) {
  sn_force_def *def = any;
  const char *name;
  const si_named_kind *named = si_named_kind_of(def->type ? def->type : "", &name);
  const si_provider *p = find(spec, named->id, name);
  d->lines = &def->attributes;
  declare(d, p ? si_named_attributes(named, p) : NULL);
}

static const struct {
  int32_t kind;
  void (*declare)(const sn_spec *spec, void *def, declarations *d);
} kinds[] = {
  { SI_ELEMENT_actuator, declare_actuator },
  { SI_ELEMENT_sensor, declare_sensor },
  { SI_ELEMENT_equality, declare_equality },
  { SI_ELEMENT_force, declare_force },
};

static declarations declared_by(const sn_spec *spec, int32_t kind, void *def) {
  declarations d = { 0 };
  for (size_t k = 0; spec->engine && k < sizeof kinds / sizeof kinds[0]; k++) {
    if (kinds[k].kind == kind) {
      kinds[k].declare(spec, def, &d);
    }
  }
  return d;
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
static const sn_param *reference_of(const declarations *d, const char *line, size_t key) {
  for (int k = 0; k < d->n; k++) {
    for (const sn_param *p = d->table[k]; p->name; p++) {
      if (p->type == SN_PARAM_REFERENCE && strlen(p->name) == key &&
          memcmp(p->name, line, key) == 0) {
        return p;
      }
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
  const declarations declared = declared_by(spec, kind, def);
  char *out = NULL;
  int any = 0;
  *changed = NULL;
  if (declared.n == 0 || !*declared.lines) {
    return SN_OK;
  }
  for (const char *line = *declared.lines; *(line += strspn(line, "\n"));) {
    const size_t n = strcspn(line, "\n"), key = strcspn(line, "=");
    const sn_param *p = key < n ? reference_of(&declared, line, key) : NULL;
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
