// SPDX-License-Identifier: Apache-2.0
//
// Replication: the content of a replicate element, `count` times, in frames that advance by a
// constant motion T (offset, then euler): the k-th copy stands in T^k.
//
//   <replicate count="3" offset="1 0 0" sep="_">      <frame> <site name="s_0"/> </frame>
//     <site name="s"/>                           ->   <frame pos="1 0 0"> <site name="s_1"/> ...
//   </replicate>
//
// Names get `sep` and the number of the copy, with as many digits as `count` has. Elements outside
// of the tree that refer to such a name are copied as often: they move to the end of their section,
// copy by copy, those of one copy in their order. The innermost element comes first. Reference:
// XML reference of the format, version 3.1, "replicate".

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/load/load.h"
#include "mjcf/schema/schema.h"
#include "sinew/math.h"
#include "sinew/number.h"

enum { MOST_NODES = 1 << 20 };   // of all copies; more is a mistake

// A name that has copies.
typedef struct named {
  const char *kind, *name;
} named;

typedef struct copies {
  mjcf_reader *r;
  const xml_node *node;   // for messages
  const char *sep;
  int32_t count, digits;
  named *name;
  int64_t n, capacity;
  int64_t *nodes;   // made so far, by all replicates
} copies;

static sn_status no_memory(const copies *c) {
  return mjcf_no_memory(c->r, c->node);
}

// ------------------------------------------------------------------ names

static int by_name(const void *a, const void *b) {
  const named *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : strcmp(x->kind, y->kind);
}

static sn_status add_name(copies *c, const char *kind, const char *name) {
  if (c->n == c->capacity) {
    int64_t capacity = c->capacity ? 2 * c->capacity : 64;
    named *more = xml_alloc(&c->r->doc.arena, (size_t)capacity * sizeof *more);
    if (!more) {
      return no_memory(c);
    }
    if (c->n > 0) {
      memcpy(more, c->name, (size_t)c->n * sizeof *more);
    }
    c->name = more;
    c->capacity = capacity;
  }
  c->name[c->n++] = (named){ kind, name };
  return SN_OK;
}

static void sort_names(copies *c) {
  if (c->n > 0) {
    qsort(c->name, (size_t)c->n, sizeof *c->name, by_name);
  }
}

static int has_copies(const copies *c, const char *kind, const char *name) {
  const named key = { kind, name };
  return c->n > 0 && bsearch(&key, c->name, (size_t)c->n, sizeof key, by_name) != NULL;
}

// The kind of an element of the tree by its tag.
static const char *kind_of_tag(const char *tag) {
  return strcmp(tag, "freejoint") == 0 ? "joint" : tag;
}

static sn_status collect_names(copies *c, xml_node *node) {
  for (xml_walk walk = { .top = node }; xml_step(&walk);) {
    if (walk.leaving || walk.node == node) {
      continue;
    }
    const xml_node *child = walk.node;
    const xml_attr *name = xml_find_attr(child, "name");
    if (strcmp(child->name, "composite") == 0 || strcmp(child->name, "attach") == 0) {
      return xml_fail(&c->r->xml, SN_EUNSUPPORTED, child, NULL, "%s: cannot be inside <replicate>",
                      child->name);
    }
    if (name && name->value[0]) {
      SN_TRY(add_name(c, kind_of_tag(child->name), name->value));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ references

// The kind of what an attribute names; NULL: it names nothing.
static const char *reference_kind(const xml_node *node, const xml_attr *a) {
  static const char *const table[][2] = {
    { "body", "body" },         { "body1", "body" },     { "body2", "body" },
    { "target", "body" },       { "joint", "joint" },    { "joint1", "joint" },
    { "joint2", "joint" },      { "geom", "geom" },      { "jointinparent", "joint" },
    { "geom1", "geom" },        { "geom2", "geom" },     { "site", "site" },
    { "site1", "site" },        { "site2", "site" },     { "sidesite", "site" },
    { "cranksite", "site" },    { "refsite", "site" },   { "slidersite", "site" },
    { "tendon", "tendon" },     { "tendon1", "tendon" }, { "tendon2", "tendon" },
    { "actuator", "actuator" }, { "camera", "camera" },
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i][0], a->name) == 0) {
      return table[i][1];
    }
  }
  const char *type = strcmp(a->name, "objname") == 0   ? "objtype"
                     : strcmp(a->name, "refname") == 0 ? "reftype"
                                                       : NULL;
  const xml_attr *kind = type ? xml_find_attr(node, type) : NULL;
  return !kind ? NULL : strcmp(kind->value, "xbody") == 0 ? "body" : kind->value;
}

static int refers(const copies *c, xml_node *top) {
  for (xml_walk walk = { .top = top }; xml_step(&walk);) {
    for (const xml_attr *a = walk.leaving ? NULL : walk.node->attrs; a; a = a->next) {
      const char *kind = reference_kind(walk.node, a);
      if (kind && has_copies(c, kind, a->value)) {
        return 1;
      }
    }
  }
  return 0;
}

// ------------------------------------------------------------------ copying

static const char *with_suffix(const copies *c, const char *name, int32_t k) {
  size_t n = strlen(name) + strlen(c->sep) + 16;
  char *text = xml_alloc(&c->r->doc.arena, n);
  if (text) {
    snprintf(text, n, "%s%s%0*d", name, c->sep, c->digits, k);
  }
  return text;
}

static sn_status count_nodes(const copies *c, int64_t more) {
  *c->nodes += more;
  return *c->nodes <= MOST_NODES
             ? SN_OK
             : xml_fail(&c->r->xml, SN_EPARSE, c->node, NULL,
                        "replicate: the copies exceed the limit of %d elements", MOST_NODES);
}

static sn_status copy_attrs(copies *c, const xml_node *from, xml_node *to, int32_t k) {
  xml_attr **tail = &to->attrs;
  *tail = NULL;
  for (const xml_attr *a = from->attrs; a; a = a->next) {
    xml_attr *copy = xml_alloc(&c->r->doc.arena, sizeof *copy);
    if (!copy) {
      return no_memory(c);
    }
    *copy = *a;
    copy->next = NULL;
    const char *kind = reference_kind(from, a);
    int own = strcmp(a->name, "name") == 0 && a->value[0];
    if (own || (kind && has_copies(c, kind, a->value))) {
      copy->value = with_suffix(c, a->value, k);
      if (!copy->value) {
        return no_memory(c);
      }
    }
    *tail = copy;
    tail = &copy->next;
  }
  return SN_OK;
}

static sn_status copy_one(copies *c, const xml_node *from, xml_node *parent, int32_t k,
                          xml_node **out) {
  xml_node *copy = xml_alloc(&c->r->doc.arena, sizeof *copy);
  if (!copy) {
    return no_memory(c);
  }
  SN_TRY(count_nodes(c, 1));
  *copy = *from;
  copy->parent = parent;
  copy->first = copy->next = NULL;
  *out = copy;
  return copy_attrs(c, from, copy, k);
}

// A node and all below it. `last` is the copy of the node that the walk came from.
static sn_status copy_node(copies *c, xml_node *from, xml_node *parent, int32_t k, xml_node **out) {
  xml_node *last = NULL;
  int32_t came_out = 0;
  for (xml_walk walk = { .top = from }; xml_step(&walk); came_out = walk.leaving) {
    if (walk.leaving) {
      last = came_out ? last->parent : last;
      continue;
    }
    const int first = walk.node == from;
    xml_node **link = first ? out : came_out ? &last->next : &last->first;
    xml_node *above = first ? parent : came_out ? last->parent : last;
    SN_TRY(copy_one(c, walk.node, above, k, link));
    last = *link;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ inside of the tree

static sn_status add_attr(copies *c, xml_node *node, const char *name, const double *value, int n) {
  char text[160];
  size_t used = 0;
  for (int i = 0; i < n; i++) {
    text[used] = ' ';
    used += (size_t)(i > 0);
    used += (size_t)sn_write_number(text + used, value[i], 0);
  }
  xml_attr *a = xml_alloc(&c->r->doc.arena, sizeof *a);
  if (!a || !(a->value = xml_copy(&c->r->doc.arena, text, used))) {
    return no_memory(c);
  }
  a->name = name;
  a->line = node->line;
  a->column = node->column;
  a->next = node->attrs;
  node->attrs = a;
  return SN_OK;
}

// The node becomes the first of a row of frames.
static sn_status make_frames(copies *c, xml_node *node, const double *offset, const double *turn) {
  double pos[3] = { 0, 0, 0 }, quat[4] = { 1, 0, 0, 0 };
  xml_node *content = node->first, *next = node->next, **tail = NULL;
  SN_TRY(count_nodes(c, c->count));   // before memory is taken for the first
  for (int32_t k = 0; k < c->count; k++) {
    xml_node *frame = k ? xml_alloc(&c->r->doc.arena, sizeof *frame) : node;
    if (!frame) {
      return no_memory(c);
    }
    *frame = *node;
    frame->name = "frame";
    frame->attrs = NULL;
    frame->first = NULL;
    frame->next = next;   // the list ends well also when something fails
    SN_TRY(add_attr(c, frame, "pos", pos, 3));
    SN_TRY(add_attr(c, frame, "quat", quat, 4));
    xml_node **end = &frame->first;
    for (xml_node *child = content; child; child = child->next) {
      SN_TRY(copy_node(c, child, frame, k, end));
      end = &(*end)->next;
    }
    if (tail) {
      *tail = frame;
    }
    tail = &frame->next;
    double p[3], q[4];
    sn_mul_pose(p, q, pos, quat, offset, turn);
    sn_copy3(pos, p);
    sn_copy4(quat, q);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ outside of the tree

static xml_node *last_section(xml_node *root, const char *name) {
  xml_node *last = NULL;
  for (xml_node *node = root->first; node; node = node->next) {
    last = strcmp(node->name, name) == 0 ? node : last;
  }
  return last;
}

// Takes the elements that refer to a copied name out of all sections of a name, as one list.
static xml_node *take_out(copies *c, xml_node *root, const char *name) {
  xml_node *list = NULL, **tail = &list;
  for (xml_node *section = root->first; section; section = section->next) {
    if (strcmp(section->name, name) != 0) {
      continue;
    }
    for (xml_node **link = &section->first; *link;) {
      xml_node *node = *link;
      if (!refers(c, node)) {
        link = &node->next;
        continue;
      }
      *link = node->next;
      node->next = NULL;
      *tail = node;
      tail = &node->next;
    }
  }
  return list;
}

static sn_status copy_section(copies *c, xml_node *root, const char *name) {
  xml_node *list = take_out(c, root, name), *section = last_section(root, name);
  if (!list) {
    return SN_OK;
  }
  xml_node **tail = &section->first;
  while (*tail) {
    tail = &(*tail)->next;
  }
  for (int32_t k = 0; k < c->count; k++) {
    for (xml_node *node = list; node; node = node->next) {
      SN_TRY(copy_node(c, node, section, k, tail));
      tail = &(*tail)->next;
    }
  }

  // tendons and actuators have copies from now on, too
  for (const xml_node *node = list; node; node = node->next) {
    const xml_attr *a = xml_find_attr(node, "name");
    if (a && a->value[0]) {
      SN_TRY(add_name(c, name, a->value));
    }
  }
  sort_names(c);
  return SN_OK;
}

// ------------------------------------------------------------------ the elements

static sn_status replicate(mjcf_reader *r, const mjcf_element *e, xml_node *node, int64_t *nodes) {
  static const char *const sections[] = { "tendon", "actuator", "contact", "equality", "sensor" };
  mjcf_replicate_def def = { .sep = "" };
  sn_default_orient(&def.orient);
  SN_TRY(mjcf_fill(r, e, node, &def));
  if (def.count < 1) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "count"),
                    "replicate: count must be positive, got %d", def.count);
  }
  double turn[4];
  const char *wrong = r->builder->orientation(r->spec, &def.orient, turn);
  if (wrong) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL, "replicate: %s", wrong);
  }
  copies c = { .r = r, .node = node, .count = def.count, .nodes = nodes };
  c.sep = def.sep ? def.sep : "";
  for (int32_t n = def.count; n > 0; n /= 10) {
    c.digits++;
  }
  SN_TRY(collect_names(&c, node));
  sort_names(&c);
  SN_TRY(make_frames(&c, node, def.offset, turn));
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    SN_TRY(copy_section(&c, r->doc.root, sections[i]));
  }
  return SN_OK;
}

// The innermost first.
static sn_status expand(mjcf_reader *r, const mjcf_element *e, xml_node *world, int64_t *nodes) {
  for (xml_walk walk = { .top = world }; xml_step(&walk);) {
    if (walk.leaving && strcmp(walk.node->name, e->name) == 0) {
      SN_TRY(replicate(r, e, walk.node, nodes));
    }
  }
  return SN_OK;
}

sn_status mjcf_replicate(mjcf_reader *r) {
  int64_t nodes = 0;
  const mjcf_element *e = mjcf_body_children;
  while (strcmp(e->name, "replicate") != 0) {
    e++;
  }
  for (xml_node *node = r->doc.root->first; node; node = node->next) {
    if (strcmp(node->name, "worldbody") == 0) {
      SN_TRY(expand(r, e, node, &nodes));
    }
  }
  return SN_OK;
}
