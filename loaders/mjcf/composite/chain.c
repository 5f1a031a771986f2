// SPDX-License-Identifier: Apache-2.0
//
// Trees of bodies that start at the parent, which is one of the points itself: its name says
// which. Two hinges across the link make a universal joint; joints of kind twist and stretch along
// the link are added where the object has them, each held where it is by a constraint.
//
//   rope    B0 --- B1 --- B2 --- B3        from the parent towards both ends
//   loop    the same bent to a circle, its ends connected
//   cloth     |   |   |   |                a trunk along x through the parent, branches along y;
//           --o---o---o---o--              tendons along x between the branches, TS across cells
//             |   |   |   |
//
// Joints of ropes and loops are half-way between the points, those of a cloth at the point before.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/composite/composite.h"
#include "sinew/math.h"

// Where the next body is, seen from the one before it.
typedef struct link {
  double pos[3], quat[4];   // of the body in the one before it
  double joint[3];          // of the joints in the body
  int32_t along;            // axis of the link: 0 x, 1 y
  int32_t reserved;
} link;

// ------------------------------------------------------------------ the parent

// The coordinates of the parent, from its name.
static sn_status find_root(mjcf_reader *r, const mjcf_composite *c, int32_t *coord) {
  sn_body_def body;
  sn_default_body(&body);
  SN_TRY(r->builder->get_body(r->spec, c->parent, &body, r->error));
  const char *name = body.name ? body.name : "";
  size_t n = strlen(c->prefix);
  int good = strncmp(name, c->prefix, n) == 0 && name[n] == 'B';
  const char *text = good ? name + n + 1 : "";
  for (int i = 0; i < c->dim && good; i++) {
    char *end;
    long value = strtol(text, &end, 10);
    good = end > text && value >= 0 && value < c->count[i];
    coord[i] = good ? (int32_t)value : 0;
    if (good && i + 1 < c->dim) {
      good = *end == '_';
      text = end + good;
    }
  }
  if (!good) {
    return xml_fail(
        &r->xml, SN_EPARSE, c->node, NULL,
        "composite: the enclosing body is an element of the grid, so its name must be %sB and its "
        "index, each coordinate below count, as in %sB%s, not \"%.80s\"",
        c->prefix, c->prefix, c->dim > 1 ? "2_3" : "2", name);
  }
  if (r->frame.given) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, NULL,
                    "composite: a chain starts at the enclosing body and cannot be inside <frame>");
  }
  return SN_OK;
}

// ------------------------------------------------------------------ one body

// Boxes of a flat body: as wide as the spacing, flatinertia of that thick.
static void set_flat_inertia(const mjcf_composite *c, sn_body_def *body) {
  double mass = isnan(c->geom.mass) ? c->geom.density * composite_volume(&c->geom) : c->geom.mass;
  double s = c->spacing, t = c->flatinertia * c->spacing;
  body->inertial = 1;
  body->mass = mass;
  SN_SET(body->ipos, 0, 0, 0);
  sn_default_orient(&body->iorient);
  SN_SET_UNSET(body->fullinertia);
  SN_SET(body->diaginertia, mass * (s * s + t * t) / 12, mass * (s * s + t * t) / 12,
         mass * (s * s + s * s) / 12);
}

// geom, and site of a cloth; geoms of ropes lie along the rope, those of a cloth cross their
// neighbors
static sn_status dress(mjcf_reader *r, const mjcf_composite *c, int32_t body,
                       const int32_t *coord) {
  static const double h = 0.70710678118654752440;
  static const double along_rope[4] = { h, 0, h, 0 }, along_y[4] = { h, h, 0, 0 };
  static const double along_x[4] = { 0.5, 0.5, 0.5, 0.5 };
  if (c->dim == 1) {
    return composite_add_geom(r, c, body, coord, along_rope);
  }
  const double *quat = (coord[0] + coord[1]) % 2 ? along_y : along_x;
  SN_TRY(composite_add_geom(r, c, body, coord, quat));
  return composite_add_site(r, c, body, coord);
}

// joints along the link, where the object has them
static sn_status add_extra(mjcf_reader *r, const mjcf_composite *c, int32_t body,
                           const int32_t *coord, const link *l, const double *axis) {
  static const struct {
    int32_t kind, type;
    const char *word;
  } extra[] = { { COMPOSITE_TWIST, SN_JOINT_HINGE, "JT" },
                { COMPOSITE_STRETCH, SN_JOINT_SLIDE, "JS" } };
  for (size_t i = 0; i < sizeof extra / sizeof *extra; i++) {
    int32_t kind = extra[i].kind;
    const char *name = NULL;
    if (c->joint[kind].given) {
      SN_TRY(composite_add_joint(r, c, kind, body, extra[i].word, coord, extra[i].type, l->joint,
                                 axis, &name));
      SN_TRY(composite_fix_joint(r, c, name, NULL, &c->joint[kind].fix));
    }
  }
  return SN_OK;
}

static sn_status add_link(mjcf_reader *r, const mjcf_composite *c, int32_t before,
                          const int32_t *coord, const link *l, int32_t *id) {
  static const double axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  sn_body_def body;
  sn_default_body(&body);
  body.name = composite_name(r, c, "B", c->dim, coord);
  if (!body.name) {
    return SN_ENOMEM;
  }
  body.parent = before;
  memcpy(body.pos, l->pos, sizeof body.pos);
  memcpy(body.orient.quat, l->quat, sizeof body.orient.quat);
  if (c->type == COMPOSITE_CLOTH && c->flatinertia > 0) {
    set_flat_inertia(c, &body);
  }
  SN_TRY(composite_add_body(r, c, &body, id));

  // the universal joint turns about the other axis of the plane, and z
  SN_TRY(composite_add_joint(r, c, COMPOSITE_MAIN, *id, "J0_", coord, SN_JOINT_HINGE, l->joint,
                             axes[1 - l->along], NULL));
  SN_TRY(composite_add_joint(r, c, COMPOSITE_MAIN, *id, "J1_", coord, SN_JOINT_HINGE, l->joint,
                             axes[2], NULL));
  SN_TRY(add_extra(r, c, *id, coord, l, axes[l->along]));
  return dress(r, c, *id, coord);
}

// ------------------------------------------------------------------ ropes, loops

// links[0] leads to the next body, links[1] to the one before
static sn_status add_rope(mjcf_reader *r, const mjcf_composite *c, const link *links) {
  int32_t root[2] = { 0, 0 };
  SN_TRY(find_root(r, c, root));
  SN_TRY(dress(r, c, c->parent, root));
  for (int side = 0; side < 2; side++) {
    int32_t step = side ? -1 : 1, last = c->parent;
    for (int32_t x = root[0] + step; x >= 0 && x < c->count[0]; x += step) {
      const int32_t coord[2] = { x, 0 };
      SN_TRY(add_link(r, c, last, coord, &links[side], &last));
    }
  }
  return SN_OK;
}

sn_status composite_rope(mjcf_reader *r, mjcf_composite *c) {
  double s = c->spacing;
  const link links[2] = { { { s, 0, 0 }, { 1, 0, 0, 0 }, { -0.5 * s, 0, 0 }, 0, 0 },
                          { { -s, 0, 0 }, { 1, 0, 0, 0 }, { 0.5 * s, 0, 0 }, 0, 0 } };
  return add_rope(r, c, links);
}

// the first and the last body meet where the next joint would be
static sn_status close_loop(mjcf_reader *r, const mjcf_composite *c) {
  const int32_t ends[2] = { 0, c->count[0] - 1 };
  const char *first = composite_name(r, c, "B", 1, &ends[0]);
  const char *last = composite_name(r, c, "B", 1, &ends[1]);
  if (!first || !last) {
    return SN_ENOMEM;
  }
  int32_t id;
  sn_equality_def def;
  sn_default_equality(&def);
  def.type = SN_EQUALITY_CONNECT;
  def.obj1 = first;
  def.obj2 = last;
  def.anchor[0] = -0.5 * c->spacing;
  memcpy(def.solref, c->smooth.solref, sizeof def.solref);
  memcpy(def.solimp, c->smooth.solimp, sizeof def.solimp);
  SN_TRY(r->builder->add_equality(r->spec, &def, &c->location, &id, r->error));

  sn_exclude_def exclude;
  sn_default_exclude(&exclude);
  exclude.body1 = first;
  exclude.body2 = last;
  return r->builder->add_exclude(r->spec, &exclude, &c->location, &id, r->error);
}

sn_status composite_loop(mjcf_reader *r, mjcf_composite *c) {
  // half a link, a turn, half a link
  double angle = 2 * SN_PI / c->count[0], h = 0.5 * c->spacing;
  double x = h * (1 + cos(angle)), y = h * sin(angle);
  const link links[2] = {
    { { x, y, 0 }, { cos(angle / 2), 0, 0, sin(angle / 2) }, { -h, 0, 0 }, 0, 0 },
    { { -x, y, 0 }, { cos(angle / 2), 0, 0, -sin(angle / 2) }, { h, 0, 0 }, 0, 0 }
  };
  SN_TRY(add_rope(r, c, links));
  return close_loop(r, c);
}

// ------------------------------------------------------------------ cloths

// the branches at a body of the trunk, towards larger y first
static sn_status add_branches(mjcf_reader *r, const mjcf_composite *c, int32_t body, int32_t x,
                              int32_t y0) {
  for (int side = 0; side < 2; side++) {
    int32_t step = side ? -1 : 1, last = body;
    double s = step * c->spacing;
    const link l = { { 0, s, 0 }, { 1, 0, 0, 0 }, { 0, -s, 0 }, 1, 0 };
    for (int32_t y = y0 + step; y >= 0 && y < c->count[1]; y += step) {
      const int32_t coord[2] = { x, y };
      SN_TRY(add_link(r, c, last, coord, &l, &last));
    }
  }
  return SN_OK;
}

static sn_status add_trunk(mjcf_reader *r, const mjcf_composite *c, const int32_t *root) {
  SN_TRY(add_branches(r, c, c->parent, root[0], root[1]));
  for (int side = 0; side < 2; side++) {
    int32_t step = side ? -1 : 1, last = c->parent;
    double s = step * c->spacing;
    const link l = { { s, 0, 0 }, { 1, 0, 0, 0 }, { -s, 0, 0 }, 0, 0 };
    for (int32_t x = root[0] + step; x >= 0 && x < c->count[0]; x += step) {
      const int32_t coord[2] = { x, root[1] };
      SN_TRY(add_link(r, c, last, coord, &l, &last));
      SN_TRY(add_branches(r, c, last, x, root[1]));
    }
  }
  return SN_OK;
}

static sn_status add_string(mjcf_reader *r, const mjcf_composite *c, int32_t kind, const char *word,
                            int32_t x, int32_t y, int32_t dy) {
  const int32_t from[2] = { x, y }, to[2] = { x + 1, y + dy };
  const char *name = composite_name(r, c, word, 2, from);
  return name ? composite_add_string(r, c, kind, name, from, to) : SN_ENOMEM;
}

// between the branches, and across the cells
static sn_status add_strings(mjcf_reader *r, const mjcf_composite *c, int32_t trunk) {
  for (int32_t y = 0; y < c->count[1]; y++) {
    for (int32_t x = 0; x + 1 < c->count[0] && y != trunk; x++) {
      SN_TRY(add_string(r, c, COMPOSITE_MAIN, "T", x, y, 0));
    }
  }
  for (int32_t x = 0; x + 1 < c->count[0] && c->tendon[COMPOSITE_SHEAR].given; x++) {
    for (int32_t y = 0; y + 1 < c->count[1]; y++) {
      SN_TRY(add_string(r, c, COMPOSITE_SHEAR, "TS", x, y, 1));
    }
  }
  return SN_OK;
}

sn_status composite_cloth(mjcf_reader *r, mjcf_composite *c) {
  int32_t root[2] = { 0, 0 };
  SN_TRY(find_root(r, c, root));
  if (c->flatinertia > 0) {
    sn_body_def body;
    sn_default_body(&body);
    SN_TRY(r->builder->get_body(r->spec, c->parent, &body, r->error));
    set_flat_inertia(c, &body);
    SN_TRY(r->builder->set_body(r->spec, c->parent, &body, r->error));
  }
  SN_TRY(dress(r, c, c->parent, root));
  SN_TRY(add_trunk(r, c, root));
  SN_TRY(add_strings(r, c, root[1]));
  return c->skin.given ? composite_net_skin(r, c) : SN_OK;
}
