// SPDX-License-Identifier: Apache-2.0
//
// Soft bodies: the points on the surface of a grid, each a body that slides on the line from the
// center, which is the parent. What holds them together:
//
//   - each slider is kept where it is, as solreffix and solimpfix of the joint say;
//   - neighbors on the surface slide alike, as solrefsmooth and solimpsmooth say;
//   - the sum of all sliders is constant, which nearly keeps the volume: a fixed tendon T.
//
// With u in [-1, 1]^3 the place of a point in the grid and h half of its extent,
//
//   box         p = h u
//   cylinder    p = h (u_xy max(|u_x|, |u_y|) / |u_xy|, u_z)     squares become circles
//   ellipsoid   p = h u / |u|                                     the cube becomes a ball

#include <math.h>
#include <string.h>

#include "mjcf/composite/composite.h"

// ------------------------------------------------------------------ where a point is

static void project_box(double *u) {
  (void)u;
}

static void project_cylinder(double *u) {
  double length = sqrt(u[0] * u[0] + u[1] * u[1]);
  double scale = length > 0 ? fmax(fabs(u[0]), fabs(u[1])) / length : 0;
  u[0] *= scale;
  u[1] *= scale;
}

static void project_ellipsoid(double *u) {
  double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  for (int i = 0; i < 3; i++) {
    u[i] /= length;
  }
}

static void place_point(const mjcf_composite *c, const int32_t *coord, double *pos) {
  static void (*const projects[COMPOSITE_TYPES])(double *) = {
    [COMPOSITE_BOX] = project_box,
    [COMPOSITE_CYLINDER] = project_cylinder,
    [COMPOSITE_ELLIPSOID] = project_ellipsoid,
  };
  for (int i = 0; i < 3; i++) {
    pos[i] = 2.0 * coord[i] / (c->count[i] - 1) - 1;
  }
  projects[c->type](pos);
  for (int i = 0; i < 3; i++) {
    pos[i] *= 0.5 * c->spacing * (c->count[i] - 1);
  }
}

// ------------------------------------------------------------------ bodies

static sn_status add_center(mjcf_reader *r, const mjcf_composite *c) {
  sn_geom_def def = c->geom;
  int32_t id;
  def.name = composite_name(r, c, "Gcenter", 0, NULL);
  if (!def.name) {
    return SN_ENOMEM;
  }
  def.body = c->parent;
  def.type = SN_GEOM_SPHERE;
  SN_SET(def.size, 2 * c->geom.size[0], 0, 0);
  SN_SET(def.pos, 0, 0, 0);
  SN_TRY(mjcf_in_frame(r, c->node, def.pos, &def.orient));
  return r->builder->add_geom(r->spec, &def, &c->location, &id, r->error);
}

static sn_status add_point(mjcf_reader *r, const mjcf_composite *c, const int32_t *coord) {
  static const double origin[3] = { 0, 0, 0 }, outwards[3] = { 0, 0, 1 };
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  body.name = composite_name(r, c, "B", 3, coord);
  if (!body.name) {
    return SN_ENOMEM;
  }
  body.parent = c->parent;
  place_point(c, coord, body.pos);
  memcpy(body.orient.zaxis, body.pos, sizeof body.pos);
  SN_TRY(mjcf_in_frame(r, c->node, body.pos, &body.orient));
  SN_TRY(composite_add_body(r, c, &body, &id));
  SN_TRY(composite_add_joint(r, c, COMPOSITE_MAIN, id, "J", coord, SN_JOINT_SLIDE, origin, outwards,
                             NULL));
  return composite_add_geom(r, c, id, coord, NULL);
}

// ------------------------------------------------------------------ constraints

static sn_status fix_point(mjcf_reader *r, const mjcf_composite *c, const int32_t *coord) {
  const char *name = composite_name(r, c, "J", 3, coord);
  if (!name) {
    return SN_ENOMEM;
  }
  SN_TRY(composite_fix_joint(r, c, name, NULL, &c->joint[COMPOSITE_MAIN].fix));
  for (int i = 0; i < 3; i++) {
    int32_t next[3] = { coord[0], coord[1], coord[2] };
    next[i]++;
    if (next[i] < c->count[i] && composite_on_shell(c, next[0], next[1], next[2])) {
      const char *other = composite_name(r, c, "J", 3, next);
      if (!other) {
        return SN_ENOMEM;
      }
      SN_TRY(composite_fix_joint(r, c, name, other, &c->smooth));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ all points

typedef struct visitor {
  sn_wrap_def *wrap;   // of the tendon
  int64_t n;
} visitor;

typedef sn_status visit(mjcf_reader *r, const mjcf_composite *c, const int32_t *coord, visitor *v);

static sn_status each_point(mjcf_reader *r, const mjcf_composite *c, visit *f, visitor *v) {
  int32_t p[3];
  for (p[0] = 0; p[0] < c->count[0]; p[0]++) {
    for (p[1] = 0; p[1] < c->count[1]; p[1]++) {
      for (p[2] = 0; p[2] < c->count[2]; p[2]++) {
        if (composite_on_shell(c, p[0], p[1], p[2])) {
          SN_TRY(f(r, c, p, v));
        }
      }
    }
  }
  return SN_OK;
}

static sn_status visit_body(mjcf_reader *r, const mjcf_composite *c, const int32_t *coord,
                            visitor *v) {
  v->n++;
  return add_point(r, c, coord);
}

static sn_status visit_fix(mjcf_reader *r, const mjcf_composite *c, const int32_t *coord,
                           visitor *v) {
  (void)v;
  return fix_point(r, c, coord);
}

static sn_status visit_wrap(mjcf_reader *r, const mjcf_composite *c, const int32_t *coord,
                            visitor *v) {
  sn_wrap_def *wrap = &v->wrap[v->n++];
  wrap->type = SN_WRAP_JOINT;
  wrap->prm = 1;
  wrap->object = composite_name(r, c, "J", 3, coord);
  return wrap->object ? SN_OK : SN_ENOMEM;
}

static sn_status add_tendon(mjcf_reader *r, const mjcf_composite *c, visitor *v) {
  sn_tendon_def def = c->tendon[COMPOSITE_MAIN].def;
  v->wrap = xml_alloc(&r->doc.arena, (size_t)v->n * sizeof *v->wrap);
  if (!v->wrap) {
    return mjcf_no_memory(r, c->node);
  }
  v->n = 0;
  SN_TRY(each_point(r, c, visit_wrap, v));
  def.name = composite_name(r, c, "T", 0, NULL);
  if (!def.name) {
    return SN_ENOMEM;
  }
  def.wrap = v->wrap;
  def.nwrap = v->n;
  int32_t id;
  SN_TRY(r->builder->add_tendon(r->spec, &def, &c->location, &id, r->error));
  return composite_fix_tendon(r, c, COMPOSITE_MAIN, def.name);
}

sn_status composite_shell(mjcf_reader *r, mjcf_composite *c) {
  SN_TRY(add_center(r, c));

  // geoms reach inwards from the surface; what is no capsule is a sphere, as in the engine that
  // the format describes
  int is_capsule = c->geom.type == SN_GEOM_CAPSULE;
  c->geom.type = is_capsule ? SN_GEOM_CAPSULE : SN_GEOM_SPHERE;
  c->geom.pos[2] = -c->geom.size[0] - (is_capsule ? c->geom.size[1] : 0);
  visitor v = { NULL, 0 };
  SN_TRY(each_point(r, c, visit_body, &v));
  SN_TRY(each_point(r, c, visit_fix, &v));
  SN_TRY(add_tendon(r, c, &v));
  return c->skin.given ? composite_shell_skin(r, c) : SN_OK;
}
