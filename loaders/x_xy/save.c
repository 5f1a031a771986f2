// SPDX-License-Identifier: Apache-2.0
//
// Saving: options, then the tree of bodies. What the format cannot say and the motion depends on
// is collected and is one error that lists all of it; with the parameter `lossy` it is a warning.
// What the motion does not depend on, sensors, cameras, looks, is left out with a warning.
//
// The configuration at the start is kept: coordinates of free bodies and of joints with a
// reference are counted from there.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/number.h"
#include "x_xy/save.h"

// levels of bodies: many parsers read 100 nested elements, the last one a geom
enum { MOST_DEPTH = 98 };
// bytes of a body's name, to which the number of a part may be added
enum { MOST_NAME = 250 };

// ------------------------------------------------------------------ what cannot be expressed

void x_cannot(x_writer *w, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  w->ncannot++;
  if (w->params->lossy) {
    char warning[480];
    snprintf(warning, sizeof warning, "x_xy cannot express %s; it is not written", text);
    w->b->warn(w->b->spec, NULL, warning);
  } else if (w->used + strlen(text) + 8 < sizeof w->cannot) {
    w->used += (size_t)snprintf(w->cannot + w->used, sizeof w->cannot - w->used, "%s%s",
                                w->used ? "; " : "", text);
  }
}

void x_drop(x_writer *w, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  w->b->warn(w->b->spec, NULL, text);
}

// ------------------------------------------------------------------ text

static void put_bytes(x_writer *w, const char *text, size_t n) {
  if (w->status >= 0) {
    w->status = w->sink->write(w->sink, text, (int64_t)n);
  }
}

void x_put(x_writer *w, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  put_bytes(w, text, n < 0 ? 0 : strlen(text));
}

void x_put_text(x_writer *w, const char *name, const char *text) {
  static const struct {
    char c;
    const char *entity;
  } entities[] = { { '&', "&amp;" },  { '<', "&lt;" },  { '>', "&gt;" },  { '"', "&quot;" },
                   { '\n', "&#10;" }, { '\t', "&#9;" }, { '\r', "&#13;" } };
  x_put(w, " %s=\"", name);
  for (const char *p = text; *p; p++) {
    const char *entity = NULL;
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
      entity = entities[i].c == *p ? entities[i].entity : entity;
    }
    put_bytes(w, entity ? entity : p, entity ? strlen(entity) : 1);
  }
  x_put(w, "\"");
}

// The shortest decimals that read back as the same doubles.
void x_put_reals(x_writer *w, const char *name, const double *value, int64_t n) {
  x_put(w, " %s=\"", name);
  for (int64_t i = 0; i < n; i++) {
    char text[SN_NUMBER_ROOM];
    sn_write_number(text, value[i] + 0.0, 0);
    x_put(w, i ? " %s" : "%s", text);
  }
  x_put(w, "\"");
}

void x_put_pose(x_writer *w, const x_pose *pose) {
  if (pose->pos[0] != 0 || pose->pos[1] != 0 || pose->pos[2] != 0) {
    x_put_reals(w, "pos", pose->pos, 3);
  }
  if (pose->quat[1] != 0 || pose->quat[2] != 0 || pose->quat[3] != 0) {
    double quat[4];
    sn_conj_quat(quat, pose->quat);   // of the format: parent to child
    x_put_reals(w, "quat", quat, 4);
  }
}

static void put_indent(x_writer *w, int depth) {
  for (int i = 0; i < depth; i++) {
    x_put(w, "  ");
  }
}

// ------------------------------------------------------------------ lists by body

static int own(x_owned *list, int64_t nbody, int64_t n) {
  list->first = malloc((size_t)(nbody + n) * sizeof(int32_t));
  list->next = list->first + nbody;
  for (int64_t i = 0; list->first && i < nbody + n; i++) {
    list->first[i] = -1;
  }
  return list->first != NULL;
}

// Element `id`, the first of its body so far: call with the last id first.
static void prepend(x_owned *list, int32_t body, int32_t id) {
  list->next[id] = list->first[body];
  list->first[body] = id;
}

#define LIST(w, kind, owner)                                          \
  for (int64_t i = w->b->count(w->b->spec, #kind) - 1; i >= 0; i--) { \
    sn_##kind##_def d;                                                \
    d.def_size = sizeof d;                                            \
    if (w->b->get_##kind(w->b->spec, (int32_t)i, &d, NULL) >= 0) {    \
      prepend(&w->kind, d.owner, (int32_t)i);                         \
    }                                                                 \
  }

static int make_lists(x_writer *w) {
  const sn_spec *spec = w->b->spec;
  w->nbody = w->b->count(spec, "body");
  w->weld = calloc((size_t)w->nbody, sizeof *w->weld);
  if (!w->weld || !own(&w->body, w->nbody, w->nbody) ||
      !own(&w->joint, w->nbody, w->b->count(spec, "joint")) ||
      !own(&w->geom, w->nbody, w->b->count(spec, "geom")) ||
      !own(&w->site, w->nbody, w->b->count(spec, "site"))) {
    return 0;
  }
  LIST(w, joint, body)
  LIST(w, geom, body)
  LIST(w, site, body)
  for (int32_t i = (int32_t)w->nbody - 1; i > 0; i--) {
    sn_body_def d;
    d.def_size = sizeof d;
    w->b->get_body(w->b->spec, i, &d, NULL);
    prepend(&w->body, d.parent, i);
    w->weld[i] = w->joint.first[i] >= 0 ? i : -1 - d.parent;
  }
  // parents have smaller ids than children
  for (int32_t i = 1; i < w->nbody; i++) {
    w->weld[i] = w->weld[i] < 0 ? w->weld[-1 - w->weld[i]] : w->weld[i];
  }
  return 1;
}

// ------------------------------------------------------------------ the whole model

// A geom as the filters of contact see it: its moving body, and the one above that.
typedef struct touching {
  int32_t contype, conaffinity, body, weld, above;
} touching;

// Pairs of bodies that are excluded from contact, sorted.
typedef struct excluded {
  uint64_t *pair;
  size_t n;
} excluded;

static uint64_t pair_of(int32_t a, int32_t b) {
  return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

static int compare_pairs(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// 0: no memory. Names of no body are the compiler's business.
static int list_excluded(x_writer *w, excluded *list) {
  const int64_t n = w->b->count(w->b->spec, "exclude");
  list->pair = malloc((size_t)(n + 1) * sizeof *list->pair);
  list->n = 0;
  for (int32_t i = 0; list->pair && i < n; i++) {
    sn_exclude_def d;
    d.def_size = sizeof d;
    w->b->get_exclude(w->b->spec, i, &d, NULL);
    int32_t a = w->b->find(w->b->spec, "body", d.body1 ? d.body1 : "");
    int32_t b = w->b->find(w->b->spec, "body", d.body2 ? d.body2 : "");
    if (a >= 0 && b >= 0) {
      list->pair[list->n++] = pair_of(a, b);
    }
  }
  if (list->n > 1) {
    qsort(list->pair, list->n, sizeof *list->pair, compare_pairs);
  }
  return list->pair != NULL;
}

static int is_excluded(const excluded *list, int32_t a, int32_t b) {
  const uint64_t pair = pair_of(a, b);
  return bsearch(&pair, list->pair, list->n, sizeof pair, compare_pairs) != NULL;
}

static touching look_at(x_writer *w, int32_t id) {
  sn_geom_def g;
  sn_body_def body;
  g.def_size = sizeof g;
  body.def_size = sizeof body;
  w->b->get_geom(w->b->spec, id, &g, NULL);
  touching t = { g.contype, g.conaffinity, g.body, w->weld[g.body], 0 };
  if (t.weld) {
    w->b->get_body(w->b->spec, t.weld, &body, NULL);
    t.above = w->weld[body.parent];
  }
  return t;
}

// Are two geoms tested for contact? parents: a body and the one above it are not.
static int may_collide(const touching *a, const touching *b, int parents) {
  int kin = (a->above == b->weld && b->weld) || (b->above == a->weld && a->weld);
  return a->weld != b->weld && !(parents && kin) &&
         ((a->contype & b->conaffinity) || (b->contype & a->conaffinity));
}

// The first two geoms that can collide are named.
static void find_contact(x_writer *w, touching *all, int64_t n, const excluded *list, int parents) {
  for (int32_t i = 0; i < n; i++) {
    all[i] = look_at(w, i);
    for (int32_t k = 0; k < i; k++) {
      if (may_collide(&all[k], &all[i], parents) && !is_excluded(list, all[k].body, all[i].body)) {
        x_cannot(
            w,
            "contact: geoms %d and %d can collide, but x_xy has no contacts (with collide = true "
            "in [plugin.x_xy] all geoms collide when the file is loaded)",
            k, i);
        return;
      }
    }
  }
}

static void check_contacts(x_writer *w, const sn_option *option) {
  int64_t n = w->b->count(w->b->spec, "geom");
  int parents = !(option->disableflags & SN_DISABLE_FILTERPARENT);
  excluded list;
  if (option->disableflags & (SN_DISABLE_CONTACT | SN_DISABLE_CONSTRAINT)) {
    return;
  }
  if (w->b->count(w->b->spec, "pair") > 0) {
    x_cannot(w, "contact pairs");
  }
  if (option->collision == SN_COLLISION_PAIR) {
    return;
  }
  touching *all = malloc((size_t)(n + 1) * sizeof *all);
  if (list_excluded(w, &list) && all) {
    find_contact(w, all, n, &list, parents);
  } else {
    w->status = SN_ENOMEM;
  }
  free(list.pair);
  free(all);
}

static void check_elements(x_writer *w) {
  static const char *const moving[] = { "equality", "tendon", "actuator", "force" };
  static const char *const still[] = { "sensor", "camera",  "light", "skin",  "hfield", "texture",
                                       "key",    "numeric", "text",  "tuple", "exclude" };
  for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++) {
    int64_t n = w->b->count(w->b->spec, moving[i]);
    if (n > 0) {
      x_cannot(w, "elements of kind %s (%lld)", moving[i], (long long)n);
    }
  }
  for (size_t i = 0; i < sizeof still / sizeof still[0]; i++) {
    int64_t n = w->b->count(w->b->spec, still[i]);
    if (n > 0) {
      x_drop(w, "elements of kind %s (%lld) are not written", still[i], (long long)n);
    }
  }
}

// What a viewer and a solver's tolerance take from the model.
static void check_looks(x_writer *w) {
  sn_statistic statistic, none;
  sn_visual visual, plain;
  sn_default_statistic(&statistic);
  sn_default_statistic(&none);
  sn_default_visual(&visual);
  sn_default_visual(&plain);
  w->b->get_statistic(w->b->spec, &statistic);
  w->b->get_visual(w->b->spec, &visual);
  if (memcmp(&statistic, &none, sizeof none) != 0) {
    x_drop(w, "statistic is not written");
  }
  if (memcmp(&visual, &plain, sizeof plain) != 0) {
    x_drop(w, "visual is not written");
  }
}

static void check_options(x_writer *w, const sn_option *o) {
  const sn_compiler *c = &w->compiler;
  static const int64_t harmless = SN_DISABLE_CONSTRAINT | SN_DISABLE_EQUALITY |
                                  SN_DISABLE_FRICTIONLOSS | SN_DISABLE_LIMIT | SN_DISABLE_CONTACT |
                                  SN_DISABLE_GRAVITY | SN_DISABLE_CLAMPCTRL | SN_DISABLE_WARMSTART |
                                  SN_DISABLE_FILTERPARENT | SN_DISABLE_ACTUATION |
                                  SN_DISABLE_REFSAFE | SN_DISABLE_SENSOR;
  if (strcmp(o->integrator, "euler") != 0) {
    x_cannot(w, "the integrator %s", o->integrator);
  }
  if (o->density != 0 || o->viscosity != 0) {
    x_cannot(w, "the medium (density, viscosity)");
  }
  if (o->disableflags & ~harmless) {
    x_cannot(w, "the disable flags %lld", (long long)(o->disableflags & ~harmless));
  }
  if (c->global && w->status >= 0) {   // nothing can be written at all
    w->status = w->b->host->error(
        w->b->host, w->error, SN_EUNSUPPORTED, NULL, 0, 0,
        "x_xy cannot express global coordinates; save the model in local ones");
  }
  if (w->nbody < 2 && w->status >= 0) {   // the format needs one
    w->status = w->b->host->error(w->b->host, w->error, SN_EUNSUPPORTED, NULL, 0, 0,
                                  "x_xy requires at least one body; add one");
  }
}

// ------------------------------------------------------------------ bodies

// A name of its own for a body, or for a link of its chain.
static void name_body(x_writer *w, int32_t id, const char *name, int part, char *out, size_t size) {
  if (name && name[0] && part < 0) {
    snprintf(out, size, "%s", name);
    return;
  }
  for (int k = 0;; k++) {
    int n = name && name[0] ? snprintf(out, size, "%.*s", MOST_NAME, name)
                            : snprintf(out, size, "body%d", id);
    n += part >= 0 ? snprintf(out + n, size - (size_t)n, ".%d", part + 1) : 0;
    if (k) {
      snprintf(out + n, size - (size_t)n, "_%d", k);
    }
    if (w->b->find(w->b->spec, "body", out) < 0) {
      return;
    }
  }
}

static int is_zero(const double *p, int n) {
  for (int i = 0; i < n; i++) {
    if (p[i] != 0) {
      return 0;
    }
  }
  return 1;
}

static void open_body(x_writer *w, const char *name, const x_group *g, const x_pose *pose,
                      int depth) {
  put_indent(w, depth);
  x_put(w, "<body");
  x_put_text(w, "name", name);
  x_put_text(w, "joint", g->joint);
  x_put_pose(w, pose);
  const struct {
    const char *name;
    const double *value;
  } lists[] = { { "damping", g->damping },
                { "armature", g->armature },
                { "spring_stiff", g->stiffness } };
  for (int i = 0; i < 3; i++) {
    if (!is_zero(lists[i].value, g->nv)) {
      x_put_reals(w, lists[i].name, lists[i].value, g->nv);
    }
  }
  // zeros, after the identity where the joint turns freely
  int turns = g->nq > g->nv, rest = is_zero(g->zero + turns, g->nq - turns);
  if (!is_zero(g->stiffness, g->nv) && !rest) {
    x_put_reals(w, "spring_zero", g->zero, g->nq);
  }
  x_put(w, ">\n");
}

static void drop_site(x_writer *w, int32_t id) {
  sn_site_def d;
  d.def_size = sizeof d;
  w->b->get_site(w->b->spec, id, &d, NULL);
  x_drop(w, "site '%s' (%d) is not written", d.name ? d.name : "", id);
}

// Sites that the loader made of optical markers.
static void write_markers(x_writer *w, int32_t body, const char *name, const x_pose *into,
                          int depth) {
  size_t n = strlen(name);
  int markers = 0;
  for (int32_t i = w->site.first[body]; i >= 0; i = w->site.next[i]) {
    sn_site_def d;
    int number;
    d.def_size = sizeof d;
    w->b->get_site(w->b->spec, i, &d, NULL);
    if (markers++ == 0 && d.name && strncmp(d.name, name, n) == 0 &&
        sscanf(d.name + n, ".omc%d", &number) == 1) {
      double pos[3];
      sn_rotate(pos, d.pos, into->quat);
      sn_add3(pos, pos, into->pos);
      put_indent(w, depth);
      x_put(w, "<omc pos_marker=\"%d\"", number);
      x_put_reals(w, "pos", pos, 3);
      x_put(w, "/>\n");
    } else {
      drop_site(w, i);
    }
  }
}

static void check_body(x_writer *w, const sn_body_def *d, int32_t id) {
  const char *name = d->name ? d->name : "";
  if (strlen(name) > MOST_NAME && w->status >= 0) {
    char text[400];
    snprintf(text, sizeof text,
             "body '%.40s...' (%d): names of more than %d bytes are not written as x_xy; shorten "
             "it",
             name, id, MOST_NAME);
    w->status = w->b->host->error(w->b->host, w->error, SN_EUNSUPPORTED, NULL, 0, 0, text);
  }
  if (d->user.n > 0) {
    x_drop(w, "the user numbers of body '%s' (%d) are not written", name, id);
  }
  if (d->gravcomp != 0) {
    x_cannot(w, "the gravcomp of body '%s' (%d)", name, id);
  }
  if (d->mocap) {
    x_cannot(w, "the mocap attribute of body '%s' (%d)", name, id);
  }
}

// content: the frame that a body's content is written in, within the frame of the spec's body.
static void write_body(x_writer *w, int32_t id, const x_pose *content, int depth) {
  sn_body_def d;
  x_pose pose, before, into;
  x_group group = { .joint = "frozen", .frame.quat = { 1 } };
  int32_t joint = w->joint.first[id];
  int parts = 0;
  char name[MOST_NAME + 50] = "";
  d.def_size = sizeof d;
  if (w->status < 0 || w->b->get_body(w->b->spec, id, &d, w->error) < 0) {
    return;
  }
  check_body(w, &d, id);
  sn_copy3(pose.pos, d.pos);
  x_orient(w, &d.orient, pose.quat);
  x_invert(&before, content);
  x_compose(&pose, &before, &pose);

  // one body for each group of joints, one inside another
  do {
    if (joint >= 0) {
      x_next_group(w, &joint, &group);
    }
    name_body(w, id, d.name, joint >= 0 ? parts : -1, name, sizeof name);
    x_compose(&pose, &pose, &group.frame);
    open_body(w, name, &group, &pose, depth + parts++);
    x_invert(&into, &group.frame);
    pose = into;
  } while (joint >= 0);

  if (depth + parts > MOST_DEPTH) {
    w->status = w->b->host->error(w->b->host, w->error, SN_EUNSUPPORTED, NULL, 0, 0,
                                  "x_xy: bodies are nested too deeply to be written");
    return;
  }
  x_write_matter(w, id, &into, depth + parts);
  write_markers(w, id, name, &into, depth + parts);
  for (int32_t c = w->body.first[id]; c >= 0; c = w->body.next[c]) {
    write_body(w, c, &group.frame, depth + parts);
  }
  while (parts > 0) {
    put_indent(w, depth + --parts);
    x_put(w, "</body>\n");
  }
}

// ------------------------------------------------------------------ the document

static void write_document(x_writer *w) {
  const sn_builder *b = w->b;
  const x_pose here = { .quat = { 1 } };
  sn_option option;
  sn_default_option(&option);
  b->get_option(b->spec, &option);
  check_options(w, &option);
  check_elements(w);
  check_looks(w);
  check_contacts(w, &option);
  x_find_inertia(w);

  double gravity[3];
  int weightless = (option.disableflags & SN_DISABLE_GRAVITY) != 0;
  sn_scale3(gravity, option.gravity, weightless ? 0 : -1);   // of the format: of the base
  x_put(w, "<x_xy");
  const char *name = b->get_name(b->spec);
  if (name[0]) {
    x_put_text(w, "model", name);
  }
  x_put(w, ">\n  <options");
  x_put_reals(w, "gravity", gravity, 3);
  x_put_reals(w, "dt", &option.timestep, 1);
  x_put(w, "/>\n  <worldbody>\n");
  x_write_matter(w, 0, &here, 2);
  for (int32_t i = w->site.first[0]; i >= 0; i = w->site.next[i]) {
    drop_site(w, i);
  }
  for (int32_t c = w->body.first[0]; c >= 0; c = w->body.next[c]) {
    write_body(w, c, &here, 2);
  }
  x_put(w, "  </worldbody>\n</x_xy>\n");
}

sn_status x_xy_save(const void *self, const sn_builder *builder, sn_sink *sink, sn_error *error) {
  x_writer w = { .b = builder, .params = self, .sink = sink, .error = error };
  sn_default_compiler(&w.compiler);
  builder->get_compiler(builder->spec, &w.compiler);
  if (!make_lists(&w)) {
    w.status = builder->host->error(builder->host, error, SN_ENOMEM, NULL, 0, 0, "out of memory");
  } else {
    write_document(&w);
  }
  free(w.body.first);
  free(w.joint.first);
  free(w.geom.first);
  free(w.site.first);
  free(w.weld);
  free(w.found);
  if (w.status >= 0 && w.ncannot > 0 && !w.params->lossy) {
    char text[1700];
    snprintf(text, sizeof text,
             "x_xy cannot express %s%s; set lossy = true in [plugin.x_xy] to write the rest",
             w.cannot, w.ncannot > 1 && w.used + 400 > sizeof w.cannot ? " ..." : "");
    return builder->host->error(builder->host, error, SN_EUNSUPPORTED, NULL, 0, 0, text);
  }
  return w.status;
}
