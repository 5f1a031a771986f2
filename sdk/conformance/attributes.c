// SPDX-License-Identifier: Apache-2.0
//
// How the kit sets the attributes of a provider that a model names: as declared, then with names of
// elements of its world, first of the ground and what follows it, then of different branches of the
// tree, then with random numbers too.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "sinew/number.h"

typedef struct filler {
  kit *k;
  const kit_world *world;
  kit_attributes *out;
  size_t text;      // used of out->text
  int numbers;      // used of out->numbers
  int way, changed;
  int32_t taken;    // elements that were named
  int32_t body;     // of the latest element that was named; -1: none
} filler;

// Stores a text; NULL: there is no room.
static const char *keep(filler *f, const char *text) {
  const size_t n = strlen(text) + 1;
  char *to = f->out->text + f->text;
  if (f->text + n > sizeof f->out->text) {
    return NULL;
  }
  memcpy(to, text, n);
  f->text += n;
  return to;
}

// The body of an element; -1: the kind has none.
static int32_t body_of(const sn_model *m, const char *kind, int32_t id) {
  static const char *const owners[][2] = { { "joint", "jnt_bodyid" },
                                           { "geom", "geom_bodyid" },
                                           { "site", "site_bodyid" },
                                           { "camera", "cam_bodyid" },
                                           { "light", "light_bodyid" } };
  sn_view owner = { .size = sizeof owner };
  for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
    if (strcmp(kind, owners[i][0]) == 0 && sn_model_field(m, owners[i][1], &owner) >= 0) {
      return ((const int32_t *)owner.p)[id];
    }
  }
  return strcmp(kind, "body") == 0 ? id : -1;
}

// Whether body b is body a or lies below it.
static int is_below(const sn_model *m, int32_t a, int32_t b) {
  while (b > a) {
    b = snm_body_parentid(m)[b];
  }
  return a == b;
}

// Whether an element is in another branch of the tree than the latest one that was named; what has
// no body is in none.
static int is_apart(const filler *f, const char *kind, int32_t id) {
  const sn_model *m = f->world->model;
  const int32_t body = body_of(m, kind, id);
  return body < 0 || f->body < 0 || (!is_below(m, body, f->body) && !is_below(m, f->body, body));
}

// The element that is called as the attribute ("cart"), or the next one of the kind, other than the
// world, in another branch where there is one; -1: there is none.
static int32_t choose_element(filler *f, const char *kind, const char *attribute) {
  const sn_model *m = f->world->model;
  const int32_t same = sn_find(m, kind, attribute);
  const int32_t first = strcmp(kind, "body") == 0 ? 1 : 0, next = first + f->taken;
  int32_t id = next;
  if (same >= 0) {
    return same;
  }
  while (f->way >= KIT_BRANCHED && *sn_name(m, kind, id) && !is_apart(f, kind, id)) {
    id++;
  }
  id = *sn_name(m, kind, id) ? id : next;
  if (*sn_name(m, kind, id)) {
    f->taken = id + 1 - first;
    return id;
  }
  return *sn_name(m, kind, first) ? first : -1;
}

static int32_t next_element(filler *f, const char *kind, const char *attribute) {
  const int32_t id = choose_element(f, kind, attribute);
  f->body = id >= 0 ? body_of(f->world->model, kind, id) : f->body;
  return id;
}

static int names_elements(const filler *f) {
  return f->way >= KIT_NAMED && f->way <= KIT_DRAWN;
}

// "site|body": the first kind of which the world has elements. Without a default it is named in
// each way. False: the world has no such element for one that must be named.
static int name_reference(filler *f, const sn_param *p, sn_value *v) {
  char kind[32];
  int64_t place = 0;
  v->integer = -1;
  for (const char *word = p->choices; word; place++) {
    const size_t n = strcspn(word, "|");
    snprintf(kind, sizeof kind, "%.*s", (int)n, word);
    const int is_named = names_elements(f) || !p->default_value;
    const int32_t id = is_named ? next_element(f, kind, p->name) : -1;
    if (id >= 0) {
      v->integer = id;
      v->n = place;
      v->text = sn_name(f->world->model, kind, id);
      f->changed = 1;
      return 1;
    }
    word = word[n] ? word + n + 1 : NULL;
  }
  return p->default_value != NULL;
}

// A text that is called as a kind of elements: "geom", "geom1", "actuator".
static void name_text(filler *f, const sn_param *p, sn_value *v) {
  char kind[32];
  snprintf(kind, sizeof kind, "%.*s", (int)strcspn(p->name, "0123456789_"), p->name);
  const int32_t id = *v->text || p->choices ? -1 : next_element(f, kind, p->name);
  if (id >= 0) {
    v->text = sn_name(f->world->model, kind, id);
    f->changed = 1;
  }
}

static double draw_number(filler *f, const sn_param *p, double value) {
  const double reach = 1 + fabs(value);
  const int has_range = p->min < p->max;
  const double low = has_range ? fmax(p->min, value - reach) : value - reach;
  const double high = has_range ? fmin(p->max, value + reach) : value + reach;
  if (f->way != KIT_DRAWN && f->way != KIT_NUMBERS) {
    return value;
  }
  f->changed = 1;
  return kit_between(f->k, low, high);
}

// One number or several; false: there is no room.
static int set_numbers(filler *f, const sn_param *p, sn_value *v) {
  char text[512] = "";
  size_t used = 0;
  int64_t n = 0;
  v->reals = f->out->numbers + f->numbers;
  for (const char *end, *at = v->text;; at = end, n++) {
    double value;
    end = sn_read_number(at, &value);
    if (end == at) {
      break;
    }
    if (f->numbers == KIT_MOST_NUMBERS || used > sizeof text - SN_NUMBER_ROOM - 1) {
      return 0;
    }
    const double drawn = draw_number(f, p, value);
    f->out->numbers[f->numbers++] = drawn;
    if (n > 0) {
      text[used++] = ' ';
    }
    used += (size_t)sn_write_number(text + used, drawn, 0);
  }
  v->real = n > 0 ? v->reals[0] : 0;
  v->n = n;
  v->text = keep(f, text);
  if (p->type == SN_PARAM_REAL) {
    v->integer = (int64_t)v->real;
    v->reals = NULL;
    v->n = 0;
  }
  return v->text != NULL;
}

// False: there is no room, or no element of the kind that it must name.
static int set_value(filler *f, const sn_param *p, sn_value *v) {
  *v = (sn_value){ .text = p->default_value ? p->default_value : "" };
  switch (p->type) {
    case SN_PARAM_REFERENCE: return name_reference(f, p, v);
    case SN_PARAM_REAL:
    case SN_PARAM_REALS: return set_numbers(f, p, v);
    case SN_PARAM_INT: v->integer = strtoll(v->text, NULL, 10); break;
    case SN_PARAM_BOOL: v->integer = strchr("ty1", v->text[0]) || strcmp(v->text, "on") == 0; break;
    default:
      if (names_elements(f)) {
        name_text(f, p, v);
      }
      return 1;
  }
  v->real = (double)v->integer;
  return 1;
}

int kit_attributes_set(kit *k, const kit_world *world, const sn_param *table, int way,
                       kit_attributes *out) {
  // branched: other elements than before; of the floating world, the first two are in different
  // trees
  const int32_t branched = world->kind == KIT_FLOATING ? 3 : 2;
  filler f = { .k = k,
               .world = world,
               .out = out,
               .way = way,
               .taken = way >= KIT_BRANCHED ? branched : 0,
               .body = -1 };
  size_t used = 0;
  out->lines[0] = '\0';
  memset(out->values, 0, sizeof out->values);
  for (int i = 0; table && table[i].name; i++) {
    if (i == KIT_MOST_ATTRIBUTES || !set_value(&f, &table[i], &out->values[i])) {
      return 0;
    }
    const int n = snprintf(out->lines + used, sizeof out->lines - used, "%s%s=%s", used ? "\n" : "",
                           table[i].name, out->values[i].text);
    used += n > 0 ? (size_t)n : 0;
    if (used >= sizeof out->lines) {
      return 0;
    }
  }
  return way == KIT_DEFAULTS || f.changed;
}

// ------------------------------------------------------------------ bind

// Whether a test was made.
static int bind_one(kit *k, kit_world *w, const kit_binding *binding, const kit_attributes *a,
                    kit_bound_test *test, void *context) {
  void *bound = NULL;
  sn_error *error = sn_error_new();
  void *kept = kit_world_keep(w);
  const sn_status status = KIT_CALL(binding, bind)(k->self, &w->model_view, a->values, &bound,
                                                   error);
  const char *changed = kit_world_changed(w, kept);
  if (changed) {
    kit_report(k, "bind", KIT_FAILED, "bind changes %s of the model, which it may only read",
               changed);
  }
  if (status > SN_MORE) {
    kit_report(k, "bind", KIT_FAILED,
               "bind returns %d, which is not a status of enum SN_* in sinew/abi.h", (int)status);
  }
  const int is_bound = status >= 0 && bound;
  if (status < 0 && !*sn_error_message(error)) {
    kit_report(k, "bind", KIT_FAILED, "%s without a message", sn_status_name(status));
  }
  if (is_bound && status <= SN_MORE) {
    test(k, w, bound, a, context);
  }
  if (is_bound) {
    KIT_CALL(binding, unbind)(k->self, bound);
  }
  sn_error_free(error);
  return is_bound;
}

static int bind_ways(kit *k, int kind, const kit_binding *binding, kit_bound_test *test,
                     void *context) {
  kit_world w;
  kit_attributes a;
  sn_error *error = sn_error_new();
  int tests = 0, is_bound = 0;
  if (!kit_world_new_kind(k, &w, kind, error)) {
    kit_report(k, "bind", KIT_FAILED, "the model of the kit: %s", sn_error_message(error));
  }
  for (int way = 0; way < KIT_NWAYS && w.data; way++) {
    const int is_needed = way != KIT_NUMBERS || !is_bound;
    if (is_needed && kit_attributes_set(k, &w, binding->attributes, way, &a)) {
      is_bound = bind_one(k, &w, binding, &a, test, context);
      tests += is_bound;
    }
  }
  kit_world_free(&w);
  sn_error_free(error);
  return tests;
}

int kit_bind_each(kit *k, const kit_binding *binding, kit_bound_test *test, void *context) {
  const int failures = k->failures;
  const int tests = bind_ways(k, KIT_WORLD, binding, test, context);
  if (tests == 0 && k->failures == failures) {
    kit_report(k, "bind", KIT_SKIPPED,
               "it was not bound to the model of the kit with any attributes that were tried");
  }
  return tests;
}

int kit_bind_kind(kit *k, int kind, const kit_binding *binding, kit_bound_test *test,
                  void *context) {
  return bind_ways(k, kind, binding, test, context);
}
