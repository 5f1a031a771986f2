// SPDX-License-Identifier: Apache-2.0
//
// Saving: a spec as canonical MJCF, without classes and includes, every attribute that is not the
// format's default. Loading it gives the same spec, up to the order in which kinds alternate.
//
// What the format cannot say is an error that names it.

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/save.h"

// A chain for each body of the elements of one kind, in the order of their ids.
typedef struct chain {
  int32_t *first, *last;   // of a body; -1
  int32_t *next;           // of an element
} chain;

typedef struct tree {
  chain body, joint, geom, site, camera, light;
} tree;

static sn_status fail(mjcf_writer *w, const char *kind, const char *name, const char *why) {
  char text[512];
  snprintf(text, sizeof text, "%s '%.300s': MJCF cannot say %s", kind, name ? name : "", why);
  return w->b->host->error(w->b->host, w->error, SN_EUNSUPPORTED, NULL, 0, 0, text);
}

static const mjcf_element *find_element(const mjcf_element *list, const char *name) {
  for (; list->name; list++) {
    if (strcmp(list->name, name) == 0) {
      return list;
    }
  }
  return NULL;
}

static const mjcf_element *section(const char *name) {
  return find_element(mjcf_root.children, name);
}

// One element with its attributes.
static void write_element(mjcf_writer *w, const mjcf_element *e, const void *def,
                          const void *fallback) {
  mjcf_begin(w, e->name, 1);
  mjcf_write_rows(w, e, def, fallback);
  mjcf_end(w);
}

// What is said to a plugin, a line each, as elements inside of the one that is open.
static sn_status save_configs(mjcf_writer *w, const char *lines) {
  char text[1024];
  for (const char *at = lines ? lines : ""; *at; at += strspn(at, "\n")) {
    size_t n = strcspn(at, "\n");
    if (n >= sizeof text) {
      return fail(w, "config", "", "a value that is this long");
    }
    memcpy(text, at, n);
    text[n] = 0;
    char *sign = strchr(text, '=');
    if (!sign || sign == text) {
      return fail(w, "config", text, "attributes that are not key=value");
    }
    *sign = 0;
    mjcf_begin(w, "config", 1);
    mjcf_write_text(w, "key", text);
    mjcf_write_text(w, "value", sign + 1);
    mjcf_end(w);
    at += n;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ settings

static void write_settings(mjcf_writer *w, const mjcf_element *e, const mjcf_settings *s,
                           const mjcf_settings *fallback) {
  mjcf_begin(w, e->name, 0);
  mjcf_write_rows(w, e, (const char *)s + e->target, (const char *)fallback + e->target);
  for (const mjcf_element *c = e->children; c && c->name; c++) {
    write_settings(w, c, s, fallback);
  }
  mjcf_end(w);
}

static sn_status save_settings(mjcf_writer *w) {
  mjcf_settings s, fallback;
  mjcf_default_settings(&s);
  mjcf_default_settings(&fallback);
#define GET(kind) MJCF_TRY(w->b->get_##kind(w->spec, &s.kind));
  SN_SETTINGS(GET)
#undef GET
  // versions of the format differ in the default; said always, none misunderstands
  fallback.compiler.autolimits = -1;

  // files are named by their whole paths
  s.compiler.meshdir[0] = s.compiler.texturedir[0] = 0;
  s.compiler.strippath = 0;
  for (const mjcf_element *e = mjcf_root.children; e->name; e++) {
    if (e->pass == 0) {
      write_settings(w, e, &s, &fallback);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ assets

// Every element of a kind, by the row of that name in a section.
#define SAVE_ALL(w, in, kind, fallback)                                    \
  for (int32_t i = 0; i < (int32_t)(w)->b->count((w)->spec, #kind); i++) { \
    sn_##kind##_def def;                                                   \
    sn_default_##kind(&def);                                               \
    MJCF_TRY((w)->b->get_##kind((w)->spec, i, &def, (w)->error));          \
    write_element(w, find_element((in)->children, #kind), &def, fallback); \
  }

static sn_status save_skins(mjcf_writer *w, const mjcf_element *asset) {
  sn_skin_def fallback, def;
  const sn_bone_def none = { 0 };
  const mjcf_element *e = find_element(asset->children, "skin");
  sn_default_skin(&fallback);
  sn_default_skin(&def);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "skin"); i++) {
    MJCF_TRY(w->b->get_skin(w->spec, i, &def, w->error));
    mjcf_begin(w, "skin", 1);
    mjcf_write_rows(w, e, &def, &fallback);
    for (int64_t k = 0; k < def.nbone; k++) {
      write_element(w, find_element(e->children, "bone"), &def.bone[k], &none);
    }
    mjcf_end(w);
  }
  return SN_OK;
}

static sn_status save_hfields(mjcf_writer *w, const mjcf_element *asset) {
  sn_hfield_def fallback, def;
  const mjcf_element *e = find_element(asset->children, "hfield");
  sn_default_hfield(&fallback);
  sn_default_hfield(&def);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "hfield"); i++) {
    MJCF_TRY(w->b->get_hfield(w->spec, i, &def, w->error));
    double *turned = malloc((size_t)def.data.n * sizeof *turned + 1);
    if (!turned) {
      return w->b->host->error(w->b->host, w->error, SN_ENOMEM, NULL, 0, 0, "no memory to save");
    }
    mjcf_turn_rows(&def.data, def.nrow, turned);
    write_element(w, e, &def, &fallback);
    free(turned);
  }
  return SN_OK;
}

static sn_status save_assets(mjcf_writer *w, const mjcf_class *top) {
  const mjcf_element *asset = section("asset");
  sn_texture_def texture;
  sn_default_texture(&texture);
  mjcf_begin(w, "asset", 0);
  SAVE_ALL(w, asset, texture, &texture);
  MJCF_TRY(save_hfields(w, asset));
  MJCF_TRY(mjcf_save_meshes(w, find_element(asset->children, "mesh"), &top->mesh));
  MJCF_TRY(save_skins(w, asset));
  SAVE_ALL(w, asset, material, &top->material);
  mjcf_end(w);
  return SN_OK;
}

// ------------------------------------------------------------------ the tree

static sn_status chain_new(mjcf_writer *w, const char *kind, int64_t nbody, chain *c) {
  int64_t n = w->b->count(w->spec, kind);
  c->first = malloc((size_t)nbody * sizeof(int32_t));
  c->last = malloc((size_t)nbody * sizeof(int32_t));
  c->next = malloc((size_t)(n + 1) * sizeof(int32_t));
  if (!c->first || !c->last || !c->next) {
    return w->b->host->error(w->b->host, w->error, SN_ENOMEM, NULL, 0, 0, "no memory to save");
  }
  memset(c->first, 0xff, (size_t)nbody * sizeof(int32_t));
  memset(c->last, 0xff, (size_t)nbody * sizeof(int32_t));
  return SN_OK;
}

static void chain_append(chain *c, int32_t body, int32_t id) {
  c->next[id] = -1;
  if (c->first[body] < 0) {
    c->first[body] = id;
  } else {
    c->next[c->last[body]] = id;
  }
  c->last[body] = id;
}

#define EACH_CHAIN(X) X(joint) X(geom) X(site) X(camera) X(light)

static sn_status tree_new(mjcf_writer *w, tree *t) {
  int64_t nbody = w->b->count(w->spec, "body");
  MJCF_TRY(chain_new(w, "body", nbody, &t->body));
  for (int32_t i = 1; i < (int32_t)nbody; i++) {
    sn_body_def def;
    sn_default_body(&def);
    MJCF_TRY(w->b->get_body(w->spec, i, &def, w->error));
    chain_append(&t->body, def.parent, i);
  }
#define FILL(kind)                                                     \
  MJCF_TRY(chain_new(w, #kind, nbody, &t->kind));                      \
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, #kind); i++) { \
    sn_##kind##_def def;                                               \
    sn_default_##kind(&def);                                           \
    MJCF_TRY(w->b->get_##kind(w->spec, i, &def, w->error));            \
    chain_append(&t->kind, def.body, i);                               \
  }
  EACH_CHAIN(FILL)
#undef FILL
  return SN_OK;
}

static void chain_free(chain *c) {
  free(c->first);
  free(c->last);
  free(c->next);
}

static void tree_free(tree *t) {
  chain_free(&t->body);
#define FREE(kind) chain_free(&t->kind);
  EACH_CHAIN(FREE)
#undef FREE
}

// The elements of a body, each against the format's defaults.
static sn_status save_inside(mjcf_writer *w, const mjcf_class *top, const tree *t, int32_t body) {
#define SAVE(kind)                                                               \
  for (int32_t i = t->kind.first[body]; i >= 0; i = t->kind.next[i]) {           \
    sn_##kind##_def def;                                                         \
    sn_default_##kind(&def);                                                     \
    MJCF_TRY(w->b->get_##kind(w->spec, i, &def, w->error));                      \
    write_element(w, find_element(mjcf_body_children, #kind), &def, &top->kind); \
  }
  EACH_CHAIN(SAVE)
#undef SAVE
  return SN_OK;
}

// The bodies in a body. The depth is bounded by that of the writer.
static sn_status save_body(mjcf_writer *w, const mjcf_class *top, const tree *t, int32_t root) {
  mjcf_body fallback = { .childclass = NULL }, body = { .childclass = NULL };
  const mjcf_element *row = find_element(mjcf_body_children, "body");
  const mjcf_element *inertial = find_element(mjcf_body_children, "inertial");
  sn_default_body(&fallback.def);
  sn_default_body(&body.def);
  for (int32_t id = t->body.first[root]; id >= 0; id = t->body.next[id]) {
    MJCF_TRY(w->b->get_body(w->spec, id, &body.def, w->error));
    mjcf_begin(w, "body", 1);
    if (w->status < 0) {
      return fail(w, "body", body.def.name,
                  "a tree that is this deep, for readers of XML go no deeper; save a binary model "
                  "instead (sinew compile)");
    }
    mjcf_write_rows(w, row, &body, &fallback);
    if (body.def.inertial) {
      write_element(w, inertial, &body.def, &fallback.def);
    }
    MJCF_TRY(save_inside(w, top, t, id));
    MJCF_TRY(save_body(w, top, t, id));
    mjcf_end(w);
  }
  return SN_OK;
}

static sn_status save_world(mjcf_writer *w, const mjcf_class *top) {
  tree t = { 0 };
  sn_status status = tree_new(w, &t);
  if (status >= 0) {
    mjcf_begin(w, "worldbody", 1);
    status = save_inside(w, top, &t, 0);
    status = status < 0 ? status : save_body(w, top, &t, 0);
    mjcf_end(w);
  }
  tree_free(&t);
  return status;
}

// ------------------------------------------------------------------ relations

static sn_status save_contact(mjcf_writer *w, const mjcf_class *top) {
  MJCF_TRY(mjcf_check_pairs(w));
  sn_exclude_def exclude;
  const mjcf_element *contact = section("contact");
  sn_default_exclude(&exclude);
  mjcf_begin(w, "contact", 0);
  SAVE_ALL(w, contact, pair, &top->pair);
  SAVE_ALL(w, contact, exclude, &exclude);
  mjcf_end(w);
  return SN_OK;
}

// The row of a list whose `detail` is this integer.
static const mjcf_element *element_of(const mjcf_element *list, int32_t detail) {
  for (; list->name; list++) {
    if (list->detail && *(const int32_t *)list->detail == detail) {
      return list;
    }
  }
  return NULL;
}

static sn_status save_equalities(mjcf_writer *w, const mjcf_class *top) {
  mjcf_equality fallback = { .def = top->equality }, connect = fallback;
  SN_SET_UNSET(connect.def.anchor);   // always written
  mjcf_begin(w, "equality", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "equality"); i++) {
    mjcf_equality eq = { .site1 = NULL };
    sn_default_equality(&eq.def);
    MJCF_TRY(w->b->get_equality(w->spec, i, &eq.def, w->error));
    if (eq.def.sites) {
      eq.site1 = eq.def.obj1;
      eq.site2 = eq.def.obj2;
      eq.def.obj1 = eq.def.obj2 = NULL;
      sn_set_reals(eq.def.relpose, 7, fallback.def.relpose);
      sn_set_reals(eq.def.anchor, 3, fallback.def.anchor);
    }
    write_element(w, element_of(section("equality")->children, eq.def.type), &eq,
                  eq.def.type == SN_EQUALITY_CONNECT && !eq.def.sites ? &connect : &fallback);
  }
  mjcf_end(w);
  return SN_OK;
}

static int is_fixed(const sn_tendon_def *def) {
  return def->nwrap > 0 && def->wrap[0].type == SN_WRAP_JOINT;
}

// A fixed tendon takes width, material and rgba from its class only: one is made for it.
static int has_own_look(const sn_tendon_def *def, const sn_tendon_def *top) {
  return is_fixed(def) && (def->width != top->width || (def->material && *def->material) ||
                           memcmp(def->rgba, top->rgba, sizeof def->rgba) != 0);
}

static void name_look(int32_t id, char *name, size_t size) {
  snprintf(name, size, "look of tendon %d", id);
}

static sn_status save_looks(mjcf_writer *w, const mjcf_class *top) {
  mjcf_begin(w, "default", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "tendon"); i++) {
    sn_tendon_def def, look = top->tendon;
    sn_default_tendon(&def);
    MJCF_TRY(w->b->get_tendon(w->spec, i, &def, w->error));
    if (!has_own_look(&def, &top->tendon)) {
      continue;
    }
    char name[64];
    name_look(i, name, sizeof name);
    look.width = def.width;
    look.material = def.material;
    sn_set_reals(look.rgba, 4, def.rgba);
    mjcf_begin(w, "default", 1);
    mjcf_write_text(w, "class", name);
    write_element(w, find_element(mjcf_default_children, "tendon"), &look, &top->tendon);
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

static sn_status save_tendons(mjcf_writer *w, const mjcf_class *top) {
  const sn_wrap_def none = { 0 };
  mjcf_begin(w, "tendon", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "tendon"); i++) {
    sn_tendon_def def;
    char look[64];
    sn_default_tendon(&def);
    MJCF_TRY(w->b->get_tendon(w->spec, i, &def, w->error));
    const char *kind = is_fixed(&def) ? "fixed" : "spatial";
    const mjcf_element *e = find_element(section("tendon")->children, kind);
    mjcf_begin(w, e->name, 1);
    if (has_own_look(&def, &top->tendon)) {
      name_look(i, look, sizeof look);
      mjcf_write_text(w, "class", look);
    }
    mjcf_write_rows(w, e, &def, &top->tendon);
    for (int64_t k = 0; k < def.nwrap; k++) {
      int32_t type = def.wrap[k].type == SN_WRAP_CYLINDER ? SN_WRAP_SPHERE : def.wrap[k].type;
      write_element(w, element_of(e->children, type), &def.wrap[k], &none);
    }
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

// The attributes that say what an actuator acts on.
static void name_target(mjcf_actuator *a) {
  const char **target[] = { [SN_TRN_JOINT] = &a->joint,
                            [SN_TRN_JOINTINPARENT] = &a->jointinparent,
                            [SN_TRN_SLIDERCRANK] = &a->cranksite,
                            [SN_TRN_TENDON] = &a->tendon,
                            [SN_TRN_SITE] = &a->site,
                            [SN_TRN_BODY] = &a->body };
  *target[a->def.trntype] = a->def.target;
  *(a->def.trntype == SN_TRN_SLIDERCRANK ? &a->slidersite : &a->refsite) = a->def.refsite;
}

static int all_zero(const double *p, int n) {
  int zero = 1;
  for (int i = 0; i < n; i++) {
    zero &= p[i] == 0;
  }
  return zero;
}

static int says(const char *text, const char *word) {
  return text && strcmp(text, word) == 0;
}

// A damping ratio and inherited ranges can be said of two shortcuts only, which have these laws.
// NULL: there is nothing of the kind to say, or nobody can say it.
static const char *shortcut_of(const sn_actuator_def *d) {
  const mjcf_servo servo = mjcf_servo_of(d);
  const int unfiltered = says(d->dyntype, "filterexact") && d->dynprm[0] == 0;
  if ((d->dampratio == 0 && d->inheritctrl == 0 && d->inheritact == 0) || d->attributes ||
      servo == MJCF_NO_SERVO || d->actearly || d->biasprm[0] != 0 || !all_zero(d->gainprm + 1, 9) ||
      !all_zero(d->biasprm + 3, 7) || !all_zero(d->dynprm + 1, 9) || d->trntype == SN_TRN_BODY ||
      (d->dampratio > 0 && d->biasprm[2] != 0)) {
    return NULL;
  }
  if (servo == MJCF_INTVELOCITY) {
    return d->inheritctrl == 0 && d->actlimited == SN_TRUE ? "intvelocity" : NULL;
  }
  return !unfiltered && d->inheritact == 0 && d->actlimited == SN_AUTO && all_zero(d->actrange, 2)
             ? "position"
             : NULL;
}

static sn_status save_actuator(mjcf_writer *w, const mjcf_class *top, int32_t id,
                               mjcf_actuator *a) {
  const sn_actuator_def *d = &a->def;
  const char *name = shortcut_of(d);
  mjcf_actuator fallback;
  memset(&fallback, 0, sizeof fallback);
  fallback.def = top->actuator;
  if (name) {
    a->kp = d->gainprm[0];
    a->kv = d->biasprm[2] == 0 ? 0 : -d->biasprm[2];   // not -0, which would be written
    a->timeconst[0] = says(d->dyntype, "filterexact") ? d->dynprm[0] : 0;
    a->inheritrange = d->inheritctrl + d->inheritact;
    fallback.kp = SN_UNSET;   // always written
  } else if (d->dampratio != 0 || d->inheritctrl != 0 || d->inheritact != 0) {
    return mjcf_refuse_servo(w, id, d->name);
  }
  name = name ? name : "general";
  name_target(a);
  mjcf_begin(w, name, 1);
  mjcf_write_rows(w, find_element(mjcf_actuator_children, name), a, &fallback);
  MJCF_TRY(save_configs(w, d->attributes));
  mjcf_end(w);
  return SN_OK;
}

static sn_status save_actuators(mjcf_writer *w, const mjcf_class *top) {
  mjcf_begin(w, "actuator", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "actuator"); i++) {
    mjcf_actuator a;
    memset(&a, 0, sizeof a);
    sn_default_actuator(&a.def);
    MJCF_TRY(w->b->get_actuator(w->spec, i, &a.def, w->error));
    MJCF_TRY(save_actuator(w, top, i, &a));
  }
  mjcf_end(w);
  return SN_OK;
}

static sn_status save_sensors(mjcf_writer *w) {
  sn_sensor_def fallback, def;
  sn_default_sensor(&fallback);
  sn_default_sensor(&def);
  mjcf_begin(w, "sensor", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "sensor"); i++) {
    MJCF_TRY(w->b->get_sensor(w->spec, i, &def, w->error));
    const mjcf_element *e = find_element(mjcf_sensor_children, def.type);
    if (!e || def.attributes || strcmp(def.type, "plugin") == 0) {
      e = find_element(mjcf_sensor_children, "plugin");
    }
    mjcf_begin(w, e->name, 1);
    mjcf_write_rows(w, e, &def, &fallback);
    MJCF_TRY(save_configs(w, def.attributes));
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

static sn_status save_custom(mjcf_writer *w) {
  const mjcf_element *custom = section("custom"), *e = find_element(custom->children, "tuple");
  sn_numeric_def numeric;
  sn_text_def text;
  sn_tuple_def fallback, tuple;
  const sn_tuple_item none = { 0 };
  sn_default_numeric(&numeric);
  sn_default_text(&text);
  sn_default_tuple(&fallback);
  sn_default_tuple(&tuple);
  mjcf_begin(w, "custom", 0);
  SAVE_ALL(w, custom, numeric, &numeric);
  SAVE_ALL(w, custom, text, &text);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "tuple"); i++) {
    MJCF_TRY(w->b->get_tuple(w->spec, i, &tuple, w->error));
    mjcf_begin(w, "tuple", 1);
    mjcf_write_rows(w, e, &tuple, &fallback);
    for (int64_t k = 0; k < tuple.nitem; k++) {
      write_element(w, find_element(e->children, "element"), &tuple.item[k], &none);
    }
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

static sn_status save_keys(mjcf_writer *w) {
  sn_key_def fallback;
  const mjcf_element *keyframe = section("keyframe");
  sn_default_key(&fallback);
  mjcf_begin(w, "keyframe", 0);
  SAVE_ALL(w, keyframe, key, &fallback);
  mjcf_end(w);
  return SN_OK;
}

static sn_status save_forces(mjcf_writer *w) {
  const mjcf_element *e = find_element(section("extension")->children, "force");
  sn_force_def fallback, def;
  sn_default_force(&fallback);
  sn_default_force(&def);
  mjcf_begin(w, "extension", 0);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "force"); i++) {
    MJCF_TRY(w->b->get_force(w->spec, i, &def, w->error));
    mjcf_begin(w, "force", 1);
    mjcf_write_rows(w, e, &def, &fallback);
    MJCF_TRY(save_configs(w, def.attributes));
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

// ------------------------------------------------------------------ the document

static sn_status save_document(mjcf_writer *w) {
  mjcf_class top;
  mjcf_default_class(&top);
  mjcf_begin(w, "mujoco", 1);
  const char *name = w->b->get_name(w->spec);
  if (name && *name) {
    mjcf_write_text(w, "model", name);
  }
  MJCF_TRY(save_settings(w));
  MJCF_TRY(save_looks(w, &top));
  MJCF_TRY(save_custom(w));
  MJCF_TRY(save_assets(w, &top));
  MJCF_TRY(save_world(w, &top));
  MJCF_TRY(save_contact(w, &top));
  MJCF_TRY(save_equalities(w, &top));
  MJCF_TRY(save_tendons(w, &top));
  MJCF_TRY(save_actuators(w, &top));
  MJCF_TRY(save_sensors(w));
  MJCF_TRY(save_keys(w));
  MJCF_TRY(save_forces(w));
  mjcf_end(w);
  return w->status;
}

sn_status mjcf_save(const void *self, const sn_builder *builder, sn_sink *sink, sn_error *error) {
  (void)self;
  mjcf_writer *w = builder->host->alloc(builder->host, sizeof *w);
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!w || !plain) {
    builder->host->free(builder->host, w);
    return builder->host->error(builder->host, error, SN_ENOMEM, NULL, 0, 0, "no memory to save");
  }
  *w = (mjcf_writer){ .b = builder, .spec = builder->spec, .sink = sink, .error = error };
  locale_t before = uselocale(plain);
  sn_status status = save_document(w);
  uselocale(before);
  freelocale(plain);
  builder->host->free(builder->host, w);
  return status;
}
