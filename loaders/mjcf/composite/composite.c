// SPDX-License-Identifier: Apache-2.0
//
// Reading a composite object: its attributes and parts, with the defaults of its type, into one
// struct; then checks; then the builder of the type.

#include <stdio.h>
#include <string.h>

#include "mjcf/composite/composite.h"

// the most points that an object may have: more is a mistake
enum { MOST_POINTS = 200000 };

// ------------------------------------------------------------------ types

#define JOINT(kind) (1u << COMPOSITE_##kind)
#define ALL_JOINTS (JOINT(MAIN) | JOINT(TWIST) | JOINT(STRETCH))
#define ALL_TENDONS (JOINT(MAIN) | JOINT(SHEAR))
#define POINT_GEOMS (1u << SN_GEOM_SPHERE | 1u << SN_GEOM_CAPSULE | 1u << SN_GEOM_ELLIPSOID)
#define LINK_GEOMS (1u << SN_GEOM_CAPSULE | 1u << SN_GEOM_CYLINDER | 1u << SN_GEOM_BOX)

#define SHELL                                                                             \
  {                                                                                       \
    .dim_min = 3, .dim_max = 3, .joints = JOINT(MAIN), .tendons = JOINT(MAIN), .skin = 1, \
    .geoms = POINT_GEOMS, .build = composite_shell                                        \
  }

// clang-format off
static const composite_type types[COMPOSITE_TYPES] = {
  [COMPOSITE_PARTICLE] = { .dim_min = 0, .dim_max = 3, .joints = JOINT(MAIN),
                           .geoms = POINT_GEOMS, .build = composite_particle },
  [COMPOSITE_GRID] = { .dim_min = 0, .dim_max = 2, .joints = JOINT(MAIN), .tendons = ALL_TENDONS,
                       .skin = 1, .site = 1, .pin = 1, .geoms = POINT_GEOMS,
                       .build = composite_grid },
  [COMPOSITE_ROPE] = { .dim_min = 1, .dim_max = 1, .joints = ALL_JOINTS,
                       .geoms = POINT_GEOMS, .build = composite_rope },
  [COMPOSITE_LOOP] = { .dim_min = 1, .dim_max = 1, .joints = ALL_JOINTS,
                       .geoms = POINT_GEOMS, .build = composite_loop },
  [COMPOSITE_CLOTH] = { .dim_min = 2, .dim_max = 2, .joints = ALL_JOINTS, .tendons = ALL_TENDONS,
                        .skin = 1, .site = 1, .geoms = POINT_GEOMS, .build = composite_cloth },
  [COMPOSITE_BOX] = SHELL,
  [COMPOSITE_CYLINDER] = SHELL,
  [COMPOSITE_ELLIPSOID] = SHELL,
  [COMPOSITE_CABLE] = { .dim_min = 1, .dim_max = 1, .joints = JOINT(MAIN), .site = 1,
                        .geoms = LINK_GEOMS, .begin = composite_cable_points,
                        .build = composite_cable },
};

// ------------------------------------------------------------------ defaults

static const composite_softness usual = { { SN_DEFAULT_SOLREF }, { SN_DEFAULT_SOLIMP } };
static const composite_softness hard = { { 0.01, 1 }, { 0.99, 0.99, 0.001, 0.5, 2 } };
static const composite_softness soft = { { 0.02, 1 }, { 0.9, 0.9, 0.001, 0.5, 2 } };
// clang-format on

static int is_shell(int32_t type) {
  return types[type].build == composite_shell;
}

// everything that the element does not say; what is for looking at the physics is in group 3,
// which viewers hide, and so is what a skin covers
static void set_defaults(mjcf_composite *c, int32_t type, int has_skin) {
  enum { HIDDEN = 3 };
  int32_t covered = has_skin && types[type].skin ? HIDDEN : 0;
  *c = (mjcf_composite){ .prefix = "", .type = type, .count = { 1, 1, 1 }, .size = { 1, 0, 0 } };
  c->smooth = is_shell(type) ? soft : type == COMPOSITE_LOOP ? hard : usual;
  for (int k = 0; k < COMPOSITE_JOINTS; k++) {
    sn_default_joint(&c->joint[k].def);
    c->joint[k].def.limited = SN_AUTO;
    c->joint[k].def.group = HIDDEN;
    c->joint[k].fix = is_shell(type) ? soft : usual;
  }
  for (int k = 0; k < COMPOSITE_TENDONS; k++) {
    sn_default_tendon(&c->tendon[k].def);
    c->tendon[k].def.limited = SN_AUTO;
    c->tendon[k].def.group = covered;
    int keeps = k == COMPOSITE_MAIN && (type == COMPOSITE_GRID || is_shell(type));
    c->tendon[k].fix = keeps ? hard : usual;
  }
  sn_default_skin(&c->skin.def);
  SN_SET(c->skin.def.rgba, 1, 1, 1, 1);
  c->quat[0] = 1;
  sn_default_geom(&c->geom);
  c->geom.group = covered;
  sn_default_site(&c->site);
  c->site.group = HIDDEN;

  // particles slip on everything; points of a shell do not touch each other
  if (type == COMPOSITE_PARTICLE) {
    c->geom.condim = 1;
    c->geom.priority = 1;
  }
  if (is_shell(type)) {
    c->geom.contype = 0;
  }
}

// ------------------------------------------------------------------ parts

#define READ_KIND(what)                                     \
  do {                                                      \
    composite_##what part = { 0 };                          \
    SN_TRY(mjcf_fill(r, e, node, &part));                 \
    composite_##what *all = &r->composite->what[part.kind]; \
    all->given = 1;                                         \
    return mjcf_fill(r, e, node, all);                      \
  } while (0)

// elements of one kind add up
sn_status mjcf_read_composite_joint(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  READ_KIND(joint);
}

sn_status mjcf_read_composite_tendon(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  READ_KIND(tendon);
}

sn_status mjcf_read_composite_part(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  return mjcf_fill(r, e, node, (char *)r->composite + e->target);
}

sn_status mjcf_read_composite_pin(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  mjcf_composite *c = r->composite;
  composite_pin *pin = xml_alloc(&r->doc.arena, sizeof *pin);
  if (!pin) {
    return mjcf_no_memory(r, node);
  }
  SN_TRY(mjcf_fill(r, e, node, pin));
  pin->next = c->pin;
  c->pin = pin;
  if (pin->coord[0] < 0 || pin->coord[0] >= c->count[0] || pin->coord[1] < 0 ||
      pin->coord[1] >= c->count[1]) {
    sn_location location = xml_location(node);
    return r->builder->warn(r->spec, &location,
                            "this pin is outside of the grid and has no effect");
  }
  return SN_OK;
}

// ------------------------------------------------------------------ checks

static const char *word_of(const mjcf_composite *c) {
  return xml_find_attr(c->node, "type")->value;
}

// the grid of points: the attributes that say it, and what they say
static sn_status check_required(mjcf_reader *r, const mjcf_composite *c) {
  static const char *const required[] = { "count", "spacing" };
  for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
    if (!xml_find_attr(c->node, required[i])) {
      return xml_fail(&r->xml, SN_EPARSE, c->node, NULL, "composite: attribute \"%s\" is required",
                      required[i]);
    }
  }
  if (!(c->spacing > 0)) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, xml_find_attr(c->node, "spacing"),
                    "composite: spacing must be positive");
  }
  return SN_OK;
}

// counts: positive, as many above one as the type has dimensions, those first
static sn_status check_count(mjcf_reader *r, const mjcf_composite *c) {
  const composite_type *type = &types[c->type];
  const xml_attr *a = xml_find_attr(c->node, "count");
  int64_t points = 1;
  int32_t dim = 0;
  for (int i = 0; i < 3; i++) {
    if (c->count[i] < 1) {
      return xml_fail(&r->xml, SN_EPARSE, c->node, a, "composite: count must be at least 1");
    }
    if (c->count[i] > 1 && dim < i) {
      return xml_fail(&r->xml, SN_EPARSE, c->node, a,
                      "composite: counts of 1 must come last; write count=\"%d 1 1\" for a row",
                      c->count[i]);
    }
    dim += c->count[i] > 1;
    points *= c->count[i];
    if (points > MOST_POINTS) {
      return xml_fail(&r->xml, SN_EPARSE, c->node, a,
                      "composite: the count makes more than %d points", MOST_POINTS);
    }
  }
  if (dim < type->dim_min || dim > type->dim_max) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, a,
                    "composite: a %s has %s%d dimension%s; this count has %d above 1", word_of(c),
                    type->dim_min < type->dim_max ? "at most " : "", type->dim_max,
                    type->dim_max > 1 ? "s" : "", dim);
  }
  return SN_OK;
}

static sn_status check_skin(mjcf_reader *r, const mjcf_composite *c) {
  enum { MOST_VERTICES = 300000 };
  const xml_node *node = xml_find_child(c->node, "skin");
  if (c->type == COMPOSITE_GRID && c->count[1] < 2) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "skin: a grid must have two dimensions to have a skin; raise the second count");
  }
  if (c->skin.def.group < 0 || c->skin.def.group > 5) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "group"),
                    "skin: group must be from 0 to 5");
  }
  if (c->skin.subgrid <= 0 || is_shell(c->type)) {   // not refined
    return SN_OK;
  }
  if (c->count[0] < 3 || c->count[1] < 3) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "subgrid"),
                    "skin: a subgrid needs a count of at least 3 3");
  }
  double fine = 1.0 + c->skin.subgrid;   // steps between two points
  if (fine * fine * c->count[0] * c->count[1] > MOST_VERTICES) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "subgrid"),
                    "skin: this subgrid makes more than %d vertices", MOST_VERTICES);
  }
  return SN_OK;
}

static sn_status check_values(mjcf_reader *r, const mjcf_composite *c) {
  if (!(types[c->type].geoms & 1u << c->geom.type)) {
    const xml_node *geom = xml_find_child(c->node, "geom");
    return xml_fail(
        &r->xml, SN_EPARSE, geom ? geom : c->node, NULL, "geom: in a %s its type must be %s",
        c->type == COMPOSITE_CABLE ? "cable" : "composite",
        c->type == COMPOSITE_CABLE ? "capsule, cylinder or box" : "sphere, capsule or ellipsoid");
  }
  if (c->tendon[COMPOSITE_SHEAR].given && c->type == COMPOSITE_GRID && c->count[1] < 2) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, NULL,
                    "composite: a tendon of kind shear requires a grid of two dimensions");
  }
  if (r->settings.compiler.global) {
    return xml_fail(
        &r->xml, SN_EPARSE, c->node, NULL,
        "composite: requires local coordinates; set the compiler's coordinate to local");
  }
  return c->skin.given && types[c->type].skin ? check_skin(r, c) : SN_OK;
}

static sn_status warn_unused_attributes(mjcf_reader *r, const mjcf_composite *c) {
  static const char *const of_cables[] = { "curve", "size", "vertex", "initial", "quat" };
  static const char *const of_others[] = { "spacing", "solrefsmooth", "solimpsmooth" };
  int cable = c->type == COMPOSITE_CABLE;
  const char *const *unused = cable ? of_others : of_cables;
  int n = cable ? (int)(sizeof of_others / sizeof *of_others)
                : (int)(sizeof of_cables / sizeof *of_cables);
  for (int i = 0; i < n; i++) {
    if (xml_find_attr(c->node, unused[i])) {
      char text[96];
      snprintf(text, sizeof text, "%s applies to composites of %s only", unused[i],
               cable ? "other types" : "type cable");
      SN_TRY(r->builder->warn(r->spec, &c->location, text));
    }
  }
  return SN_OK;
}

// what the type has no use for
static sn_status warn_unused(mjcf_reader *r, const mjcf_composite *c) {
  const composite_type *type = &types[c->type];
  SN_TRY(warn_unused_attributes(r, c));
  const struct {
    int unused;
    const char *text;
  } list[] = {
    { c->joint[COMPOSITE_TWIST].given && !(type->joints & JOINT(TWIST)),
      "this composite has no joints of kind twist" },
    { c->joint[COMPOSITE_STRETCH].given && !(type->joints & JOINT(STRETCH)),
      "this composite has no joints of kind stretch" },
    { c->tendon[COMPOSITE_MAIN].given && !(type->tendons & JOINT(MAIN)),
      "this composite has no tendons" },
    { c->tendon[COMPOSITE_SHEAR].given && !(type->tendons & JOINT(SHEAR)),
      "this composite has no tendons of kind shear" },
    { c->skin.given && !type->skin, "this composite has no skin" },
    { xml_find_child(c->node, "site") && !type->site, "this composite has no sites" },
    { c->pin && !type->pin, "this composite cannot be pinned" },
    { c->flatinertia > 0 && c->type != COMPOSITE_CLOTH,
      "flatinertia applies to composites of type cloth only" },
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (list[i].unused) {
      SN_TRY(r->builder->warn(r->spec, &c->location, list[i].text));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the element

sn_status mjcf_read_composite(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  // the type first: it has its own defaults
  mjcf_composite c = { .type = 0 };
  const xml_node *skin = xml_find_child(node, "skin");
  SN_TRY(mjcf_fill(r, e, node, &c));
  set_defaults(&c, c.type, skin != NULL);
  c.node = node;
  c.location = xml_location(node);
  c.parent = r->body;
  c.skin.given = skin != NULL;
  SN_TRY(mjcf_fill(r, e, node, &c));
  if (!c.prefix) {
    c.prefix = "";
  }
  if (types[c.type].begin) {
    SN_TRY(types[c.type].begin(r, &c));
  } else {
    SN_TRY(check_required(r, &c));
    SN_TRY(check_count(r, &c));
  }
  c.dim = types[c.type].dim_max;
  r->composite = &c;
  sn_status status = mjcf_read_children(r, e, node);
  r->composite = NULL;
  SN_TRY(status);

  SN_TRY(check_values(r, &c));
  SN_TRY(warn_unused(r, &c));
  return types[c.type].build(r, &c);
}
