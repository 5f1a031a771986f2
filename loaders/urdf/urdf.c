// SPDX-License-Identifier: Apache-2.0
//
// The loader of URDF: links and joints, written in any order, become a tree of bodies. A link
// without a joint above it is welded to the world; one that is called "world" is the world.
//
// What the file says and the model cannot hold is noted: listed among the warnings of the model,
// each once with its number; an error with the parameter `strict`.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "urdf/urdf.h"

// ------------------------------------------------------------------ notes

enum { MOST_NOTES = 200 };   // that are compared with each other

sn_status urdf_no_memory(urdf_reader *r, const xml_node *node) {
  return xml_fail(&r->xml, SN_ENOMEM, node, NULL, "out of memory");
}

sn_status urdf_leave(urdf_reader *r, const xml_node *node, const xml_attr *attr, const char *format,
                     ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (r->params->strict) {
    return xml_fail(&r->xml, SN_EUNSUPPORTED, node, attr,
                    "%s (an error because of strict = true "
                    "in [plugin.urdf])",
                    text);
  }
  for (urdf_note *n = r->notes; n && r->nnotes < MOST_NOTES; n = n->next) {
    if (strcmp(n->text, text) == 0) {
      n->count++;
      return SN_OK;
    }
  }
  urdf_note *note = xml_alloc(&r->doc.arena, sizeof *note);
  char *copy = xml_copy(&r->doc.arena, text, strlen(text));
  if (!note || !copy) {
    return urdf_no_memory(r, node);
  }
  *note = (urdf_note){ .text = copy, .place = xml_place(node), .count = 1 };
  if (attr) {
    note->place.line = attr->line;
    note->place.column = attr->column;
  }
  *r->last_note = note;
  r->last_note = &note->next;
  r->nnotes++;
  return SN_OK;
}

static sn_status tell_notes(urdf_reader *r) {
  for (const urdf_note *n = r->notes; n; n = n->next) {
    char text[1100];
    snprintf(text, sizeof text, n->count > 1 ? "%s (%lld times; here first)" : "%s", n->text,
             (long long)n->count);
    URDF_TRY(r->b->warn(r->b->spec, &n->place, text));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ attributes and children

sn_status urdf_need(urdf_reader *r, const xml_node *node, const char *name, const xml_attr **attr) {
  *attr = xml_find_attr(node, name);
  return *attr ? SN_OK
               : xml_fail(&r->xml, SN_EPARSE, node, NULL, "%s: attribute \"%s\" is required",
                          node->name, name);
}

sn_status urdf_only(urdf_reader *r, const xml_node *node, const char *name, const xml_node **out) {
  *out = NULL;
  for (const xml_node *n = node->first; n; n = n->next) {
    if (strcmp(n->name, name) == 0) {
      if (*out) {
        return xml_fail(&r->xml, SN_EPARSE, n, NULL, "<%s> stands at most once in <%s>", name,
                        node->name);
      }
      *out = n;
    }
  }
  return SN_OK;
}

sn_status urdf_reals(urdf_reader *r, const xml_node *node, const char *name, int32_t required,
                     int64_t n, double *out) {
  const xml_attr *attr = xml_find_attr(node, name);
  if (!attr) {
    return required ? urdf_need(r, node, name, &attr) : SN_OK;
  }
  return xml_read_reals(&r->xml, node, attr, n, n, out, NULL);
}

sn_status urdf_origin(urdf_reader *r, const xml_node *node, double *pos, double *quat) {
  const xml_node *origin;
  double rpy[3] = { 0 };
  sn_zero3(pos);
  sn_identity_quat(quat);
  URDF_TRY(urdf_only(r, node, "origin", &origin));
  if (!origin) {
    return SN_OK;
  }
  URDF_TRY(urdf_reals(r, origin, "xyz", 0, 3, pos));
  URDF_TRY(urdf_reals(r, origin, "rpy", 0, 3, rpy));
  // about fixed x, then y, then z
  for (int i = 0; i < 3; i++) {
    const double axis[3] = { i == 0, i == 1, i == 2 };
    double turn[4];
    sn_axisangle_quat(turn, axis, rpy[i]);
    sn_mul_quat(quat, turn, quat);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ links

static int64_t count_links(const xml_node *robot) {
  int64_t n = 0;
  for (const xml_node *c = robot->first; c; c = c->next) {
    n += strcmp(c->name, "link") == 0;
  }
  return n;
}

// The place of a name in by_name, or where it would be.
static int64_t search(const urdf_reader *r, int64_t n, const char *name) {
  int64_t lo = 0, hi = n;
  while (lo < hi) {
    int64_t mid = (lo + hi) / 2;
    if (strcmp(r->link[r->by_name[mid]].name, name) < 0) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo;
}

int32_t urdf_find_link(const urdf_reader *r, const char *name) {
  int64_t i = search(r, r->nlink, name);
  return i < r->nlink && strcmp(r->link[r->by_name[i]].name, name) == 0 ? r->by_name[i] : -1;
}

static int compare_names(const void *a, const void *b, void *context) {
  const urdf_link *link = context;
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  int order = strcmp(link[x].name, link[y].name);
  return order ? order : (x > y) - (x < y);
}

static sn_status collect_links(urdf_reader *r) {
  int64_t n = count_links(r->robot);
  if (n == 0) {
    return xml_fail(&r->xml, SN_EPARSE, r->robot, NULL, "a robot needs at least one link");
  }
  r->link = xml_alloc(&r->doc.arena, (size_t)n * sizeof *r->link);
  r->by_name = xml_alloc(&r->doc.arena, (size_t)n * sizeof *r->by_name);
  if (!r->link || !r->by_name) {
    return urdf_no_memory(r, r->robot);
  }
  for (const xml_node *c = r->robot->first; c; c = c->next) {
    const xml_attr *name;
    if (strcmp(c->name, "link") == 0) {
      URDF_TRY(urdf_need(r, c, "name", &name));
      r->by_name[r->nlink] = (int32_t)r->nlink;
      r->link[r->nlink++] = (urdf_link){
        .node = c, .name = name->value, .parent = -1, .first = -1, .last = -1, .next = -1
      };
    }
  }
  qsort_r(r->by_name, (size_t)n, sizeof *r->by_name, compare_names, r->link);
  for (int64_t i = 1; i < n; i++) {
    const urdf_link *second = &r->link[r->by_name[i]], *first = &r->link[r->by_name[i - 1]];
    if (strcmp(first->name, second->name) == 0) {
      return xml_fail(&r->xml, SN_EPARSE, second->node, NULL,
                      "there is another link \"%.200s\", in "
                      "line %d; give it another name",
                      second->name, first->node->line);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the tree

static sn_status find_end(urdf_reader *r, const xml_node *joint, const char *end, int32_t *out) {
  const xml_node *node;
  const xml_attr *attr;
  URDF_TRY(urdf_only(r, joint, end, &node));
  if (!node) {
    return xml_fail(&r->xml, SN_EPARSE, joint, NULL, "a joint needs <%s link=\"...\"/>", end);
  }
  URDF_TRY(urdf_need(r, node, "link", &attr));
  *out = urdf_find_link(r, attr->value);
  if (*out >= 0) {
    return SN_OK;
  }
  xml_nearest near = { NULL, 0 };
  for (int64_t i = 0; i < r->nlink; i++) {
    xml_offer(&near, attr->value, r->link[i].name);
  }
  return xml_fail(&r->xml, SN_EPARSE, node, attr, "there is no link \"%.200s\"%s%.200s%s",
                  attr->value, near.best ? "; did you mean \"" : "; add it",
                  near.best ? near.best : "", near.best ? "\"?" : "");
}

static sn_status connect(urdf_reader *r, const xml_node *joint) {
  int32_t parent, child;
  URDF_TRY(urdf_check_joint(r, joint));
  URDF_TRY(find_end(r, joint, "parent", &parent));
  URDF_TRY(find_end(r, joint, "child", &child));
  urdf_link *c = &r->link[child], *p = &r->link[parent];
  if (c->joint) {
    return xml_fail(&r->xml, SN_EPARSE, joint, NULL,
                    "the link \"%.200s\" is the child of two "
                    "joints, of this one and of that in line %d; URDF is for trees",
                    c->name, c->joint->line);
  }
  if (strcmp(c->name, "world") == 0) {
    return xml_fail(&r->xml, SN_EPARSE, joint, NULL,
                    "the link \"world\" is the fixed world and "
                    "cannot be a child; give it another name");
  }
  c->joint = joint;
  c->parent = parent;
  if (p->last < 0) {
    p->first = child;
  } else {
    r->link[p->last].next = child;
  }
  p->last = child;
  return SN_OK;
}

static sn_status add_link(urdf_reader *r, urdf_link *link) {
  const sn_place place = xml_place(link->node);
  sn_body_def d;
  sn_default_body(&d);
  if (link->joint || strcmp(link->name, "world") != 0) {
    d.name = link->name;
    d.parent = link->parent < 0 ? 0 : r->link[link->parent].body;
    if (link->joint) {
      URDF_TRY(urdf_origin(r, link->joint, d.pos, d.orient.quat));
    }
    URDF_TRY(urdf_read_inertial(r, link->node, &d));
    URDF_TRY(r->b->add_body(r->b->spec, &d, &place, &link->body, r->xml.error));
  } else if (xml_find_child(link->node, "inertial")) {
    URDF_TRY(urdf_leave(r, link->node, NULL, "the world has no inertia; its inertial is ignored"));
  }
  return link->joint ? urdf_read_joint(r, link->joint, link->body) : SN_OK;
}

// A root and all below it, parents before children, siblings as their joints are written.
static sn_status add_below(urdf_reader *r, int32_t root, int64_t *added) {
  int32_t i = root;
  for (;;) {
    URDF_TRY(add_link(r, &r->link[i]));
    r->link[i].reached = 1;
    ++*added;
    if (r->link[i].first >= 0) {
      i = r->link[i].first;
      continue;
    }
    while (i != root && r->link[i].next < 0) {
      i = r->link[i].parent;
    }
    if (i == root) {
      return SN_OK;
    }
    i = r->link[i].next;
  }
}

static sn_status add_links(urdf_reader *r) {
  const urdf_link *second = NULL;
  int64_t added = 0, roots = 0;
  for (int32_t i = 0; i < r->nlink; i++) {
    if (!r->link[i].joint) {
      URDF_TRY(add_below(r, i, &added));
      second = ++roots == 2 ? &r->link[i] : second;
    }
  }
  for (int32_t i = 0; i < r->nlink && added < r->nlink; i++) {
    if (!r->link[i].reached) {
      return xml_fail(&r->xml, SN_EPARSE, r->link[i].node, NULL,
                      "the link \"%.200s\" hangs in a loop of joints; URDF is for trees",
                      r->link[i].name);
    }
  }
  if (second) {
    return urdf_leave(r, second->node, NULL,
                      "%lld links have no joint above them; each is welded to the world",
                      (long long)roots);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the document

static sn_status read_document(urdf_reader *r) {
  sn_source *source = r->source;
  URDF_TRY(xml_parse(&r->doc, source->name, source->bytes, source->count, r->xml.error));
  r->robot = r->doc.root;
  if (strcmp(r->robot->name, "robot") != 0) {
    return xml_fail(&r->xml, SN_EPARSE, r->robot, NULL, "the root of URDF is <robot>, not <%.80s>",
                    r->robot->name);
  }
  const xml_attr *name = xml_find_attr(r->robot, "name");
  if (name) {
    URDF_TRY(xml_name_model(&r->xml, r->b, r->robot, name));
  }
  URDF_TRY(urdf_check(r, r->robot));
  URDF_TRY(urdf_read_extension(r, r->robot));
  URDF_TRY(collect_links(r));
  for (const xml_node *n = r->robot->first; n; n = n->next) {
    if (strcmp(n->name, "joint") == 0) {
      URDF_TRY(connect(r, n));
    }
  }
  URDF_TRY(add_links(r));
  for (int64_t i = 0; i < r->nlink; i++) {   // meshes are numbered as the links are written
    URDF_TRY(urdf_read_shapes(r, r->link[i].node, r->link[i].body));
  }
  URDF_TRY(urdf_read_mimics(r));
  URDF_TRY(urdf_read_transmissions(r));
  return tell_notes(r);
}

// ------------------------------------------------------------------ the operations

static int32_t urdf_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  char root[16];
  xml_root_name(bytes, count, root, sizeof root);
  return strcmp(root, "robot") == 0 ? 100 : 0;
}

static sn_status urdf_load(const void *self, sn_source *source, const sn_builder *builder,
                           sn_error *error) {
  urdf_reader r = { .b = builder, .params = self, .source = source, .meshdir = "" };
  r.last_note = &r.notes;
  r.doc.arena.host = builder->host;
  sn_status status = xml_reader_open(&r.xml, builder->host, error);
  if (status >= 0) {
    status = read_document(&r);
  }
  xml_reader_close(&r.xml);
  xml_arena_free(&r.doc.arena);
  return status;
}

typedef struct instance {
  urdf_params params;   // first: what the operations get
  const sn_host *host;
} instance;

static void urdf_destroy(void *self) {
  instance *i = self;
  i->host->free(i->host, i->params.package_path);
  i->host->free(i->host, i);
}

static sn_status urdf_create(const sn_host *host, const sn_value *values, void **self,
                             sn_error *error) {
  instance *i = host->alloc(host, sizeof *i);
  size_t n = strlen(values[3].text) + 1;
  char *path = host->alloc(host, (int64_t)n);
  if (!i || !path) {
    host->free(host, i);
    host->free(host, path);
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "no memory for the loader of URDF");
  }
  memcpy(path, values[3].text, n);
  i->host = host;
  i->params = (urdf_params){ .strict = values[0].integer != 0,
                             .mimic = values[1].integer != 0,
                             .transmissions = values[2].integer != 0,
                             .package_path = path };
  *self = i;
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param urdf_params_table[] = {
  { .name = "strict",
    .fallback = "false",
    .type = SN_PARAM_BOOL,
    .min = 0,
    .max = 1,
    .summary = "what the model cannot hold is an error instead of a warning" },
  { .name = "mimic",
    .fallback = "false",
    .type = SN_PARAM_BOOL,
    .min = 0,
    .max = 1,
    .summary = "mimic joints are coupled by a constraint" },
  { .name = "transmissions",
    .fallback = "false",
    .type = SN_PARAM_BOOL,
    .min = 0,
    .max = 1,
    .summary = "transmissions make motors" },
  { .name = "package_path",
    .fallback = "",
    .type = SN_PARAM_TEXT,
    .summary = "folders of packages, separated by ':', before those of the environment" },
  { .name = NULL },
};

static const sn_loader_ops urdf_ops = {
  .head = { .size = sizeof(sn_loader_ops),
            .summary = "reads URDF",
            .params = urdf_params_table,
            .create = urdf_create,
            .destroy = urdf_destroy },
  .extensions = "urdf|xml",
  .probe = urdf_probe,
  .load = urdf_load,
};

static const sn_provide provides[] = {
  { SN_KIND_LOADER, "urdf", &urdf_ops },
  { NULL, NULL, NULL },
};

static const sn_plugin plugin = {
  .magic = SN_PLUGIN_MAGIC,
  .size = sizeof(sn_plugin),
  .abi_major = SN_ABI_MAJOR,
  .abi_minor_needed = 0,
  .real_size = sizeof(double),
  .name = "sinew.urdf",
  .version = SN_VERSION,
  .license = "Apache-2.0",
  .summary = "loads models in URDF format",
  .provides = provides,
  .init = xml_init,
};

SN_PLUGIN_ENTRY {
  return &plugin;
}
