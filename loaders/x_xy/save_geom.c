// SPDX-License-Identifier: Apache-2.0
//
// Shapes and masses. The format knows mass only as that of its shapes. Where the inertia of a body
// is written in numbers, or comes from meshes or from repairs of the compiler, a box of that
// inertia holds the mass: with principal moments I and mass m its edges are
//
//   l_x = sqrt(6 (I_y + I_z - I_x) / m),  l_y, l_z alike
//
// and the shapes themselves weigh nothing.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/numerics/symmetric.h"
#include "x_xy/save.h"

void x_compose(x_pose *out, const x_pose *a, const x_pose *b) {
  x_pose c;
  sn_mul_pose(c.pos, c.quat, a->pos, a->quat, b->pos, b->quat);
  *out = c;
}

void x_invert(x_pose *out, const x_pose *a) {
  x_pose c;
  sn_conj_quat(c.quat, a->quat);
  sn_rotate(c.pos, a->pos, c.quat);
  sn_scale3(c.pos, c.pos, -1);
  *out = c;
}

// ------------------------------------------------------------------ orientations

void x_orient(x_writer *w, const sn_orient *orient, double *quat) {
  const char *wrong = w->b->orientation(w->b->spec, orient, quat);
  if (wrong) {
    sn_identity_quat(quat);
    x_cannot(w, "an orientation: %s", wrong);
  }
}

// Frame and sizes of a shape between two points.
static void from_fromto(const sn_geom_def *g, x_pose *pose, double *size) {
  double z[3];
  sn_sub3(z, g->fromto, g->fromto + 3);
  sn_add3(pose->pos, g->fromto, g->fromto + 3);
  sn_scale3(pose->pos, pose->pos, 0.5);
  double half = sn_norm3(z) / 2;
  sn_z_to_quat(pose->quat, z);
  if (g->type == SN_GEOM_BOX || g->type == SN_GEOM_ELLIPSOID) {
    size[1] = size[0];
    size[2] = half;
  } else {
    size[1] = half;
  }
}

// ------------------------------------------------------------------ solids

// Volume, and moments of a unit mass, of the shapes that have them. 0: it has none.
static double solid(const sn_geom_def *g, const double *s, double *I) {
  double r = s[0], h = s[1], tube = 2 * SN_PI * r * r * h, ball = 4.0 / 3 * SN_PI * r * r * r;
  double squares[3] = { s[0] * s[0], s[1] * s[1], s[2] * s[2] };
  double part = g->type == SN_GEOM_BOX ? 1.0 / 3 : 0.2;
  for (int i = 0; i < 3; i++) {
    I[i] = part * (squares[(i + 1) % 3] + squares[(i + 2) % 3]);
  }
  if (g->type == SN_GEOM_BOX) {
    return 8 * s[0] * s[1] * s[2];
  }
  if (g->type == SN_GEOM_ELLIPSOID) {
    return 4.0 / 3 * SN_PI * s[0] * s[1] * s[2];
  }
  return g->type == SN_GEOM_SPHERE     ? ball
         : g->type == SN_GEOM_CYLINDER ? tube
         : g->type == SN_GEOM_CAPSULE  ? tube + ball
                                       : 0;
}

// ------------------------------------------------------------------ writing

static void put_indent(x_writer *w, int depth) {
  for (int i = 0; i < depth; i++) {
    x_put(w, "  ");
  }
}

static void write_shape(x_writer *w, const char *type, double mass, const x_pose *pose,
                        const double *dim, int64_t ndim, const double *rgba, int depth) {
  put_indent(w, depth);
  x_put(w, "<geom");
  x_put_text(w, "type", type);
  x_put_reals(w, "mass", &mass, 1);
  x_put_reals(w, "dim", dim, ndim);
  x_put_pose(w, pose);
  x_put_reals(w, "color", rgba, 4);
  x_put(w, "/>\n");
}

// A mass with principal moments, as a box that is hardly seen.
static void write_inertia(x_writer *w, double mass, const double *I, const x_pose *pose,
                          int depth) {
  static const double clear[4] = { 0.5, 0.5, 0.5, 0 };
  static const double thin = 1e-9;   // m; of an edge that has to be zero
  double edge[3], m = mass > 0 ? mass : 1e-12;
  for (int i = 0; i < 3; i++) {
    double square = 6 * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]) / m;
    edge[i] = square > thin * thin ? sqrt(square) : thin;
    if (square < -1e-9 * fabs(I[i]) / m) {
      x_cannot(w,
               "the inertia %g %g %g of a body, which is not that of a rigid "
               "body",
               I[0], I[1], I[2]);
    }
  }
  write_shape(w, "box", m, pose, edge, 3, clear, depth);
}

static const double *color_of(x_writer *w, const sn_geom_def *g, sn_material_def *material) {
  static const double plain[4] = { 0.5, 0.5, 0.5, 1 };
  int32_t id = g->material ? w->b->find(w->b->spec, "material", g->material) : -1;
  material->def_size = sizeof *material;
  if (id < 0 || memcmp(g->rgba, plain, sizeof plain) != 0 ||
      w->b->get_material(w->b->spec, id, material, NULL) < 0) {
    return g->rgba;
  }
  return material->rgba;
}

static void write_geom(x_writer *w, const sn_geom_def *g, int32_t id, int weighs,
                       const x_pose *into, int depth) {
  x_pose pose;
  double size[3], I[3], mass = 0;
  sn_material_def material;
  const double *rgba = color_of(w, g, &material);
  sn_copy3(size, g->size);
  sn_copy3(pose.pos, g->pos);
  x_orient(w, &g->orient, pose.quat);
  if (!isnan(g->fromto[0])) {
    from_fromto(g, &pose, size);
  }
  double volume = solid(g, size, I);
  x_compose(&pose, into, &pose);
  if (weighs && volume > 0) {
    mass = isnan(g->mass) ? g->density * volume : g->mass;
  }
  const double along_x[4] = { sqrt(0.5), 0, -sqrt(0.5), 0 };
  const double dims[4][3] = { { 2 * size[0], 2 * size[1], 2 * size[2] },
                              { size[0] },
                              { size[0], 2 * size[1] },
                              { size[0], 2 * size[1] } };
  static const struct {
    int32_t type;
    const char *name;
    int64_t ndim;
  } shapes[4] = { { SN_GEOM_BOX, "box", 3 },
                  { SN_GEOM_SPHERE, "sphere", 1 },
                  { SN_GEOM_CYLINDER, "cylinder", 2 },
                  { SN_GEOM_CAPSULE, "capsule", 2 } };
  for (int k = 0; k < 4; k++) {
    if (g->type == shapes[k].type && !g->mesh) {
      if (k >= 2) {
        sn_mul_quat(pose.quat, pose.quat, along_x);
      }
      write_shape(w, shapes[k].name, mass, &pose, dims[k], shapes[k].ndim, rgba, depth);
      return;
    }
  }
  if (g->type == SN_GEOM_ELLIPSOID && !g->mesh) {
    sn_scale3(I, I, mass);
    if (mass > 0) {
      write_inertia(w, mass, I, &pose, depth);
    }
  }
  x_drop(w, "geom '%s' (%d) has a shape that x_xy does not have; it is not written",
         g->name ? g->name : "", id);
}

static void write_inertial(x_writer *w, const sn_body_def *body, const x_pose *into, int depth) {
  x_pose pose;
  double I[3];
  sn_copy3(pose.pos, body->ipos);
  x_orient(w, &body->iorient, pose.quat);
  sn_copy3(I, body->diaginertia);
  if (!isnan(body->fullinertia[0])) {
    double axes[9];
    sn_symmetric_axes(body->fullinertia, I, axes);
    sn_mat_quat(pose.quat, axes);
  }
  if (body->mass == X_XY_MASSLESS && I[0] == X_XY_MASSLESS && I[1] == I[0] && I[2] == I[0]) {
    return;   // as the loader makes it of nothing
  }
  if (body->mass > 0 || I[0] > 0 || I[1] > 0 || I[2] > 0) {
    x_compose(&pose, into, &pose);
    write_inertia(w, body->mass, I, &pose, depth);
  }
}

// ------------------------------------------------------------------ inertia as it is compiled

enum { FOUND = 11 };   // numbers of a body: mass, center 3, quaternion 4, moments 3

// Does the mass or inertia of this body follow from more than its shapes or its numbers?
static int needs_compiling(x_writer *w, const sn_geom_def *g) {
  return g->mesh != NULL && !(g->density == 0 && isnan(g->mass)) && !(g->mass == 0) &&
         w->compiler.inertiafromgeom != SN_FALSE;
}

static int repairs(const sn_compiler *c) {
  return c->settotalmass > 0 || c->boundmass > 0 || c->boundinertia > 0 || c->balanceinertia;
}

void x_find_inertia(x_writer *w) {
  int needed = repairs(&w->compiler);
  int64_t n = w->nbody, ngeom = w->b->count(w->b->spec, "geom");
  for (int32_t i = 0; i < ngeom && !needed; i++) {
    sn_geom_def g;
    g.def_size = sizeof g;
    needed = w->b->get_geom(w->b->spec, i, &g, NULL) >= 0 && needs_compiling(w, &g);
  }
  if (!needed || w->status < 0) {
    return;
  }
  w->found = calloc((size_t)n * FOUND, sizeof *w->found);
  if (!w->found) {
    w->status = SN_ENOMEM;
    return;
  }
  double *mass = w->found, *pos = mass + n, *quat = pos + 3 * n, *moments = quat + 4 * n;
  w->status = w->b->inertia(w->b->spec, mass, pos, quat, moments, w->error);
}

// Is this body's inertia to be taken from what was compiled? Then it is written.
static int write_found(x_writer *w, int32_t id, const x_pose *into, int depth) {
  int wanted = repairs(&w->compiler);
  int64_t n = w->nbody;
  for (int32_t i = w->geom.first[id]; w->found && i >= 0 && !wanted; i = w->geom.next[i]) {
    sn_geom_def g;
    g.def_size = sizeof g;
    w->b->get_geom(w->b->spec, i, &g, NULL);
    wanted = needs_compiling(w, &g);
  }
  if (!w->found || !wanted || id == 0) {
    return 0;
  }
  x_pose pose;
  const double *mass = w->found, *pos = mass + n, *quat = pos + 3 * n, *moments = quat + 4 * n;
  sn_copy3(pose.pos, pos + 3 * id);
  sn_copy4(pose.quat, quat + 4 * id);
  x_compose(&pose, into, &pose);
  if (mass[id] > 0) {
    write_inertia(w, mass[id], moments + 3 * id, &pose, depth);
  }
  return 1;
}

void x_write_matter(x_writer *w, int32_t id, const x_pose *into, int depth) {
  sn_body_def body;
  sn_geom_def g;
  body.def_size = sizeof body;
  g.def_size = sizeof g;
  if (w->b->get_body(w->b->spec, id, &body, NULL) < 0) {
    return;
  }
  const sn_compiler *c = &w->compiler;
  int inferred = c->inertiafromgeom == SN_TRUE || (c->inertiafromgeom == SN_AUTO && !body.inertial);
  int weighing = 0, found = write_found(w, id, into, depth);
  for (int32_t i = w->geom.first[id]; i >= 0; i = w->geom.next[i]) {
    w->b->get_geom(w->b->spec, i, &g, NULL);
    int visual = g.contype == 0 && g.conaffinity == 0;
    int counts = g.group >= c->inertiagroup_min && g.group <= c->inertiagroup_max;
    if (c->discardvisual && visual) {
      continue;
    }
    weighing += counts;
    write_geom(w, &g, i, id > 0 && !found && inferred && counts, into, depth);
  }
  if (id > 0 && !found && body.inertial && !(inferred && weighing)) {
    write_inertial(w, &body, into, depth);
  }
}
