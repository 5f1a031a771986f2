// SPDX-License-Identifier: Apache-2.0
//
// What lies outside of the tree and refers to it by names: contact, equality, tendon, sensor,
// custom data, keyframes.

#include "mjcf/read/read.h"

#include <string.h>

#define ADD(kind)                                                        \
  do {                                                                   \
    sn_location location = xml_location(node);                                    \
    int32_t id;                                                          \
    return r->builder->add_##kind(r->spec, &def, &location, &id, r->error); \
  } while (0)

static int64_t count_children(const xml_node *node) {
  int64_t n = 0;
  for (const xml_node *child = node->first; child; child = child->next) {
    n++;
  }
  return n;
}

// ------------------------------------------------------------------ contact, equality

sn_status mjcf_read_pair(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  const mjcf_class *class;
  SN_TRY(mjcf_find_class(r, node, "class", &class));
  sn_pair_def def = class->pair;
  SN_TRY(mjcf_fill(r, e, node, &def));
  ADD(pair);
}

sn_status mjcf_read_exclude(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_exclude_def def;
  sn_default_exclude(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  ADD(exclude);
}

// connect and weld relate bodies, or sites
static sn_status name_objects(mjcf_reader *r, const xml_node *node, mjcf_equality *eq) {
  if (!eq->site1 && !eq->site2) {
    const char *missing = !eq->def.obj1 ? "body1"
                          : eq->def.type == SN_EQUALITY_CONNECT && !xml_find_attr(node, "anchor")
                              ? "anchor"
                              : NULL;
    return missing ? xml_fail(&r->xml, SN_EPARSE, node, NULL,
                              "%s: attribute \"%s\" is required, unless site1 and site2 are given",
                              node->name, missing)
                   : SN_OK;
  }
  static const char *const others[] = { "body1", "body2", "anchor", "relpose" };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const xml_attr *a = xml_find_attr(node, others[i]);
    if (a) {
      return xml_fail(&r->xml, SN_EPARSE, node, a, "%s: %s cannot be combined with site1 and site2",
                      node->name, a->name);
    }
  }
  if (!eq->site1 || !eq->site2) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "%s: site1 and site2 must be specified together", node->name);
  }
  eq->def.obj1 = eq->site1;
  eq->def.obj2 = eq->site2;
  eq->def.sites = 1;
  return SN_OK;
}

sn_status mjcf_read_equality(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  const mjcf_class *class;
  SN_TRY(mjcf_find_class(r, node, "class", &class));
  mjcf_equality eq = { .def = class->equality };
  eq.def.type = *(const int32_t *)e->detail;
  SN_TRY(mjcf_fill(r, e, node, &eq));
  if (eq.def.type == SN_EQUALITY_CONNECT || eq.def.type == SN_EQUALITY_WELD) {
    SN_TRY(name_objects(r, node, &eq));
  } else if (eq.def.type == SN_EQUALITY_PLUGIN) {
    SN_TRY(mjcf_read_configs(r, e, node, &eq.def.attributes));
  }
  const sn_equality_def def = eq.def;
  ADD(equality);
}

sn_status mjcf_read_removed(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  (void)e;
  return xml_fail(&r->xml, SN_EUNSUPPORTED, node, NULL,
                  "<%s> was removed from the format in version 2.2.2", node->name);
}

// ------------------------------------------------------------------ tendons

sn_status mjcf_read_wrap(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_wrap_def *wrap = &r->wrap[r->nwrap++];
  wrap->type = *(const int32_t *)e->detail;
  return mjcf_fill(r, e, node, wrap);
}

sn_status mjcf_read_tendon(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  const mjcf_class *class;
  SN_TRY(mjcf_find_class(r, node, "class", &class));
  sn_tendon_def def = class->tendon;
  SN_TRY(mjcf_fill(r, e, node, &def));

  // its path
  int64_t n = count_children(node);
  if (n == 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL, "%s: the tendon is empty; add %s", node->name,
                    strcmp(node->name, "fixed") ? "two sites or more" : "a joint");
  }
  r->nwrap = 0;
  r->wrap = xml_alloc(&r->doc.arena, (size_t)n * sizeof(sn_wrap_def));
  if (!r->wrap) {
    return mjcf_no_memory(r, node);
  }
  SN_TRY(mjcf_read_children(r, e, node));
  def.wrap = r->wrap;
  def.nwrap = r->nwrap;
  ADD(tendon);
}

// ------------------------------------------------------------------ sensors

sn_status mjcf_read_sensor(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_sensor_def def;
  sn_default_sensor(&def);
  def.type = e->name;
  def.objtype = e->detail;
  SN_TRY(mjcf_fill(r, e, node, &def));
  SN_TRY(mjcf_read_configs(r, e, node, &def.attributes));
  if (!def.reftype != !def.refobject) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "%s: %s is specified and %s is not; specify both or none", node->name,
                    def.reftype ? "reftype" : "refname", def.reftype ? "refname" : "reftype");
  }
  ADD(sensor);
}

// ------------------------------------------------------------------ custom data, keyframes

sn_status mjcf_read_numeric(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_numeric_def def;
  sn_default_numeric(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  const xml_attr *size = xml_find_attr(node, "size");
  if (size ? def.length < 1 : def.data.n < 1) {
    return xml_fail(&r->xml, SN_EPARSE, node, size,
                    size ? "numeric: size must be at least 1; or remove it, and specify data"
                         : "numeric: it has neither size nor data; specify one of them");
  }
  if (size && def.data.n > def.length) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "data"),
                    "numeric: data has %lld numbers, more than size, %lld", (long long)def.data.n,
                    (long long)def.length);
  }
  ADD(numeric);
}

sn_status mjcf_read_text(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_text_def def;
  sn_default_text(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  ADD(text);
}

sn_status mjcf_read_tuple_item(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  return mjcf_fill(r, e, node, &r->item[r->nitem++]);
}

sn_status mjcf_read_tuple(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_tuple_def def;
  sn_default_tuple(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  int64_t n = count_children(node);
  if (n == 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL, "tuple: \"%s\" is empty", def.name);
  }
  r->nitem = 0;
  r->item = xml_alloc(&r->doc.arena, (size_t)n * sizeof(sn_tuple_item));
  if (!r->item) {
    return mjcf_no_memory(r, node);
  }
  SN_TRY(mjcf_read_children(r, e, node));
  def.item = r->item;
  def.nitem = r->nitem;
  ADD(tuple);
}

sn_status mjcf_read_key(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_key_def def;
  sn_default_key(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  ADD(key);
}
