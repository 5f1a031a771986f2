// SPDX-License-Identifier: Apache-2.0
//
// Other files as parts of the model. An asset names a file, in any format that a loader recognizes;
// an element of the kinematic tree attaches it there, all of it or a body with what is inside:
//
//   <asset><model name="arm" file="arm.urdf"/></asset>
//   <body> <attach model="arm" body="shoulder" prefix="left_"/> </body>
//
// While the tree is read, only the place of a part is recorded: its owner, its frame, and the id
// that its first body gets. Parts that are attached before it, at smaller ids, move both.

#include "mjcf/read/read.h"

#include <string.h>

#include "sinew/xml/file.h"

struct mjcf_model {
  const char *name, *file;
  mjcf_model *next;
};

struct mjcf_attachment {
  const xml_node *node;
  const mjcf_model *model;
  mjcf_attach_def def;
  mjcf_frame frame;
  int32_t owner, at;   // bodies of this file
  int32_t count;       // bodies of the part, when it has been added
  int32_t reserved;
  mjcf_attachment *next;
};

// ------------------------------------------------------------------ models

// The name that a file gives to its model; without one, that of the file.
static sn_status own_name(mjcf_reader *r, const xml_node *node, sn_source *source, const char *file,
                          const char **name) {
  char root[16];
  xml_document doc = r->doc;
  xml_root_name(source->bytes, source->count, root, sizeof root);
  if (root[0]) {
    const sn_status status = xml_parse(&doc, source, r->error);
    r->doc.arena = doc.arena;
    SN_TRY(status);
    const xml_attr *a = xml_find_attr(doc.root, strcmp(root, "mujoco") == 0 ? "model" : "name");
    *name = a && a->value[0] ? a->value : NULL;
  }
  return mjcf_name_of_file(r, node, file, name);
}

sn_status mjcf_read_model(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  mjcf_model_def def = { .name = NULL };
  mjcf_model **tail = &r->models, *model = xml_alloc(&r->doc.arena, sizeof *model);
  sn_source *source;
  SN_TRY(mjcf_fill(r, e, node, &def));
  const xml_attr *file = xml_find_attr(node, "file");
  if (!model) {
    return mjcf_no_memory(r, node);
  }
  if (r->source->open(r->source, file->value, &source, NULL) < 0) {
    const char *why = xml_file_trouble(&r->doc.arena, r->source, file->value);
    return xml_fail(&r->xml, SN_EIO, node, file,
                    "model: cannot open \"%s\" (%s); names are relative to the folder of the main "
                    "file, %s",
                    file->value, why ? why : "out of memory", r->source->name);
  }
  const sn_status status = def.name ? SN_OK : own_name(r, node, source, def.file, &def.name);
  r->source->close(source);
  SN_TRY(status);
  *model = (mjcf_model){ .name = def.name, .file = def.file };
  while (*tail) {
    tail = &(*tail)->next;
  }
  *tail = model;
  return SN_OK;
}

// Of several with the same name, the first.
static sn_status find_model(mjcf_reader *r, const xml_node *node, const char *name,
                            const mjcf_model **model) {
  char known[256] = "";
  for (const mjcf_model *m = r->models; m; m = m->next) {
    if (name && strcmp(m->name, name) == 0) {
      *model = m;
      return SN_OK;
    }
    const size_t n = strlen(known);
    if (n + strlen(m->name) + 4 < sizeof known) {
      strcat(strcat(known, n ? ", " : ""), m->name);
    }
  }
  return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "model"),
                  "attach: there is no <model> named \"%s\" among the assets; %s%s",
                  name ? name : "", known[0] ? "there are: " : "there are no models", known);
}

// ------------------------------------------------------------------ places

sn_status mjcf_read_attach(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  mjcf_attachment **tail = &r->attachments, *a = xml_alloc(&r->doc.arena, sizeof *a);
  if (!a) {
    return mjcf_no_memory(r, node);
  }
  *a = (mjcf_attachment){ .node = node,
                          .frame = r->frame,
                          .owner = r->body,
                          .at = (int32_t)r->builder->count(r->spec, "body") };
  SN_TRY(mjcf_fill(r, e, node, &a->def));
  if (!xml_find_attr(node, "prefix")) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "attach: attribute \"prefix\" is required; it may be empty");
  }
  SN_TRY(find_model(r, node, a->def.model, &a->model));
  while (*tail) {
    tail = &(*tail)->next;
  }
  *tail = a;
  return SN_OK;
}

// The id that a body of this file has after the parts before `end` were added.
static int32_t moved(const mjcf_attachment *list, const mjcf_attachment *end, int32_t body) {
  int32_t id = body;
  for (; list != end; list = list->next) {
    id += list->at <= body ? list->count : 0;
  }
  return id;
}

static sn_status attach(mjcf_reader *r, mjcf_attachment *a) {
  const sn_location location = xml_location(a->node);
  const sn_builder *b = r->builder;
  const int64_t before = b->count(r->spec, "body");
  sn_include_def def;
  sn_default_include(&def);
  def.file = a->model->file;
  def.prefix = a->def.prefix;
  def.subtree = a->def.body;
  def.body = moved(r->attachments, a, a->owner);
  def.at = moved(r->attachments, a, a->at);
  if (a->frame.given) {
    memcpy(def.pos, a->frame.pos, sizeof def.pos);
    memcpy(def.orient.quat, a->frame.quat, sizeof def.orient.quat);
  }
  SN_TRY(b->include(r->spec, r->source, &def, &location, r->error));
  a->count = (int32_t)(b->count(r->spec, "body") - before);
  return SN_OK;
}

sn_status mjcf_attach_parts(mjcf_reader *r) {
  for (mjcf_attachment *a = r->attachments; a; a = a->next) {
    SN_TRY(attach(r, a));
  }
  return SN_OK;
}
