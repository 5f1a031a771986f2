// SPDX-License-Identifier: Apache-2.0
//
// The loader of URDF: links and joints, written in any order, become a tree of bodies. A link
// without a joint above it, a root, is fixed to the world or has a free joint, as the parameter
// floating_base says; one that is called "world" is the world, also where a joint names it as its
// parent and the file has no such link.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/suggest.h"
#include "urdf/urdf.h"

sn_status urdf_no_memory(urdf_reader *r, const xml_node *node) {
  return xml_fail(&r->xml, SN_ENOMEM, node, NULL, "out of memory");
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
        return xml_fail(&r->xml, SN_EPARSE, n, NULL, "<%s> may appear only once in <%s>", name,
                        node->name);
      }
      *out = n;
    }
  }
  return SN_OK;
}

sn_status urdf_bounds(urdf_reader *r, const xml_node *node, const char *name, int32_t required,
                      int64_t n, double *out) {
  const xml_attr *attr = xml_find_attr(node, name);
  if (!attr) {
    return required ? urdf_need(r, node, name, &attr) : SN_OK;
  }
  xml_attr plain = *attr;
  if (strchr(attr->value, ',')) {
    char *blank = xml_copy(&r->doc.arena, attr->value, strlen(attr->value));
    if (!blank) {
      return urdf_no_memory(r, node);
    }
    plain.value = blank;
    while ((blank = strchr(blank, ','))) {
      *blank = ' ';
    }
    SN_TRY(urdf_note_that(r, node, attr, "commas between numbers are treated as spaces"));
  }
  return xml_read_reals(&r->xml, node, &plain, n, n, out, NULL);
}

sn_status urdf_reals(urdf_reader *r, const xml_node *node, const char *name, int32_t required,
                     int64_t n, double *out) {
  SN_TRY(urdf_bounds(r, node, name, required, n, out));
  for (int64_t i = 0; i < n && xml_find_attr(node, name); i++) {
    if (!isfinite(out[i])) {
      return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, name),
                      "%s: %s must be finite, got %g", node->name, name, out[i]);
    }
  }
  return SN_OK;
}

sn_status urdf_origin(urdf_reader *r, const xml_node *node, double *pos, double *quat) {
  const xml_node *origin;
  double rpy[3] = { 0 };
  sn_zero3(pos);
  sn_identity_quat(quat);
  SN_TRY(urdf_only(r, node, "origin", &origin));
  if (!origin) {
    return SN_OK;
  }
  SN_TRY(urdf_reals(r, origin, "xyz", 0, 3, pos));
  SN_TRY(urdf_reals(r, origin, "rpy", 0, 3, rpy));
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
    return urdf_leave(r, r->robot, NULL, "the robot has no links; the model is an empty world");
  }
  r->link = xml_alloc(&r->doc.arena, (size_t)n * sizeof *r->link);
  r->by_name = xml_alloc(&r->doc.arena, (size_t)n * sizeof *r->by_name);
  if (!r->link || !r->by_name) {
    return urdf_no_memory(r, r->robot);
  }
  for (const xml_node *c = r->robot->first; c; c = c->next) {
    const xml_attr *name;
    if (strcmp(c->name, "link") == 0) {
      SN_TRY(urdf_need(r, c, "name", &name));
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
                      "there is another link \"%.200s\", in line %d; give it another name",
                      second->name, first->node->line);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the tree

// -1: the world, which a parent may name without a link.
static sn_status find_end(urdf_reader *r, const xml_node *joint, const char *end, int32_t *out) {
  const xml_node *node;
  const xml_attr *attr;
  SN_TRY(urdf_only(r, joint, end, &node));
  if (!node) {
    return xml_fail(&r->xml, SN_EPARSE, joint, NULL, "a joint needs <%s link=\"...\"/>", end);
  }
  SN_TRY(urdf_need(r, node, "link", &attr));
  *out = urdf_find_link(r, attr->value);
  if (*out >= 0 || (strcmp(end, "parent") == 0 && strcmp(attr->value, "world") == 0)) {
    return SN_OK;
  }
  xml_nearest near = { NULL, 0 };
  for (int64_t i = 0; i < r->nlink; i++) {
    xml_offer(&near, attr->value, r->link[i].name);
  }
  const xml_attr *name = xml_find_attr(joint, "name");
  char hint[SN_SUGGEST_TEXT];
  return xml_fail(&r->xml, SN_EPARSE, node, attr,
                  "joint \"%.80s\" refers to the link \"%.200s\", which does not exist%s",
                  name ? name->value : "", attr->value,
                  sn_suggest_text(hint, sizeof hint, near.best,
                                  near.best ? NULL : "correct the name, or add the link"));
}

static sn_status connect(urdf_reader *r, const xml_node *joint) {
  int32_t parent, child;
  SN_TRY(urdf_check_joint(r, joint));
  SN_TRY(find_end(r, joint, "parent", &parent));
  SN_TRY(find_end(r, joint, "child", &child));
  urdf_link *c = &r->link[child], *p = parent < 0 ? NULL : &r->link[parent];
  if (c->joint) {
    return xml_fail(
        &r->xml, SN_EPARSE, joint, NULL,
        "the link \"%.200s\" is the child of two joints, this one and the one in line "
        "%d; URDF describes trees only: remove one joint, and close the loop with an equality "
        "constraint (connect or weld) in MJCF",
        c->name, c->joint->line);
  }
  if (strcmp(c->name, "world") == 0) {
    return xml_fail(&r->xml, SN_EPARSE, joint, NULL,
                    "the link \"world\" is the fixed world and "
                    "cannot be a child; give it another name");
  }
  c->joint = joint;
  c->parent = parent;
  if (p && p->last < 0) {
    p->first = child;
  } else if (p) {
    r->link[p->last].next = child;
  }
  if (p) {
    p->last = child;
  }
  return SN_OK;
}

static int is_world(const urdf_link *link) {
  return !link->joint && strcmp(link->name, "world") == 0;
}

// Is one of its children on a floating joint? Then the link represents the world, where free joints
// are.
static int carries_floating(const urdf_reader *r, const urdf_link *link) {
  for (int32_t i = link->first; i >= 0; i = r->link[i].next) {
    if (urdf_is_floating(r->link[i].joint)) {
      return 1;
    }
  }
  return 0;
}

// Does the parameter floating_base give it a free joint? It may be a root, or with `true` a link
// which is fixed to the world.
static int floats(const urdf_reader *r, const urdf_link *link) {
  if (r->params->floating == URDF_FIXED || carries_floating(r, link)) {
    return 0;
  }
  const int below_world = link->joint && urdf_is_fixed(link->joint) &&
                          (link->parent < 0 || is_world(&r->link[link->parent]));
  return (!link->joint && !is_world(link)) || (below_world && r->params->floating == URDF_FLOATING);
}

int urdf_moves(const urdf_reader *r, const urdf_link *link) {
  return floats(r, link) || (link->joint && !urdf_is_fixed(link->joint));
}

// Named LINK_free, or not at all where the file has a joint of that name.
static sn_status add_free_joint(urdf_reader *r, const urdf_link *link) {
  const sn_location location = xml_location(link->node);
  sn_joint_def d;
  int32_t id;
  sn_default_joint(&d);
  char *name = xml_join(&r->doc.arena, link->name, "_free");
  if (!name) {
    return urdf_no_memory(r, link->node);
  }
  d.name = name;
  for (const xml_node *n = r->robot->first; n; n = n->next) {
    const xml_attr *a = strcmp(n->name, "joint") == 0 ? xml_find_attr(n, "name") : NULL;
    d.name = a && strcmp(a->value, name) == 0 ? NULL : d.name;
  }
  d.body = link->body;
  d.type = SN_JOINT_FREE;
  return r->b->add_joint(r->b->spec, &d, &location, &id, r->xml.error);
}

static sn_status add_link(urdf_reader *r, urdf_link *link) {
  const sn_location location = xml_location(link->node);
  sn_body_def d;
  sn_default_body(&d);
  if (is_world(link)) {
    return xml_find_child(link->node, "inertial")
               ? urdf_note_that(r, link->node, NULL,
                                "the world does not move; its inertial is ignored")
               : SN_OK;
  }
  d.name = link->name;
  d.parent = link->parent < 0 ? 0 : r->link[link->parent].body;
  if (link->joint) {
    SN_TRY(urdf_origin(r, link->joint, d.pos, d.orient.quat));
  }
  SN_TRY(urdf_read_inertial(r, link->node, &d));
  SN_TRY(r->b->add_body(r->b->spec, &d, &location, &link->body, r->xml.error));
  if (floats(r, link)) {
    return add_free_joint(r, link);
  }
  return link->joint ? urdf_read_joint(r, link->joint, link->body) : SN_OK;
}

// A root and all below it, parents before children, siblings as their joints are written.
static sn_status add_below(urdf_reader *r, int32_t root, int64_t *added) {
  int32_t i = root;
  for (;;) {
    SN_TRY(add_link(r, &r->link[i]));
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

// One root carries all others.
static sn_status check_roots(urdf_reader *r, const urdf_link *second, int64_t roots) {
  const int32_t world = urdf_find_link(r, "world");
  if (!second) {
    return SN_OK;
  }
  return urdf_leave(
      r, second->node, NULL,
      "%lld links are not the child of any joint, but URDF allows only one root link; each of "
      "them%s %s",
      (long long)roots,
      r->params->floating != URDF_FIXED && world >= 0 ? ", except \"world\"," : "",
      r->params->floating == URDF_FIXED ? "is fixed to the world" : "is given a free joint");
}

static sn_status add_links(urdf_reader *r) {
  const urdf_link *second = NULL;
  int64_t added = 0, roots = 0;
  for (int32_t i = 0; i < r->nlink; i++) {
    const urdf_link *link = &r->link[i];
    if (!link->joint || link->parent < 0) {
      SN_TRY(add_below(r, i, &added));
      second = !link->joint && ++roots == 2 ? link : second;
    }
    if (!link->joint && !is_world(link) && !floats(r, link) && !carries_floating(r, link)) {
      SN_TRY(urdf_note_that(r, link->node, NULL,
                            "the root link \"%.200s\" is fixed to the world; "
                            "set plugin.urdf.floating_base to auto to give it a free joint",
                            link->name));
    }
  }
  for (int32_t i = 0; i < r->nlink && added < r->nlink; i++) {
    if (!r->link[i].reached) {
      return xml_fail(&r->xml, SN_EPARSE, r->link[i].node, NULL,
                      "the link \"%.200s\" is in a loop of joints, or below one; URDF describes "
                      "trees only",
                      r->link[i].name);
    }
  }
  return check_roots(r, second, roots);
}

// ------------------------------------------------------------------ the document

static sn_status read_document(urdf_reader *r) {
  sn_source *source = r->source;
  SN_TRY(xml_parse(&r->doc, source, r->xml.error));
  r->robot = r->doc.root;
  if (strcmp(r->robot->name, "robot") != 0) {
    return xml_fail(&r->xml, SN_EPARSE, r->robot, NULL, "the root of URDF is <robot>, not <%.80s>",
                    r->robot->name);
  }
  const xml_attr *name = xml_find_attr(r->robot, "name");
  if (name) {
    SN_TRY(xml_name_model(&r->xml, r->b, r->robot, name));
  }
  SN_TRY(urdf_check(r, r->robot));
  SN_TRY(urdf_read_extension(r, r->robot));
  SN_TRY(collect_links(r));
  for (const xml_node *n = r->robot->first; n; n = n->next) {
    if (strcmp(n->name, "joint") == 0) {
      SN_TRY(connect(r, n));
    }
  }
  SN_TRY(add_links(r));
  for (int64_t i = 0; i < r->nlink; i++) {   // meshes are numbered as the links are written
    SN_TRY(urdf_read_shapes(r, &r->link[i]));
  }
  SN_TRY(urdf_check_masses(r));
  SN_TRY(urdf_read_mimics(r));
  SN_TRY(urdf_read_transmissions(r));
  SN_TRY(urdf_read_actuators(r));
  return urdf_tell_notes(r);
}

sn_status urdf_load(const void *self, sn_source *source, const sn_builder *builder,
                    sn_error *error) {
  urdf_reader r = { .b = builder, .params = self, .source = source, .meshdir = "" };
  r.last_note = &r.notes;
  r.doc.arena.host = builder->host;
  r.xml = (xml_reader){ builder->host, error };
  sn_status status = read_document(&r);
  xml_arena_free(&r.doc.arena);
  return status;
}
