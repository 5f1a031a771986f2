// SPDX-License-Identifier: Apache-2.0
//
// What a file says to plugins, which is not MJCF's own: config elements in general actuators,
// plugin sensors and forces, and the passive forces and contact modifiers that a model names.
//
//   <config key="gain" value="2"/>        "gain=2\n" in the attributes of a definition

#include <string.h>

#include "mjcf/read/read.h"

static sn_status read_config(mjcf_reader *r, const mjcf_element *e, const xml_node *node,
                             mjcf_config *c) {
  *c = (mjcf_config){ .value = NULL };
  SN_TRY(mjcf_fill(r, e, node, c));
  c->value = c->value ? c->value : "";
  if (strpbrk(c->key, "=\n") || strchr(c->value, '\n')) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "config: a key must not contain '=', and neither key nor value a line break");
  }
  return SN_OK;
}

sn_status mjcf_read_configs(mjcf_reader *r, const mjcf_element *e, const xml_node *node,
                            const char **attributes) {
  // room for all
  size_t bytes = 1;
  mjcf_config c;
  for (const xml_node *child = node->first; child; child = child->next) {
    SN_TRY(read_config(r, e->children, child, &c));
    bytes += strlen(c.key) + strlen(c.value) + 2;
  }
  if (!node->first) {
    return SN_OK;
  }
  char *text = xml_alloc(&r->doc.arena, bytes), *end = text;
  if (!text) {
    return mjcf_no_memory(r, node);
  }
  *attributes = text;

  // a line each
  *end = 0;
  for (const xml_node *child = node->first; child; child = child->next) {
    SN_TRY(read_config(r, e->children, child, &c));
    end = stpcpy(stpcpy(stpcpy(stpcpy(end, c.key), "="), c.value), "\n");
  }
  return SN_OK;
}

// The type of a force is its name, that of another kind "KIND/NAME".
static sn_status prefix_type(mjcf_reader *r, const mjcf_element *e, const xml_node *node,
                             const char **type) {
  if (strcmp(e->name, "force") == 0) {
    return SN_OK;
  }
  char *text = xml_alloc(&r->doc.arena, strlen(e->name) + strlen(*type) + 2);
  if (!text) {
    return mjcf_no_memory(r, node);
  }
  stpcpy(stpcpy(stpcpy(text, e->name), "/"), *type);
  *type = text;
  return SN_OK;
}

sn_status mjcf_read_force(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_force_def def;
  sn_default_force(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  SN_TRY(prefix_type(r, e, node, &def.type));
  SN_TRY(mjcf_read_configs(r, e, node, &def.attributes));
  sn_location location = xml_location(node);
  int32_t id;
  return r->builder->add_force(r->spec, &def, &location, &id, r->error);
}
