// SPDX-License-Identifier: Apache-2.0
//
// The schema as text, in Markdown: every element in its place, every attribute with its type,
// default, and since when the format has it. This is docs/mjcf.md, and what `sinew schema` prints.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/load/load.h"
#include "mjcf/schema/schema.h"

typedef struct page {
  sn_sink *sink;
  sn_status status;
} page;

static void put(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(page *p, const char *format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (n > 0 && p->status >= 0) {
    n = n < (int)sizeof text ? n : (int)sizeof text - 1;
    p->status = p->sink->write(p->sink, text, n);
  }
}

// ------------------------------------------------------------------ types and defaults

static void put_count(page *p, const mjcf_attr *row, const char *what) {
  if (row->max == 1) {
    put(p, "%s", what);
  } else if (row->min == row->max) {
    put(p, "%d %ss", row->max, what);
  } else {
    put(p, "%d to %d %ss", row->min, row->max, what);
  }
}

static void put_words(page *p, const xml_word *words) {
  for (const xml_word *w = words; w->word; w++) {
    put(p, "%s%s", w == words ? "" : ", ", w->word);
  }
}

static void put_type(page *p, const mjcf_attr *row) {
  switch (row->type) {
    case MJCF_REAL: put_count(p, row, "number"); return;
    case MJCF_INT: put_count(p, row, "integer"); return;
    case MJCF_WORD:
    case MJCF_BIT: put_words(p, row->words); return;
    case MJCF_BITS: put(p, "integers from 0 to %d", row->max - 1); return;
    case MJCF_TEXT:
    case MJCF_BUFFER:
      if (row->words) {
        put_words(p, row->words);
        put(p, "%s", row->type == MJCF_BUFFER ? ", or the name of a plugin" : "");
      } else {
        put(p, "text");
      }
      return;
    case MJCF_REALS: put(p, "numbers"); return;
    case MJCF_INTS: put(p, "integers"); return;
    case MJCF_CLASS: put(p, "name of a class"); return;
    case MJCF_NOTHING: put(p, "read with a warning, no effect"); return;
  }
}

static void put_word_of(page *p, const mjcf_attr *row, int64_t value) {
  for (const xml_word *w = row->words; w && w->word; w++) {
    if (w->value == value) {
      put(p, "%s", w->word);
      return;
    }
  }
}

// What a type does not say of the values that are taken.
static void put_note(page *p, const char *element, const char *attribute) {
  static const struct {
    const char *element, *attribute, *text;
  } notes[] = {
    { "composite", "quat", "normalized; rotates the points of a curve, not vertices" },
    { "model", "file", "in any format that a loader recognizes" },
    { "model", "name", "else the name that the file gives to its model, or that of the file" },
    { "attach", "body", "of that file, with what is inside; else everything in its world" },
    { "attach", "prefix", "of all names of the part; required, may be empty" },
  };
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
    if (strcmp(notes[i].element, element) == 0 && strcmp(notes[i].attribute, attribute) == 0) {
      put(p, "; %s", notes[i].text);
    }
  }
}

static void put_default(page *p, const mjcf_attr *row, const char *def) {
  if (row->required) {
    put(p, "required");
    return;
  }
  if (!def || row->type == MJCF_TEXT || row->type == MJCF_BITS || row->type >= MJCF_REALS) {
    return;
  }
  const char *at = def + row->offset;
  if (row->type == MJCF_REAL) {
    double value[16];
    int n = row->max < 16 ? row->max : 16;
    memcpy(value, at, (size_t)n * sizeof *value);
    for (int i = 0; i < n && !isnan(value[i]); i++) {
      put(p, "%s%.7g", i ? " " : "", value[i]);   // enough for every default that there is
    }
  } else if (row->type == MJCF_BUFFER) {
    for (const xml_word *w = row->words; w && w->word; w++) {
      at = strcmp(row->names[w->value], at) == 0 ? w->word : at;
    }
    put(p, "%s", at);
  } else {
    uint32_t bytes = row->type == MJCF_INT ? row->bytes / (uint32_t)row->max : row->bytes;
    for (int i = 0; i < (row->type == MJCF_INT ? row->max : 1); i++) {
      int64_t wide = 0;
      int32_t narrow = 0;
      memcpy(bytes == sizeof wide ? (void *)&wide : (void *)&narrow, at + (uint32_t)i * bytes,
             bytes);
      wide = bytes == sizeof wide ? wide : narrow;
      if (row->type == MJCF_INT) {
        put(p, "%s%lld", i ? " " : "", (long long)wide);
      } else {
        put_word_of(p, row, row->type == MJCF_BIT ? (wide & row->bit) != 0 : wide);
      }
    }
  }
}

// ------------------------------------------------------------------ elements

// What an element starts from, where that is one of the definitions of a class or of the settings.
typedef struct origin {
  mjcf_class top;
  mjcf_settings settings;
  mjcf_body body;
  mjcf_actuator actuator;
  mjcf_actuator velocity;   // kv is its gain; elsewhere damping
  sn_texture_def texture;
  sn_hfield_def hfield;
  sn_skin_def skin;
  sn_sensor_def sensor;
  sn_key_def key;
} origin;

static void origin_make(origin *o) {
  memset(o, 0, sizeof *o);
  mjcf_default_class(&o->top);
  mjcf_default_settings(&o->settings);
  sn_default_body(&o->body.def);
  o->actuator.def = o->top.actuator;
  o->actuator.kp = o->actuator.gain = 1;
  sn_unset_reals(&o->actuator.area, 2);
  sn_unset_reals(o->actuator.timeconst, 2);
  sn_unset_reals(o->actuator.bias, 3);
  sn_unset_reals(o->actuator.range, 9);
  o->velocity = o->actuator;
  o->velocity.kv = 1;
  sn_default_texture(&o->texture);
  sn_default_hfield(&o->hfield);
  sn_default_skin(&o->skin);
  sn_default_sensor(&o->sensor);
  sn_default_key(&o->key);
}

static const void *origin_of(const origin *o, const char *section, const mjcf_element *e) {
  const struct {
    const char *section, *name;
    const void *def;
  } table[] = {
    { "worldbody", "body", &o->body },
    { "worldbody", "inertial", &o->body.def },
    { "worldbody", "joint", &o->top.joint },
    { "worldbody", "freejoint", &o->top.joint },
    { "worldbody", "geom", &o->top.geom },
    { "worldbody", "site", &o->top.site },
    { "worldbody", "camera", &o->top.camera },
    { "worldbody", "light", &o->top.light },
    { "asset", "texture", &o->texture },
    { "asset", "hfield", &o->hfield },
    { "asset", "mesh", &o->top.mesh },
    { "asset", "skin", &o->skin },
    { "asset", "material", &o->top.material },
    { "contact", "pair", &o->top.pair },
    { "equality", NULL, &o->top.equality },
    { "tendon", "spatial", &o->top.tendon },
    { "tendon", "fixed", &o->top.tendon },
    { "actuator", "velocity", &o->velocity },
    { "actuator", NULL, &o->actuator },
    { "sensor", NULL, &o->sensor },
    { "keyframe", "key", &o->key },
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strcmp(table[i].section, section) == 0 &&
        (!table[i].name || strcmp(table[i].name, e->name) == 0)) {
      return table[i].def;
    }
  }
  if (e->read == mjcf_read_dummy) {
    return (const char *)&o->top + e->target;
  }
  if (e->read == mjcf_read_dummy_actuator) {
    return strcmp(e->name, "velocity") == 0 ? &o->velocity : &o->actuator;
  }
  return e->pass == 0 && (e->read == mjcf_read_setting || e->read == mjcf_read_option ||
                          e->read == mjcf_read_size || e->read == mjcf_read_compiler ||
                          e->read == mjcf_read_view)
             ? (const char *)&o->settings + e->target
             : NULL;
}

static void put_attributes(page *p, const mjcf_element *e, const void *def) {
  size_t prefix = e->prefix ? strlen(e->prefix) : 0;
  int first = 1;
  for (int g = 0; g < MJCF_GROUPS && e->attrs[g]; g++) {
    for (const mjcf_attr *row = e->attrs[g]; row->name; row++) {
      if (prefix && strncmp(row->name, e->prefix, prefix) != 0) {
        continue;
      }
      if (first) {
        put(p, "| attribute | value | default | since |\n|---|---|---|---|\n");
        first = 0;
      }
      const char *name = row->name + prefix, *since = mjcf_since(e->name, name);
      put(p, "| %s | ", name);
      put_type(p, row);
      put_note(p, e->name, name);
      put(p, " | ");
      put_default(p, row, def);
      put(p, " | %s |\n", since ? since : "");
    }
  }
  put(p, first ? "No attributes.\n\n" : "\n");
}

static const char *how_often(char count) {
  return count == '!'   ? "once"
         : count == '?' ? "at most once"
         : count == 'R' ? "any number of times, also nested in itself"
                        : "any number of times";
}

// `path` is that of the elements around. A recursive element is described once.
static void put_element(page *p, const origin *o, const mjcf_element *e, const char *path,
                        const char *section, int depth) {
  char own[256];
  int length = snprintf(own, sizeof own, "%s%s%s", path, *path ? " / " : "", e->name);
  if (length < 0 || (size_t)length >= sizeof own) {
    return;   // no path of the format is this long
  }
  const char *since = mjcf_since(e->name, NULL);
  put(p, "%s %s\n\n%s%s%s%s.\n\n", depth < 2 ? "##" : "###", own, how_often(e->count),
      since ? "; since version " : "", since ? since : "",
      e->read == mjcf_read_removed ? "; removed from the format; an error" : "");
  put_attributes(p, e, origin_of(o, section, e));
  int repeats = e->count == 'R' && depth > 1;   // its content is that of the element around
  for (const mjcf_element *c = e->children; c && c->name && !repeats; c++) {
    put_element(p, o, c, own, depth == 0 ? c->name : section, depth + 1);
  }
}

sn_status mjcf_describe(const void *self, sn_sink *sink) {
  (void)self;
  static const char head[] =
      "# MJCF as Sinew reads it\n\n`sinew schema` prints this page. Every element and "
      "attribute of [MJCF](https://mujoco.readthedocs.io/en/stable/XMLreference.html), with\nthe "
      "values that it takes and its default. The column `since` names the version of MuJoCo "
      "that\nintroduced what is newer than 2.2.2; what is not listed is an error. Where versions "
      "differ in a\ndefault, as in the compiler's autolimits, the newest one applies; no model "
      "that older versions\naccept changes its meaning. Lengths are in meters, angles in degrees "
      "unless the compiler's angle\nis radian. The meaning of the attributes is in the "
      "documentation of the format.\n\n";
  page p = { .sink = sink };
  origin o;
  origin_make(&o);
  p.status = sink->write(sink, head, (int64_t)strlen(head));
  put_element(&p, &o, &mjcf_root, "", "", 0);
  return p.status;
}
