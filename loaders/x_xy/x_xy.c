// SPDX-License-Identifier: Apache-2.0
//
// The loader of x_xy, the part of its plugin that does the work: options, defaults, and a tree of
// bodies with joints and geoms. Everything that the document's schema does not know is an error
// with its place.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "x_xy/save.h"

// ------------------------------------------------------------------ what may stand where

typedef struct element {
  const char *name, *parents;   // parents: "a|b"
  const char *attributes;       // "a|b"
} element;

static const element elements[] = {
  { "x_xy", "", "model|name" },
  { "options", "x_xy", "gravity|dt" },
  { "defaults", "x_xy", "geom|body" },
  { "worldbody", "x_xy", "" },
  { "body", "worldbody|body|defaults",
    "name|joint|pos|quat|euler|pos_min|pos_max|damping|armature|spring_stiff|spring_zero" },
  { "geom", "worldbody|body|defaults", "type|mass|pos|dim|size|quat|euler|color|edge_color" },
  { "omc", "body", "name|pos_marker|pos" },
};
enum { NELEMENTS = sizeof elements / sizeof elements[0] };

// What the original reads and passes over: listed where it stands first.
static const struct {
  const char *element, *attribute, *why;
} idle[] = {
  { "omc", "name", "the site is called BODY.omcN" },
  { "defaults", "geom", "write <geom .../> inside it" },
  { "defaults", "body", "write <body .../> inside it" },
  { "geom", "edge_color", "edges are not drawn" },
};
enum { NIDLE = sizeof idle / sizeof idle[0] };

static sn_status check_attributes(x_loader *l, const xml_node *node, const element *e) {
  for (const xml_attr *a = node->attrs; a; a = a->next) {
    if (!xml_in_list(e->attributes, a->name)) {
      return xml_fail(&l->r, SN_EPARSE, node, a, "'%s' has no attribute '%s'; it has: %s",
                      node->name, a->name, *e->attributes ? e->attributes : "none");
    }
  }
  return SN_OK;
}

static sn_status warn_at(x_loader *l, const xml_node *node, const xml_attr *attr,
                         const char *text) {
  sn_location location = xml_location(node);
  if (attr) {
    location.line = attr->line;
    location.column = attr->column;
  }
  return l->b->warn(l->b->spec, &location, text);
}

static sn_status list_idle(x_loader *l, const xml_node *node) {
  for (uint32_t i = 0; i < NIDLE; i++) {
    const xml_attr *attr = xml_find_attr(node, idle[i].attribute);
    if (attr && strcmp(idle[i].element, node->name) == 0 && !(l->warned & 1u << i)) {
      char text[160];
      snprintf(text, sizeof text, "'%s' of '%s' has no effect: %s", idle[i].attribute,
               idle[i].element, idle[i].why);
      l->warned |= 1u << i;
      SN_TRY(warn_at(l, node, attr, text));
    }
  }
  return node->text ? warn_at(l, node, NULL, XML_TEXT_IGNORED) : SN_OK;
}

// ignored: is the node passed over, with all that is inside of it?
static sn_status check_node(x_loader *l, const xml_node *node, int32_t *ignored) {
  const element *e = NULL;
  xml_nearest nearest = { NULL, 0 };
  for (int i = 0; i < NELEMENTS && !e; i++) {
    xml_offer(&nearest, node->name, elements[i].name);
    e = strcmp(elements[i].name, node->name) == 0 ? &elements[i] : NULL;
  }
  if (!e) {
    return xml_fail(&l->r, SN_EPARSE, node, NULL, "x_xy has no element '%s'%s%s%s", node->name,
                    nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                    nearest.best ? "'?" : "");
  }
  const char *parent = node->parent ? node->parent->name : "";
  if (strcmp(node->name, "body") == 0 && (xml_in_list("geom|omc", parent))) {
    *ignored = 1;
    return warn_at(l, node, NULL, "a body inside a geom or an omc is ignored");
  }
  if (*parent ? !xml_in_list(e->parents, parent) : *e->parents != 0) {
    return xml_fail(&l->r, SN_EPARSE, node, NULL, "'%s' is not allowed in '%s'", node->name,
                    *parent ? parent : "the document");
  }
  SN_TRY(check_attributes(l, node, e));
  return list_idle(l, node);
}

static sn_status check_nodes(x_loader *l, xml_node *root) {
  for (xml_walk walk = { .top = root }; xml_step(&walk);) {
    if (!walk.leaving) {
      SN_TRY(check_node(l, walk.node, &walk.pass));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ options and defaults

static sn_status only_child(x_loader *l, const xml_node *parent, const char *name,
                            const xml_node **out) {
  *out = NULL;
  for (const xml_node *n = parent->first; n; n = n->next) {
    if (strcmp(n->name, name) == 0) {
      if (*out) {
        return xml_fail(&l->r, SN_EPARSE, n, NULL, "'%s' is allowed at most once in '%s'", name,
                        parent->name);
      }
      *out = n;
    }
  }
  return SN_OK;
}

static sn_status read_options(x_loader *l, const xml_node *root) {
  const xml_node *node;
  double gravity[3] = { 0, 0, 9.81 }, dt = 0.01;
  SN_TRY(only_child(l, root, "options", &node));
  if (node) {
    SN_TRY(x_read_numbers(l, node, "gravity", 3, gravity));
    SN_TRY(x_read_numbers(l, node, "dt", 1, &dt));
    if (!(dt > 0)) {
      return xml_fail(&l->r, SN_EPARSE, node, xml_find_attr(node, "dt"),
                      "the time step must be positive, got %g", dt);
    }
  }
  sn_option option;
  sn_default_option(&option);
  l->b->get_option(l->b->spec, &option);
  for (int i = 0; i < 3; i++) {
    option.gravity[i] = 0 - gravity[i];   // and no zero with a sign
  }
  option.timestep = dt;
  return l->b->set_option(l->b->spec, &option, l->r.error);
}

static sn_status read_defaults(x_loader *l, const xml_node *root) {
  const xml_node *node;
  SN_TRY(only_child(l, root, "defaults", &node));
  if (!node) {
    return SN_OK;
  }
  SN_TRY(only_child(l, node, "body", &l->default_body));
  return only_child(l, node, "geom", &l->default_geom);
}

// ------------------------------------------------------------------ the tree

// Numbers a body. Bodies come parents first; the number of each is kept in its node.
static sn_status collect_link(x_loader *l, xml_node *body) {
  const xml_node *from;
  const xml_attr *attr = x_attr(l, body, "joint", &from);
  if (!attr) {
    return xml_fail(
        &l->r, SN_EPARSE, body, NULL,
        "'body' requires the attribute 'joint'; use 'frozen' for a body that does not move");
  }
  const x_joint *joint = x_find_joint(l, attr->value);
  if (!joint) {
    xml_nearest nearest = { NULL, 0 };
    x_nearest_joint(l, attr->value, &nearest);
    return xml_fail(&l->r, SN_EPARSE, from, attr, "there is no joint '%s'%s%s%s", attr->value,
                    nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                    nearest.best ? "'?" : "");
  }
  x_link *link = &l->link[l->nlink++];
  const x_link *parent = body->parent->rule;
  *link = (x_link){ .node = body,
                    .joint = joint,
                    .parent = parent ? (int32_t)(parent - l->link) : -1 };
  body->rule = link;
  return SN_OK;
}

// A step of a walk from body to body; NULL: there are no more.
static xml_node *next_body(xml_walk *walk) {
  while (xml_step(walk)) {
    if (walk->leaving || walk->node == walk->top) {
      continue;
    }
    if (strcmp(walk->node->name, "body") == 0) {
      return walk->node;
    }
    walk->pass = 1;
  }
  return NULL;
}

static sn_status collect(x_loader *l, xml_node *world) {
  int64_t n = 0;
  for (xml_walk walk = { .top = world }; next_body(&walk);) {
    n++;
  }
  if (n == 0) {
    return xml_fail(&l->r, SN_EPARSE, world, NULL, "'worldbody' requires at least one body");
  }
  l->link = calloc((size_t)n, sizeof *l->link);
  if (!l->link) {
    return xml_fail(&l->r, SN_ENOMEM, world, NULL, "out of memory for %lld bodies", (long long)n);
  }
  xml_node *body;
  for (xml_walk walk = { .top = world }; (body = next_body(&walk)) != NULL;) {
    SN_TRY(collect_link(l, body));
  }
  return SN_OK;
}

static sn_status read_world(x_loader *l, const xml_node *root) {
  const xml_node *world;
  SN_TRY(only_child(l, root, "worldbody", &world));
  if (!world) {
    return xml_fail(&l->r, SN_EPARSE, root, NULL, "there is no 'worldbody'");
  }
  SN_TRY(collect(l, (xml_node *)(uintptr_t)world));
  SN_TRY(x_draw_axes(l));

  // scenery first, then the bodies, parents before children
  double mass = 0;
  for (const xml_node *c = world->first; c; c = c->next) {
    if (strcmp(c->name, "geom") == 0) {
      SN_TRY(x_add_geom(l, c, 0, &mass));
    }
  }
  for (int64_t i = 0; i < l->nlink; i++) {
    SN_TRY(x_add_link(l, &l->link[i]));
  }
  return SN_OK;
}

static sn_status read_document(x_loader *l, const xml_document *doc) {
  xml_node *root = doc->root;
  if (strcmp(root->name, "x_xy") != 0) {
    return xml_fail(&l->r, SN_EPARSE, root, NULL, "the root element is '%s', not 'x_xy'",
                    root->name);
  }
  SN_TRY(check_nodes(l, root));
  if (doc->rest) {
    SN_TRY(warn_at(l, doc->rest, NULL, XML_REST_IGNORED));
  }
  const xml_attr *name = xml_find_attr(root, "model"), *other = xml_find_attr(root, "name");
  if (name && other) {
    return xml_fail(&l->r, SN_EPARSE, root, other,
                    "'model' and 'name' both specify the name of the model; remove one");
  }
  name = name ? name : other;
  if (name) {
    SN_TRY(xml_name_model(&l->r, l->b, root, name));
  }
  SN_TRY(x_read_custom(l));
  SN_TRY(read_options(l, root));
  SN_TRY(read_defaults(l, root));
  return read_world(l, root);
}

// ------------------------------------------------------------------ the operations

static int32_t x_xy_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  char root[16];
  xml_root_name(bytes, count, root, sizeof root);
  return strcmp(root, "x_xy") == 0 ? 100 : 0;
}

static sn_status x_xy_load(const void *self, sn_source *source, const sn_builder *builder,
                           sn_error *error) {
  x_loader l = { .b = builder, .params = self, .source = source };
  l.r = (xml_reader){ builder->host, error };
  xml_document doc = { .arena = { .host = builder->host } };
  l.arena = &doc.arena;
  sn_status status = xml_parse(&doc, source, error);
  if (status >= 0) {
    status = read_document(&l, &doc);
  }
  free(l.link);
  free(l.custom);
  free(l.custom_names);
  xml_arena_free(&doc.arena);
  return status;
}

static const sn_loader_ops x_xy_ops = {
  .head = { .size = sizeof(sn_loader_ops), .summary = "reads and writes x_xy" },
  .extensions = "x_xy|xml",
  .probe = x_xy_probe,
  .load = x_xy_load,
  .save = x_xy_save,
};

static const sn_provide provides[] = {
  SN_PROVIDE_LOADER("x_xy", &x_xy_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.x_xy", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "loader of x_xy models", .provides = provides, .init = xml_init)
