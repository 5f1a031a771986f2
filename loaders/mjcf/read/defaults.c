// SPDX-License-Identifier: Apache-2.0
//
// Classes. All top-level default sections are one class, which the last of them names ("main" when
// it does not say). A nested section makes a class that starts as a copy of the one around it,
// with all that is set there, wherever inside it the nested section stands.

#include "mjcf/read/read.h"

#include <string.h>

void mjcf_default_class(mjcf_class *c) {
  memset(c, 0, sizeof *c);
  c->name = "main";
  sn_default_joint(&c->joint);
  sn_default_geom(&c->geom);
  sn_default_site(&c->site);
  sn_default_camera(&c->camera.def);
  c->camera.resolution[0] = c->camera.resolution[1] = 1;
  sn_default_light(&c->light);
  sn_default_mesh(&c->mesh);
  sn_default_material(&c->material);
  sn_default_equality(&c->equality);
  sn_default_tendon(&c->tendon);
  sn_default_actuator(&c->actuator);

  // in this format limits that are not spoken of follow from their ranges
  c->joint.limited = c->tendon.limited = SN_AUTO;
  c->joint.actfrclimited = c->tendon.actfrclimited = SN_AUTO;
  c->actuator.ctrllimited = c->actuator.forcelimited = c->actuator.actlimited = SN_AUTO;

  // a pair of this format is not mixed from its geoms: it has the parameters of default geoms
  const sn_geom_def *g = &c->geom;
  const double friction[5] = { g->friction[0], g->friction[0], g->friction[1], g->friction[2],
                               g->friction[2] };
  sn_default_pair(&c->pair);
  c->pair.condim = g->condim;
  sn_set_reals(c->pair.friction, 5, friction);
  sn_set_reals(c->pair.solref, 2, g->solref);
  sn_set_reals(c->pair.solimp, 5, g->solimp);
  c->pair.margin = g->margin;
  c->pair.gap = g->gap;
}

sn_status mjcf_make_top_class(mjcf_reader *r, const xml_node *root) {
  mjcf_class *c = xml_alloc(&r->doc.arena, sizeof *c);
  if (!c) {
    return mjcf_no_memory(r, root);
  }
  mjcf_default_class(c);
  r->classes = c;
  r->active = NULL;
  return SN_OK;
}

sn_status mjcf_find_class(mjcf_reader *r, const xml_node *node, const char *attr,
                          const mjcf_class **class) {
  *class = r->active;
  const xml_attr *a = xml_find_attr(node, attr);
  if (!a || !a->value[0]) {
    return SN_OK;
  }
  xml_nearest nearest = { NULL, 0 };
  for (const mjcf_class *c = r->classes; c; c = c->next) {
    if (strcmp(c->name, a->value) == 0) {
      *class = c;
      return SN_OK;
    }
    xml_offer(&nearest, a->value, c->name);
  }
  return xml_fail(&r->xml, SN_EPARSE, node, a, "%s: no default class \"%.80s\"%s%s%s", node->name,
                  a->value, nearest.best ? "; did you mean \"" : "",
                  nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
}

// the class of a section: the top-level class, or a new one
static sn_status open_class(mjcf_reader *r, const xml_node *node, mjcf_class **class) {
  const xml_attr *a = xml_find_attr(node, "class");
  const char *name = a && a->value[0] ? a->value : NULL;
  if (!name && r->active) {
    return xml_fail(&r->xml, SN_EPARSE, node, a,
                    "default: a nested class must have a name (attribute class)");
  }
  name = name ? name : "main";

  // names are unique; a top-level section may repeat its own
  mjcf_class *last = r->classes;
  for (mjcf_class *c = r->classes; c; c = c->next) {
    if (strcmp(c->name, name) == 0 && (r->active || c != r->classes)) {
      return xml_fail(&r->xml, SN_EPARSE, node, a, "default: class \"%s\" is defined twice", name);
    }
    last = c;
  }
  if (!r->active) {
    *class = r->classes;
    r->classes->name = name;
    return SN_OK;
  }

  mjcf_class *c = xml_alloc(&r->doc.arena, sizeof *c);
  if (!c) {
    return mjcf_no_memory(r, node);
  }
  *c = *r->active;
  c->name = name;
  c->next = NULL;
  last->next = c;
  *class = c;
  return SN_OK;
}

// the elements of a section that are no sections
static sn_status read_dummies(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  for (const xml_node *child = node->first; child; child = child->next) {
    const mjcf_element *c = e->children;
    while (strcmp(c->name, child->name) != 0) {
      c++;
    }
    if (c->count != 'R') {
      SN_TRY(c->read(r, c, child));
    }
  }
  return SN_OK;
}

sn_status mjcf_read_default(mjcf_reader *r, const mjcf_element *e, const xml_node *top) {
  const mjcf_class *around = r->active;
  for (xml_walk walk = { .top = (xml_node *)(uintptr_t)top }; xml_step(&walk);) {
    if (strcmp(walk.node->name, e->name) != 0) {
      continue;
    }
    if (walk.leaving) {
      r->active = walk.node == top ? around : r->active->outer;
      continue;
    }
    mjcf_class *class = NULL;
    SN_TRY(open_class(r, walk.node, &class));
    class->outer = r->active;
    r->active = class;
    SN_TRY(read_dummies(r, e, walk.node));
  }
  return SN_OK;
}

// the class being read; elsewhere r->active is constant
static mjcf_class *current(mjcf_reader *r) {
  mjcf_class *c = r->classes;
  while (c != r->active) {
    c = c->next;
  }
  return c;
}

sn_status mjcf_read_dummy(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  return mjcf_fill(r, e, node, (char *)current(r) + e->target);
}

sn_status mjcf_read_dummy_actuator(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  mjcf_class *class = current(r);
  mjcf_actuator a = { .def = class->actuator,
                      .class_kv = class->kv,
                      .class_dampratio = class->actuator.dampratio };
  SN_TRY(mjcf_fill_actuator(r, e, node, &a));
  class->actuator = a.def;
  class->kv = a.class_kv;
  return SN_OK;
}

// the engines of this format take the element and do nothing with it
sn_status mjcf_read_dummy_adhesion(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  (void)e;
  sn_location location = xml_location(node);
  return r->builder->warn(r->spec, &location,
                          "adhesion has no defaults; specify its attributes in <actuator>");
}
