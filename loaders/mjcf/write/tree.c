// SPDX-License-Identifier: Apache-2.0
//
// Saving: the world, the bodies in it, and what is in them.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/write/write.h"

// A chain for each body of the elements of one kind, in the order of their ids.
typedef struct chain {
  int32_t *first, *last;   // of a body; -1
  int32_t *next;           // of an element
} chain;

typedef struct tree {
  chain body, joint, geom, site, camera, light;
  int32_t *parent;   // of a body
} tree;

static sn_status chain_new(mjcf_writer *w, const char *kind, int64_t nbody, chain *c) {
  int64_t n = w->b->count(w->spec, kind);
  c->first = malloc((size_t)nbody * sizeof(int32_t));
  c->last = malloc((size_t)nbody * sizeof(int32_t));
  c->next = malloc((size_t)(n + 1) * sizeof(int32_t));
  if (!c->first || !c->last || !c->next) {
    return w->b->host->error(w->b->host, w->error, SN_ENOMEM, NULL, 0, 0,
                             "out of memory while saving");
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

// What is written of an element is in its plainest words.
#define PLAIN_joint(def) mjcf_plain_joint(w, def)
#define PLAIN_site(def)
#define PLAIN_camera(def)
#define PLAIN_light(def)

static sn_status tree_new(mjcf_writer *w, tree *t) {
  int64_t nbody = w->b->count(w->spec, "body");
  SN_TRY(chain_new(w, "body", nbody, &t->body));
  t->parent = calloc((size_t)nbody, sizeof(int32_t));
  if (!t->parent) {
    return w->b->host->error(w->b->host, w->error, SN_ENOMEM, NULL, 0, 0,
                             "out of memory while saving");
  }
  for (int32_t i = 1; i < (int32_t)nbody; i++) {
    sn_body_def def;
    sn_default_body(&def);
    SN_TRY(w->b->get_body(w->spec, i, &def, w->error));
    chain_append(&t->body, def.parent, i);
    t->parent[i] = def.parent;
  }
#define FILL(kind)                                                     \
  SN_TRY(chain_new(w, #kind, nbody, &t->kind));                      \
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, #kind); i++) { \
    sn_##kind##_def def;                                               \
    sn_default_##kind(&def);                                           \
    SN_TRY(w->b->get_##kind(w->spec, i, &def, w->error));            \
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
  free(t->parent);
#define FREE(kind) chain_free(&t->kind);
  EACH_CHAIN(FREE)
#undef FREE
}

static sn_status save_geoms(mjcf_writer *w, const mjcf_class *top, const tree *t, int32_t body) {
  const mjcf_element *e = mjcf_find_element(mjcf_body_children, "geom");
  for (int32_t i = t->geom.first[body]; i >= 0; i = t->geom.next[i]) {
    sn_geom_def def;
    sn_default_geom(&def);
    SN_TRY(w->b->get_geom(w->spec, i, &def, w->error));
    mjcf_begin(w, "geom", 1);
    mjcf_write_rows(w, e, &def, &top->geom);
    SN_TRY(mjcf_save_configs(w, def.attributes));
    mjcf_end(w);
  }
  return SN_OK;
}

// The elements of a body, each against the format's defaults.
static sn_status save_inside(mjcf_writer *w, const mjcf_class *top, const tree *t, int32_t body) {
#define SAVE(kind)                                                                         \
  for (int32_t i = t->kind.first[body]; i >= 0; i = t->kind.next[i]) {                     \
    sn_##kind##_def def;                                                                   \
    sn_default_##kind(&def);                                                               \
    SN_TRY(w->b->get_##kind(w->spec, i, &def, w->error));                                \
    PLAIN_##kind(&def);                                                                    \
    mjcf_write_element(w, mjcf_find_element(mjcf_body_children, #kind), &def, &top->kind); \
  }
  SAVE(joint)
  SN_TRY(save_geoms(w, top, t, body));
  SAVE(site)
  for (int32_t i = t->camera.first[body]; i >= 0; i = t->camera.next[i]) {
    mjcf_camera camera = top->camera;   // a lens has become the field of view
    sn_default_camera(&camera.def);
    SN_TRY(w->b->get_camera(w->spec, i, &camera.def, w->error));
    PLAIN_camera(&camera.def);
    mjcf_write_element(w, mjcf_find_element(mjcf_body_children, "camera"), &camera, &top->camera);
  }
  SAVE(light)
#undef SAVE
  return SN_OK;
}

// A body is opened, with all that is in it but bodies.
static sn_status begin_body(mjcf_writer *w, const mjcf_class *top, const tree *t, int32_t id) {
  mjcf_body defaults = { .childclass = NULL }, body = { .childclass = NULL };
  sn_default_body(&defaults.def);
  sn_default_body(&body.def);
  SN_TRY(w->b->get_body(w->spec, id, &body.def, w->error));
  if (w->depth - w->nfile + 2 > XML_MAX_DEPTH) {   // with an element inside; roots of parts go
    char why[160];
    snprintf(
        why, sizeof why,
        "elements nested more than %d levels deep, which could not be read again; save a binary "
        "model instead (sinew compile)",
        XML_MAX_DEPTH);
    return mjcf_save_fail(w, "body", body.def.name, why);
  }
  mjcf_plain_body(w, &body.def);
  mjcf_begin(w, "body", 1);
  mjcf_write_rows(w, mjcf_find_element(mjcf_body_children, "body"), &body, &defaults);
  if (body.def.inertial) {
    mjcf_write_element(w, mjcf_find_element(mjcf_body_children, "inertial"), &body.def,
                       &defaults.def);
  }
  return save_inside(w, top, t, id);
}

// Every body with those in it, without recursion: trees may be deep.
static sn_status save_bodies(mjcf_writer *w, const mjcf_class *top, const tree *t) {
  for (int32_t id = t->body.first[0]; id > 0;) {
    SN_TRY(begin_body(w, top, t, id));
    if (t->body.first[id] > 0) {
      if (w->depth - w->base >= MJCF_FILE_DEPTH) {
        mjcf_begin_part(w, id);
      }
      id = t->body.first[id];
      continue;
    }
    mjcf_end(w);
    while (id > 0 && t->body.next[id] < 0) {   // the last one in its parent
      id = t->parent[id];
      if (id > 0) {
        mjcf_end_part(w, id);
        mjcf_end(w);
      }
    }
    id = id > 0 ? t->body.next[id] : 0;
  }
  return SN_OK;
}

// Other readers of the format have limits that this one does not have.
static sn_status note_parts(mjcf_writer *w) {
  char text[256];
  if (w->nparts == 0 || !w->b->note) {
    return SN_OK;
  }
  snprintf(
      text, sizeof text,
      "bodies are nested deeper than many readers of MJCF support; those more than %d levels deep "
      "are in %d more file%s beside this one, NAME.part1.xml and so on; keep them together",
      MJCF_FILE_DEPTH, w->nparts, w->nparts > 1 ? "s" : "");
  return w->b->note(w->b->spec, NULL, text);
}

sn_status mjcf_save_world(mjcf_writer *w, const mjcf_class *top) {
  tree t = { 0 };
  sn_status status = tree_new(w, &t);
  if (status >= 0) {
    mjcf_begin(w, "worldbody", 1);
    status = save_inside(w, top, &t, 0);
    status = status < 0 ? status : save_bodies(w, top, &t);
    mjcf_end(w);
  }
  tree_free(&t);
  return status < 0 ? status : note_parts(w);
}
