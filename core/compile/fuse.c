// SPDX-License-Identifier: Apache-2.0
//
// Two reductions of a spec before it is compiled, which compiler settings select:
//
//   discardvisual   geoms that cannot collide (contype and conaffinity 0) are left out
//   fusestatic      a body without joints is fused with its parent: its geoms and sites move to
//                   the nearest ancestor that stays, its children take its place
//
// The result is a second spec; the first stays as it is. What stays of the tree keeps its order:
//
//   r --+-- s (fixed) --+-- a            r --+-- a
//       |               +-- b     ->         +-- b
//       +-- c                                +-- c
//
// Inertia is computed before, body by body, with the repairs of the settings, and a body
// that absorbs others gets the sum about the common center of mass. Nothing is fused in a model
// with elements that may refer to bodies or to their frames, listed in `referring` below: the
// documented restriction of this optimization.

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "sinew/math.h"
#include "sinew/numerics/principal_axes.h"

// A body of the spec: whether it stays, and where it is in what stays.
typedef struct part {
  int32_t keeper;   // the body of the spec that it becomes part of: itself, or an ancestor
  int32_t id;       // of the keeper in the reduced spec
  int32_t jointed;
  int32_t absorbs;          // number of others that become part of it
  int32_t first, next;      // parts of this keeper, itself included, by id; -1: no more
  double pos[3], quat[4];   // in the keeper
  double mass, ipos[3], iquat[4], inertia[3];
} part;

typedef struct reduction {
  si_build *b;   // of the spec as it was given
  const sn_spec *from;
  sn_spec *to;
  part *part;       // by body of `from`
  int32_t *order;   // bodies of `from`, depth first
  int32_t fuse, discard;
} reduction;

// ------------------------------------------------------------------ elements of any kind

typedef sn_status add_fn(sn_spec *to, const void *def, const sn_location *location,
                         sn_error *error);

#define SN_X(kind)                                                                                \
  static sn_status add_##kind(sn_spec *to, const void *def, const sn_location *location,          \
                              sn_error *e) {                                                      \
    return sn_spec_add_##kind(to, def, location, NULL, e);                                        \
  }
SN_ELEMENTS(SN_X)
#undef SN_X

static add_fn *const adds[SI_NELEMENTS] = {
#define SN_X(kind) [SI_ELEMENT_##kind] = add_##kind,
  SN_ELEMENTS(SN_X)
#undef SN_X
};

// What refers to bodies, or has a frame that the engine would have to follow.
static const int32_t referring[] = {
  SI_ELEMENT_camera,  SI_ELEMENT_light,    SI_ELEMENT_skin,   SI_ELEMENT_pair,
  SI_ELEMENT_exclude, SI_ELEMENT_equality, SI_ELEMENT_tendon, SI_ELEMENT_actuator,
  SI_ELEMENT_sensor,  SI_ELEMENT_force,    SI_ELEMENT_tuple,
};

// a joint always stays, and so does what couples two of them
static int is_of_joints(int32_t kind, const void *def) {
  return kind == SI_ELEMENT_equality && ((const sn_equality_def *)def)->type == SN_EQUALITY_JOINT;
}

static int refers(const sn_spec *spec) {
  for (size_t i = 0; i < sizeof referring / sizeof referring[0]; i++) {
    for (int64_t k = 0; k < spec->list[referring[i]].n; k++) {
      if (!is_of_joints(referring[i], spec->list[referring[i]].at[k].def)) {
        return 1;
      }
    }
  }
  return 0;
}

static const sn_body_def *body_of(const reduction *r, int64_t i) {
  return r->from->list[SI_ELEMENT_body].at[i].def;
}

static int is_visual(const sn_geom_def *geom) {
  return geom->contype == 0 && geom->conaffinity == 0;
}

static sn_status fail(const reduction *r, int32_t kind, int64_t i, const char *what) {
  char title[256];
  return si_fail_at(r->b->error, SN_ECOMPILE, &r->from->list[kind].at[i].location, "%s: %s",
                    si_element_title(r->from, kind, i, title, sizeof title), what);
}

// ------------------------------------------------------------------ inertia of every body

// Does the mass of its geoms count for a body?
static int weighs(const reduction *r, const sn_geom_def *geom) {
  int64_t mode = r->from->compiler.inertiafromgeom;
  return !(r->discard && is_visual(geom)) && geom->type != SN_GEOM_HFIELD &&
         geom->type != SN_GEOM_PLANE &&
         (mode == SN_TRUE || (mode == SN_AUTO && !body_of(r, geom->body)->inertial));
}

// The bodies at rest with the geoms that weigh, and the meshes of those.
static sn_status copy_masses(const reduction *r, sn_spec *to) {
  const sn_spec *from = r->from;
  to->compiler = from->compiler;
  to->compiler.settotalmass = -1;   // of the whole, later
  to->compiler.convexhull = 0;      // of the reduced spec: mass does not need it
  for (int64_t i = 1; i < from->list[SI_ELEMENT_body].n; i++) {
    sn_body_def body = *body_of(r, i);
    body.mocap = 0;
    SN_TRY(sn_spec_add_body(to, &body, &from->list[SI_ELEMENT_body].at[i].location, NULL,
                            r->b->error));
  }
  for (int64_t i = 0; i < from->list[SI_ELEMENT_geom].n; i++) {
    const si_element *e = &from->list[SI_ELEMENT_geom].at[i];
    sn_geom_def geom = *(const sn_geom_def *)e->def;
    if (!weighs(r, &geom)) {
      continue;
    }
    int32_t mesh = geom.mesh ? sn_spec_find(from, "mesh", geom.mesh) : -1;
    if (mesh >= 0 && sn_spec_find(to, "mesh", geom.mesh) < 0) {
      const si_element *m = &from->list[SI_ELEMENT_mesh].at[mesh];
      SN_TRY(sn_spec_add_mesh(to, m->def, &m->location, NULL, r->b->error));
    }
    geom.material = NULL;
    SN_TRY(sn_spec_add_geom(to, &geom, &e->location, NULL, r->b->error));
  }
  return SN_OK;
}

// Mass and inertia of every body by itself, and the order of the bodies.
static sn_status find_masses(reduction *r) {
  si_build b = {
    .given = r->from, .engine = r->b->engine, .error = r->b->error, .deadline = r->b->deadline
  };
  b.spec = si_spec_make(r->b->engine, &r->b->given->builder, r->b->error);
  sn_status status = b.spec ? copy_masses(r, b.spec) : SN_ENOMEM;
  status = status < 0 ? status : si_build_to_inertia(&b);
  for (int64_t k = 0; status >= 0 && k < b.m->nbody; k++) {
    int32_t i = b.number[SI_ELEMENT_body].spec[k];
    part *p = &r->part[i];
    r->order[k] = i;
    p->mass = b.m->body_mass[k];
    sn_copy3(p->ipos, b.m->body_ipos + 3 * k);
    sn_copy4(p->iquat, b.m->body_iquat + 4 * k);
    sn_copy3(p->inertia, b.m->body_inertia + 3 * k);
    sn_copy3(p->pos, b.m->body_pos + 3 * k);
    sn_copy4(p->quat, b.m->body_quat + 4 * k);
  }
  si_build_clear(&b);
  sn_spec_free(b.spec);
  return status;
}

// ------------------------------------------------------------------ bodies that remain

static int stays(const reduction *r, int32_t i) {
  const sn_body_def *body = body_of(r, i);
  return i == 0 || !r->fuse || r->part[i].jointed || body->mocap ||
         (body->parent != 0 && body->gravcomp != body_of(r, body->parent)->gravcomp);
}

// out = a b, as frames.
static void compose(const part *a, double *pos, double *quat) {
  double turned[3];
  sn_rotate(turned, pos, a->quat);
  sn_add3(pos, turned, a->pos);
  sn_mul_quat(quat, a->quat, quat);
}

// From the frames in the parent, parents first.
static void place_parts(reduction *r) {
  int64_t n = r->from->list[SI_ELEMENT_body].n;
  int32_t id = 0;
  for (int64_t k = 0; k < n; k++) {
    int32_t i = r->order[k];
    part *p = &r->part[i];
    p->keeper = i;
    if (stays(r, i)) {
      p->id = id++;
      sn_zero3(p->pos);
      sn_identity_quat(p->quat);
    } else {
      const part *parent = &r->part[body_of(r, i)->parent];
      p->keeper = parent->keeper;
      p->id = parent->id;
      compose(parent, p->pos, p->quat);
      r->part[p->keeper].absorbs++;
    }
    p->first = -1;
  }
  for (int32_t i = (int32_t)n - 1; i >= 0; i--) {
    part *keeper = &r->part[r->part[i].keeper];
    r->part[i].next = keeper->first;
    keeper->first = i;
  }
}

// ------------------------------------------------------------------ what a body absorbs

// Adds R diag(I) R' + m (|d|^2 1 - d d') of a part, d from `about`, all in the keeper.
static void add_tensor(const part *p, const double *about, double *full) {
  double quat[4], R[9], d[3];
  sn_mul_quat(quat, p->quat, p->iquat);
  sn_quat_mat(R, quat);
  sn_rotate(d, p->ipos, p->quat);
  sn_add3(d, d, p->pos);
  sn_sub3(d, d, about);
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  for (int k = 0; k < 6; k++) {
    const double *x = R + 3 * row[k], *y = R + 3 * col[k];
    full[k] += x[0] * y[0] * p->inertia[0] + x[1] * y[1] * p->inertia[1] +
               x[2] * y[2] * p->inertia[2] +
               p->mass * ((row[k] == col[k] ? sn_dot3(d, d) : 0) - d[row[k]] * d[col[k]]);
  }
}

// Replaces the inertia of a body by that of all its parts.
static void absorb(const reduction *r, int32_t keeper, sn_body_def *body) {
  int64_t massive = 0, last = 0;
  double mass = 0, com[3] = { 0 }, full[6] = { 0 };
  for (int32_t i = r->part[keeper].first; i >= 0; i = r->part[i].next) {
    const part *p = &r->part[i];
    if (p->mass > 0) {
      double c[3];
      sn_rotate(c, p->ipos, p->quat);
      sn_add3(c, c, p->pos);
      sn_addscale3(com, com, p->mass, c);
      mass += p->mass;
      massive++;
      last = i;
    }
  }
  sn_default_orient(&body->iorient);
  SN_SET_UNSET(body->fullinertia);
  body->inertial = 1;
  body->mass = mass;
  sn_zero3(body->ipos);
  sn_zero3(body->diaginertia);
  if (massive == 1) {
    // one part's own numbers, so that nothing is rounded
    const part *p = &r->part[last];
    sn_rotate(body->ipos, p->ipos, p->quat);
    sn_add3(body->ipos, body->ipos, p->pos);
    sn_mul_quat(body->iorient.quat, p->quat, p->iquat);
    sn_copy3(body->diaginertia, p->inertia);
  } else if (massive > 1) {
    sn_scale3(com, com, 1 / mass);
    for (int32_t i = r->part[keeper].first; i >= 0; i = r->part[i].next) {
      if (r->part[i].mass > 0) {
        add_tensor(&r->part[i], com, full);
      }
    }
    sn_copy3(body->ipos, com);
    sn_principal_axes(full, body->diaginertia, body->iorient.quat);
  }
}

// ------------------------------------------------------------------ the reduced spec

static sn_status copy_bodies(const reduction *r) {
  int64_t n = r->from->list[SI_ELEMENT_body].n;
  for (int64_t k = 1; k < n; k++) {
    int32_t i = r->order[k];
    const part *p = &r->part[i];
    if (p->keeper != i) {
      continue;
    }
    sn_body_def body = *body_of(r, i);
    const part *parent = &r->part[body.parent];
    if (parent->keeper != body.parent) {
      double quat[4];
      const char *wrong = si_orient_quat(&body.orient, &r->from->compiler, quat);
      if (wrong) {
        return fail(r, SI_ELEMENT_body, i, wrong);
      }
      compose(parent, body.pos, quat);
      sn_default_orient(&body.orient);
      sn_copy4(body.orient.quat, quat);
    }
    body.parent = parent->id;
    if (p->absorbs) {
      absorb(r, i, &body);
    }
    SN_TRY(sn_spec_add_body(r->to, &body, &r->from->list[SI_ELEMENT_body].at[i].location, NULL,
                            r->b->error));
  }
  return SN_OK;
}

// The frame of a geom or site of a fused body, in its keeper.
static sn_status move_frame(const reduction *r, const part *p, int32_t kind, int64_t i,
                            int32_t type, double *fromto, double *pos, sn_orient *orient,
                            double *size) {
  double quat[4];
  const char *wrong = si_fromto_given(fromto) ? si_orient_fromto(fromto, type, pos, quat, size)
                                              : si_orient_quat(orient, &r->from->compiler, quat);
  if (wrong) {
    return fail(r, kind, i, wrong);
  }
  compose(p, pos, quat);
  sn_default_orient(orient);
  sn_copy4(orient->quat, quat);
  sn_unset_reals(fromto, 6);
  return SN_OK;
}

static sn_status copy_geom(const reduction *r, int64_t i) {
  const si_element *e = &r->from->list[SI_ELEMENT_geom].at[i];
  sn_geom_def geom = *(const sn_geom_def *)e->def;
  const part *p = &r->part[geom.body];
  if (r->discard && is_visual(&geom)) {
    return SN_OK;
  }
  if (p->keeper != geom.body) {
    SN_TRY(move_frame(r, p, SI_ELEMENT_geom, i, geom.type, geom.fromto, geom.pos, &geom.orient,
                      geom.size));
  }
  geom.body = p->id;
  return sn_spec_add_geom(r->to, &geom, &e->location, NULL, r->b->error);
}

static sn_status copy_site(const reduction *r, int64_t i) {
  const si_element *e = &r->from->list[SI_ELEMENT_site].at[i];
  sn_site_def site = *(const sn_site_def *)e->def;
  const part *p = &r->part[site.body];
  if (p->keeper != site.body) {
    SN_TRY(move_frame(r, p, SI_ELEMENT_site, i, site.type, site.fromto, site.pos, &site.orient,
                      site.size));
  }
  site.body = p->id;
  return sn_spec_add_site(r->to, &site, &e->location, NULL, r->b->error);
}

// Joints, cameras and lights: their bodies stay.
#define COPY_OWNED(kind)                                                  \
  static sn_status copy_##kind(const reduction *r, int64_t i) {           \
    const si_element *e = &r->from->list[SI_ELEMENT_##kind].at[i];        \
    sn_##kind##_def def = *(const sn_##kind##_def *)e->def;               \
    def.body = r->part[def.body].id;                                      \
    return sn_spec_add_##kind(r->to, &def, &e->location, NULL, r->b->error); \
  }
COPY_OWNED(joint)
COPY_OWNED(camera)
COPY_OWNED(light)

// What bodies own is taken body by body in the order of the tree, so that a body's own elements
// come first, then those of the bodies that it absorbs.
static const struct {
  int32_t kind;
  size_t owner;   // offset of its body
  sn_status (*copy)(const reduction *r, int64_t i);
} owned[] = {
  { SI_ELEMENT_joint, offsetof(sn_joint_def, body), copy_joint },
  { SI_ELEMENT_geom, offsetof(sn_geom_def, body), copy_geom },
  { SI_ELEMENT_site, offsetof(sn_site_def, body), copy_site },
  { SI_ELEMENT_camera, offsetof(sn_camera_def, body), copy_camera },
  { SI_ELEMENT_light, offsetof(sn_light_def, body), copy_light },
};
enum { NOWNED = sizeof owned / sizeof owned[0] };

static sn_status copy_owned(const reduction *r, int32_t which) {
  int32_t kind = owned[which].kind;
  const si_elements *list = &r->from->list[kind];
  int64_t nbody = r->from->list[SI_ELEMENT_body].n;
  int32_t *next = malloc((size_t)(list->n + nbody) * sizeof *next);
  if (!next) {
    return si_fail(r->b->error, SN_ENOMEM, "out of memory while compiling");
  }
  // a list for each body, in the order of adding
  int32_t *first = next + list->n;
  memset(first, -1, (size_t)nbody * sizeof *first);
  for (int64_t i = list->n - 1; i >= 0; i--) {
    int32_t owner;
    memcpy(&owner, (const char *)list->at[i].def + owned[which].owner, sizeof owner);
    next[i] = first[owner];
    first[owner] = (int32_t)i;
  }
  sn_status status = SN_OK;
  for (int64_t k = 0; k < nbody && status >= 0; k++) {
    for (int32_t i = first[r->order[k]]; i >= 0 && status >= 0; i = next[i]) {
      status = owned[which].copy(r, i);
    }
  }
  free(next);
  return status;
}

static sn_status copy_all(const reduction *r) {
  const sn_spec *from = r->from;
  SN_TRY(copy_bodies(r));
  for (int32_t i = 0; i < NOWNED; i++) {
    SN_TRY(copy_owned(r, i));
  }
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    int done = kind == SI_ELEMENT_body;
    for (int i = 0; i < NOWNED; i++) {
      done |= owned[i].kind == kind;
    }
    for (int64_t i = 0; !done && i < from->list[kind].n; i++) {
      const si_element *e = &from->list[kind].at[i];
      SN_TRY(adds[kind](r->to, e->def, &e->location, r->b->error));
    }
  }
#define SN_X(kind) r->to->kind = from->kind;
  SN_SETTINGS(SN_X)
#undef SN_X
  // a body that absorbs has its inertia now, whatever its geoms say
  if (r->fuse && from->compiler.inertiafromgeom == SN_TRUE) {
    r->to->compiler.inertiafromgeom = SN_AUTO;
  }
  return sn_spec_set_name(r->to, from->name);
}

// Bodies that absorb nothing and whose inertia comes from geoms whatever they say themselves.
static sn_status forget_inertials(const reduction *r) {
  if (!r->fuse || r->from->compiler.inertiafromgeom != SN_TRUE) {
    return SN_OK;
  }
  const sn_compiler *c = &r->from->compiler;
  for (int64_t g = 0; g < r->from->list[SI_ELEMENT_geom].n; g++) {
    const sn_geom_def *geom = r->from->list[SI_ELEMENT_geom].at[g].def;
    const part *p = &r->part[geom->body];
    int counts = geom->group >= c->inertiagroup_min && geom->group <= c->inertiagroup_max;
    if (counts && p->keeper == geom->body && !p->absorbs && !(r->discard && is_visual(geom))) {
      sn_body_def body = { .def_size = sizeof body };
      SN_TRY(sn_spec_get_body(r->to, p->id, &body, r->b->error));
      body.inertial = 0;
      SN_TRY(sn_spec_set_body(r->to, p->id, &body, r->b->error));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ both

static sn_status reduce(reduction *r) {
  int64_t n = r->from->list[SI_ELEMENT_body].n;
  for (int64_t j = 0; j < r->from->list[SI_ELEMENT_joint].n; j++) {
    const sn_joint_def *joint = r->from->list[SI_ELEMENT_joint].at[j].def;
    r->part[joint->body].jointed = 1;
  }
  for (int32_t i = 0; i < n; i++) {
    r->order[i] = i;
  }
  if (r->fuse) {
    SN_TRY(find_masses(r));
  }
  place_parts(r);
  r->to = si_spec_make(r->b->engine, &r->b->given->builder, r->b->error);
  if (!r->to) {
    return SN_ENOMEM;
  }
  SN_TRY(copy_all(r));
  return forget_inertials(r);
}

sn_status si_compile_reduce(si_build *b, sn_spec **reduced) {
  const sn_spec *spec = b->spec;
  *reduced = NULL;
  reduction r = { .b = b, .from = spec, .discard = spec->compiler.discardvisual != 0 };
  r.fuse = spec->compiler.fusestatic && !refers(spec);
  if (!r.fuse && !r.discard) {
    return SN_OK;
  }
  int64_t n = spec->list[SI_ELEMENT_body].n;
  r.part = calloc((size_t)n, sizeof *r.part);
  r.order = malloc((size_t)n * sizeof *r.order);
  sn_status status = r.part && r.order
                         ? reduce(&r)
                         : si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  free(r.part);
  free(r.order);
  if (status < 0) {
    sn_spec_free(r.to);
    return status;
  }
  *reduced = r.to;
  return SN_OK;
}
