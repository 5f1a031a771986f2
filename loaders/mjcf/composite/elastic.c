// SPDX-License-Identifier: Apache-2.0
//
// Elasticity of cables. The format says it as a plugin, mujoco.elasticity.cable, with two moduli:
//
//   <plugin plugin="mujoco.elasticity.cable"> <config key="bend" value="4e6"/> ... </plugin>
//
// A joint between two links of length L stands for as much of a rod, whose torque by the turn is
//
//   about x   twist J / L            about y   bend Iy / L          about z   bend Iz / L
//
// with the section's torsion constant J and second moments of area. That is a spring of a ball
// joint with a number for each axis, at rest as the cable is made, or, when it is flat, straight.
//
//   round, radius r      J = pi r^4 / 2             Iy = Iz = pi r^4 / 4
//   box, 2b by 2a        J = a b^3 (16/3 - 3.36 b/a (1 - b^4 / (12 a^4))), b <= a    Iy = 4/3 y z^3
//
// Young, Budynas: Roark's formulas for stress and strain, table 10.7.

#include <math.h>
#include <string.h>

#include "mjcf/composite/composite.h"
#include "sinew/math.h"

static const char plugin_name[] = "mujoco.elasticity.cable";

// ------------------------------------------------------------------ attributes

static int is_cable_plugin(const xml_attr *name) {
  return name && strcmp(name->value, plugin_name) == 0;
}

static sn_status unknown_plugin(mjcf_reader *r, const xml_node *node, const xml_attr *name) {
  return xml_fail(
      &r->xml, SN_EUNSUPPORTED, node, name,
      "plugin: \"%.80s\" is not supported; the supported plugin is \"%s\", in composites of type "
      "cable",
      name ? name->value : "", plugin_name);
}

static sn_status read_config(mjcf_reader *r, mjcf_composite *c, const xml_node *node) {
  static const struct {
    const char *key;
    size_t offset;
  } moduli[] = { { "twist", offsetof(mjcf_composite, twist) },
                 { "bend", offsetof(mjcf_composite, bend) } };
  const xml_attr *name = xml_find_attr(node, "key"), *value = xml_find_attr(node, "value");
  if (!name || !value) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "config: attributes \"key\" and \"value\" are required");
  }
  const char *key = name->value;
  for (size_t i = 0; i < sizeof moduli / sizeof *moduli; i++) {
    double *modulus = (double *)(void *)((char *)c + moduli[i].offset);
    if (strcmp(key, moduli[i].key) == 0) {
      SN_TRY(xml_read_reals(&r->xml, node, value, 1, 1, modulus, NULL));
      return *modulus >= 0
                 ? SN_OK
                 : xml_fail(&r->xml, SN_EPARSE, node, value, "config: %s is negative", key);
    }
  }
  if (strcmp(key, "flat") == 0) {
    const xml_word *word;
    SN_TRY(xml_read_word(&r->xml, node, value, mjcf_bool, &word));
    c->flat = (int32_t)word->value;
    return SN_OK;
  }
  // colors of a viewer begin and end there
  return strcmp(key, "vmax") == 0
             ? SN_OK
             : xml_fail(&r->xml, SN_EPARSE, node, NULL,
                        "config: %s has no key \"%.40s\"; its keys are twist, bend, flat, vmax",
                        plugin_name, key);
}

static sn_status read_configs(mjcf_reader *r, mjcf_composite *c, const xml_node *node) {
  for (const xml_node *child = node->first; child; child = child->next) {
    if (strcmp(child->name, "config") == 0) {
      SN_TRY(read_config(r, c, child));
    }
  }
  return SN_OK;
}

// An instance of the section extension; NULL: there is none.
static const xml_node *find_instance(const mjcf_reader *r, const char *name) {
  for (const xml_node *s = r->doc.root->first; s; s = s->next) {
    for (const xml_node *p = strcmp(s->name, "extension") == 0 ? s->first : NULL; p; p = p->next) {
      const int cable = strcmp(p->name, "plugin") == 0 &&
                        is_cable_plugin(xml_find_attr(p, "plugin"));
      for (const xml_node *i = cable ? p->first : NULL; i; i = i->next) {
        const xml_attr *a = xml_find_attr(i, "name");
        if (strcmp(i->name, "instance") == 0 && a && strcmp(a->value, name) == 0) {
          return i;
        }
      }
    }
  }
  return NULL;
}

sn_status mjcf_read_composite_plugin(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  mjcf_composite *c = r->composite;
  const xml_attr *name = xml_find_attr(node, "plugin");
  const xml_attr *instance = xml_find_attr(node, "instance");
  (void)e;
  if ((name || !instance) && !is_cable_plugin(name)) {
    return unknown_plugin(r, node, name);
  }
  if (c->type != COMPOSITE_CABLE) {
    return xml_fail(&r->xml, SN_EUNSUPPORTED, node, name,
                    "plugin: %s is for composites of type cable", plugin_name);
  }
  if (!instance) {
    return read_configs(r, c, node);
  }
  const xml_node *found = find_instance(r, instance->value);
  return found ? read_configs(r, c, found)
               : xml_fail(&r->xml, SN_EPARSE, node, instance,
                          "plugin: <extension> has no instance \"%.80s\" of %s", instance->value,
                          plugin_name);
}

// The section says which plugins a model uses; what it says of them is read where it is used.
sn_status mjcf_read_plugin(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  const xml_attr *name = xml_find_attr(node, "plugin");
  (void)e;
  return is_cable_plugin(name) ? SN_OK : unknown_plugin(r, node, name);
}

// ------------------------------------------------------------------ what it means

// J, Iy, Iz of the section of a geom.
static void section(const sn_geom_def *geom, double *out) {
  if (geom->type != SN_GEOM_BOX) {
    const double r = geom->size[0], fourth = r * r * r * r;
    out[0] = SN_PI / 2 * fourth;
    out[1] = out[2] = SN_PI / 4 * fourth;
    return;
  }
  const double y = geom->size[1], z = geom->size[2], a = fmax(y, z), b = fmin(y, z);
  const double ratio = a > 0 ? b / a : 0;
  out[0] = a * b * b * b * (16. / 3 - 3.36 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
  out[1] = 4. / 3 * y * z * z * z;
  out[2] = 4. / 3 * z * y * y * y;
}

sn_status composite_elastic(mjcf_reader *r, const mjcf_composite *c, double length,
                            const double *quat, sn_joint_def *def) {
  double moments[3];
  if (c->twist == 0 && c->bend == 0) {
    return SN_OK;
  }
  if (c->flat && def->stiffness != 0) {
    return xml_fail(
        &r->xml, SN_EPARSE, c->node, NULL,
        "composite: its joints have a stiffness, whose springs are at rest in the initial shape, "
        "and its plugin sets flat; remove one of the two");
  }
  section(&c->geom, moments);
  const double moduli[3] = { c->twist, c->bend, c->bend };
  for (int i = 0; i < 3; i++) {
    def->dof_stiffness[i] = def->stiffness + moduli[i] * moments[i] / length;
  }
  if (c->flat) {
    sn_conj_quat(def->springquat, quat);   // straight: the turn undoes that of the body
  }
  return SN_OK;
}
