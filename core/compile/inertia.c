// SPDX-License-Identifier: Apache-2.0
//
// Inertia of bodies: as written, or inferred from the geoms.
//
//   one geom      the body's inertial frame is that of the geom: its own, but for shells
//   more          common center of mass; the tensors, turned and moved there by the parallel axis
//                 theorem, are added; principal axes in descending order
//
// Then the compiler's repairs, in this order: boundmass, boundinertia, balanceinertia,
// settotalmass.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"
#include "compile/compile.h"
#include "sinew/math.h"
#include "sinew/numerics/principal_axes.h"

// The solid of a geom as seen from its body, with the moments of its mass. Returns its mass.
static double geom_solid(const si_build *b, int64_t g, si_solid *out) {
  const sn_model *m = b->m;
  const sn_geom_def *geom = SI_DEF(b, geom, g);
  const double *pos = m->geom_pos + 3 * g, *quat = m->geom_quat + 4 * g;
  const double *size = m->geom_size + 3 * g;
  const si_mesh_part *mesh = geom->type == SN_GEOM_MESH ? &b->assets.mesh[m->geom_dataid[g]] : NULL;
  const sn_shape_info *user = geom->type == SN_GEOM_USER ? &b->shape[g] : NULL;
  if (mesh) {
    *out = geom->shellinertia ? mesh->shell : mesh->solid;
  } else {
    *out = (si_solid){ .quat = { 1, 0, 0, 0 },
                       .volume = user ? user->volume : si_shape_volume(geom->type, size) };
  }
  double mass = isnan(geom->mass) ? geom->density * out->volume : geom->mass;
  if (!(out->volume > 0)) {
    mass = 0;
  }
  if (mesh) {
    sn_scale3(out->inertia, out->inertia, mass);
  } else if (user) {
    sn_scale3(out->inertia, user->inertia, mass);
  } else {
    si_shape_inertia(geom->type, size, mass, out->inertia);
  }
  sn_mul_pose(out->pos, out->quat, pos, quat, out->pos, out->quat);
  return mass;
}

static int counts(const si_build *b, int64_t g) {
  const sn_compiler *c = &b->spec->compiler;
  int32_t group = SI_DEF(b, geom, g)->group;
  return group >= c->inertiagroup_min && group <= c->inertiagroup_max;
}

// ------------------------------------------------------------------ from geoms

static void copy_geom(si_build *b, int64_t i, int64_t g) {
  sn_model *m = b->m;
  si_solid solid;
  m->body_mass[i] = geom_solid(b, g, &solid);
  sn_copy3(m->body_ipos + 3 * i, solid.pos);
  sn_copy4(m->body_iquat + 4 * i, solid.quat);
  sn_copy3(m->body_inertia + 3 * i, solid.inertia);
}

// Adds the tensor of a geom about a point: R diag(I) R' + m (|r|^2 1 - r r'). The order of the
// operations matters for the axes of symmetric bodies, see principal_axes.c.
static void add_tensor(const si_build *b, int64_t g, const double *about, double *full) {
  si_solid solid;
  double mass = geom_solid(b, g, &solid), R[9], r[3];
  const double *I = solid.inertia;
  sn_quat_mat(R, solid.quat);
  sn_sub3(r, solid.pos, about);
  const double x = r[0], y = r[1], z = r[2];
  const double moved[6] = { mass * (y * y + z * z), mass * (x * x + z * z), mass * (x * x + y * y),
                            -(mass * x * y),        -(mass * x * z),        -(mass * y * z) };
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  for (int k = 0; k < 6; k++) {
    const double *p = R + 3 * row[k], *q = R + 3 * col[k];
    full[k] += p[0] * (I[0] * q[0]) + p[1] * (I[1] * q[1]) + p[2] * (I[2] * q[2]);
    full[k] += moved[k];
  }
}

static sn_status combine_geoms(si_build *b, int64_t i) {
  sn_model *m = b->m;
  int32_t begin = m->body_geomadr[i], end = begin + m->body_geomnum[i];
  double mass = 0, com[3] = { 0 }, full[6] = { 0 };
  for (int32_t g = begin; g < end; g++) {
    if (counts(b, g)) {
      si_solid solid;
      double own = geom_solid(b, g, &solid);
      mass += own;
      sn_addscale3(com, com, own, solid.pos);
    }
  }
  if (mass < SN_TINY) {
    return SI_FAIL(b, body, i,
                   "the mass of its geoms is too small to compute a center of mass; increase it, "
                   "or specify the inertia of the body");
  }
  for (int k = 0; k < 3; k++) {
    com[k] /= mass;
  }
  for (int32_t g = begin; g < end; g++) {
    if (counts(b, g)) {
      add_tensor(b, g, com, full);
    }
  }
  m->body_mass[i] = mass;
  sn_copy3(m->body_ipos + 3 * i, com);
  sn_principal_axes(full, m->body_inertia + 3 * i, m->body_iquat + 4 * i);
  return SN_OK;
}

// A shell is what only a mesh can be. Where no inertia comes of it the word does no harm: classes
// of meshes are shared by floors.
static sn_status check_shells(si_build *b, int64_t i) {
  for (int32_t g = b->m->body_geomadr[i], k = 0; k < b->m->body_geomnum[i]; k++, g++) {
    const sn_geom_def *geom = SI_DEF(b, geom, g);
    if (counts(b, g) && geom->shellinertia && geom->type != SN_GEOM_MESH && geom->mass != 0) {
      return SI_FAIL(b, geom, g, "shellinertia requires a mesh; set it to false");
    }
  }
  return SN_OK;
}

static sn_status fail_without_volume(si_build *b, int64_t id, const si_mesh_part *mesh) {
  if (mesh->fault == SI_MESH_INSIDE_OUT) {
    return SI_FAIL(b, mesh, id,
                   "its faces are inside out, so its volume is negative; order their vertices "
                   "counter-clockwise as seen from outside");
  }
  return SI_FAIL(
      b, mesh, id,
      "it lies in a plane, is open, or is too small or large for single precision: it "
      "has no volume, so no mass and no principal axes; close it, use another unit or "
      "scale, give the geoms that use it shellinertia or mass=\"0\", or specify the inertia of "
      "their body");
}

// Volume and moments of a mesh with turned faces are what the sums make of them.
static sn_status warn_opposed(si_build *b, int64_t id, si_mesh_part *mesh) {
  const int32_t inertia = SI_DEF(b, mesh, id)->inertia;
  const int exact = inertia == SN_MESH_EXACT ||
                    (inertia == SN_MESH_AS_COMPILER && b->spec->compiler.exactmeshinertia);
  si_mesh_opposed opposed;
  if (mesh->warned || inertia == SN_MESH_CONVEX || inertia == SN_MESH_SHELL) {
    return SN_OK;
  }
  const si_mesh_faces faces = si_mesh_faces_of(b->m, id);
  mesh->warned = 1;
  if (si_mesh_find_opposed(&faces, &opposed) < 0) {
    return si_build_fail(b, SN_ENOMEM, SI_ELEMENT_mesh, id, "out of memory");
  }
  if (opposed.edges == 0) {
    return SN_OK;
  }
  return si_build_warn(
      b, SI_ELEMENT_mesh, id,
      "the orientations of its %lld faces are not consistent: at %lld edges two faces have "
      "opposite orientations, first at faces %lld and %lld; mass and inertia are summed over the "
      "tetrahedra between faces and center, %s",
      (long long)faces.nface, (long long)opposed.edges, (long long)opposed.face[0],
      (long long)opposed.face[1],
      exact ? "where those of reversed faces count as negative, so mass and inertia are wrong; "
              "reverse the order of the vertices of these faces, or disable exactmeshinertia"
      : inertia == SN_MESH_LEGACY
          ? "each counted as positive whatever its orientation"
          : "each counted as positive whatever its orientation; the mass is then that of the "
            "solid box with the same inertia");
}

// The meshes that the body has its mass of.
static sn_status check_meshes(si_build *b, int64_t i) {
  for (int32_t g = b->m->body_geomadr[i], k = 0; k < b->m->body_geomnum[i]; k++, g++) {
    const sn_geom_def *geom = SI_DEF(b, geom, g);
    const int massless = geom->mass == 0 || (isnan(geom->mass) && geom->density == 0);
    int32_t id;
    if (geom->type != SN_GEOM_MESH || massless || geom->shellinertia || !counts(b, g)) {
      continue;
    }
    SN_TRY(SI_REFER(b, geom, g, mesh, geom->mesh, &id));
    si_mesh_part *mesh = &b->assets.mesh[id];
    SN_TRY(mesh->fault == SI_MESH_SOUND ? warn_opposed(b, id, mesh)
                                        : fail_without_volume(b, id, mesh));
  }
  return SN_OK;
}

// Number of geoms that give inertia, and the last of them.
static int32_t count_geoms(const si_build *b, int64_t i, int32_t *last) {
  const sn_model *m = b->m;
  int32_t n = 0;
  for (int32_t g = m->body_geomadr[i], k = 0; k < m->body_geomnum[i]; k++, g++) {
    if (counts(b, g)) {
      *last = g;
      n++;
    }
  }
  return n;
}

// ------------------------------------------------------------------ as written

static sn_status copy_inertial(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_body_def *body = SI_DEF(b, body, i);
  double *inertia = m->body_inertia + 3 * i, *quat = m->body_iquat + 4 * i;
  m->body_mass[i] = body->mass;
  sn_copy3(m->body_ipos + 3 * i, body->ipos);
  const char *wrong = si_orient_quat(&body->iorient, &b->spec->compiler, quat);
  if (wrong) {
    return SI_FAIL(b, body, i, "inertial: %s", wrong);
  }
  if (isnan(body->fullinertia[0])) {
    sn_copy3(inertia, body->diaginertia);
    return SN_OK;
  }
  for (int k = 1; k < 6; k++) {
    if (isnan(body->fullinertia[k])) {
      return SI_FAIL(b, body, i, "fullinertia takes six numbers: xx yy zz xy xz yz");
    }
  }
  if (si_orient_given(&body->iorient)) {
    return SI_FAIL(b, body, i,
                   "both fullinertia and an orientation of the inertial frame are specified; "
                   "remove one");
  }
  double axes[4];
  sn_principal_axes(body->fullinertia, inertia, axes);
  sn_mul_quat(quat, quat, axes);
  if (inertia[2] <= 0) {
    return SI_FAIL(b, body, i, "fullinertia is not positive: its smallest principal moment is %g",
                   inertia[2]);
  }
  return SN_OK;
}

static sn_status infer(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_body_def *body = SI_DEF(b, body, i);
  int64_t mode = b->spec->compiler.inertiafromgeom;
  int32_t last = -1;
  int32_t n = mode == SN_TRUE || (mode == SN_AUTO && !body->inertial) ? count_geoms(b, i, &last)
                                                                      : 0;
  if (n > 0) {
    SN_TRY(check_shells(b, i));
    SN_TRY(check_meshes(b, i));
  }
  if (n > 1) {
    return combine_geoms(b, i);
  }
  if (n == 1) {
    copy_geom(b, i, last);
    return SN_OK;
  }
  if (body->inertial) {
    return copy_inertial(b, i);
  }
  // its inertia is not specified: the inertial frame is that of the parent
  sn_copy3(m->body_ipos + 3 * i, m->body_pos + 3 * i);
  sn_copy4(m->body_iquat + 4 * i, m->body_quat + 4 * i);
  return SN_OK;
}

// ------------------------------------------------------------------ repairs and checks

static sn_status warn_negative(si_build *b, int64_t i) {
  const double mass = b->m->body_mass[i], *I = b->m->body_inertia + 3 * i;
  const double least_mass = fmax(0, b->spec->compiler.boundmass);
  const double least_inertia = fmax(0, b->spec->compiler.boundinertia);
  if (mass < 0) {
    SN_TRY(si_build_warn(b, SI_ELEMENT_body, i, "the mass %g is negative; %g is used", mass,
                         least_mass));
  }
  return I[0] < 0 || I[1] < 0 || I[2] < 0
             ? si_build_warn(b, SI_ELEMENT_body, i,
                             "a principal moment of %g %g %g is negative; %g is used", I[0], I[1],
                             I[2], least_inertia)
             : SN_OK;
}

static sn_status repair(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_compiler *c = &b->spec->compiler;
  double *I = m->body_inertia + 3 * i;
  SN_TRY(warn_negative(b, i));
  m->body_mass[i] = fmax(m->body_mass[i], fmax(0, c->boundmass));
  for (int k = 0; k < 3; k++) {
    I[k] = fmax(I[k], fmax(0, c->boundinertia));
  }
  int flat = I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0];
  if (flat && c->balanceinertia) {
    I[0] = I[1] = I[2] = (I[0] + I[1] + I[2]) / 3;
  } else if (flat) {
    return SI_FAIL(b, body, i,
                   "the principal moments %g %g %g are not those of a rigid body: none may be "
                   "greater than the sum of the other two; correct them, or set the compiler's "
                   "balanceinertia",
                   I[0], I[1], I[2]);
  }
  return SN_OK;
}

static int is_massive(const sn_model *m, int64_t i) {
  const double *I = m->body_inertia + 3 * i;
  return m->body_mass[i] > SN_TINY && I[0] > SN_TINY && I[1] > SN_TINY && I[2] > SN_TINY;
}

// A body that moves has mass, or carries a fixed child that has.
static sn_status check_moving(si_build *b) {
  const sn_model *m = b->m;
  uint8_t *carries = calloc((size_t)m->nbody,
                            1);   // by body: itself or what is fixed to it is massive
  if (!carries) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  for (int64_t i = 1; i < m->nbody; i++) {
    carries[m->body_weldid[i]] |= (uint8_t)is_massive(m, i);
  }
  int64_t idle = 1;
  while (idle < m->nbody && (m->body_jntnum[idle] == 0 || carries[idle])) {
    idle++;
  }
  free(carries);
  if (idle == m->nbody) {
    return SN_OK;
  }
  const double mass = m->body_mass[idle], *I = m->body_inertia + 3 * idle;
  const sn_body_def *body = SI_DEF(b, body, idle);
  const double *given = body->diaginertia;
  if (body->inertial && body->mass < 0 && mass == 0) {
    return SI_FAIL(b, body, idle, "its mass is %g; a body that moves needs a positive mass",
                   body->mass);
  }
  if (body->inertial && (given[0] < 0 || given[1] < 0 || given[2] < 0) && mass > SN_TINY) {
    return SI_FAIL(b, body, idle,
                   "its diaginertia is %g %g %g; a body that moves needs positive moments of "
                   "inertia",
                   given[0], given[1], given[2]);
  }
  const int64_t g = m->body_geomadr[idle];
  if (mass == 0 && m->body_geomnum[idle] > 0 && !counts(b, g)) {
    const sn_compiler *c = &b->spec->compiler;
    return SI_FAIL(b, body, idle,
                   "it moves but has no mass or inertia: the compiler's inertiagrouprange, %lld "
                   "%lld, excludes group %d of its geom; extend the range, or change the group",
                   (long long)c->inertiagroup_min, (long long)c->inertiagroup_max,
                   SI_DEF(b, geom, g)->group);
  }
  return mass > SN_TINY
             ? SI_FAIL(b, body, idle,
                       "it moves and has mass %g, but its moments of inertia are %g %g %g; specify "
                       "diaginertia or fullinertia with the mass, or add a geom",
                       mass, I[0], I[1], I[2])
         : mass > 0
             ? SI_FAIL(b, body, idle,
                       "it moves, but its mass, %g kg, is too small: more than %g kg is needed",
                       mass, SN_TINY)
             : SI_FAIL(b, body, idle,
                       "it moves but has no mass or inertia; add a geom with mass, or "
                       "specify its inertial properties");
}

static sn_status set_total_mass(si_build *b) {
  sn_model *m = b->m;
  double wanted = b->spec->compiler.settotalmass, total = 0;
  for (int64_t i = 1; i < m->nbody; i++) {
    total += m->body_mass[i];
  }
  if (wanted <= 0 || total < SN_TINY) {
    return SN_OK;
  }
  for (int64_t i = 1; i < m->nbody; i++) {
    m->body_mass[i] *= wanted / total;
    sn_scale3(m->body_inertia + 3 * i, m->body_inertia + 3 * i, wanted / total);
  }
  return SN_OK;
}

void si_subtree_masses(sn_model *m) {
  // children come after their parents
  memcpy(m->body_subtreemass, m->body_mass, (size_t)m->nbody * sizeof(double));
  for (int64_t i = m->nbody - 1; i > 0; i--) {
    m->body_subtreemass[m->body_parentid[i]] += m->body_subtreemass[i];
  }
}

sn_status si_compile_inertia_fill(si_build *b) {
  sn_model *m = b->m;
  sn_identity_quat(m->body_iquat);
  for (int64_t i = 1; i < m->nbody; i++) {
    SN_TRY(infer(b, i));
    SN_TRY(repair(b, i));
  }
  SN_TRY(check_moving(b));
  SN_TRY(set_total_mass(b));

  si_subtree_masses(m);
  return SN_OK;
}
